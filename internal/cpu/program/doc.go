// Package program is what the CPU compiler runs: a function as a list of nodes over
// buffers, as data. Package fuse builds it from StableHLO, package sched says where its
// buffers lie, package exec obeys both.
//
// A node is one of these kinds:
//
//   - [Kernel]: a loop nest over element-wise instructions and folds (package kernel);
//   - [Contraction]: a product of matrices, in batches and over the taps of windows;
//   - [RowLoop]: kernels over the same rows, some rows through all of them at a time;
//   - [Loop]: a list of nodes again and again, on a state;
//   - [Branch]: one of several lists of nodes, by an index;
//   - [ParallelGroup]: nodes that need nothing of each other, at the same time;
//   - [Call]: an op with an algorithm of its own, its effects declared.
//
// [Program.Verify] checks a program on its own, [Program.String] shows it, [Program.Listing] says
// all of it as text that [Parse] reads, and [Program.Traffic] counts the bytes that its nodes read
// and write.
package program
