//go:build !unix

package pjrt

// StackWarning returns "": the stack of threads is the program's own to say here.
func StackWarning() string { return "" }
