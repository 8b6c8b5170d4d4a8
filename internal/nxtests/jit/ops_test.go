package jit_test

import (
	"testing"

	"github.com/go-nx/nx"
	"github.com/go-nx/nx/internal/nxtests/kit"
)

// TestEveryOpJitted: compiled functions give what calls one by one give, vectorised axes and names
// included.
func TestEveryOpJitted(t *testing.T) {
	o := kit.SampleOperands()
	named := kit.Operands{X: nx.Rename(o.X.At(0, 0), "r", "c"), Y: o.Y.At(0), V: o.V.At(0), I: o.I.At(0, 0)}
	for name, op := range kit.EveryOp {
		t.Run(name, func(t *testing.T) {
			for how, in := range map[string]kit.Operands{"vectorised": kit.VectorOperands(o), "named": named} {
				got, err := kit.CaughtResults(func() []nx.Tensor { return nx.Jit(op.F)(in) })
				if err != nil {
					t.Fatalf("%s: %v", how, err)
				}
				for r, want := range op.F(in) {
					if g, w := got[r].Spec().String(), want.Spec().String(); g != w {
						t.Fatalf("%s: result %d is %s, not %s", how, r, g, w)
					}
					if !kit.NearlyEqual(nx.Devectorize(got[r]), nx.Devectorize(want)) {
						t.Fatalf("%s: result %d is\n%v\nnot\n%v", how, r, got[r], want)
					}
				}
			}
		})
	}
}
