package library

import (
	"fmt"
	"slices"

	"github.com/go-nx/nx/dtype"
	"github.com/go-nx/nx/internal/cpu/codegen"
	"github.com/go-nx/nx/internal/cpu/kernels/conv"
	"github.com/go-nx/nx/internal/cpu/kernels/gemm"
	"github.com/go-nx/nx/internal/cpu/program"
	"github.com/go-nx/nx/internal/cpu/rt"
)

// contraction is the shape of a contraction without windows: its operands and result as batches of matrices.
type contraction struct {
	a, b, c      layout
	in, rhs, out dtype.Type
}

// layout is the layout of batches of matrices in a tensor.
type layout struct {
	offset            int
	batch, rows, cols gemm.Dims
}

func layoutOf(m *program.Matrix) layout {
	return layout{int(m.Offset), kernelDims(m.Batch), kernelDims(m.Rows), kernelDims(m.Cols)}
}

func kernelDims(dims []program.Dim) gemm.Dims {
	out := gemm.Dims{}
	for _, d := range dims {
		out = append(out, gemm.Dim{Size: int(d.Size), Stride: int(d.Stride)})
	}
	return out
}

// Prepare prepares a contraction as a task whose chunks the caller runs.
type Prepare func(env *rt.Env, ins, outs [][]byte) (gemm.PreparedTask, error)

// PrepareContract returns a function that prepares a contraction to run in parallel with others; nil if that is not
// supported.
func PrepareContract(n *program.Contraction, p *program.Program) Prepare {
	if !program.IsPlainGemm(p, n) {
		return nil
	}
	d := contraction{a: layoutOf(&n.Left), b: layoutOf(&n.Right), c: layoutOf(&n.Out)}
	switch n.Acc {
	case dtype.F32:
		return prepareMatMul[float32](&d)
	case dtype.F64:
		return prepareMatMul[float64](&d)
	}
	return nil
}

// RowContract returns the code of a contraction that is a step of a fused row loop.
func RowContract(n *program.Contraction, p *program.Program, steps rt.GemmSteps) gemm.RowContraction {
	switch in, out := p.Buffers[n.Ins[0]].Type.DType(), p.Buffers[n.Outs[0]].Type.DType(); {
	case in == dtype.BF16:
		to := gemm.Conversion{Size: out.Size()}
		if out != dtype.F32 {
			to.Convert, to.ToBF16 = converter(dtype.F32, out), out == dtype.BF16
		}
		from := gemm.Conversion{Size: in.Size(), Convert: converter(in, dtype.F32),
			Widens: narrowOf(in, dtype.F32)}
		return gemm.NewRowsBF16(steps, matrix[float32](nil, layoutOf(&n.Out)),
			matrix[float32](nil, layoutOf(&n.Left)), matrix[float32](nil, layoutOf(&n.Right)), to, from)
	case n.Acc == dtype.F64:
		return rowContract[float64](n, steps)
	}
	return rowContract[float32](n, steps)
}

func rowContract[T float32 | float64](n *program.Contraction, steps rt.GemmSteps) gemm.RowContraction {
	if len(n.Windows) > 0 {
		return conv.NewRows[T](steps, convolutionOf(n))
	}
	return gemm.NewRows(matrix[T](nil, layoutOf(&n.Out)), matrix[T](nil, layoutOf(&n.Left)),
		matrix[T](nil, layoutOf(&n.Right)))
}

func prepareMatMul[T float32 | float64](p *contraction) Prepare {
	return func(env *rt.Env, ins, outs [][]byte) (gemm.PreparedTask, error) {
		return gemm.PrepareMatMul(env, matrix[T](outs[0], p.c), matrix[T](ins[0], p.a), matrix[T](ins[1], p.b))
	}
}

// Contract returns the function of a contraction. Elements are converted to its accumulator type before they are
// multiplied, and back after they are summed. steps are those of the tier of the executions; prologue is the compiled
// prologue of the contraction, or nil.
func Contract(n *program.Contraction, p *program.Program, steps rt.GemmSteps, prologue *codegen.Body) (Func, error) {
	var list []dtype.Type
	for _, b := range slices.Concat(n.Ins, n.Outs) {
		t := p.Buffers[b].Type
		if t.Quant() != nil {
			return nil, fmt.Errorf("cpu: %s: quantised operands are not supported", n.Op.Name())
		}
		list = append(list, t.DType())
	}
	if prologue != nil {
		return withPrologue(n, list[1:], prologue)
	}
	types := [3]dtype.Type(list)
	var f Func
	var err error
	if len(n.Windows) > 0 {
		f, err = makeConvolution(n, types, steps)
	} else {
		d := contraction{layoutOf(&n.Left), layoutOf(&n.Right), layoutOf(&n.Out), types[0], types[1], types[2]}
		f, err = d.compile(n.Acc)
	}
	if err != nil {
		return nil, fmt.Errorf("cpu: %s: %w", n.Op.Name(), err)
	}
	return f, nil
}

// matrix returns a matrix over the elements of a tensor.
//
//go:noinline
func matrix[T any](b []byte, m layout) gemm.Matrix[T] {
	return gemm.Matrix[T]{Data: rt.View[T](b), Offset: m.offset, Batch: m.batch, Rows: m.rows, Cols: m.cols}
}

// compile returns the function of a product with accumulators of type acc, to which other operands are converted.
func (p *contraction) compile(acc dtype.Type) (Func, error) {
	if p.in == p.rhs && p.in == p.out {
		if f := p.matMul(p.in); f != nil {
			return func(env *rt.Env, ins, outs [][]byte) error { return f(env, outs[0], ins[0], ins[1]) }, nil
		}
	}
	if f := p.compileNarrow(acc); f != nil {
		return f, nil
	}
	f := p.matMul(acc)
	if f == nil {
		return nil, fmt.Errorf("accumulation type %s is not supported", acc)
	}
	types := [3]dtype.Type{p.in, p.rhs, p.out}
	return func(env *rt.Env, ins, outs [][]byte) error {
		return withConverted(env, acc, types, ins, outs[0], func(x, y, z []byte) error { return f(env, z, x, y) })
	}, nil
}

// matMul returns a function that computes z = x·y in one type; nil for other types.
func (p *contraction) matMul(t dtype.Type) func(env *rt.Env, z, x, y []byte) error {
	switch t {
	case dtype.F32:
		return multiply[float32](p)
	case dtype.F64:
		return multiply[float64](p)
	case dtype.S32, dtype.U32:
		return multiplyInt32(p) // the wrapped bits are the same
	case dtype.S64, dtype.U64:
		return multiply[int64](p)
	case dtype.C64:
		return multiplyComplex[complex64](p)
	case dtype.C128:
		return multiplyComplex[complex128](p)
	}
	return nil
}

func multiply[T float32 | float64 | int32 | int64](p *contraction) func(env *rt.Env, z, x, y []byte) error {
	return func(env *rt.Env, z, x, y []byte) error {
		return gemm.MatMul(env, matrix[T](z, p.c), matrix[T](x, p.a), matrix[T](y, p.b))
	}
}

// multiplyInt32 is multiply of 32-bit integers: by the tier's step for them, if the matrices fill its tiles.
func multiplyInt32(p *contraction) func(env *rt.Env, z, x, y []byte) error {
	plain := multiply[int32](p)
	rows, cols := p.c.rows.Size(), p.c.cols.Size()
	if rows == 1 || cols == 1 || rows*cols*p.a.cols.Size() < minNarrowWork {
		return plain
	}
	return func(env *rt.Env, z, x, y []byte) error {
		if env == nil || env.Gemm.Int32 == nil {
			return plain(env, z, x, y)
		}
		return gemm.MatMulInt32(env, env.Gemm.Int32, matrix[float32](z, p.c), matrix[float32](x, p.a),
			matrix[float32](y, p.b))
	}
}

func multiplyComplex[T complex64 | complex128](p *contraction) func(env *rt.Env, z, x, y []byte) error {
	return func(env *rt.Env, z, x, y []byte) error {
		return gemm.MatMulComplex(env, matrix[T](z, p.c), matrix[T](x, p.a), matrix[T](y, p.b))
	}
}
