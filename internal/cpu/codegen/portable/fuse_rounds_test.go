package portable_test

import (
	"math/rand/v2"
	"testing"

	"github.com/go-nx/nx/dtype"
	"github.com/go-nx/nx/internal/cpu/kernel"
)

// mixer writes kernels with the rounds of random number generators.
type mixer struct {
	*kernel.Kernel
	r *rand.Rand
}

func (k mixer) op(op kernel.Op, args ...kernel.Value) kernel.Value {
	in := kernel.Instr{Op: op, Type: dtype.U32}
	copy(in.Args[:], args)
	return k.Body.Add(in)
}

func (k mixer) number(v uint64) kernel.Value {
	return k.Body.Add(kernel.Instr{Op: kernel.Const, Type: dtype.U32, Bits: [2]uint64{v}})
}

func (k mixer) load(p int, strides ...int64) kernel.Value {
	return k.Body.Add(kernel.Instr{Op: kernel.Load, Type: dtype.U32, At: &kernel.Access{Param: p, Strides: strides}})
}

// either returns an operation with its operands in either order.
func (k mixer) either(op kernel.Op, a, b kernel.Value) kernel.Value {
	if k.r.IntN(2) == 0 {
		a, b = b, a
	}
	return k.op(op, a, b)
}

func (k mixer) round(a, b kernel.Value) (s, t kernel.Value) {
	left := 1 + k.r.Uint64N(31)
	s = k.either(kernel.Add, a, b)
	up, down := k.op(kernel.Shl, b, k.number(left)), k.op(kernel.ShrL, b, k.number(32-left))
	return s, k.either(kernel.Xor, s, k.either(kernel.Or, up, down))
}

// Rounds in one fused loop mix words as separate instructions do, whatever lies between them, whatever other uses their
// values have and wherever the keys come from.
func TestRounds(t *testing.T) {
	const rows, cols = 3, 700
	for seed := range uint64(400) {
		r := rand.New(rand.NewPCG(seed, 3))
		k := mixer{&kernel.Kernel{Name: "rounds", Dims: []int64{rows, cols}}, r}
		// Two arrays, a number, one value per row, one per column; then results.
		for _, n := range []int64{rows * cols, rows * cols, 1, rows, cols} {
			k.Params = append(k.Params, kernel.Param{Type: dtype.U32, Elems: n})
		}
		loads := []func() kernel.Value{
			func() kernel.Value { return k.load(0, cols, 1) },
			func() kernel.Value { return k.load(1, cols, 1) },
			func() kernel.Value { return k.load(2, 0, 0) },
			func() kernel.Value { return k.load(3, 1, 0) },
			func() kernel.Value { return k.load(4, 0, 1) },
			func() kernel.Value { return k.number(r.Uint64N(1 << 32)) },
		}
		a, b := loads[0](), loads[1]()
		if r.IntN(4) == 0 {
			a, b = loads[r.IntN(len(loads))](), loads[r.IntN(len(loads))]()
		}
		store := func(v kernel.Value) {
			k.Stores = append(k.Stores, kernel.Store{Value: v, Type: dtype.U32,
				At: kernel.Access{Param: len(k.Params), Strides: []int64{cols, 1}}})
			k.Params = append(k.Params, kernel.Param{Type: dtype.U32, Elems: rows * cols})
		}
		for range 1 + r.IntN(11) {
			a, b = k.round(a, b)
			for r.IntN(6) == 0 {
				a = k.either(kernel.Add, a, loads[r.IntN(len(loads))]())
			}
			for r.IntN(6) == 0 {
				b = k.either(kernel.Add, b, loads[r.IntN(len(loads))]())
			}
			switch r.IntN(12) {
			case 0:
				store(a)
			case 1:
				store(b)
			case 2:
				a, b = b, a
			case 3:
				a = k.op(kernel.Sub, b, a)
			}
		}
		store(a)
		if r.IntN(3) > 0 {
			bits := k.either(kernel.Or, k.op(kernel.ShrL, b, k.number(9)), k.number(0x3f800000))
			k.Stores = append(k.Stores, kernel.Store{
				Value: k.Body.Add(kernel.Instr{Op: kernel.Bitcast, From: dtype.U32, Type: dtype.F32,
					Args: [3]kernel.Value{bits}}), Type: dtype.F32,
				At: kernel.Access{Param: len(k.Params), Strides: []int64{cols, 1}}})
			k.Params = append(k.Params, kernel.Param{Type: dtype.F32, Elems: rows * cols})
		}
		if err := k.Verify(); err != nil {
			t.Fatal(err)
		}
		compare(t, r, k.Kernel)
		if t.Failed() {
			t.Fatalf("seed %d", seed)
		}
	}
}
