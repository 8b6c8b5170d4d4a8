package amd64

import "sync"

// form is a row of the table: one encoding of an instruction.
type form struct {
	op    Op
	enc   encoding
	pp    prefix
	mm    opmap
	code  uint8
	ext   ext
	w     wide
	lens  lengths
	attrs attrs
	feat  Feature
	args  args
}

// encoding is the kind of prefix.
type encoding uint8

const (
	legacy encoding = iota // one-byte prefixes, then REX if necessary
	vex
	evex
)

// prefix is the mandatory prefix, by its number in VEX and EVEX.
type prefix uint8

const (
	np prefix = iota
	p66
	pF3
	pF2
)

// opmap is the opcode map, by its number in VEX and EVEX.
type opmap uint8

const (
	m1   opmap = 0 // one-byte opcodes
	m0f  opmap = 1
	m38  opmap = 2
	m3a  opmap = 3
	map5 opmap = 5
	map6 opmap = 6
)

// ext is the contents of the ModRM byte besides operands: a digit in its reg field, or all of it.
type ext int16

const (
	slashR  ext = -1 // only operands, or no ModRM byte
	rmZero  ext = -2 // 0 in the rm field
	modrm   ext = 0x100
	modrmC0 ext = modrm | 0xc0
	modrmF8 ext = modrm | 0xf8
)

// wide is the W bit.
type wide uint8

const (
	w0 wide = iota
	w1
	wig // ignored: written as 0
)

// lengths are the vector lengths of a form; one if L is fixed.
type lengths uint8

const (
	l128 lengths = 1 << iota
	l256
	l512
	lig // ignored: written as 0
)

// attrs are the EVEX attributes that a form supports.
type attrs uint8

const (
	mask      attrs = 1 << iota
	zero            // zeroing masking
	er              // embedded rounding, between registers
	sae             // suppress all exceptions, between registers
	needsMask       // requires a mask other than k0
	distinct        // requires distinct vector or tile operands
)

// args are the operands of a form, in text order.
type args [4]arg

// arg is the kind of an operand and its encoding: a role, a class of registers, an access to memory, the element of a
// broadcast.
type arg uint32

const (
	roleNone  arg = iota
	inReg         // the reg field of ModRM
	inRM          // its rm field, or memory
	inVVVV        // of VEX and EVEX
	inImm         // bytes at the end
	inImmHigh     // the upper half of a byte at the end
	inOpcode      // the lower bits of the opcode
	fixed         // implicit
	relative      // bytes at the end, relative to the end of the instruction
	roleBits  arg = 15
)

// Classes of registers; of immediates, their size.
const (
	classShift = 4

	ofR8 arg = iota << classShift
	ofR16
	ofR32
	ofR64
	ofX
	ofVL      // of the vector length
	ofHalf    // of half the vector length, at least X
	ofQuarter // X for all lengths
	ofK
	ofT
	ofEAX
	ofRAX
	ofCL
	size8
	size8s // sign-extended
	size16
	size32
	size32s // sign-extended
	size64
	size1         // the immediate 1, implicit
	classBits arg = 31 << classShift
)

// Accesses to memory.
const (
	memShift = 9

	to8 arg = iota << memShift
	to16
	to32
	to64
	to128
	toVL
	toHalf
	toQuarter
	toEighth
	toAny           // without a size
	toTile          // rows at a base, an index apart
	toIndexed32     // 32-bit elements at indices in a VL register
	toIndexedHalf64 // 64-bit elements at indices in a half-VL register
	toIndexed64
	memBits arg = 31 << memShift
)

// Broadcasts of the element in memory.
const (
	bcastShift = 14

	b16       arg = 1 << bcastShift
	b32       arg = 2 << bcastShift
	b64       arg = 3 << bcastShift
	bcastBits arg = 3 << bcastShift
)

// The operands of the rows. A name starts with the position (r, rm, v; reg and mem are in rm, only registers or only
// memory), followed by the class and the size if it differs.
const (
	r8  = inReg | ofR8
	r16 = inReg | ofR16
	r32 = inReg | ofR32
	r64 = inReg | ofR64
	rV  = inReg | ofVL
	rH  = inReg | ofHalf
	rX  = inReg | ofX
	rK  = inReg | ofK
	rT  = inReg | ofT

	v32 = inVVVV | ofR32
	v64 = inVVVV | ofR64
	vV  = inVVVV | ofVL
	vH  = inVVVV | ofHalf
	vX  = inVVVV | ofX
	vK  = inVVVV | ofK
	vT  = inVVVV | ofT

	reg32 = inRM | ofR32
	reg64 = inRM | ofR64
	regV  = inRM | ofVL
	regH  = inRM | ofHalf
	regQ  = inRM | ofQuarter
	regO  = inRM | ofX
	regX  = inRM | ofX
	regK  = inRM | ofK
	regT  = inRM | ofT

	mem8    = inRM | to8
	mem16   = inRM | to16
	mem32   = inRM | to32
	mem64   = inRM | to64
	mem128  = inRM | to128
	memV    = inRM | toVL
	memH    = inRM | toHalf
	memQ    = inRM | toQuarter
	memO    = inRM | toEighth
	memAny  = inRM | toAny
	memTile = inRM | toTile
	vsibV32 = inRM | toIndexed32
	vsibH64 = inRM | toIndexedHalf64
	vsibV64 = inRM | toIndexed64

	rm8     = inRM | ofR8 | to8
	rm16    = inRM | ofR16 | to16
	rm32    = inRM | ofR32 | to32
	rm64    = inRM | ofR64 | to64
	rm32m8  = inRM | ofR32 | to8
	rm32m16 = inRM | ofR32 | to16
	rmV     = inRM | ofVL | toVL
	rmVb32  = rmV | b32
	rmVb64  = rmV | b64
	rmH     = inRM | ofHalf | toHalf
	rmHb16  = rmH | b16
	rmHb32  = rmH | b32
	rmQ     = inRM | ofQuarter | toQuarter
	rmO     = inRM | ofX | toEighth
	rmX8    = inRM | ofX | to8
	rmX16   = inRM | ofX | to16
	rmX32   = inRM | ofX | to32
	rmX64   = inRM | ofX | to64
	rmX128  = inRM | ofX | to128
	rmK16   = inRM | ofK | to16
	rmK64   = inRM | ofK | to64

	imm8   = inImm | size8
	imm8s  = inImm | size8s
	imm16  = inImm | size16
	imm32  = inImm | size32
	imm32s = inImm | size32s
	imm64  = inImm | size64
	is4V   = inImmHigh | ofVL
	rel8   = relative | size8s
	rel32  = relative | size32s
	opR32  = inOpcode | ofR32
	opR64  = inOpcode | ofR64
	eax    = fixed | ofEAX
	rax    = fixed | ofRAX
	cl     = fixed | ofCL
	one    = fixed | size1
)

// length is a vector length as its number in VEX and EVEX.
type length uint8

const (
	len128 length = iota
	len256
	len512
	numLens
)

// bytes returns the size of a register of that length.
func (l length) bytes() int { return 16 << l }

// class returns the register class of an operand, classNone if it cannot be a register.
func (a arg) class(l length) Class {
	switch a & classBits {
	case ofR8:
		return R8
	case ofR16:
		return R16
	case ofR32, ofEAX:
		return R32
	case ofR64, ofRAX:
		return R64
	case ofCL:
		return R8
	case ofX, ofQuarter:
		return XMM
	case ofVL:
		return XMM + Class(l)
	case ofHalf:
		if l == len512 {
			return YMM
		}
		return XMM
	case ofK:
		return Mask
	case ofT:
		return Tile
	}
	return NoClass
}

// access returns the bytes of memory that an operand accesses, and the unit of compressed displacements in bytes. The
// first is 0 for accesses without a size.
func (a arg) access(l length) (bytes, unit int) {
	switch m := a & memBits; m {
	case 0, toAny, toTile:
		return 0, 1
	case to8, to16, to32, to64, to128:
		bytes = 1 << (m>>memShift - 1)
	case toVL:
		bytes = l.bytes()
	case toHalf:
		bytes = l.bytes() / 2
	case toQuarter:
		bytes = l.bytes() / 4
	case toEighth:
		bytes = l.bytes() / 8
	case toIndexed32:
		return 4, 4
	case toIndexedHalf64, toIndexed64:
		return 8, 8
	}
	return bytes, bytes
}

// index returns the class of the index register of an access.
func (a arg) index(l length) Class {
	switch a & memBits {
	case toIndexed32, toIndexed64:
		return XMM + Class(l)
	case toIndexedHalf64:
		return (inRM | ofHalf).class(l)
	}
	return R64
}

// bcast returns the size of an element that may be broadcast, 0 if broadcasts are not supported.
func (a arg) bcast() int {
	if a&bcastBits == 0 {
		return 0
	}
	return 1 << (a & bcastBits >> bcastShift)
}

// tables are the parts of the table.
var tables = [...][]form{
	scalarForms, floatForms, fmaForms, moveForms, shuffleForms, intForms, convertForms, maskForms,
}

// key is the part of an encoding before its operands.
type key struct {
	enc  encoding
	pp   prefix
	mm   opmap
	code uint8
}

// index finds rows.
type index struct {
	byOp  [numOps][]*form
	byKey map[key][]*form
}

// rows returns the index of the table.
var rows = sync.OnceValue(func() *index {
	ix := &index{byKey: map[key][]*form{}}
	for _, t := range tables {
		for i := range t {
			f := &t[i]
			ix.byOp[f.op] = append(ix.byOp[f.op], f)
			codes := 1
			if f.has(inOpcode) {
				codes = 8
			}
			for c := range codes {
				k := key{f.enc, f.pp, f.mm, f.code + uint8(c)}
				ix.byKey[k] = append(ix.byKey[k], f)
			}
		}
	}
	return ix
})

// has reports whether an operand of the form has the role.
func (f *form) has(role arg) bool {
	for _, a := range f.args {
		if a&roleBits == role {
			return true
		}
	}
	return false
}

// hasModRM reports whether the form has a ModRM byte.
func (f *form) hasModRM() bool { return f.ext != slashR || f.has(inReg) || f.has(inRM) }

// forLengths calls yield for the vector lengths of the form, once for those without.
func (f *form) forLengths(yield func(length) bool) {
	if f.lens == 0 || f.lens == lig {
		yield(len128)
		return
	}
	for l := range numLens {
		if f.lens&(1<<l) != 0 && !yield(l) {
			return
		}
	}
}
