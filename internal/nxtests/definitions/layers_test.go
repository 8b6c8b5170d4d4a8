package definitions

import (
	"testing"

	"github.com/go-nx/nx"
	"github.com/go-nx/nx/internal/nxtests/definitions/defs"
	"github.com/go-nx/nx/linalg"
	"github.com/go-nx/nx/nn"
	"github.com/go-nx/nx/nn/loss"
	"github.com/go-nx/nx/nn/metric"
	"github.com/go-nx/nx/random"
	"github.com/go-nx/nx/tree"
)

// byHand is a classifier written over the API of nx.
type byHand struct {
	Conv *nn.Conv
	Norm *nn.BatchNorm
	Drop *nn.Dropout
	Body nn.Seq
	Out  *nn.Linear
}

func (m byHand) loss(c *nn.Ctx, x, y nx.Tensor) nx.Tensor {
	x = nn.MaxPool(nx.Relu(m.Norm.Apply(c, m.Conv.Apply(c, x))), []int{2, 2}, nn.Stride(2))
	x = m.Drop.Apply(c, x)
	x = nx.Add(m.Out.Apply(c, m.Body.Apply(c, nx.Reshape(x, x.Shape()[0], -1))), m.Out.Weight.At(0, 0))
	return nx.Mean(loss.CrossEntropy(x, y, loss.Smoothing(0.1)))
}

// TestLayers compares a model of layers with one by hand: losses, gradients, and the running averages that are written.
func TestLayers(t *testing.T) {
	k := random.Split(random.Key(1), 3)
	m := NewClassifier(random.Key(1))
	h := byHand{
		nn.NewConv(k.At(0), 1, 4, []int{3, 3}, nn.Pad(1), nn.Init(nn.HeNormal)), nn.NewBatchNorm(4, nn.Momentum(0.5)),
		&nn.Dropout{Rate: 0.25},
		nn.Seq{nn.NewLinear(k.At(1), 16, 8), nn.Func(nx.Relu), nn.NewLayerNorm(nx.Shape{8})},
		nn.NewLinear(k.At(2), 8, 3, nn.NoBias),
	}
	x, y := random.Normal(random.Key(2), 0, 1, nx.Shape{5, 1, 4, 4}, nx.F32), nx.New([]int32{0, 1, 2, 0, 1})
	for _, c := range []nn.Ctx{{}, {Train: true, Key: random.Key(3)}} {
		c1, c2 := c, c
		got, g := nx.ValueAndGrad(func(m Classifier) nx.Tensor { return m.Loss(&c1, x, y) })(m)
		want, w := nx.ValueAndGrad(func(m byHand) nx.Tensor { return m.loss(&c2, x, y) })(h)
		same(t, got, want)
		gs, ws := nn.Leaves(g), nn.Leaves(w)
		if len(gs) != len(ws) {
			t.Fatalf("%d gradients, not %d", len(gs), len(ws))
		}
		for i := range gs {
			if gs[i].Path != ws[i].Path {
				t.Errorf("%s, not %s", gs[i].Path, ws[i].Path)
			}
			same(t, gs[i].Tensor, ws[i].Tensor)
		}
	}
	c := &nn.Ctx{Train: true, Key: random.Key(3)}
	m.Apply(c, x)
	h.loss(&nn.Ctx{Train: true, Key: random.Key(3)}, x, y)
	same(t, nx.Tensor(m.Norm.RunningVar), nx.Tensor(h.Norm.RunningVar))
}

func TestRecurrent(t *testing.T) {
	l := nn.NewLSTM(random.Key(4), 3, 2)
	x := random.Normal(random.Key(5), 0, 1, nx.Shape{2, 4, 3}, nx.F32)
	y, state := l.Run(nil, x, nn.State{}, nx.New([]int32{4, 3}))
	y = nn.Attend(y, y, y, nn.Causal, nn.Scale(0.5))
	want := nx.Add(nx.Sum(y), nx.Sum(state.H))
	same(t, nx.Jit(func(x nx.Tensor) nx.Tensor { return Recurrent(l, x, nx.New([]int32{4, 3})) })(x), want)
	same(t, Standardized(x), nx.LayerNorm(x, 1e-5, nx.Axis(-1)))
}

func TestFitted(t *testing.T) {
	a := nx.New([][]float64{{1, 2}, {3, 4}, {5, 7}})
	b := nx.New([]float64{1, 2, 3})
	x, rank := Fitted(a, b)
	same(t, x, linalg.Lstsq(a, b).X)
	same(t, rank, nx.New(2.0))
}

func TestDescend(t *testing.T) {
	m := NewClassifier(random.Key(6))
	x, y := random.Normal(random.Key(7), 0, 1, nx.Shape{4, 1, 4, 4}, nx.F32), nx.New([]int32{0, 1, 2, 0})
	step := nx.Jit(func(m Classifier) (Classifier, nx.Tensor) { return m.Descend(x, y, 0.5) })
	got, accuracy := step(m)
	g := nx.Grad(func(m Classifier) nx.Tensor { return m.Loss(nil, x, y) })(m)
	want := tree.Map2(func(w, g nx.Tensor) nx.Tensor { return nx.Sub(w, nx.Mul(0.5, g)) }, m, g)
	for path, w := range tree.Leaves(want) {
		for p, g := range tree.Leaves(got) {
			if p == path {
				same(t, g, w)
			}
		}
	}
	same(t, accuracy, metric.Accuracy(want.Apply(nil, x), y).Value())
}

func TestWalk(t *testing.T) {
	keys := random.Stream(random.Key(8))
	want := nx.New(float32(0))
	for range 3 {
		want = nx.Add(want, random.Normal(keys.Next(), 0, 1, nx.Shape{}, nx.F32))
	}
	same(t, nx.Jit(func(key nx.Tensor) nx.Tensor { return Walk(key, 3) })(random.Key(8)), want)
}

func TestCalled(t *testing.T) {
	same(t, nx.Jit(func(x nx.Tensor) nx.Tensor { return Called(x) })(number(3)), number(float64(defs.Called(3))))
	same(t, Constant(number(2), 1, 4), nx.New([]float64{2, 8}))
}
