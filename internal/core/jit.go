package core

import (
	"reflect"
	"runtime"
	"strings"
	"sync"
	"unsafe"

	"github.com/go-nx/nx/diag"
)

// signaturesOption is the option made by [Signatures].
type signaturesOption struct{ n int }

// Signatures implements nx.Signatures.
func Signatures(n int) JitOption { return signaturesOption{n} }

func (o signaturesOption) jitOption(j *jitOptions) { j.keep = o.n }

// donateOption is the option made by [Donate].
type donateOption struct{ args []int }

// Donate implements nx.Donate.
func Donate(args ...int) JitOption { return donateOption{args} }

func (o donateOption) jitOption(j *jitOptions) { j.donate = append(j.donate, o.args...) }

func (donateOption) contradicts(any) bool { return false }

// Jit implements nx.Jit.
func Jit[F any](f F, opts ...JitOption) F {
	j := jitOf(reflect.TypeFor[F](), reflect.ValueOf(f), opts)
	if j.evaluates {
		return reflect.MakeFunc(j.t, j.evaluate).Interface().(F)
	}
	switch j.tensorArguments() { // without reflection
	case 1:
		g := func(a Tensor) Tensor { return j.callTensors(a) }
		return *(*F)(unsafe.Pointer(&g))
	case 2:
		g := func(a, b Tensor) Tensor { return j.callTensors(a, b) }
		return *(*F)(unsafe.Pointer(&g))
	case 3:
		g := func(a, b, c Tensor) Tensor { return j.callTensors(a, b, c) }
		return *(*F)(unsafe.Pointer(&g))
	}
	return reflect.MakeFunc(j.t, j.call).Interface().(F)
}

// tensorArguments returns how many arguments a function of tensors to one tensor has, 0 for any other function.
// The type of the tensors is that of package nx, whose values are those of [Tensor].
func (j *jit) tensorArguments() int {
	if j.t.Name() != "" || j.t.NumOut() != 1 || !plans.IsLeaf(j.t.Out(0)) {
		return 0
	}
	for i := range j.t.NumIn() {
		if !plans.IsLeaf(j.t.In(i)) {
			return 0
		}
	}
	return j.t.NumIn()
}

// jitOf returns the jit of a function. Functions without captured variables share one, so that a
// second Jit does not compile again. A function made by reflect, such as another compiled function,
// captures variables, and all of them have one code pointer.
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

// topLevelJits holds the jits of functions that are not closures: at most one per
// function of the program.
var topLevelJits sync.Map // topLevel → *jit

type topLevel struct {
	code uintptr
	t    reflect.Type
}

func newJit(t reflect.Type, f reflect.Value, opts []JitOption) *jit {
	j := &jit{callable: newCallable(t, f), place: place(diag.Caller())}
	if j.inLibrary = diag.CalledByLibrary(); j.inLibrary || j.place == unknownPlace {
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
	if o.evaluate && o.checkNaN {
		fail(ErrArgument, "Jit", "leave out one: NX_NAN=1 checks each op on data",
			"nx.Evaluate runs no program whose results nx.CheckNaN could check")
	}
	j.on, j.evaluates, j.keep, j.misses.counted = o.client, o.evaluate, o.keep, o.distinct
	j.checksNaN = o.checkNaN || checksAll
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
