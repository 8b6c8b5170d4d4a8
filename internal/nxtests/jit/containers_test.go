package jit_test

import (
	"slices"
	"testing"

	"github.com/go-nx/nx/tree"

	"github.com/go-nx/nx"
	"github.com/go-nx/nx/internal/nxtests/kit"
)

// TestWritesStayInside: what a traced function writes does not reach the caller.
func TestWritesStayInside(t *testing.T) {
	type params struct {
		W    *nx.Tensor
		List []nx.Tensor
		Map  map[string]nx.Tensor
	}
	w := kit.Held(1)
	p := params{&w, []nx.Tensor{kit.Held(1)}, map[string]nx.Tensor{"a": kit.Held(1)}}
	before := structure(p)
	spoil := func(p params) nx.Tensor {
		*p.W = nx.Add(*p.W, 1)
		p.List[0] = *p.W
		p.Map["a"] = *p.W
		p.Map["b"] = *p.W
		return *p.W
	}
	nx.Jit(spoil)(p)
	nx.Grad(spoil)(p)
	if got := structure(p); got != before {
		t.Errorf("the caller's container changed from\n%s\nto\n%s", before, got)
	}
	f := nx.Jit(func(x nx.Tensor) []nx.Tensor { return []nx.Tensor{x, nx.Exp(x)} })
	a, b := f(w), f(w)
	a[0] = nx.Tensor{}
	if b[0].IsZero() || f(w)[0].IsZero() {
		t.Error("results of two calls share memory")
	}
}

func TestLeafPaths(t *testing.T) {
	type layer struct{ W, B nx.Tensor }
	type model struct {
		Layers []layer
		Heads  map[string]layer
		Tail   *layer
		x      any
	}
	m := model{Layers: make([]layer, 2), Heads: map[string]layer{"b": {W: kit.Held(1)}, "a": {B: kit.Held(1)}},
		Tail: &layer{W: kit.Held(1)}, x: layer{B: kit.Held(1)}}
	m.Layers[1].W = kit.Held(1)
	var got []string
	for path := range tree.Leaves(m) {
		got = append(got, path)
	}
	if want := []string{"Layers[1].W", "Heads[a].B", "Heads[b].W", "Tail.W", "x.B"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	for path := range tree.Leaves(kit.Held(1)) {
		if path != "the value" {
			t.Errorf("got %q", path)
		}
	}
	for range tree.Leaves(m) {
		break
	}
	z := tree.ZerosLike(m)
	if got := nx.Item[int](z.Layers[1].W); got != 0 || !z.Layers[0].W.IsZero() {
		t.Errorf("got %v", got)
	}
}

// TestMapsSkipAbsentTensors: some may be absent, and a container may have no place for a tensor.
func TestMapsSkipAbsentTensors(t *testing.T) {
	type layer struct{ W, B nx.Tensor }
	called := 0
	double := func(path string, x nx.Tensor) nx.Tensor {
		if called++; path != "[1].W" || x.IsZero() {
			t.Errorf("called for %s", path)
		}
		return nx.Mul(x, 2)
	}
	p := []layer{{}, {W: nx.New([]float32{3})}}
	if got := tree.MapLeaves(double, p); called != 1 || !nx.ArrayEqual(got[1].W, nx.New([]float32{6})) ||
		!got[0].W.IsZero() || !got[1].B.IsZero() {
		t.Errorf("%v, after %d calls", got, called)
	}
	identity := func(x nx.Tensor) nx.Tensor { return x }
	if err := kit.Caught(func() {
		tree.Map(identity, []layer{})
		tree.Map(identity, map[string]nx.Tensor(nil))
		tree.Map(identity, struct{ Steps int }{3})
		tree.Map2(nx.Add, []layer(nil), nil)
		tree.ZerosLike([]nx.Tensor{})
	}); err != nil {
		t.Error(err)
	}
}
