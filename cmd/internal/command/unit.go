package command

import (
	"bytes"
	"context"
	"errors"
	"fmt"

	"github.com/go-nx/nx/internal/conformance"
	"github.com/go-nx/nx/internal/model"
	"github.com/go-nx/nx/stablehlo"
	"github.com/go-nx/nx/stablehlo/interp"
)

// runFile runs a self-checking program.
func (c *checker) runFile(ctx context.Context, b backend, path string) verdict {
	text, err := c.readProgram(ctx, path)
	if err != nil {
		return failure(path, err)
	}
	unit := ctx
	if c.timeout > 0 {
		var cancel context.CancelFunc
		unit, cancel = context.WithTimeout(ctx, c.timeout)
		defer cancel()
	}
	ran, err := runUnit(unit, b, path, text)
	switch {
	case err == nil:
		return verdict{Path: path, Passed: true, Ran: &ran}
	case errors.Is(unit.Err(), context.DeadlineExceeded):
		err = fmt.Errorf("did not end within %v: give it more with --timeout", c.timeout)
	}
	return failure(path, err)
}

// readProgram reads a file to be run. One without a program is refused: it is more
// likely cut off than meant to pass.
func (c *checker) readProgram(ctx context.Context, path string) ([]byte, error) {
	text, err := c.readText(ctx, path)
	if err != nil {
		return nil, err
	}
	if model.Binary(text) {
		return text, nil
	}
	for line := range bytes.Lines(text) {
		if line = bytes.TrimSpace(line); len(line) > 0 && !bytes.HasPrefix(line, []byte("//")) {
			return text, nil
		}
	}
	return nil, errors.New("holds no program, not even an empty module")
}

// runUnit runs the parts of a file up to the first failure, and returns the number of functions that ran.
func runUnit(ctx context.Context, b backend, name string, text []byte) (ran int, err error) {
	r := &unitRunner{backend: b}
	if model.Binary(text) {
		p, err := model.Read(ctx, name, text)
		if err != nil {
			return 0, err
		}
		err = conformance.RunModule(ctx, p.Module, r)
		if err == nil && r.ran == 0 { // it was verified only: report what a run would reject
			err = checkCalls(p.Module)
		}
		return r.ran, err
	}
	for _, part := range stablehlo.Split(name, text) {
		before := r.ran
		if err := conformance.RunSource(ctx, part, r); err != nil {
			return r.ran, err
		}
		if r.ran == before {
			if err := checkCalls(r.module); err != nil {
				return r.ran, err
			}
		}
	}
	return r.ran, nil
}

// unitRunner is a backend as a [conformance.Executor] that counts its runs.
type unitRunner struct {
	backend
	ran    int
	module *stablehlo.Module // loaded last
}

func (r *unitRunner) Load(m *stablehlo.Module) (conformance.Program, error) {
	r.module = m
	p, err := r.backend(m, nil)
	return unitProgram{r, p}, err
}

type unitProgram struct {
	runner *unitRunner
	conformance.Program
}

func (p unitProgram) Call(ctx context.Context, fn string, args ...interp.Value) ([]interp.Value, error) {
	p.runner.ran++
	return p.Program.Call(ctx, fn, args...)
}
