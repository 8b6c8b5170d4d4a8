package library

import (
	"fmt"
	"math"
	"math/bits"

	"github.com/go-nx/nx/dtype"
	"github.com/go-nx/nx/internal/cpu/kernels/random"
	"github.com/go-nx/nx/internal/cpu/rt"
	"github.com/go-nx/nx/stablehlo"
)

// makeRngBitGenerator compiles XLA's two generators; DEFAULT is Philox. Elements of 64 bits take two words of the
// generator, all others the low bits of one.
func makeRngBitGenerator(op *stablehlo.Op) (Func, error) {
	state, result := op.Operands[0].Tensor(), op.Results[1].Tensor()
	n, _ := state.NumElems()
	threefry := op.Str("rng_algorithm") == "THREE_FRY"
	if state.DType() != dtype.U64 || threefry && n != 2 || n != 2 && n != 3 {
		return nil, fmt.Errorf("algorithm %s with a state of type %s is not supported", op.Str("rng_algorithm"), state)
	}
	d := result.DType()
	total, _ := result.NumElems()
	outer, size, inner := stablehlo.PairedDim(result.Dims)
	return func(env *rt.Env, ins, outs [][]byte) error {
		copy(outs[0], ins[0])
		words := rt.View[uint64](outs[0])
		if d.Bits() == 64 {
			if out := rt.View[uint64](outs[1]); threefry {
				random.Threefry64(env, out, (*[2]uint64)(words))
			} else {
				random.Philox(env, out, words)
			}
			return nil
		}
		wide := outs[1]
		if d.Size() < 4 {
			b, err := env.Scratch(4 * int(total))
			if err != nil {
				return err
			}
			defer env.Free(b)
			wide = b
		}
		if out := rt.View[uint32](wide); threefry {
			random.Threefry32(env, out, (*[2]uint64)(words), outer, size, inner)
		} else {
			random.Philox(env, out, words)
		}
		if d.Size() < 4 {
			for i, w := range rt.View[uint32](wide) {
				env.CheckCancelAt(i)
				d.StoreBits(outs[1], i, uint64(w))
			}
		}
		return nil
	}, nil
}

// makeRng compiles rng, which has no state operand: Philox with key 0 and the number of the op's execution as the high
// half of its counter, which makes programs repeatable.
func makeRng(op *stablehlo.Op) (Func, error) {
	d := op.Result().Tensor().DType()
	n, _ := op.Result().Tensor().NumElems()
	normal := op.Str("rng_distribution") == "NORMAL"
	return func(env *rt.Env, ins, outs [][]byte) error {
		env.Session.Draws++
		b, err := env.Scratch(16 * int(n))
		if err != nil {
			return err
		}
		defer env.Free(b)
		w := rt.View[uint64](b)
		random.Philox(env, w, []uint64{0, 0, env.Session.Draws})
		if !d.IsFloat() {
			lo, hi := d.LoadInt(ins[0], 0), d.LoadInt(ins[1], 0)
			for i := range int(n) {
				env.CheckCancelAt(i)
				d.StoreInt(outs[0], i, uniformInt(d, lo, hi, w[2*i]))
			}
			return nil
		}
		x, y := d.LoadFloat(ins[0], 0), d.LoadFloat(ins[1], 0)
		for i := range int(n) {
			env.CheckCancelAt(i)
			if normal {
				d.StoreFloat(outs[0], i, x+float64(y*standardNormal(w[2*i], w[2*i+1])))
			} else {
				d.StoreFloat(outs[0], i, uniformFloat(d, x, y, w[2*i]))
			}
		}
		return nil
	}, nil
}

// uniformInt maps random bits to [a, b), or to a if that is empty.
func uniformInt(d dtype.Type, a, b int64, u uint64) int64 {
	if d.IsSigned() && a >= b || !d.IsSigned() && uint64(a) >= uint64(b) {
		return a
	}
	hi, _ := bits.Mul64(u, uint64(b)-uint64(a))
	return a + int64(hi)
}

// uniformFloat maps random bits to [a, b), or to a if that is empty.
func uniformFloat(d dtype.Type, a, b float64, u uint64) float64 {
	if !(a < b) {
		return a
	}
	t := unit(u)
	v := d.Float64(d.FromFloat64(float64(a*(1-t)) + float64(b*t)))
	if v >= b { // by rounding
		v = d.NextAfter(b, a)
	}
	return max(v, a)
}

// unit maps random bits to [0, 1).
func unit(u uint64) float64 { return float64(u>>11) * 0x1p-53 }

// standardNormal maps random bits to a standard normal variate (Box and Muller).
func standardNormal(u, v uint64) float64 {
	return math.Sqrt(-2*math.Log(1-unit(u))) * math.Cos(2*math.Pi*unit(v))
}
