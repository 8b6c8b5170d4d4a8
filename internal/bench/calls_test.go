package bench

import (
	"fmt"
	"testing"

	"github.com/go-nx/nx"
)

// BenchmarkCompileCalls compiles transformers whose layers are calls of one compiled function, and
// the same layers written one after the other: "calls=24" is to take far less than 24 times "calls=1".
func BenchmarkCompileCalls(b *testing.B) {
	layer := nx.Jit(func(l block, x nx.Tensor) nx.Tensor { return transformer([]block{l}, x) })
	called := func(p []block, x nx.Tensor) nx.Tensor {
		for _, l := range p {
			x = layer(l, x)
		}
		return x
	}
	for _, n := range []int{1, 24} {
		p, x := transformerOf(n, 2, 16, 32)
		for _, way := range []struct {
			name string
			f    func(p []block, x nx.Tensor) nx.Tensor
		}{{"calls", called}, {"copies", transformer}} {
			b.Run(fmt.Sprintf("%s=%d", way.name, n), func(b *testing.B) {
				b.ReportAllocs()
				for b.Loop() {
					if _, err := nx.Compile(way.f, p, x); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}
