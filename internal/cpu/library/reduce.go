package library

import (
	"slices"
	"unsafe"

	"github.com/go-nx/nx/internal/cpu/codegen"
	"github.com/go-nx/nx/internal/cpu/program"
	"github.com/go-nx/nx/internal/cpu/rt"
)

// makeReduce compiles reductions whose region uses values from outside, which kernels do not support. The elements of a
// result are combined in pairs of neighbours until one is left, result by result; then the initial value is combined
// from the left.
func makeReduce(call *program.Call, bodies []*codegen.Body) (Func, error) {
	op := call.Op
	n := len(op.Operands) / 2
	in := op.Operands[0].Tensor()
	f := &reduceTask{body: bodies[0], n: n, count: 1, kept: space{}, reduced: space{}}
	f.total = 1
	for d, s := range strides(in.Dims) {
		if slices.Contains(op.Ints("dimensions"), int64(d)) {
			f.reduced.dims = append(f.reduced.dims, in.Dims[d])
			f.reducedStrides = append(f.reducedStrides, s)
			f.count *= in.Dims[d]
		} else {
			f.kept.dims = append(f.kept.dims, in.Dims[d])
			f.keptStrides = append(f.keptStrides, s)
			f.total *= in.Dims[d]
		}
	}
	for i := range n {
		f.size = append(f.size, op.Operands[i].Tensor().DType().Size())
	}
	return func(env *rt.Env, ins, outs [][]byte) error {
		run := *f
		run.env, run.ins, run.outs = env, ins, outs
		run.offsets = make([]int64, 0, f.total)
		f.kept.each(func(_ int64, at []int64) { run.offsets = append(run.offsets, at[0]) }, f.keptStrides)
		env.Run(len(run.offsets), &run)
		return nil
	}, nil
}

type reduceTask struct {
	env            *rt.Env
	body           *codegen.Body
	n              int
	size           []int
	kept, reduced  space
	keptStrides    []int64
	reducedStrides []int64
	count, total   int64 // elements of a result, results
	ins, outs      [][]byte
	offsets        []int64 // of the first element of each result
}

// Do computes one result.
func (f *reduceTask) Do(_ rt.Worker, out int) {
	c := f.body.Begin(f.ins)
	defer c.End()
	left, right, list := make([][]byte, f.n), make([][]byte, f.n), make([][]byte, f.n)
	for i, size := range f.size {
		list[i] = make([]byte, 0, int(f.count)*size)
		f.reduced.each(func(k int64, at []int64) {
			f.env.CheckCancelAt(int(k))
			e := int(f.offsets[out]+at[0]) * size
			list[i] = append(list[i], f.ins[i][e:e+size]...)
		}, f.reducedStrides)
		half := make([]byte, 2*((int(f.count)+1)/2+1)*size)
		left[i], right[i] = half[:len(half)/2], half[len(half)/2:]
	}
	for n := int(f.count); n > 1; n = (n + 1) / 2 {
		half := n / 2
		for i, size := range f.size {
			for k := range half {
				f.env.CheckCancelAt(k)
				copy(left[i][k*size:][:size], list[i][2*k*size:])
				copy(right[i][k*size:][:size], list[i][(2*k+1)*size:])
			}
			if n%2 == 1 {
				copy(list[i][half*size:][:size], list[i][(n-1)*size:])
			}
		}
		for first := 0; first < half; first += vectorElems { // short vectors, with checks for cancellation
			f.env.CheckCancel()
			for i, size := range f.size {
				c.Arg(i, addr(left[i], int64(first), size))
				c.Arg(f.n+i, addr(right[i], int64(first), size))
				c.Result(i, addr(list[i], int64(first), size))
			}
			c.Apply(min(half-first, vectorElems))
		}
	}
	for i, size := range f.size {
		c.Arg(i, unsafe.Pointer(unsafe.SliceData(f.ins[f.n+i])))
		c.Arg(f.n+i, unsafe.Pointer(unsafe.SliceData(list[i])))
		c.Result(i, addr(f.outs[i], int64(out), size))
		if f.count == 0 {
			copy(f.outs[i][out*size:][:size], f.ins[f.n+i])
		}
	}
	if f.count > 0 {
		c.Apply(1)
	}
}
