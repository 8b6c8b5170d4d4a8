package library

import (
	"fmt"

	"github.com/go-nx/nx/internal/blocks"
	"github.com/go-nx/nx/internal/cpu/kernels/gemm"
	"github.com/go-nx/nx/internal/cpu/rt"
	"github.com/go-nx/nx/stablehlo"
)

// makeQuantizedDot compiles a product with a quantised matrix, whose floats are never in memory.
func makeQuantizedDot(op *stablehlo.Op) (Func, error) {
	if len(op.Operands) != 3 {
		return nil, fmt.Errorf("%s must have 3 operands, got %d", blocks.QuantizedDot, len(op.Operands))
	}
	x, w, scales := op.Operands[0].Tensor(), op.Operands[1].Tensor(), op.Operands[2].Tensor()
	q, ok := blocks.QuantizedForm(x, w, scales)
	if !ok {
		return nil, fmt.Errorf("the operands of %s do not fit: %v, %v, %v", blocks.QuantizedDot, x, w, scales)
	}
	batch, m, n, k := int(q.Batch), int(q.M), int(q.N), int(q.K)
	dense := func(b []byte, rows, cols int) gemm.Matrix[float32] {
		return gemm.Matrix[float32]{Data: rt.View[float32](b), Rows: gemm.Dims{{Size: rows, Stride: cols}},
			Cols: gemm.Dims{{Size: cols, Stride: 1}}}
	}
	return func(env *rt.Env, ins, outs [][]byte) error {
		part := func(b []byte, i int) []byte { return b[len(b)/batch*i : len(b)/batch*(i+1)] }
		for i := range batch {
			err := gemm.MatMulQuantized(env, dense(part(outs[0], i), m, n), dense(part(ins[0], i), m, k),
				gemm.QuantizedMatrix{Data: part(ins[1], i), Scales: rt.View[float32](part(ins[2], i)), N: n, K: k,
					Group: k / max(int(q.Groups), 1), FourBits: q.FourBits})
			if err != nil {
				return err
			}
		}
		return nil
	}, nil
}
