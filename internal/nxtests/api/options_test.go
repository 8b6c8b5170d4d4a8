package api_test

import (
	"testing"

	"github.com/go-nx/nx"
	"github.com/go-nx/nx/internal/nxtests/kit"
)

// TestNilOptions: nil stands for no option.
func TestNilOptions(t *testing.T) {
	x := kit.Held(4)
	for name, f := range map[string]func() nx.Tensor{
		"New":         func() nx.Tensor { return nx.New(1, nil) },
		"Zeros":       func() nx.Tensor { return nx.Zeros(nx.Shape{2}, nx.F32, nil) },
		"Sum":         func() nx.Tensor { return nx.Sum(x, nil) },
		"Softmax":     func() nx.Tensor { return nx.Softmax(x, nil) },
		"Transpose":   func() nx.Tensor { return nx.Transpose(x, nil) },
		"Concatenate": func() nx.Tensor { return nx.Concatenate([]nx.Tensor{x, x}, nil) },
		"Jit":         func() nx.Tensor { return nx.Jit(nx.Tanh, nil)(x) },
	} {
		if err := kit.Caught(func() { f() }); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}
