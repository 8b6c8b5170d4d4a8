// Package kit has what the tests below internal/nxtests share: comparisons, sample tensors of every element type,
// a table that applies every function of tensors, recorders of calls, and the files of the repository.
package kit
