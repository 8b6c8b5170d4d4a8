package autodiff

import (
	"slices"

	"github.com/go-nx/nx/dtype"
	"github.com/go-nx/nx/internal/emit"
	"github.com/go-nx/nx/stablehlo"
)

// nonzero returns a mask of the elements of a cotangent that may differ from zero for some data:
// slices, selects and multiplications by a converted bool make the other elements zero. It returns
// nil if nothing is known.
//
// It is used where a zero must not be multiplied by an infinite factor. A cotangent that is zero in
// the data means less: the one of v in v·log(w)·vᵀ is zero where w is 1, and yet the derivative at
// such a point depends on it.
func (t *transposer) nonzero(ct value) value {
	return t.nonzeroIn(ct, map[value]value{})
}

func (t *transposer) nonzeroIn(x value, seen map[value]value) value {
	m, ok := seen[x]
	if !ok {
		m = t.nonzeroOf(x, seen)
		if at := t.supports[x].path; at != nil {
			m = t.both(m, t.mask(at))
		}
		seen[x] = m
	}
	return m
}

func (t *transposer) nonzeroOf(x value, seen map[value]value) value {
	op := x.Op()
	if op == nil {
		return nil
	}
	of := func(i int) value { return t.nonzeroIn(op.Operands[i], seen) }
	moved := func(m value) value {
		if m == nil {
			return nil
		}
		return t.As(op, []value{m}, emit.TensorOf(x).WithElem(stablehlo.Scalar(dtype.Bool))).Result()
	}
	switch op.Code {
	case stablehlo.OpConstant:
		return t.Compare("NE", x, t.Fill(x, 0))
	case stablehlo.OpNegate, stablehlo.OpReal, stablehlo.OpImag, stablehlo.OpChloConj:
		return of(0)
	case stablehlo.OpConvert:
		if from := op.Operands[0]; emit.DTypeOf(from) == dtype.Bool {
			return from
		}
		return of(0)
	case stablehlo.OpMultiply:
		return t.both(of(0), of(1))
	case stablehlo.OpDivide:
		return of(0)
	case stablehlo.OpAdd, stablehlo.OpSubtract, stablehlo.OpComplex:
		return t.either(of(0), of(1))
	case stablehlo.OpSelect:
		pred, a, b := t.Like(op.Operands[0], x), of(1), of(2)
		switch {
		case a == nil && b == nil:
			return nil
		case a == nil:
			return t.Do(stablehlo.OpOr, pred, b)
		case b == nil:
			return t.Do(stablehlo.OpOr, t.Do(stablehlo.OpNot, pred), a)
		}
		return t.Select(pred, a, b)
	case stablehlo.OpBroadcastInDim, stablehlo.OpReshape, stablehlo.OpTranspose, stablehlo.OpSlice, stablehlo.OpReverse:
		return moved(of(0))
	case stablehlo.OpPad:
		if !isZeros(op.Operands[1]) {
			return nil
		}
		inner := of(0)
		if inner == nil {
			inner = t.everywhere(op.Operands[0])
		}
		return t.PadWith(inner, t.Scalar(dtype.Bool, 0), op.Ints("edge_padding_low"), op.Ints("edge_padding_high"),
			op.Ints("interior_padding"))
	case stablehlo.OpDynamicUpdateSlice:
		old, update := of(0), of(1)
		if old == nil {
			return nil
		}
		if update == nil {
			update = t.everywhere(op.Operands[1])
		}
		return t.DynamicUpdate(old, update, op.Operands[2:])
	case stablehlo.OpReduce:
		if m := of(0); m != nil && len(op.Operands) == 2 && reducer(op.Regions[0].Block()) == stablehlo.OpAdd {
			return t.Reduce(stablehlo.OpOr, m, t.Scalar(dtype.Bool, 0), op.Ints("dimensions")...)
		}
	}
	return nil
}

// isZeros reports whether x is a constant of positive zeros.
func isZeros(x value) bool {
	if op := x.Op(); op != nil && op.Code == stablehlo.OpConstant {
		a, ok := op.Attr("value").(*stablehlo.ElementsAttr)
		return ok && !slices.ContainsFunc(a.Data, func(b byte) bool { return b != 0 })
	}
	return false
}

// everywhere returns true in the shape of x.
func (e emitter) everywhere(x value) value {
	return e.Full(emit.TensorOf(x).WithElem(stablehlo.Scalar(dtype.Bool)), 1)
}

// both and either combine masks; nil is true everywhere.
func (e emitter) both(x, y value) value {
	switch {
	case x == nil:
		return y
	case y == nil || x == y:
		return x
	}
	return e.Do(stablehlo.OpAnd, x, y)
}

func (e emitter) either(x, y value) value {
	if x == nil || y == nil {
		return nil
	}
	return e.Do(stablehlo.OpOr, x, y)
}
