//go:build !unix

package pjrt

// StackWarning returns "": this system does not limit the stacks of threads.
func StackWarning() string { return "" }
