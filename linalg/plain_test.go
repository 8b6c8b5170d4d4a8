package linalg_test

import (
	"context"
	"testing"

	"github.com/go-nx/nx"
	"github.com/go-nx/nx/linalg"
	"github.com/go-nx/nx/stablehlo"
)

// byPlainOps runs f with its blocks decomposed: they have names that no backend supports. The blocks of
// decompositions are computed as usual.
func byPlainOps(t *testing.T, f func(ins []nx.Tensor) []nx.Tensor, ins ...nx.Tensor) []nx.Tensor {
	t.Helper()
	l, err := nx.Lower(f, nx.Args(ins))
	if err != nil {
		t.Fatal(err)
	}
	program := l.Module()
	fn, _ := program.Func("main")
	renamed := 0
	for _, op := range fn.Body().Ops {
		if op.Code == stablehlo.OpComposite {
			op.SetAttr("name", stablehlo.StringAttr("plain."+op.Str("name")))
			renamed++
		}
	}
	if renamed == 0 {
		t.Fatal("the program has no blocks")
	}
	m, err := nx.LoadModule(context.Background(), program)
	if err != nil {
		t.Fatal(err)
	}
	outs, err := m.Call(context.Background(), ins...)
	if err != nil {
		t.Fatal(err)
	}
	return outs
}

// TestPlainOpsOfSpectra: decompositions find values and vectors of matrices of all kinds, as
// kernels of cpu do.
func TestPlainOpsOfSpectra(t *testing.T) {
	sizes := []int{40, 160}
	if testing.Short() {
		sizes = sizes[:1]
	}
	for _, n := range sizes {
		for _, kind := range kinds {
			for _, d := range []nx.DType{nx.F32, nx.F64} {
				one := nx.Cast(nx.Eye(nx.Shape{n, n}, nx.F32), d)
				m := &measured{a: kind.make(d, n), one: one, unit: float64(n) * eps(d)}
				h := nx.Mul(nx.Add(m.a, adjoint(m.a)), 0.5)
				out := byPlainOps(t, func(in []nx.Tensor) []nx.Tensor {
					u, s, vt := linalg.SVD(in[0])
					w, v := linalg.Eigh(in[1])
					return []nx.Tensor{u, s, vt, w, v}
				}, m.a, h)
				for _, q := range []nx.Tensor{out[0], adjoint(out[2]), out[4]} {
					m.vectors(q)
				}
				svd, eigh := m.off(m.a, mulAll(out[0], out[1], out[2])), m.off(h, compose(out[3], out[4]))
				if !(svd <= 20 && eigh <= 20 && m.skew <= 20) {
					t.Errorf("%d %s %s: SVD %.3g, Eigh %.3g, from orthonormal %.3g n·ε", n, kind.name, d,
						svd, eigh, m.skew)
				}
				t.Logf("%d %s %s: SVD %.2f, Eigh %.2f, from orthonormal %.2f n·ε", n, kind.name, d, svd, eigh, m.skew)
			}
		}
	}
}
