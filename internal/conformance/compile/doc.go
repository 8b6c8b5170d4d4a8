// Package compile has the tests of what compiling costs: its growth with the size of a program, and the limit of what
// calls expand to.
package compile
