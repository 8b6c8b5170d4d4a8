package amd64

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
)

// ErrUnknown is wrapped by [Decode] for bytes that [Inst.Append] never writes.
var ErrUnknown = errors.New("amd64: unknown instruction")

// Decode returns the first instruction of the code and its length in bytes. It accepts exactly what [Inst.Append]
// writes; other encodings of an instruction are errors.
func Decode(code []byte) (Inst, int, error) {
	d := decoder{buf: code[:min(len(code), 15)]}
	unknown := func() (Inst, int, error) {
		return Inst{}, 0, fmt.Errorf("%w: % x", ErrUnknown, d.buf)
	}
	if !d.prefixes() {
		return unknown()
	}
	for _, f := range rows().byKey[d.key] {
		in, n, ok := d.read(f)
		if !ok {
			continue
		}
		// Rows of the table overlap, and encodings have ignored bits.
		if encoded, err := in.Append(nil); err == nil && bytes.Equal(encoded, code[:n]) {
			return in, n, nil
		}
	}
	return unknown()
}

// decoder is the state of decoding one instruction.
type decoder struct {
	buf []byte
	at  int // position after the bytes read
	key
	w                bool
	reg, base, index int // upper bits of register numbers
	vvvv             int
	l                length
	mask             int
	zero, b          bool
}

// next returns the next byte, 0 past the end.
func (d *decoder) next() byte {
	if d.at >= len(d.buf) {
		d.at++
		return 0
	}
	d.at++
	return d.buf[d.at-1]
}

// bit returns bit n of b, shifted to bit to.
func bit(b byte, n, to int) int { return int(b>>n&1) << to }

// prefixes reads everything before the opcode.
func (d *decoder) prefixes() bool {
	switch c := d.next(); {
	case c == 0x62:
		d.enc = evex
		p0, p1, p2 := d.next(), d.next(), d.next()
		if p0&8 != 0 || p1&4 == 0 {
			return false
		}
		d.mm, d.pp, d.w = opmap(p0&7), prefix(p1&3), p1&0x80 != 0
		d.reg = bit(^p0, 7, 3) | bit(^p0, 4, 4)
		d.index, d.base = bit(^p0, 6, 3), bit(^p0, 5, 3)
		d.vvvv = int(^p1>>3&15) | bit(^p2, 3, 4)
		d.mask, d.b, d.l, d.zero = int(p2&7), p2&16 != 0, length(p2>>5&3), p2&0x80 != 0
	case c == 0xc5:
		d.enc, d.mm = vex, m0f
		p := d.next()
		d.reg, d.vvvv, d.l, d.pp = bit(^p, 7, 3), int(^p>>3&15), length(p>>2&1), prefix(p&3)
	case c == 0xc4:
		d.enc = vex
		p0, p1 := d.next(), d.next()
		d.mm, d.pp, d.w = opmap(p0&31), prefix(p1&3), p1&0x80 != 0
		d.reg, d.index, d.base = bit(^p0, 7, 3), bit(^p0, 6, 3), bit(^p0, 5, 3)
		d.vvvv, d.l = int(^p1>>3&15), length(p1>>2&1)
	default:
		d.at--
		d.legacyPrefixes()
	}
	d.code = d.next()
	return d.at <= len(d.buf)
}

func (d *decoder) legacyPrefixes() {
	switch d.next() {
	case 0x66:
		d.pp = p66
	case 0xf3:
		d.pp = pF3
	case 0xf2:
		d.pp = pF2
	default:
		d.at--
	}
	if d.at < len(d.buf) && d.buf[d.at]&0xf0 == 0x40 {
		c := d.next()
		d.w = c&8 != 0
		d.reg, d.index, d.base = bit(c, 2, 3), bit(c, 1, 3), bit(c, 0, 3)
	}
	if d.at >= len(d.buf) || d.buf[d.at] != 0x0f {
		return
	}
	d.at++
	d.mm = m0f
	if d.at < len(d.buf) {
		switch d.buf[d.at] {
		case 0x38:
			d.mm = m38
			d.at++
		case 0x3a:
			d.mm = m3a
			d.at++
		}
	}
}

// read reads the operands of a form.
func (d decoder) read(f *form) (in Inst, n int, ok bool) {
	in.Op = f.op
	if f.w == w1 && !d.w || f.w == w0 && d.w {
		return in, 0, false
	}
	l, ok := d.lengthOf(f, &in)
	if !ok {
		return in, 0, false
	}
	if d.mask != 0 {
		in.Mask = K(d.mask)
	}
	in.Zero = d.zero
	var mod, rm byte
	var memory Arg
	if f.hasModRM() {
		c := d.next()
		if f.ext >= modrm {
			return in, d.at, c == byte(f.ext) && d.at <= len(d.buf)
		}
		mod, rm = c>>6, c&7
		if f.ext >= 0 && int(c>>3&7) != int(f.ext) {
			return in, 0, false
		}
		d.reg |= int(c >> 3 & 7)
		if mod != 3 {
			memory = d.memory(f, l, mod, rm)
		}
	}
	for i, a := range f.args {
		if !d.operand(&in.Args[i], a, l, mod, int(rm), memory) {
			return in, 0, false
		}
	}
	if x := &in.Args[0]; f.args[0] == rel32 && f.op.isJump() && x.Val == int64(int8(x.Val)) {
		x.Bytes = 4
	}
	return in, d.at, d.at <= len(d.buf)
}

// lengthOf returns the vector length of a form, and sets the rounding.
func (d *decoder) lengthOf(f *form, in *Inst) (length, bool) {
	isReg := d.at < len(d.buf) && d.buf[d.at]>>6 == 3
	if f.enc == evex && d.b && isReg {
		switch {
		case f.attrs&sae != 0:
			in.Round = NoExceptions
		case f.attrs&er != 0:
			in.Round = ToNearest + Rounding(d.l)
		default:
			return 0, false
		}
		if f.lens == lig {
			return len128, true
		}
		return len512, f.lens&l512 != 0
	}
	if f.enc == legacy || f.lens == lig {
		return len128, d.l == 0
	}
	return d.l, d.l < numLens && f.lens&(1<<d.l) != 0
}

// memory reads the rest of an address.
func (d *decoder) memory(f *form, l length, mod, rm byte) Arg {
	m := Arg{Kind: MemArg}
	var a arg
	for _, x := range f.args {
		if x&roleBits == inRM {
			a = x
		}
	}
	bytes, unit := a.access(l)
	if d.enc != evex {
		unit = 1
	}
	m.Bytes = uint16(bytes)
	if d.b {
		m.Elem, unit = uint8(a.bcast()), a.bcast()
	}
	noBase := false
	if rm == 4 {
		sib := d.next()
		class, index := a.index(l), int(sib>>3&7)|d.index
		if class != R64 && d.enc == evex {
			index |= d.vvvv & 16
		}
		if class != R64 || index != 4 {
			m.Index, m.Scale = MakeReg(class, index), 1<<(sib>>6)
		}
		noBase = mod == 0 && sib&7 == 5
		rm = sib & 7
	} else if mod == 0 && rm == 5 {
		m.Reg, m.Val = RIP, d.number(4)
		return m
	}
	if noBase {
		m.Val = d.number(4)
		return m
	}
	m.Reg = GP(int(rm) | d.base)
	switch mod {
	case 1:
		m.Val = d.number(1) * int64(unit)
	case 2:
		m.Val = d.number(4)
	}
	return m
}

// number reads a number of size bytes.
func (d *decoder) number(size int) int64 {
	var buf [8]byte
	for i := range size {
		buf[i] = d.next()
	}
	shift := 64 - 8*size
	return int64(binary.LittleEndian.Uint64(buf[:])<<shift) >> shift
}

// operand reads one operand.
func (d *decoder) operand(x *Arg, a arg, l length, mod byte, rm int, memory Arg) bool {
	c := a.class(l)
	reg := func(n int) bool {
		if c == NoClass || n >= c.Count() {
			return false
		}
		*x = RegOperand(MakeReg(c, n))
		return true
	}
	switch a & roleBits {
	case inReg:
		return reg(d.reg)
	case inRM:
		if mod != 3 {
			*x = memory
			return a&memBits != 0
		}
		n := rm | d.base
		if d.enc == evex && c >= XMM && c <= ZMM {
			n |= d.index << 1
		}
		return reg(n)
	case inVVVV:
		return reg(d.vvvv)
	case inOpcode:
		return reg(int(d.code&7) | d.base)
	case fixed:
		switch a & classBits {
		case ofEAX, ofRAX:
			return reg(0)
		case ofCL:
			return reg(1)
		}
		*x = Imm(1)
	case inImmHigh:
		return reg(int(d.next() >> 4))
	case inImm, relative:
		*x = Imm(d.immediate(a))
	}
	return true
}

func (d *decoder) immediate(a arg) int64 {
	switch a & classBits {
	case size8:
		return d.number(1) & 0xff
	case size8s:
		return d.number(1)
	case size16:
		return d.number(2)
	case size64:
		return d.number(8)
	}
	return d.number(4)
}
