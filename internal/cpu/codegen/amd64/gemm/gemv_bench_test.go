package gemm_test

import (
	"testing"

	"github.com/go-nx/nx/internal/cpu/codegen/amd64/codetest"
	"github.com/go-nx/nx/internal/cpu/codegen/amd64/gemm"
	"github.com/go-nx/nx/internal/cpu/rt"
)

// BenchmarkGemv has the steps of a product of one row with quantised columns, for 16 columns of 256 elements in the
// first-level cache.
func BenchmarkGemv(b *testing.B) {
	const lines, depth = 16, 256
	w, x, sums := make([]float32, lines*depth), make([]float32, depth), make([]float32, lines)
	q, scales := make([]byte, lines*depth), make([]float32, lines*depth/rt.QuantGroup)
	for _, width := range codetest.Widths(b) {
		steps := gemm.Steps(width, gemm.Features{})
		run := func(name string, f func()) {
			b.Run(name+"/"+width.String(), func(b *testing.B) {
				for b.Loop() {
					f()
				}
				b.ReportMetric(float64(b.N)*lines*depth/b.Elapsed().Seconds()/1e9, "Gelem/s")
			})
		}
		run("dot", func() { steps.F32.Dot(sums, w, depth, x) })
		run("widen", func() { steps.Widen(rt.NarrowS8, w, depth, q, depth, lines, depth) })
		run("dequantize8", func() {
			steps.Dequantize(false, w, depth, q, depth, scales, depth/rt.QuantGroup, lines, depth/rt.QuantGroup)
		})
		run("dequantize4", func() {
			steps.Dequantize(true, w, depth, q, depth/2, scales, depth/rt.QuantGroup, lines, depth/rt.QuantGroup)
		})
	}
}
