package stablehlo

import (
	"fmt"
	"strings"
)

// check holds one op while its constraints are checked and its result types
// inferred. Both happen in one function an op, a row of the table checks, so
// that tracer, builder, parser and verifier agree.
type check struct {
	*Op
	info     *OpInfo
	failed   bool
	inferred []Type    // set by infer; nil when the operands do not determine the results
	rule     string    // the constraint that the inferred types follow from
	verifier *verifier // nil when the op is being built
	err      *Error    // reported error when there is no verifier
}

// report adds a diagnostic of an op.
func (c *check) report(op *Op, d Diagnostic) {
	if c.verifier != nil {
		c.verifier.add(op, d)
		return
	}
	d.Op = opText(op)
	c.err.Diagnostics = append(c.err.Diagnostics, d)
}

// checkFunc checks the constraints of an op whose operand counts, type sets,
// attribute kinds and region counts already hold (the facts of its OpInfo), and
// calls infer with the result types where the operands determine them. When an
// op is being built without result types, Results is empty and has types only
// after infer.
type checkFunc func(*check)

// fail reports a violation of a constraint ("add_c2"; "c2" is completed to that of the op; "" when the
// specification has no id for it).
func (c *check) fail(constraint, format string, args ...any) {
	c.failed = true
	c.report(c.Op, Diagnostic{Pos: c.pos, Loc: c.Loc, Constraint: c.id(constraint),
		Message: c.Name() + ": " + fmt.Sprintf(format, args...)})
}

// id returns the id of a constraint: "c1" of add is "add_c1"; "" for an op that is not in the specification.
func (c *check) id(constraint string) string {
	switch {
	case constraint == "" || strings.Contains(constraint, "_"):
		return constraint
	case c.info.SpecAnchor() == "":
		return ""
	}
	return c.info.Mnemonic() + "_" + constraint
}

// require reports a violation when ok is false, and returns ok.
//
//go:noinline
func (c *check) require(ok bool, constraint, format string, args ...any) bool {
	if !ok {
		c.fail(constraint, format, args...)
	}
	return ok
}

// infer sets the result types that follow from the operands and attributes.
// The verifier compares them with the declared ones: equal element types,
// compatible shapes (a dynamic dimension fits any size).
func (c *check) infer(types ...Type) { c.inferred = types }

// inferBy is infer with the constraint that the types follow from.
func (c *check) inferBy(constraint string, types ...Type) {
	c.rule = constraint
	c.inferred = types
}

// building reports whether an op is being built whose results follow from the check.
func (c *check) building() bool { return c.verifier == nil && len(c.Results) == 0 }

// arg returns the type of operand i as a tensor, nil when it is not a ranked tensor.
func (c *check) arg(i int) *TensorType {
	if i >= len(c.Operands) {
		return nil
	}
	return c.Operands[i].Tensor()
}

// res returns the declared type of result i as a tensor, nil when it is
// not a ranked tensor or the op is being built without result types.
func (c *check) res(i int) *TensorType {
	if i >= len(c.Results) {
		return nil
	}
	return c.Results[i].Tensor()
}
