package conformance

import (
	"context"
	"errors"
	"fmt"
	"os"

	"github.com/go-nx/nx/stablehlo"
	"github.com/go-nx/nx/stablehlo/interp"
)

// Executor makes modules ready to run; it refuses those that do not verify.
type Executor interface {
	Load(m *stablehlo.Module) (Program, error)
}

// Program is a module ready to run.
type Program interface {
	// Call runs the function @fn.
	Call(ctx context.Context, fn string, args ...interp.Value) ([]interp.Value, error)
}

// RunFile runs a file, one program or several with "// -----" between them.
// It passes when every program does.
func RunFile(ctx context.Context, path string, with Executor) error {
	text, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	var errs []error
	for _, source := range stablehlo.Split(path, text) {
		if err := RunSource(ctx, source, with); err != nil {
			errs = append(errs, err)
		}
	}
	return errors.Join(errs...)
}

// RunSource runs one program: parse, verify, then @main, or if it is absent every public function without
// arguments. A program without such functions passes when it is valid.
func RunSource(ctx context.Context, source *stablehlo.Source, with Executor) error {
	m, err := stablehlo.ParseSourceContext(ctx, source)
	if err != nil {
		return err
	}
	return RunModule(ctx, m, with)
}

// RunModule runs the functions of a module that running it means.
func RunModule(ctx context.Context, m *stablehlo.Module, with Executor) error {
	p, err := with.Load(m)
	if err != nil {
		return err
	}
	var errs []error
	for _, name := range Entries(m) {
		if _, err := p.Call(ctx, name); err != nil {
			errs = append(errs, fmt.Errorf("@%s: %w", name, err))
		}
	}
	return errors.Join(errs...)
}

// Entries returns the names of the functions that running a program means.
func Entries(m *stablehlo.Module) []string {
	if main, ok := m.Func("main"); ok {
		if len(main.Type().Ins) > 0 {
			return nil
		}
		return []string{"main"}
	}
	var names []string
	for f := range m.Funcs() {
		if !f.IsPrivate() && !f.IsDeclaration() && len(f.Type().Ins) == 0 {
			names = append(names, f.Name())
		}
	}
	return names
}

// Interp is the reference interpreter as an [Executor].
func Interp(opts ...interp.Option) Executor { return interpreter(opts) }

type interpreter []interp.Option

func (i interpreter) Load(m *stablehlo.Module) (Program, error) { return interp.New(m, i...) }
