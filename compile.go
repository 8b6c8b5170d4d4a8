package nx

import (
	"reflect"
)

// Executable is a function compiled for one signature.
type Executable[F any] struct {
	// Call runs it. Arguments of other types are an error.
	Call F
	jit  *jit
	form *compiled
}

// Compile compiles f for arguments of the types of args, without running it.
// The arguments are those of f, without a leading context.
func Compile[F any](f F, args ...any) (exe *Executable[F], err error) {
	defer Catch(&err)
	t := reflect.TypeFor[F]()
	if t.Kind() != reflect.Func {
		fail(ErrArgument, "Compile", "", "takes a function, not %s", t)
	}
	j := newJit(t, reflect.ValueOf(f), nil)
	in := make([]reflect.Value, len(args))
	first := 0
	if j.hasContext {
		first = 1
	}
	if len(args) != t.NumIn()-first {
		fail(ErrArgument, "Compile", "", "the function takes %d arguments, got %d", t.NumIn()-first, len(args))
	}
	for i, a := range args {
		in[i] = reflect.ValueOf(a)
		if !in[i].IsValid() || in[i].Type() != t.In(i+first) {
			fail(ErrArgument, "Compile", "", "argument %d is a %T, the function takes %s", i, a, t.In(i+first))
		}
	}
	s := j.signature(in)
	if s.traced {
		fail(ErrTrace, "Compile", "", "an argument is a traced tensor")
	}
	exe = &Executable[F]{jit: j, form: j.form(s.key, func() []reflect.Value { return in })}
	j.sealed = true
	exe.Call = reflect.MakeFunc(t, j.call).Interface().(F)
	return exe, nil
}

// Text returns the program as StableHLO.
func (e *Executable[F]) Text() string { return e.form.module.String() }
