package jit_test

import (
	"slices"
	"testing"

	"github.com/go-nx/nx"
	"github.com/go-nx/nx/internal/nxtests/kit"
)

// TestRefusedDonation: a call that is refused takes nothing.
func TestRefusedDonation(t *testing.T) {
	x, y := kit.Held(2), kit.Held(2)
	f := nx.Jit(func(a, b, c nx.Tensor) nx.Tensor { return nx.Add(nx.Add(a, b), c) }, nx.Donate(0, 1))
	for _, args := range [][3]nx.Tensor{{x, x, y}, {x, y, x}, {y, x, y}} {
		if kit.Caught(func() { f(args[0], args[1], args[2]) }) == nil {
			t.Fatal("a donated tensor is used twice")
		}
	}
	z := nx.Ones(nx.Shape{2}, nx.F32)
	if kit.Caught(func() { f(z, z, z) }) == nil || kit.Caught(func() { nx.Exp(z) }) != nil {
		t.Error("a donated constant is used twice, or taken by the call that was refused")
	}
	if got := nx.Data[float32](f(x, y, kit.Held(2))); !slices.Equal(got, []float32{3, 3}) {
		t.Errorf("got %v", got)
	}
}
