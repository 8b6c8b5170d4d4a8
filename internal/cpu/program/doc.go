// Package program is the executable IR of the CPU compiler: a function as a list of nodes over
// buffers. Package fuse builds it from StableHLO, package sched assigns memory to its buffers, package
// exec runs it.
//
// A node is one of these kinds:
//
//   - [Kernel]: a loop nest over element-wise instructions and reductions (package kernel);
//   - [Contraction]: a matrix product, in batches and over the taps of windows;
//   - [RowLoop]: kernels and contractions over the same rows, a few rows through all of them at a time;
//   - [Loop]: a list of nodes, repeated on a state;
//   - [Branch]: one of several lists of nodes, by an index;
//   - [ParallelGroup]: independent nodes, run in parallel;
//   - [Call]: an op with its own algorithm, its effects declared.
//
// [Program.Verify] checks a program, [Program.String] prints it, [Program.Listing] prints all of it
// as text that [Parse] reads, and [Program.Traffic] counts the bytes that its nodes read and write.
package program
