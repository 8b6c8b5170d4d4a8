package main

import (
	"bytes"
	"encoding/xml"
	"math"
	"os"
	"path/filepath"
	"testing"

	"github.com/go-nx/nx"
)

func TestRun(t *testing.T) {
	dir := t.TempDir()
	var out bytes.Buffer
	found, err := run(dir, 1, &out)
	if err != nil {
		t.Fatal(err)
	}
	if found < 0.9 {
		t.Errorf("only %.0f%% of the suspects are wrong", 100*found)
	}
	text, err := os.ReadFile(filepath.Join(dir, "perexample.svg"))
	if err != nil || xml.Unmarshal(text, new(struct{})) != nil {
		t.Errorf("the picture: %v", err)
	}
}

// TestGradients compares the batched gradients of examples with those of each example.
func TestGradients(t *testing.T) {
	m := model{nx.New([]float64{0.1, -0.2, 0.3, 0.4, -0.5}), nx.New([]float64{0.7}).At(0)}
	xs, ys := nx.New([][]float64{{1, 2}, {-1, 0.5}, {0, 0}}), nx.New([]float64{1, 0, 1})
	all := gradients(m, xs, ys)
	for i := range 3 {
		one := nx.Grad(func(m model) nx.Tensor { return loss(m, xs.At(i), ys.At(i)) })(m)
		off := nx.Item[float64](nx.Add(nx.Sum(nx.Abs(nx.Sub(one.W, all.W.At(i)))), nx.Abs(nx.Sub(one.B, all.B.At(i)))))
		if !(math.Abs(off) < 1e-14) {
			t.Errorf("the gradient of example %d is %v off", i, off)
		}
	}
}
