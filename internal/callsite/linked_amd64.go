package callsite

const haveLinked = true

// linked follows the frame pointers of its caller and of the caller of that, and returns the
// address to which the latter returns.
//
//go:noescape
func linked() uintptr
