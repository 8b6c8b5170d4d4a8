// Package callsite finds the caller of a function with a few loads, where walking the stack would cost as much
// as a computation of few elements.
package callsite

import "runtime"

// cheap reports that frames are linked as [linked] follows them.
var cheap = haveLinked && agree()

// PC returns the program counter to which its caller returns, as [runtime.Callers] has it:
// equal ones are the same call in the text. The caller must not be inlined.
//
//go:noinline
func PC() uintptr {
	if cheap {
		return linked()
	}
	return walked()
}

// walked returns the program counter to which the caller of its caller returns.
func walked() uintptr {
	var pc [1]uintptr
	runtime.Callers(4, pc[:]) // of Callers, walked, its caller, and that one's
	return pc[0]
}

// agree compares the two ways, from a function called by a function: none of the three is inlined, so that each has a
// frame.
//
//go:noinline
func agree() bool { return called() }

//go:noinline
func called() bool { return same() }

//go:noinline
func same() bool { return linked() == walked() }
