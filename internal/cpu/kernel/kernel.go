// Package kernel is the loop-level IR of the CPU compiler: a loop nest over straight-line SSA
// instructions. An instruction computes one element of the iteration space; the code generators
// run it on vectors of them.
//
// A [Kernel] has no lanes, tails or threads: those belong to the code generator. The kernel fixes
// the properties that must not depend on the generator: explicit fused multiply-adds, the rounding of narrow
// types, the order of reductions.
package kernel

import (
	"slices"

	"github.com/go-nx/nx/dtype"
)

// Kernel computes outputs from parameters over an iteration space.
type Kernel struct {
	Name string
	// Dims is the iteration space, outermost first. The last NumReduced
	// dimensions are reduced when Reduce is set.
	Dims       []int64
	NumReduced int
	Params     []Param // the buffers
	// Flush allows subnormal numbers, as operands and results of arithmetic on F32 and F64, to
	// count as 0. The portable tier keeps them.
	Flush   bool
	Body    Body
	Stores  []Store     // element-wise outputs, over all of Dims
	Reduces []Reduction // reductions over the last NumReduced dimensions
}

// Param is a buffer that a kernel reads or writes: its element type and number of elements. The
// accesses of the kernel are inside it.
type Param struct {
	Type  dtype.Type
	Elems int64
}

// Body is a list of instructions in SSA form: a Value is an index into it.
type Body struct {
	Instrs []Instr
}

// Value names the result of an instruction.
type Value int32

// None is the absent operand.
const None Value = -1

// Instr is one instruction. It fills a register of type Bool, S8…S64, U8…U64, F32, F64, C64 or
// C128. Narrower elements live in the next wider register and are brought back into their range by
// [Round].
type Instr struct {
	Op Op
	// Type is the element type of the result. It is a register's type, except for ops whose meaning
	// depends on a narrower one: [Load], [Round], bit counts, …
	Type dtype.Type
	Args [3]Value
	From dtype.Type // of the operands, if it is not the type of the result's register
	Bits [2]uint64  // of a Const; two words for C128
	Arg  int        // number of an Arg
	Func string     // of Call and Call2
	At   *Access    // of Load and Index

	ExponentBits, MantissaBits int // of ReducePrecision
}

// Register returns the type of the register that the instruction fills.
//
//go:noinline
func (in *Instr) Register() dtype.Type { return Register(in.Type) }

// Store writes Value to memory as elements of type Type, rounded to it.
type Store struct {
	Value Value
	Type  dtype.Type
	At    Access
}

// Reduction reduces Values over the reduced dimensions, starting from Inits, and writes each result
// over the remaining dimensions. Combine has the accumulators as Arg 0…n-1 and the next elements as
// Arg n…2n-1; it must be associative. Package plan fixes the order.
type Reduction struct {
	Values    []Value
	Types     []dtype.Type // element types of the results in memory
	Inits     []Access     // rank-0 parameters (all strides 0)
	Combine   Body
	Results   []Value   // values of Combine
	Kind      Op        // the operation of a reduction whose body is that of ReduceBy; else Invalid
	ArgMinMax ArgMinMax // as ArgMinMaxOf finds in the body; zero for other reductions
	At        []Access  // over Dims without the reduced ones
}

// Accesses calls visit for all memory accesses of the kernel, with their element type and the
// dimensions that they range over.
func (k *Kernel) Accesses(visit func(a *Access, t dtype.Type, dims []int64)) {
	for i := range k.Body.Instrs {
		if in := &k.Body.Instrs[i]; in.Op == Load {
			visit(in.At, in.Type, k.Dims)
		}
	}
	for i := range k.Stores {
		visit(&k.Stores[i].At, k.Stores[i].Type, k.Dims)
	}
	for i := range k.Reduces {
		r := &k.Reduces[i]
		for j := range r.Inits {
			visit(&r.Inits[j], r.Types[j], nil)
		}
		for j := range r.At {
			visit(&r.At[j], r.Types[j], k.Dims[:len(k.Dims)-k.NumReduced])
		}
	}
}

// Clone returns a copy of the kernel with its own parameters and accesses.
func (k *Kernel) Clone() *Kernel {
	c := *k
	c.Params, c.Stores, c.Reduces = slices.Clone(k.Params), slices.Clone(k.Stores), slices.Clone(k.Reduces)
	c.Body.Instrs = slices.Clone(k.Body.Instrs)
	for i := range c.Body.Instrs {
		if in := &c.Body.Instrs[i]; in.At != nil {
			at := *in.At
			in.At = &at
		}
	}
	for i := range c.Reduces {
		r := &c.Reduces[i]
		r.Inits, r.At = slices.Clone(r.Inits), slices.Clone(r.At)
	}
	return &c
}

// NumParams returns the number of parameters that the accesses use.
func (k *Kernel) NumParams() int {
	n := 0
	k.Accesses(func(a *Access, _ dtype.Type, _ []int64) { n = max(n, a.Param+1) })
	return n
}

// NumElems returns the number of points of the iteration space.
func (k *Kernel) NumElems() int64 {
	n := int64(1)
	for _, d := range k.Dims {
		n *= d
	}
	return n
}

// Add appends an instruction and returns its value.
//
//go:noinline
func (b *Body) Add(in Instr) Value {
	if b.Instrs == nil {
		b.Instrs = make([]Instr, 0, 12) // enough for most kernels
	}
	b.Instrs = append(b.Instrs, in)
	return Value(len(b.Instrs) - 1)
}

// Register returns the register type that holds elements of type t.
//
//go:noinline
func Register(t dtype.Type) dtype.Type {
	switch t {
	case dtype.S2, dtype.S4:
		return dtype.S8
	case dtype.U2, dtype.U4:
		return dtype.U8
	}
	if t.IsFloat() && t != dtype.F64 {
		return dtype.F32
	}
	return t
}

// NeedsRound reports whether elements of type t live in a wider register.
func NeedsRound(t dtype.Type) bool { return Register(t) != t }

// Replaces reports whether output q of the kernel may share the memory of parameter p: every point
// reads from p at most the element that it writes, and writes it after all its reads. A value that
// is stored or reduced as it was loaded is read after earlier stores; an argmax may read an element
// twice. Kernels of more than maxReplacing outputs replace no parameter: callers query each pair of
// output and parameter.
func (k *Kernel) Replaces(p, q int) bool {
	if !k.MayReplace() {
		return false
	}
	var to *Store
	for i := range k.Stores {
		st := &k.Stores[i]
		switch {
		case !st.At.IsAffine() || st.At.Param == p || st.At.Param == q && to != nil:
			return false
		case st.At.Param == q:
			to = st
		case k.loads(st.Value, p):
			return false
		}
	}
	if to == nil || slices.ContainsFunc(k.Reduces, func(r Reduction) bool { return !k.reductionDoesNotAlias(&r, p) }) {
		return false
	}
	for i := range k.Body.Instrs {
		in := &k.Body.Instrs[i]
		if in.Op == Load && in.At.Param == p &&
			(!in.At.IsAffine() || in.Type.Size() != to.Type.Size() || !k.sameElement(in.At, &to.At)) {
			return false
		}
	}
	return true
}

// reductionDoesNotAlias reports whether stores into the memory of parameter p cannot change the
// operand of a reduction (a write-after-read hazard): the operand is in registers before the
// stores, and no instruction makes the kernel run again on a slow path.
func (k *Kernel) reductionDoesNotAlias(r *Reduction, p int) bool {
	if r.Kind == Invalid || len(r.Values) != 1 || r.Inits[0].Param == p || r.At[0].Param == p {
		return false
	}
	v := r.Values[0]
	if in := &k.Body.Instrs[v]; in.Op == Mul && in.Args[0] == in.Args[1] { // the portable tier squares while it reduces
		x := &k.Body.Instrs[in.Args[0]]
		if slices.ContainsFunc(x.Operands(), func(v Value) bool { return k.loads(k.unchanged(v), p) }) {
			return false
		}
	}
	return !k.loads(v, p) && !slices.ContainsFunc(k.Body.Instrs, func(in Instr) bool { return in.MayBailOut() })
}

// MayReplace reports whether an output could share the memory of a parameter: results of reductions
// cannot.
func (k *Kernel) MayReplace() bool { return len(k.Stores) > 0 && len(k.Stores) <= maxReplacing }

// loads reports whether a value is an element of parameter p.
func (k *Kernel) loads(v Value, p int) bool {
	in := &k.Body.Instrs[v]
	return in.Op == Load && in.At.Param == p
}

// unchanged returns the value before conversions of v that may have kept all bits.
func (k *Kernel) unchanged(v Value) Value {
	for k.Body.Instrs[v].Op == Bitcast || k.Body.Instrs[v].Op == Convert {
		v = k.Body.Instrs[v].Args[0]
	}
	return v
}

// sameElement reports whether two accesses map every point to the same element, and no two points
// to one.
func (k *Kernel) sameElement(a, b *Access) bool {
	if a.Offset != b.Offset {
		return false
	}
	for d, n := range k.Dims {
		if n > 1 && (a.Strides[d] != b.Strides[d] || a.Strides[d] == 0) {
			return false
		}
	}
	return true
}
