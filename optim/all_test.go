package optim_test

import (
	"fmt"
	"maps"
	"math"
	"path/filepath"
	"slices"
	"testing"

	"github.com/go-nx/nx"
	"github.com/go-nx/nx/optim"
	"github.com/go-nx/nx/random"
	"github.com/go-nx/nx/tree"
)

// all has every transform, with options that add to its state.
func all() map[string]optim.Transform {
	rate := optim.WarmupCosine(.01, .1, 2, 10, .001)
	label := func(l optim.Leaf) string {
		if optim.Matrices(l) {
			return "matrix"
		}
		return "other"
	}
	return map[string]optim.Transform{
		"SGD": optim.SGD(.1), "momentum": optim.SGD(rate, optim.Momentum(.9), optim.Dampening(.1), optim.Nesterov),
		"Adam": optim.Adam(rate, optim.EpsilonRoot(1e-8)), "AdamW": optim.AdamW(.1, .01, optim.AMSGrad),
		"AMSGradRaw": optim.Adam(.1, optim.AMSGradRaw, optim.EpsilonUncorrected),
		"NAdam":      optim.Adam(.1, optim.MomentumDecay(.004), optim.NarrowProduct),
		"AdaBelief":  optim.AdaBelief(.1), "Yogi": optim.Yogi(.1), "RAdam": optim.RAdam(.1, optim.Nesterov),
		"Adamax": optim.Adamax(.1, optim.Decay(.1)), "Lion": optim.Lion(.1), "Adan": optim.Adan(.1),
		"LAMB": optim.LAMB(.1, optim.Decay(.1)), "LARS": optim.LARS(.1), "Fromage": optim.Fromage(rate, 1e-6),
		"NovoGrad": optim.NovoGrad(.1, optim.Decay(.1)), "SignSGD": optim.SignSGD(.1), "Signum": optim.Signum(.1, .9),
		"SM3": optim.SM3(.1, .9), "Rprop": optim.Rprop(.1), "FTRL": optim.FTRL(rate, optim.Penalties(.1, .1, .1)),
		"RMSProp": optim.RMSProp(.1, optim.Centred, optim.Corrected, optim.Momentum(.9)), "Adagrad": optim.Adagrad(.1),
		"Adadelta":     optim.Adadelta(1),
		"Adafactor":    optim.Adafactor(.1, optim.MinFactored(2), optim.Momentum(.9), optim.Decay(rate)),
		"Muon":         optim.Muon(.1, optim.Decay(.1)),
		"LBFGS":        optim.LBFGS(.1, optim.Memory(3)),
		"Scale":        optim.Scale(rate),
		"clips":        optim.Chain(optim.ClipValue(1), optim.ClipNorm(1), optim.ClipBlockRMS(1)),
		"AdaptiveClip": optim.AdaptiveClip(.1, 1e-3),
		"ClipGlobal":   optim.ClipGlobalNorm(.5), "Centralise": optim.Centralise(),
		"Normalise":   optim.Normalise(1, 1e-6),
		"param sizes": optim.Chain(optim.ScaleByParamNorm(1e-3), optim.ScaleByParamRMS(1e-3)),
		"ZeroNaNs":    optim.ZeroNaNs(), "EMA": optim.EMA(.9, optim.Debiased),
		"KeepNonNegative": optim.KeepNonNegative(), "AddNoise": optim.AddNoise(random.Key(1), .1, .55),
		"Polyak": optim.ScaleByPolyak(0, 1, 1e-3), "Optimistic": optim.ScaleByOptimistic(1, 1),
		"SkipNonFinite": optim.SkipNonFinite(optim.Adam(.1), 3), "Accumulate": optim.Accumulate(2, optim.Adam(.1)),
		"Lookahead":       optim.Lookahead(2, .5, optim.Adam(.1), optim.ResetState),
		"ReduceOnPlateau": optim.ReduceOnPlateau(optim.Patience(1), optim.Window(2)),
		"Groups": optim.Groups(label, map[string]optim.Transform{
			"matrix": optim.Lion(.1), "other": optim.SGD(.1)}),
		"Freeze": optim.Freeze(optim.Matrices, optim.Adam(.1)),
	}
}

// values returns parameters or gradients in an element type.
func values(d nx.DType, seed int64) map[string]nx.Tensor {
	k := random.Key(seed)
	return map[string]nx.Tensor{
		"b": nx.Cast(random.Normal(random.FoldIn(k, 0), 0, 1, nx.Shape{3}, nx.F64), d),
		"s": nx.Cast(random.Normal(random.FoldIn(k, 1), 0, 1, nx.Shape{}, nx.F64), d),
		"w": nx.Cast(random.Normal(random.FoldIn(k, 2), 0, 1, nx.Shape{3, 4}, nx.F64), d),
	}
}

// after makes n steps, whose gradients depend on the parameters.
func after(t optim.Transform, s training, n int) training {
	for i := range n {
		s = oneMore(t, s, nx.New(float64(i)))
	}
	return s
}

func oneMore(t optim.Transform, s training, i nx.Tensor) training {
	g := tree.Map(func(p nx.Tensor) nx.Tensor {
		return nx.Sin(nx.Add(nx.Mul(p, 2), nx.Cast(i, p.DType())))
	}, s.Params)
	s.Params, s.Opt = optim.Update(t, g, s.Opt, s.Params, optim.Loss(nx.Sum(nx.Square(s.Params["w"]))))
	return s
}

// near compares two states.
func near(t *testing.T, what string, got, want any, tolerance float64) {
	t.Helper()
	other := maps.Collect(tree.Leaves(want))
	for path, g := range tree.Leaves(got) {
		w, ok := other[path]
		if !ok || g.DType() != w.DType() || !slices.Equal(g.Shape(), w.Shape()) {
			t.Errorf("%s: %s is %s%v, want %s%v", what, path, g.DType(), g.Shape(), w.DType(), w.Shape())
			continue
		}
		a, b := nx.Data[float64](g), nx.Data[float64](w)
		for i := range a {
			d := math.Abs(a[i] - b[i])
			if d > tolerance*max(1, math.Abs(b[i])) || math.IsNaN(a[i]) != math.IsNaN(b[i]) {
				t.Errorf("%s: %s has %v, want %v", what, path, a, b)
				break
			}
		}
		delete(other, path)
	}
	for path := range other {
		t.Errorf("%s: %s is missing", what, path)
	}
}

// Every transform keeps the types of its state and of the parameters, in f32 at least; and it computes the same when
// compiled, in a scan, batched, and in a checkpoint.
func TestEveryTransform(t *testing.T) {
	for name, opt := range all() {
		for _, d := range []nx.DType{nx.F64, nx.F32, nx.BF16, nx.F16} {
			p := values(d, 1)
			s := training{p, optim.Init(opt, p)}
			for path, v := range tree.Leaves(s.Opt) {
				if v.DType().IsFloat() && v.DType().Bits() < 32 {
					t.Errorf("%s: the state of %s parameters has %s at %s", name, d, v.DType(), path)
				}
			}
			next := after(opt, s, 1)
			near(t, name+": types", tree.ZerosLike(next), tree.ZerosLike(s), 0)
		}
		p := values(nx.F64, 1)
		begin := func(p map[string]nx.Tensor) training { return training{p, optim.Init(opt, p)} }
		want := after(opt, begin(p), 4)
		for what, f := range map[string]func(p map[string]nx.Tensor) training{
			"Jit": nx.Jit(func(p map[string]nx.Tensor) training { return after(opt, begin(p), 4) }),
			"Donate": func(p map[string]nx.Tensor) training {
				step := nx.Jit(func(s training, i nx.Tensor) training { return oneMore(opt, s, i) }, nx.Donate(0))
				s := begin(tree.Map(func(x nx.Tensor) nx.Tensor { return nx.Add(x, 0) }, p))
				for i := range 4 {
					s = step(s, nx.New(float64(i)))
				}
				return s
			},
			"Checkpoint": func(p map[string]nx.Tensor) training {
				return nx.Checkpoint(func(p map[string]nx.Tensor) training { return after(opt, begin(p), 4) })(p)
			},
			"Vmap": func(p map[string]nx.Tensor) training {
				twice := tree.Map(func(x nx.Tensor) nx.Tensor { return nx.Stack([]nx.Tensor{x, nx.Mul(x, .5)}) }, p)
				r := nx.Vmap(func(p map[string]nx.Tensor) training { return after(opt, begin(p), 4) })(twice)
				return tree.Map(func(x nx.Tensor) nx.Tensor { return x.At(0) }, r)
			},
		} {
			near(t, name+" under "+what, f(p), want, 1e-9)
		}
		step := func(s training, i nx.Tensor) (training, nx.Tensor) { return oneMore(opt, s, i), i }
		steps, _ := nx.Scan(begin(p), nx.Iota(nx.Shape{4}, nx.F64), step)
		near(t, name+" in a scan", steps, want, 1e-9)
	}
}

// A state that is saved and loaded goes on as the one that was not.
func TestResume(t *testing.T) {
	for name, opt := range all() {
		p := values(nx.F32, 2)
		s := after(opt, training{p, optim.Init(opt, p)}, 3)
		file := filepath.Join(t.TempDir(), "state.safetensors")
		if err := nx.SaveTensors(file, s); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		loaded := training{values(nx.F32, 3), optim.Init(opt, p)}
		if err := nx.LoadTensors(file, &loaded); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		near(t, name, after(opt, loaded, 3), after(opt, s, 3), 0)
	}
}

// Updates are differentiable: the gradient through steps is that of finite differences.
func TestGradThroughSteps(t *testing.T) {
	for _, name := range []string{"momentum", "Adam", "AdaBelief", "Adan", "LAMB", "NovoGrad", "Muon", "Lookahead"} {
		opt := all()[name]
		loss := func(p map[string]nx.Tensor) nx.Tensor {
			end := after(opt, training{p, optim.Init(opt, p)}, 3)
			return nx.Sum(nx.Sin(end.Params["w"]))
		}
		p := values(nx.F64, 4)
		g := nx.Item[float64](nx.Grad(loss)(p)["w"].At(1, 2))
		at := func(h float64) float64 {
			q := maps.Clone(p)
			q["w"] = nx.AddAt(p["w"], h, 1, 2)
			return nx.Item[float64](loss(q))
		}
		const h = 1e-6
		if want := (at(h) - at(-h)) / (2 * h); math.Abs(g-want) > 1e-4*max(1, math.Abs(want)) {
			t.Errorf("%s: the derivative is %v, want %v", name, g, want)
		}
	}
}

// The gradient through norms of zeros is that of 0, not NaN.
func TestGradAtZero(t *testing.T) {
	for name, opt := range map[string]optim.Transform{
		"trust": optim.ScaleByTrustRatio(1, 0, 0), "clip": optim.ClipGlobalNorm(1), "norm": optim.ClipNorm(1),
		"sizes": optim.Chain(optim.ScaleByParamNorm(1e-3), optim.ScaleByParamRMS(1e-3)), "rms": optim.ClipBlockRMS(1),
		"units": optim.AdaptiveClip(.1, 1e-3), "normalise": optim.Normalise(1, 1e-6),
	} {
		g := nx.Grad(func(p map[string]nx.Tensor) nx.Tensor {
			u, _ := optim.Updates(opt, p, optim.Init(opt, p), p)
			return nx.Sum(u["x"])
		})(vector(0, 0))
		if nx.Item[int](nx.All(nx.IsFinite(g["x"]))) != 1 {
			t.Errorf("%s: the gradient is %v", name, g["x"])
		}
	}
}

func ExampleUpdate() {
	opt := optim.Chain(optim.ClipGlobalNorm(1), optim.AdamW(1e-1, 0.0))
	loss := func(p map[string]nx.Tensor) nx.Tensor { return nx.Sum(nx.Square(p["w"])) }
	params := map[string]nx.Tensor{"w": nx.New([]float32{1, -2})}
	state := optim.Init(opt, params)
	for range 100 {
		params, state = optim.Update(opt, nx.Grad(loss)(params), state, params)
	}
	fmt.Printf("%.3f\n", nx.Item[float64](loss(params)))
	// Output:
	// 0.000
}
