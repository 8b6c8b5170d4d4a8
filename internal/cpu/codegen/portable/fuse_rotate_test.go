package portable

import (
	"math/bits"
	"testing"
	"unsafe"

	"github.com/go-nx/nx/dtype"
	"github.com/go-nx/nx/internal/cpu/kernel"
	"github.com/go-nx/nx/internal/cpu/plan"
)

// fusedShifts returns the kernel y = x<<up | x>>down.
func fusedShifts(n int64, up, down uint64, downFirst bool) *kernel.Kernel {
	k := &kernel.Kernel{Name: "fused", Dims: []int64{n}}
	add := func(op kernel.Op, args ...kernel.Value) kernel.Value {
		in := kernel.Instr{Op: op, Type: dtype.U32}
		copy(in.Args[:], args)
		return k.Body.Add(in)
	}
	number := func(v uint64) kernel.Value {
		return k.Body.Add(kernel.Instr{Op: kernel.Const, Type: dtype.U32, Bits: [2]uint64{v}})
	}
	x := k.Body.Add(kernel.Instr{Op: kernel.Load, Type: dtype.U32, At: &kernel.Access{Strides: []int64{1}}})
	a, b := add(kernel.Shl, x, number(up)), add(kernel.ShrL, x, number(down))
	if downFirst {
		a, b = b, a
	}
	k.Stores = []kernel.Store{{Value: add(kernel.Or, a, b), Type: dtype.U32,
		At: kernel.Access{Param: 1, Strides: []int64{1}}}}
	return k
}

func TestRotations(t *testing.T) {
	x := make([]uint32, 1500)
	for i := range x {
		x[i] = uint32(i) * 0x9e3779b9
	}
	for _, c := range []struct {
		name     string
		up, down uint64
		rotates  bool
	}{
		{"by 13", 13, 19, true},
		{"by 0", 0, 32, true},
		{"by 32", 32, 0, true},
		{"too short", 13, 18, false},
		{"too long", 13, 20, false},
		{"the sum wraps around", 40, 1<<64 - 8, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			for _, downFirst := range []bool{false, true} {
				k := fusedShifts(int64(len(x)), c.up, c.down, downFirst)
				last := len(k.Body.Instrs) - 1
				if fused := fusedAt(t, k, kernel.Value(last)); fused != c.rotates {
					t.Errorf("the shifts are fused: %v", fused)
				}
				v, err := Generator{}.compile(k, plan.Of(k))
				if err != nil {
					t.Fatal(err)
				}
				y := make([]uint32, len(x))
				v.RunElems(len(x), []unsafe.Pointer{unsafe.Pointer(&x[0]), unsafe.Pointer(&y[0])}, &Scratch{})
				for i, e := range x {
					if want := e<<c.up | e>>c.down; y[i] != want || c.rotates &&
						want != bits.RotateLeft32(e, int(c.up)) {
						t.Fatalf("%#x becomes %#x, want %#x", e, y[i], want)
					}
				}
			}
		})
	}
}

// fusedAt reports whether value v of a kernel is fused with others.
func fusedAt(t *testing.T, k *kernel.Kernel, v kernel.Value) bool {
	t.Helper()
	c, err := Generator{}.compile(k, plan.Of(k))
	if err != nil {
		t.Fatal(err)
	}
	return c.instrs[v].fused != nil
}

// Twenty rounds with a key after every fourth are five loops. A uniform float made of the bits takes one loop for the
// shift and the exponent bits, none for the bitcast.
func TestRoundsAreFused(t *testing.T) {
	k := &kernel.Kernel{Name: "rounds", Dims: []int64{3000}}
	op := func(op kernel.Op, args ...kernel.Value) kernel.Value {
		in := kernel.Instr{Op: op, Type: dtype.U32}
		copy(in.Args[:], args)
		return k.Body.Add(in)
	}
	number := func(v uint64) kernel.Value {
		return k.Body.Add(kernel.Instr{Op: kernel.Const, Type: dtype.U32, Bits: [2]uint64{v}})
	}
	load := func(p int, stride int64) kernel.Value {
		return k.Body.Add(kernel.Instr{Op: kernel.Load, Type: dtype.U32,
			At: &kernel.Access{Param: p, Strides: []int64{stride}}})
	}
	a, b := load(0, 1), load(1, 1)
	for range 5 {
		for left := range uint64(4) {
			s := op(kernel.Add, a, b)
			a, b = s, op(kernel.Xor, op(kernel.Or, op(kernel.Shl, b, number(left+5)),
				op(kernel.ShrL, b, number(27-left))), s)
		}
		a, b = op(kernel.Add, a, load(2, 0)), op(kernel.Add, op(kernel.Add, b, load(3, 0)), number(1))
	}
	a = op(kernel.Or, op(kernel.ShrL, a, number(9)), number(0x3f800000))
	x := k.Body.Add(kernel.Instr{Op: kernel.Bitcast, From: dtype.U32, Type: dtype.F32, Args: [3]kernel.Value{a}})
	x = k.Body.Add(kernel.Instr{Op: kernel.Sqrt, Type: dtype.F32, Args: [3]kernel.Value{x}})
	k.Stores = []kernel.Store{
		{Value: x, Type: dtype.F32, At: kernel.Access{Param: 4, Strides: []int64{1}}},
		{Value: b, Type: dtype.U32, At: kernel.Access{Param: 5, Strides: []int64{1}}},
	}
	c, err := Generator{}.compile(k, plan.Of(k))
	if err != nil {
		t.Fatal(err)
	}
	// Two loads, the rounds, the shift and the root; the offsets of two stores.
	if n := len(c.tile); n != 2+5+2+2 {
		t.Errorf("%d steps per tile", n)
	}
}

// A squared difference is one loop, a normalisation with weights another.
func TestChainsAreFused(t *testing.T) {
	k := &kernel.Kernel{Name: "normalise", Dims: []int64{4, 3000}}
	load := func(p int, strides ...int64) kernel.Value {
		return k.Body.Add(kernel.Instr{Op: kernel.Load, Type: dtype.F32,
			At: &kernel.Access{Param: p, Strides: strides}})
	}
	op := func(op kernel.Op, a, b kernel.Value) kernel.Value {
		return k.Body.Add(kernel.Instr{Op: op, Type: dtype.F32, Args: [3]kernel.Value{a, b}})
	}
	x, mean, scale, g, b := load(0, 3000, 1), load(1, 1, 0), load(2, 1, 0), load(3, 0, 1), load(4, 0, 1)
	square := op(kernel.Sub, x, mean)
	square = op(kernel.Mul, square, square)
	norm := op(kernel.Add, op(kernel.Mul, op(kernel.Mul, op(kernel.Sub, x, mean), scale), g), b)
	k.Stores = []kernel.Store{
		{Value: square, Type: dtype.F32, At: kernel.Access{Param: 5, Strides: []int64{3000, 1}}},
		{Value: norm, Type: dtype.F32, At: kernel.Access{Param: 6, Strides: []int64{3000, 1}}},
	}
	c, err := Generator{}.compile(k, plan.Of(k))
	if err != nil {
		t.Fatal(err)
	}
	if n := len(c.tile); n != 5+2+2 { // loads, loops, store offsets
		t.Errorf("%d steps per tile", n)
	}
}
