package command

import (
	"fmt"

	"github.com/go-nx/nx/internal/blocks"
	"github.com/go-nx/nx/stablehlo"
	"github.com/go-nx/nx/stablehlo/interp"
)

// unknownCall is a custom_call of an unknown function.
type unknownCall struct {
	Target string `json:"target"`
	Line   int    `json:"line"`
	op     *stablehlo.Op
}

type callList struct {
	source *stablehlo.Source
	calls  []unknownCall
}

// unknownCalls finds the calls of functions that no backend has.
func unknownCalls(m *stablehlo.Module) callList {
	list := callList{source: m.Source}
	for op := range m.Walk() {
		if op.Code != stablehlo.OpCustomCall || interp.HasCall(op) {
			continue
		}
		c := unknownCall{Target: op.Str("call_target_name"), op: op}
		if m.Source != nil && op.Pos() > 0 {
			c.Line, _ = m.Source.LineCol(op.Pos())
		}
		list.calls = append(list.calls, c)
	}
	return list
}

// advice is the advice for an unknown call.
const advice = "write it as StableHLO ops, or as a stablehlo.composite with a decomposition, " +
	"or give the function to the interpreter from Go (interp.WithCustomCall)"

// err returns an error at the first of the calls, or nil.
func (l callList) err() error {
	if len(l.calls) == 0 {
		return nil
	}
	c := l.calls[0]
	message := fmt.Sprintf("%s: the function @%s is unknown: %s", c.op.Name(), printable(c.Target), advice)
	if stablehlo.IsCallback(c.op) {
		message = fmt.Sprintf("%s: @%s calls a Python function (jax.pure_callback, jax.experimental.io_callback), "+
			"whose results the program needs: export it without", c.op.Name(), printable(c.Target))
	}
	return errorAt(l.source, c.op, message)
}

func errorAt(source *stablehlo.Source, op *stablehlo.Op, message string) error {
	d := stablehlo.Diagnostic{Pos: op.Pos(), Loc: op.Loc, Message: message}
	return &stablehlo.Error{Source: source, Diagnostics: []stablehlo.Diagnostic{d}}
}

// checkCalls returns an error for the first call that no run of the program could make: of
// a function that is not here, or of a routine of linear algebra that does not take its
// operands.
func checkCalls(m *stablehlo.Module) error {
	if err := unknownCalls(m).err(); err != nil {
		return err
	}
	for op := range m.Walk() {
		if err := blocks.CheckCall(op); err != nil {
			return errorAt(m.Source, op, fmt.Sprintf("%s: %v", op.Name(), err))
		}
	}
	return nil
}

// noteSkipped reports which calls of Python are left out.
func (s *Streams) noteSkipped(path string, m *stablehlo.Module) {
	if n := stablehlo.SilentCallbacks(m); n > 0 {
		fmt.Fprintf(s.err, "%s: %s: skips %s of Python that return nothing (jax.debug.print and the like)\n", s.name,
			path, plural(n, "call"))
	}
}
