package portable

import (
	"math/bits"
	"testing"
	"unsafe"

	"github.com/go-nx/nx/dtype"
	"github.com/go-nx/nx/internal/cpu/kernel"
	"github.com/go-nx/nx/internal/cpu/plan"
)

// joinedShifts returns the kernel y = x<<up | x>>down.
func joinedShifts(n int64, up, down uint64, downFirst bool) *kernel.Kernel {
	k := &kernel.Kernel{Name: "joined", Dims: []int64{n}}
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
				k := joinedShifts(int64(len(x)), c.up, c.down, downFirst)
				last := len(k.Body.Instrs) - 1
				if joined := join(k)[last].join != nil; joined != c.rotates {
					t.Errorf("the shifts are joined: %v", joined)
				}
				v, err := compile(k, plan.Of(k))
				if err != nil {
					t.Fatal(err)
				}
				y := make([]uint32, len(x))
				v.RunElems(len(x), []unsafe.Pointer{unsafe.Pointer(&x[0]), unsafe.Pointer(&y[0])}, &Scratch{})
				for i, e := range x {
					if want := e<<c.up | e>>c.down; y[i] != want || c.rotates && want != bits.RotateLeft32(e, int(c.up)) {
						t.Fatalf("%#x becomes %#x, want %#x", e, y[i], want)
					}
				}
			}
		})
	}
}
