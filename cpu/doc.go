// Package cpu is the default compiler: StableHLO to fused loops for the
// processor the program runs on, without assembly, cgo or downloads.
//
// A module goes through a list of passes that can be read in stages.go:
// calls are expanded, constants folded, dead code removed, element-wise ops and reductions fused
// into kernels, buffers placed in one arena, and kernels executed tile by tile
// by a pool of workers. Results are the same bits for any number of workers.
package cpu
