package main

import (
	"bytes"
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/go-nx/nx/internal/translate"
)

// module makes a module with definitions, which uses this one.
func module(t *testing.T, source string) (dir string) {
	t.Helper()
	root, err := filepath.Abs(filepath.Join("..", ".."))
	if err != nil {
		t.Fatal(err)
	}
	dir = t.TempDir()
	mod, err := os.ReadFile(filepath.Join(root, "go.mod"))
	if err != nil {
		t.Fatal(err)
	}
	text := strings.Replace(string(mod), "module github.com/go-nx/nx", "module example.com/m", 1)
	text, _, _ = strings.Cut(text, "\ntool ")
	text += "\nrequire github.com/go-nx/nx v0.0.0\n\nreplace github.com/go-nx/nx => " + root + "\n"
	sum, err := os.ReadFile(filepath.Join(root, "go.sum"))
	if err != nil {
		t.Fatal(err)
	}
	for name, content := range map[string]string{
		"go.mod": text, "go.sum": string(sum), "defs/defs.go": source, "model/doc.go": "package model\n",
	} {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(content), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	cache, err := exec.Command("go", "env", "GOCACHE").Output()
	if err != nil {
		t.Fatal(err)
	}
	t.Setenv("GOCACHE", strings.TrimSpace(string(cache)))
	t.Setenv("XDG_CACHE_HOME", filepath.Join(dir, "cache"))
	t.Setenv("GOFLAGS", os.Getenv("GOFLAGS")+" -mod=mod")
	t.Chdir(filepath.Join(dir, "defs"))
	return dir
}

const source = `package defs

import . "github.com/go-nx/nx/defn"

//go:generate go tool defn -out ../model

func Double(x Tensor) Tensor { return 2 * x }
`

func command(t *testing.T, args ...string) (status int, out, errs string) {
	t.Helper()
	var o, e bytes.Buffer
	status = run(context.Background(), args, &o, &e)
	return status, o.String(), e.String()
}

func TestGenerate(t *testing.T) {
	dir := module(t, source)
	file := filepath.Join(dir, "model", "zdefs_gen.go")
	if status, _, errs := command(t, "-check"); status != 1 || !strings.Contains(errs, "zdefs_gen.go is stale") {
		t.Fatalf("a missing file: %d %s", status, errs)
	}
	if _, err := os.Stat(file); err == nil {
		t.Fatal("-check wrote the file")
	}
	status, out, errs := command(t)
	if status != 0 || !strings.Contains(out, "zdefs_gen.go") {
		t.Fatalf("%d %s %s", status, out, errs)
	}
	text, err := os.ReadFile(file)
	if err != nil || !strings.Contains(string(text), "package model") ||
		!strings.Contains(string(text), "func Double(x nx.Tensor) nx.Tensor { return nx.Mul(2, x) }") {
		t.Fatalf("%v\n%s", err, text)
	}
	if status, out, errs := command(t); status != 0 || out+errs != "" {
		t.Errorf("the second time: %d %s %s", status, out, errs)
	}
	if status, _, errs := command(t, "-check", "./..."); status != 0 {
		t.Errorf("up to date: %d %s", status, errs)
	}
	if err := os.WriteFile("defs.go", []byte(strings.Replace(source, "2 * x", "3 * x", 1)), 0o666); err != nil {
		t.Fatal(err)
	}
	if status, _, errs := command(t, "-check"); status != 1 || !strings.Contains(errs, "stale") {
		t.Errorf("a changed source: %d %s", status, errs)
	}
	if now, _ := os.ReadFile(file); !bytes.Equal(now, text) {
		t.Error("-check changed the file")
	}
	if status, _, errs := command(t); status != 0 {
		t.Errorf("again: %d %s", status, errs)
	}
	if err := os.WriteFile(file, append(text, "// by hand\n"...), 0o666); err != nil {
		t.Fatal(err)
	}
	if status, _, errs := command(t, "-check"); status != 1 {
		t.Errorf("a changed file: %d %s", status, errs)
	}
}

// TestNamesBeside checks that the file imports packages by names that no other file of its package declares, and that
// it is stale when another file comes to declare one.
func TestNamesBeside(t *testing.T) {
	dir := module(t, `package defs

import (
	. "github.com/go-nx/nx/defn"
	"github.com/go-nx/nx/defn/linalg"
)

//go:generate go tool defn -out ../model

func Inverse(x Tensor) Tensor { return linalg.Inv(x) }
`)
	imports := func(want ...string) {
		t.Helper()
		if status, _, errs := command(t); status != 0 {
			t.Fatalf("%d %s", status, errs)
		}
		text, err := os.ReadFile(filepath.Join(dir, "model", "zdefs_gen.go"))
		if err != nil {
			t.Fatal(err)
		}
		for _, w := range want {
			if !strings.Contains(string(text), "\t"+w+"\n") {
				t.Errorf("the file has no import %s:\n%s", w, text)
			}
		}
		build := exec.Command("go", "vet", "./model")
		build.Dir = dir
		if out, err := build.CombinedOutput(); err != nil {
			t.Errorf("%v\n%s", err, out)
		}
		if status, out, errs := command(t); status != 0 || out+errs != "" {
			t.Errorf("the second time: %d %s %s", status, out, errs)
		}
	}
	write := func(name, text string) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(dir, "model", name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	imports(`"github.com/go-nx/nx"`, `"github.com/go-nx/nx/linalg"`)
	write("doc.go", "package model\n\nvar linalg, linalg_ = 1, 2\n")
	write("a_test.go", "package model\n\ntype nx struct{}\n\nvar _ = nx{}\n")
	write("b_test.go", "package model_test\n\nfunc nx_() {}\n\nvar _ = nx_\n")
	if status, _, errs := command(t, "-check"); status != 1 || !strings.Contains(errs, "stale") {
		t.Errorf("a name beside: %d %s", status, errs)
	}
	imports(`nx_ "github.com/go-nx/nx"`, `linalg__ "github.com/go-nx/nx/linalg"`)
	write("doc.go", "package model\n\ntype m struct{}\n\nfunc (m) linalg() {}\n")
	imports(`nx_ "github.com/go-nx/nx"`, `"github.com/go-nx/nx/linalg"`)
}

// TestOtherFile checks that a file by hand is not replaced.
func TestOtherFile(t *testing.T) {
	dir := module(t, source)
	file := filepath.Join(dir, "model", "zdefs_gen.go")
	if err := os.WriteFile(file, []byte("package model\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	if status, _, errs := command(t); status != 1 || !strings.Contains(errs, "not written by defn") {
		t.Errorf("%d %s", status, errs)
	}
	if text, _ := os.ReadFile(file); string(text) != "package model\n" {
		t.Errorf("%s", text)
	}
}

// TestErrors checks that nothing is written where a definition has an error, and what is printed.
func TestErrors(t *testing.T) {
	dir := module(t, source+"\nfunc Half(x Tensor) Tensor { return 1/2*x }\n")
	for _, args := range [][]string{nil, {"vet"}} {
		status, _, errs := command(t, args...)
		for _, want := range []string{"defs.go:9:37: Go divides the integer constants 1/2 to 0 [integer-division]",
			"\n\t                                    ^^^", "write 1.0/2"} {
			if status != 1 || !strings.Contains(errs, want) {
				t.Errorf("%d %s\nwant %q", status, errs, want)
			}
		}
	}
	if _, err := os.Stat(filepath.Join(dir, "model", "zdefs_gen.go")); err == nil {
		t.Error("the file was written")
	}
	if status, _, _ := command(t, "-nonsense"); status != 2 {
		t.Errorf("a wrong flag: %d", status)
	}
}

// TestWatch changes a source while watch runs.
func TestWatch(t *testing.T) {
	dir := module(t, source)
	file := filepath.Join(dir, "model", "zdefs_gen.go")
	ctx, stop := context.WithCancel(context.Background())
	done := make(chan int)
	var out, errs bytes.Buffer
	work := filepath.Join(dir, "defs")
	go func() { done <- watch(ctx, translate.Options{Dir: work}, []string{"."}, &out, &errs) }()
	has := func(want string) {
		t.Helper()
		for range 600 {
			if text, _ := os.ReadFile(file); strings.Contains(string(text), want) {
				return
			}
			time.Sleep(50 * time.Millisecond)
		}
		t.Errorf("the file does not get %q", want)
	}
	has("nx.Mul(2, x)")
	if err := os.WriteFile("defs.go", []byte(strings.Replace(source, "2 * x", "3 * x", 1)), 0o666); err != nil {
		t.Fatal(err)
	}
	has("nx.Mul(3, x)")
	stop()
	if status := <-done; status != 0 {
		t.Errorf("%d %s", status, errs.String())
	}
}

func BenchmarkUpToDate(b *testing.B) {
	b.Chdir(filepath.Join("..", "..", "internal", "nxtests", "definitions"))
	o := translate.Options{Dir: ".", Cache: b.TempDir(), Tool: "test"}
	if err := os.Chmod(o.Cache, 0o700); err != nil {
		b.Fatal(err)
	}
	if _, err := translate.Generate(o, "./..."); err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		if _, err := translate.Generate(o, "./..."); err != nil {
			b.Fatal(err)
		}
	}
}
