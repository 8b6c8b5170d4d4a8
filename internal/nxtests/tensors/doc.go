// Package tensors has the tests of package nx that are about tensors as values: how they are
// made, printed, read, saved and kept in memory.
package tensors
