package nn_test

import (
	"math"
	"testing"

	"github.com/go-nx/nx"
	"github.com/go-nx/nx/nn"
	"github.com/go-nx/nx/nxtest"
	"github.com/go-nx/nx/random"
	"github.com/go-nx/nx/tree"
)

func normal(seed int64, shape ...int) nx.Tensor {
	return random.Normal(random.Key(seed), 0, 1, shape, nx.F64)
}

func f64[P any](p P) P {
	return tree.Map(func(t nx.Tensor) nx.Tensor {
		if t.DType().IsFloat() {
			return nx.Cast(t, nx.F64)
		}
		return t
	}, p)
}

// The numbers that dropout draws follow from the key of the step and the place of the layer.
func TestDropoutKeys(t *testing.T) {
	x := nx.Ones(nx.Shape{20, 30}, nx.F32)
	m := nn.Seq{&nn.Dropout{Rate: 0.3}, &nn.Dropout{Rate: 0.3}}
	run := func(key nx.Tensor) nx.Tensor { return m.Apply(&nn.Ctx{Train: true, Key: key}, x) }
	step := nx.Jit(run)
	one := run(random.Key(1))
	nxtest.AssertEqual(t, run(random.Key(1)), one)
	nxtest.AssertEqual(t, step(random.Key(1)), one)
	if nx.Item[bool](nx.All(nx.Equal(step(random.Key(2)), one))) {
		t.Error("two keys drop the same")
	}
	c := &nn.Ctx{Train: true, Key: random.Key(1)}
	if nx.Item[bool](nx.All(nx.Equal(m[0].Apply(c, x), m[0].Apply(c, x)))) {
		t.Error("two layers drop the same")
	}
	for _, folded := range []*nn.Ctx{{}, nil, {Key: random.Key(1)}} {
		nxtest.AssertEqual(t, m.Apply(folded, x), x)
	}
	// Fold: each run of a body has its own numbers.
	_, ys := nx.Scan(x, nx.Iota(nx.Shape{2}, nx.S32), func(s, i nx.Tensor) (nx.Tensor, nx.Tensor) {
		return s, m[0].Apply((&nn.Ctx{Train: true, Key: random.Key(1)}).Fold(i), s)
	})
	if nx.Item[bool](nx.All(nx.Equal(ys.At(0), ys.At(1)))) {
		t.Error("two runs of a body drop the same")
	}
	if (*nn.Ctx)(nil).Fold(nx.Zeros(nx.Shape{}, nx.S32)) != nil {
		t.Error("a folded context of inference is one of inference")
	}
}

// Dropout keeps the mean, the share that it says, and whole channels if asked; rates of 0 and 1 need no care.
func TestDropoutNumbers(t *testing.T) {
	c := func() *nn.Ctx { return &nn.Ctx{Train: true, Key: random.Key(5)} }
	x := nx.Ones(nx.Shape{100, 40, 5}, nx.F32)
	y := (&nn.Dropout{Rate: 0.25}).Apply(c(), x)
	kept := nx.Item[float32](nx.Mean(nx.Cast(nx.NotEqual(y, 0), nx.F32)))
	if math.Abs(float64(kept)-0.75) > 0.02 || nx.Item[float32](nx.Max(y)) != 4.0/3 {
		t.Errorf("%v are kept, the largest is %v", kept, nx.Max(y))
	}
	y = (&nn.Dropout{Rate: 0.25, Channels: true}).Apply(c(), x)
	nxtest.AssertEqual(t, nx.Max(y, nx.Axis(2)), nx.Min(y, nx.Axis(2)))
	zero := (&nn.Dropout{Rate: 1}).Apply(c(), nx.Full(nx.Shape{3}, math.Inf(1), nx.F32))
	nxtest.AssertEqual(t, zero, nx.Zeros(nx.Shape{3}, nx.F32))
	alpha := (&nn.AlphaDropout{Rate: 0.3}).Apply(c(), random.Normal(random.Key(1), 0, 1, nx.Shape{100000}, nx.F32))
	mean, std := nx.Item[float32](nx.Mean(alpha)), nx.Item[float32](nx.Std(alpha))
	if math.Abs(float64(mean)) > 0.02 || math.Abs(float64(std)-1) > 0.02 {
		t.Errorf("the mean is %v, the deviation %v", mean, std)
	}
}

// Training writes the running averages and uses the batch; inference uses the averages and writes nothing.
func TestBatchNormTraining(t *testing.T) {
	l := f64(nn.NewBatchNorm(2))
	x := nx.Add(nx.Mul(normal(1, 50, 2), 3), 2)
	y := l.Apply(&nn.Ctx{Train: true}, x)
	nxtest.AssertAllClose(t, nx.Mean(y, nx.Axis(0)), nx.Zeros(nx.Shape{2}, nx.F64), nx.Tolerance(0, 1e-9))
	nxtest.AssertAllClose(t, nx.Var(y, nx.Axis(0)), nx.Ones(nx.Shape{2}, nx.F64), nx.Tolerance(1e-4, 0))
	nxtest.AssertAllClose(t, nx.Tensor(l.RunningMean), nx.Mul(nx.Mean(x, nx.Axis(0)), 0.1), nx.Tolerance(1e-9, 0))
	want := nx.Add(0.9, nx.Mul(nx.Var(x, nx.Axis(0), nx.DDOF(1)), 0.1))
	nxtest.AssertAllClose(t, nx.Tensor(l.RunningVar), want, nx.Tolerance(1e-9, 0))
	before := tree.Map(func(t nx.Tensor) nx.Tensor { return t }, l)
	z := l.Apply(nil, x)
	close(t, "inference", l, before)
	scale := nx.Rsqrt(nx.Add(nx.Tensor(l.RunningVar), 1e-5))
	nxtest.AssertAllClose(t, z, nx.Mul(nx.Sub(x, nx.Tensor(l.RunningMean)), scale), nx.Tolerance(1e-9, 1e-12))
	// The gradient by the batch is that of its statistics: it has no part along a constant.
	g := nx.Grad(func(x nx.Tensor) nx.Tensor {
		return nx.Sum(nx.Mul(f64(nn.NewBatchNorm(2)).Apply(&nn.Ctx{Train: true}, x), normal(3, 50, 2)))
	})(x)
	nxtest.AssertAllClose(t, nx.Sum(g, nx.Axis(0)), nx.Zeros(nx.Shape{2}, nx.F64), nx.Tolerance(0, 1e-9))
}

// Statistics of bf16 are computed in f32: the mean of a thousand equal numbers is that number.
func TestHalfStatistics(t *testing.T) {
	x := nx.Full(nx.Shape{2, 4096}, 1.01, nx.BF16)
	y := nn.Cast(nn.NewLayerNorm(nx.Shape{4096}), nx.BF16).Apply(nil, x)
	if v := nx.Item[float32](nx.Cast(nx.Max(nx.Abs(y)), nx.F32)); v > 1e-2 {
		t.Errorf("equal numbers become %v", v)
	}
	bn := nn.Cast(nn.NewBatchNorm(2), nx.BF16)
	bn.Apply(&nn.Ctx{Train: true}, nx.Full(nx.Shape{4096, 2}, 1.01, nx.BF16))
	if d := nx.Tensor(bn.RunningMean).DType(); d != nx.F32 {
		t.Errorf("the running mean is %s", d)
	}
	want := nx.Item[float32](nx.Cast(nx.Full(nx.Shape{}, 1.01, nx.BF16), nx.F32)) * 0.1
	if v := nx.Data[float32](nx.Tensor(bn.RunningMean))[0]; math.Abs(float64(v-want)) > 1e-6 {
		t.Errorf("the running mean is %v, want %v", v, want)
	}
}

// A query that may attend to no key gives 0 and has no gradient, nor has its key.
func TestAllMasked(t *testing.T) {
	q, k, v := normal(1, 1, 2, 3, 4), normal(2, 1, 2, 5, 4), normal(3, 1, 2, 5, 4)
	mask := nx.FromSlice([]bool{true, true, false, false, true, false, false, false, false, false,
		true, true, true, true, true}, nx.Shape{3, 5})
	bias := nx.Where(mask, 0.0, math.Inf(-1))
	for name, o := range map[string]nn.AttendOption{"mask": nn.Mask(mask), "bias": nn.Bias(bias)} {
		y, w := nn.AttendWeights(q, k, v, o)
		zero := nx.Zeros(nx.Shape{1, 2, 4}, nx.F64)
		nxtest.AssertEqual(t, y.At(nx.Ellipsis, 1, nx.From(0)), zero)
		nxtest.AssertEqual(t, nx.Sum(w.At(nx.Ellipsis, 1, nx.From(0)), nx.Axis(-1)), nx.Zeros(nx.Shape{1, 2}, nx.F64))
		type args struct{ Q, K, V nx.Tensor }
		f := func(a args) nx.Tensor { return nx.Sum(nx.Square(nn.Attend(a.Q, a.K, a.V, o))) }
		g := nx.Grad(f)(args{q, k, v})
		for path, x := range tree.Leaves(g) {
			if !nx.Item[bool](nx.All(nx.IsFinite(x))) {
				t.Errorf("%s: the gradient of %s is not finite", name, path)
			}
		}
		nxtest.AssertEqual(t, g.Q.At(nx.Ellipsis, 1, nx.From(0)), zero)
		nxtest.AssertGradient(t, f, args{q, k, v})
	}
	// A row of padding in a batch.
	l := nn.NewAttention(random.Key(1), 4, 2, nn.NoBias)
	x := nx.Ones(nx.Shape{2, 3, 4}, nx.F32)
	none := nx.FromSlice([]bool{true, false}, nx.Shape{2, 1, 1, 1})
	y := l.Attend(nil, x, x, nn.Mask(none))
	nxtest.AssertEqual(t, y.At(1), nx.Zeros(nx.Shape{3, 4}, nx.F32))
}

// Steps with a cache give what the whole sequence gives, in one pass or several, of any number of positions.
func TestCache(t *testing.T) {
	for name, opts := range map[string][]nn.AttentionOption{
		"causal":  {nn.Causal},
		"window":  {nn.Window(3)},
		"rotary":  {nn.Causal, nn.Rotary(nn.Rope{})},
		"grouped": {nn.Causal, nn.KVHeads(2), nn.Rotary(nn.Rope{Interleaved: true, Dim: 2}), nn.HeadWidth(4)},
		"all":     {nn.Window(2), nn.KVHeads(1), nn.Rotary(nn.Rope{Base: 500})},
	} {
		t.Run(name, func(t *testing.T) {
			l := f64(nn.NewAttention(random.Key(1), 8, 4, opts...))
			x := normal(2, 2, 7, 8)
			want := l.Apply(nil, x)
			step := nx.Jit(func(l *nn.Attention, x nx.Tensor, c nn.Cache) (nx.Tensor, nn.Cache) {
				return l.Step(nil, x, c)
			})
			for _, cuts := range [][]int{{7}, {4, 3}, {1, 1, 1, 1, 1, 1, 1}} {
				cache := l.NewCache(2, 9, nx.F64)
				var parts []nx.Tensor
				from := 0
				for _, n := range cuts {
					var y nx.Tensor
					y, cache = step(l, x.At(nx.Ellipsis, nx.Range(from, from+n), nx.From(0)), cache)
					parts = append(parts, y)
					from += n
				}
				nxtest.AssertAllClose(t, nx.Concatenate(parts, nx.Axis(1)), want, nx.Tolerance(1e-9, 1e-11))
			}
		})
	}
}

// Sequences of several lengths give what each of them gives, in both directions.
func TestLengths(t *testing.T) {
	lengths := []int32{4, 1, 3}
	x := normal(1, 3, 4, 2)
	type network interface {
		Run(c *nn.Ctx, x nx.Tensor, start nn.State, lengths nx.Tensor) (nx.Tensor, nn.State)
	}
	for name, m := range map[string]network{
		"LSTM": f64(nn.NewLSTM(random.Key(1), 2, 3, nn.Layers(2), nn.BothDirections)),
		"GRU":  f64(nn.NewGRU(random.Key(2), 2, 3, nn.BothDirections)),
		"RNN":  f64(nn.NewRNN(random.Key(3), 2, 3, nn.Layers(2))),
	} {
		t.Run(name, func(t *testing.T) {
			y, end := m.Run(nil, x, nn.State{}, nx.FromSlice(lengths, nx.Shape{3}))
			for i, n := range lengths {
				alone, last := m.Run(nil, x.At(nx.Range(i, i+1), nx.To(int(n))), nn.State{}, nx.Tensor{})
				nxtest.AssertAllClose(t, y.At(nx.Range(i, i+1), nx.To(int(n))), alone, nx.Tolerance(1e-10, 1e-12))
				nxtest.AssertAllClose(t, end.H.At(nx.Ellipsis, nx.Range(i, i+1), nx.From(0)), last.H,
					nx.Tolerance(1e-10, 1e-12))
				if v := nx.Item[float64](nx.Sum(nx.Abs(y.At(i, nx.From(int(n)))))); v != 0 {
					t.Errorf("results beyond the length %d add up to %v", n, v)
				}
			}
			// Steps beyond a length have no gradient, whatever they hold.
			g := nx.Grad(func(x nx.Tensor) nx.Tensor {
				y, _ := m.Run(nil, x, nn.State{}, nx.FromSlice(lengths, nx.Shape{3}))
				return nx.Sum(nx.Square(y))
			})(x)
			if v := nx.Item[float64](nx.Sum(nx.Abs(g.At(1, nx.From(1))))); v != 0 {
				t.Errorf("the gradient beyond a length adds up to %v", v)
			}
		})
	}
}

// The row of padding of a table is not trained; the others are.
func TestPaddingRow(t *testing.T) {
	l := nn.NewEmbedding(random.Key(1), 4, 2, nn.PaddingRow(0))
	g := nx.Grad(func(l *nn.Embedding) nx.Tensor {
		return nx.Sum(l.Apply(nil, nx.FromSlice([]int32{0, 1, 1, 3}, nx.Shape{4})))
	})(l)
	nxtest.AssertEqual(t, g.Weight, nx.FromSlice([]float32{0, 0, 2, 2, 0, 0, 1, 1}, nx.Shape{4, 2}))
	nxtest.AssertEqual(t, l.Weight.At(0), nx.Zeros(nx.Shape{2}, nx.F32))
}
