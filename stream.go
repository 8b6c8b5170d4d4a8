package nx

import (
	"context"

	"github.com/go-nx/nx/internal/core"
)

// Streaming is a running [Stream] with a state C, inputs X and results Y.
type Streaming[C, X, Y any] core.Streaming[C, X, Y]

// Stream starts a stream of steps: f computes, from a state and an input, the next state
// and a result, as the step of [Scan] does, for inputs that arrive one after another and
// without end. f is compiled as by [Jit] and runs beside the caller, who prepares the
// next input meanwhile. Results come in the order of the inputs.
//
//	s := nx.Stream(ctx, step, params)
//	for batch := range batches {
//		if err := s.Send(batch); err != nil { … }
//		loss, err := s.Recv()
//	}
//	params, err := s.Done()
//
// At most four inputs are under way: [Streaming.Send] waits until a result was received
// when there are more, so memory does not grow. The memory of a state is that of the
// next; init stays the caller's. When ctx ends, so does the stream, a step that runs
// included; hooks of ctx are those of the steps. A stream that is not used any more needs
// no end. Its methods may be called from several goroutines.
//
// Shapes: inputs may change theirs, which compiles f again; the state keeps its own.
// Gradient: none; f computes gradients of its own. Errors: [ErrState] where f changes the
// type of the state, [ErrTrace] in a traced function.
//
// Options: [On], for a client that is not the default; init and inputs live there.
func Stream[C, X, Y any](ctx context.Context, f func(C, X) (C, Y), init C, opts ...OnOption) *Streaming[C, X, Y] {
	return (*Streaming[C, X, Y])(core.Stream[C, X, Y](ctx, f, init, opts...))
}

// Send gives the stream its next input. It waits while as many inputs are under way as a
// stream takes. What x holds may be released when its result was received. Errors: what
// ended the stream, the cause of the context's end; io.ErrClosedPipe after Done.
func (s *Streaming[C, X, Y]) Send(x X) error {
	return (*core.Streaming[C, X, Y])(s).Send(x)
}

// Recv returns the next result, in the order of the inputs; it waits for one. Errors: that
// of the step, the cause of the context's end; io.EOF after the last one of a stream that
// is done. What f panics with while it is traced, it panics with; where f ends its goroutine
// (runtime.Goexit), the error is [ErrRun].
func (s *Streaming[C, X, Y]) Recv() (Y, error) {
	return (*core.Streaming[C, X, Y])(s).Recv()
}

// Done says that no more inputs come, waits until the last one has been computed and
// returns the state. Results may be received afterwards. Errors: those of Recv.
func (s *Streaming[C, X, Y]) Done() (C, error) {
	return (*core.Streaming[C, X, Y])(s).Done()
}
