package ops_test

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"testing"

	"github.com/go-nx/nx"
	"github.com/go-nx/nx/internal/nxtests/kit"
	"github.com/go-nx/nx/stablehlo"
	"github.com/go-nx/nx/stablehlo/interp"
)

// opCase is an op on operands, run in every way there is.
type opCase struct {
	name string
	f    func(in []nx.Tensor) []nx.Tensor
	in   []nx.Tensor
	ulps float64 // by which the interpreter may differ
}

// one makes the results of an op with one.
func one(t nx.Tensor) []nx.Tensor { return []nx.Tensor{t} }

// opCases lists every op with operands that show its ways.
func opCases() []opCase {
	var out []opCase
	for _, c := range binaryCases {
		for _, d := range kit.DTypes {
			a, b, _ := pairs(d)
			if kit.Caught(func() { c.f(a, b) }) == nil {
				f := func(in []nx.Tensor) []nx.Tensor { return one(c.f(in[0], in[1])) }
				out = append(out,
					opCase{c.name + " of " + d.String(), f, []nx.Tensor{a, b}, 2*c.ulps +
						16*float64(kit.BoolToInt(d.IsComplex()))})
			}
		}
	}
	for _, c := range unaryCases {
		for _, d := range kit.DTypes {
			s := kit.Samples(d)
			x := kit.Encode(d, nx.Shape{len(s)}, s)
			if kit.Caught(func() { c.f(x) }) == nil {
				f := func(in []nx.Tensor) []nx.Tensor { return one(c.f(in[0])) }
				out = append(out,
					opCase{c.name + " of " + d.String(), f, []nx.Tensor{x},
						2*c.ulps + 64*float64(kit.BoolToInt(d.IsComplex() || d == nx.F64 && c.ulps > 0))})
			}
		}
	}
	for _, d := range kit.DTypes {
		out = append(out, structureCases(d)...)
	}
	return append(out, numberCases()...)
}

// structureCases are the ops that move elements, choose among them or fold them.
func structureCases(d nx.DType) []opCase {
	x := nx.Cast(nx.Sub(nx.Iota(nx.Shape{3, 4}, nx.F32), 2), d) // with values of all signs
	if d.IsUnsigned() || d.Bits() < 8 {
		x = nx.Cast(nx.Remainder(nx.Iota(nx.Shape{3, 4}, nx.S32), 2), d)
	}
	x = nx.Rename(x, "a", "b")
	y := nx.Reverse(x)
	z := nx.Rename(nx.Transpose(y), "b", "c")
	i := nx.New([]int32{2, 0})
	at := nx.New(int64(1))
	mask := nx.New([]bool{true, false, true, false})
	var out []opCase
	add := func(name string, f func(in []nx.Tensor) []nx.Tensor, in ...nx.Tensor) {
		out = append(out, opCase{name + " of " + d.String(), f, in, 0})
	}
	unary := func(name string, f func(x nx.Tensor) nx.Tensor) {
		add(name, func(in []nx.Tensor) []nx.Tensor { return one(f(in[0])) }, x)
	}
	unary("Reshape", func(x nx.Tensor) nx.Tensor { return nx.Reshape(x, 2, -1) })
	unary("Flatten", func(x nx.Tensor) nx.Tensor { return nx.Flatten(x) })
	unary("Transpose", func(x nx.Tensor) nx.Tensor { return nx.Transpose(x) })
	unary("ExpandAxis", func(x nx.Tensor) nx.Tensor { return nx.ExpandAxis(x, nx.Axis(1)) })
	unary("Squeeze", func(x nx.Tensor) nx.Tensor { return nx.Squeeze(x.At(nx.Range(1, 2))) })
	unary("BroadcastTo", func(x nx.Tensor) nx.Tensor { return nx.BroadcastTo(x, 2, 3, 4) })
	unary("Tile", func(x nx.Tensor) nx.Tensor { return nx.Tile(x, 2, 1) })
	unary("Reverse", func(x nx.Tensor) nx.Tensor { return nx.Reverse(x, nx.Axis("b")) })
	unary("Pad", func(x nx.Tensor) nx.Tensor { return nx.Pad(x, true, [2]int{1, -1}, [2]int{0, 2}) })
	unary("Tril", func(x nx.Tensor) nx.Tensor { return nx.Tril(x, 0) })
	unary("At", func(x nx.Tensor) nx.Tensor { return x.At(1, nx.From(1).Step(2)) })
	unary("SetAt", func(x nx.Tensor) nx.Tensor { return nx.SetAt(x, x.At(0, 0), nx.Whole, nx.From(1).Step(2)) })
	unary("Split", func(x nx.Tensor) nx.Tensor { return nx.Concatenate(nx.Split(x, []int{1, 2})[1:]) })
	unary("StopGradient", nx.StopGradient)
	add("Stack", func(in []nx.Tensor) []nx.Tensor { return one(nx.Stack(in, nx.Axis(1))) }, x, y)
	add("Concatenate", func(in []nx.Tensor) []nx.Tensor { return one(nx.Concatenate(in)) }, x, y, x, y, x)
	add("Where", func(in []nx.Tensor) []nx.Tensor { return one(nx.Where(in[0], in[1], in[2])) }, mask, x, y)
	add("Take", func(in []nx.Tensor) []nx.Tensor { return one(nx.Take(in[0], in[1])) }, x, i)
	add("At at run time", func(in []nx.Tensor) []nx.Tensor { return one(in[0].At(in[1], nx.To(3))) }, x, at)
	add("SetAt at run time", func(in []nx.Tensor) []nx.Tensor { return one(nx.SetAt(in[0], in[2], in[1])) },
		x, at, x.At(0))
	add("SetSlice", func(in []nx.Tensor) []nx.Tensor { return one(nx.SetSlice(in[0], in[2], in[1], 0)) },
		x, at, x.At(nx.To(2)))
	add("Dot", func(in []nx.Tensor) []nx.Tensor { return one(nx.Dot(in[0], in[1])) }, x, z)
	for _, r := range []struct {
		name string
		f    func(t nx.Tensor, opts ...nx.ReduceOption) nx.Tensor
	}{{"Sum", nx.Sum}, {"Prod", nx.Prod}, {"Mean", nx.Mean}, {"Var", kit.Variance(nx.Var)},
		{"Max", nx.Max}, {"Min", nx.Min}, {"All", nx.All}, {"Any", nx.Any}, {"ArgMax", nx.ArgMax},
		{"ArgMin", nx.ArgMin}} {
		if kit.Caught(func() { r.f(x) }) != nil {
			continue
		}
		add(r.name, func(in []nx.Tensor) []nx.Tensor {
			return []nx.Tensor{r.f(in[0]), r.f(in[0], nx.Axis("b"), nx.KeepAxes), r.f(in[0], nx.Axis(0))}
		}, x)
		out[len(out)-1].ulps = 8 // the order of additions is open
	}
	if d.IsInteger() {
		add("OneHot", func(in []nx.Tensor) []nx.Tensor { return one(nx.OneHot(in[0], 3, nx.F16)) }, x)
	}
	for _, to := range kit.DTypes {
		unary("Cast to "+to.String(), func(x nx.Tensor) nx.Tensor { return nx.Cast(x, to) })
	}
	return out
}

// numberCases are ops with Go numbers, and functions composed of ops.
func numberCases() []opCase {
	x := nx.New([][]float32{{1, -2}, {0.5, 4}})
	var out []opCase
	add := func(name string, ulps float64, f func(x nx.Tensor) nx.Tensor) {
		out = append(out, opCase{name, func(in []nx.Tensor) []nx.Tensor { return one(f(in[0])) }, []nx.Tensor{x}, ulps})
	}
	add("Add of a number", 0, func(x nx.Tensor) nx.Tensor { return nx.Add(x, 1) })
	add("Mul of a number", 0, func(x nx.Tensor) nx.Tensor { return nx.Mul(0.1, x) })
	add("a complex number", 16, func(x nx.Tensor) nx.Tensor { return nx.Div(x, 1+2i) })
	add("Clip", 0, func(x nx.Tensor) nx.Tensor { return nx.Clip(x, 0, 2.5) })
	add("computed numbers", 0, func(x nx.Tensor) nx.Tensor { return nx.Mul(x, nx.Add(1, 0.5)) })
	add("recipes", 0, func(x nx.Tensor) nx.Tensor {
		return nx.Add(nx.Eye(nx.Shape{2, 2}, nx.F32), nx.Mul(x, nx.Iota(nx.Shape{2}, nx.F32)))
	})
	add("Complex", 0, func(x nx.Tensor) nx.Tensor { return nx.Conj(nx.Complex(x, 2)) })
	add("LogSumExp", 8, func(x nx.Tensor) nx.Tensor { return nx.LogSumExp(x, nx.Axis(-1)) })
	add("Softmax", 8, func(x nx.Tensor) nx.Tensor { return nx.Softmax(x, nx.Axis(0)) })
	add("LogSoftmax", 16, func(x nx.Tensor) nx.Tensor { return nx.LogSoftmax(x) })
	add("Std", 8, func(x nx.Tensor) nx.Tensor { return nx.Std(x, nx.DDOF(1)) })
	add("Einsum", 8, func(x nx.Tensor) nx.Tensor { return nx.Einsum("ij,kj->ki", x, x) })
	add("Outer", 0, func(x nx.Tensor) nx.Tensor { return nx.Outer(x, x) })
	add("Bitcast", 0, func(x nx.Tensor) nx.Tensor { return nx.Bitcast(x, nx.S32) })
	add("AddAt", 0, func(x nx.Tensor) nx.Tensor { return nx.AddAt(x, 1, 0) })
	return out
}

// TestOpsAgree runs every op at once, twice, and compiled, which must give the
// same bits, and by the interpreter from the text of its program.
func TestOpsAgree(t *testing.T) {
	cases := opCases()
	for _, c := range cases {
		want, again := c.f(c.in), c.f(c.in)
		compiled, err := nx.Compile(c.f, nx.Args(c.in))
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		got := compiled.Call(c.in)
		for i, w := range want {
			if !again[i].Spec().Equal(w.Spec()) || !bytes.Equal(nx.Bytes(again[i]), nx.Bytes(w)) {
				t.Errorf("%s: %v, the second time %v", c.name, w, again[i])
			}
			if !got[i].Spec().Equal(w.Spec()) || !bytes.Equal(nx.Bytes(got[i]), nx.Bytes(w)) {
				t.Errorf("%s: at once %v, compiled %v", c.name, w, got[i])
			}
		}
		if testing.Short() {
			continue
		}
		if diff := interpreted(compiled.Text(), c.in, want, c.ulps); diff != "" {
			t.Errorf("%s: %s", c.name, diff)
		}
	}
	t.Logf("%d cases", len(cases))
}

// interpreted runs a program by the interpreter and says how its results differ.
func interpreted(text string, in, want []nx.Tensor, ulps float64) string {
	m, err := stablehlo.Parse("op.mlir", []byte(text))
	if err != nil {
		return err.Error()
	}
	it, err := interp.New(m)
	if err != nil {
		return err.Error()
	}
	var args []interp.Value
	for _, x := range in {
		v, err := interp.NewTensor(typeOf(x), nx.Bytes(x))
		if err != nil {
			return err.Error()
		}
		args = append(args, v)
	}
	results, err := it.Call(context.Background(), "main", args...)
	if err != nil {
		return err.Error()
	}
	for i, w := range want {
		r := results[i].(*interp.Tensor)
		d, b := w.DType(), nx.Bytes(w)
		for j := range w.Size() {
			if g, x := kit.LoadElement(d, r.Data, j), kit.LoadElement(d, b, j); !kit.Alike(d, x, g, ulps) &&
				!zeros(x, g) {
				return fmt.Sprintf("element %d of result %d is %v, the interpreter has %v", j, i, x, g)
			}
		}
	}
	return ""
}

// zeros reports whether both are zero: the sign of one may be open.
func zeros(a, b any) bool { return a == b && slices.Contains([]any{0.0, complex128(0)}, a) }

func typeOf(x nx.Tensor) *stablehlo.TensorType {
	var dims []int64
	for _, d := range x.Shape() {
		dims = append(dims, int64(d))
	}
	return stablehlo.Tensor(x.DType(), dims...)
}
