package autodiff_test

import (
	"context"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/go-nx/nx/internal/autodiff"
	"github.com/go-nx/nx/stablehlo"
	"github.com/go-nx/nx/stablehlo/interp"
)

// gradient returns the gradient of a program at x, its first argument a vector of f64.
func gradient(t *testing.T, text string, x ...float64) []float64 {
	t.Helper()
	m, err := stablehlo.Parse("program", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	g, _, err := autodiff.Gradient(context.Background(), m, "main", nil)
	if err != nil {
		t.Fatal(err)
	}
	if err := g.Verify(); err != nil {
		t.Fatal(err)
	}
	f, _ := m.Func("main")
	arg := &interp.Tensor{Type: f.Args()[0].Tensor(), Data: make([]byte, 8*len(x))}
	i := 0
	fill(arg, func() float64 { i++; return x[i-1] })
	return parts(run(t, g, []interp.Value{arg})[0])
}

// vector is a program on a vector of n f64; body computes %y from %x.
func vector(n int, body string) string {
	text := `
func.func @main(%x: tensor<Nxf64>) -> tensor<Nxf64> {
  %zero = stablehlo.constant dense<0.0> : tensor<Nxf64>
  BODY
  return %y : tensor<Nxf64>
}`
	text = strings.Replace(text, "BODY", body, 1)
	return strings.ReplaceAll(text, "N", fmt.Sprint(n))
}

func TestConventionsAtKinks(t *testing.T) {
	scalar := func(body string) string {
		return `
func.func @main(%x: tensor<4xf64>) -> tensor<f64> {
  %c = stablehlo.constant dense<0xFFF0000000000000> : tensor<f64>` + body + `
  return %y : tensor<f64>
}`
	}
	for _, tt := range []struct {
		name, text string
		x, want    []float64
	}{
		{"abs at 0", vector(3, `%y = stablehlo.abs %x : tensor<Nxf64>`), []float64{-1, 0, 1}, []float64{-1, 1, 1}},
		{"maximum of equals", vector(3, `%y = stablehlo.maximum %x, %zero : tensor<Nxf64>`), []float64{-1, 0, 1},
			[]float64{0, 0.5, 1}},
		{"minimum of equals", vector(3, `%y = stablehlo.minimum %zero, %x : tensor<Nxf64>`), []float64{-1, 0, 1},
			[]float64{1, 0.5, 0}},
		{"maximum of a value and itself", vector(2, `%y = stablehlo.maximum %x, %x : tensor<Nxf64>`),
			[]float64{-1, 2}, []float64{1, 1}},
		{"fewer bits round the cotangent as well", vector(1, `%c = stablehlo.constant dense<1.01> : tensor<Nxf64>
  %r = stablehlo.reduce_precision %x, format = e8m7 : tensor<Nxf64>
  %y = stablehlo.multiply %r, %c : tensor<Nxf64>`), []float64{3}, []float64{1.0078125}},
		{"clamp on the bounds", vector(4, `%one = stablehlo.constant dense<1.0> : tensor<Nxf64>
  %y = stablehlo.clamp %zero, %x, %one : tensor<Nxf64>`), []float64{-1, 0, 1, 2}, []float64{0, 1, 1, 0}},
		{"power 0 at 0", vector(2, `%y = stablehlo.power %x, %zero : tensor<Nxf64>`), []float64{0, 3}, []float64{0, 0}},
		{"power 1 at 0", vector(2, `%one = stablehlo.constant dense<1.0> : tensor<Nxf64>
  %y = stablehlo.power %x, %one : tensor<Nxf64>`), []float64{0, 3}, []float64{1, 1}},
		{"power 2 of negatives", vector(2, `%two = stablehlo.constant dense<2.0> : tensor<Nxf64>
  %y = stablehlo.power %x, %two : tensor<Nxf64>`), []float64{-3, 0}, []float64{-6, 0}},
		{"base 0 of a power", vector(2, `%y = stablehlo.power %zero, %x : tensor<Nxf64>`), []float64{1, 2},
			[]float64{0, 0}},
		{"infinity in the branch not taken", vector(2, `%inf = stablehlo.constant dense<0x7FF0000000000000> : tensor<Nxf64>
  %p = stablehlo.compare GT, %x, %zero : (tensor<Nxf64>, tensor<Nxf64>) -> tensor<Nxi1>
  %m = stablehlo.multiply %x, %inf : tensor<Nxf64>
  %y = stablehlo.select %p, %x, %m : tensor<Nxi1>, tensor<Nxf64>`), []float64{1, 2}, []float64{1, 1}},
		{"softplus at 0", vector(3, `%m = stablehlo.maximum %x, %zero : tensor<Nxf64>
  %a = stablehlo.abs %x : tensor<Nxf64>
  %n = stablehlo.negate %a : tensor<Nxf64>
  %e = stablehlo.exponential %n : tensor<Nxf64>
  %l = stablehlo.log_plus_one %e : tensor<Nxf64>
  %y = stablehlo.add %m, %l : tensor<Nxf64>`), []float64{-math.Log(3), 0, math.Log(3)}, []float64{0.25, 0.5, 0.75}},
		{"log of a logistic that is 0", vector(3, `%l = stablehlo.logistic %x : tensor<Nxf64>
  %y = stablehlo.log %l : tensor<Nxf64>`), []float64{-1000, 0, 1000}, []float64{1, 0.5, 0}},
		{"log of 1 less a logistic that is 1", vector(3, `%l = stablehlo.logistic %x : tensor<Nxf64>
  %one = stablehlo.constant dense<1.0> : tensor<Nxf64>
  %d = stablehlo.subtract %one, %l : tensor<Nxf64>
  %y = stablehlo.log %d : tensor<Nxf64>`), []float64{-1000, 0, 1000}, []float64{0, -0.5, -1}},
		{"log1p of -logistic that is -1", vector(3, `%l = stablehlo.logistic %x : tensor<Nxf64>
  %d = stablehlo.negate %l : tensor<Nxf64>
  %y = stablehlo.log_plus_one %d : tensor<Nxf64>`), []float64{-1000, 0, 1000}, []float64{0, -0.5, -1}},
		{"log of 1 plus an exponential that is infinite", vector(3, `%e = stablehlo.exponential %x : tensor<Nxf64>
  %one = stablehlo.constant dense<1.0> : tensor<Nxf64>
  %d = stablehlo.add %e, %one : tensor<Nxf64>
  %y = stablehlo.log %d : tensor<Nxf64>`), []float64{-1000, 0, 1000}, []float64{0, 0.5, 1}},
		{"log1p of an exponential that is infinite", vector(3, `%e = stablehlo.exponential %x : tensor<Nxf64>
  %y = stablehlo.log_plus_one %e : tensor<Nxf64>`), []float64{-1000, 0, 1000}, []float64{0, 0.5, 1}},
		{"log of an exponential that is 0 or infinite", vector(2, `%e = stablehlo.exponential %x : tensor<Nxf64>
  %y = stablehlo.log %e : tensor<Nxf64>`), []float64{-1000, 1000}, []float64{1, 1}},
		{"log of a quotient of exponentials that are 0", vector(2, `%e = stablehlo.exponential %x : tensor<Nxf64>
  %two = stablehlo.constant dense<2.0> : tensor<Nxf64>
  %x2 = stablehlo.multiply %x, %two : tensor<Nxf64>
  %f = stablehlo.exponential %x2 : tensor<Nxf64>
  %q = stablehlo.divide %e, %f : tensor<Nxf64>
  %y = stablehlo.log %q : tensor<Nxf64>`), []float64{-1000, 1}, []float64{-1, -1}},
		{"log of a product with an exponential that is 0", vector(2, `%e = stablehlo.exponential %x : tensor<Nxf64>
  %p = stablehlo.multiply %e, %x : tensor<Nxf64>
  %y = stablehlo.log %p : tensor<Nxf64>`), []float64{-1000, 2}, []float64{0.999, 1.5}},
		{"log of a captured logistic in a branch", vector(2, `%l = stablehlo.logistic %x : tensor<Nxf64>
  %t = stablehlo.constant dense<true> : tensor<i1>
  %y = "stablehlo.if"(%t) ({
    %g = stablehlo.log %l : tensor<Nxf64>
    stablehlo.return %g : tensor<Nxf64>
  }, {
    %n = stablehlo.negate %l : tensor<Nxf64>
    %g = stablehlo.log_plus_one %n : tensor<Nxf64>
    stablehlo.return %g : tensor<Nxf64>
  }) : (tensor<i1>) -> tensor<Nxf64>`), []float64{0, 1}, []float64{0.5, 1 / (1 + math.E)}},
		{"NaN in the branch not taken",
			vector(3, `%p = stablehlo.compare GT, %x, %zero : (tensor<Nxf64>, tensor<Nxf64>) -> tensor<Nxi1>
  %l = stablehlo.log %x : tensor<Nxf64>
  %s = stablehlo.sqrt %l : tensor<Nxf64>
  %m = stablehlo.multiply %x, %l : tensor<Nxf64>
  %d = stablehlo.subtract %m, %s : tensor<Nxf64>
  %y = stablehlo.select %p, %d, %x : tensor<Nxi1>, tensor<Nxf64>`), []float64{-1, 0, math.E},
			[]float64{1, 1, 2 - 0.5/math.E}},
		{"NaN in branches of a branch", vector(4, `%one = stablehlo.constant dense<1.0> : tensor<Nxf64>
  %p = stablehlo.compare GT, %x, %zero : (tensor<Nxf64>, tensor<Nxf64>) -> tensor<Nxi1>
  %q = stablehlo.compare LT, %x, %one : (tensor<Nxf64>, tensor<Nxf64>) -> tensor<Nxi1>
  %r = stablehlo.sqrt %x : tensor<Nxf64>
  %i = stablehlo.divide %one, %x : tensor<Nxf64>
  %a = stablehlo.select %q, %i, %r : tensor<Nxi1>, tensor<Nxf64>
  %l = stablehlo.log %x : tensor<Nxf64>
  %b = stablehlo.multiply %a, %l : tensor<Nxf64>
  %y = stablehlo.select %p, %b, %zero : tensor<Nxi1>, tensor<Nxf64>`), []float64{-1, 0, 0.5, 4},
			[]float64{0, 0, 4 * (1 + math.Ln2), math.Ln2/2 + 0.5}},
		{"norm in the condition of a loop at 0", vector(2, `%one = stablehlo.constant dense<1.0> : tensor<Nxf64>
  %s = stablehlo.constant dense<0.0> : tensor<f64>
  %l = stablehlo.constant dense<3.0> : tensor<f64>
  %0:2 = stablehlo.while(%a = %x, %n = %s) : tensor<Nxf64>, tensor<f64>
  cond {
    %p = stablehlo.compare LT, %n, %l : (tensor<f64>, tensor<f64>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  } do {
    %q = stablehlo.dot_general %a, %a, contracting_dims = [0] x [0] : (tensor<Nxf64>, tensor<Nxf64>) -> tensor<f64>
    %r = stablehlo.sqrt %q : tensor<f64>
    %b = stablehlo.add %a, %one : tensor<Nxf64>
    stablehlo.return %b, %r : tensor<Nxf64>, tensor<f64>
  }
  %y = stablehlo.add %0#0, %zero : tensor<Nxf64>`), []float64{0, 0}, []float64{1, 1}},
		{"shared maximum of a dimension", scalar(`
  %y = stablehlo.reduce(%x init: %c) applies stablehlo.maximum across dimensions = [0] : (tensor<4xf64>, tensor<f64>) -> tensor<f64>`),
			[]float64{2, 1, 2, 0}, []float64{0.5, 0, 0.5, 0}},
		{"initial value above all elements", scalar(`
  %d = stablehlo.constant dense<9.0> : tensor<f64>
  %y = stablehlo.reduce(%x init: %d) applies stablehlo.maximum across dimensions = [0] : (tensor<4xf64>, tensor<f64>) -> tensor<f64>`),
			[]float64{2, 1, 2, 0}, []float64{0, 0, 0, 0}},
		{"product with one zero", scalar(`
  %d = stablehlo.constant dense<1.0> : tensor<f64>
  %y = stablehlo.reduce(%x init: %d) applies stablehlo.multiply across dimensions = [0] : (tensor<4xf64>, tensor<f64>) -> tensor<f64>`),
			[]float64{2, 0, 3, 5}, []float64{0, 30, 0, 0}},
		{"product with two zeros", scalar(`
  %d = stablehlo.constant dense<1.0> : tensor<f64>
  %y = stablehlo.reduce(%x init: %d) applies stablehlo.multiply across dimensions = [0] : (tensor<4xf64>, tensor<f64>) -> tensor<f64>`),
			[]float64{2, 0, 0, 5}, []float64{0, 0, 0, 0}},
		{"maximum of a window is the first", `
func.func @main(%x: tensor<4xf64>) -> tensor<3xf64> {
  %c = stablehlo.constant dense<0xFFF0000000000000> : tensor<f64>
  %0 = "stablehlo.reduce_window"(%x, %c) <{window_dimensions = array<i64: 2>}> ({
  ^bb0(%a: tensor<f64>, %b: tensor<f64>):
    %1 = stablehlo.maximum %a, %b : tensor<f64>
    stablehlo.return %1 : tensor<f64>
  }) : (tensor<4xf64>, tensor<f64>) -> tensor<3xf64>
  return %0 : tensor<3xf64>
}`, []float64{1, 1, 0, 3}, []float64{1, 1, 0, 1}},
		{"maximum of a tile is the first, unless the initial value is larger", `
func.func @main(%x: tensor<7xf64>) -> tensor<3xf64> {
  %c = stablehlo.constant dense<2.0> : tensor<f64>
  %0 = "stablehlo.reduce_window"(%x, %c) <{window_dimensions = array<i64: 2>, window_strides = array<i64: 2>}> ({
  ^bb0(%a: tensor<f64>, %b: tensor<f64>):
    %1 = stablehlo.maximum %a, %b : tensor<f64>
    stablehlo.return %1 : tensor<f64>
  }) : (tensor<7xf64>, tensor<f64>) -> tensor<3xf64>
  return %0 : tensor<3xf64>
}`, []float64{1, 1, 3, 3, 2, 5, 9}, []float64{0, 0, 1, 0, 0, 1, 0}},
		{"scatter multiply with a zero", `
func.func @main(%x: tensor<4xf64>) -> tensor<2xf64> {
  %i = stablehlo.constant dense<[0, 0, 1, 1]> : tensor<4xi32>
  %c = stablehlo.constant dense<2.0> : tensor<2xf64>
  %0 = "stablehlo.scatter"(%c, %i, %x) <{scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%a: tensor<f64>, %b: tensor<f64>):
    %1 = stablehlo.multiply %a, %b : tensor<f64>
    stablehlo.return %1 : tensor<f64>
  }) : (tensor<2xf64>, tensor<4xi32>, tensor<4xf64>) -> tensor<2xf64>
  return %0 : tensor<2xf64>
}`, []float64{0, 3, 4, 5}, []float64{6, 0, 10, 8}},
		{"scatter maximum of equals", `
func.func @main(%x: tensor<4xf64>) -> tensor<2xf64> {
  %i = stablehlo.constant dense<[0, 0, 1, 1]> : tensor<4xi32>
  %c = stablehlo.constant dense<2.0> : tensor<2xf64>
  %0 = "stablehlo.scatter"(%c, %i, %x) <{scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%a: tensor<f64>, %b: tensor<f64>):
    %1 = stablehlo.maximum %a, %b : tensor<f64>
    stablehlo.return %1 : tensor<f64>
  }) : (tensor<2xf64>, tensor<4xi32>, tensor<4xf64>) -> tensor<2xf64>
  return %0 : tensor<2xf64>
}`, []float64{2, 1, 4, 4}, []float64{0.5, 0, 0.5, 0.5}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got := gradient(t, tt.text, tt.x...)
			for i := range tt.want {
				if got[i] != tt.want[i] {
					t.Fatalf("the gradient at %v is %v, want %v", tt.x, got, tt.want)
				}
			}
		})
	}
}

func TestErrors(t *testing.T) {
	for _, tt := range []struct{ name, text, want string }{
		{"unknown custom call", vector(2, `%y = stablehlo.custom_call @mystery(%x) : (tensor<Nxf64>) -> tensor<Nxf64>`),
			"no derivative of stablehlo.custom_call @mystery: its computation is not part of the program"},
		{"op without derivative",
			vector(2,
				`%y = "stablehlo.collective_broadcast"(%x) <{replica_groups = dense<0> : tensor<1x1xi64>}> : (tensor<Nxf64>) -> tensor<Nxf64>`),
			"no derivative of stablehlo.collective_broadcast: the groups determine the receivers"},
		{"bits of a float made into a float", vector(2, `%0 = stablehlo.bitcast_convert %x : (tensor<Nxf64>) -> tensor<Nxi64>
  %1 = stablehlo.constant dense<1> : tensor<Nxi64>
  %2 = stablehlo.add %0, %1 : tensor<Nxi64>
  %y = stablehlo.bitcast_convert %2 : (tensor<Nxi64>) -> tensor<Nxf64>`),
			"no derivative of stablehlo.bitcast_convert: its operand has the bits of a float"},
		{"scatter of tensors that depend on each other", `
func.func @main(%x: tensor<5xf64>, %u: tensor<3xf64>) -> (tensor<5xf64>, tensor<5xf64>) {
  %i = stablehlo.constant dense<[[1], [4], [1]]> : tensor<3x1xi32>
  %2:2 = "stablehlo.scatter"(%x, %x, %i, %u, %u) <{scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%a: tensor<f64>, %c: tensor<f64>, %b: tensor<f64>, %d: tensor<f64>):
    %3 = stablehlo.add %a, %d : tensor<f64>
    stablehlo.return %3, %d : tensor<f64>, tensor<f64>
  }) : (tensor<5xf64>, tensor<5xf64>, tensor<3x1xi32>, tensor<3xf64>, tensor<3xf64>) -> (tensor<5xf64>, tensor<5xf64>)
  return %2#0, %2#1 : tensor<5xf64>, tensor<5xf64>
}`, "no derivative of stablehlo.scatter of several tensors: its region must not mix them"},
		{"recursion", `
func.func @main(%x: tensor<2xf64>) -> tensor<2xf64> {
  %0 = call @main(%x) : (tensor<2xf64>) -> tensor<2xf64>
  return %0 : tensor<2xf64>
}`, "recursion"},
		{"shapes that are not known", `
func.func @main(%x: tensor<?xf64>) -> tensor<f64> {
  %c = stablehlo.constant dense<0.0> : tensor<f64>
  %0 = stablehlo.reduce(%x init: %c) applies stablehlo.add across dimensions = [0] : (tensor<?xf64>, tensor<f64>) -> tensor<f64>
  return %0 : tensor<f64>
}`, "the shape of a value must be static"},
		{"random numbers in a loop", `
func.func @main(%x: tensor<f64>) -> tensor<f64> {
  %l = stablehlo.constant dense<3.0> : tensor<f64>
  %s = stablehlo.constant dense<> : tensor<0xi64>
  %0 = stablehlo.while(%a = %x) : tensor<f64>
  cond {
    %p = stablehlo.compare LT, %a, %l : (tensor<f64>, tensor<f64>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  } do {
    %1 = stablehlo.rng %a, %l, %s, distribution = UNIFORM : (tensor<f64>, tensor<f64>, tensor<0xi64>) -> tensor<f64>
    stablehlo.return %1 : tensor<f64>
  }
  return %0 : tensor<f64>
}`, "no derivative of stablehlo.while in reverse mode: it would have to repeat stablehlo.rng"},
		{"no function", `func.func @other() { return }`, "the module has no function @main"},
		{"declaration", `func.func private @main(tensor<f32>) -> tensor<f32>`, "must have a body"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			m, err := stablehlo.Parse("program", []byte(tt.text))
			if err != nil {
				t.Fatal(err)
			}
			_, err = autodiff.VJP(context.Background(), m, "main", nil, nil)
			if err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Fatalf("the error is %v, want one with %q", err, tt.want)
			}
		})
	}
}

func TestChoices(t *testing.T) {
	m, err := stablehlo.Parse("program", []byte(`
func.func @main(%x: tensor<2xf64>, %i: tensor<2xi32>, %y: tensor<2xf64>) -> (tensor<2xf64>, tensor<2xi32>) {
  %0 = stablehlo.multiply %x, %y : tensor<2xf64>
  return %0, %i : tensor<2xf64>, tensor<2xi32>
}`))
	if err != nil {
		t.Fatal(err)
	}
	before := m.String()
	for _, tt := range []struct {
		name   string
		wrt    []bool
		of     []bool
		vjp    string
		hasErr bool
	}{
		{"all", nil, nil,
			"(tensor<2xf64>, tensor<2xi32>, tensor<2xf64>, tensor<2xf64>) -> (tensor<2xf64>, tensor<2xi32>, tensor<2xf64>, tensor<2xf64>)", false},
		{"one argument", []bool{false, false, true}, nil,
			"(tensor<2xf64>, tensor<2xi32>, tensor<2xf64>, tensor<2xf64>) -> (tensor<2xf64>, tensor<2xi32>, tensor<2xf64>)",
			false},
		{"one result", nil, []bool{true, false},
			"(tensor<2xf64>, tensor<2xi32>, tensor<2xf64>, tensor<2xf64>) -> (tensor<2xf64>, tensor<2xi32>, tensor<2xf64>, tensor<2xf64>)", false},
		{"no result", nil, []bool{false, false},
			"(tensor<2xf64>, tensor<2xi32>, tensor<2xf64>) -> (tensor<2xf64>, tensor<2xi32>, tensor<2xf64>, tensor<2xf64>)",
			false},
		{"an integer", []bool{false, true, false}, nil, "", true},
		{"a result of integers", nil, []bool{false, true}, "", true},
		{"too few", []bool{true}, nil, "", true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			d, err := autodiff.VJP(context.Background(), m, "main", tt.wrt, tt.of)
			if tt.hasErr != (err != nil) {
				t.Fatal(err)
			}
			if err != nil {
				return
			}
			f, _ := d.Func("main")
			if got := f.Type().String(); got != tt.vjp {
				t.Errorf("the type is %s, want %s", got, tt.vjp)
			}
		})
	}
	if m.String() != before {
		t.Error("the module has changed")
	}
}
