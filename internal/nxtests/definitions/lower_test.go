package definitions

import (
	"context"
	"flag"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/go-nx/nx"
	"github.com/go-nx/nx/internal/nxtests/definitions/defs"
	"github.com/go-nx/nx/random"
)

// tried is a definition that is run without having been written: of its name in package defs, with its settings.
type tried struct {
	name string
	set  []string
	in   []nx.Tensor
	f    func(in []nx.Tensor) []nx.Tensor // what was written
	grad bool
}

// unary is an elementwise definition, of a vector or of a number.
func unary(name string, x nx.Tensor, f func(nx.Tensor) nx.Tensor) tried {
	return tried{name: name, in: []nx.Tensor{x}, grad: true,
		f: func(in []nx.Tensor) []nx.Tensor { return []nx.Tensor{f(in[0])} }}
}

func binary(name string, x, y nx.Tensor, f func(x, y nx.Tensor) nx.Tensor) tried {
	return tried{name: name, in: []nx.Tensor{x, y}, grad: true,
		f: func(in []nx.Tensor) []nx.Tensor { return []nx.Tensor{f(in[0], in[1])} }}
}

// with returns a definition with settings.
func (c tried) with(set ...string) tried { c.set = set; return c }

// onlyValue leaves the derivative out: there is none.
func (c tried) onlyValue() tried { c.grad = false; return c }

func triedDefinitions() []tried {
	vector, f32 := nx.New(inputs), nx.New([]float32{-2, -0.5, 0, 0.25, 1, 3})
	plain := nx.Rename(matrix, "", "")
	keys := random.Split(random.Key(1), 2)
	hidden, out := NewLinear(keys.At(0), 3, 4), NewLinear(keys.At(1), 4, 1)
	square := nx.New([][]float64{{2, 1}, {1, 3}})
	return []tried{
		unary("Softmax", plain, Softmax),
		binary("Clip", plain, nx.New([]float32{1}).At(0), Clip),
		unary("Newton", number(2), Newton),
		unary("Gelu", f32, Gelu),
		binary("Arithmetic", vector, number(3), Arithmetic),
		unary("Constants", vector, Constants),
		binary("Compound", vector, number(3), Compound),
		binary("Compare", vector, number(2), Compare).onlyValue(),
		binary("MinMax", vector, number(2), MinMax),
		binary("Relation", vector, number(2), Relation).onlyValue(),
		unary("Huge", vector, Huge),
		unary("Parity", vector, Parity),
		unary("Thrice", f32, Thrice),
		unary("Activations", f32, Activations),
		unary("Converted", f32, func(x nx.Tensor) nx.Tensor { return Converted(x, 3, 0.5) }).with("n=3", "f=0.5"),
		unary("Poly", f32, func(x nx.Tensor) nx.Tensor { return Poly(x, 1, -2, 0.5) }).with("coeffs=1,-2,0.5"),
		unary("Mask", f32, func(x nx.Tensor) nx.Tensor { return Mask(x, true) }).with("training=true"),
		binary("Dropout", f32, nx.New([]float32{0.7}).At(0), func(x, keep nx.Tensor) nx.Tensor {
			return Dropout(x, keep, true)
		}).with("training=true"),
		unary("Masked", f32, Masked),
		binary("Swapped", vector, number(3), Swapped),

		unary("Sign3", number(-3), Sign3).onlyValue(),
		unary("Bracket", number(20), Bracket),
		binary("Nested", number(-2), number(3), Nested),
		unary("Factorial", number(6), Factorial).onlyValue(),
		unary("Sqrt2", number(9), Sqrt2),
		binary("Find", number(0.4), number(9), Find),
		unary("UnrolledBreak", number(1.7), UnrolledBreak),
		unary("Doubling", number(0.7), Doubling),
		unary("Derivative", number(0.7), Derivative),
		unary("GradOfLoop", number(0.7), GradOfLoop),
		binary("Products", square, nx.New([][]float64{{1, 0}, {2, 1}}), Products),
		binary("Solved", square, nx.New([]float64{1, 2}), Solved),
		unary("Spectrum", nx.New([]float32{1, 2, 4, -1}), Spectrum),
		unary("Joined", plain, Joined),
		unary("Windows", plain, func(x nx.Tensor) nx.Tensor { return Windows(x, 1, 3)[0] }).onlyValue().
			with("sizes=1"),
		unary("Activated", f32, func(x nx.Tensor) nx.Tensor { return Activated(x, nx.Tanh) }).with("activation=Tanh"),
		unary("Reduced", plain, func(x nx.Tensor) nx.Tensor { return Reduced(x, defs.EndingMean) }).
			with("mode=EndingMean"),
		{name: "Collatz", in: []nx.Tensor{number(19)}, f: func(in []nx.Tensor) []nx.Tensor {
			steps, top := Collatz(in[0])
			return []nx.Tensor{steps, top}
		}},
		{name: "Cumulative", in: []nx.Tensor{vector}, grad: true, f: func(in []nx.Tensor) []nx.Tensor {
			sum, all := Cumulative(in[0])
			return []nx.Tensor{sum, all}
		}},
		{name: "Literal", f: func([]nx.Tensor) []nx.Tensor { return []nx.Tensor{Literal()} }},
		{name: "Filled", set: []string{"n=3", "d=f64"},
			f: func([]nx.Tensor) []nx.Tensor { return []nx.Tensor{Filled(3, nx.F64)} }},
		{name: "Largest", in: []nx.Tensor{number(1), number(7), number(3)}, grad: true,
			f: func(in []nx.Tensor) []nx.Tensor { return []nx.Tensor{Largest(in)} }},
		{name: "Rotate", in: []nx.Tensor{number(1), number(0), number(5), number(1)}, grad: true,
			f: func(in []nx.Tensor) []nx.Tensor {
				r := Rotate([3]nx.Tensor(in[:3]), in[3])
				return r[:]
			}},
		{name: "Loss", set: []string{"Act=tanh"}, grad: true,
			in: []nx.Tensor{hidden.W, hidden.B, plain, nx.Zeros(nx.Shape{2, 4}, nx.F32)},
			f: func(in []nx.Tensor) []nx.Tensor {
				return []nx.Tensor{Loss(Params{W: in[0], B: in[1], Act: "tanh"}, in[2], in[3])}
			}},
		{name: "Linear.Forward", in: []nx.Tensor{hidden.W, hidden.B, plain}, grad: true,
			f: func(in []nx.Tensor) []nx.Tensor { return []nx.Tensor{Linear{in[0], in[1]}.Forward(in[2])} }},
		{name: "MLP.Forward", set: []string{"Act=Tanh"}, grad: true,
			in: []nx.Tensor{hidden.W, hidden.B, out.W, out.B, plain}, f: func(in []nx.Tensor) []nx.Tensor {
				return []nx.Tensor{MLP{Linear{in[0], in[1]}, Linear{in[2], in[3]}, nx.Tanh}.Forward(in[4])}
			}},
	}
}

var allLowered = flag.Bool("lowered", false, "lower all definitions, not every seventh")

// TestLowered compares definitions that defn lower lowers in memory with the functions that it wrote, bit by bit, and
// their derivatives with those of nx.Grad.
func TestLowered(t *testing.T) {
	tool, err := exec.Command("go", "tool", "-n", "defn").Output()
	if err != nil {
		t.Fatal(err)
	}
	for i, c := range triedDefinitions() {
		if !*allLowered && i%7 != 0 { // a program is linked for each, and one for its derivative
			continue
		}
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			bits(t, c.lowered(t, strings.TrimSpace(string(tool))), nx.Jit(c.f)(c.in))
			if !c.grad {
				return
			}
			grads := nx.Jit(nx.Grad(func(in []nx.Tensor) nx.Tensor {
				results := c.f(in)
				if len(results) == 1 {
					return results[0]
				}
				sum := nx.Sum(results[0])
				for _, r := range results[1:] {
					sum = nx.Add(sum, nx.Sum(r))
				}
				return sum
			}))(c.in)
			bits(t, c.lowered(t, strings.TrimSpace(string(tool)), "-grad"), grads)
		})
	}
}

// lowered returns the results of the program that defn lower prints.
func (c tried) lowered(t *testing.T, tool string, flags ...string) []nx.Tensor {
	t.Helper()
	args := append([]string{"lower"}, flags...)
	for _, x := range c.in {
		spec := x.Spec()
		shape := strings.ReplaceAll(fmt.Sprint([]int(spec.Shape)), " ", ",")
		args = append(args, "-args", fmt.Sprint(spec.DType, shape))
	}
	for _, s := range c.set {
		args = append(args, "-set", s)
	}
	run := exec.Command(tool, append(args, "./defs."+c.name)...)
	var errs strings.Builder
	run.Stderr = &errs
	text, err := run.Output()
	if err != nil {
		t.Fatalf("%v\n%s", err, &errs)
	}
	file := filepath.Join(t.TempDir(), "lowered.mlir")
	if err := os.WriteFile(file, text, 0o666); err != nil {
		t.Fatal(err)
	}
	model, err := nx.Load(context.Background(), file)
	if err != nil {
		t.Fatal(err)
	}
	results, err := model.Call(context.Background(), c.in...)
	if err != nil {
		t.Fatal(err)
	}
	return results
}

// bits fails where tensors differ in type or in a bit, signs of zeros included; all NaNs are one.
func bits(t *testing.T, got, want []nx.Tensor) {
	t.Helper()
	if len(got) != len(want) {
		t.Fatalf("%d results, want %d", len(got), len(want))
	}
	for i := range got {
		if g, w := got[i].Spec(), want[i].Spec(); g.DType != w.DType || fmt.Sprint(g.Shape) != fmt.Sprint(w.Shape) {
			t.Fatalf("result %d: %v, want %v", i, g, w)
		}
		g, w := nx.Data[float64](got[i]), nx.Data[float64](want[i])
		for k := range g {
			if math.Float64bits(g[k]) != math.Float64bits(w[k]) && !(math.IsNaN(g[k]) && math.IsNaN(w[k])) {
				t.Fatalf("result %d: %v\nwant %v", i, got[i], want[i])
			}
		}
	}
}
