package simplify

import (
	"errors"
	"fmt"
	"slices"

	"github.com/go-nx/nx/internal/emit"
	"github.com/go-nx/nx/stablehlo"
)

// Emitter appends the replacement of an op. The files of rules add methods to it for the ops of
// their rules.
type Emitter struct {
	emit.Emitter
	values Renames // the replacements of removed results
	uses   uses    // of values, for rules
}

// on returns an emitter that appends to another block.
func (e Emitter) on(b *stablehlo.Block) Emitter { return Emitter{e.On(b), e.values, e.uses} }

// bodyFunc appends the ops of a region and returns its results.
type bodyFunc func(e Emitter, args []*stablehlo.Value) []*stablehlo.Value

// Body returns a region whose ops build appends.
func (e Emitter) Body(args []stablehlo.Type, build bodyFunc) stablehlo.Body {
	region := func(b *stablehlo.Builder, args []*stablehlo.Value) ([]*stablehlo.Value, error) {
		return build(e.on(b.Block()), args), nil
	}
	return stablehlo.Body{Args: args, Build: region}
}

// caught runs a part of a pass and returns the error of the builder, with the op that was being
// rewritten.
func caught(run func()) (err error) {
	defer emit.Catch(&err)
	run()
	return nil
}

// Rewriting runs a pass over a function. An error of the builder is an internal error.
func Rewriting(pass string, f stablehlo.Func, run func()) error {
	if err := caught(run); err != nil {
		return internalError(pass, f.Name(), err)
	}
	return nil
}

// internalError is the error of a pass that built an invalid op: a bug in this package. It has the
// text of the op that was being rewritten.
func internalError(pass, function string, err error) error {
	err = fmt.Errorf("internal error: %s of @%s: %w", pass, function, err)
	var at *emit.Error
	if !errors.As(err, &at) {
		return err
	}
	return &emit.Error{Op: at.Op, Err: fmt.Errorf("%w\n%s", err, at.Op.Text(stablehlo.PrintOptions{Elide: true}))}
}

// Except returns the numbers below n that are not in any of the lists, in order.
func Except(n int, lists ...[]int64) []int64 {
	return slices.DeleteFunc(emit.UpTo(n), func(d int64) bool {
		return slices.ContainsFunc(lists, func(l []int64) bool { return slices.Contains(l, d) })
	})
}
