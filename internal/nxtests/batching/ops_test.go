package batching_test

import (
	"slices"
	"testing"

	"github.com/go-nx/nx"
	"github.com/go-nx/nx/internal/nxtests/kit"
)

// TestEveryOpVectorized: a function of vectorised operands computes the same as a call for each element.
func TestEveryOpVectorized(t *testing.T) {
	o := kit.SampleOperands()
	vectors := kit.VectorOperands(o)
	for name, op := range kit.EveryOp {
		t.Run(name, func(t *testing.T) {
			defer func() {
				if p := recover(); p != nil {
					t.Errorf("panic: %v", p)
				}
			}()
			for r, got := range op.F(vectors) {
				for at := range 2 * 3 * 2 {
					i, j, k := at/6, at/2%3, at%2
					want := op.F(kit.Operands{X: o.X.At(i, j), Y: o.Y.At(j), V: o.V.At(j), I: o.I.At(k, j)})[r]
					have := got
					if have.Vectors() == nil {
						t.Fatalf("result %d has no vectorised axes: %v", r, got.Spec())
					}
					places := map[string]int{"i": i, "j": j, "k": k}
					var index []any
					for _, v := range got.Vectors() {
						index = append(index, places[v.Name])
					}
					have = nx.Devectorize(have).At(index...)
					if have.DType() != want.DType() || !slices.Equal(have.Shape(), want.Shape()) ||
						!kit.NearlyEqual(have, want) {
						t.Fatalf("result %d of element %d, %d, %d is\n%v\nnot\n%v", r, i, j, k, have, want)
					}
				}
			}
		})
	}
}
