// Package fuse turns a function into a program (package program): kernels, each fusing a cluster of
// element-wise ops and reductions, and nodes for ops that have their own algorithm, over buffers
// that have no memory yet.
package fuse
