package cpu

import (
	"errors"
	"runtime"
	"testing"
)

// TestThreads reads NX_THREADS.
func TestThreads(t *testing.T) {
	for text, want := range map[string]int{"": runtime.GOMAXPROCS(0), "1": 1, "7": 7, "1024": 1024} {
		if n, err := threadsNamed(text); n != want || err != nil {
			t.Errorf("%q: %d, %v", text, n, err)
		}
	}
	for _, text := range []string{"0", "-1", "1025", "two", "1.5", " 2", "99999999999999999999"} {
		_, err := threadsNamed(text)
		var wrong *ThreadsError
		if !errors.As(err, &wrong) || wrong.Threads != text {
			t.Errorf("%q: %v", text, err)
		}
	}
}

// TestThreadsOfClients: the default number of workers of a client is NX_THREADS, and compiling
// fails if that is invalid.
func TestThreadsOfClients(t *testing.T) {
	old := currentThreads
	defer func() { currentThreads = old }()
	currentThreads = func() (int, error) { return threadsNamed("3") }
	if n := New(0).Workers(); n != 3 {
		t.Errorf("%d workers", n)
	}
	if n := New(2).Workers(); n != 2 {
		t.Errorf("a client of two has %d workers", n)
	}
	currentThreads = func() (int, error) { return threadsNamed("many") }
	_, err := New(0).Explain(parse(t, addProgram), "main", "plan")
	var wrong *ThreadsError
	if !errors.As(err, &wrong) {
		t.Errorf("%v", err)
	}
}
