package learning_test

import (
	"fmt"
	"math"

	"github.com/go-nx/nx"
	"github.com/go-nx/nx/optim"
)

// pair returns two numbers of the configuration.
func (r *learningRun) pair(key string, a, b float64) (float64, float64) {
	list, _ := r.Config[key].([]any)
	if len(list) == 2 {
		if v, ok := list[0].(float64); ok {
			a = v
		}
		if v, ok := list[1].(float64); ok {
			b = v
		}
	}
	return a, b
}

// torchOptimiser returns an optimiser of PyTorch: weight decay is an L2 penalty there, but for AdamW, Muon and
// Adafactor.
func (r *learningRun) torchOptimiser(name string) optim.Transform {
	num, rate := r.number, r.rate("lr")
	decay := r.rate("weight_decay")
	b1, b2 := r.pair("betas", .9, .999)
	betas, epsilon := optim.Betas(b1, b2), optim.Epsilon(num("eps", 1e-8))
	maximum := r.flag("amsgrad", false)
	first := optim.AddDecay(decay) // an L2 penalty
	last := optim.Chain()          // decoupled decay
	if r.flag("decoupled_weight_decay", false) {
		first, last = last, optim.AddDecay(scaled(decay, rate))
	}
	if r.flag("maximize", false) {
		first = optim.Chain(optim.Scale(-1), first)
	}
	chain := func(t optim.Transform) optim.Transform { return optim.Chain(first, t, last) }
	switch name {
	case "SGD":
		opts := []optim.SGDOption{optim.Dampening(num("dampening", 0))}
		option[optim.SGDOption](&opts, num("momentum", 0) != 0, optim.Momentum(num("momentum", 0)))
		option[optim.SGDOption](&opts, r.flag("nesterov", false), optim.Nesterov)
		return chain(optim.SGD(rate, opts...))
	case "Adam":
		opts := []optim.AdamOption{betas, epsilon}
		option[optim.AdamOption](&opts, maximum, optim.AMSGradRaw)
		return chain(optim.Adam(rate, opts...))
	case "AdamW":
		opts := []optim.AdamWOption{betas, epsilon, optim.DecayOf(optim.All)}
		option[optim.AdamWOption](&opts, maximum, optim.AMSGradRaw)
		t := optim.AdamW(rate, decay, opts...)
		if r.flag("maximize", false) {
			t = optim.Chain(optim.Scale(-1), t)
		}
		return t
	case "NAdam":
		return chain(optim.Adam(rate, betas, epsilon, optim.NarrowProduct,
			optim.MomentumDecay(num("momentum_decay", .004))))
	case "RAdam":
		return chain(optim.RAdam(rate, betas, epsilon, optim.EpsilonUncorrected, optim.Threshold(math.Nextafter(5, 6))))
	case "Adamax":
		return chain(optim.Adamax(rate, betas, epsilon))
	case "RMSprop":
		opts := []optim.RMSPropOption{optim.Rho(num("alpha", .99)), epsilon, optim.EpsilonOutside,
			optim.RateAfterVelocity}
		option[optim.RMSPropOption](&opts, r.flag("centered", false), optim.Centred)
		option[optim.RMSPropOption](&opts, num("momentum", 0) != 0, optim.Momentum(num("momentum", 0)))
		return chain(optim.RMSProp(rate, opts...))
	case "Adagrad":
		if slow := num("lr_decay", 0); slow != 0 {
			rate = optim.InverseTime(num("lr", 0), slow, 1)
		}
		return chain(optim.Adagrad(rate, optim.Initial(num("initial_accumulator_value", 0)),
			optim.Epsilon(num("eps", 1e-10)), optim.EpsilonOutside))
	case "Adadelta":
		return chain(optim.Adadelta(rate, optim.Rho(num("rho", .9)), optim.Epsilon(num("eps", 1e-6))))
	case "Rprop":
		shrink, growth := r.pair("etas", .5, 1.2)
		least, most := r.pair("step_sizes", 1e-6, 50)
		return optim.Rprop(num("lr", 0), optim.StepFactors(shrink, growth), optim.StepBounds(least, most))
	case "ASGD":
		return chain(r.asgd())
	case "Muon":
		return r.torchMuon()
	case "Adafactor":
		least := map[nx.DType]float64{nx.F64: 0x1p-52, nx.F32: 0x1p-23}[r.dtype]
		e1, e2 := r.pair("eps", least, 1e-3)
		return optim.Chain(
			optim.ScaleByFactoredRMS(optim.LastAxes, optim.EpsilonFloor, optim.Epsilon(e1),
				optim.DecayPower(-num("beta2_decay", -.8))),
			optim.ClipBlockRMS(num("d", 1)), optim.ScaleByParamRMS(e2), optim.Descend(relative(rate)),
			optim.AddDecay(scaled(decay, rate)))
	}
	panic(fmt.Sprintf("no optimiser for %q of PyTorch", name))
}

// scaled returns minus the product of two schedules: decoupled decay behind the rate.
func scaled(decay, rate optim.Schedule) optim.Schedule {
	return func(step nx.Tensor) nx.Tensor { return nx.Neg(nx.Mul(decay(step), rate(step))) }
}

// relative returns min(rate, 1/√t), t counting from 1.
func relative(rate optim.Schedule) optim.Schedule {
	return func(step nx.Tensor) nx.Tensor {
		return nx.Minimum(rate(step), nx.Rsqrt(nx.Add(nx.Cast(step, nx.F64), 1)))
	}
}

// asgd is ASGD without its averages: the rate is lr/(1+lambd·lr·t)^alpha, and lambd decays.
func (r *learningRun) asgd() optim.Transform {
	lr, lambd, alpha := r.number("lr", .01), r.number("lambd", 1e-4), r.number("alpha", .75)
	rate := func(step nx.Tensor) nx.Tensor {
		return nx.Div(lr, nx.Pow(nx.Add(nx.Mul(lambd*lr, nx.Cast(step, nx.F64)), 1), alpha))
	}
	return optim.Chain(optim.AddDecay(lambd), optim.Descend(rate))
}

func (r *learningRun) torchMuon() optim.Transform {
	num := r.number
	c := r.Config["ns_coefficients"].([]any)
	opts := []optim.MuonOption{optim.MomentumUncorrected, optim.Momentum(num("momentum", .95)),
		optim.Epsilon(num("eps", 1e-7)), optim.Decay(r.rate("weight_decay")), optim.DecayOf(optim.All),
		optim.NewtonSchulz(r.integer("ns_steps", 5),
			optim.Coefficients{A: c[0].(float64), B: c[1].(float64), C: c[2].(float64)})}
	opts = append(opts, optim.IterateIn(nx.BF16))
	option[optim.MuonOption](&opts, !r.flag("nesterov", true), optim.PlainMomentum)
	option[optim.MuonOption](&opts, r.text("adjust_lr_fn") == "match_rms_adamw", optim.MatchRMS(.2))
	return optim.Muon(r.rate("lr"), opts...)
}

// kerasOptimiser returns an optimiser of Keras.
func (r *learningRun) kerasOptimiser(name string) optim.Transform {
	num, rate := r.number, r.rate("learning_rate")
	betas, epsilon := optim.Betas(num("beta_1", .9), num("beta_2", .999)), optim.Epsilon(num("epsilon", 1e-7))
	var t optim.Transform
	switch name {
	case "SGD":
		opts := []optim.SGDOption{optim.RateInVelocity}
		option[optim.SGDOption](&opts, num("momentum", 0) != 0, optim.Momentum(num("momentum", 0)))
		option[optim.SGDOption](&opts, r.flag("nesterov", false), optim.Nesterov)
		t = optim.SGD(rate, opts...)
	case "Adam", "AdamW":
		opts := []optim.AdamOption{betas, epsilon, optim.EpsilonUncorrected}
		option[optim.AdamOption](&opts, r.flag("amsgrad", false), optim.AMSGradRaw)
		t = optim.Adam(rate, opts...)
	case "Nadam":
		t = optim.Adam(rate, betas, epsilon, optim.MomentumDecay(1))
	case "Adamax":
		t = optim.Adamax(rate, betas, epsilon, optim.EpsilonOutside)
	case "Lamb":
		t = optim.LAMB(rate, betas, epsilon)
	case "Lion":
		t = optim.Lion(rate, optim.Betas(num("beta_1", .9), num("beta_2", .99)))
	case "RMSprop":
		opts := []optim.RMSPropOption{optim.Rho(num("rho", .9)), epsilon}
		option[optim.RMSPropOption](&opts, r.flag("centered", false), optim.Centred)
		option[optim.RMSPropOption](&opts, num("momentum", 0) != 0, optim.Momentum(num("momentum", 0)))
		t = optim.RMSProp(rate, opts...)
	case "Adagrad":
		t = optim.Adagrad(rate, optim.Initial(num("initial_accumulator_value", .1)), epsilon)
	case "Adadelta":
		t = optim.Adadelta(rate, optim.Rho(num("rho", .95)), epsilon)
	case "Adafactor":
		// Without relative steps, too, the rate is at most 1/√t.
		t = optim.Chain(
			optim.ScaleByFactoredRMS(optim.LastAxes, optim.Epsilon(num("epsilon_1", 1e-30)),
				optim.DecayPower(-num("beta_2_decay", -.8))),
			optim.ClipBlockRMS(num("clip_threshold", 1)), optim.ScaleByParamRMS(num("epsilon_2", 1e-3)),
			optim.Descend(relative(rate)))
	case "Ftrl":
		t = optim.FTRL(rate, optim.Initial(num("initial_accumulator_value", .1)), optim.StartBeta(num("beta", 0)),
			optim.RatePower(num("learning_rate_power", -.5)), optim.Penalties(num("l1_regularization_strength", 0),
				num("l2_regularization_strength", 0), num("l2_shrinkage_regularization_strength", 0)))
	case "Muon":
		return r.kerasCommon(r.kerasMuon())
	default:
		panic(fmt.Sprintf("no optimiser for %q of Keras", name))
	}
	if r.has("weight_decay") {
		t = decayFirst{scaled(r.rate("weight_decay"), rate), t}
	}
	return r.kerasCommon(t)
}

// decayFirst decays parameters by a part of themselves before an optimiser sees them, as Keras does.
type decayFirst struct {
	part  optim.Schedule // below 0
	after optim.Transform
}

type decayFirstState struct {
	Step  nx.Tensor
	Inner optim.State
}

func (d decayFirst) Init(params []optim.Leaf) optim.State {
	return decayFirstState{nx.New(int32(0)), d.after.Init(params)}
}

func (d decayFirst) Update(updates []optim.Leaf, s optim.State, step optim.Step) ([]optim.Leaf, optim.State) {
	old := s.(decayFirstState)
	part := d.part(old.Step)
	change := make([]nx.Tensor, len(updates))
	decayed := make([]optim.Leaf, len(updates))
	for i, p := range step.Params {
		change[i] = nx.Mul(p.Tensor, nx.Cast(part, p.Tensor.DType()))
		decayed[i] = optim.Leaf{Path: p.Path, Tensor: nx.Add(p.Tensor, change[i])}
	}
	step.Params = decayed
	updates, inner := d.after.Update(updates, old.Inner, step)
	all := make([]optim.Leaf, len(updates))
	for i, u := range updates {
		all[i] = optim.Leaf{Path: u.Path, Tensor: nx.Add(u.Tensor, change[i])}
	}
	return all, decayFirstState{nx.Add(old.Step, 1), inner}
}

// kerasMuon returns Muon of Keras with its two decays.
func (r *learningRun) kerasMuon() optim.Transform {
	num, rate, momentum := r.number, r.rate("learning_rate"), r.number("momentum", .95)
	opts := []optim.MuonOption{optim.MomentumUncorrected, optim.Momentum(momentum),
		optim.Epsilon((1 - momentum) * 1e-7), optim.Decay(r.rate("weight_decay")), optim.DecayOf(optim.All),
		optim.NewtonSchulz(r.integer("ns_steps", 5),
			optim.Coefficients{A: num("muon_a", 3.4445), B: num("muon_b", -4.775), C: num("muon_c", 2.0315)})}
	option[optim.MuonOption](&opts, !r.flag("nesterov", true), optim.PlainMomentum)
	if r.has("rms_rate") {
		opts = append(opts, optim.MatchRMS(num("rms_rate", .2)))
	} else {
		opts = append(opts, optim.Unscaled)
	}
	ratio := num("adam_lr_ratio", 1)
	adam := optim.Adam(optim.Schedule(func(step nx.Tensor) nx.Tensor { return nx.Mul(ratio, rate(step)) }),
		optim.Betas(num("adam_beta_1", .9), num("adam_beta_2", .999)), optim.Epsilon(num("epsilon", 1e-7)),
		optim.EpsilonUncorrected)
	rest := optim.Chain(adam, optim.AddDecay(scaled(r.rate("adam_weight_decay"), rate)))
	return optim.Muon(rate, append(opts, optim.Rest(rest))...)
}

// kerasCommon adds what all optimisers of Keras have: clipping, accumulation and a scale of the loss.
func (r *learningRun) kerasCommon(t optim.Transform) optim.Transform {
	num := r.number
	clipped := optim.Chain()
	switch {
	case num("clipnorm", 0) > 0:
		clipped = optim.ClipNorm(num("clipnorm", 0))
	case num("global_clipnorm", 0) > 0:
		clipped = optim.ClipGlobalNorm(num("global_clipnorm", 0))
	case num("clipvalue", 0) > 0:
		clipped = optim.ClipValue(num("clipvalue", 0))
	}
	t = optim.Chain(clipped, t)
	if n := r.integer("gradient_accumulation_steps", 0); n > 0 {
		t = optim.Accumulate(n, t)
	}
	if f := num("loss_scale_factor", 0); f > 0 {
		t = optim.Chain(optim.Scale(1/f), t)
	}
	return t
}
