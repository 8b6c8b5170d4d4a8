package learning_test

import (
	"fmt"
	"maps"
	"math"
	"strings"

	"github.com/go-nx/nx"
	"github.com/go-nx/nx/optim"
)

func init() { learningFamilies["transformations"] = runTransformation }

// runTransformation computes updates, parameters and states as the names of the outputs say.
func runTransformation(r *learningRun) learningResults {
	switch {
	case strings.Contains(r.Source.Symbol, "clip_grad_"):
		return r.torchClip()
	case r.Source.Symbol == "optax.incremental_update":
		return r.averageOfParams()
	case r.Source.Library == "keras":
		return r.paramsOf(r.optimiser())
	}
	t := r.transform()
	out := leaves{}
	end := r.train(t, func(step int, after *training, updates leaves) {
		for name := range updates {
			out[fmt.Sprintf("update.step%d.%s", step, name)] = updates[name]
			out[fmt.Sprintf("param.step%d.%s", step, name)] = after.Params[name]
			out[fmt.Sprintf("fast.step%d.%s", step, name)] = after.Params[name]
			if s, ok := after.Opt.(optim.LookaheadState); ok {
				out[fmt.Sprintf("slow.step%d.%s", step, name)] = s.Slow["["+name+"]"]
			}
		}
	})
	switch s := end.Opt.(type) {
	case optim.SkipState:
		out["state.notfinite_count"], out["state.total_notfinite"] = s.InRow, s.Total
		out["state.last_finite"] = nx.Cast(s.Finite, nx.S32)
	case optim.AccumulateState:
		out["state.mini_step"], out["state.gradient_step"] = s.Collected, s.Step
	case optim.PlateauState:
		out["state.scale"], out["state.best_value"] = s.Scale, s.Best
		out["state.plateau_count"], out["state.cooldown_count"] = s.Bad, s.Cooldown
	}
	return learningResults{outputs: out}
}

// transform returns that of a configuration: a chain, a wrapper, or one of Optax.
func (r *learningRun) transform() optim.Transform {
	list, ok := r.Config["chain"].([]any)
	if r.text("transform") == "chain" {
		list, ok = r.Config["transforms"].([]any)
	}
	if ok {
		var ts []optim.Transform
		for _, c := range list {
			ts = append(ts, r.with(c).transform())
		}
		return optim.Chain(ts...)
	}
	num := r.number
	inner := func() optim.Transform { return r.with(r.Config["inner"]).transform() }
	switch name := r.text("transform"); name {
	case "apply_if_finite":
		return optim.SkipNonFinite(inner(), r.integer("max_consecutive_errors", 0))
	case "MultiSteps":
		var opts []optim.AccumulateOption
		option[optim.AccumulateOption](&opts, !r.flag("use_grad_mean", true), optim.SumGradients)
		option[optim.AccumulateOption](&opts, r.text("should_skip_update_fn") == "skip_not_finite", optim.OnlyFinite)
		if rule := r.text("every_k_schedule"); rule != "" {
			return optim.Accumulate(growing(rule), inner(), opts...)
		}
		return optim.Accumulate(r.integer("every_k_schedule", 1), inner(), opts...)
	case "lookahead":
		var opts []optim.LookaheadOption
		option[optim.LookaheadOption](&opts, r.flag("reset_state", false), optim.ResetState)
		return optim.Lookahead(r.integer("sync_period", 1), num("slow_step_size", 0), inner(), opts...)
	case "masked":
		return optim.Where(r.mask("mask"), inner())
	case "selective_transform":
		return optim.Freeze(r.mask("freeze_mask"), inner())
	case "freeze":
		return optim.Where(r.mask("mask"), optim.Zero())
	case "partition", "multi_transform":
		return r.partition()
	case "":
		return r.optaxTransform(strings.TrimPrefix(r.Source.Symbol, "optax."))
	default:
		return r.optaxTransform(name)
	}
}

// growing returns the number of gradients of a rule such as "k = 2 where gradient_step < 3, else 4".
func growing(rule string) optim.Schedule {
	var first, until, then int
	if _, err := fmt.Sscanf(rule, "k = %d where gradient_step < %d, else %d", &first, &until, &then); err != nil {
		panic(fmt.Sprintf("the rule %q: %v", rule, err))
	}
	return optim.Piecewise([]int{until}, float64(first), float64(then))
}

// partition returns groups: of the entries of the configuration, one has a transformation for each label, and another
// one a label for each parameter.
func (r *learningRun) partition() optim.Transform {
	groups, labels := map[string]optim.Transform{}, map[string]string{}
	for _, entry := range r.Config {
		m, _ := entry.(map[string]any)
		for key, v := range m {
			switch v := v.(type) {
			case string:
				labels[key] = v
			case map[string]any:
				groups[key] = r.with(v).transform()
			}
		}
	}
	return optim.Groups(func(l optim.Leaf) string { return labels[strings.Trim(l.Path, "[]")] }, groups)
}

// optaxGradient returns a transformation of gradients by its name in Optax.
func (r *learningRun) optaxGradient(name string) optim.Transform {
	num := r.number
	switch name {
	case "identity":
		return optim.Chain()
	case "set_to_zero":
		return optim.Zero()
	case "clip":
		return optim.ClipValue(num("max_delta", 0))
	case "clip_by_global_norm":
		return optim.ClipGlobalNorm(num("max_norm", 0))
	case "clip_by_block_rms":
		return optim.ClipBlockRMS(num("threshold", 0))
	case "adaptive_grad_clip":
		axes := r.integers("axis", 1)
		if axes == nil {
			axes = []int{0}
		}
		return optim.AdaptiveClip(num("clipping", 0), num("eps", 1e-3), optim.UnitAxes(axes...))
	case "centralize":
		return optim.Centralise()
	case "scale":
		return optim.Scale(num("step_size", 1))
	case "scale_by_schedule":
		return optim.Scale(signed(r.rate("step_size_fn"), num("sign", 1)))
	case "scale_by_learning_rate":
		sign := 1.0
		if r.flag("flip_sign", true) {
			sign = -1
		}
		return optim.Scale(signed(r.rate("learning_rate"), sign))
	case "scale_by_sign":
		return optim.ScaleBySign()
	case "scale_by_trust_ratio":
		return optim.ScaleByTrustRatio(num("trust_coefficient", 1), num("eps", 0), num("min_norm", 0))
	case "scale_by_param_block_norm":
		return optim.ScaleByParamNorm(num("min_scale", 1e-3))
	case "scale_by_param_block_rms":
		return optim.ScaleByParamRMS(num("min_scale", 1e-3))
	case "scale_by_optimistic_gradient":
		return optim.ScaleByOptimistic(num("alpha", 1), num("beta", 1))
	case "scale_by_polyak":
		return optim.ScaleByPolyak(num("f_min", 0), num("max_learning_rate", 1), num("eps", 0))
	case "add_decayed_weights":
		return optim.Where(r.mask("mask"), optim.AddDecay(r.rate("weight_decay")))
	case "trace":
		var opts []optim.SGDOption
		option[optim.SGDOption](&opts, r.flag("nesterov", false), optim.Nesterov)
		return optim.Trace(num("decay", 0), opts...)
	case "ema":
		var opts []optim.EMAOption
		option[optim.EMAOption](&opts, r.flag("debias", true), optim.Debiased)
		return optim.EMA(num("decay", 0), opts...)
	case "normalize_by_update_norm":
		return optim.Normalise(num("scale_factor", 1), num("eps", 1e-6))
	case "keep_params_nonnegative":
		return optim.KeepNonNegative()
	case "zero_nans":
		return optim.ZeroNaNs()
	case "apply_every":
		return optim.Chain(optim.Accumulate(r.integer("k", 1), optim.Chain(), optim.SumGradients))
	case "reduce_on_plateau":
		return optim.ReduceOnPlateau(optim.Factor(num("factor", .1)), optim.Patience(r.integer("patience", 10)),
			optim.Improvement(num("rtol", 1e-4), num("atol", 0)), optim.Cooldown(r.integer("cooldown", 0)),
			optim.Window(r.integer("accumulation_size", 1)), optim.MinScale(num("min_scale", 0)))
	}
	return nil
}

func signed(s optim.Schedule, sign float64) optim.Schedule {
	return func(step nx.Tensor) nx.Tensor { return nx.Mul(sign, s(step)) }
}

// torchClip clips the gradients of some steps, one by one.
func (r *learningRun) torchClip() learningResults {
	t := optim.ClipValue(r.number("clip_value", 0))
	if strings.HasSuffix(r.Source.Symbol, "clip_grad_norm_") {
		t = optim.ClipGlobalNorm(r.number("max_norm", 0), optim.TorchClip, optim.NormOrder(r.number("norm_type", 2)))
	}
	gradients, out := r.named("gradient."), leaves{}
	steps := map[int]bool{}
	for name := range r.Outputs {
		steps[stepOf(name)] = true
	}
	for step := range steps {
		g := leaves{}
		for name, list := range gradients {
			g[name] = list.At(step - 1)
		}
		clipped, s := optim.Updates(t, g, optim.Init(t, g), g)
		for name, v := range clipped {
			out[fmt.Sprintf("step%d.%s", step, name)] = v
		}
		if s, ok := s.(optim.ClipState); ok {
			out[fmt.Sprintf("step%d.norm", step)] = s.Norm
		}
	}
	return learningResults{outputs: out}
}

// averageOfParams computes the moving average of the parameters of gradient descent.
func (r *learningRun) averageOfParams() learningResults {
	out := leaves{}
	average := maps.Clone(r.named("param."))
	r.train(optim.SGD(r.number("learning_rate", 0)), func(step int, after *training, _ leaves) {
		average = optim.Average(average, after.Params, 1-r.number("step_size", math.NaN()))
		for name, v := range average {
			out[fmt.Sprintf("ema.step%d.%s", step, name)] = v
		}
	})
	return learningResults{outputs: out}
}
