// Package cpu has the tests of programs for which the CPU compiler has code of its own: scatters and gathers, windows,
// products of small and narrow numbers, updates in place. Results are compared with the interpreter's.
package cpu
