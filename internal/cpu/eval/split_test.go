package eval_test

import (
	"bytes"
	"math/rand/v2"
	"testing"

	"github.com/go-nx/nx/internal/cpu/eval"
	"github.com/go-nx/nx/internal/cpu/kernel/random"
	"github.com/go-nx/nx/internal/cpu/plan"
)

// A kernel with a split dimension gives the results of the original kernel.
func TestSplit(t *testing.T) {
	split, guarded, reduced := 0, 0, 0
	for seed := range uint64(800) {
		r := rand.New(rand.NewPCG(seed, 11))
		k := random.Kernel(r, random.Options{MaxPoints: 600, Functions: []string{"chlo.asinh"}})
		params := random.Params(r, k)
		for d, n := range k.Dims[:len(k.Dims)-k.NumReduced] {
			for inner := int64(2); inner < n; inner++ {
				if n%inner != 0 {
					continue
				}
				s := k.Split(d, inner)
				p := plan.Of(k) // of both: the order of the additions
				want, got := clone(params), clone(params)
				if err := eval.Run(k, p, want, eval.Options{}); err != nil {
					t.Fatalf("seed %d: %v", seed, err)
				}
				if err := eval.Run(s, p, got, eval.Options{}); err != nil {
					t.Fatalf("seed %d: %v\n%s", seed, err, s)
				}
				for i := range want {
					if !bytes.Equal(got[i], want[i]) {
						t.Fatalf("seed %d: p%d differs\n%s\n%s", seed, i, k, s)
					}
				}
				split++
				for _, in := range k.Body.Instrs {
					if in.At != nil && len(in.At.Guards) > 0 {
						guarded++
						break
					}
				}
				if k.NumReduced > 0 {
					reduced++
				}
			}
		}
	}
	if split < 500 || guarded < 50 || reduced < 50 {
		t.Errorf("%d kernels, %d with guards and %d with reductions: too few", split, guarded, reduced)
	}
}

func clone(params [][]byte) [][]byte {
	out := make([][]byte, len(params))
	for i, p := range params {
		out[i] = bytes.Clone(p)
	}
	return out
}
