package autodiff_test

import (
	"context"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/go-nx/nx/dtype"
	"github.com/go-nx/nx/internal/autodiff"
	"github.com/go-nx/nx/stablehlo"
	"github.com/go-nx/nx/stablehlo/interp"
)

// Gradients have the type of their argument, also if a dot accumulates in a wider type than that of
// its operands.
func TestTypes(t *testing.T) {
	const text = `
func.func @main(%x: tensor<1x4x3xE>, %k: tensor<2x3x2xE>, %w: tensor<2x3xE>) -> tensor<1x3xf32> {
  %0 = "stablehlo.convolution"(%x, %k) <{dimension_numbers = #stablehlo.conv<[b, 0, f]x[0, i, o]->[b, 0, f]>, feature_group_count = 1 : i64, batch_group_count = 1 : i64}> : (tensor<1x4x3xE>, tensor<2x3x2xE>) -> tensor<1x3x2xf32>
  %1 = stablehlo.convert %0 : (tensor<1x3x2xf32>) -> tensor<1x3x2xE>
  %2 = stablehlo.logistic %1 : tensor<1x3x2xE>
  %3 = stablehlo.dot_general %2, %w, contracting_dims = [1, 2] x [1, 0] : (tensor<1x3x2xE>, tensor<2x3xE>) -> tensor<1xf32>
  %4 = stablehlo.broadcast_in_dim %3, dims = [0] : (tensor<1xf32>) -> tensor<1x3xf32>
  %5 = stablehlo.sine %4 : tensor<1x3xf32>
  return %5 : tensor<1x3xf32>
}`
	parse := func(elem string) (*stablehlo.Module, *stablehlo.Module) {
		m, err := stablehlo.Parse("program", []byte(strings.ReplaceAll(text, "xE>", "x"+elem+">")))
		if err != nil {
			t.Fatal(err)
		}
		if err := m.Verify(); err != nil {
			t.Fatal(err)
		}
		g, positions, err := autodiff.Gradient(context.Background(), m, "main", nil)
		if err != nil {
			t.Fatal(err)
		}
		if len(positions) != 3 {
			t.Fatalf("gradients of arguments %v, want all three", positions)
		}
		if err := g.Verify(); err != nil {
			t.Fatalf("%v\n%s", err, g)
		}
		return m, g
	}
	wide, reference := parse("f32")
	x := randomArgs(rand.New(rand.NewPCG(1, 2)), wide, 0.2, 0.8)
	want := run(t, reference, x)
	for _, tt := range []struct {
		elem string
		d    dtype.Type
		tol  float64
	}{{"f32", dtype.F32, 0}, {"bf16", dtype.BF16, 0.05}, {"f16", dtype.F16, 0.01}} {
		t.Run(tt.elem, func(t *testing.T) {
			_, g := parse(tt.elem)
			args := make([]interp.Value, len(x))
			for i, a := range x {
				from := a.(*interp.Tensor)
				to := &interp.Tensor{Type: stablehlo.Tensor(tt.d, from.Type.Dims...),
					Data: make([]byte, len(from.Data)/4*tt.d.Size())}
				if err := dtype.Convert(to.Data, tt.d, from.Data, dtype.F32); err != nil {
					t.Fatal(err)
				}
				args[i] = to
			}
			for i, v := range run(t, g, args) {
				if !stablehlo.SameType(v.(*interp.Tensor).Type, args[i].(*interp.Tensor).Type) {
					t.Errorf("the gradient of %s is a %s", args[i].(*interp.Tensor).Type, v.(*interp.Tensor).Type)
				}
				got, exact := parts(v), parts(want[i])
				for j := range got {
					if !near(got[j], exact[j], tt.tol, tt.tol) {
						t.Fatalf("gradient %d[%d] is %g, want %g", i, j, got[j], exact[j])
					}
				}
			}
		})
	}
}

// Tensors without elements have derivatives without elements, or of zeros.
func TestEmpty(t *testing.T) {
	for _, c := range []gradCase{
		{name: "sums, extremes and products", text: `
func.func @main(%x: tensor<3x0xf64>) -> (tensor<3xf64>, tensor<3xf64>, tensor<3xf64>) {
  %z = stablehlo.constant dense<0.0> : tensor<f64>
  %0 = stablehlo.reduce(%x init: %z) applies stablehlo.add across dimensions = [1] : (tensor<3x0xf64>, tensor<f64>) -> tensor<3xf64>
  %1 = stablehlo.reduce(%x init: %z) applies stablehlo.maximum across dimensions = [1] : (tensor<3x0xf64>, tensor<f64>) -> tensor<3xf64>
  %2 = stablehlo.reduce(%x init: %z) applies stablehlo.multiply across dimensions = [1] : (tensor<3x0xf64>, tensor<f64>) -> tensor<3xf64>
  return %0, %1, %2 : tensor<3xf64>, tensor<3xf64>, tensor<3xf64>
}`},
		{name: "matrix products", text: `
func.func @main(%x: tensor<3x0xf64>, %y: tensor<0x2xf64>) -> tensor<3x2xf64> {
  %0 = stablehlo.dot_general %x, %y, contracting_dims = [1] x [0] : (tensor<3x0xf64>, tensor<0x2xf64>) -> tensor<3x2xf64>
  return %0 : tensor<3x2xf64>
}`},
		{name: "windows", text: `
func.func @main(%x: tensor<2xf64>) -> (tensor<0xf64>, tensor<0xf64>) {
  %c = stablehlo.constant dense<0xFFF0000000000000> : tensor<f64>
  %z = stablehlo.constant dense<0.0> : tensor<f64>
  %0 = "stablehlo.reduce_window"(%x, %c) <{window_dimensions = array<i64: 3>}> ({
  ^bb0(%a: tensor<f64>, %b: tensor<f64>):
    %2 = stablehlo.maximum %a, %b : tensor<f64>
    stablehlo.return %2 : tensor<f64>
  }) : (tensor<2xf64>, tensor<f64>) -> tensor<0xf64>
  %1 = "stablehlo.reduce_window"(%x, %z) <{window_dimensions = array<i64: 3>}> ({
  ^bb0(%a: tensor<f64>, %b: tensor<f64>):
    %2 = stablehlo.add %a, %b : tensor<f64>
    stablehlo.return %2 : tensor<f64>
  }) : (tensor<2xf64>, tensor<f64>) -> tensor<0xf64>
  return %0, %1 : tensor<0xf64>, tensor<0xf64>
}`},
		{name: "tiles", text: `
func.func @main(%x: tensor<2x4xf64>) -> tensor<0x2xf64> {
  %c = stablehlo.constant dense<0xFFF0000000000000> : tensor<f64>
  %0 = "stablehlo.reduce_window"(%x, %c) <{window_dimensions = array<i64: 3, 2>, window_strides = array<i64: 3, 2>}> ({
  ^bb0(%a: tensor<f64>, %b: tensor<f64>):
    %2 = stablehlo.maximum %a, %b : tensor<f64>
    stablehlo.return %2 : tensor<f64>
  }) : (tensor<2x4xf64>, tensor<f64>) -> tensor<0x2xf64>
  return %0 : tensor<0x2xf64>
}`},
		{name: "slices and padding", text: `
func.func @main(%x: tensor<3xf64>, %v: tensor<f64>) -> (tensor<0xf64>, tensor<4xf64>) {
  %0 = stablehlo.slice %x [1:1] : (tensor<3xf64>) -> tensor<0xf64>
  %1 = stablehlo.pad %0, %v, low = [3], high = [1], interior = [2] : (tensor<0xf64>, tensor<f64>) -> tensor<4xf64>
  return %0, %1 : tensor<0xf64>, tensor<4xf64>
}`},
		{name: "no indices to read or write", text: `
func.func @main(%x: tensor<3x2xf64>, %u: tensor<0x2xf64>) -> (tensor<0x2xf64>, tensor<3x2xf64>) {
  %i = stablehlo.constant dense<> : tensor<0x1xi32>
  %0 = "stablehlo.gather"(%x, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 2>}> : (tensor<3x2xf64>, tensor<0x1xi32>) -> tensor<0x2xf64>
  %1 = "stablehlo.scatter"(%x, %i, %u) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%a: tensor<f64>, %b: tensor<f64>):
    stablehlo.return %b : tensor<f64>
  }) : (tensor<3x2xf64>, tensor<0x1xi32>, tensor<0x2xf64>) -> tensor<3x2xf64>
  return %0, %1 : tensor<0x2xf64>, tensor<3x2xf64>
}`},
		{name: "windows of padding only", text: `
func.func @main(%x: tensor<0xf64>) -> (tensor<2xf64>, tensor<2xf64>) {
  %c = stablehlo.constant dense<1.0> : tensor<f64>
  %0 = "stablehlo.reduce_window"(%x, %c) <{window_dimensions = array<i64: 1>, padding = dense<1> : tensor<1x2xi64>}> ({
  ^bb0(%a: tensor<f64>, %b: tensor<f64>):
    %2 = stablehlo.maximum %a, %b : tensor<f64>
    stablehlo.return %2 : tensor<f64>
  }) : (tensor<0xf64>, tensor<f64>) -> tensor<2xf64>
  %1 = "stablehlo.reduce_window"(%x, %c) <{window_dimensions = array<i64: 1>, padding = dense<1> : tensor<1x2xi64>}> ({
  ^bb0(%a: tensor<f64>, %b: tensor<f64>):
    %2 = stablehlo.multiply %a, %b : tensor<f64>
    stablehlo.return %2 : tensor<f64>
  }) : (tensor<0xf64>, tensor<f64>) -> tensor<2xf64>
  return %0, %1 : tensor<2xf64>, tensor<2xf64>
}`},
		{name: "sort", text: `
func.func @main(%x: tensor<2x0xf64>) -> tensor<2x0xf64> {
  %0 = "stablehlo.sort"(%x) <{dimension = 1 : i64}> ({
  ^bb0(%a: tensor<f64>, %b: tensor<f64>):
    %1 = stablehlo.compare LT, %a, %b : (tensor<f64>, tensor<f64>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  }) : (tensor<2x0xf64>) -> tensor<2x0xf64>
  return %0 : tensor<2x0xf64>
}`},
		{name: "convolution", text: `
func.func @main(%x: tensor<0x4x3xf64>, %k: tensor<2x3x2xf64>) -> tensor<0x3x2xf64> {
  %0 = "stablehlo.convolution"(%x, %k) <{dimension_numbers = #stablehlo.conv<[b, 0, f]x[0, i, o]->[b, 0, f]>, feature_group_count = 1 : i64, batch_group_count = 1 : i64}> : (tensor<0x4x3xf64>, tensor<2x3x2xf64>) -> tensor<0x3x2xf64>
  return %0 : tensor<0x3x2xf64>
}`},
	} {
		t.Run(c.name, func(t *testing.T) { checkGrad(t, c) })
	}
}

func TestGradientOfDynamicShapes(t *testing.T) {
	m, err := stablehlo.Parse("program", []byte(`
func.func @main(%x: tensor<?xf64>, %y: tensor<1xf64>) -> tensor<?xf64> {
  %n = stablehlo.get_dimension_size %x, dim = 0 : (tensor<?xf64>) -> tensor<i32>
  %shape = stablehlo.reshape %n : (tensor<i32>) -> tensor<1xi32>
  %z = stablehlo.dynamic_broadcast_in_dim %y, %shape, dims = [0] : (tensor<1xf64>, tensor<1xi32>) -> tensor<?xf64>
  %0 = stablehlo.multiply %x, %z : tensor<?xf64>
  return %0 : tensor<?xf64>
}`))
	if err != nil {
		t.Fatal(err)
	}
	if _, _, err := autodiff.Gradient(context.Background(), m, "main", nil); err == nil {
		t.Error("no error for a shape that is not known")
	}
	x, y := stablehlo.Tensor(dtype.F64, 3), stablehlo.Tensor(dtype.F64, 1)
	g, _, err := autodiff.Gradient(context.Background(), m, "main", []stablehlo.Type{x, y})
	if err != nil {
		t.Fatal(err)
	}
	n := 0.0
	next := func() float64 { n++; return n }
	xs, ys := &interp.Tensor{Type: x, Data: make([]byte, 24)}, &interp.Tensor{Type: y, Data: make([]byte, 8)}
	fill(xs, next)
	fill(ys, next)
	grads := run(t, g, []interp.Value{xs, ys})
	if dx, dy := parts(grads[0]), parts(grads[1]); !slices.Equal(dx, []float64{4, 4, 4}) ||
		!slices.Equal(dy, []float64{6}) {
		t.Errorf("the gradients are %v and %v, want 4 4 4 and 6", dx, dy)
	}
}
