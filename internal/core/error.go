package core

import (
	"fmt"
	"strconv"
	"strings"

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
	e.Operands = DescribeAll(operands)
	stage := currentStage()
	e.Within = stage.batches()
	return e
}

// NewError returns an error of the caller's line, as those of this package are.
func NewError(code diag.Code, op string, operands []Tensor, hint, format string, args ...any) *Error {
	return newError(code, op, operands, hint, format, args...)
}

// DescribeAll returns the types of operands, numbered where there are several, and where they come from.
func DescribeAll(operands []Tensor) []string {
	var out []string
	for i, t := range operands {
		label := "operand: "
		if len(operands) > 1 {
			label = fmt.Sprintf("operand %d: ", i)
		}
		out = append(out, label+describe(t)+origin(t))
	}
	return out
}

// calledAs, deferred, gives the errors of an inner function the name and the operands of the outer
// one.
func calledAs(op string, operands ...Tensor) {
	diag.CalledAs(recover(), op, func() []string { return DescribeAll(operands) })
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

// origin says which tensor of a container of its arguments a traced function has an operand from; "" if unknown.
func origin(t Tensor) string {
	if t.p == nil || t.p.tr == nil || t.p.tr.names == nil {
		return ""
	}
	f := t.p.tr.fn
	if !f.mu.TryLock() { // the error is one of adding to the graph
		return ""
	}
	defer f.mu.Unlock()
	v, text := t.p.val, ", "
	at := []int{v.Index()}
	switch {
	case v.Op() != nil:
		text, at = ", computed from ", entryArguments(v.Op())
	case v.Block() != f.f.Body():
		return ""
	}
	names := t.p.tr.names()
	if len(at) != 1 || at[0] >= len(names) || names[at[0]] == "" {
		return ""
	}
	return text + names[at[0]]
}

// plural returns a number of things: 1 axis, 2 axes.
func plural(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}

// nameList returns names for messages.
func nameList(names []string) string {
	var out []string
	for _, n := range names {
		if n != "" {
			out = append(out, strconv.Quote(n))
		}
	}
	return strings.Join(out, ", ")
}

// nearest suggests the name with the smallest distance, if it is small.
func nearest(name string, names []string) string {
	best, least := "", 3
	for _, n := range names {
		if d := distance(name, n); d < least && d < len(n) {
			best, least = n, d
		}
	}
	if best == "" {
		return ""
	}
	return fmt.Sprintf("; did you mean %q?", best)
}

// distance is the number of letters to insert, delete or change (Levenshtein).
func distance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			change := diagonal
			if a[i] != b[j] {
				change++
			}
			diagonal = row[j+1]
			row[j+1] = min(change, row[j]+1, row[j+1]+1)
		}
	}
	return row[len(b)]
}

const unknownPlace = "an unknown place"

func place(file string, line int) string {
	if file == "" {
		return unknownPlace
	}
	return diag.Place(file, line)
}
