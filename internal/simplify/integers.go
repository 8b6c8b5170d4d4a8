package simplify

import (
	"math/bits"
	"slices"

	"github.com/go-nx/nx/dtype"
	"github.com/go-nx/nx/internal/emit"
	"github.com/go-nx/nx/internal/lazy"
	"github.com/go-nx/nx/stablehlo"
)

// integers evaluates small integer and bool tensors that depend on constants.
type integers struct {
	memo map[*stablehlo.Value][]int64 // nil: not known
}

func newIntegers() *integers { return &integers{memo: map[*stablehlo.Value][]int64{}} }

// of returns the elements of v, as by dtype.LoadInt; ok is false if they are not known.
func (k *integers) of(v *stablehlo.Value) (elems []int64, ok bool) {
	if e, done := k.memo[v]; done {
		return e, e != nil
	}
	// Operands first, without recursion: chains may be long.
	work := []*stablehlo.Value{v}
	for len(work) > 0 {
		x := work[len(work)-1]
		if _, done := k.memo[x]; done {
			work = work[:len(work)-1]
			continue
		}
		waits := false
		if isSmallInt(x) && x.Op() != nil && evaluates(x.Op()) {
			for _, o := range x.Op().Operands {
				if _, done := k.memo[o]; !done {
					work, waits = append(work, o), true
				}
			}
		}
		if !waits {
			k.memo[x] = k.eval(x)
			work = work[:len(work)-1]
		}
	}
	e := k.memo[v]
	return e, e != nil
}

// copy records for a value the elements of another, if they are known.
func (k *integers) copy(to, from *stablehlo.Value) {
	if e, ok := k.of(from); ok {
		k.memo[to] = e
	}
}

// elemRef is an element of a value plus a constant; without a value it is the constant.
type elemRef struct {
	of   *stablehlo.Value
	at   int
	plus int64
}

// elemRef traces element i of a list back through additions of constants and ops that assemble
// lists.
func (k *integers) elemRef(v *stablehlo.Value, i int) elemRef {
	plus := int64(0)
	for {
		if e, ok := k.of(v); ok && i < len(e) {
			return elemRef{plus: plus + e[i]}
		}
		op := v.Op()
		if op == nil {
			return elemRef{v, i, plus}
		}
		switch op.Code {
		case stablehlo.OpReshape:
			v = op.Operands[0]
			continue
		case stablehlo.OpConcatenate:
			if v.Tensor().Rank() != 1 {
				break
			}
			part := 0
			for n := op.Operands[0].Tensor().Dims[0]; n != stablehlo.Dynamic &&
				int64(i) >= n; n = op.Operands[part].Tensor().Dims[0] {
				i -= int(n)
				part++
			}
			v = op.Operands[part]
			continue
		case stablehlo.OpAdd, stablehlo.OpSubtract:
			if c, ok := k.of(op.Operands[1]); ok {
				if op.Code == stablehlo.OpSubtract {
					plus -= c[i]
				} else {
					plus += c[i]
				}
				v = op.Operands[0]
				continue
			}
			if c, ok := k.of(op.Operands[0]); ok && op.Code == stablehlo.OpAdd {
				plus += c[i]
				v = op.Operands[1]
				continue
			}
		}
		return elemRef{v, i, plus}
	}
}

func isSmallInt(v *stablehlo.Value) bool {
	t := v.Tensor()
	if t == nil || t.Quant() != nil || !(t.DType().IsInteger() || t.DType() == dtype.Bool) {
		return false
	}
	n, ok := t.NumElems()
	return ok && n <= maxKnown
}

// foldInt computes an element of an op; ok is false if it has no value.
type foldInt func(d dtype.Type, x, y int64) (r int64, ok bool)

var foldInts lazy.Value[map[stablehlo.OpCode]foldInt]

func listFolds() map[stablehlo.OpCode]foldInt {
	return map[stablehlo.OpCode]foldInt{
		stablehlo.OpAdd:      func(_ dtype.Type, x, y int64) (int64, bool) { return x + y, true },
		stablehlo.OpSubtract: func(_ dtype.Type, x, y int64) (int64, bool) { return x - y, true },
		stablehlo.OpMultiply: func(_ dtype.Type, x, y int64) (int64, bool) { return x * y, true },
		stablehlo.OpDivide: func(d dtype.Type, x, y int64) (int64, bool) {
			if y == 0 || x < 0 && !d.IsSigned() {
				return 0, false
			}
			return x / y, true
		},
		stablehlo.OpRemainder: func(d dtype.Type, x, y int64) (int64, bool) {
			if y == 0 || x < 0 && !d.IsSigned() {
				return 0, false
			}
			return x % y, true
		},
		stablehlo.OpMaximum: func(d dtype.Type, x, y int64) (int64, bool) {
			return max(x, y), d.IsSigned() ||
				x >= 0 && y >= 0
		},
		stablehlo.OpMinimum: func(d dtype.Type, x, y int64) (int64, bool) {
			return min(x, y), d.IsSigned() ||
				x >= 0 && y >= 0
		},
		stablehlo.OpAnd:    func(_ dtype.Type, x, y int64) (int64, bool) { return x & y, true },
		stablehlo.OpOr:     func(_ dtype.Type, x, y int64) (int64, bool) { return x | y, true },
		stablehlo.OpXor:    func(_ dtype.Type, x, y int64) (int64, bool) { return x ^ y, true },
		stablehlo.OpNegate: func(_ dtype.Type, x, _ int64) (int64, bool) { return -x, true },
		stablehlo.OpAbs:    func(_ dtype.Type, x, _ int64) (int64, bool) { return max(x, -x), true },
		stablehlo.OpSign: func(_ dtype.Type, x, _ int64) (int64, bool) {
			return x>>63 | int64(uint64(-x)>>63), true
		},
		stablehlo.OpConvert: func(_ dtype.Type, x, _ int64) (int64, bool) { return x, true },
	}
}

// evaluates reports whether eval may use the operands of the op.
func evaluates(op *stablehlo.Op) bool {
	switch op.Code {
	case stablehlo.OpReshape, stablehlo.OpDynamicReshape, stablehlo.OpBroadcastInDim, stablehlo.OpConcatenate,
		stablehlo.OpSlice,
		stablehlo.OpCompare, stablehlo.OpSelect, stablehlo.OpClamp, stablehlo.OpNot, stablehlo.OpReduce:
		return true
	}
	return foldInts.Get(listFolds)[op.Code] != nil
}

// eval computes a value whose operands have been evaluated.
func (k *integers) eval(v *stablehlo.Value) []int64 {
	op := v.Op()
	if op == nil || !isSmallInt(v) || len(op.Results) != 1 {
		return nil
	}
	if a, ok := op.Attr("value").(*stablehlo.ElementsAttr); ok && op.Code == stablehlo.OpConstant {
		return a.Int64s()
	}
	if !evaluates(op) {
		return k.evalShape(op)
	}
	in := make([][]int64, len(op.Operands))
	for i, o := range op.Operands {
		if in[i] = k.memo[o]; in[i] == nil {
			return nil
		}
	}
	t := v.Tensor()
	n, _ := t.NumElems()
	out := make([]int64, n)
	switch op.Code {
	case stablehlo.OpReshape, stablehlo.OpDynamicReshape:
		return in[0]
	case stablehlo.OpBroadcastInDim:
		if len(in[0]) != 1 {
			return nil
		}
		return slices.Repeat(in[0], int(n))
	case stablehlo.OpConcatenate:
		return concatenated(op, in)
	case stablehlo.OpSlice:
		if t.Rank() != 1 {
			return nil
		}
		start, stride := op.Ints("start_indices")[0], op.Ints("strides")[0]
		for i := range out {
			out[i] = in[0][start+int64(i)*stride]
		}
		return out
	case stablehlo.OpReduce:
		return foldReduce(op, in)
	}
	for i := range out {
		e, ok := foldElem(op, in, i)
		if !ok {
			return nil
		}
		out[i] = e
	}
	return out
}

// concatenated concatenates lists as concatenate does: row by row.
func concatenated(op *stablehlo.Op, in [][]int64) (out []int64) {
	rows := int64(1)
	for _, n := range op.Result().Tensor().Dims[:op.Int("dimension", 0)] {
		rows *= n
	}
	for r := range rows {
		for _, x := range in {
			size := int64(len(x)) / rows
			out = append(out, x[r*size:(r+1)*size]...)
		}
	}
	return out
}

// evalShape evaluates ops that only depend on the shapes of operands.
func (k *integers) evalShape(op *stablehlo.Op) []int64 {
	switch op.Code {
	case stablehlo.OpGetDimensionSize:
		if n := op.Operands[0].Tensor().Dims[op.Int("dimension", 0)]; n != stablehlo.Dynamic {
			return []int64{n}
		}
	case stablehlo.OpIota:
		if t := op.Result().Tensor(); t.Rank() == 1 {
			return emit.UpTo(int(t.Dims[0]))
		}
	}
	return nil
}

// foldElem computes element i of an element-wise op.
func foldElem(op *stablehlo.Op, in [][]int64, i int) (int64, bool) {
	at := func(j int) int64 {
		if len(in[j]) == 1 { // the scalar operands of select and clamp
			return in[j][0]
		}
		return in[j][i]
	}
	d := op.Operands[0].Tensor().DType()
	switch op.Code {
	case stablehlo.OpSelect:
		if at(0) != 0 {
			return at(1), true
		}
		return at(2), true
	case stablehlo.OpClamp:
		return min(max(at(1), at(0)), at(2)), d.IsSigned() || at(0) >= 0 && at(1) >= 0 && at(2) >= 0
	case stablehlo.OpNot:
		if d == dtype.Bool {
			return at(0) ^ 1, true
		}
		return wrap(d, ^at(0)), true
	case stablehlo.OpCompare:
		return foldCompare(op.Str("comparison_direction"), d, at(0), at(1))
	}
	y := int64(0)
	if len(in) > 1 {
		y = at(1)
	}
	r, ok := foldInts.Get(listFolds)[op.Code](d, at(0), y)
	return wrap(op.Result().Tensor().DType(), r), ok
}

// wrap wraps a number into the range of a type.
func wrap(d dtype.Type, v int64) int64 {
	var b [8]byte
	d.StoreInt(b[:], 0, v)
	return d.LoadInt(b[:], 0)
}

func foldCompare(direction string, d dtype.Type, x, y int64) (int64, bool) {
	less, equal := x < y, x == y
	if !d.IsSigned() {
		_, borrow := bits.Sub64(uint64(x), uint64(y), 0)
		less = borrow == 1
	}
	var r bool
	switch direction {
	case "EQ":
		r = equal
	case "NE":
		r = !equal
	case "LT":
		r = less
	case "LE":
		r = less || equal
	case "GT":
		r = !less && !equal
	case "GE":
		r = !less
	}
	if r {
		return 1, true
	}
	return 0, true
}

// foldReduce computes a reduction of all elements by one op.
func foldReduce(op *stablehlo.Op, in [][]int64) []int64 {
	b := op.Regions[0].Block()
	if len(in) != 2 || len(b.Ops) != 2 || op.Result().Tensor().Rank() != 0 ||
		foldInts.Get(listFolds)[b.Ops[0].Code] == nil ||
		len(b.Ops[0].Operands) != 2 ||
		b.Ops[0].Operands[0] != b.Args[0] || b.Ops[0].Operands[1] != b.Args[1] ||
		b.Ops[1].Operands[0] != b.Ops[0].Result() {
		return nil
	}
	d := op.Result().Tensor().DType()
	acc := in[1][0]
	for _, x := range in[0] {
		r, ok := foldInts.Get(listFolds)[b.Ops[0].Code](d, acc, x)
		if !ok {
			return nil
		}
		acc = wrap(d, r)
	}
	return []int64{acc}
}
