package radix_test

import (
	"bytes"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
	"unsafe"

	"github.com/go-nx/nx/internal/cpu/codegen/amd64/codetest"
	"github.com/go-nx/nx/internal/cpu/codegen/amd64/radix"
	"github.com/go-nx/nx/internal/cpu/codegen/amd64/target"
	"github.com/go-nx/nx/internal/cpu/kernels/order"
	"github.com/go-nx/nx/internal/cpu/rt"
	"github.com/go-nx/nx/internal/testkit/guard"
)

// sortTests returns environments that sort in the emulator and, if it supports the code, on the processor.
func sortTests(t *testing.T) map[string]*rt.Env {
	emulated := radix.Emulated(func(text []byte, args unsafe.Pointer, all []byte, operands [][]byte) {
		if err := codetest.EmulateCode(text, args, append(operands, all)...); err != nil {
			t.Error(err)
		}
	})
	out := map[string]*rt.Env{"emulated": {Sorts: emulated}}
	if w := codetest.Widths(t); len(w) > 0 {
		out["processor"] = &rt.Env{Sorts: radix.Steps()}
	}
	return out
}

// TestSortLines sorts lines of all lengths from 60 to 140 and long ones, between guard pages, in every order: the
// result has the bits of plain Go. The numbers are few distinct ones, special ones, or random bits.
func TestSortLines(t *testing.T) {
	for name, env := range sortTests(t) {
		t.Run(name, func(t *testing.T) {
			r := rand.New(rand.NewPCG(5, 6))
			regions := [2]*guard.Region{guard.NewRegion(t, 1<<20), guard.NewRegion(t, 1<<20)}
			lengths := []int{5000}
			if name != "emulated" {
				lengths = append(lengths, 70_000, 100_001)
			}
			for n := 60; n <= 140; n++ {
				lengths = append(lengths, n)
			}
			for i, n := range lengths {
				numbers := make([]uint64, n)
				for j := range numbers {
					switch i % 3 {
					case 0:
						numbers[j] = r.Uint64()
					case 1:
						numbers[j] = math.Float64bits(float64(r.IntN(9) - 4))
					default:
						numbers[j] = []uint64{0, 1 << 63, 1<<63 | 1<<31, 0x7ff8_0000_7fc0_0000, 0xfff0_0001_ffff_ffff,
							0x7ff0_0000_7f80_0000, 0xfff0_0000_ff80_0000, r.Uint64()}[r.IntN(8)]
					}
				}
				kind, descending := order.Kind(i/3%4), i%2 == 1
				sortBoth(t, env, regions, numbers, order.Order[uint64]{Kind: kind, Descending: descending,
					Infinity: math.Float64bits(math.Inf(1))})
				singles := make([]uint32, n)
				for j, x := range numbers {
					singles[j] = uint32(x)
				}
				sortBoth(t, env, regions, singles, order.Order[uint32]{Kind: kind, Descending: descending,
					Infinity: math.Float32bits(float32(math.Inf(1)))})
			}
		})
	}
}

// sortBoth sorts a line, with and without indices, by the environment and by plain Go.
func sortBoth[T uint32 | uint64](t *testing.T, env *rt.Env, regions [2]*guard.Region, line []T,
	o order.Order[T]) {
	t.Helper()
	n := len(line)
	numbers := make([]uint32, n)
	for i := range numbers {
		numbers[i] = uint32(i)
	}
	for _, keysOnly := range []bool{true, false} {
		sorted := func(env *rt.Env, dst, src []T, moved []uint32) {
			operands := []order.Operand{order.Key(dst, src, o)}
			if !keysOnly {
				operands = append(operands, order.Payload(moved, numbers))
			}
			if err := order.Sort(env, operands, 1, 1, n, 1); err != nil {
				t.Fatal(err)
			}
		}
		want, wantMoved, moved := make([]T, n), make([]uint32, n), make([]uint32, n)
		sorted(nil, want, line, wantMoved)
		edge := guard.Edges[n%2]
		src, dst := guard.Copy(regions[0], line, edge), guard.Copy(regions[1], make([]T, n), edge)
		what := fmt.Sprintf("%d of %T, kind %d, descending %v, keys only %v", n, line[0], o.Kind, o.Descending,
			keysOnly)
		if fault := guard.Run(func() { sorted(env, dst, src, moved) }); fault != nil {
			t.Fatalf("%s: %v", what, fault)
		}
		for i, r := range regions {
			if err := r.Check(); err != nil {
				t.Fatalf("%s: operand %d: %v", what, i, err)
			}
		}
		if !bytes.Equal(rt.Bytes(dst), rt.Bytes(want)) || !bytes.Equal(rt.Bytes(moved), rt.Bytes(wantMoved)) {
			t.Fatalf("%s: the bits of plain Go differ", what)
		}
	}
}

// TestSortCode checks all code.
func TestSortCode(t *testing.T) {
	codetest.CheckCodes(t, func(target.Width) (map[string][]byte, error) { return radix.Codes() },
		map[target.Width]int{target.V256: 10})
}
