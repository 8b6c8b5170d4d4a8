package portable

import (
	"math"
	"testing"
	"unsafe"

	"github.com/go-nx/nx/internal/cpu/codegen"
	"github.com/go-nx/nx/internal/cpu/kernel"
	"github.com/go-nx/nx/internal/cpu/plan"
)

// TestSkip checks that the side of a select that is not taken is not computed where the condition is one number; values
// with other uses still are.
func TestSkip(t *testing.T) {
	k, err := kernel.Parse(`kernel k [1000]
  over s64[1], f32[1000], f32[1000], f32[1000]
  %0 = load p0[0] : s64
  %1 = const 1 : s64
  %2 = eq %0, %1 : s64 → bool
  %3 = load p1[1] : f32
  %4 = exp %3 : f32
  %5 = exp %4 : f32
  %6 = tanh %3 : f32
  %7 = sin %3 : f32
  %8 = add %7, %6 : f32
  %9 = select %2, %5, %8 : f32
  store p2[1] = %9 : f32
  store p3[1] = %7 : f32
`)
	if err != nil {
		t.Fatal(err)
	}
	calls := map[kernel.Op]int{}
	g := Generator{Function: func(in *kernel.Instr) codegen.Loop {
		f := map[kernel.Op]func(float64) float64{kernel.Exp: math.Exp, kernel.Tanh: math.Tanh,
			kernel.Sin: math.Sin}[in.Op]
		if f == nil {
			return nil
		}
		return func(dst, x unsafe.Pointer, n int) {
			calls[in.Op]++
			to := unsafe.Slice((*float32)(dst), n)
			for i, v := range unsafe.Slice((*float32)(x), n) {
				to[i] = float32(f(float64(v)))
			}
		}
	}}
	code, err := g.Compile(k, plan.Of(k))
	if err != nil {
		t.Fatal(err)
	}
	for _, first := range []int64{0, 1} {
		clear(calls)
		x, y, z := make([]float32, 1000), make([]float32, 1000), make([]float32, 1000)
		for i := range x {
			x[i] = float32(i) / 1000
		}
		at := []unsafe.Pointer{unsafe.Pointer(&first), unsafe.Pointer(&x[0]), unsafe.Pointer(&y[0]),
			unsafe.Pointer(&z[0])}
		for i := plan.Of(k).NumChunks() - 1; i >= 0; i-- {
			code.RunChunk(i, at, nil, nil, g.NewScratch())
		}
		for i, v := range x {
			sin := float32(math.Sin(float64(v)))
			want := sin + float32(math.Tanh(float64(v)))
			if first == 1 {
				want = float32(math.Exp(float64(float32(math.Exp(float64(v))))))
			}
			if y[i] != want || z[i] != sin {
				t.Fatalf("%d: element %d is %g and %g, want %g and %g", first, i, y[i], z[i], want, sin)
			}
		}
		if took, left := calls[kernel.Exp] > 0, calls[kernel.Tanh] > 0; took != (first == 1) || left != (first != 1) {
			t.Errorf("%d: %v", first, calls)
		}
	}
}
