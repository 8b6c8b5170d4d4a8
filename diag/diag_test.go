package diag_test

import (
	"runtime"
	"testing"

	"github.com/go-nx/nx/diag"
)

// here is small enough to be inlined: its call still has its own frame.
func here() (string, int) { return diag.Caller() }

// TestCaller compares positions with those of the runtime, for the first and for cached look-ups, and below
// many frames.
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

// TestCallerAllocates: a cached look-up does not allocate.
func TestCallerAllocates(t *testing.T) {
	if n := testing.AllocsPerRun(100, func() { diag.Caller() }); n > 0 {
		t.Errorf("Caller allocates %v times", n)
	}
}
