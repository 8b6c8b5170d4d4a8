package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/go-nx/nx/internal/testkit"
)

const output = `{"Action":"run","Package":"github.com/go-nx/nx/cpu","Test":"TestA"}
{"Action":"pass","Package":"github.com/go-nx/nx/cpu","Test":"TestA/part","Elapsed":9}
{"Action":"pass","Package":"github.com/go-nx/nx/cpu","Test":"TestA","Elapsed":10}
# github.com/go-nx/nx/broken
{"Action":"pass","Package":"github.com/go-nx/nx/cpu","Test":"TestB","Elapsed":20}
{"Action":"pass","Package":"github.com/go-nx/nx/cpu","Elapsed":31}
{"Action":"pass","Package":"github.com/go-nx/nx/fft","Test":"TestC","Elapsed":1}
{"Action":"pass","Package":"github.com/go-nx/nx/fft","Elapsed":2}
`

// TestRun: the slowest tests come first, packages above their budgets and failures are errors.
func TestRun(t *testing.T) {
	budgets := filepath.Join(t.TempDir(), "budgets.txt")
	if err := os.WriteFile(budgets, []byte("# seconds\n* 10\ncpu 40\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	var out strings.Builder
	if err := run(strings.NewReader(output), &out, 2, budgets); err != nil {
		t.Error(err)
	}
	want := `slowest tests:
    20.0 s  cpu.TestB
    10.0 s  cpu.TestA
slowest packages:
    31.0 s  cpu
     2.0 s  fft
`
	if out.String() != want {
		t.Errorf("got\n%swant\n%s", out.String(), want)
	}
	if err := os.WriteFile(budgets, []byte("* 30\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	failure := `{"Action":"fail","Package":"github.com/go-nx/nx/fft","Test":"TestD","Elapsed":1}` + "\n"
	err := run(strings.NewReader(output+failure), &out, 2, budgets)
	if err == nil || err.Error() != "fft.TestD failed\ncpu took 31 s, its budget is 30 s" {
		t.Errorf("got %v", err)
	}
	if err := run(strings.NewReader("no JSON\n"), &out, 2, ""); err == nil {
		t.Error("an input without packages is taken")
	}
}

// TestBudgets: the budgets of the repository can be read, and are of packages that exist.
func TestBudgets(t *testing.T) {
	text, err := os.ReadFile(testkit.Root(t, ".ci", "budgets.txt"))
	if err != nil {
		t.Fatal(err)
	}
	budgets, err := parseBudgets(string(text))
	if err != nil || budgets["*"] == 0 {
		t.Fatalf("%v, %v", budgets, err)
	}
	for name := range budgets {
		if tests, _ := filepath.Glob(testkit.Root(t, name, "*_test.go")); name != "*" && len(tests) == 0 {
			t.Errorf(".ci/budgets.txt has %s, which has no tests", name)
		}
	}
	for _, wrong := range []string{"cpu\n", "cpu x\n", "cpu -1\n", "cpu 1\ncpu 2\n", "cpu 1 2\n"} {
		if _, err := parseBudgets(wrong); err == nil {
			t.Errorf("%q is taken for budgets", wrong)
		}
	}
}
