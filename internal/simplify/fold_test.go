package simplify

import (
	"context"
	"testing"

	"github.com/go-nx/nx/stablehlo"
	"github.com/go-nx/nx/stablehlo/interp"
)

func TestFold(t *testing.T) {
	golden(t, "testdata/fold.txt", func(t *testing.T, _ string, f stablehlo.Func) bool {
		if err := Fold(f, interpret); err != nil {
			t.Fatal(err)
		}
		return false
	})
}

// interpret runs a function of constants on the interpreter.
func interpret(f stablehlo.Func) ([][]byte, error) {
	it, err := interp.New(&stablehlo.Module{Op: f.Parent()})
	if err != nil {
		return nil, err
	}
	values, err := it.Call(context.Background(), f.Name())
	if err != nil {
		return nil, err
	}
	out := make([][]byte, len(values))
	for i, v := range values {
		out[i] = v.(*interp.Tensor).Data
	}
	return out, nil
}
