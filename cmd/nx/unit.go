package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/go-nx/nx/internal/conformance"
	"github.com/go-nx/nx/stablehlo"
)

// runFile runs a self-checking program.
func (c *checker) runFile(ctx context.Context, b backend, path string) verdict {
	text, err := c.readText(ctx, path)
	if err != nil {
		return failure(path, err)
	}
	unit := ctx
	if c.timeout > 0 {
		var cancel context.CancelFunc
		unit, cancel = context.WithTimeout(ctx, c.timeout)
		defer cancel()
	}
	err = runUnit(unit, b, path, text)
	switch {
	case err == nil:
		return verdict{Path: path, Passed: true}
	case errors.Is(unit.Err(), context.DeadlineExceeded):
		err = fmt.Errorf("did not end within %v: give it more with --timeout", c.timeout)
	}
	return failure(path, err)
}

// runUnit runs the parts of a file up to the first that fails.
func runUnit(ctx context.Context, b backend, name string, text []byte) error {
	for _, part := range stablehlo.Split(name, text) {
		if err := conformance.RunSource(ctx, part, b); err != nil {
			return err
		}
	}
	return nil
}
