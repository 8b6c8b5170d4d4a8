// Package stablehlo is the graph language in which everything of this project
// meets: types, attributes, functions, ops and regions of StableHLO 1.20
// (https://openxla.org/stablehlo/spec), with a parser and a printer for the
// generic and the pretty form, a verifier and a builder.
//
//	m, err := stablehlo.Parse("add.mlir", text)       // place and caret in the error
//	err = m.Verify()                                  // all violations, with the spec's ids
//	for op := range m.Walk() { … op.Code, op.Operands, op.Attr("dimension") … }
//	err = stablehlo.Print(w, m, stablehlo.PrintOptions{Generic: true})
//
//	m := stablehlo.NewModule("demo")
//	f, err := m.BuildFunc("twice", ins, func(b *stablehlo.Builder, x []*stablehlo.Value) ([]*stablehlo.Value, error) {
//		y, err := b.Value(stablehlo.OpAdd, []*stablehlo.Value{x[0], x[0]})  // checked; its type is inferred
//		return []*stablehlo.Value{y}, err
//	})
//
// A [Module] is a builtin.module op; its region holds functions, theirs a block of
// ops in order. A [Value] is a result or a block argument, and an operand is a
// pointer to it, so that rewriting is assignment: op.Operands[i] = v, [Op.Replace],
// [Block.SetOps]. Types, attributes and locations are immutable and may be shared. A
// module may be read by several goroutines, as long as none changes it.
//
// One table, [Ops], holds the facts about every op; other packages add their
// concern (meaning, derivative, code) in tables of their own indexed by [OpCode].
// Package interp runs modules.
package stablehlo
