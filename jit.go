package nx

import (
	"context"
	"fmt"
	"reflect"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/go-nx/nx/backend"
	"github.com/go-nx/nx/diag"
)

// JitOption is an option of [Jit].
type JitOption interface{ jitOption(*jitOptions) }

type jitOptions struct {
	donate   []int
	client   backend.Client
	evaluate bool
	keep     int  // how many compiled forms
	apart    bool // the function is another one each time, though its code is the same
}

// SignaturesOption is the option made by [Signatures].
type SignaturesOption struct{ n int }

// Signatures lets a compiled function keep the code for the n signatures used last,
// instead of 256: for programs whose shapes take more values, or to save memory. Without a
// place the code is made again, which takes far longer than a call.
func Signatures(n int) SignaturesOption { return SignaturesOption{n} }

func (o SignaturesOption) jitOption(j *jitOptions) { j.keep = o.n }

// DonateOption is the option made by [Donate].
type DonateOption struct{ args []int }

// Donate gives the memory of arguments, counted from 0 without a leading context,
// to the compiled function, which puts results there: those of the same size that are
// computed after the last use of the argument, such as the new weights in the place of the
// old ones. A step that is given its model allocates no other. What else uses the memory
// of a donated tensor, such as a reshape of it, to whatever sizes, or another result of a
// function that leaves the elements as they are, keeps its elements: the result is then in a copy.
//
// The tensors are gone after the call, whether it succeeds, fails or is cancelled: using one is
// [ErrReleased] with the line of the call. A tensor may be in one donated place alone, and
// nowhere else in the call, nor among the tensors that the function uses from outside, constants included; a call
// that this refuses, or that is refused before it begins, takes nothing. [Lower] writes
// donation into the program as JAX does (jax.buffer_donor).
func Donate(args ...int) DonateOption { return DonateOption{args} }

func (o DonateOption) jitOption(j *jitOptions) { j.donate = append(j.donate, o.args...) }

// Jit returns f compiled: the first call with arguments of new types traces f
// and compiles the graph, later ones run the code. F is a function on
// containers of tensors; a leading context.Context is the call's, which may
// cancel it; a trailing error result receives failures, which are panics
// otherwise. The compiled function is safe for concurrent calls.
//
// What f does beside computing tensors happens while it is traced, once for
// each signature. The signature consists of the types of all tensors in the
// arguments and of everything else in them: numbers, strings, lengths, the
// identity of functions and of pointers. Tensors that f uses from outside are
// those of the first call: a function that uses some is traced once more at its
// second, to warn if one has changed. With a traced argument the call becomes one in the
// graph of that trace; f is traced once for each signature then, too.
//
//	step := nx.Jit(func(p Params, x nx.Tensor) (Params, nx.Tensor) { … }, nx.Donate(0))
func Jit[F any](f F, opts ...JitOption) F {
	j := jitOf(reflect.TypeFor[F](), reflect.ValueOf(f), opts)
	if j.evaluates {
		return reflect.MakeFunc(j.t, j.evaluate).Interface().(F)
	}
	switch any(f).(type) { // without reflection
	case func(Tensor) Tensor:
		return any(func(a Tensor) Tensor { return j.callTensors(a) }).(F)
	case func(Tensor, Tensor) Tensor:
		return any(func(a, b Tensor) Tensor { return j.callTensors(a, b) }).(F)
	case func(a, b, c Tensor) Tensor:
		return any(func(a, b, c Tensor) Tensor { return j.callTensors(a, b, c) }).(F)
	}
	return reflect.MakeFunc(j.t, j.call).Interface().(F)
}

// jit is a function with its compiled forms.
type jit struct {
	callable
	donate []bool         // of each argument; nil when none is
	on     backend.Client // nil for the default
	place  string         // of the call of Jit
	ours   bool           // made by a package of this module: nobody can do anything about its misses

	evaluates bool // each call runs the function anew
	keep      int  // how many forms

	mu     sync.Mutex
	forms  map[string]*compiled
	inner  innerForms
	ahead  bool // compiled ahead of the first call
	sealed bool // no new signatures
	clock  atomic.Int64
	last   atomic.Pointer[compiled] // the form used last
	misses misses
}

var (
	contextType = reflect.TypeFor[context.Context]()
	errorType   = reflect.TypeFor[error]()
)

// jitOf returns the jit of a function. Functions without captured variables
// share one, so that making it again does not compile again. What reflect makes,
// such as another compiled function, captures and has the code of all others.
func jitOf(t reflect.Type, f reflect.Value, opts []JitOption) *jit {
	name := functionName("Jit", t, f)
	isClosure := strings.Contains(name, ".func") || strings.Contains(name, "[") || strings.HasPrefix(name, "reflect.")
	if len(opts) > 0 || isClosure {
		return newJit(t, f, opts)
	}
	key := topLevel{f.Pointer(), t}
	if j, ok := topLevelJits.Load(key); ok {
		return j.(*jit)
	}
	j, _ := topLevelJits.LoadOrStore(key, newJit(t, f, nil))
	return j.(*jit)
}

// topLevelJits holds the jits of functions that are no closures. There are as
// many as the program has functions.
var topLevelJits sync.Map // topLevel → *jit

type topLevel struct {
	code uintptr
	t    reflect.Type
}

// functionName returns the name of a function to compile, or fails when it
// cannot be compiled.
func functionName(op string, t reflect.Type, f reflect.Value) string {
	requireFunction(op, t, f)
	name := runtime.FuncForPC(f.Pointer()).Name()
	if method, bound := strings.CutSuffix(name, "-fm"); bound {
		method = method[strings.LastIndexByte(method, '/')+1:]
		fail(ErrArgument, op,
			fmt.Sprintf("compile the method with the receiver as its first argument: nx.%s(%s)", op, method),
			"the method is bound to its receiver, whose tensors would be frozen")
	}
	return name
}

// requireFunction refuses what is no function of containers.
func requireFunction(op string, t reflect.Type, f reflect.Value) {
	switch {
	case t.Kind() != reflect.Func:
		fail(ErrArgument, op, "", "takes a function, not %s", t)
	case f.IsNil():
		fail(ErrArgument, op, "", "the function is nil")
	case t.IsVariadic():
		fail(ErrArgument, op, "take a slice instead", "variadic functions are not supported: %s", t)
	}
}

func newJit(t reflect.Type, f reflect.Value, opts []JitOption) *jit {
	j := &jit{callable: newCallable(t, f), place: place(diag.Caller())}
	if j.ours = diag.CalledByLibrary(); j.ours || j.place == unknownPlace {
		if fn := runtime.FuncForPC(f.Pointer()); fn != nil {
			j.place = place(fn.FileLine(fn.Entry()))
		}
	}
	o := jitOptions{keep: maxForms}
	distinct("Jit", opts)
	for _, x := range opts {
		if x != nil {
			x.jitOption(&o)
		}
	}
	if o.keep < 1 {
		fail(ErrArgument, "Signatures", "give a positive number", "cannot keep the code for %d signatures", o.keep)
	}
	j.on, j.evaluates, j.keep, j.misses.counted = o.client, o.evaluate, o.keep, o.apart
	for _, i := range o.donate {
		if i < 0 || i >= len(j.args) {
			fail(ErrArgument, "Donate", "arguments count from 0, without a leading context",
				"there is no argument %d of %s", i, t)
		}
		if j.donate == nil {
			j.donate = make([]bool, len(j.args))
		}
		j.donate[i] = true
	}
	return j
}
