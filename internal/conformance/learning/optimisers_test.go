package learning_test

import (
	"fmt"
	"maps"
	"math"
	"strconv"
	"strings"

	"github.com/go-nx/nx"
	"github.com/go-nx/nx/optim"
)

func init() { learningFamilies["optimisers"] = runOptimiser }

// leaves are parameters, gradients or updates by name.
type leaves = map[string]nx.Tensor

// training is the state of the runs of a case.
type training struct {
	Params leaves
	Opt    optim.State
}

// runOptimiser computes the parameters after the steps that a case lists.
func runOptimiser(r *learningRun) learningResults {
	if r.Source.Symbol == "optax.lbfgs" {
		return r.runLBFGS()
	}
	return r.paramsOf(r.optimiser())
}

// paramsOf returns the parameters after each step of an optimiser.
func (r *learningRun) paramsOf(t optim.Transform) learningResults {
	out := leaves{}
	average, every := leaves(nil), r.integer("ema_overwrite_frequency", 0)
	r.train(t, func(step int, after *training, _ leaves) {
		if r.flag("use_ema", false) && every > 0 { // of Keras
			if average == nil {
				average = maps.Clone(after.Params)
			}
			average = optim.Average(average, after.Params, r.number("ema_momentum", .99))
			if step%every == 0 {
				after.Params = maps.Clone(average)
			}
		}
		for name, p := range after.Params {
			out[fmt.Sprintf("step%d.%s", step, name)] = p
		}
	})
	return learningResults{outputs: out}
}

// train applies a transform to the gradients of a case, and calls seen after each step, from 1 on, with the updates
// too.
func (r *learningRun) train(t optim.Transform, seen func(step int, after *training, updates leaves)) training {
	params, gradients := r.named("param."), r.named("gradient.")
	value := r.in("value")
	s := training{params, optim.Init(t, params)}
	run := nx.Jit(func(s training, g leaves, loss nx.Tensor) (training, leaves) {
		updates, _ := optim.Updates(t, g, s.Opt, s.Params, optim.Loss(loss))
		s.Params, s.Opt = optim.Update(t, g, s.Opt, s.Params, optim.Loss(loss))
		return s, updates
	})
	steps := 0
	for _, g := range gradients {
		steps = g.Shape()[0]
	}
	for i := range steps {
		g := leaves{}
		for name, list := range gradients {
			g[name] = list.At(i)
		}
		loss := nx.New(0.0)
		if !value.IsZero() {
			loss = value.At(i)
		}
		var updates leaves
		s, updates = run(s, g, loss)
		seen(i+1, &s, updates)
	}
	return s
}

// mask returns the choice of leaves of a mask of the configuration.
func (r *learningRun) mask(key string) func(optim.Leaf) bool {
	switch m := r.Config[key].(type) {
	case map[string]any:
		return func(l optim.Leaf) bool { return m[strings.Trim(l.Path, "[]")] == true }
	case bool:
		return func(optim.Leaf) bool { return m }
	}
	return optim.All
}

// with returns the run with another configuration.
func (r *learningRun) with(config any) *learningRun {
	c := *r
	c.Config = config.(map[string]any)
	return &c
}

// optimiser returns that of a case.
func (r *learningRun) optimiser() optim.Transform {
	library, name := r.Source.Symbol, r.Source.Symbol
	if i := strings.Index(name, "."); i >= 0 {
		library, name = name[:i], name[strings.LastIndex(name, ".")+1:]
	}
	switch library {
	case "torch":
		return r.torchOptimiser(name)
	case "keras":
		return r.kerasOptimiser(name)
	}
	return r.optaxTransform(name)
}

func (r *learningRun) has(key string) bool { return r.Config[key] != nil }

func option[O any](list *[]O, set bool, o O) {
	if set {
		*list = append(*list, o)
	}
}

// stepOf returns the step in a name such as update.step5.w.
func stepOf(name string) int {
	_, rest, _ := strings.Cut(name, "step")
	digits, _, _ := strings.Cut(rest, ".")
	n, _ := strconv.Atoi(digits)
	return n
}

// optaxTransform returns an optimiser or a transformation by its name in Optax.
func (r *learningRun) optaxTransform(name string) optim.Transform {
	for _, family := range []func(string) optim.Transform{r.optaxAdam, r.optaxOther, r.optaxGradient} {
		if t := family(name); t != nil {
			return t
		}
	}
	panic(fmt.Sprintf("no transform for %q", name))
}

// optaxAdam returns the relatives of Adam.
func (r *learningRun) optaxAdam(name string) optim.Transform {
	num, rate := r.number, r.rate("learning_rate")
	nesterov := r.flag("nesterov", false) || strings.HasPrefix(name, "nadam") || strings.HasPrefix(name, "optimistic")
	decay, decayOf := r.rate("weight_decay"), optim.DecayOf(r.mask("mask"))
	betas := optim.Betas(num("b1", .9), num("b2", .999))
	epsilon, root := optim.Epsilon(num("eps", 1e-8)), optim.EpsilonRoot(num("eps_root", 0))
	switch strings.TrimPrefix(name, "scale_by_") {
	case "adam", "nadam", "amsgrad", "optimistic_adam_v2", "optimistic_adam":
		opts := []optim.AdamOption{betas, epsilon, root}
		option[optim.AdamOption](&opts, nesterov, optim.Nesterov)
		option[optim.AdamOption](&opts, strings.HasSuffix(name, "amsgrad"), optim.AMSGrad)
		option[optim.AdamOption](&opts, !r.flag("bias_correction_mu", true), optim.MeanUncorrected)
		option[optim.AdamOption](&opts, !r.flag("bias_correction_nu", true), optim.SquareUncorrected)
		switch {
		case strings.HasPrefix(name, "scale_by_"):
			return optim.ScaleByAdam(opts...)
		case name == "optimistic_adam":
			lr := num("learning_rate", 0)
			return optim.Chain(optim.ScaleByAdam(opts...), optim.ScaleByOptimistic(lr, num("optimism", lr)),
				optim.Scale(-1))
		case name == "optimistic_adam_v2":
			return optim.Chain(optim.ScaleByAdam(opts...), optim.ScaleByOptimistic(num("alpha", 1), num("beta", 1)),
				optim.Descend(rate))
		}
		return optim.Adam(rate, opts...)
	case "adamw", "nadamw":
		opts := []optim.AdamWOption{betas, epsilon, root, decayOf}
		option[optim.AdamWOption](&opts, nesterov, optim.Nesterov)
		return optim.AdamW(rate, decay, opts...)
	case "adabelief", "belief":
		opts := []optim.BeliefOption{betas, optim.Epsilon(num("eps", 1e-16)), optim.EpsilonRoot(num("eps_root", 1e-16))}
		option[optim.BeliefOption](&opts, nesterov, optim.Nesterov)
		if name == "scale_by_belief" {
			return optim.ScaleByBelief(opts...)
		}
		return optim.AdaBelief(rate, opts...)
	case "yogi":
		opts := []optim.YogiOption{betas, root, optim.Epsilon(num("eps", 1e-3)),
			optim.Initial(num("initial_accumulator_value", 1e-6))}
		if name == "scale_by_yogi" {
			return optim.ScaleByYogi(opts...)
		}
		return optim.Yogi(rate, opts...)
	case "radam":
		opts := []optim.RAdamOption{betas, epsilon, root, optim.Threshold(num("threshold", 5))}
		option[optim.RAdamOption](&opts, nesterov, optim.Nesterov)
		if name == "scale_by_radam" {
			return optim.ScaleByRAdam(opts...)
		}
		return optim.RAdam(rate, opts...)
	case "adamax":
		if name == "scale_by_adamax" {
			return optim.ScaleByAdamax(betas, epsilon)
		}
		return optim.Adamax(rate, betas, epsilon)
	case "adamaxw":
		return optim.Adamax(rate, betas, epsilon, optim.Decay(decay), decayOf)
	case "lamb":
		return optim.LAMB(rate, betas, root, optim.Epsilon(num("eps", 1e-6)), optim.Decay(decay), decayOf)
	case "lion":
		betas := optim.Betas(num("b1", .9), num("b2", .99))
		if name == "scale_by_lion" {
			return optim.ScaleByLion(betas)
		}
		return optim.Lion(rate, betas, optim.Decay(decay), decayOf)
	case "adan":
		opts := []optim.AdanOption{optim.AdanBetas(num("b1", .98), num("b2", .92), num("b3", .99)), epsilon,
			optim.EpsilonRoot(num("eps_root", 1e-8))}
		if name == "scale_by_adan" {
			return optim.ScaleByAdan(append(opts, root)...)
		}
		return optim.Adan(rate, append(opts, optim.Decay(decay), decayOf)...)
	case "novograd":
		opts := []optim.NovoGradOption{optim.Betas(num("b1", .9), num("b2", .25)), optim.Epsilon(num("eps", 1e-6)),
			root, optim.Decay(decay), decayOf}
		if name == "scale_by_novograd" {
			return optim.ScaleByNovoGrad(opts...)
		}
		return optim.NovoGrad(rate, opts...)
	}
	return nil
}

// optaxOther returns the other optimisers of Optax.
func (r *learningRun) optaxOther(name string) optim.Transform {
	num, rate := r.number, r.rate("learning_rate")
	nesterov := r.flag("nesterov", false)
	switch name {
	case "sgd", "noisy_sgd":
		var opts []optim.SGDOption
		option[optim.SGDOption](&opts, r.has("momentum"), optim.Momentum(num("momentum", 0)))
		option[optim.SGDOption](&opts, nesterov, optim.Nesterov)
		return optim.SGD(rate, opts...)
	case "rmsprop", "scale_by_rms", "scale_by_stddev":
		opts := []optim.RMSPropOption{optim.Rho(num("decay", .9)), optim.Epsilon(num("eps", 1e-8)),
			optim.Initial(num("initial_scale", 0))}
		option[optim.RMSPropOption](&opts, !r.flag("eps_in_sqrt", true), optim.EpsilonOutside)
		option[optim.RMSPropOption](&opts, r.flag("centered", name == "scale_by_stddev"), optim.Centred)
		option[optim.RMSPropOption](&opts, r.flag("bias_correction", false), optim.Corrected)
		option[optim.RMSPropOption](&opts, r.has("momentum"), optim.Momentum(num("momentum", 0)))
		option[optim.RMSPropOption](&opts, nesterov, optim.Nesterov)
		if name != "rmsprop" {
			return optim.ScaleByRMS(opts...)
		}
		return optim.RMSProp(rate, opts...)
	case "adagrad", "scale_by_rss":
		opts := []optim.AdagradOption{optim.Initial(num("initial_accumulator_value", .1)),
			optim.Epsilon(num("eps", 1e-7))}
		if name == "scale_by_rss" {
			return optim.ScaleByAdagrad(opts...)
		}
		return optim.Adagrad(rate, opts...)
	case "adadelta":
		return optim.Chain(optim.Where(r.mask("weight_decay_mask"), optim.AddDecay(r.rate("weight_decay"))),
			optim.Adadelta(rate, optim.Rho(num("rho", .9)), optim.Epsilon(num("eps", 1e-6))))
	case "scale_by_adadelta":
		return optim.ScaleByAdadelta(optim.Rho(num("rho", .9)), optim.Epsilon(num("eps", 1e-6)))
	case "lars":
		opts := []optim.LARSOption{optim.TrustCoefficient(num("trust_coefficient", 1e-3)), optim.Epsilon(num("eps", 0)),
			optim.Momentum(num("momentum", .9)), optim.Decay(r.rate("weight_decay")),
			optim.DecayOf(r.mask("weight_decay_mask")), optim.TrustOf(r.mask("trust_ratio_mask"))}
		option[optim.LARSOption](&opts, nesterov, optim.Nesterov)
		return optim.LARS(rate, opts...)
	case "fromage":
		return optim.Fromage(rate, num("min_norm", 1e-6))
	case "sign_sgd":
		return optim.SignSGD(rate)
	case "signum":
		return optim.Signum(rate, num("beta", .9))
	case "sm3":
		return optim.SM3(rate, num("momentum", .9))
	case "scale_by_sm3":
		return optim.ScaleBySM3(num("b1", .9))
	case "rprop", "scale_by_rprop":
		opts := []optim.RpropOption{optim.StepFactors(num("eta_minus", .5), num("eta_plus", 1.2)),
			optim.StepBounds(num("min_step_size", 1e-6), num("max_step_size", 50)), optim.LateSteps}
		if name == "scale_by_rprop" {
			return optim.ScaleByRprop(num("learning_rate", 0), opts...)
		}
		return optim.Rprop(num("learning_rate", 0), opts...)
	case "optimistic_gradient_descent":
		return optim.Chain(optim.ScaleByOptimistic(num("alpha", 1), num("beta", 1)), optim.Descend(rate))
	case "polyak_sgd":
		return optim.Chain(optim.Descend(r.rate("scaling")),
			optim.ScaleByPolyak(num("f_min", 0), num("max_learning_rate", 1), num("eps", 0)))
	case "adafactor", "scale_by_factored_rms":
		return r.optaxAdafactor(name)
	case "muon":
		return r.optaxMuon()
	}
	return nil
}

func (r *learningRun) optaxAdafactor(name string) optim.Transform {
	num := r.number
	opts := []optim.AdafactorOption{optim.MinFactored(r.integer("min_dim_size_to_factor", 128)),
		optim.DecayPower(num("decay_rate", .8)),
		optim.DecayOffset(r.integer("decay_offset", r.integer("step_offset", 0))),
		optim.Epsilon(num("eps", num("epsilon", 1e-30)))}
	if v, ok := r.Config["clipping_threshold"]; ok && v == nil {
		opts = append(opts, optim.ClipRMS(0))
	} else {
		opts = append(opts, optim.ClipRMS(num("clipping_threshold", 1)))
	}
	if !r.flag("factored", true) {
		opts = append(opts, optim.MinFactored(math.MaxInt))
	}
	if name != "adafactor" {
		return optim.ScaleByFactoredRMS(opts...)
	}
	option[optim.AdafactorOption](&opts, !r.flag("multiply_by_parameter_scale", true), optim.Unscaled)
	option[optim.AdafactorOption](&opts, r.has("momentum"), optim.Momentum(num("momentum", 0)))
	opts = append(opts, optim.Decay(r.rate("weight_decay_rate")), optim.DecayOf(r.mask("weight_decay_mask")))
	if !r.has("learning_rate") {
		return optim.Adafactor(1, opts...)
	}
	return optim.Adafactor(r.rate("learning_rate"), opts...)
}

func (r *learningRun) optaxMuon() optim.Transform {
	num, nesterov := r.number, r.flag("nesterov", true)
	var coefficients []optim.Coefficients
	list, _ := r.Config["ns_coeffs"].([]any)
	if r.text("ns_coeffs") == "dion" {
		list = []any{[]any{4.0848, -6.8946, 2.927}, []any{3.9505, -6.3029, 2.6377}, []any{3.7418, -5.5913, 2.3037},
			[]any{2.8769, -3.1427, 1.2046}, []any{2.8366, -3.0525, 1.2012}}
	}
	if len(list) > 0 {
		if _, nested := list[0].([]any); !nested {
			list = []any{list}
		}
	}
	for _, c := range list {
		c := c.([]any)
		coefficients = append(coefficients, optim.Coefficients{A: c[0].(float64), B: c[1].(float64), C: c[2].(float64)})
	}
	opts := []optim.MuonOption{optim.InputsFirst, optim.Momentum(num("beta", .95)), optim.Epsilon(num("eps", 1e-8)),
		optim.NewtonSchulz(r.integer("ns_steps", 5), coefficients...), optim.Decay(r.rate("weight_decay")),
		optim.DecayOf(r.mask("weight_decay_mask"))}
	option[optim.MuonOption](&opts, !nesterov, optim.PlainMomentum)
	kind := r.text("preconditioning")
	option[optim.MuonOption](&opts, kind == "aol", optim.ByRows)
	option[optim.MuonOption](&opts, kind == "schatten", optim.BySchattenNorm)
	option[optim.MuonOption](&opts, kind == "spectral", optim.BySpectralNorm)
	option[optim.MuonOption](&opts, r.flag("adaptive", false), optim.Adaptive)
	option[optim.MuonOption](&opts, r.has("consistent_rms"), optim.MatchRMS(num("consistent_rms", 0)))
	adam := []optim.AdamWOption{optim.Betas(num("adam_b1", .9), num("adam_b2", .999)), optim.Epsilon(num("eps", 1e-8)),
		optim.EpsilonRoot(num("adam_eps_root", 0)), optim.DecayOf(optim.All)}
	option[optim.AdamWOption](&adam, nesterov, optim.Nesterov)
	rate := r.rate("learning_rate")
	if r.has("adam_learning_rate") {
		rate = r.rate("adam_learning_rate")
	}
	opts = append(opts, optim.Rest(optim.AdamW(rate, r.rate("adam_weight_decay"), adam...)))
	return optim.Muon(r.rate("learning_rate"), opts...)
}

// runLBFGS computes the points of L-BFGS on an objective.
func (r *learningRun) runLBFGS() learningResults {
	a, b, x := r.in("A"), r.in("b"), r.in("x0")
	f := func(x nx.Tensor) nx.Tensor {
		return nx.Sub(nx.Mul(.5, nx.Sum(nx.Mul(x, nx.Dot(a, x)))), nx.Sum(nx.Mul(b, x)))
	}
	if strings.HasPrefix(r.text("objective"), "rosenbrock") {
		f = func(x nx.Tensor) nx.Tensor {
			n := x.Size()
			first, second := x.At(nx.To(n-1)), x.At(nx.From(1))
			return nx.Sum(nx.Add(nx.Mul(100, nx.Square(nx.Sub(second, nx.Square(first)))), nx.Square(nx.Sub(1, first))))
		}
	}
	last := 0
	for name := range r.Outputs {
		last = max(last, stepOf(name))
	}
	opts := []optim.LBFGSOption{optim.Memory(r.integer("memory_size", 10))}
	option[optim.LBFGSOption](&opts, !r.flag("scale_init_precond", true), optim.PlainStart)
	if r.has("linesearch") {
		all := []optim.MinimiseOption{optim.MaxSteps(last), optim.GradTolerance(0)}
		for _, o := range opts {
			all = append(all, o)
		}
		m := nx.Jit(func(x nx.Tensor) optim.Minimum[nx.Tensor] { return optim.Minimise(f, x, all...) })(x)
		return learningResults{outputs: leaves{fmt.Sprintf("step%d.x", last): m.Params, "value": m.Value}}
	}
	t := optim.LBFGS(r.rate("learning_rate"), opts...)
	type state struct {
		X   nx.Tensor
		Opt optim.State
	}
	step := nx.Jit(func(s state) state {
		s.X, s.Opt = optim.Update(t, nx.Grad(f)(s.X), s.Opt, s.X)
		return s
	})
	s, out := state{x, optim.Init(t, x)}, leaves{}
	for i := range last {
		s = step(s)
		out[fmt.Sprintf("step%d.x", i+1)] = s.X
	}
	out["value"] = f(s.X)
	return learningResults{outputs: out}
}
