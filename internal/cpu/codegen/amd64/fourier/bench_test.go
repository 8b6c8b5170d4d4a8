package fourier_test

import (
	"fmt"
	"testing"

	"github.com/go-nx/nx/internal/cpu/codegen/amd64/codetest"
	"github.com/go-nx/nx/internal/cpu/codegen/amd64/fourier"
	"github.com/go-nx/nx/internal/cpu/kernels/fft"
	"github.com/go-nx/nx/internal/cpu/rt"
)

// BenchmarkFourier transforms complex64 lines with one worker.
func BenchmarkFourier(b *testing.B) {
	for _, c := range [][2]int{{1, 1 << 20}, {1, 1000000}, {64, 2048}, {1024, 1024}, {16384, 64}, {1000, 1000}} {
		x := make([]complex64, c[0]*c[1])
		for i := range x {
			x[i] = complex(float32(i%7), float32(i%5))
		}
		y := make([]complex64, len(x))
		envs := map[string]*rt.Env{"go": {Buffers: rt.NewBuffers(-1)}}
		for _, w := range codetest.Widths(b) {
			envs[w.String()] = &rt.Env{Buffers: rt.NewBuffers(-1),
				Fourier: fourier.Steps(w)}
		}
		f := fft.NewPlan(nil, c[1])
		for name, env := range envs {
			b.Run(fmt.Sprintf("%s/%dx%d", name, c[0], c[1]), func(b *testing.B) {
				for b.Loop() {
					if err := fft.TransformLines(env, f, y, x, c[0], 1, false); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}
