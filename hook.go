package nx

import (
	"context"

	"github.com/go-nx/nx/internal/core"
)

// WithAsyncHook is [WithHook] for an f that takes its time: its calls come one after
// another in the order of the program, on a goroutine of their own, and the compiled
// function goes on meanwhile; it waits only when 256 of them are behind. wait waits for
// those that are, and returns an error of the first that panicked, or ended its goroutine,
// since it was called last; the calls after that one are made all the same.
//
// Errors of wait: [ErrRun] for a call of f that did not return, [ErrState] where f itself calls wait.
//
//	ctx, wait := nx.WithAsyncHook(ctx, "loss", func(l nx.Tensor) { … })
//	params, err := train(ctx, params)
//	err = errors.Join(err, wait())
func WithAsyncHook[P any](ctx context.Context, name string, f func(P)) (_ context.Context, wait func() error) {
	return core.WithAsyncHook[P](ctx, name, f)
}

// Hook calls f with the values of the tensors in p where a compiled function gets
// there, and returns p. Calls come one after another, in the order of the program,
// before the function returns; in a loop there is one for each step, in a batch ([Vmap],
// vectorised axes) one for each element that gets there, with the tensors of that, in an order
// that is not defined. docs/effects.md has the rules, and counts. A call of
// the function may have another f by the name of the hook: see [WithHook]. With a
// nil f the hook does nothing without one. In [ShardMap] each device calls f, several at the same time.
//
// A panic of f is an error of the call of the compiled function, which names the hook. f runs on the goroutine of
// the caller, which it may end (runtime.Goexit, as t.FailNow and t.Skip do). Devices of a ShardMap, asynchronous hooks
// and streams run on goroutines of the package: where f ends one of these, it is an error as a panic is. A call waits
// for an f that blocks, also when it is cancelled. f may call compiled functions, the one it is called by included.
//
// Gradient: passes through p; the hook is not called again by the reverse pass, and is called
// whether what is around it is used or not.
// Errors: [ErrRun] where f panics, or ends a goroutine of the package, [ErrShape] where tensors in p have vectorised
// axes of one name and other sizes. Outside of a trace f is called at once.
//
//	loss = nx.Hook("loss", loss, func(l nx.Tensor) { log.Println(l) })
func Hook[P any](name string, p P, f func(P)) P {
	return core.Hook[P](name, p, f)
}

// WithHook returns a context that lets calls of compiled functions with it call f
// at the hooks of a name.
//
//	step(nx.WithHook(ctx, "loss", func(l nx.Tensor) { … }), params)
func WithHook[P any](ctx context.Context, name string, f func(P)) context.Context {
	return core.WithHook[P](ctx, name, f)
}

// PrintValue prints the values of the tensors in p under a name to standard
// output where a compiled function gets there, and returns p. It is a [Hook].
func PrintValue[P any](name string, p P) P {
	return core.PrintValue[P](name, p)
}

// RuntimeCall returns f of the values of the tensors in p, where f is a Go function
// called when a compiled function gets there. The result has the structure and the
// types of like, in which zeros stand for tensors (nx.Zeros). In a batch ([Vmap], vectorised axes)
// f is called as that of a [Hook] is, once for each element: like is the result for one. The call is made whether
// its result is used or not; a reverse pass that needs the result again may make it again.
//
// Gradient: none; [CustomVJP] gives it one. Errors: [ErrRun] where f fails, panics,
// ends a goroutine of the package (see [Hook]) or returns other types; they name f; [ErrShape] where tensors in p have
// vectorised axes of one name and other sizes, or like has one that p lacks. Outside of a trace f is called at once.
func RuntimeCall[P, R any](p P, like R, f func(P) (R, error)) R {
	return core.RuntimeCall[P, R](p, like, f)
}
