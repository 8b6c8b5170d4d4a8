package library

import (
	"fmt"
	"slices"

	"github.com/go-nx/nx/dtype"
	"github.com/go-nx/nx/internal/cpu/kernels/gemm"
	"github.com/go-nx/nx/internal/cpu/program"
	"github.com/go-nx/nx/internal/cpu/rt"
	"github.com/go-nx/nx/stablehlo"
)

// raggedDim is a dimension of a product with its strides in the operands and in the result, 0 where it is absent.
type raggedDim struct{ size, a, b, c int }

// ragged is a product with one dimension of the left operand split into groups: one GEMM per group.
type ragged struct {
	batch, left, right, sum []raggedDim
	group                   raggedDim // of the groups
	contracting             bool      // the split dimension is in sum, else in left
	at                      int       // its index there
	lead                    []raggedDim
	sizes                   dtype.Type
	multiply                func(env *rt.Env, z, x, y []byte, d [3]layout) error
}

// makeRaggedDot compiles chlo.ragged_dot. Rows or terms after the last group are ignored.
func makeRaggedDot(op *stablehlo.Op) (Func, error) {
	d, ok := op.Attr("ragged_dot_dimension_numbers").(*stablehlo.RaggedDotDims)
	if !ok || len(d.LHSRagged) != 1 || slices.Contains(d.LHSBatching, d.LHSRagged[0]) {
		return nil, fmt.Errorf("ragged_dot dimension numbers must have one ragged dimension that is not a batch dimension")
	}
	x, y, groups, z := op.Operands[0].Tensor(), op.Operands[1].Tensor(), op.Operands[2].Tensor(), op.Result().Tensor()
	r := &ragged{sizes: groups.DType()}
	r.dimensions(d, x, y, z)
	r.group.size = int(groups.Dims[groups.Rank()-1])
	if groups.Rank() > 1 { // groups differ along the dimensions before
		cut := r.left
		if r.contracting {
			cut = r.sum
		}
		r.lead = slices.Concat(r.batch, cut[:r.at])
	}
	types := [3]dtype.Type{x.DType(), y.DType(), z.DType()}
	acc := program.Accumulation(types[0], types[1], types[2])
	switch acc {
	case dtype.F32:
		r.multiply = multiplyPart[float32]
	case dtype.F64:
		r.multiply = multiplyPart[float64]
	case dtype.S32:
		r.multiply = multiplyPart[int32]
	case dtype.S64:
		r.multiply = multiplyPart[int64]
	case dtype.C64:
		r.multiply = multiplyPartComplex[complex64]
	case dtype.C128:
		r.multiply = multiplyPartComplex[complex128]
	}
	return func(env *rt.Env, ins, outs [][]byte) error {
		return withConverted(env, acc, types, ins, outs[0], func(x, y, z []byte) error {
			return r.run(env, z, x, y, ins[2])
		})
	}, nil
}

// dimensions sorts the dimensions by role.
func (r *ragged) dimensions(d *stablehlo.RaggedDotDims, x, y, z *stablehlo.TensorType) {
	xs, ys, zs := strides(x.Dims), strides(y.Dims), strides(z.Dims)
	cut := d.LHSRagged[0]
	r.contracting = slices.Contains(d.LHSContracting, cut)
	next := 0
	if r.contracting {
		r.group.c, next = int(zs[0]), 1
	} else {
		r.group.b = int(ys[d.RHSGroup[0]])
	}
	out := func() int { next++; return int(zs[next-1]) }
	for i, dim := range d.LHSBatching {
		r.batch = append(r.batch, raggedDim{int(x.Dims[dim]), int(xs[dim]), int(ys[d.RHSBatching[i]]), out()})
	}
	for dim, n := range x.Dims {
		at := int64(dim)
		if slices.Contains(d.LHSBatching, at) || slices.Contains(d.LHSContracting, at) {
			continue
		}
		if at == cut {
			r.at = len(r.left)
		}
		r.left = append(r.left, raggedDim{int(n), int(xs[dim]), 0, out()})
	}
	for dim, n := range y.Dims {
		at := int64(dim)
		if slices.Contains(d.RHSBatching, at) || slices.Contains(d.RHSContracting, at) ||
			slices.Contains(d.RHSGroup, at) {
			continue
		}
		r.right = append(r.right, raggedDim{int(n), 0, int(ys[dim]), out()})
	}
	for i, dim := range d.LHSContracting {
		if dim == cut {
			r.at = len(r.sum)
		}
		r.sum = append(r.sum, raggedDim{int(x.Dims[dim]), int(xs[dim]), int(ys[d.RHSContracting[i]]), 0})
	}
}

func (r *ragged) run(env *rt.Env, z, x, y, sizes []byte) error {
	clear(z)
	lead := space{}
	var as, bs, cs []int64
	for _, d := range r.lead {
		lead.dims = append(lead.dims, int64(d.size))
		as, bs, cs = append(as, int64(d.a)), append(bs, int64(d.b)), append(cs, int64(d.c))
	}
	var failed error
	lead.each(func(n int64, at []int64) {
		if failed == nil {
			failed = r.multiplyGroups(env, z, x, y, sizes, int(n), raggedDim{0, int(at[0]), int(at[1]), int(at[2])})
		}
	}, as, bs, cs)
	return failed
}

// multiplyGroups computes the products at one index of the leading dimensions.
func (r *ragged) multiplyGroups(env *rt.Env, z, x, y, sizes []byte, row int, base raggedDim) error {
	batch, left, sum := r.batch, slices.Clone(r.left), slices.Clone(r.sum)
	cut := &left
	if r.contracting {
		cut = &sum
	}
	dim := (*cut)[r.at]
	at := r.at
	if r.lead != nil { // dimensions before the split one are fixed
		batch, *cut, at = nil, (*cut)[r.at:], 0
	}
	start := 0
	for g := range r.group.size {
		n := r.sizes.LoadInt(sizes, row*r.group.size+g)
		if n < 0 {
			return fmt.Errorf("the size of group %d must not be negative, got %d", g, n)
		}
		end := min(start+int(min(n, int64(dim.size))), dim.size)
		(*cut)[at].size = end - start
		if end > start {
			off := raggedDim{0, base.a + start*dim.a, base.b + g*r.group.b + start*dim.b,
				base.c + g*r.group.c + start*dim.c}
			err := r.multiply(env, z, x, y, [3]layout{
				{off.a, inA(batch), inA(left), inA(sum)},
				{off.b, inB(batch), inB(sum), inB(r.right)},
				{off.c, inC(batch), inC(left), inC(r.right)},
			})
			if err != nil {
				return err
			}
		}
		start = end
	}
	return nil
}

func inA(d []raggedDim) gemm.Dims { return dimsOf(d, func(x raggedDim) int { return x.a }) }
func inB(d []raggedDim) gemm.Dims { return dimsOf(d, func(x raggedDim) int { return x.b }) }
func inC(d []raggedDim) gemm.Dims { return dimsOf(d, func(x raggedDim) int { return x.c }) }

func dimsOf(d []raggedDim, stride func(raggedDim) int) gemm.Dims {
	out := make(gemm.Dims, len(d))
	for i, x := range d {
		out[i] = gemm.Dim{Size: x.size, Stride: stride(x)}
	}
	return out
}

func multiplyPart[T float32 | float64 | int32 | int64](env *rt.Env, z, x, y []byte, d [3]layout) error {
	return gemm.MatMul(env, matrix[T](z, d[2]), matrix[T](x, d[0]), matrix[T](y, d[1]))
}

func multiplyPartComplex[T complex64 | complex128](env *rt.Env, z, x, y []byte, d [3]layout) error {
	return gemm.MatMulComplex(env, matrix[T](z, d[2]), matrix[T](x, d[0]), matrix[T](y, d[1]))
}
