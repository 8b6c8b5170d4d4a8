// Package fuse turns a function into a program (package program): kernels, each fusing a
// cluster of element-wise ops and reductions, and nodes for ops that have an algorithm
// of their own, over buffers that are not placed in memory yet.
package fuse
