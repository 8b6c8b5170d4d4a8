// Package jit has the tests of package nx that are about compiled functions: signatures,
// captured tensors, donation, goroutines, and the programs that are made of them.
package jit
