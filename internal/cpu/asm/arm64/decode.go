package arm64

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
)

// ErrUnknown is wrapped by [Decode] for words that [Inst.Append] never writes.
var ErrUnknown = errors.New("arm64: unknown instruction")

// Decode returns the first instruction of the code, which has 4 bytes. It accepts exactly what [Inst.Append] writes.
func Decode(code []byte) (Inst, error) {
	if len(code) < 4 {
		return Inst{}, fmt.Errorf("%w: % x: %w", ErrUnknown, code, io.ErrUnexpectedEOF)
	}
	w := binary.LittleEndian.Uint32(code)
	for _, f := range tableOnce().byTop[w>>21] {
		if (w^f.value)&f.fixed != 0 {
			continue
		}
		in := Inst{Op: f.op}
		for i := range f.args {
			in.Args[i] = f.decode(&f.args[i], w)
		}
		// Some encodings of a form are reserved, or are those of another one.
		if encoded, _, err := in.word(); err == nil && encoded == w {
			return in, nil
		}
	}
	return Inst{}, fmt.Errorf("%w: %#08x", ErrUnknown, w)
}
