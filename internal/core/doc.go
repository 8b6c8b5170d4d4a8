// Package core implements package nx: tensors, tracing, the ops, transformations, compiled functions. Package nx
// declares what programs see of it, with the documentation; so do packages debug, fft, shard and tree.
package core
