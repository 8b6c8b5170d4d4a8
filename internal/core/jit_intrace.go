package core

import (
	"reflect"
	"unsafe"

	"github.com/go-nx/nx/stablehlo"
)

// callInTrace calls the function as a part of the trace that its arguments, or what it
// captures, belong to.
func (j *jit) callInTrace(args []reflect.Value) []reflect.Value {
	a := j.read(args)
	defer a.done()
	return j.applyInTrace(a, args)
}

// applyInTrace is callInTrace for arguments that have been read.
func (j *jit) applyInTrace(a *callArguments, args []reflect.Value) []reflect.Value {
	if s := stagedTrace(); s != nil && s.queriesCode {
		panic(cacheAnswer(j.has(a)))
	}
	f := j.innerForm(a, args)
	f.asCallee(baseName(j.f))
	outs := applyForm("Jit", f, presentTensors(a.tensors), func(e *emitter, in []*stablehlo.Value) []*stablehlo.Value {
		return e.call(f.name, in, f.outs)
	})
	return j.returns("Jit", f, outs)
}

// innerForm returns the form for the signature of a call. A function that captures traced
// values is traced at each call.
func (j *jit) innerForm(a *callArguments, args []reflect.Value) *form {
	key := string(a.Key) + currentMesh().symbol() // the collectives are those of the mesh
	s := currentStage()
	masked := s.mask.p != nil
	f := j.inner.forms.get(&key)
	if f != nil && !masked && !(f.calls && f.inBody != s.inBody) {
		return f.form
	}
	me := goroutine()
	j.mu.Lock()
	if j.inner.active[key] == me {
		j.mu.Unlock()
		failRecursion("")
	}
	if j.inner.active == nil {
		j.inner.active = map[string]string{}
	}
	outer, nested := j.inner.active[key]
	j.inner.active[key] = me
	j.mu.Unlock()
	defer func() {
		j.mu.Lock()
		if delete(j.inner.active, key); nested {
			j.inner.active[key] = outer
		}
		j.mu.Unlock()
	}()
	f = &innerForm{form: j.callable.trace("Jit", args), pins: append([]unsafe.Pointer(nil), a.Pins...)}
	if !f.isOpen() && !masked {
		j.inner.forms.put(key, f, j.keep)
	}
	return f.form
}
