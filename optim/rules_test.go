package optim_test

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/go-nx/nx"
	"github.com/go-nx/nx/debug"
	"github.com/go-nx/nx/internal/nxtests/kit"
	"github.com/go-nx/nx/nn"
	"github.com/go-nx/nx/optim"
	"github.com/go-nx/nx/random"
	"github.com/go-nx/nx/tree"
)

// Other tensors than parameters with a gradient pass through: integers, buffers, absent ones.
func TestOthersPass(t *testing.T) {
	type layer struct {
		Weight, Absent, Frozen nx.Tensor
		Table                  nx.Tensor
		Mean                   nn.Buffer
	}
	one := nx.Ones(nx.Shape{2}, nx.F32)
	p := layer{Weight: one, Frozen: one, Table: nx.New([]int32{1, 2}), Mean: nn.Buffer(one)}
	g := layer{Weight: one, Mean: nn.Buffer(one)}
	opt := optim.Adam(.1)
	s := optim.Init(opt, p)
	q, s := optim.Update(opt, g, s, p)
	if v := nx.Item[float64](q.Weight.At(0)); math.Abs(v-.9) > 1e-6 {
		t.Errorf("the weight is %v, want .9", v)
	}
	for name, pair := range map[string][2]nx.Tensor{
		"Frozen": {q.Frozen, p.Frozen}, "Table": {q.Table, p.Table}, "Mean": {nx.Tensor(q.Mean), one},
	} {
		if !nx.ArrayEqual(pair[0], pair[1]) || pair[0].DType() != pair[1].DType() {
			t.Errorf("%s changed to %v", name, pair[0])
		}
	}
	if !q.Absent.IsZero() {
		t.Errorf("an absent tensor became %v", q.Absent)
	}
	var paths []string
	for path := range tree.Leaves(s) {
		paths = append(paths, path)
	}
	if !slices.Contains(paths, "[0].M[Weight]") || slices.ContainsFunc(paths, func(p string) bool {
		return strings.Contains(p, "Table") || strings.Contains(p, "Mean")
	}) {
		t.Errorf("the state has %v", paths)
	}
}

// Small steps of a bf16 parameter are computed in f32: the new parameter is that of f32, rounded once.
func TestNarrowParameters(t *testing.T) {
	opt := optim.AdamW(.01, .1, optim.DecayOf(optim.All))
	p := map[string]nx.Tensor{"w": nx.New([]float32{1, -2.5, 3e-3})}
	narrow := tree.Map(func(x nx.Tensor) nx.Tensor { return nx.Cast(x, nx.BF16) }, p)
	p = tree.Map(func(x nx.Tensor) nx.Tensor { return nx.Cast(x, nx.F32) }, narrow)
	g := map[string]nx.Tensor{"w": nx.New([]float32{1e-5, 1, -3})}
	want, _ := optim.Update(opt, g, optim.Init(opt, p), p)
	got, _ := optim.Update(opt, g, optim.Init(opt, narrow), narrow)
	if !nx.ArrayEqual(got["w"], nx.Cast(want["w"], nx.BF16)) || got["w"].DType() != nx.BF16 {
		t.Errorf("got %v, want %v rounded", got["w"], want["w"])
	}
}

func TestErrors(t *testing.T) {
	p := map[string]nx.Tensor{"w": nx.Ones(nx.Shape{2}, nx.F32), "b": nx.Ones(nx.Shape{3}, nx.F32)}
	adam := optim.Adam(.1)
	state := optim.Init(adam, p)
	for _, c := range []struct {
		want string
		f    func()
	}{
		{`the gradient of [b] has the shape [2], the parameter [3]`, func() {
			optim.Update(adam, map[string]nx.Tensor{"w": p["w"], "b": p["w"]}, state, p)
		}},
		{`the parameter [b] has the label "head", which has no transform`, func() {
			optim.Init(optim.Groups(func(l optim.Leaf) string {
				return map[string]string{"[b]": "head", "[w]": "stem"}[l.Path]
			}, map[string]optim.Transform{"stem": adam}), p)
		}},
		{"the state has 2 parts, the chain 3", func() {
			optim.Update(optim.Chain(adam, adam, adam), p, state, p)
		}},
		{"the state of ScaleByLion is", func() {
			optim.Update(optim.Lion(.1), p, optim.Init(optim.AdamW(1, 1), p), p)
		}},
		{"needs the loss of the step", func() {
			optim.Update(optim.ReduceOnPlateau(), p, optim.Init(optim.ReduceOnPlateau(), p), p)
		}},
		{"the number of steps is 0", func() { optim.Cosine(1, 0, 0) }},
		{"the number of steps is -1", func() { optim.Linear(1, 0, -1) }},
		{"the number of steps is -5", func() { optim.WarmupCosine(0, 1, 10, 5, 0) }},
		{"there are 1 schedules and the boundaries [3]", func() { optim.Join([]optim.Schedule{optim.Constant(1)}, 3) }},
		{"the limit is NaN", func() { optim.ClipGlobalNorm(math.NaN()) }},
		{"the number is 1.5", func() { optim.Accumulate(1.5, adam) }},
		{"a schedule returned s32", func() {
			opt := optim.SGD(func(step nx.Tensor) nx.Tensor { return step })
			optim.Update(opt, p, optim.Init(opt, p), p)
		}},
	} {
		if err := kit.Caught(c.f); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("got %v, want %s", err, c.want)
		}
	}
}

// Steps beyond 2^24 are not rounded.
func TestLongSchedules(t *testing.T) {
	const total = 1 << 30
	s := optim.Linear(0, 1, total)
	for _, step := range []int32{1<<24 + 1, 1<<29 + 3, total - 1} {
		if got, want := nx.Item[float64](s(nx.New(step))), float64(step)/total; math.Abs(got-want) > 1e-15 {
			t.Errorf("step %d: %v, want %v", step, got, want)
		}
	}
	steps, values := optim.Sample(optim.WarmupStableDecay(1, 10, 80, 10, 0), 100, 11)
	if want := []int{0, 10, 20, 30, 40, 50, 60, 70, 80, 90, 100}; !slices.Equal(steps, want) {
		t.Errorf("the steps are %v", steps)
	}
	if want := []float64{0, 1, 1, 1, 1, 1, 1, 1, 1, 1, 0}; !slices.Equal(values, want) {
		t.Errorf("the values are %v", values)
	}
	for step, want := range map[int32]float64{0: 0, 50: .5, 100: 1, 400: .5, 1600: .25} {
		if got := nx.Item[float64](optim.InverseSqrt(1, 100)(nx.New(step))); math.Abs(got-want) > 1e-15 {
			t.Errorf("the inverse root at %d is %v, want %v", step, got, want)
		}
	}
}

// vector returns parameters of one vector.
func vector(v ...float64) map[string]nx.Tensor { return map[string]nx.Tensor{"x": nx.New(v)} }

func TestNormsThatAreNotFinite(t *testing.T) {
	clip := optim.ClipGlobalNorm(1)
	for _, c := range []struct{ in, want []float64 }{
		{[]float64{3, 4}, []float64{.6, .8}}, {[]float64{.3, .4}, []float64{.3, .4}},
		{[]float64{0, 0}, []float64{0, 0}}, {[]float64{1, math.NaN()}, []float64{math.NaN(), math.NaN()}},
		{[]float64{1, math.Inf(1)}, []float64{0, math.NaN()}},
	} {
		g := vector(c.in...)
		u, s := optim.Updates(clip, g, optim.Init(clip, g), g)
		kit.RequireNear(t, fmt.Sprint(c.in), u["x"], nx.New(c.want))
		n := nx.Item[float64](s.(optim.ClipState).Norm)
		if want := math.Hypot(c.in[0], c.in[1]); n != want && !(math.IsNaN(n) && math.IsNaN(want)) {
			t.Errorf("%v: the norm is %v", c.in, n)
		}
	}
}

// Between updates the transform is not computed, and a gradient that is NaN does not reach its state.
func TestAccumulate(t *testing.T) {
	var seen kit.Recorder
	spy := hooked{optim.SGD(1, optim.Momentum(.5)), &seen}
	opt := optim.Accumulate(2, spy, optim.OnlyFinite)
	step := nx.Jit(func(s training, g map[string]nx.Tensor) training {
		s.Params, s.Opt = optim.Update(opt, g, s.Opt, s.Params)
		return s
	})
	s := training{vector(0, 0), optim.Init(opt, vector(0, 0))}
	for _, g := range [][]float64{{1, 2}, {math.NaN(), 1}, {3, 4}, {5, 5}, {7, 5}} {
		s = step(s, vector(g...))
	}
	kit.RequireNear(t, "parameters", s.Params["x"], nx.New([]float64{-2 - 6 - 1, -3 - 5 - 1.5}))
	if got := seen.Take(); !slices.Equal(got, []float64{2, 3, 6, 5}) {
		t.Errorf("the transform got %v", got)
	}
}

// hooked records the first update that a transform gets.
type hooked struct {
	optim.Transform
	seen *kit.Recorder
}

func (h hooked) Update(u []optim.Leaf, s optim.State, step optim.Step) ([]optim.Leaf, optim.State) {
	u = slices.Clone(u)
	u[0].Tensor = debug.Hook("update", u[0].Tensor, h.seen.Add)
	return h.Transform.Update(u, s, step)
}

func TestAddNoise(t *testing.T) {
	opt := optim.AddNoise(random.Key(3), .25, 1)
	zero := map[string]nx.Tensor{"a": nx.Zeros(nx.Shape{10_000}, nx.F32), "b": nx.Zeros(nx.Shape{10_000}, nx.F32)}
	s := optim.Init(opt, zero)
	u, s := optim.Updates(opt, zero, s, zero)
	again, _ := optim.Updates(opt, zero, optim.Init(opt, zero), zero)
	if !nx.ArrayEqual(u["a"], again["a"]) || nx.ArrayEqual(u["a"], u["b"]) {
		t.Error("noise must depend on the key, the step and the path only")
	}
	v, _ := optim.Updates(opt, zero, s, zero)
	for step, x := range []nx.Tensor{u["a"], v["a"]} {
		if got, want := nx.Item[float64](nx.Std(x)), .5/math.Sqrt(float64(step+1)); math.Abs(got/want-1) > .03 {
			t.Errorf("the deviation at step %d is %v, want %v", step+1, got, want)
		}
	}
}

func TestLearningRate(t *testing.T) {
	p := vector(1)
	schedule := optim.Linear(1, 0, 10)
	for name, c := range map[string]struct {
		t    optim.Transform
		want float64
	}{
		"a schedule": {optim.AdamW(schedule, schedule), .7}, "a number": {optim.SGD(.25), .25},
		"a group": {optim.Chain(optim.Where(optim.All, optim.Lion(schedule)), optim.Scale(schedule)), .7},
	} {
		s := optim.Init(c.t, p)
		for range 4 {
			_, s = optim.Update(c.t, p, s, p)
		}
		if got := optim.LearningRate(s); got.IsZero() || math.Abs(nx.Item[float64](got)-c.want) > 1e-12 {
			t.Errorf("%s: the rate is %v, want %v", name, got, c.want)
		}
	}
	if got := optim.LearningRate(optim.Init(optim.Trace(.9), p)); !got.IsZero() {
		t.Errorf("a transform without a rate has %v", got)
	}
}

// Complex parameters have real averages of squares: |g|².
func TestComplexParameters(t *testing.T) {
	p := map[string]nx.Tensor{"z": nx.New([]complex128{1 + 2i, -3i})}
	g := map[string]nx.Tensor{"z": nx.New([]complex128{3 + 4i, -2})}
	for name, opt := range map[string]optim.Transform{
		"Adam": optim.Adam(.1), "RMSProp": optim.RMSProp(.1, optim.Rho(0), optim.Centred), "Yogi": optim.Yogi(.1),
		"momentum": optim.Chain(optim.ClipGlobalNorm(1), optim.SGD(.1, optim.Momentum(.9))), "LAMB": optim.LAMB(.1),
		"Adagrad": optim.Adagrad(.1), "Adadelta": optim.Adadelta(.1), "NovoGrad": optim.NovoGrad(.1),
	} {
		q, s := optim.Update(opt, g, optim.Init(opt, p), p)
		q, _ = optim.Update(opt, g, s, q)
		if q["z"].DType() != nx.C128 || nx.Item[int](nx.All(nx.IsFinite(nx.Abs(q["z"])))) != 1 {
			t.Errorf("%s: %v", name, q["z"])
		}
	}
	opt := optim.Adam(.1, optim.Epsilon(0))
	q, _ := optim.Update(opt, g, optim.Init(opt, p), p)
	kit.RequireNear(t, "Adam", q["z"], nx.New([]complex128{1 - .06 + (2-.08)*1i, .1 - 3i}))
}
