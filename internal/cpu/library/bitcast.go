package library

import (
	"github.com/go-nx/nx/dtype"
	"github.com/go-nx/nx/internal/cpu/rt"
	"github.com/go-nx/nx/stablehlo"
)

// makeBitcast compiles bitcast_convert between widths: it repacks the bits of the elements, with the first element and
// the real part lowest.
func makeBitcast(op *stablehlo.Op) (Func, error) {
	from, to := op.Operands[0].Tensor().DType(), op.Result().Tensor().DType()
	n, _ := op.Operands[0].Tensor().NumElems()
	return func(_ *rt.Env, ins, outs [][]byte) error {
		if from.Bits()%8 == 0 && to.Bits()%8 == 0 {
			copy(outs[0], ins[0]) // elements have no padding
			return nil
		}
		repack(outs[0], to, ins[0], from, int(n))
		return nil
	}, nil
}

// repack moves bits between types of which one has less than eight.
func repack(dst []byte, to dtype.Type, src []byte, from dtype.Type, n int) {
	var acc uint64 // pending bits, first lowest
	have, next := 0, 0
	for i := range n {
		acc |= from.LoadBits(src, i) << have
		for have += from.Bits(); have >= to.Bits(); have -= to.Bits() {
			to.StoreBits(dst, next, acc)
			acc >>= to.Bits()
			next++
		}
	}
}
