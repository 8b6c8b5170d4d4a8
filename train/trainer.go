package train

import (
	"context"
	"slices"

	"github.com/go-nx/nx"
	"github.com/go-nx/nx/backend"
	"github.com/go-nx/nx/diag"
	"github.com/go-nx/nx/nn"
	"github.com/go-nx/nx/optim"
	"github.com/go-nx/nx/random"
	"github.com/go-nx/nx/tree"
)

// Loss computes the loss of a batch, a scalar: the mean over its records. It gets a copy of the model, whose buffers it
// may write by applying layers. A is a container of sums for metrics, added over micro-batches and over the batches of
// an epoch: numbers of right answers and of records, not their quotient.
type Loss[M, B, A any] func(m *M, c *nn.Ctx, batch B) (loss nx.Tensor, sums A)

// Report is what a step tells.
type Report[A any] struct {
	Loss     nx.Tensor // a scalar, f32
	Sums     A
	GradNorm nx.Tensor // the 2-norm of the gradient of all parameters, f32
	Finite   nx.Tensor // whether the gradients were finite and no buffer had a NaN, so that the step was made
}

// Trainer makes the steps of training of a model M on batches B.
type Trainer[M, B, A any] struct {
	options
	loss     Loss[M, B, A]
	opt      optim.Transform
	step     func(context.Context, State[M], B) (State[M], Report[A], error)
	evaluate func(context.Context, M, B) (nx.Tensor, A, error)
}

// New returns a trainer: a loss and an optimiser.
//
// Errors: [nx.ErrArgument] for options that do not fit.
func New[M, B, A any](loss Loss[M, B, A], opt optim.Transform, opts ...Option) *Trainer[M, B, A] {
	t := &Trainer[M, B, A]{loss: loss, opt: opt, options: options{micro: 1}}
	for _, o := range opts {
		if o != nil {
			o.option(&t.options)
		}
	}
	if t.weight != nil {
		if _, ok := t.weight.(func(B) nx.Tensor); !ok {
			panic(diag.New(nx.ErrArgument, "New", "give train.Weight a function of the batch that the loss takes",
				"the weight is of type %T", t.weight))
		}
	}
	t.step = nx.Jit(func(_ context.Context, s State[M], b B) (State[M], Report[A], error) {
		next, r := t.trace(place(t.placement, s), placeBatch(t.placement, b, 0))
		return place(t.placement, next), r, nil
	}, append(t.jit, nx.Donate(0))...)
	t.evaluate = nx.Jit(func(_ context.Context, m M, b B) (nx.Tensor, A, error) {
		m = t.cast(place(t.placement, State[M]{Model: m}).Model)
		b = placeBatch(t.placement, b, 0)
		loss, sums := t.loss(&m, &nn.Ctx{Model: &m}, b)
		return nx.Cast(loss, nx.F32), sums, nil
	}, t.jit...)
	return t
}

// Init returns the state before the first step. The model and the key are copied.
func (t *Trainer[M, B, A]) Init(m M, key nx.Tensor) State[M] {
	zero := nx.Zeros(nx.Shape{}, nx.S64)
	s := State[M]{Model: owned(m), Key: owned(key), Step: owned(zero), Skipped: owned(zero)}
	if s.Opt = optim.Init(t.opt, s.Model); hasTensors(s.Opt) {
		s.Opt = owned(s.Opt)
	}
	if t.ema > 0 {
		p, _ := nn.Partition(s.Model, nn.Trainable)
		s.EMA = owned(average(p))
	}
	if t.scaled {
		s.Scale = owned(newScale())
	}
	s, err := moved(t.client, s)
	if err != nil {
		panic(diag.New(nx.ErrDevice, "Init", "", "the state cannot be moved: %v", err))
	}
	return s
}

// moved returns a container with its tensors on the devices of a client, where they stay if they are there.
func moved[P any](c backend.Client, p P) (P, error) {
	if c == nil || !hasTensors(p) {
		return p, nil
	}
	devices := c.Devices()
	if len(devices) == 0 {
		return p, nil
	}
	var failed error
	p = tree.MapLeaves(func(_ string, t nx.Tensor) nx.Tensor {
		if slices.Contains(devices, t.Device()) || failed != nil {
			return t
		}
		t, failed = nx.Transfer(t, devices[0])
		return t
	}, p)
	return p, failed
}

// Step makes a step of training on a batch. It takes the state over, so that only its result is valid.
//
// The error is that of the loss: shapes that do not fit, with the paths of the parameters.
func (t *Trainer[M, B, A]) Step(s State[M], batch B) (State[M], Report[A], error) {
	batch, err := moved(t.client, batch)
	if err != nil {
		return s, Report[A]{}, err
	}
	return t.step(context.Background(), s, batch)
}

// trains reports which tensors of a model are changed by a step.
func (t *Trainer[M, B, A]) trains(m M) func(nn.Leaf) bool {
	if len(t.frozen) == 0 {
		return nn.Trainable
	}
	frozen := nn.Match(m, t.frozen...)
	return func(l nn.Leaf) bool { return nn.Trainable(l) && !frozen(l) }
}

// cast returns the model in the type of the computation.
func (t *Trainer[M, B, A]) cast(m M) M {
	if t.compute == 0 {
		return m
	}
	return nn.Cast(m, t.compute)
}

// gradients are those of a batch, with what the loss wrote and told.
type gradients[M, A any] struct {
	Grad    M
	Buffers M
	Loss    nx.Tensor
	Sums    A
}

// differentiate computes the gradients of the scaled loss of a batch, by the parameters p of a model; the rest of it
// are buffers and constants.
func (t *Trainer[M, B, A]) differentiate(p, rest M, scale, key nx.Tensor, b B) gradients[M, A] {
	type told struct {
		Buffers M
		Loss    nx.Tensor
		Sums    A
	}
	_, aux, g := nx.ValueAndGradAux(func(p M) (nx.Tensor, told) {
		m := t.cast(tree.Combine(p, rest))
		loss, sums := t.loss(&m, &nn.Ctx{Train: true, Key: key, Model: &m}, b)
		if loss.Rank() != 0 {
			panic(diag.New(nx.ErrShape, "Step", "take the mean over the records", "the loss must be a scalar, got %v",
				loss.Shape()))
		}
		if !loss.DType().IsFloat() {
			panic(diag.New(nx.ErrDType, "Step", "", "the loss must be a real number, got %v", loss.DType()))
		}
		loss = nx.Cast(loss, nx.F32)
		scaled := loss
		if !scale.IsZero() {
			scaled = nx.Mul(loss, scale)
		}
		return scaled, told{buffers(m), loss, sums}
	})(p)
	return gradients[M, A]{g, aux.Buffers, aux.Loss, aux.Sums}
}

// trace is the program of a step.
func (t *Trainer[M, B, A]) trace(s State[M], b B) (State[M], Report[A]) {
	key := random.FoldIn(s.Key, s.Step)
	p, rest := nn.Partition(s.Model, t.trains(s.Model))
	g := t.gradients(p, rest, s.Scale.Value, key, b)
	rest = tree.Combine(g.Buffers, rest)
	grad := g.Grad
	if !s.Scale.Value.IsZero() {
		inverse := nx.Div(1, s.Scale.Value)
		grad = tree.Map(func(g nx.Tensor) nx.Tensor { return nx.Mul(g, nx.Cast(inverse, g.DType())) }, grad)
	}
	finite, norm := measure(grad)
	for _, b := range tree.Leaves(g.Buffers) {
		if b.DType().IsFloat() {
			finite = nx.LogicalAnd(finite, nx.LogicalNot(nx.Any(nx.IsNaN(b))))
		}
	}
	np, no := optim.Update(t.opt, grad, s.Opt, p, optim.Loss(g.Loss))
	next := State[M]{
		Model:   choose(finite, tree.Combine(np, rest), s.Model),
		Opt:     no,
		Scale:   s.Scale.after(finite),
		Step:    nx.Add(s.Step, 1),
		Key:     s.Key,
		Skipped: nx.Add(s.Skipped, nx.Cast(nx.LogicalNot(finite), nx.S64)),
	}
	if hasTensors(no) {
		next.Opt = choose(finite, no, s.Opt)
	}
	if t.ema > 0 {
		now, _ := nn.Partition(next.Model, nn.Trainable)
		next.EMA = choose(finite, tree.Map2(func(e, p nx.Tensor) nx.Tensor {
			return nx.Add(nx.Mul(e, t.ema), nx.Mul(nx.Cast(p, e.DType()), 1-t.ema))
		}, s.EMA, now), s.EMA)
	}
	return next, Report[A]{g.Loss, g.Sums, norm, finite}
}

// gradients are those of a batch, by the parameters p of a model.
func (t *Trainer[M, B, A]) gradients(p, rest M, scale, key nx.Tensor, b B) gradients[M, A] {
	if !hasTensors(p) {
		panic(diag.New(nx.ErrArgument, "Step", "Freeze fewer, and check that the model has parameters: tensors of floats "+
			"in exported fields that are not of type nn.Buffer", "there is no parameter to train"))
	}
	if t.micro == 1 {
		return t.differentiate(p, rest, scale, random.FoldIn(key, 0), b)
	}
	return t.accumulate(p, rest, scale, key, b)
}

// measure returns whether all gradients are finite, and their norm.
func measure(grad any) (finite, norm nx.Tensor) {
	finite = nx.Full(nx.Shape{}, true, nx.Bool)
	sum := nx.Zeros(nx.Shape{}, nx.F32)
	for _, g := range tree.Leaves(grad) {
		if g.DType().IsComplex() {
			g = nx.Abs(g)
		}
		finite = nx.LogicalAnd(finite, nx.All(nx.IsFinite(g)))
		sum = nx.Add(sum, nx.Cast(nx.Sum(nx.Square(nx.Cast(g, nx.F32))), nx.F32))
	}
	return finite, nx.Sqrt(sum)
}

// accumulate computes the gradients of the parts of a batch one after another, and their mean.
func (t *Trainer[M, B, A]) accumulate(p, rest M, scale, key nx.Tensor, b B) gradients[M, A] {
	type part struct {
		Batch B
		Index nx.Tensor
	}
	type carry struct {
		Grad, Rest   M
		Loss, Weight nx.Tensor
	}
	parts := part{tree.MapLeaves(func(path string, x nx.Tensor) nx.Tensor {
		if x.Rank() == 0 || x.Shape()[0]%t.micro != 0 {
			panic(diag.New(nx.ErrShape, "Step", "",
				"%s of the batch, of shape %v, cannot be divided into %d micro-batches",
				path, x.Shape(), t.micro))
		}
		return nx.Reshape(x, append(nx.Shape{t.micro, x.Shape()[0] / t.micro}, x.Shape()[1:]...)...)
	}, b), nx.Iota(nx.Shape{t.micro}, nx.S64)}
	parts.Batch = placeBatch(t.placement, parts.Batch, 1)
	zero := nx.Zeros(nx.Shape{}, nx.F32)
	start := carry{tree.ZerosLike(p), rest, zero, zero}
	end, sums := nx.Scan(start, parts, func(c carry, x part) (carry, A) {
		g := t.differentiate(p, c.Rest, scale, random.FoldIn(key, x.Index), x.Batch)
		w := nx.Ones(nx.Shape{}, nx.F32)
		if t.weight != nil {
			w = nx.Cast(t.weight.(func(B) nx.Tensor)(x.Batch), nx.F32)
		}
		add := func(sum, g nx.Tensor) nx.Tensor { return nx.Add(sum, nx.Mul(g, nx.Cast(w, g.DType()))) }
		return carry{tree.Map2(add, c.Grad, g.Grad), tree.Combine(g.Buffers, c.Rest), add(c.Loss, g.Loss),
				nx.Add(c.Weight, w)},
			g.Sums
	})
	mean := func(x nx.Tensor) nx.Tensor { return nx.Div(x, nx.Cast(end.Weight, x.DType())) }
	return gradients[M, A]{tree.Map(mean, end.Grad), buffers(end.Rest), mean(end.Loss),
		mapAny(func(x nx.Tensor) nx.Tensor { return nx.Sum(x, nx.Axis(0)) }, sums)}
}
