package command

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

func TestCheckAllKeepsTheOrder(t *testing.T) {
	var files []string
	for i := range 50 {
		files = append(files, fmt.Sprint(i))
	}
	// The first file waits for the last but one: many workers finish out of order.
	last := make(chan struct{})
	judge := func(_ context.Context, path string) verdict {
		switch path {
		case "0":
			<-last
		case "48":
			close(last)
		}
		return verdict{Path: path, Passed: true}
	}
	var got []string
	err := checkAll(context.Background(), files, 4, judge, func(v verdict) error {
		got = append(got, v.Path)
		return nil
	})
	if err != nil || !slices.Equal(got, files) {
		t.Errorf("got %v, error %v", got, err)
	}
}

func TestCheckAllSurvivesAPanic(t *testing.T) {
	judge := func(_ context.Context, path string) verdict {
		if path == "b" {
			panic("index out of range")
		}
		return verdict{Path: path, Passed: true}
	}
	report := &checkReport{out: &strings.Builder{}}
	if err := checkAll(context.Background(), []string{"a", "b", "c"}, 2, judge, report.add); err != nil {
		t.Fatal(err)
	}
	if err := report.finish(&checker{}); err != errFailed {
		t.Errorf("error %v, want %v", err, errFailed)
	}
	want := "FAIL b: nx panicked, which is a bug: index out of range\n2 passed, 1 failed\n"
	if got := report.out.(*strings.Builder).String(); got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestCheckAllStopsWhenCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	judge := func(ctx context.Context, path string) verdict {
		if path == "1" {
			cancel()
		}
		<-ctx.Done() // a program that runs for ever but heeds its context
		return verdict{Path: path}
	}
	err := checkAll(ctx, []string{"0", "1", "2", "3"}, 2, judge, func(verdict) error {
		t.Error("a verdict was reported")
		return nil
	})
	if err != context.Canceled {
		t.Errorf("error %v, want %v", err, context.Canceled)
	}
}

const (
	passing = `func.func @main() {
  %0 = stablehlo.constant dense<[1, 2]> : tensor<2xi32>
  check.expect_eq_const %0, dense<[1, 2]> : tensor<2xi32>
  return
}
`
	wrong = `func.func @main() {
  %0 = stablehlo.constant dense<[1, 2]> : tensor<2xi32>
  check.expect_eq_const %0, dense<[1, 3]> : tensor<2xi32>
  return
}
`
	endless = `func.func @main() {
  %0 = stablehlo.constant dense<true> : tensor<i1>
  %1 = stablehlo.while(%a = %0) : tensor<i1>
  cond {
    stablehlo.return %a : tensor<i1>
  } do {
    stablehlo.return %a : tensor<i1>
  }
  check.expect_eq_const %1, dense<false> : tensor<i1>
  return
}
`
)

func TestCheck(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"b/pass.mlir":   passing,
		"a/wrong.mlir":  wrong,
		"a/parts.mlir":  passing + "\n// -----\n" + wrong,
		"a/notes.txt":   "not a program",
		"c/broken.mlir": "func.func @main( {",
	} {
		os.MkdirAll(filepath.Join(dir, filepath.Dir(name)), 0o777)
		os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666)
	}
	t.Chdir(dir)

	t.Run("all pass", func(t *testing.T) {
		if o := nx("check", "b"); o != (outcome{exitOK, "1 passed, 0 failed\n", ""}) {
			t.Errorf("got %+v", o)
		}
	})
	t.Run("failures are lines with reasons", func(t *testing.T) {
		o := nx("check", ".")
		lines := strings.Split(strings.TrimSuffix(o.stdout, "\n"), "\n")
		if o.code != exitFailed || len(lines) != 4 || lines[3] != "1 passed, 3 failed" {
			t.Fatalf("status %d, stdout %q", o.code, o.stdout)
		}
		for i, path := range []string{"a/parts.mlir", "a/wrong.mlir", "c/broken.mlir"} {
			if want := "FAIL " + filepath.FromSlash(path) + ": "; !strings.HasPrefix(lines[i], want) ||
				len(lines[i]) == len(want) {
				t.Errorf("line %d is %q, want %q and a reason", i+1, lines[i], want)
			}
		}
		if !strings.Contains(lines[0], "10:3: ") {
			t.Errorf("the place in the second part is missing in %q", lines[0])
		}
	})
	t.Run("json", func(t *testing.T) {
		o := nx("check", "--json", ".")
		var got []verdict
		var sum struct{ Passed, Failed int }
		lines := strings.Split(strings.TrimSuffix(o.stdout, "\n"), "\n")
		for _, line := range lines[:len(lines)-1] {
			var v verdict
			if err := json.Unmarshal([]byte(line), &v); err != nil {
				t.Fatal(err)
			}
			got = append(got, v)
		}
		if err := json.Unmarshal([]byte(lines[len(lines)-1]), &sum); err != nil {
			t.Fatal(err)
		}
		if o.code != exitFailed || len(got) != 4 || sum.Passed != 1 || sum.Failed != 3 {
			t.Fatalf("status %d, %v, %v", o.code, got, sum)
		}
		if got[1].Passed || got[1].Reason == "" || !got[2].Passed == (got[2].Reason == "") {
			t.Errorf("got %v", got)
		}
	})
	t.Run("standard input", func(t *testing.T) {
		if o := nxWith(t.Context(), passing, "check", "-"); o != (outcome{exitOK, "1 passed, 0 failed\n", ""}) {
			t.Errorf("got %+v", o)
		}
	})
	t.Run("an empty folder", func(t *testing.T) {
		nx("check", t.TempDir()).want(t, exitUsage, "", "there is no .mlir file in ")
	})
	t.Run("a missing file beside good ones", func(t *testing.T) {
		nx("check", "b", "none.mlir").want(t, exitUsage, "", "cannot read none.mlir")
	})
	t.Run("a program without end", func(t *testing.T) {
		nx("check", "--timeout", "50ms", file(t, "endless.mlir", endless)).
			want(t, exitFailed, "did not end within 50ms: give it more with --timeout\n0 passed, 1 failed\n", "")
	})
}

func TestInterrupt(t *testing.T) {
	path := file(t, "endless.mlir", endless)
	for _, args := range [][]string{{"check", path}, {"run", path}} {
		ctx, cancel := context.WithCancel(context.Background())
		time.AfterFunc(20*time.Millisecond, cancel)
		nxWith(ctx, "", args...).want(t, exitInterrupted, "", "nx: interrupted\n")
	}
}

func TestHostileFiles(t *testing.T) {
	for name, text := range map[string]string{
		"empty":             "",
		"zeros":             strings.Repeat("\x00", 1000),
		"random bytes":      "\xff\xfe\x00func\x80",
		"open brackets":     strings.Repeat("(", 100_000),
		"open strings":      strings.Repeat(`"`, 99_999),
		"open modules":      strings.Repeat("module {", 50_000),
		"open types":        "func.func @main() -> " + strings.Repeat("tuple<", 100_000),
		"a huge tensor":     "func.func @main() { %0 = stablehlo.iota dim = 0 : tensor<9223372036854775807xf64> return }",
		"a huge constant":   "func.func @main() { %0 = stablehlo.constant dense<0> : tensor<99999999999xi64> return }",
		"too many elements": "func.func @main() { %0 = stablehlo.iota dim = 0 : tensor<9999999999x9999999999xi8> return }",
		"endless recursion": "func.func @main() { func.call @main() : () -> () return }",
		"escape sequences":  "\x1b[2J\x1b]0;title\x07",
	} {
		t.Run(name, func(t *testing.T) {
			path := file(t, "a.mlir", text)
			for _, args := range [][]string{{"check", path}, {"check", "--verify", path}, {"run", path},
				{"inspect", path}, {"fmt", path}} {
				o := nx(args...)
				if strings.ContainsAny(o.stdout+o.stderr, "\x1b\x07\x00") {
					t.Errorf("nx %s printed control characters", args[0])
				}
				if len(o.stdout)+len(o.stderr) > 10_000 {
					t.Errorf("nx %s printed %d bytes", args[0], len(o.stdout)+len(o.stderr))
				}
			}
		})
	}
}
