package conformance

import (
	"context"
	"errors"
	"fmt"
	"os"

	"github.com/go-nx/nx/stablehlo"
	"github.com/go-nx/nx/stablehlo/interp"
)

// Runner runs the function @fn of a module, which takes no arguments; its
// results do not matter. A Runner refuses modules that do not verify.
type Runner interface {
	// Load verifies and prepares a module.
	Load(m *stablehlo.Module) (Program, error)
}

// Program is a module ready to run.
type Program interface {
	Run(ctx context.Context, fn string) error
}

// RunFile runs a file, one program or several with "// -----" between them.
// It passes when every program does.
func RunFile(ctx context.Context, path string, with Runner) error {
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

// RunSource runs one program: parse, verify, then @main, or without one every
// public function that takes no arguments. A program with nothing to run
// passes when it is valid.
func RunSource(ctx context.Context, source *stablehlo.Source, with Runner) error {
	m, err := stablehlo.ParseSource(source)
	if err != nil {
		return err
	}
	p, err := with.Load(m)
	if err != nil {
		return err
	}
	var errs []error
	for _, name := range Entries(m) {
		if err := p.Run(ctx, name); err != nil {
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

// Interp is the reference interpreter as a [Runner].
func Interp(opts ...interp.Option) Runner { return interpRunner(opts) }

type interpRunner []interp.Option

func (r interpRunner) Load(m *stablehlo.Module) (Program, error) {
	it, err := interp.New(m, r...)
	if err != nil {
		return nil, err
	}
	return interpProgram{it}, nil
}

type interpProgram struct{ *interp.Interpreter }

func (p interpProgram) Run(ctx context.Context, fn string) error {
	_, err := p.Call(ctx, fn)
	return err
}
