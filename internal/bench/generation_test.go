package bench

import (
	"context"
	"fmt"
	"os"
	"testing"

	"github.com/go-nx/nx"
	"github.com/go-nx/nx/generate"
	"github.com/go-nx/nx/transformers"
)

// BenchmarkGenerate continues a prompt of 32 tokens by 64 with the model in the folder NX_GENERATE, in f32, bf16 and
// with weights of 8 and 4 bits. peers/generation.py makes the folders, and measures other libraries beside it.
func BenchmarkGenerate(b *testing.B) {
	dir := os.Getenv("NX_GENERATE")
	if dir == "" {
		b.Skip("set NX_GENERATE to the folder of a model; internal/bench/peers/generation.py makes some")
	}
	for _, c := range []struct {
		name string
		opt  transformers.Option
	}{
		{"f32", transformers.DType(nx.F32)}, {"bf16", transformers.DType(nx.BF16)},
		{"int8", transformers.Quantize(8)}, {"int4", transformers.Quantize(4)},
	} {
		b.Run(c.name, func(b *testing.B) {
			m, err := transformers.Open(dir, c.opt)
			if err != nil {
				b.Fatal(err)
			}
			g, err := generate.New(m, generate.Capacity(256))
			if err != nil {
				b.Fatal(err)
			}
			prompt := make([]int, 32)
			for i := range prompt {
				prompt[i] = 100 + 37*i
			}
			const tokens = 64
			next := func() {
				list, err := g.Generate(context.Background(), prompt, generate.Options{MaxNewTokens: tokens})
				if err == nil && len(list) != tokens {
					err = fmt.Errorf("%d tokens came", len(list))
				}
				if err != nil {
					b.Fatal(err)
				}
			}
			next() // compiles
			for b.Loop() {
				next()
			}
			b.ReportMetric(tokens*float64(b.N)/b.Elapsed().Seconds(), "tokens/s")
		})
	}
}
