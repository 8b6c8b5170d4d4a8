package learning_test

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"

	"github.com/go-nx/nx"
	"github.com/go-nx/nx/optim"
)

func init() { learningFamilies["schedules"] = runSchedule }

// runSchedule computes a schedule at all steps of a case. The f32 run has the same values: schedules are f64.
func runSchedule(r *learningRun) learningResults {
	s := r.schedule(r.Config)
	steps := nx.Cast(r.in("step"), nx.S32)
	value := nx.Map(steps, func(step nx.Tensor) nx.Tensor { return s(step) })
	return learningResults{outputs: map[string]nx.Tensor{"value": value}}
}

// rate returns the rate of a key of the configuration: a number, or a schedule.
func (r *learningRun) rate(key string) optim.Schedule {
	if c, ok := r.Config[key].(map[string]any); ok {
		return r.schedule(c)
	}
	return optim.Constant(r.number(key, 0))
}

// schedule returns the schedule of a configuration of Optax or Keras.
func (r *learningRun) schedule(config map[string]any) optim.Schedule {
	c := *r
	c.Config = config
	num, count := c.number, c.integer
	kind := c.text("schedule")
	if s, ok := c.kerasSchedule(kind); ok {
		return s
	}
	switch kind {
	case "constant_schedule":
		return optim.Constant(num("value", 0))
	case "polynomial_schedule":
		return optim.Delay(count("transition_begin", 0), optim.Polynomial(num("init_value", 0), num("end_value", 0),
			num("power", 1), count("transition_steps", 0)))
	case "linear_schedule":
		return optim.Delay(count("transition_begin", 0), optim.Linear(num("init_value", 0), num("end_value", 0),
			count("transition_steps", 0)))
	case "exponential_decay":
		return c.exponential("init_value")
	case "cosine_decay_schedule":
		from := num("init_value", 0)
		return optim.Cosine(from, from*num("alpha", 0), count("decay_steps", 0), optim.Exponent(num("exponent", 1)))
	case "piecewise_constant_schedule":
		steps, values := c.scaled(num("init_value", 0))
		return optim.Piecewise(steps[1:], values...)
	case "piecewise_interpolate_schedule":
		steps, values := c.scaled(num("init_value", 0))
		if c.text("interpolate_type") == "cosine" {
			return optim.CosinePieces(steps, values)
		}
		return optim.LinearPieces(steps, values)
	case "linear_onecycle_schedule":
		return optim.OneCycleLinear(num("peak_value", 0), count("transition_steps", 0),
			optim.PeakAt(num("pct_start", .3)), optim.FallUntil(num("pct_final", .85)),
			optim.StartDivisor(num("div_factor", 25)), optim.EndDivisor(num("final_div_factor", 1e4)))
	case "cosine_onecycle_schedule":
		return optim.OneCycle(num("peak_value", 0), count("transition_steps", 0), optim.PeakAt(num("pct_start", .3)),
			optim.StartDivisor(num("div_factor", 25)), optim.EndDivisor(num("final_div_factor", 1e4)))
	case "warmup_constant_schedule":
		return optim.Linear(num("init_value", 0), num("peak_value", 0), count("warmup_steps", 0))
	case "warmup_cosine_decay_schedule":
		return optim.WarmupCosine(num("init_value", 0), num("peak_value", 0), count("warmup_steps", 0),
			count("decay_steps", 0), num("end_value", 0), optim.Exponent(num("exponent", 1)))
	case "warmup_exponential_decay_schedule":
		warmup := count("warmup_steps", 0)
		return optim.Join([]optim.Schedule{
			optim.Linear(num("init_value", 0), num("peak_value", 0), warmup), c.exponential("peak_value")}, warmup)
	case "join_schedules":
		return optim.Join(c.schedules("schedules"), c.integers("boundaries", 1)...)
	case "sgdr_schedule":
		return c.warmRestarts()
	}
	panic(fmt.Sprintf("no schedule for %q", kind))
}

func (r *learningRun) exponential(from string) optim.Schedule {
	var opts []optim.ExponentialOption
	if r.flag("staircase", false) {
		opts = append(opts, optim.Staircase)
	}
	if end := r.number("end_value", math.NaN()); !math.IsNaN(end) {
		opts = append(opts, optim.EndAt(end))
	}
	return optim.Delay(r.integer("transition_begin", 0), optim.Exponential(r.number(from, 0),
		r.number("decay_rate", 0), r.integer("transition_steps", 0), opts...))
}

func (r *learningRun) schedules(key string) []optim.Schedule {
	var list []optim.Schedule
	for _, c := range r.Config[key].([]any) {
		list = append(list, r.schedule(c.(map[string]any)))
	}
	return list
}

// scaled returns the steps, from 0 on, and values of boundaries with factors.
func (r *learningRun) scaled(first float64) ([]int, []float64) {
	factors := map[int]float64{}
	scales, _ := r.Config["boundaries_and_scales"].(map[string]any)
	for step, factor := range scales {
		n, err := strconv.Atoi(step)
		if err != nil {
			panic(err)
		}
		factors[n] = factor.(float64)
	}
	steps, values := []int{0}, []float64{first}
	for _, n := range slices.Sorted(maps.Keys(factors)) {
		steps, values = append(steps, n), append(values, values[len(values)-1]*factors[n])
	}
	return steps, values
}

// warmRestarts joins cosines with warmup.
func (r *learningRun) warmRestarts() optim.Schedule {
	var list []optim.Schedule
	var ends []int
	at := 0
	for _, c := range r.Config["cosine_kwargs"].([]any) {
		config := maps.Clone(c.(map[string]any))
		config["schedule"] = "warmup_cosine_decay_schedule"
		list = append(list, r.schedule(config))
		at += int(config["decay_steps"].(float64))
		ends = append(ends, at)
	}
	return optim.Join(list, ends[:len(ends)-1]...)
}

func (r *learningRun) kerasSchedule(kind string) (optim.Schedule, bool) {
	num, count := r.number, r.integer
	from := num("initial_learning_rate", 0)
	steps := count("decay_steps", 0)
	var stairs []optim.ExponentialOption
	if r.flag("staircase", false) {
		stairs = append(stairs, optim.Staircase)
	}
	switch kind {
	case "CosineDecay":
		peak, warmup := num("warmup_target", from), count("warmup_steps", 0)
		if r.Config["warmup_target"] == nil {
			warmup = 0
		}
		return optim.WarmupCosine(from, peak, warmup, warmup+steps, peak*num("alpha", 0)), true
	case "ExponentialDecay":
		return optim.Exponential(from, num("decay_rate", 0), steps, stairs...), true
	case "InverseTimeDecay":
		return optim.InverseTime(from, num("decay_rate", 0), steps, stairs...), true
	case "PolynomialDecay":
		var opts []optim.PolynomialOption
		if r.flag("cycle", false) {
			opts = append(opts, optim.Cycle)
		}
		return optim.Polynomial(from, num("end_learning_rate", 0), num("power", 1), steps, opts...), true
	case "CosineDecayRestarts":
		return optim.CosineRestarts(from, count("first_decay_steps", 0), optim.Growth(num("t_mul", 2)),
			optim.Shrink(num("m_mul", 1)), optim.Floor(num("alpha", 0))), true
	case "PiecewiseConstantDecay":
		var values []float64
		for _, v := range r.Config["values"].([]any) {
			values = append(values, v.(float64))
		}
		ends := r.integers("boundaries", 1)
		for i := range ends {
			ends[i]++ // a boundary is the last step of a value there
		}
		return optim.Piecewise(ends, values...), true
	}
	return nil, false
}
