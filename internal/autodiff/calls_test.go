package autodiff_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/go-nx/nx/dtype"
	"github.com/go-nx/nx/internal/autodiff"
	"github.com/go-nx/nx/internal/simplify"
	"github.com/go-nx/nx/stablehlo"
	"github.com/go-nx/nx/stablehlo/interp"
)

// layered returns a program that calls a function for each of its layers.
func layered(t testing.TB, layers int) *stablehlo.Module {
	var b strings.Builder
	b.WriteString(`func.func private @block(%w: tensor<4x4xf64>, %x: tensor<3x4xf64>) -> tensor<3x4xf64> {
  %0 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<3x4xf64>, tensor<4x4xf64>) -> tensor<3x4xf64>
  %1 = stablehlo.tanh %0 : tensor<3x4xf64>
  %2 = call @norm(%1) : (tensor<3x4xf64>) -> tensor<3x4xf64>
  %3 = call @norm(%2) : (tensor<3x4xf64>) -> tensor<3x4xf64>
  %4 = stablehlo.add %3, %x : tensor<3x4xf64>
  return %4 : tensor<3x4xf64>
}
func.func private @norm(%x: tensor<3x4xf64>) -> tensor<3x4xf64> {
  %z = stablehlo.constant dense<1.0> : tensor<f64>
  %0 = stablehlo.multiply %x, %x : tensor<3x4xf64>
  %1 = stablehlo.reduce(%0 init: %z) applies stablehlo.add across dimensions = [1]
    : (tensor<3x4xf64>, tensor<f64>) -> tensor<3xf64>
  %2 = stablehlo.rsqrt %1 : tensor<3xf64>
  %3 = stablehlo.broadcast_in_dim %2, dims = [0] : (tensor<3xf64>) -> tensor<3x4xf64>
  %4 = stablehlo.multiply %x, %3 : tensor<3x4xf64>
  return %4 : tensor<3x4xf64>
}
func.func @main(%w: tensor<4x4xf64>, %x0: tensor<3x4xf64>) -> tensor<f64> {
  %z = stablehlo.constant dense<0.0> : tensor<f64>
`)
	for i := range layers {
		fmt.Fprintf(&b, "  %%x%d = call @block(%%w, %%x%d) : (tensor<4x4xf64>, tensor<3x4xf64>) -> tensor<3x4xf64>\n",
			i+1, i)
	}
	fmt.Fprintf(&b, `  %%s = stablehlo.reduce(%%x%d init: %%z) applies stablehlo.add across dimensions = [0, 1]
    : (tensor<3x4xf64>, tensor<f64>) -> tensor<f64>
  return %%s : tensor<f64>
}
`, layers)
	return parsed(t, b.String())
}

func parsed(t testing.TB, text string) *stablehlo.Module {
	m, err := stablehlo.Parse("calls", []byte(text))
	if err == nil {
		err = m.Verify()
	}
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// expanded returns a module without calls.
func expanded(t testing.TB, m *stablehlo.Module) *stablehlo.Module {
	m = m.Clone()
	f, _ := m.Func("main")
	if err := simplify.Inline(m, f); err != nil {
		t.Fatal(err)
	}
	simplify.DropFuncs(m, "main")
	return m
}

// transforms are the derivatives that calls are tested with.
var transforms = []struct {
	name string
	run  func(m *stablehlo.Module) (*stablehlo.Module, error)
}{
	{"jvp", func(m *stablehlo.Module) (*stablehlo.Module, error) {
		return autodiff.JVP(context.Background(), m, "main", nil)
	}},
	{"jvp of one argument", func(m *stablehlo.Module) (*stablehlo.Module, error) {
		return autodiff.JVP(context.Background(), m, "main", []bool{false, true})
	}},
	{"vjp", func(m *stablehlo.Module) (*stablehlo.Module, error) {
		return autodiff.VJP(context.Background(), m, "main", nil, nil)
	}},
	{"vjp of one argument", func(m *stablehlo.Module) (*stablehlo.Module, error) {
		return autodiff.VJP(context.Background(), m, "main", []bool{true, false}, nil)
	}},
	{"jvp of vjp", func(m *stablehlo.Module) (*stablehlo.Module, error) {
		m, err := autodiff.VJP(context.Background(), m, "main", nil, nil)
		if err != nil {
			return nil, err
		}
		return autodiff.JVP(context.Background(), m, "main", nil)
	}},
	{"vjp of vjp", func(m *stablehlo.Module) (*stablehlo.Module, error) {
		m, err := autodiff.VJP(context.Background(), m, "main", nil, nil)
		if err != nil {
			return nil, err
		}
		return autodiff.VJP(context.Background(), m, "main", nil, nil)
	}},
}

// TestCallsAreDifferentiatedOnce: the derivative of a program that calls a function for each layer
// has the same functions for any number of layers, and the ops of one more call per layer.
func TestCallsAreDifferentiatedOnce(t *testing.T) {
	for _, tr := range transforms {
		sizes := map[int]int{} // ops of all functions, by layers
		var names []string
		for _, layers := range []int{4, 8, 96} {
			d, err := tr.run(layered(t, layers))
			if err != nil {
				t.Fatalf("%s: %v", tr.name, err)
			}
			if err := d.Verify(); err != nil {
				t.Fatalf("%s: %v\n%s", tr.name, err, d)
			}
			var found []string
			for f := range d.Funcs() {
				found = append(found, f.Name())
				sizes[layers] += count(f)
			}
			if slices.Sort(found); names == nil {
				names = found
			} else if !slices.Equal(names, found) {
				t.Errorf("%s: %d layers have the functions %v, 4 have %v", tr.name, layers, found, names)
			}
		}
		perLayer := (sizes[8] - sizes[4]) / 4
		t.Logf("%s: %d functions, %d ops a layer beside %d", tr.name, len(names), perLayer, sizes[4]-4*perLayer)
		if most := 8; perLayer > most {
			t.Errorf("%s: %d ops a layer, at most %d are of calls", tr.name, perLayer, most)
		}
		if want := sizes[8] + 88*perLayer; sizes[96] > want {
			t.Errorf("%s: 96 layers have %d ops, not %d", tr.name, sizes[96], want)
		}
	}
}

// TestDerivativesOfCalls compares derivatives through calls with those of the program with inlined
// calls: with inactive arguments and results, in loops and branches, of results without a
// cotangent, and of nested calls.
func TestDerivativesOfCalls(t *testing.T) {
	const two = `func.func private @two(%p: tensor<f64>, %q: tensor<f64>, %i: tensor<i32>)
    -> (tensor<f64>, tensor<f64>, tensor<i32>) {
  %0 = stablehlo.sine %p : tensor<f64>
  %1 = stablehlo.multiply %0, %q : tensor<f64>
  %2 = stablehlo.sqrt %q : tensor<f64>
  %3 = stablehlo.add %i, %i : tensor<i32>
  return %1, %2, %3 : tensor<f64>, tensor<f64>, tensor<i32>
}
`
	const call = " : (tensor<f64>, tensor<f64>, tensor<i32>) -> (tensor<f64>, tensor<f64>, tensor<i32>)\n"
	for _, c := range []struct{ name, text string }{
		{"layers", layered(t, 3).String()},
		{"some arguments, some results", two + `func.func @main(%x: tensor<f64>, %y: tensor<f64>) -> tensor<f64> {
  %i = stablehlo.constant dense<2> : tensor<i32>
  %c = stablehlo.constant dense<0.0> : tensor<f64>
  %a:3 = call @two(%x, %c, %i)` + call + `  %b:3 = call @two(%a#0, %y, %a#2)` + call +
			`  %d:3 = call @two(%c, %y, %b#2)` + call + `  %k = stablehlo.convert %d#2 : (tensor<i32>) -> tensor<f64>
  %s = stablehlo.add %b#0, %d#1 : tensor<f64>
  %r = stablehlo.multiply %s, %k : tensor<f64>
  return %r : tensor<f64>
}`},
		{"a result without a cotangent", two + `func.func @main(%x: tensor<f64>, %y: tensor<f64>) -> tensor<f64> {
  %i = stablehlo.constant dense<2> : tensor<i32>
  %no = stablehlo.constant dense<false> : tensor<i1>
  %c = stablehlo.constant dense<0.0> : tensor<f64>
  %zero = stablehlo.multiply %y, %c : tensor<f64>
  %a:3 = call @two(%x, %zero, %i)` + call + `  %b:3 = call @two(%x, %y, %i)` + call +
			`  %g = stablehlo.floor %a#1 : tensor<f64>
  %h = stablehlo.add %g, %a#0 : tensor<f64>
  %r = stablehlo.add %h, %b#1 : tensor<f64>
  return %r : tensor<f64>
}`},
		{"in a loop", two + `func.func @main(%x: tensor<f64>, %y: tensor<f64>) -> tensor<f64> {
  %z = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %n = stablehlo.constant dense<3> : tensor<i32>
  %w:2 = stablehlo.while(%k = %z, %v = %x) : tensor<i32>, tensor<f64> cond {
    %p = stablehlo.compare LT, %k, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  } do {
    %a:3 = call @two(%v, %y, %k)` + call + `    %b:3 = call @two(%a#0, %y, %k)` + call +
			`    %s = stablehlo.add %b#0, %b#1 : tensor<f64>
    %j = stablehlo.add %k, %one : tensor<i32>
    stablehlo.return %j, %s : tensor<i32>, tensor<f64>
  }
  return %w#1 : tensor<f64>
}`},
		{"in branches", two + `func.func @main(%x: tensor<f64>, %y: tensor<f64>) -> tensor<f64> {
  %z = stablehlo.constant dense<0> : tensor<i32>
  %p = stablehlo.compare LT, %x, %y : (tensor<f64>, tensor<f64>) -> tensor<i1>
  %r = "stablehlo.if"(%p) ({
    %a:3 = call @two(%x, %y, %z)` + call + `    stablehlo.return %a#0 : tensor<f64>
  }, {
    %a:3 = call @two(%y, %x, %z)` + call + `    stablehlo.return %a#1 : tensor<f64>
  }) : (tensor<i1>) -> tensor<f64>
  return %r : tensor<f64>
}`},
	} {
		m := parsed(t, c.text)
		for _, tr := range transforms {
			through, err := tr.run(m)
			if err != nil {
				t.Fatalf("%s, %s: %v", c.name, tr.name, err)
			}
			plain, err := tr.run(expanded(t, m))
			if err != nil {
				t.Fatalf("%s, %s: %v", c.name, tr.name, err)
			}
			if got, want := evaluated(t, through), evaluated(t, plain); !slices.EqualFunc(got, want, sameValue) {
				t.Errorf("%s, %s: %v with calls, %v without\n%s", c.name, tr.name, got, want, through)
			}
		}
	}
}

func sameValue(a, b float64) bool {
	return a == b || a-b < 1e-12*(1+max(a, -a)) && b-a < 1e-12*(1+max(a, -a))
}

// evaluated returns all numbers that the function main returns for arguments 0.3, 0.4, …
func evaluated(t *testing.T, m *stablehlo.Module) []float64 {
	t.Helper()
	if err := m.Verify(); err != nil {
		t.Fatalf("%v\n%s", err, m)
	}
	f, _ := m.Func("main")
	var args []interp.Value
	x := 0.3
	for _, typ := range f.Type().Ins {
		tt := typ.(*stablehlo.TensorType)
		n, _ := tt.NumElems()
		a := &interp.Tensor{Type: tt, Data: make([]byte, 8*n)}
		for i := range int(n) {
			dtype.F64.StoreFloat(a.Data, i, x)
			x += 0.1
		}
		args = append(args, a)
	}
	var out []float64
	for _, v := range run(t, m, args) {
		a := v.(*interp.Tensor)
		for i := range len(a.Data) / 8 {
			out = append(out, dtype.F64.LoadFloat(a.Data, i))
		}
	}
	return out
}
