package arm64

import "encoding/binary"

// Append appends the bytes of the instruction. The error is an *[OperandError].
func (in *Inst) Append(b []byte) ([]byte, error) {
	w, _, err := in.word()
	if err != nil {
		return b, err
	}
	return binary.LittleEndian.AppendUint32(b, w), nil
}

// Needs returns the features of the processor that the instruction needs.
func (in *Inst) Needs() (Feature, error) {
	_, f, err := in.word()
	if err != nil {
		return 0, err
	}
	return f.feat, nil
}

// word returns the instruction's word and its form, the first that accepts the operands.
func (in *Inst) word() (uint32, *form, error) {
	if in.Op > invalidOp && in.Op < numOps {
		n := in.NumArgs()
		for _, f := range tableOnce().byOp[in.Op] {
			if len(f.args) != n {
				continue
			}
			if w, ok := f.encodeAll(in); ok {
				return w, f, nil
			}
		}
	}
	return 0, nil, &OperandError{*in, "no form of the instruction has these operands"}
}

func (f *form) encodeAll(in *Inst) (uint32, bool) {
	w := f.value
	for i := range f.args {
		bits, ok := f.encode(&f.args[i], &in.Args[i])
		if !ok {
			return 0, false
		}
		w |= bits
	}
	return w, true
}
