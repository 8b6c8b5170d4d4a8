// Package stablehlo is the graph language in which everything of this project
// meets: types, attributes, functions, ops and regions of StableHLO 1.20
// (https://openxla.org/stablehlo/spec), with a parser and a printer for the
// generic and the pretty form, a verifier and a builder.
//
// [Parse] and [Print] read and write text, [Module.Verify] checks a module and
// lists all violations, [Module.BuildFunc] and [Builder] make one op by op with
// [InferTypes], and [Op.Walk] and [Op.Replace] rewrite it.
//
// One table, [Ops], holds the facts about every op; other packages add their
// concern (meaning, derivative, code) in tables of their own indexed by [OpCode].
package stablehlo
