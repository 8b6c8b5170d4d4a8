package errors_test

import (
	"fmt"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/go-nx/nx"
	"github.com/go-nx/nx/diag"
	"github.com/go-nx/nx/linalg"
)

// callerLines returns the lines of an error and of its callers, all of which are in this file.
func callerLines(t *testing.T, err error) (lines []int) {
	t.Helper()
	e := diag.As(err)
	if e == nil {
		t.Fatalf("got %v", err)
	}
	lines = []int{e.Line}
	for _, p := range e.Callers {
		if filepath.Base(p.File) != "callers_test.go" {
			t.Errorf("%s:%d is a caller", p.File, p.Line)
		}
		lines = append(lines, p.Line)
	}
	return lines
}

// TestCallers: an error has the lines of the user up the stack, through the functions that are traced and those of
// the standard library.
func TestCallers(t *testing.T) {
	var lines []int // that of each call
	next := func(n int) {
		_, _, line, _ := runtime.Caller(1)
		lines = append(lines, line+n)
	}
	hidden := func(m model, x nx.Tensor) nx.Tensor {
		next(1)
		return nx.Dot(x, m.Head)
	}
	loss := func(m model, x nx.Tensor) nx.Tensor {
		next(1)
		return nx.Sum(hidden(m, x))
	}
	step := func(m model, x nx.Tensor) model {
		var once sync.Once
		g := nx.Grad(func(m model) (l nx.Tensor) {
			next(1)
			once.Do(func() { l = loss(m, x) })
			return l
		})
		next(1)
		return g(m)
	}
	var err error
	call := func() {
		defer nx.Catch(&err)
		next(1)
		nx.Jit(step)(model{Head: x45}, x23)
	}
	next(1)
	call()
	slices.Reverse(lines)
	if got := callerLines(t, err); !slices.Equal(got, lines) {
		t.Errorf("lines %d, want %d: %v", got, lines, err)
	}
	text := err.Error()
	callers := fmt.Sprintf("called from callers_test.go:%d, callers_test.go:%d, ", lines[1], lines[2])
	if !strings.Contains(text, callers) ||
		!strings.Contains(text, "operand 1: f32[4][5], Head\n") {
		t.Error(text)
	}
}

// TestCallersOfRecursion: a line that calls itself is there once, and others are bounded.
func TestCallersOfRecursion(t *testing.T) {
	var down func(n int)
	down = func(n int) {
		if n == 0 {
			nx.Reshape(v4, 3)
		}
		down(n - 1)
	}
	var err error
	func() {
		defer nx.Catch(&err)
		down(1000)
	}()
	if got := callerLines(t, err); len(got) != 4 {
		t.Errorf("lines %d", got)
	}
	var ping, pong func(n int)
	ping = func(n int) {
		if n == 0 {
			linalg.Inv(x23)
		}
		pong(n - 1)
	}
	pong = func(n int) { ping(n) }
	func() {
		defer nx.Catch(&err)
		ping(1000)
	}()
	if got := callerLines(t, err); len(got) != 6 {
		t.Errorf("lines %d", got)
	}
}

// TestErrorsOfGoroutines: goroutines of a traced function may fail while others add to its graph.
func TestErrorsOfGoroutines(t *testing.T) {
	var all sync.WaitGroup
	nx.Jit(func(m model) nx.Tensor {
		for range 4 {
			all.Go(func() {
				for range 20 {
					var err error
					func() {
						defer nx.Catch(&err)
						nx.Dot(x23, nx.Exp(m.Head))
					}()
					if err == nil || !strings.Contains(err.Error(), "operand 1: f32[4][5]") {
						t.Error(err)
					}
				}
			})
		}
		all.Wait()
		return m.Head
	})(model{Head: x45})
}
