package train

import (
	"github.com/go-nx/nx"
	"github.com/go-nx/nx/backend"
	"github.com/go-nx/nx/diag"
)

// Option is an option of [New].
type Option interface{ option(*options) }

type options struct {
	compute nx.DType // of the parameters in the loss, 0 for their own
	micro   int
	ema     float64
	frozen  []string
	scaled  bool
	weight  any // func(B) nx.Tensor
	nan     NaN
	// placement is that over a mesh, or nil.
	placement *placement
	jit       []nx.JitOption
	client    backend.Client // or nil
}

type precisionOption struct{ d nx.DType }
type microOption int
type emaOption float64
type freezeOption []string
type scaleOption bool
type weightOption struct{ f any }
type compileOption struct{ o nx.JitOption }
type clientOption struct{ c backend.Client }

// Precision computes the loss with parameters of type d: nx.BF16, or nx.F16 beside [DynamicLossScale]. The parameters
// of the state, gradients, and the optimiser keep their types (f32); layers of package nn compute in the type of their
// weights, norms and losses in f32.
func Precision(d nx.DType) Option { return precisionOption{d} }

// MicroBatches divides each batch into n equal parts along the first axes of its tensors, whose gradients are computed
// one after another and averaged: the memory of a part for the step of a batch.
func MicroBatches(n int) Option { return microOption(n) }

// EMA keeps exponential averages of the parameters, e ← d·e + (1-d)·p after each step, which begin at the first
// parameters.
func EMA(d float64) Option { return emaOption(d) }

// Freeze keeps parameters whose paths match a pattern of nn.Match as they are. A pattern that matches nothing is an
// error of the first step.
func Freeze(patterns ...string) Option { return freezeOption(patterns) }

// DynamicLossScale multiplies the loss by a factor that follows the gradients, for [Precision] of f16. A step whose
// gradients are not finite, NaN included, is skipped, until the factor is 1: then [OnNaN] says what happens.
const DynamicLossScale scaleOption = true

// Weight gives a batch its weight among the [MicroBatches]: the sum of the weights of its records, for a loss that is
// their weighted mean. Without it all parts have the same weight.
func Weight[B any](f func(batch B) nx.Tensor) Option { return weightOption{f} }

// NaN says what becomes of a step whose gradients are not finite: infinities, or NaN.
type NaN int

const (
	// Stop ends the loop with a [NonFiniteError], the default.
	Stop NaN = iota
	// Skip counts the step in State.Skipped, and goes on.
	Skip
)

// OnNaN says what [Trainer.Run] does when the gradients of a step are not finite. Such a step changes nothing but the
// numbers of steps.
func OnNaN(what NaN) Option { return what }

// On computes on the devices of a client: the state and batches are moved there. [data.To] moves batches before they
// are asked for.
func On(c backend.Client) Option { return clientOption{c} }

// Compile passes options to the compilation of the step.
func Compile(o nx.JitOption) Option { return compileOption{o} }

func (o precisionOption) option(p *options) { p.compute = o.d }
func (o freezeOption) option(p *options)    { p.frozen = append(p.frozen, o...) }
func (n NaN) option(p *options)             { p.nan = n }
func (scaleOption) option(p *options)       { p.scaled = true }
func (o weightOption) option(p *options)    { p.weight = o.f }
func (o compileOption) option(p *options)   { p.jit = append(p.jit, o.o) }
func (o clientOption) option(p *options)    { p.client, p.jit = o.c, append(p.jit, nx.On(o.c)) }
func (o microOption) option(p *options) {
	if o < 1 {
		panic(diag.New(nx.ErrArgument, "MicroBatches", "", "a batch has at least one part, got %d", int(o)))
	}
	p.micro = int(o)
}
func (o emaOption) option(p *options) {
	if !(o > 0 && o < 1) {
		panic(diag.New(nx.ErrArgument, "EMA", "", "the weight of the past must be in (0, 1), got %v", float64(o)))
	}
	p.ema = float64(o)
}
