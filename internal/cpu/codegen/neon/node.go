package neon

import (
	"encoding/binary"

	"github.com/go-nx/nx/internal/cpu/asm/amd64"
	"github.com/go-nx/nx/internal/cpu/asm/arm64"
)

// halves is the number of halves of the vector registers: half h is the lower one of register h, half h+16 the upper.
const halves = 32

// value is a vector of 16 bytes that is assigned once; 0 is none. Values 1 to [halves] are those of the halves before
// the block.
type value int32

// node is an instruction on values.
type node struct {
	op   arm64.Op
	n    uint8
	args [4]operand
	// effect: it stores, jumps, or writes general registers or flags, and stays also if its values are never read.
	effect bool
	// choice: the operands are a result, a mask, and the values for lanes where it is set and where it is not. It
	// becomes BSL, BIT or BIF, which differ in the operand that they overwrite.
	choice bool
	// skip is a general register, if it is not 0: the instruction is skipped if its bit skipBit is clear. What it
	// would overwrite stays.
	skip, skipBit uint8
}

// operand is an operand of a node.
type operand struct {
	v     value // 0 for operands that are not values
	class arm64.Class
	lane  int8
	list  bool // a list of one register
	def   bool
	tied  value // of a result: the operand that it overwrites
	arg   arm64.Arg
	ref   ref
}

// ref is an operand that becomes an offset.
type ref struct {
	kind refKind
	n    int32
}

type refKind uint8

const (
	noRef    refKind = iota
	refBlock         // n is a block
	refConst         // n is the number of a constant
	refText          // n is the offset of a constant in the code for AVX2
)

// constants are those of a function, by number.
type constants struct{ list [][16]byte }

// load returns the instruction that loads a constant, the class of its result, and its operand.
func (k *constants) load(data [16]byte) (arm64.Op, arm64.Class, operand) {
	lo, hi := binary.LittleEndian.Uint64(data[:]), binary.LittleEndian.Uint64(data[8:])
	if lo == hi && isByteMask(lo) {
		return arm64.MOVI, arm64.Class2D, number(int64(lo))
	}
	if w := uint32(lo); lo == hi && uint32(lo>>32) == w {
		for shift := 0; shift < 32; shift += 8 {
			if w == w>>shift&0xff<<shift {
				return arm64.MOVI, arm64.Class4S, other(arm64.Lsl(int64(w>>shift), shift))
			}
		}
	}
	k.list = append(k.list, data)
	return arm64.LDR, arm64.ClassQ, operand{ref: ref{refConst, int32(len(k.list) - 1)}}
}

// builder makes the nodes of a block.
type builder struct {
	*constants
	b      *block
	nodes  []node
	values int
	halves [halves]value // the current values
	// consts has the bytes of values that are known.
	consts map[value][16]byte
	// constOf has the value of a constant.
	constOf map[[16]byte]value
	// lows are, for values that scalar instructions merge into another, the value with the result in its lowest lane.
	lows map[value]low
	// scalars are, for values with equal lanes, a value with the number in its lowest lane, and the bytes of a lane.
	scalars map[value]low
	// masks are values whose lanes, of at least so many bytes, are all ones or zeros.
	masks map[value]int
	// sums are the registers that hold the sums of two registers, see address.
	sums    []address
	lastSum int
}

// low is a value with a number in its lowest lane.
type low struct {
	v     value
	bytes int
}

func newBuilder(b *block, k *constants) *builder {
	t := &builder{constants: k, b: b, values: halves, nodes: make([]node, 0, 3*len(b.insts)+4),
		consts: map[value][16]byte{}, constOf: map[[16]byte]value{},
		lows: map[value]low{}, scalars: map[value]low{}, masks: map[value]int{}}
	for h := range t.halves {
		t.halves[h] = value(h + 1)
	}
	return t
}

func (t *builder) numValues() int { return t.values + 1 }

func (t *builder) newValue() value {
	t.values++
	return value(t.values)
}

// use returns a value as an operand.
func use(v value, c arm64.Class) operand { return operand{v: v, class: c} }

// lane returns an element of a value as an operand.
func lane(v value, c arm64.Class, n int) operand { return operand{v: v, class: c, lane: int8(n)} }

// other returns an operand that is not a value.
func other(a arm64.Arg) operand { return operand{arg: a} }

func reg(r arm64.Reg) operand { return operand{arg: arm64.RegOperand(r)} }
func number(n int64) operand  { return operand{arg: arm64.Imm(n)} }
func toBlock(n int) operand   { return operand{ref: ref{refBlock, int32(n)}} }

// add appends a node.
func (t *builder) add(op arm64.Op, effect bool, args ...operand) {
	n := node{op: op, n: uint8(len(args)), effect: effect}
	copy(n.args[:], args)
	t.nodes = append(t.nodes, n)
}

// emit appends an instruction without results that are values.
func (t *builder) emit(op arm64.Op, args ...operand) { t.add(op, true, args...) }

// do appends an instruction whose first operand is a new value, which it returns.
func (t *builder) do(op arm64.Op, c arm64.Class, args ...operand) value {
	v := t.newValue()
	t.add(op, false, append([]operand{{v: v, class: c, def: true}}, args...)...)
	return v
}

// to is do where all operands are values of a class.
func (t *builder) to(op arm64.Op, c arm64.Class, args ...value) value {
	var list [3]operand
	for i, v := range args {
		list[i] = use(v, c)
	}
	return t.do(op, c, list[:len(args)]...)
}

// update is do for an instruction that overwrites a value with its result.
func (t *builder) update(op arm64.Op, c arm64.Class, old value, args ...operand) value {
	v := t.newValue()
	t.add(op, false, append([]operand{{v: v, class: c, def: true, tied: old}}, args...)...)
	return v
}

// insert returns the value with one element replaced. The elements are given by class and lane.
func (t *builder) insert(old value, c arm64.Class, at int, x operand) value {
	v := t.newValue()
	t.add(arm64.INS, false, operand{v: v, class: c, lane: int8(at), def: true, tied: old}, x)
	return v
}

// choose returns the lanes of yes where the mask is set, and those of no elsewhere.
func (t *builder) choose(mask, yes, no value) value {
	if yes == no {
		return yes
	}
	v := t.newValue()
	n := node{op: arm64.BSL, n: 4, choice: true}
	for i, x := range []value{v, mask, yes, no} {
		n.args[i] = operand{v: x, class: arm64.Class16B, def: i == 0}
	}
	t.nodes = append(t.nodes, n)
	return v
}

// known returns a constant as a value.
func (t *builder) known(data [16]byte) value {
	if v := t.constOf[data]; v != 0 {
		return v
	}
	op, c, x := t.load(data)
	v := t.do(op, c, x)
	t.consts[v], t.constOf[data] = data, v
	if bytes := maskBytes(data); bytes > 0 {
		t.masks[v] = bytes
	}
	return v
}

// isByteMask reports whether all bytes are 0 or 255.
func isByteMask(v uint64) bool {
	for ; v != 0; v >>= 8 {
		if b := byte(v); b != 0 && b != 0xff {
			return false
		}
	}
	return true
}

// maskBytes returns the size of the largest lanes that are all ones or zeros, 0 if there are none.
func maskBytes(data [16]byte) int {
	for bytes := 8; bytes > 0; bytes /= 2 {
		ok := true
		for i, b := range data {
			ok = ok && (b == 0 || b == 0xff) && b == data[i&^(bytes-1)]
		}
		if ok {
			return bytes
		}
	}
	return 0
}

// zero returns the value 0.
func (t *builder) zero() value { return t.known([16]byte{}) }

// splat returns a value whose lanes of some bytes are all equal to a number.
func (t *builder) splat(bytes int, n uint64) value {
	var data [16]byte
	for i := range data {
		data[i] = byte(n >> (8 * (i % bytes)))
	}
	return t.known(data)
}

// half returns the number of a half of a vector register.
func half(r amd64.Reg, upper int) int { return r.Num() + 16*upper }

// width returns the bytes of a vector register that an instruction accesses.
func width(r amd64.Reg) int { return r.Class().Bytes() }

// get returns the halves of a vector register, one for registers of 16 bytes.
func (t *builder) get(r amd64.Reg) []value {
	if width(r) == 16 {
		return []value{t.halves[half(r, 0)]}
	}
	return []value{t.halves[half(r, 0)], t.halves[half(r, 1)]}
}

// set sets a vector register. The upper half is 0 if there is one half.
func (t *builder) set(r amd64.Reg, v ...value) {
	t.halves[half(r, 0)] = v[0]
	if len(v) == 1 {
		t.halves[half(r, 1)] = t.zero()
	} else {
		t.halves[half(r, 1)] = v[1]
	}
}

// lowOf returns a value that has the lowest bytes of another, and is computed by fewer instructions.
func (t *builder) lowOf(v value, bytes int) value {
	if l, ok := t.lows[v]; ok && l.bytes >= bytes {
		return l.v
	}
	if l, ok := t.scalars[v]; ok && l.bytes >= bytes {
		return l.v
	}
	return v
}
