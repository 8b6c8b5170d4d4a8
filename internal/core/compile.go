package core

import "reflect"

// Executable is nx.Executable.
type Executable[F any] struct {
	// Call runs it. Arguments of other types are an error.
	Call F
	jit  *jit
	form *compiled
}

// Compile implements nx.Compile.
func Compile[F any](f F, args []any, opts ...JitOption) (exe *Executable[F], err error) {
	defer Catch(&err)
	t := reflect.TypeFor[F]()
	functionName("Compile", t, reflect.ValueOf(f))
	j := newJit(t, reflect.ValueOf(f), opts)
	in := j.templates("Compile", args)
	a := j.read(in)
	defer a.done()
	j.ahead = true
	exe = &Executable[F]{jit: j, form: j.form(background, a, in)}
	j.sealed = true
	exe.Call = reflect.MakeFunc(t, j.call).Interface().(F)
	return exe, nil
}

// Text implements nx.Executable.Text.
func (e *Executable[F]) Text() string {
	if e == nil || e.form == nil {
		fail(ErrArgument, "Text", "nx.Compile makes executables", "the Executable is the zero one")
	}
	return e.form.module.String()
}
