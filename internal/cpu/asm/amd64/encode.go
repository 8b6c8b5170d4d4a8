package amd64

import (
	"encoding/binary"
	"math"
	"math/bits"
)

// Append appends the bytes of the instruction. The error is an *[OperandError].
func (in *Inst) Append(b []byte) ([]byte, error) {
	b, _, err := in.encode(b)
	return b, err
}

// Needs returns the features of the processor that the instruction needs.
func (in *Inst) Needs() (Feature, error) {
	f, l, err := in.find()
	if err != nil {
		return 0, err
	}
	return f.features(l), nil
}

// find returns the first form that takes the operands, and the vector length.
func (in *Inst) find() (*form, length, error) {
	var found *form
	var at length
	if in.Op > invalidOp && in.Op < numOps {
		for _, f := range rows().byOp[in.Op] {
			for l := range f.forLengths {
				if !f.accepts(in, l) {
					continue
				}
				if found == nil {
					found, at = f, l
				} else if in.isAmbiguous(f, l, found, at) {
					return nil, 0, &OperandError{*in, "its memory operand must have a size"}
				}
			}
			if found != nil && !in.hasUnsizedMemory() {
				break
			}
		}
	}
	if found == nil {
		return nil, 0, &OperandError{*in, "no form of the instruction has these operands"}
	}
	return found, at, nil
}

func (in *Inst) hasUnsizedMemory() bool {
	for i := range in.Args {
		if in.Args[i].Kind == MemArg && in.Args[i].Bytes == 0 {
			return true
		}
	}
	return false
}

// isAmbiguous reports whether two forms that accept the operands access different amounts of memory.
func (in *Inst) isAmbiguous(f *form, l length, g *form, m length) bool {
	for i, a := range in.Args {
		if a.Kind != MemArg || a.Bytes != 0 {
			continue
		}
		n, _ := f.args[i].access(l)
		k, _ := g.args[i].access(m)
		if n != k {
			return true
		}
	}
	return false
}

// accepts reports whether the form accepts the instruction at a vector length.
func (f *form) accepts(in *Inst, l length) bool {
	if f.enc != evex && (in.Mask != 0 || in.Zero || in.Round != ByMXCSR) {
		return false
	}
	if in.Mask != 0 && (f.attrs&mask == 0 || in.Mask.Class() != Mask || in.Mask == K(0)) ||
		in.Mask == 0 && f.attrs&needsMask != 0 {
		return false
	}
	if in.Zero && (f.attrs&zero == 0 || in.Mask == 0) {
		return false
	}
	switch in.Round {
	case ByMXCSR:
	case NoExceptions:
		if f.attrs&sae == 0 {
			return false
		}
	default:
		if f.attrs&er == 0 || in.Round > NoExceptions {
			return false
		}
	}
	if in.Round != ByMXCSR && f.lens != lig && l != len512 {
		return false
	}
	for i := range f.args {
		if !f.args[i].accepts(&in.Args[i], f, l) {
			return false
		}
		if in.Args[i].Kind == MemArg && in.Round != ByMXCSR {
			return false
		}
	}
	return f.attrs&distinct == 0 || in.areDistinct()
}

// areDistinct reports whether no vector, mask or tile register appears twice.
func (in *Inst) areDistinct() bool {
	seen := [2]uint32{}
	for i := range in.Args {
		r := in.Args[i].Reg
		if in.Args[i].Kind == MemArg {
			r = in.Args[i].Index
		}
		kind := 0
		switch c := r.Class(); {
		case c == Tile:
			kind = 1
		case c < XMM || c > ZMM:
			continue
		}
		if seen[kind]&(1<<r.Num()) != 0 {
			return false
		}
		seen[kind] |= 1 << r.Num()
	}
	return true
}

// accepts reports whether an operand of a form can be x.
func (a arg) accepts(x *Arg, f *form, l length) bool {
	role := a & roleBits
	switch x.Kind {
	case NoArg:
		return a == 0
	case RegArg:
		switch role {
		case fixed:
			switch a & classBits {
			case ofRAX, ofEAX:
				return x.Reg == MakeReg(a.class(l), 0)
			case ofCL:
				return x.Reg == MakeReg(R8, 1)
			}
			return false
		case inImm, relative, roleNone:
			return false
		}
		c := a.class(l)
		return c != NoClass && x.Reg.Class() == c && (x.Reg.Num() < 16 || f.enc == evex)
	case ImmArg:
		return a.acceptsNumber(x.Val) && (x.Bytes == 0 || a == rel32 && f.op.isJump() && x.wantsLongForm())
	case labelArg:
		return a == rel32
	case MemArg:
		return role == inRM && a&memBits != 0 && a.acceptsMemory(x, f, l)
	}
	return false
}

// wantsLongForm reports whether a jump requests the long form although the short one would reach.
func (x *Arg) wantsLongForm() bool { return x.Bytes == 4 && x.Val == int64(int8(x.Val)) }

func (a arg) acceptsNumber(v int64) bool {
	switch role := a & roleBits; role {
	case fixed:
		return a == one && v == 1
	case inImm, relative:
		switch a & classBits {
		case size8:
			return v >= 0 && v <= math.MaxUint8
		case size8s:
			return v >= math.MinInt8 && v <= math.MaxInt8
		case size16:
			return v >= math.MinInt16 && v <= math.MaxInt16
		case size32, size32s:
			return v >= math.MinInt32 && v <= math.MaxInt32
		}
		return true
	}
	return false
}

func (a arg) acceptsMemory(x *Arg, f *form, l length) bool {
	if x.Val < math.MinInt32 || x.Val > math.MaxInt32 {
		return false
	}
	bytes, _ := a.access(l)
	if x.Elem != 0 && int(x.Elem) != a.bcast() || x.Bytes != 0 && int(x.Bytes) != bytes {
		return false
	}
	switch m := a & memBits; m {
	case toIndexed32, toIndexedHalf64, toIndexed64:
		if x.Index == 0 {
			return false
		}
	case toTile:
		if x.Reg == RIP {
			return false
		}
	}
	if x.Reg != 0 && x.Reg != RIP && x.Reg.Class() != R64 {
		return false
	}
	if x.Index == 0 {
		return x.Scale == 0
	}
	if x.Reg == RIP || x.Index == RSP || x.Index.Class() != a.index(l) || x.Index.Num() >= 16 && f.enc != evex {
		return false
	}
	return x.Scale == 1 || x.Scale == 2 || x.Scale == 4 || x.Scale == 8
}

// fields are the parts of an encoding.
type fields struct {
	reg, rm, vvvv int  // numbers of registers
	mem           *Arg // instead of rm, nil if there is none
	memArg        arg  // the kind of operand that mem is
}

// encode appends the instruction and returns the offset of the four bytes of a displacement or jump that an Assembler
// patches, 0 if there are none.
func (in *Inst) encode(b []byte) ([]byte, int, error) {
	f, l, err := in.find()
	if err != nil {
		return b, 0, err
	}
	var p fields
	force8 := false // REX for spl, bpl, sil and dil
	opReg := 0
	for i, a := range f.args {
		x := &in.Args[i]
		if x.Kind == RegArg && x.Reg.Class() == R8 && x.Reg.Num() >= 4 {
			force8 = true
		}
		switch a & roleBits {
		case inReg:
			p.reg = x.Reg.Num()
		case inRM:
			if x.Kind == MemArg {
				p.mem, p.memArg = x, a
			} else {
				p.rm = x.Reg.Num()
			}
		case inVVVV:
			p.vvvv = x.Reg.Num()
		case inOpcode:
			opReg = x.Reg.Num()
		}
	}
	if f.ext >= 0 && f.ext < 8 {
		p.reg = int(f.ext)
	}
	code := f.code + uint8(opReg&7)
	switch f.enc {
	case legacy:
		b = f.appendLegacy(b, &p, opReg, force8)
	case vex:
		b = f.appendVEX(b, &p, l)
	case evex:
		b = f.appendEVEX(b, in, &p, l)
	}
	b = append(b, code)
	fix := 0
	if f.ext >= modrm {
		b = append(b, byte(f.ext))
	} else if f.hasModRM() {
		b, fix = f.appendModRM(b, &p, l)
	}
	for i, a := range f.args {
		x := &in.Args[i]
		switch a & roleBits {
		case inImmHigh:
			b = append(b, byte(x.Reg.Num())<<4)
		case inImm, relative:
			if x.Kind == labelArg {
				fix = len(b)
			}
			switch a & classBits {
			case size8, size8s:
				b = append(b, byte(x.Val))
			case size16:
				b = binary.LittleEndian.AppendUint16(b, uint16(x.Val))
			case size32, size32s:
				b = binary.LittleEndian.AppendUint32(b, uint32(x.Val))
			case size64:
				b = binary.LittleEndian.AppendUint64(b, uint64(x.Val))
			}
		}
	}
	return b, fix, nil
}

// high returns bit n of a register number, shifted to bit at.
func high(reg, n, at int) byte { return byte(reg>>n&1) << at }

// extended returns the numbers of the register or base, and of the index, whose upper bits are in the prefix.
func (p *fields) extended() (base, index int) {
	if p.mem == nil {
		return p.rm, 0
	}
	if p.mem.Reg != RIP {
		base = p.mem.Reg.Num()
	}
	return base, p.mem.Index.Num()
}

func (f *form) appendLegacy(b []byte, p *fields, opReg int, force bool) []byte {
	switch f.pp {
	case p66:
		b = append(b, 0x66)
	case pF3:
		b = append(b, 0xf3)
	case pF2:
		b = append(b, 0xf2)
	}
	base, index := p.extended()
	rex := high(p.reg, 3, 2) | high(index, 3, 1) | high(base|opReg, 3, 0)
	if f.w == w1 {
		rex |= 8
	}
	if rex != 0 || force {
		b = append(b, 0x40|rex)
	}
	switch f.mm {
	case m0f:
		b = append(b, 0x0f)
	case m38:
		b = append(b, 0x0f, 0x38)
	case m3a:
		b = append(b, 0x0f, 0x3a)
	}
	return b
}

func (f *form) appendVEX(b []byte, p *fields, l length) []byte {
	if f.lens == lig {
		l = len128
	}
	base, index := p.extended()
	last := byte(f.pp) | byte(l)<<2 | byte(^p.vvvv&15)<<3
	if f.mm == m0f && f.w != w1 && base < 8 && index < 8 {
		return append(b, 0xc5, last|high(^p.reg, 3, 7))
	}
	if f.w == w1 {
		last |= 0x80
	}
	return append(b, 0xc4, byte(f.mm)|high(^p.reg, 3, 7)|high(^index, 3, 6)|high(^base, 3, 5), last)
}

func (f *form) appendEVEX(b []byte, in *Inst, p *fields, l length) []byte {
	if f.lens == lig {
		l = len128
	}
	ll := byte(l)
	bit := byte(0) // EVEX.b
	switch in.Round {
	case ByMXCSR:
		if p.mem != nil && p.mem.Elem != 0 {
			bit = 1
		}
	case NoExceptions:
		bit, ll = 1, 0
	default:
		bit, ll = 1, byte(in.Round-ToNearest)
	}
	base, index := p.extended()
	v4 := p.vvvv
	switch {
	case p.mem == nil:
		index = p.rm >> 1 // bit 4 of a vector register takes the place of bit 3 of an index
	case p.mem.Index.Class() >= XMM:
		v4 = index // bit 4 of a vector index takes the place of that of vvvv
	}
	b = append(b, 0x62,
		byte(f.mm)|high(^p.reg, 3, 7)|high(^index, 3, 6)|high(^base, 3, 5)|high(^p.reg, 4, 4),
		byte(f.pp)|4|byte(^p.vvvv&15)<<3,
		byte(in.Mask.Num())|high(^v4, 4, 3)|bit<<4|ll<<5)
	if f.w == w1 {
		b[len(b)-2] |= 0x80
	}
	if in.Zero {
		b[len(b)-1] |= 0x80
	}
	return b
}

// appendModRM appends ModRM, SIB and displacement, and returns the offset of a RIP-relative displacement.
func (f *form) appendModRM(b []byte, p *fields, l length) ([]byte, int) {
	reg := byte(p.reg&7) << 3
	m := p.mem
	if m == nil {
		return append(b, 0xc0|reg|byte(p.rm&7)), 0
	}
	if m.Reg == RIP {
		b = append(b, reg|5)
		return binary.LittleEndian.AppendUint32(b, uint32(m.Val)), len(b)
	}
	var sib byte
	needsSIB := m.Index != 0 || m.Reg == 0 || m.Reg.Num()&7 == 4 || p.memArg&memBits == toTile
	if needsSIB {
		sib = 4 << 3
		if m.Index != 0 {
			sib = byte(m.Index.Num()&7)<<3 | byte(bits.TrailingZeros8(m.Scale))<<6
		}
		if m.Reg == 0 {
			b = append(b, reg|4, sib|5)
			return binary.LittleEndian.AppendUint32(b, uint32(m.Val)), 0
		}
		sib |= byte(m.Reg.Num() & 7)
	}
	disp, size := f.displacement(p, l)
	mod := byte(0)
	switch {
	case size == 1:
		mod = 0x40
	case size == 4:
		mod = 0x80
	}
	if needsSIB {
		b = append(b, mod|reg|4, sib)
	} else {
		b = append(b, mod|reg|byte(m.Reg.Num()&7))
	}
	switch size {
	case 1:
		b = append(b, byte(disp))
	case 4:
		b = binary.LittleEndian.AppendUint32(b, uint32(disp))
	}
	return b, 0
}

// displacement returns the encoded displacement and its size in bytes.
func (f *form) displacement(p *fields, l length) (disp int64, size int) {
	m := p.mem
	if m.Val == 0 && m.Reg.Num()&7 != 5 {
		return 0, 0
	}
	unit := int64(1)
	if f.enc == evex {
		_, n := p.memArg.access(l)
		unit = int64(n)
		if m.Elem != 0 {
			unit = int64(m.Elem)
		}
	}
	if m.Val%unit == 0 && m.Val/unit >= math.MinInt8 && m.Val/unit <= math.MaxInt8 {
		return m.Val / unit, 1
	}
	return m.Val, 4
}
