package bench

import (
	"math"
	"testing"

	"github.com/go-nx/nx"
)

// heads has the operands of attention, [batch, sequence, features] each.
type heads struct{ Q, K, V nx.Tensor }

func headsOf(queries, keys, features int) heads {
	in := func(n int) nx.Tensor { return input(nx.F32, 2, n, features) }
	return heads{in(queries), in(keys), in(keys)}
}

func (h heads) weights() nx.Tensor {
	n, m := h.Q.Shape()[1], h.K.Shape()[1]
	row, col := nx.Iota(nx.Shape{n, m}, nx.S32, nx.Axis(0)), nx.Iota(nx.Shape{n, m}, nx.S32, nx.Axis(1))
	s := nx.Div(nx.Dot(h.Q, swapLast(h.K)), math.Sqrt(float64(h.Q.Shape()[2])))
	return nx.Softmax(nx.Where(nx.GreaterEqual(row, col), s, math.Inf(-1)))
}

func (h heads) loss() nx.Tensor {
	o := nx.Dot(h.weights(), h.V)
	return nx.Sum(nx.Mul(o, o))
}

// TestAttentionFigures: 2,048 queries and keys have 4,194,304 scores, 16 MB per head. The mask is a constant with one
// byte per score.
func TestAttentionFigures(t *testing.T) {
	const seq, d = 2048, 64
	h := headsOf(seq, seq, d)
	checkFigures(t, 4*2*seq*d*4+seq*seq+1<<16, 1<<16, func(h heads) nx.Tensor { return nx.Dot(h.weights(), h.V) }, h)
}

// TestAttentionGradientFigures: the gradient recomputes rows and columns of the scores, and never holds all of them in
// memory. Commit 301aa10 had an arena of 100 MB and more.
func TestAttentionGradientFigures(t *testing.T) {
	const seq, d = 2048, 64
	checkFigures(t, 40_000_000, 4_400_000, func(h heads) (heads, nx.Tensor) {
		l, g := nx.ValueAndGrad(heads.loss)(h)
		return g, l
	}, headsOf(seq, seq, d))
}

// TestAttentionGradient: scores that are a result, too, are in memory; the gradients have the same bits.
func TestAttentionGradient(t *testing.T) {
	for _, h := range []heads{headsOf(512, 512, 16), headsOf(600, 700, 24)} {
		f := func(h heads) heads { _, g := nx.ValueAndGrad(heads.loss)(h); return g }
		got := nx.Jit(f)(h)
		type both struct {
			G heads
			W nx.Tensor
		}
		want := nx.Jit(func(h heads) both { return both{f(h), h.weights()} })(h).G
		for i, pair := range [][2]nx.Tensor{{got.Q, want.Q}, {got.K, want.K}, {got.V, want.V}} {
			if !nx.ArrayEqual(pair[0], pair[1]) {
				t.Errorf("gradient %d of %v by %v: the bits differ", i, h.Q.Shape(), h.K.Shape())
			}
		}
	}
}
