package callsite

import (
	"runtime"
	"testing"
)

//go:noinline
func here() (cheapest, walk uintptr) {
	var pc [1]uintptr
	runtime.Callers(2, pc[:])
	return PC(), pc[0]
}

// inlined is inlined into its caller.
func inlined() (cheapest, walk uintptr) { return here() }

// TestPC: from any kind of call, the program counter is that which walking the stack finds.
func TestPC(t *testing.T) {
	check := func(what string, got, want uintptr) {
		if got == 0 || got != want {
			t.Errorf("%s: %#x, walking finds %#x", what, got, want)
		}
	}
	a, walk := here()
	check("a call", a, walk)
	b, walk := here()
	check("another", b, walk)
	if a == b {
		t.Error("two calls have one program counter")
	}
	c, walk := inlined()
	check("a call that is inlined", c, walk)
	done := make(chan struct{})
	go func() {
		defer close(done)
		d, walk := here()
		check("on a goroutine", d, walk)
	}()
	<-done
	func() {
		defer func() {
			got, walk := here()
			check("in a deferred call", got, walk)
		}()
	}()
}

// TestWithoutLinks: where frames are not linked, walking finds the same.
func TestWithoutLinks(t *testing.T) {
	defer func(was bool) { cheap = was }(cheap)
	cheap = false
	if got, walk := here(); got != walk {
		t.Errorf("%#x, walking finds %#x", got, walk)
	}
}

var sink uintptr

func BenchmarkPC(b *testing.B) {
	for b.Loop() {
		sink = PC()
	}
}
