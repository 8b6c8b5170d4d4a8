package ops_test

import (
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/go-nx/nx"
	"github.com/go-nx/nx/internal/nxtests/kit"
)

// TestCrossEntropy: the loss keeps its digits with a dominating logit, a class that does not exist is an error where
// it is known and NaN in a compiled function, and a value that is not a class number is an error that names
// SoftCrossEntropy.
func TestCrossEntropy(t *testing.T) {
	ulpsApart(t, "beside one", nx.CrossEntropy(nx.New([]float64{40, 0}), nx.New(int32(0))), 2, 4.248354255291589e-18)
	ulpsApart(t, "nothing beside one", nx.CrossEntropy(nx.New([]float64{800, 0}), nx.New(int32(0))), 0, 0)
	logits := nx.New([][]float64{{2, 0, 1}, {0, 0, 0}, {1, 1, 3}, {1, 2, 3}})
	loss := func(row []float64, class int) float64 {
		sum := 0.0
		for _, x := range row {
			sum += math.Exp(x - row[class])
		}
		return math.Log(sum)
	}
	want := []float64{loss([]float64{2, 0, 1}, 2), math.Log(3), nan, nan}
	for _, d := range []nx.DType{nx.S8, nx.S32, nx.S64} {
		classes := nx.Cast(nx.New([]int32{2, 0, 3, -1}), d)
		kit.SameArray(t, d.String(), nx.Jit(nx.CrossEntropy)(logits, classes), kit.ArrayOf([]int{4}, want))
		g := nx.Jit(func(x, c nx.Tensor) nx.Tensor {
			return nx.Grad(func(x nx.Tensor) nx.Tensor { return nx.Sum(nx.CrossEntropy(x, c)) })(x)
		})(logits, classes)
		softmax := nx.Data[float64](nx.Softmax(logits))
		softmax[2]--
		softmax[3]--
		for i := 6; i < 12; i++ {
			softmax[i] = 0
		}
		kit.SameArray(t, "gradient", g, kit.ArrayOf([]int{4, 3}, softmax))
	}
	for _, classes := range []nx.Tensor{nx.New([]int32{0, 3, 0, 0}), nx.New([]int64{0, -1, 0, 0}),
		nx.New([]uint64{0, 1 << 63, 0, 0})} {
		err := kit.Caught(func() { nx.CrossEntropy(logits, classes) })
		if !errors.Is(err, nx.ErrValue) || !strings.Contains(err.Error(), "number 1") {
			t.Errorf("a class that there is not: %v", err)
		}
		// The classes are known where the logits are not.
		grad := nx.Grad(func(x nx.Tensor) nx.Tensor { return nx.Sum(nx.CrossEntropy(x, classes)) })
		if err := kit.Caught(func() { grad(logits) }); !errors.Is(err, nx.ErrValue) {
			t.Errorf("a class that there is not, in a gradient: %v", err)
		}
	}
	for _, targets := range []nx.Tensor{nx.Ones(nx.Shape{4}, nx.F32), nx.Softmax(logits),
		nx.Ones(nx.Shape{4, 3}, nx.S32)} {
		if err := kit.Caught(func() { nx.CrossEntropy(logits, targets) }); err == nil ||
			!strings.Contains(err.Error(), "nx.SoftCrossEntropy") {
			t.Errorf("targets %s: %v", targets.DType(), err)
		}
	}
	wide := nx.CrossEntropy(nx.Reshape(logits, 2, 2, 3), nx.New([][]int32{{2, 0}, {1, 0}}))
	kit.SameArray(t, "batches", wide.At(0), kit.ArrayOf([]int{2}, want[:2]))
	each := nx.Vmap(func(x, c nx.Tensor) nx.Tensor { return nx.CrossEntropy(x, c) })(logits,
		nx.New([]int32{2, 0, 7, -3}))
	kit.SameArray(t, "by Vmap", each, kit.ArrayOf([]int{4}, want))
}

// TestSoftCrossEntropy: probabilities of one class are its number, and a class without probability may have the
// logit -Inf.
func TestSoftCrossEntropy(t *testing.T) {
	logits := nx.New([][]float64{{2, 0, 1}, {40, 0, -1}, {-3, 7, 2}})
	classes := nx.New([]int32{2, 0, 1})
	hard := nx.Data[float64](nx.CrossEntropy(logits, classes))
	for _, d := range []nx.DType{nx.F64, nx.S32, nx.Bool} {
		p := nx.OneHot(classes, 3, d)
		ulpsApart(t, p.DType().String(), nx.SoftCrossEntropy(logits, p), 2, hard...)
		ulpsApart(t, "jitted", nx.Jit(nx.SoftCrossEntropy)(logits, p), 2, hard...)
	}
	p := nx.Softmax(nx.New([][]float64{{1, 2, 3}, {0, 0, 1}, {2, 1, 0}}))
	want := nx.Data[float64](nx.Neg(nx.Sum(nx.Mul(p, nx.LogSoftmax(logits)), nx.Axis(-1))))
	kit.CloseTo(t, "probabilities", nx.SoftCrossEntropy(logits, p), want...)
	kit.CloseTo(t, "by Vmap", nx.Vmap(nx.SoftCrossEntropy)(logits, p), want...)
	g := nx.Grad(func(x [2]nx.Tensor) nx.Tensor { return nx.SoftCrossEntropy(x[0], x[1]) })(
		[2]nx.Tensor{logits.At(0), p.At(0)})
	kit.CloseTo(t, "gradient of logits", g[0], nx.Data[float64](nx.Sub(nx.Softmax(logits.At(0)), p.At(0)))...)
	kit.CloseTo(t, "gradient of probabilities", g[1], nx.Data[float64](nx.Neg(nx.LogSoftmax(logits.At(0))))...)

	masked := nx.New([]float64{0, -inf, 0})
	ulpsApart(t, "without probability", nx.SoftCrossEntropy(masked, nx.New([]float64{0.5, 0, 0.5})), 2, math.Ln2)
	ulpsApart(t, "with probability", nx.SoftCrossEntropy(masked, nx.New([]float64{0.5, 0.5, 0})), 2, inf)
	beside := nx.Grad(func(x nx.Tensor) nx.Tensor { return nx.SoftCrossEntropy(x, nx.New([]float64{1, 0, 0})) })(masked)
	kit.CloseTo(t, "gradient beside nothing", beside, -0.5, 0, 0.5)
	if d := nx.SoftCrossEntropy(nx.Cast(logits, nx.F16), nx.Cast(p, nx.F16)).DType(); d != nx.F16 {
		t.Errorf("the loss of f16 is %s", d)
	}
	if n := nx.SoftCrossEntropy(nx.Rename(logits, "batch", "class"), p).Names(); len(n) != 1 || n[0] != "batch" {
		t.Errorf("the names are %q", n)
	}
}
