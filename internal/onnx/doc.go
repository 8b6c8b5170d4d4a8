// Package onnx imports models of ONNX: it calls the ops of package core for the nodes of a graph.
//
// A model is imported by partial evaluation for the shapes of a call. A value is either known, data that were computed
// while importing (constants, shapes, and what is computed from them), or an argument of the call, or computed from
// one. Known operands become attributes: Reshape, Slice, Resize and many others leave no computation of shapes
// behind, an If on a known condition takes its branch. The rest becomes a function that is compiled.
//
// The way of a call:
//
//   - program.go opens a file, and reports all nodes that cannot be imported (check.go);
//   - plan.go finds the compiled program for the shapes of a call, or traces it, and runs it;
//   - step.go walks the nodes, node.go is what an op sees of its node, control.go has the ops with graphs in them;
//   - table.go finds the row of an op; rows are in ops_*.go, a family in each.
//
// Where an op needs the value of what is only computed when the program runs, the program is cut there: one part runs
// up to it, the value is read, and the rest is imported with that value known (plan.go).
package onnx
