// Package kit has what the tests of programs share: the executors, calls of @main, comparisons of results, operands,
// and the flag -emulated.
package kit
