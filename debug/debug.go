package debug

import (
	"context"
	"io"

	"github.com/go-nx/nx"
	"github.com/go-nx/nx/internal/core"
	"github.com/go-nx/nx/stablehlo"
)

// LiveBytes returns the memory of tensors on the default device, in bytes. Memory that the garbage
// collector has not found unreachable yet counts, and tensors below 4 KiB are subtracted in groups;
// [nx.Release] returns memory at once. Constants and memory shared by [nx.FromSliceShared] are not
// counted.
func LiveBytes() int64 {
	return core.LiveBytes()
}

// TrackTensors begins to note where tensors are made, for [WriteTensors], or ends it and forgets them. Tensors that
// were made before are not known. Each op takes about a microsecond more meanwhile.
func TrackTensors(on bool) {
	core.TrackTensors(on)
}

// WriteTensors writes the profile nx.tensors: the tensors that are reachable and were neither released nor donated,
// and their bytes, by the stacks of the callers that made them, with their types and devices as labels. It is in the
// form of go tool pprof, and collects garbage first.
//
//	debug.TrackTensors(true)
//	http.HandleFunc("/debug/pprof/nx.tensors", func(w http.ResponseWriter, _ *http.Request) { debug.WriteTensors(w) })
//
// Then "go tool pprof -top http://localhost:6060/debug/pprof/nx.tensors" lists the bytes by function, -lines by line,
// -tags by type; -sample_index=inuse_tensors counts tensors. Tensors in the same memory, such as reshaped ones, count
// once, where the first was made. What [LiveBytes] does not count is left out.
//
// Errors: [nx.ErrState] where tensors are not tracked, those of w.
func WriteTensors(w io.Writer) error {
	return core.WriteTensors(w)
}

// Mark returns p and marks this point of a traced function with a name, by an
// optimization barrier of the program: [MarkName] finds it, for example to split there.
//
// Gradient: passes through p. Outside of a trace it does nothing.
func Mark[P any](name string, p P) P {
	return core.Mark[P](name, p)
}

// MarkName returns the name that [Mark] gave an op of a program, "" for any other op.
func MarkName(op *stablehlo.Op) string {
	return core.MarkName(op)
}

// WithAsyncHook is [WithHook] for a slow f: its calls come one after another in the order of the
// program, on a goroutine of their own, and the compiled function goes on meanwhile; it waits only
// when 256 of them are behind. wait waits for those that are, and returns an error of the first
// that panicked, or ended its goroutine, since it was called last; the calls after that one are
// made all the same.
//
// Errors of wait: [nx.ErrRun] for a call of f that did not return, [nx.ErrState] where f itself calls wait.
//
//	ctx, wait := debug.WithAsyncHook(ctx, "loss", func(l nx.Tensor) { … })
//	params, err := train(ctx, params)
//	err = errors.Join(err, wait())
func WithAsyncHook[P any](ctx context.Context, name string, f func(P)) (_ context.Context, wait func() error) {
	return core.WithAsyncHook[P](ctx, name, f)
}

// Hook calls f with the values of the tensors in p where a compiled function reaches it, and
// returns p. Calls come one after another, in the order of the program, before the function
// returns; in a loop there is one for each step, in a batch ([nx.Vmap], vectorised axes) one for
// each element that gets there, with the tensors of that, in an order that is not defined.
// docs/effects.md has the rules, and counts. A call of the function may have another f by the name
// of the hook: see [WithHook]. With a nil f the hook does nothing without one. In [shard.Map] each
// device calls f, several at the same time.
//
// A panic of f is an error of the call of the compiled function, which names the hook. f runs on the goroutine of
// the caller, which it may end (runtime.Goexit, as t.FailNow and t.Skip do). Devices of a ShardMap, asynchronous hooks
// and streams run on goroutines of the package: where f ends one of these, it is an error as a panic is. A call waits
// for an f that blocks, also when it is cancelled. f may call compiled functions, the one it is called by included.
//
// Gradient: passes through p; the hook is not called again by the reverse pass, and is called
// whether what is around it is used or not.
// Errors: [nx.ErrRun] where f panics, or ends a goroutine of the package, [nx.ErrShape] where tensors in p have
// vectorised axes of one name and
// different sizes. Outside of a trace f is called at once.
//
//	loss = debug.Hook("loss", loss, func(l nx.Tensor) { log.Println(l) })
func Hook[P any](name string, p P, f func(P)) P {
	return core.Hook[P](name, p, f)
}

// WithHook returns a context that makes calls of compiled functions with it call f at the hooks of
// a name.
//
//	step(debug.WithHook(ctx, "loss", func(l nx.Tensor) { … }), params)
func WithHook[P any](ctx context.Context, name string, f func(P)) context.Context {
	return core.WithHook[P](ctx, name, f)
}

// PrintValue prints the values of the tensors in p under a name to standard output where a compiled
// function reaches it, and returns p. It is a [Hook].
func PrintValue[P any](name string, p P) P {
	return core.PrintValue[P](name, p)
}

// Cached reports whether f, which [nx.Jit] or [nx.Compile] made, has code for arguments of the
// types of args, so that a call compiles nothing. The arguments are those of [nx.Compile]. It is
// false for other functions, and while the code is being made.
func Cached[F any](f F, args ...any) bool {
	return core.Cached[F](f, args...)
}

// StreamCached reports whether f has code for the steps of a [nx.Stream] from init with
// inputs of the type of x, and the options. Streams of a closure compile it for each stream: false.
func StreamCached[C, X, Y any](f func(C, X) (C, Y), init C, x X, opts ...nx.OnOption) bool {
	return core.StreamCached[C, X, Y](f, init, x, opts...)
}

// InspectExpr returns the graph of the function under construction up to the tensors of a
// container, as StableHLO text, to inspect it from inside. For tensors with data it is their types.
func InspectExpr(p any) string {
	return core.InspectExpr(p)
}

// LineTime is the time that was spent on lines of a program: several where the compiler made
// one loop of what they compute.
type LineTime = core.LineTime

// Profile is where the time of a program went, see [ProfileLines].
type Profile = core.Profile

// ProfileLines runs f and returns the time of tensor ops by lines of the program: those that call
// functions of this package, in compiled functions, too.
//
//	fmt.Print(debug.ProfileLines(func() { params = step(params, batch) }))
//
// Where the compiler fused what several lines compute, they share a row; the table has the first three of them.
// What other goroutines compute meanwhile counts as well, also where those make a profile, too. Only the compiler
// of this module reports the lines of compiled functions: the time of other backends is that of the call.
// Run the function once before, so that it is compiled.
func ProfileLines(f func()) Profile {
	return core.ProfileLines(f)
}
