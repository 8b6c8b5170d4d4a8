package core

import (
	"context"
	"errors"
	"io"
	"reflect"
	"strings"
	"sync"

	"github.com/go-nx/nx/backend"
	"github.com/go-nx/nx/internal/userfunc"
)

// Streaming is nx.Streaming.
type Streaming[C, X, Y any] struct {
	ctx     context.Context
	step    func(context.Context, C, X) (C, Y, error)
	name    string        // of the user's function, in errors
	slots   chan struct{} // one for each input whose result was not received
	results chan Y
	stopped chan struct{} // closed after the last step, and at a failure
	work    callQueue

	mu     sync.Mutex // of what follows, and of the order of inputs
	closed bool       // no more inputs
	state  C
	err    error
	raised any // what f panicked with
}

// inFlight is how many inputs a stream takes before a result is received.
const inFlight = 4

// Stream implements nx.Stream.
func Stream[C, X, Y any](ctx context.Context, f func(C, X) (C, Y), init C, opts ...OnOption) *Streaming[C, X, Y] {
	const op = "Stream"
	notNil(op, f == nil)
	if ctx == nil {
		ctx = background
	}
	if traceFor(presentTensors(leaves(op, init))) != nil {
		fail(ErrTrace, op, "use nx.Scan there", "a stream runs beside the program and cannot be traced")
	}
	return &Streaming[C, X, Y]{
		ctx: ctx, step: streamStep(f, opts), name: funcNamed(reflect.ValueOf(f)), state: replace(op, init, copied),
		slots: make(chan struct{}, inFlight), results: make(chan Y, inFlight), stopped: make(chan struct{}),
	}
}

// copied returns a tensor with memory of its own.
func copied(t Tensor) Tensor {
	if t.p == nil || t.p.buf == nil {
		return t
	}
	var c Tensor
	lend("Stream", t, func(data []byte) {
		h := t.p.buf.home
		c = newBuffer(h, t.p.spec, h.upload("Stream", t.p.spec, data))
	})
	return c
}

// streamSteps holds the compiled steps of functions that are not closures: streamKey → *jit.
var streamSteps sync.Map

// streamKey identifies such a function and the client that it is compiled for.
type streamKey struct {
	topLevel
	on backend.Client // nil for the default
}

// streamJit returns f compiled as a step of a stream: one per function that is not a closure.
func streamJit[C, X, Y any](f func(C, X) (C, Y), opts []OnOption) *jit {
	v := reflect.ValueOf(f)
	name := functionName("Stream", v.Type(), v)
	distinct("Stream", opts)
	options := []JitOption{Donate(0)}
	key := streamKey{topLevel: topLevel{v.Pointer(), v.Type()}}
	for _, o := range opts {
		options, key.on = append(options, o), o.on()
	}
	shared := !(strings.Contains(name, ".func") || strings.Contains(name, "[") ||
		strings.HasPrefix(name, "reflect.")) &&
		(key.on == nil || reflect.TypeOf(key.on).Comparable())
	if shared {
		if j, ok := streamSteps.Load(key); ok {
			return j.(*jit)
		}
	}
	step := func(_ context.Context, c C, x X) (C, Y, error) {
		next, y := f(c, x)
		return sameState(c, next), y, nil
	}
	s := reflect.ValueOf(step)
	j := newJit(s.Type(), s, options)
	if !shared {
		return j
	}
	one, _ := streamSteps.LoadOrStore(key, j)
	return one.(*jit)
}

// sameState returns the state after a step with the types of that before it. A number
// takes the type of the tensor that the first step makes of it.
func sameState[C any](before, after C) C {
	const op = "Stream"
	was, is := leafList(op, "state", before), leafList(op, "state", after)
	requireSameStructure(op, was, is, beforeStep, afterStep)
	var casts []Tensor
	for i, at := range tensorsIn(is) {
		s, got := tensorsIn(was)[i].tensor.p.spec, at.tensor.p.spec
		if s.weak && s.compatible(got) && promoted(s, got) == got.DType {
			casts = append(casts, at.tensor)
			continue
		}
		requireSameType(op, s, at, beforeStep, afterStep)
		casts = append(casts, cast(at.tensor, s.DType))
	}
	return fill(op, after, casts)
}

func streamStep[C, X, Y any](f func(C, X) (C, Y), opts []OnOption) func(context.Context, C, X) (C, Y, error) {
	j := streamJit(f, opts)
	return reflect.MakeFunc(j.t, j.call).Interface().(func(context.Context, C, X) (C, Y, error))
}

// Send implements nx.Streaming.Send.
func (s *Streaming[C, X, Y]) Send(x X) error {
	if s.hasStopped() {
		return s.failure(io.ErrClosedPipe)
	}
	select {
	case s.slots <- struct{}{}:
	default:
		if err := s.waitForSlot(); err != nil {
			return err
		}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		<-s.slots
		return io.ErrClosedPipe
	}
	s.work.add(func() { s.run(x) })
	return nil
}

// waitForSlot waits until an input may be added.
func (s *Streaming[C, X, Y]) waitForSlot() error {
	if err := s.notInside("Send"); err != nil {
		return err
	}
	select {
	case s.slots <- struct{}{}:
		return nil
	case <-s.stopped:
		return s.failure(io.ErrClosedPipe)
	case <-s.ctx.Done():
		return context.Cause(s.ctx)
	}
}

// run does the step for an input.
func (s *Streaming[C, X, Y]) run(x X) {
	if s.hasStopped() {
		return
	}
	userfunc.Run(s.ctx, s.name, func(ctx context.Context) (err error) {
		var y Y
		if s.state, y, err = s.step(ctx, s.state, x); err == nil {
			s.results <- y
		}
		return err
	}, func(err error, panicked any) {
		if e, ok := err.(*userfunc.GoexitError); ok {
			err = newError(ErrRun, "Stream", nil, "", "%v", e)
			err.(*Error).Err = e
		}
		if s.err, s.raised = err, panicked; err != nil || panicked != nil {
			close(s.stopped)
		}
	})
}

// notInside refuses a call by the step, or by a hook of it, that would wait for that step.
func (s *Streaming[C, X, Y]) notInside(method string) error {
	if s.work.goroutine() != goroutine() {
		return nil
	}
	return newError(ErrState, method, nil, "call it outside of the steps of the stream",
		"%s calls %s, which waits until it returns", s.name, method)
}

// Recv implements nx.Streaming.Recv.
func (s *Streaming[C, X, Y]) Recv() (Y, error) {
	select {
	case y := <-s.results: // what came before an end is not lost
		<-s.slots
		return y, nil
	default:
	}
	if err := s.notInside("Recv"); err != nil {
		var none Y
		return none, err
	}
	select {
	case y := <-s.results:
		<-s.slots
		return y, nil
	case <-s.stopped:
	case <-s.ctx.Done():
		if !s.hasStopped() {
			var none Y
			return none, context.Cause(s.ctx)
		}
	}
	select {
	case y := <-s.results:
		<-s.slots
		return y, nil
	default:
		var none Y
		return none, s.failure(io.EOF)
	}
}

// Done implements nx.Streaming.Done.
func (s *Streaming[C, X, Y]) Done() (C, error) {
	var none C
	if err := s.notInside("Done"); err != nil {
		return none, err
	}
	s.mu.Lock()
	if !s.closed {
		s.closed = true
		s.work.add(func() {
			if !s.hasStopped() {
				close(s.stopped)
			}
		})
	}
	s.mu.Unlock()
	select {
	case <-s.stopped:
	case <-s.ctx.Done():
		if !s.hasStopped() {
			return none, context.Cause(s.ctx)
		}
	}
	if err := s.failure(nil); err != nil {
		return none, err
	}
	return s.state, nil
}

// hasStopped reports whether the stream has ended, after which the end of its context changes nothing.
func (s *Streaming[C, X, Y]) hasStopped() bool {
	select {
	case <-s.stopped:
		return true
	default:
		return false
	}
}

// failure returns what ended a stream that has stopped, or end when it was Done.
func (s *Streaming[C, X, Y]) failure(end error) error {
	if s.raised != nil {
		panic(s.raised)
	}
	if s.err != nil && s.ctx.Err() != nil && errors.Is(s.err, s.ctx.Err()) {
		return context.Cause(s.ctx)
	}
	if s.err != nil {
		return s.err
	}
	return end
}
