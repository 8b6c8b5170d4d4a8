package core

import (
	"reflect"
	"sync"
	"sync/atomic"
	"unsafe"

	"github.com/go-nx/nx/backend"
)

// jit is a function with its compiled forms.
type jit struct {
	callable
	donate    []bool         // of each argument; nil when none is
	on        backend.Client // nil for the default
	place     string         // of the call of Jit
	inLibrary bool           // made by a package of this module: the user cannot avoid its misses

	evaluates bool // each call runs the function
	checksNaN bool // of the results
	keep      int  // how many forms

	mu     sync.Mutex
	forms  cache[string, *compiled] // of which the one used last is always made
	inner  innerForms
	ahead  bool // compiled ahead of the first call
	sealed bool // no new signatures
	misses misses
}

// compiled is a form of a function compiled for a signature.
type compiled struct {
	key  string           // of the cache that holds it
	pins []unsafe.Pointer // what addresses in the key stand for
	*form
	exe    backend.Executable // nil when the form is open: it is called as a part of the trace
	direct *directForm        // or nil

	ready   chan struct{} // closed when the form is made, or could not be
	maker   string        // the goroutine that makes it
	made    bool
	depth   int          // how many calls in a row trace what is being traced
	tracing atomic.Bool  // the user's function runs
	uses    atomic.Int32 // counted up to 2
}

// maxForms bounds the compiled forms of one function unless [Signatures] says otherwise.
const maxForms = 256

// directForm is a form of at most three tensors with one result, whose call only runs the code: it
// captures and donates no tensor.
type directForm struct {
	run  backend.DirectFunc
	home *home
	ins  []unsafe.Pointer // the key: the addresses of the types
	out  *Spec
	free bool // no client is named
}

// innerForms are the forms of a function called inside of traces, where it is not
// compiled on its own: traced once for each signature, however often it is called.
type innerForms struct {
	forms  cache[string, *innerForm]
	active map[string]string // being traced, by which goroutine
}

type innerForm struct {
	*form
	pins []unsafe.Pointer // what addresses in the key stand for
}

// misses watches a cache of forms.
type misses struct {
	mu      sync.Mutex
	last    *compiled
	parts   []signaturePart // of the last form
	inARow  int
	warned  bool
	counted bool // by sites
}

// signaturePart describes one leaf of the arguments in a signature.
type signaturePart struct {
	path, text string
	hint       string // what to do when it changes
}

// callArguments are the arguments of a call, read for its signature.
type callArguments struct {
	walker  // its key is the signature
	tensors []Tensor
	ends    []int // of each argument, the number of tensors up to its end
	traced  bool
}

var callArgumentsPool = sync.Pool{New: func() any {
	a := &callArguments{walker: *newWalker("Jit")}
	a.Statics, a.Leaf = true, a.tensor
	return a
}}

// tensor reads one tensor.
func (a *callArguments) tensor(t *Tensor) {
	a.tensors = append(a.tensors, *t)
	var spec *Spec
	if t.p != nil {
		spec = t.p.spec
		a.traced = a.traced || t.p.tr != nil
	}
	a.Address(unsafe.Pointer(spec))
}

// key returns the signature, which must not be kept.
func (a *callArguments) key() *string { return bytesKey(a.Key) }

// bytesKey returns bytes as a string, which must not be kept, without a copy.
func bytesKey(b []byte) *string { return (*string)(unsafe.Pointer(&b)) }

// done makes a ready for the next call.
func (a *callArguments) done() {
	clear(a.tensors)
	a.Reset()
	a.tensors, a.ends, a.traced = a.tensors[:0], a.ends[:0], false
	callArgumentsPool.Put(a)
}

// read reads the arguments of a call.
func (j *jit) read(args []reflect.Value) *callArguments {
	a := callArgumentsPool.Get().(*callArguments)
	for i, v := range args {
		a.Walk(j.args[i], addressable(v).Addr().UnsafePointer())
		a.ends = append(a.ends, len(a.tensors))
	}
	return a
}

// client returns what compiles the function.
func (j *jit) client() backend.Client {
	if j.on != nil {
		return j.on
	}
	return local().client
}

// home returns where captured tensors of the function are put.
func (j *jit) home() *home {
	if j.on != nil {
		return homeOf(j.on.Devices()[0])
	}
	return local()
}

func (j *jit) fail(err error) { failRun("Jit", nil, err) }

// cacheAnswer is the panic value of a call that only reports whether there is code.
type cacheAnswer bool

// has reports whether there is code for the signature of a call.
func (j *jit) has(a *callArguments) bool {
	e := j.forms.find(a.key())
	if e == nil {
		return false
	}
	c := e.value
	select {
	case <-c.ready:
		return c.made && c.exe != nil
	default:
		return false
	}
}
