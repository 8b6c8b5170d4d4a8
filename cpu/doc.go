// Package cpu is the default compiler: StableHLO to fused loops for the processor the program runs
// on, without assembly, cgo or downloads.
//
// A module goes through the list of passes in stages.go: calls are inlined, constants folded, dead
// code removed, element-wise ops and reductions fused into kernels, buffers allocated in one arena,
// and kernels executed tile by tile by a worker pool. Results are bitwise the same for any number
// of workers.
package cpu
