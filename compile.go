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
// The arguments are those of f, without a leading context; a [Spec] stands for a
// tensor of that type. In containers, [Zeros] stand for tensors without holding
// memory.
func Compile[F any](f F, args ...any) (exe *Executable[F], err error) {
	defer Catch(&err)
	t := reflect.TypeFor[F]()
	functionName("Compile", t, reflect.ValueOf(f))
	j := newJit(t, reflect.ValueOf(f), nil)
	in := make([]reflect.Value, len(args))
	first := b2i(j.hasContext)
	if len(args) != t.NumIn()-first {
		fail(ErrArgument, "Compile", "", "the function takes %s, got %d", plural(t.NumIn()-first, "argument", "arguments"), len(args))
	}
	for i, a := range args {
		if s, ok := a.(Spec); ok && t.In(i+first) == tensorType {
			spec := newSpec("Compile", s)
			a = full("Compile", spec.Shape, zero, spec.DType, []NewOption{NamesOption{spec.Names}})
		}
		in[i] = reflect.ValueOf(a)
		if !in[i].IsValid() || in[i].Type() != t.In(i+first) {
			fail(ErrArgument, "Compile", "", "argument %d is of type %T, the function takes %s", i, a, t.In(i+first))
		}
	}
	a := j.read(in)
	defer a.done()
	if a.traced {
		fail(ErrTrace, "Compile", "compile outside of the traced function", "an argument is a traced tensor")
	}
	j.ahead = true
	exe = &Executable[F]{jit: j, form: j.form(background, a, in)}
	j.sealed = true
	exe.Call = reflect.MakeFunc(t, j.call).Interface().(F)
	return exe, nil
}

// Text returns the program as StableHLO.
func (e *Executable[F]) Text() string {
	if e == nil || e.form == nil {
		fail(ErrArgument, "Text", "nx.Compile makes executables", "the Executable is the zero one")
	}
	return e.form.module.String()
}
