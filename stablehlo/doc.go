// Package stablehlo is the graph language in which everything of this project
// meets: types, attributes, functions, ops and regions of StableHLO 1.20
// (https://openxla.org/stablehlo/spec), with a parser and a printer for the
// generic and the pretty form, a verifier and a builder.
//
// One table, [Ops], holds the facts about every op; other packages add their
// concern (meaning, derivative, code) in tables of their own indexed by [OpCode].
package stablehlo
