// Package stablehlo has the tests that run programs of StableHLO on every executor: those of the StableHLO project, of
// JAX, and our own; and each elementwise op on every element type.
package stablehlo
