package jit_test

import (
	"bytes"
	"log/slog"
	"strings"
	"testing"

	"github.com/go-nx/nx"
)

// TestStaleCapture: a tensor from outside that changes is not silently stale.
func TestStaleCapture(t *testing.T) {
	var logged bytes.Buffer
	nx.SetLogger(slog.New(slog.NewTextHandler(&logged, nil)))
	defer nx.SetLogger(nil)
	x, w, b := nx.New([]float32{1}), nx.New([]float32{2}), nx.New([]float32{0})
	steady := nx.Jit(func(x nx.Tensor) nx.Tensor { return nx.Add(nx.Mul(x, b), nx.New([]float32{3})) })
	for range 4 {
		steady(x)
	}
	if logged.Len() > 0 {
		t.Errorf("nothing changed: %s", &logged)
	}
	f := nx.Jit(func(x nx.Tensor) nx.Tensor { return nx.Mul(x, w) })
	for range 4 {
		f(x)
		w = nx.Add(w, 1)
	}
	if text := logged.String(); strings.Count(text, "has changed") != 1 || !strings.Contains(text, "captures_test.go") {
		t.Errorf("the warning: %q", text)
	}
}
