package main

import (
	"bytes"
	"encoding/xml"
	"os"
	"path/filepath"
	"testing"

	"github.com/go-nx/nx"
)

// A short run learns the law well enough to follow the path from its first point.
func TestRun(t *testing.T) {
	if testing.Short() {
		t.Skip("skipped: trains a network")
	}
	dir := t.TempDir()
	var out bytes.Buffer
	distance, err := run(dir, 800, &out)
	if err != nil {
		t.Fatal(err)
	}
	if distance > 0.3 {
		t.Errorf("the learnt path is %.3f from the true one\n%s", distance, out.String())
	}
	text, err := os.ReadFile(filepath.Join(dir, "neuralode.svg"))
	if err != nil || xml.Unmarshal(text, new(struct{})) != nil {
		t.Errorf("the picture: %v", err)
	}
}

// TestGradientThroughTheSolver compares with differences.
func TestGradientThroughTheSolver(t *testing.T) {
	at := func(a nx.Tensor) nx.Tensor { // ends where e^(a·t) does
		return solve(func(y nx.Tensor) nx.Tensor { return nx.Mul(a, y) }, nx.New([]float64{1}), 20).At(19, 0)
	}
	g := nx.Item[float64](nx.Grad(at)(nx.New(0.5)))
	h := 1e-5
	d := (nx.Item[float64](at(nx.New(0.5+h))) - nx.Item[float64](at(nx.New(0.5-h)))) / (2 * h)
	if diff := g - d; diff > 1e-8 || diff < -1e-8 {
		t.Errorf("the gradient is %v, the difference quotient %v", g, d)
	}
}
