package fourier_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"unsafe"

	"github.com/go-nx/nx/internal/cpu/codegen/amd64/codetest"
	"github.com/go-nx/nx/internal/cpu/codegen/amd64/fourier"
	"github.com/go-nx/nx/internal/cpu/codegen/amd64/target"
	"github.com/go-nx/nx/internal/cpu/kernels/fft"
	"github.com/go-nx/nx/internal/cpu/rt"
	"github.com/go-nx/nx/internal/testkit/guard"
)

// fourierTests returns environments for each width in the emulator, and for each that the processor supports.
func fourierTests(t *testing.T) map[string]*rt.Env {
	return codetest.OnWidths(t, func(w target.Width) *rt.Env {
		return &rt.Env{Fourier: fourier.Emulated(w,
			func(text []byte, args unsafe.Pointer, all []byte, operands [][]byte) {
				if err := codetest.EmulateCode(text, args, append(operands, all)...); err != nil {
					t.Error(err)
				}
			})}
	}, func(w target.Width) *rt.Env {
		return &rt.Env{Fourier: fourier.Steps(w)}
	})
}

// TestFourierLengths transforms lines of all lengths from 1 to 130, and long ones, forward and inverse, between guard
// pages: the result has the bits of plain Go.
func TestFourierLengths(t *testing.T) {
	for name, env := range fourierTests(t) {
		t.Run(name, func(t *testing.T) {
			r := rand.New(rand.NewPCG(5, 6))
			operands := [2]*guard.Region{guard.NewRegion(t, 1<<20), guard.NewRegion(t, 1<<20)}
			emulated := strings.HasPrefix(name, "emulated")
			for n := 1; n <= 130; n++ {
				if !emulated || n < 17 || n%11 == 0 {
					fourierLines(t, env, r, operands, 1+r.IntN(9), n, 1)
					fourierLines(t, env, r, operands, 1+r.IntN(2), n, 1+r.IntN(20))
				}
			}
			if emulated {
				x := make([]complex64, 1<<14)
				x[1] = 1
				transformBoth(t, env, operands, x, [3]int{1, 1 << 14, 1}, false, guard.AtEnd)
				return
			}
			for _, n := range []int{1000, 1009, 1024, 4000, 1 << 14, 16411, 40000} {
				fourierLines(t, env, r, operands, 1, n, 1)
			}
			fourierLines(t, env, r, operands, 1, 1<<14, 3)
		})
	}
}

// fourierLines transforms lines with the environment and with plain Go.
func fourierLines(t *testing.T, env *rt.Env, r *rand.Rand, operands [2]*guard.Region, outer, n, inner int) {
	t.Helper()
	x := make([]complex128, outer*n*inner)
	single := make([]complex64, len(x))
	special := r.IntN(4) == 0
	for i := range x {
		x[i] = complex(r.NormFloat64(), r.NormFloat64())
		if special {
			x[i] = complex(codetest.Number[float64](r), codetest.Number[float64](r))
		}
		single[i] = complex64(x[i])
	}
	for _, inverse := range []bool{false, true} {
		transformBoth(t, env, operands, x, [3]int{outer, n, inner}, inverse, guard.Edges[r.IntN(2)])
		transformBoth(t, env, operands, single, [3]int{outer, n, inner}, inverse, guard.Edges[r.IntN(2)])
	}
}

// transformBoth transforms lines of one type.
func transformBoth[Z complex64 | complex128](t *testing.T, env *rt.Env, operands [2]*guard.Region, x []Z, dims [3]int,
	inverse bool, edge guard.Edge) {
	t.Helper()
	what := fmt.Sprintf("%T, %v, inverse %v, %s", x, dims, inverse, edge)
	f, want := fft.NewPlan(nil, dims[1]), make([]Z, len(x))
	if err := fft.TransformLines(nil, f, want, x, dims[0], dims[2], inverse); err != nil {
		t.Fatal(err)
	}
	src, dst := guard.Copy(operands[0], x, edge), guard.Copy(operands[1], make([]Z, len(x)), edge)
	fault := guard.Run(func() {
		if err := fft.TransformLines(env, f, dst, src, dims[0], dims[2], inverse); err != nil {
			t.Fatal(err)
		}
	})
	if fault != nil {
		t.Fatalf("%s: %v", what, fault)
	}
	for i, o := range operands {
		if err := o.Check(); err != nil {
			t.Fatalf("%s: operand %d: %v", what, i, err)
		}
	}
	if !bytes.Equal(rt.Bytes(dst), rt.Bytes(want)) {
		codetest.SameElements(t, what, dst, want)
	}
}

// TestFourierCode checks all code.
func TestFourierCode(t *testing.T) {
	codetest.CheckCodes(t, fourier.Codes, map[target.Width]int{target.V256: 26, target.V512: 39})
}
