package simplify

import (
	"slices"

	"github.com/go-nx/nx/internal/emit"
	"github.com/go-nx/nx/internal/lazy"
	"github.com/go-nx/nx/stablehlo"
)

// sizeOperands holds, for the ops with operands that are or determine sizes, the position of the
// first one; the others follow it.
var sizeOperands lazy.Value[map[stablehlo.OpCode]int]

func listSizeOperands() map[stablehlo.OpCode]int {
	return map[stablehlo.OpCode]int{
		stablehlo.OpDynamicIota:           0,
		stablehlo.OpDynamicBroadcastInDim: 1,
		stablehlo.OpDynamicReshape:        1,
		stablehlo.OpRealDynamicSlice:      1,
		stablehlo.OpDynamicPad:            2,
		stablehlo.OpDynamicGather:         2,
		stablehlo.OpDynamicConv:           2,
		stablehlo.OpSetDimensionSize:      1,
		stablehlo.OpRng:                   2,
	}
}

// Specialise returns the module with constants for the arguments of a function on which sizes
// depend, integers known to the caller. Programs that JAX exports with symbolic dimensions have one
// such argument for each. value returns the elements of an argument. A module without operands that
// are sizes is returned unchanged.
func Specialise(m *stablehlo.Module, name string, value func(arg int) []byte,
	checkCancel ...CheckCancel) (*stablehlo.Module, error) {
	if !hasSizes(m) {
		return m, nil
	}
	m = m.Clone()
	f, ok := m.Func(name)
	if !ok || f.IsDeclaration() {
		return m, nil // running it reports the error
	}
	if err := Inline(m, f, checkCancel...); err != nil {
		return nil, err
	}
	Bind(f, value, SizeArguments(f)...)
	DropFuncs(m, name)
	return m, nil
}

// Bind replaces arguments of a function by constants; value returns the elements of an argument.
func Bind(f stablehlo.Func, value func(arg int) []byte, args ...int) {
	if len(args) == 0 {
		return
	}
	known := map[*stablehlo.Value]*stablehlo.Value{}
	e := emit.To(f.Body())
	ops := e.Take()
	for _, i := range args {
		a := f.Args()[i]
		known[a] = e.B.Constant(&stablehlo.ElementsAttr{Type: a.Tensor(), Data: slices.Clone(value(i))})
	}
	for _, op := range ops {
		op.Replace(known)
		e.Append(op)
	}
}

// hasSizes reports whether an op of a module has operands that are sizes.
func hasSizes(m *stablehlo.Module) bool {
	for op := range m.Walk() {
		if _, ok := sizeOperands.Get(listSizeOperands)[op.Code]; ok {
			return true
		}
	}
	return false
}

// SizeArguments returns the arguments of a function without calls, tensors of a few integers, on
// which operands that are sizes depend.
func SizeArguments(f stablehlo.Func) []int {
	seen := map[*stablehlo.Value]bool{}
	var work []*stablehlo.Value
	need := func(vs ...*stablehlo.Value) {
		for _, v := range vs {
			if !seen[v] {
				seen[v] = true
				work = append(work, v)
			}
		}
	}
	for op := range f.Walk() {
		if first, ok := sizeOperands.Get(listSizeOperands)[op.Code]; ok && first < len(op.Operands) {
			need(op.Operands[first:]...)
		}
	}
	for len(work) > 0 {
		v := work[len(work)-1]
		work = work[:len(work)-1]
		op := v.Op()
		if op == nil { // an argument of the function, or of a region
			op = v.Block().Parent()
			if op.Code == stablehlo.OpFunc {
				continue
			}
		}
		if op.Code == stablehlo.OpGetDimensionSize { // depends on the type, not on the elements
			continue
		}
		need(op.Operands...)
		for _, r := range op.Regions {
			need(r.Block().Terminator().Operands...)
		}
	}
	var out []int
	for i, a := range f.Args() {
		t := a.Tensor()
		if t == nil || !seen[a] || !t.IsStatic() || !t.DType().IsInteger() {
			continue
		}
		if n, ok := t.NumElems(); ok && n <= maxSizes {
			out = append(out, i)
		}
	}
	return out
}
