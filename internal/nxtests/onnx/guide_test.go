package onnx_test

import (
	"context"
	"math"
	"path/filepath"
	"strings"
	"testing"

	"github.com/go-nx/nx"
	"github.com/go-nx/nx/internal/nxtests/kit"
)

// example is the model of docs/models.md, with an input and the result of PyTorch.
func example(t *testing.T, opts ...nx.LoadOption) (m *nx.Model, x, logits nx.Tensor) {
	t.Helper()
	m, err := nx.Load(t.Context(), filepath.Join("testdata", "classifier.onnx"), opts...)
	if err != nil {
		t.Fatal(err)
	}
	arrays := map[string]nx.Tensor{}
	if err := nx.LoadTensors(filepath.Join("testdata", "classifier.npz"), &arrays); err != nil {
		t.Fatal(err)
	}
	return m, arrays["x"], arrays["logits"]
}

// TestGuide: the first page of docs/models.md equals PyTorch.
func TestGuide(t *testing.T) {
	m, x, want := example(t)
	out, err := m.Call(t.Context(), x)
	if err != nil {
		t.Fatal(err)
	}
	if d, err := difference(out[0], want); err != nil || d > 1e-6 {
		t.Errorf("differs from PyTorch by %g (%v)", d, err)
	}
}

// TestFineTuning: the loss falls along the gradient by the weights of a model.
func TestFineTuning(t *testing.T) {
	m, x, _ := example(t, nx.FreeWeights())
	weights, err := m.Weights()
	if err != nil {
		t.Fatal(err)
	}
	var list []nx.Tensor
	for _, in := range m.Inputs()[1:] {
		list = append(list, weights[in.Name])
	}
	if len(list) < 6 {
		t.Fatalf("there are %d weights: %v", len(list), m.Inputs())
	}
	loss := func(w []nx.Tensor) nx.Tensor {
		out, err := m.Call(context.Background(), append([]nx.Tensor{x}, w...)...)
		if err != nil {
			panic(err)
		}
		return nx.Sum(nx.Square(nx.Sub(out[0], 1)))
	}
	step := nx.Jit(func(w []nx.Tensor) (nx.Tensor, []nx.Tensor) {
		v, g := nx.ValueAndGrad(loss)(w)
		next := make([]nx.Tensor, len(w))
		for i := range w {
			next[i] = nx.Sub(w[i], nx.Mul(0.02, g[i]))
		}
		return v, next
	})
	first, last := 0.0, 0.0
	for i := range 50 {
		var v nx.Tensor
		v, list = step(list)
		last = nx.Item[float64](v)
		if i == 0 {
			first = last
		}
	}
	if !(last < 0.1*first) || math.IsNaN(last) {
		t.Errorf("the loss went from %v to %v", first, last)
	}
}

// TestBuckets: sizes between buckets compile nothing, and give the results of their own.
func TestBuckets(t *testing.T) {
	m, x, _ := example(t)
	b, _, _ := example(t, nx.Buckets("batch", 4, 16))
	row := x.At(0)
	rows := func(n int) nx.Tensor {
		return nx.Mul(nx.Reshape(nx.Add(nx.Iota(nx.Shape{n}, nx.F32), 1), n, 1), row)
	}
	check := func(n int) {
		out, err := b.Call(t.Context(), rows(n))
		if err != nil {
			t.Fatal(err)
		}
		want, err := m.Call(t.Context(), rows(n))
		if err != nil {
			t.Fatal(err)
		}
		kit.RequireNear(t, "in a bucket", out[0], want[0])
	}
	for _, n := range []int{1, 4, 5, 16, 20} {
		check(n)
	}
	inputs := []nx.Tensor{rows(2), rows(3), rows(4), rows(7), rows(16)}
	for _, x := range inputs {
		nx.Data[float32](x)
	}
	if n := kit.Compilations(func() {
		for _, x := range inputs {
			if _, err := b.Call(t.Context(), x); err != nil {
				t.Fatal(err)
			}
		}
	}); n != 0 {
		t.Errorf("%d programs were compiled for sizes in buckets", n)
	}
	g := nx.Grad(func(x nx.Tensor) nx.Tensor { // of what is traced, too
		out, err := b.Call(context.Background(), x)
		if err != nil {
			panic(err)
		}
		return nx.Sum(nx.Square(out[0]))
	})(rows(3))
	if s := g.Shape(); s[0] != 3 {
		t.Errorf("a gradient of shape %v", s)
	}
	for _, o := range []nx.LoadOption{nx.Buckets("rows", 4), nx.Buckets("batch"), nx.Buckets("batch", 0, 4)} {
		_, err := nx.Load(t.Context(), filepath.Join("testdata", "classifier.onnx"), o)
		if err == nil || !strings.Contains(err.Error(), "nx.Buckets") {
			t.Errorf("%v", err)
		}
	}
}

// TestClose: a closed model refuses calls, and what it returned stays.
func TestClose(t *testing.T) {
	m, x, want := example(t, nx.FreeWeights("0.weight"))
	weights, err := m.Weights()
	if err != nil {
		t.Fatal(err)
	}
	out, err := m.Call(t.Context(), x, weights["0.weight"])
	if err != nil {
		t.Fatal(err)
	}
	if err := m.Close(); err != nil {
		t.Fatal(err)
	}
	if d, err := difference(out[0], want); err != nil || d > 1e-6 {
		t.Errorf("after closing it differs by %g (%v)", d, err)
	}
	if len(nx.Data[float32](weights["0.weight"])) != 64 || len(m.Inputs()) != 2 {
		t.Error("weights or the description are lost")
	}
	if _, err := m.Call(t.Context(), x, weights["0.weight"]); err == nil || !strings.Contains(err.Error(), "closed") {
		t.Errorf("a call of a closed model: %v", err)
	}
	if _, err := m.Weights(); err == nil {
		t.Error("weights of a closed model")
	}
	if err := m.Close(); err != nil {
		t.Errorf("closed twice: %v", err)
	}
}
