package jit_test

import (
	"errors"
	"testing"

	"github.com/go-nx/nx"
	"github.com/go-nx/nx/cpu"
	"github.com/go-nx/nx/internal/nxtests/kit"
)

// TestCompileTakesOptions: those of Jit, among the arguments.
func TestCompileTakesOptions(t *testing.T) {
	x := nx.Add(nx.New([]float32{1, 2}), 1)
	e, err := nx.Compile(nx.Exp, nx.Args(x), nx.Donate(0), nx.On(cpu.Default()))
	if err != nil {
		t.Fatal(err)
	}
	e.Call(x)
	if err := kit.Caught(func() { nx.Bytes(x) }); !errors.Is(err, nx.ErrReleased) {
		t.Errorf("the argument was not donated: %v", err)
	}
}

// TestCompileSpec: a Spec stands for a tensor.
func TestCompileSpec(t *testing.T) {
	exe, err := nx.Compile(nx.Dot, nx.Args(nx.Spec{DType: nx.F32, Shape: nx.Shape{2, 3}, Names: []string{"a", ""}},
		kit.Held(3).Spec()))
	if err != nil {
		t.Fatal(err)
	}
	got := exe.Call(nx.Rename(nx.Ones(nx.Shape{2, 3}, nx.F32), "a", ""), kit.Held(3))
	if got.Spec().String() != "f32[a: 2]" {
		t.Errorf("got %v", got)
	}
	if _, err := nx.Compile(nx.Exp, nx.Args(nx.Spec{Shape: nx.Shape{2}})); err == nil {
		t.Error("a Spec without an element type")
	}
}
