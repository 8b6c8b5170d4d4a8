package cpu

import (
	"context"
	"fmt"

	"github.com/go-nx/nx/backend"
	"github.com/go-nx/nx/internal/cpu/exec"
	"github.com/go-nx/nx/internal/cpu/fuse"
	"github.com/go-nx/nx/internal/simplify"
	"github.com/go-nx/nx/stablehlo"
)

// Compile compiles the function @main of a module, which is left as it is.
// Shapes must be static.
func (c *Client) Compile(_ context.Context, m *stablehlo.Module) (backend.Executable, error) {
	return c.CompileFunc(m, "main")
}

// CompileFunc compiles a function of a module.
func (c *Client) CompileFunc(m *stablehlo.Module, name string) (backend.Executable, error) {
	if err := m.Verify(); err != nil {
		return nil, err
	}
	m = m.Clone()
	f, ok := m.Func(name)
	if !ok || f.IsDeclaration() {
		return nil, fmt.Errorf("cpu: the module has no function @%s with a body", name)
	}
	for _, p := range passes {
		if err := p.run(m, f); err != nil {
			return nil, fmt.Errorf("%s: %w", p.name, err)
		}
	}
	prog, err := fuse.Build(f)
	if err != nil {
		return nil, err
	}
	x, err := exec.Compile(prog, c.env)
	if err != nil {
		return nil, err
	}
	e := &executable{x: x}
	for _, v := range f.Body().Terminator().Operands {
		t := v.Tensor()
		if t == nil {
			return nil, fmt.Errorf("cpu: a result of type %s is not supported", v.Type())
		}
		e.results = append(e.results, backend.Type{DType: t.DType(), Dims: t.Dims})
	}
	return e, nil
}

// passes rewrite the module, in order, before it is planned.
var passes = []struct {
	name string
	run  func(m *stablehlo.Module, f stablehlo.Func) error
}{
	{"inline", simplify.Inline},
	{"lower", func(_ *stablehlo.Module, f stablehlo.Func) error { return simplify.Lower(f) }},
	{"dead code", func(_ *stablehlo.Module, f stablehlo.Func) error { simplify.DeadCode(f.Body()); return nil }},
	{"static shapes", func(_ *stablehlo.Module, f stablehlo.Func) error { return requireStatic(f) }},
}

// requireStatic refuses programs whose sizes are known only when they run.
func requireStatic(f stablehlo.Func) error {
	for op := range f.Walk() {
		for _, v := range op.Results {
			if t := v.Tensor(); t != nil && !t.IsStatic() {
				return fmt.Errorf("%s: the result type %s has dynamic dimensions, which are not supported yet", op.Name(), t)
			}
		}
	}
	for _, v := range f.Args() {
		if t := v.Tensor(); t != nil && !t.IsStatic() {
			return fmt.Errorf("@%s: the argument type %s has dynamic dimensions, which are not supported yet", f.Name(), t)
		}
	}
	return nil
}

// executable is a compiled function.
type executable struct {
	x       *exec.Executable
	results []backend.Type
}

// Execute runs the function and returns when it has ended.
func (e *executable) Execute(ctx context.Context, args []backend.Argument) ([]backend.Buffer, error) {
	data := make([][]byte, len(args))
	for i, a := range args {
		b, ok := a.Buffer.(*buffer)
		if !ok {
			return nil, fmt.Errorf("cpu: argument %d lives on %s", i, a.Device())
		}
		data[i] = b.data
	}
	out, err := e.x.Run(ctx, data)
	if err != nil {
		return nil, err
	}
	bufs := make([]backend.Buffer, len(out))
	for i, d := range out {
		bufs[i] = &buffer{t: e.results[i], data: d}
	}
	return bufs, nil
}

// Close does nothing: memory is the collector's.
func (e *executable) Close() error { return nil }
