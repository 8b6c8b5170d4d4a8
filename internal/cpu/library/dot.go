package library

import (
	"fmt"
	"slices"

	"github.com/go-nx/nx/dtype"
	"github.com/go-nx/nx/internal/cpu/kernels"
	"github.com/go-nx/nx/internal/cpu/rt"
	"github.com/go-nx/nx/stablehlo"
)

func init() { makers[stablehlo.OpDotGeneral] = makeDot }

// product is the shape of a dot_general: its operands and result as batches of
// matrices.
type product struct {
	a, b, c      [3]kernels.Dims // batch, rows, columns
	in, rhs, out dtype.Type
}

// makeDot compiles dot_general. Elements are multiplied and summed in the
// accumulation type: f32 for narrower floats, the result's for integers.
func makeDot(op *stablehlo.Op) (Func, error) {
	d := op.Attr("dot_dimension_numbers").(*stablehlo.DotDims)
	a, b, c := op.Operands[0].Tensor(), op.Operands[1].Tensor(), op.Result().Tensor()
	if a.Quant() != nil || b.Quant() != nil || c.Quant() != nil {
		return nil, fmt.Errorf("quantised operands are not supported")
	}
	p := product{in: a.DType(), rhs: b.DType(), out: c.DType()}
	pick := func(t *stablehlo.TensorType, dims []int64) kernels.Dims {
		st := strides(t.Dims)
		out := kernels.Dims{}
		for _, i := range dims {
			out = append(out, kernels.Dim{Size: int(t.Dims[i]), Stride: int(st[i])})
		}
		return out
	}
	free := func(t *stablehlo.TensorType, batch, contract []int64) []int64 {
		var out []int64
		for i := range t.Dims {
			if !slices.Contains(batch, int64(i)) && !slices.Contains(contract, int64(i)) {
				out = append(out, int64(i))
			}
		}
		return out
	}
	fa, fb := free(a, d.LHSBatching, d.LHSContracting), free(b, d.RHSBatching, d.RHSContracting)
	p.a = [3]kernels.Dims{pick(a, d.LHSBatching), pick(a, fa), pick(a, d.LHSContracting)}
	p.b = [3]kernels.Dims{pick(b, d.RHSBatching), pick(b, d.RHSContracting), pick(b, fb)}
	all := make([]int64, c.Rank())
	for i := range all {
		all[i] = int64(i)
	}
	nb, na := len(d.LHSBatching), len(fa)
	p.c = [3]kernels.Dims{pick(c, all[:nb]), pick(c, all[nb:nb+na]), pick(c, all[nb+na:])}
	return p.compile()
}

// matrix returns a matrix over the elements of a tensor.
func matrix[T any](b []byte, d [3]kernels.Dims) kernels.Matrix[T] {
	return kernels.Matrix[T]{Data: rt.View[T](b), Batch: d[0], Rows: d[1], Cols: d[2]}
}

func (p *product) compile() (Func, error) {
	if p.in == p.rhs {
		switch {
		case p.in == p.out:
			switch p.in {
			case dtype.F32:
				return multiply[float32](p), nil
			case dtype.F64:
				return multiply[float64](p), nil
			case dtype.S32, dtype.U32:
				return multiply[int32](p), nil // wraps around to the same bits
			case dtype.S64, dtype.U64:
				return multiply[int64](p), nil
			case dtype.C64:
				return multiplyComplex[complex64](p), nil
			case dtype.C128:
				return multiplyComplex[complex128](p), nil
			}
		}
	}
	return p.converted()
}

func multiply[T float32 | float64 | int32 | int64](p *product) Func {
	return func(env *rt.Env, ins, outs [][]byte) error {
		return kernels.MatMul(env, matrix[T](outs[0], p.c), matrix[T](ins[0], p.a), matrix[T](ins[1], p.b))
	}
}

func multiplyComplex[T complex64 | complex128](p *product) Func {
	return func(env *rt.Env, ins, outs [][]byte) error {
		return kernels.MatMulComplex(env, matrix[T](outs[0], p.c), matrix[T](ins[0], p.a), matrix[T](ins[1], p.b))
	}
}

// converted multiplies operands of other types than the accumulator's.
func (p *product) converted() (Func, error) {
	acc := accumulation(p.in, p.rhs, p.out)
	inner := product{a: p.a, b: p.b, c: p.c, in: acc, rhs: acc, out: acc}
	f, err := inner.compile()
	if err != nil {
		return nil, err
	}
	types := [3]dtype.Type{p.in, p.rhs, p.out}
	return func(env *rt.Env, ins, outs [][]byte) error {
		return converted(env, acc, types, ins, outs[0], func(x, y, z []byte) error { return f(env, [][]byte{x, y}, [][]byte{z}) })
	}, nil
}

// accumulation returns the type in which products are summed.
func accumulation(a, b, out dtype.Type) dtype.Type {
	switch t := dtype.Promote(dtype.Promote(a, b), out); {
	case t.IsComplex() || t == dtype.F64:
		return t
	case t.IsFloat():
		return dtype.F32
	case t.Bits() == 64:
		return dtype.S64
	}
	return dtype.S32
}
