package core

import (
	"fmt"

	"github.com/go-nx/nx/diag"
)

// Error is the error of using an op wrongly: ops panic with *Error, boundaries
// return it. See package diag.
type Error = diag.Error

// Catch implements nx.Catch.
func Catch(err *error) { diag.Recover(recover(), err) }

// fail panics with an *Error of the caller's line.
//
//go:noinline
func fail(code diag.Code, op, hint, format string, args ...any) {
	panic(newError(code, op, nil, hint, format, args...))
}

// failOn is fail with the operands' types.
//
//go:noinline
func failOn(code diag.Code, op string, operands []Tensor, hint, format string, args ...any) {
	panic(newError(code, op, operands, hint, format, args...))
}

func newError(code diag.Code, op string, operands []Tensor, hint, format string, args ...any) *Error {
	e := diag.New(code, op, hint, format, args...)
	e.Operands = describeAll(operands)
	return e
}

// describeAll returns the types of operands, numbered where there are several.
func describeAll(operands []Tensor) []string {
	var out []string
	for i, t := range operands {
		label := "operand: "
		if len(operands) > 1 {
			label = fmt.Sprintf("operand %d: ", i)
		}
		out = append(out, label+describe(t))
	}
	return out
}

// calledAs gives the errors of functions of which another is made the name and the operands of that
// one, deferred.
func calledAs(op string, operands ...Tensor) {
	diag.CalledAs(recover(), op, func() []string { return describeAll(operands) })
}

// notNil refuses a nil function.
func notNil(op string, isNil bool) {
	if isNil {
		fail(ErrArgument, op, "", "the function is nil")
	}
}

// describe returns the type of an operand for messages.
func describe(t Tensor) string {
	switch {
	case t.p == nil:
		return "absent (the zero Tensor)"
	case t.p.rec != nil && t.p.rec.isOperand:
		return "the Go number " + t.p.rec.num.Text()
	}
	if t.p.isWeakNumber() {
		return fmt.Sprintf("%s, the number %s", t.p.spec, t.p.rec.num.Text())
	}
	return t.p.spec.String()
}

// plural returns a number of things: 1 axis, 2 axes.
//
//go:noinline
func plural(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}
