package interp_test

import (
	"context"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/go-nx/nx/backend"
	"github.com/go-nx/nx/dtype"
	"github.com/go-nx/nx/stablehlo"
	_ "github.com/go-nx/nx/stablehlo/interp"
)

// TestClient runs a program on the interpreter as a client of the registry.
func TestClient(t *testing.T) {
	ctx := context.Background()
	c, err := backend.Open("interp")
	if err != nil {
		t.Fatal(err)
	}
	m, err := stablehlo.Parse("m.mlir",
		[]byte(`func.func @main(%x: tensor<2xf32>, %y: tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>) {
	%0 = stablehlo.add %x, %y : tensor<2xf32>
	%1 = stablehlo.multiply %x, %y : tensor<2xf32>
	return %0, %1 : tensor<2xf32>, tensor<2xf32>
}`))
	if err != nil {
		t.Fatal(err)
	}
	exe, err := c.Compile(ctx, m)
	if err != nil {
		t.Fatal(err)
	}
	of := backend.Type{DType: dtype.F32, Dims: []int64{2}}
	put := func(v ...float64) backend.Buffer {
		data := make([]byte, of.SizeBytes())
		for i, x := range v {
			of.DType.StoreFloat(data, i, x)
		}
		b, err := c.Put(ctx, of, data, c.Devices()[0])
		if err != nil {
			t.Fatal(err)
		}
		return b
	}
	out, err := exe.Execute(ctx, []backend.Buffer{put(1, 2), put(3, math.Inf(1))})
	if err != nil || len(out) != 2 {
		t.Fatal(out, err)
	}
	for i, want := range [][]float64{{4, math.Inf(1)}, {3, math.Inf(1)}} {
		data := make([]byte, of.SizeBytes())
		if err := out[i].Read(ctx, data); err != nil {
			t.Fatal(err)
		}
		if got := []float64{of.DType.LoadFloat(data, 0), of.DType.LoadFloat(data, 1)}; !slices.Equal(got, want) {
			t.Errorf("result %d is %v, want %v", i, got, want)
		}
	}
	if _, err := exe.Execute(ctx, []backend.Buffer{put(1, 2)}); err == nil {
		t.Error("a missing argument is not refused")
	}
	if _, err := backend.Open("tpu"); err == nil || !strings.Contains(err.Error(), "the backends are interp") {
		t.Errorf("got %v", err)
	}
}
