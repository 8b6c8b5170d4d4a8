package vet_test

import (
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/go-nx/nx/vet"
)

const before = `package p

import (
	"context"

	"github.com/go-nx/nx"
)

func f(x nx.Tensor, m nx.Mesh, args []any) {
	_ = nx.FFT(nx.Variance(x))
	_ = nx.Map(func(t nx.Tensor) nx.Tensor { return nx.Neg(t) }, x)
	_ = nx.MapRows(x, func(t nx.Tensor) nx.Tensor { return nx.Hook("x", t, nil) })
	_, _ = nx.Load("model")
	_, _ = nx.LoadContext(context.Background(), "model", nx.On(nil))
	_, _ = nx.Compile(f, x, m, nx.Donate(0))
	_, _ = nx.Lower(f, args...)
	_ = nx.Reduce(x, 0, func(x, acc nx.Tensor) nx.Tensor { return nx.Add(acc, x) })
}
`

const after = `package p

import (
	"context"

	"github.com/go-nx/nx"
	"github.com/go-nx/nx/debug"
	"github.com/go-nx/nx/fft"
	"github.com/go-nx/nx/shard"
	"github.com/go-nx/nx/tree"
)

func f(x nx.Tensor, m shard.Mesh, args []any) {
	_ = fft.FFT(nx.Var(x))
	_ = tree.Map(func(t nx.Tensor) nx.Tensor { return nx.Neg(t) }, x)
	_ = nx.Map(x, func(t nx.Tensor) nx.Tensor { return debug.Hook("x", t, nil) })
	_, _ = nx.Load(context.Background(), "model")
	_, _ = nx.Load(context.Background(), "model", nx.On(nil))
	_, _ = nx.Compile(f, nx.Args(x, m), nx.Donate(0))
	_, _ = nx.Lower(f, nx.Args(args...))
	_ = nx.Reduce(x, 0, func(acc, x nx.Tensor) nx.Tensor { return nx.Add(acc, x) })
}
`

func TestUpgrade(t *testing.T) {
	got, changes, err := vet.Upgrade("p.go", []byte(before))
	if err != nil || string(got) != after {
		t.Errorf("the file is, with %v:\n%s", err, got)
	}
	if len(changes) != 11 || changes[0].Position.Line != 9 || changes[0].Message != "nx.Mesh is shard.Mesh" {
		t.Errorf("%d changes: %v", len(changes), changes)
	}
	again, changes, err := vet.Upgrade("p.go", got)
	if err != nil || string(again) != after || len(changes) != 0 {
		t.Errorf("changed again, with %v: %v\n%s", err, changes, again)
	}
	if _, _, err := vet.Upgrade("p.go", []byte("package p; func {")); err == nil {
		t.Error("a file with a syntax error is accepted")
	}
	if got, _, err := vet.Upgrade("p.go", []byte("package p\n\nvar  x = 1")); err != nil ||
		string(got) != "package p\n\nvar  x = 1" {
		t.Errorf("a file without nx is %q, %v", got, err)
	}
}

// TestNothingToUpgrade: the examples of this module need no change, so that what Upgrade makes is what they have.
func TestNothingToUpgrade(t *testing.T) {
	files, err := filepath.Glob("../example*_test.go")
	if err != nil || len(files) == 0 {
		t.Fatal("no examples: ", err)
	}
	for _, name := range files {
		source, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		out, changes, err := vet.Upgrade(name, source)
		if err != nil || len(changes) != 0 {
			t.Errorf("%s: %v, %v", name, changes, err)
		}
		if _, err := parser.ParseFile(token.NewFileSet(), name, out, 0); err != nil ||
			!strings.Contains(string(out), "nx") {
			t.Errorf("%s: %v", name, err)
		}
	}
}
