package jit_test

import (
	"bytes"
	"context"
	"log/slog"
	"strings"
	"testing"

	"github.com/go-nx/nx"
	"github.com/go-nx/nx/internal/nxtests/kit"
	"github.com/go-nx/nx/stablehlo"
)

// warnings collects what the library logs while f runs.
func warnings(t *testing.T, f func()) string {
	t.Helper()
	var b bytes.Buffer
	nx.SetLogger(slog.New(slog.NewTextHandler(&b, nil)))
	defer nx.SetLogger(nil)
	f()
	return b.String()
}

// TestLoadWarnsNot: programs loaded one after another are as many functions.
func TestLoadWarnsNot(t *testing.T) {
	if !kit.Alone(t) {
		return
	}
	log := warnings(t, func() {
		for range 20 {
			module, err := stablehlo.Parse("", []byte(
				"func.func @main(%x: tensor<3xf32>) -> tensor<3xf32> {\n  return %x : tensor<3xf32>\n}"))
			if err != nil {
				t.Fatal(err)
			}
			m, err := nx.LoadModule(context.Background(), module)
			if err != nil {
				t.Fatal(err)
			}
			if _, err := m.Call(t.Context(), kit.Ones(3)); err != nil {
				t.Fatal(err)
			}
		}
	})
	if log != "" {
		t.Error(log)
	}
}

func TestJitWarnsOfRecompilation(t *testing.T) {
	if !kit.Alone(t) { // a place is warned of once
		return
	}
	type params struct {
		W    nx.Tensor
		Rate float64
	}
	f := nx.Jit(func(p params) nx.Tensor { return nx.Mul(p.W, p.Rate) })
	log := warnings(t, func() {
		for i := range 30 {
			f(params{kit.Ones(2), float64(i)})
		}
	})
	if strings.Count(log, "\n") != 1 || !strings.Contains(log, "argument 0: Rate was 7, is 8") ||
		!strings.Contains(log, "warnings_test.go:") {
		t.Errorf("a static leaf that changes:\n%s", log)
	}
	g := nx.Jit(func(x nx.Tensor) nx.Tensor { return nx.Add(x, 1) })
	log = warnings(t, func() {
		for i := range 30 {
			g(kit.Ones(i + 1))
		}
	})
	if strings.Count(log, "\n") != 1 || !strings.Contains(log, "argument 0 was f32[8], is f32[9]") {
		t.Errorf("a shape that changes:\n%s", log)
	}
	log = warnings(t, func() {
		for i := range 30 {
			nx.Jit(func(x nx.Tensor) nx.Tensor { return nx.Add(x, i) })(kit.Ones(2))
		}
	})
	if strings.Count(log, "\n") != 1 || !strings.Contains(log, "outside of the loop") {
		t.Errorf("Jit in a loop:\n%s", log)
	}
	h := nx.Jit(func(x nx.Tensor) nx.Tensor { return nx.Add(x, 2) })
	log = warnings(t, func() {
		for i := range 30 { // each form is used
			h(kit.Ones(i + 1))
			h(kit.Ones(i + 1))
		}
	})
	if log != "" {
		t.Errorf("forms that are used:\n%s", log)
	}
}
