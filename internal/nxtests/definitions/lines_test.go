package definitions

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"runtime/pprof"
	"strings"
	"testing"

	"github.com/go-nx/nx"
	"github.com/go-nx/nx/debug"
)

// lineOf returns the number of the line of defs/lines.go with a text.
func lineOf(t *testing.T, text string) int {
	t.Helper()
	source, err := os.ReadFile(filepath.Join("defs", "lines.go"))
	if err != nil {
		t.Fatal(err)
	}
	before, _, ok := strings.Cut(string(source), text)
	if !ok || strings.Count(string(source), text) != 1 {
		t.Fatalf("lines.go has not one %q", text)
	}
	return strings.Count(before, "\n") + 1
}

// An error while the graph is built names the line of the definition, also within an expression of several lines.
func TestErrorLines(t *testing.T) {
	two, three := nx.New([]float64{1, 2}), nx.New([]float64{1, 2, 3})
	for text, args := range map[string][3]nx.Tensor{
		"Dot(b, c) +": {number(1), two, three},
		"(sum*c)":     {three, two, two},
	} {
		for _, f := range []func(a, b, c nx.Tensor) nx.Tensor{Spread, nx.Jit(Spread)} {
			var err error
			func() {
				defer nx.Catch(&err)
				f(args[0], args[1], args[2])
			}()
			var e *nx.Error
			if !errors.As(err, &e) || filepath.Base(e.File) != "lines.go" || e.Line != lineOf(t, text) {
				t.Errorf("%s: line %d is expected of %v", text, lineOf(t, text), err)
			}
		}
	}
}

// Stacks and profiles of the running program name the lines of definitions.
func TestStackLines(t *testing.T) {
	want := fmt.Sprintf("defs/lines.go:%d", lineOf(t, "return f("))
	Watch(number(1), func(x nx.Tensor) nx.Tensor {
		stack := make([]byte, 1<<16)
		if stack = stack[:runtime.Stack(stack, false)]; !strings.Contains(filepath.ToSlash(string(stack)), want) {
			t.Errorf("no %s in\n%s", want, stack)
		}
		var profile bytes.Buffer
		if err := pprof.Lookup("goroutine").WriteTo(&profile, 1); err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(filepath.ToSlash(profile.String()), want) {
			t.Errorf("no %s in\n%s", want, profile.String())
		}
		return x
	})
}

// A profile of a compiled function has the lines of definitions.
func TestProfileLines(t *testing.T) {
	f := nx.Jit(Spread)
	x := nx.Ones(nx.Shape{1000}, nx.F32)
	f(x, x, x)
	profile := debug.ProfileLines(func() { f(x, x, x) }).String()
	for _, text := range []string{"Dot(b, c) +", "sum * Sum(c)"} {
		if want := fmt.Sprintf("lines.go:%d", lineOf(t, text)); !strings.Contains(profile, want) {
			t.Errorf("no %s in\n%s", want, profile)
		}
	}
}

// The table of lines, by which debuggers set breakpoints, has the lines of definitions and none of the file that was
// written.
func TestLineTable(t *testing.T) {
	lines := map[string]bool{}
	for _, f := range []any{Spread, Watch} {
		entry := reflect.ValueOf(f).Pointer()
		for pc := entry; runtime.FuncForPC(pc) != nil && runtime.FuncForPC(pc).Entry() == entry; pc++ {
			frame, _ := runtime.CallersFrames([]uintptr{pc + 1}).Next()
			lines[fmt.Sprintf("%s:%d", filepath.Base(frame.File), frame.Line)] = true
		}
	}
	for _, text := range []string{
		"sum := a*2 +", "Dot(b, c) +", "Sum(Exp(c))", "return sum", "y := x + 1", "return f(", "y * 2)",
	} {
		if want := fmt.Sprintf("lines.go:%d", lineOf(t, text)); !lines[want] {
			t.Errorf("no %s (%s) in %v", want, text, lines)
		}
	}
	for l := range lines {
		if strings.HasPrefix(l, "zdefs_gen.go:") {
			t.Errorf("there is code of %s", l)
		}
	}
}
