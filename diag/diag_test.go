package diag_test

import (
	"runtime"
	"testing"

	"github.com/go-nx/nx/diag"
)

// here is small enough to be inlined: its call is a frame of its own all the same.
func here() (string, int) { return diag.Caller() }

// TestCaller compares places with those of the runtime, asked for once and again, since
// they are remembered, and from below many frames.
func TestCaller(t *testing.T) {
	for range 3 {
		_, want, line, _ := runtime.Caller(0)
		file, n := diag.Caller()
		if file != want || n != line+1 {
			t.Errorf("Caller: %s:%d, want %s:%d", file, n, want, line+1)
		}
		_, a := here()
		_, b := here()
		if a == 0 || a != b {
			t.Errorf("the line of one call of Caller: %d, then %d", a, b)
		}
		if file, n := diag.CallerOf(diag.Stack()); file != want || n != line+10 {
			t.Errorf("CallerOf: %s:%d, want %s:%d", file, n, want, line+10)
		}
	}
}

// TestCallerAllocates holds that a place looked up before costs no memory.
func TestCallerAllocates(t *testing.T) {
	if n := testing.AllocsPerRun(100, func() { diag.Caller() }); n > 0 {
		t.Errorf("Caller allocates %v times", n)
	}
}
