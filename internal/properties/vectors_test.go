package properties

import (
	"maps"
	"slices"
	"testing"

	"github.com/go-nx/nx/fft"

	"github.com/go-nx/nx"
	"pgregory.net/rapid"
)

// unary are functions of one tensor, of at least two axes where they need them.
var unary = map[string]func(x nx.Tensor) nx.Tensor{
	"Exp": nx.Exp, "Sin": nx.Sin, "Tanh": nx.Tanh, "Sqrt": nx.Sqrt, "Erf": nx.Erf, "Lgamma": nx.Lgamma, "Abs": nx.Abs,
	"Neg": nx.Neg, "Sign": nx.Sign, "Floor": nx.Floor, "Square": nx.Square, "Sigmoid": nx.Sigmoid, "Gelu": nx.Gelu,
	"IsNaN": nx.IsNaN, "LogicalNot": nx.LogicalNot,
	"Cast":        func(x nx.Tensor) nx.Tensor { return nx.Cast(x, nx.S16) },
	"Sum":         func(x nx.Tensor) nx.Tensor { return nx.Sum(x) },
	"Sum of rows": func(x nx.Tensor) nx.Tensor { return nx.Sum(x, nx.Axis(-1), nx.KeepAxes) },
	"Prod":        func(x nx.Tensor) nx.Tensor { return nx.Prod(x, nx.Axis(0)) },
	"Mean":        func(x nx.Tensor) nx.Tensor { return nx.Mean(x, nx.Axis(0)) },
	"Max":         func(x nx.Tensor) nx.Tensor { return nx.Max(x, nx.Axis(1)) },
	"Var":         func(x nx.Tensor) nx.Tensor { return nx.Var(x) },
	"Median":      func(x nx.Tensor) nx.Tensor { return nx.Median(x, nx.Axis(-1)) },
	"ArgMax":      func(x nx.Tensor) nx.Tensor { return nx.ArgMax(x, nx.Axis(0)) },
	"All":         func(x nx.Tensor) nx.Tensor { return nx.All(x, nx.Axis(0)) },
	"LogSumExp":   func(x nx.Tensor) nx.Tensor { return nx.LogSumExp(x, nx.Axis(1)) },
	"Softmax":     func(x nx.Tensor) nx.Tensor { return nx.Softmax(x, nx.Axis(0)) },
	"CumSum":      func(x nx.Tensor) nx.Tensor { return nx.CumSum(x, nx.Axis(1)) },
	"CumMax":      func(x nx.Tensor) nx.Tensor { return nx.CumMax(x, nx.Reversed) },
	"Diff":        func(x nx.Tensor) nx.Tensor { return nx.Diff(x, 1, nx.Axis(0)) },
	"Sort":        func(x nx.Tensor) nx.Tensor { return nx.Sort(x, nx.Axis(0), nx.Descending) },
	"ArgSort":     func(x nx.Tensor) nx.Tensor { return nx.ArgSort(x, nx.Axis(-1)) },
	"TopK":        func(x nx.Tensor) nx.Tensor { v, _ := nx.TopK(x, 1); return v },
	"FFT":         func(x nx.Tensor) nx.Tensor { return fft.FFT(x, nx.Axis(0)) },
	"RFFT":        func(x nx.Tensor) nx.Tensor { return fft.RFFT(x, fft.Length(5)) },
	"Reverse":     func(x nx.Tensor) nx.Tensor { return nx.Reverse(x, nx.Axis(1)) },
	"Roll":        func(x nx.Tensor) nx.Tensor { return nx.Roll(x, 2, nx.Axis(0)) },
	"Transpose":   func(x nx.Tensor) nx.Tensor { return nx.Transpose(x) },
	"Flatten":     func(x nx.Tensor) nx.Tensor { return nx.Flatten(x) },
	"Reshape":     func(x nx.Tensor) nx.Tensor { return nx.Reshape(x, -1, 1) },
	"ExpandAxis":  func(x nx.Tensor) nx.Tensor { return nx.ExpandAxis(x, nx.Axis(1)) },
	"Tile":        func(x nx.Tensor) nx.Tensor { return nx.Tile(x, 2, 1) },
	"Repeat":      func(x nx.Tensor) nx.Tensor { return nx.Repeat(x, 2, nx.Axis(0)) },
	"Pad":         func(x nx.Tensor) nx.Tensor { return nx.Pad(x, 3, [2]int{1, 0}, [2]int{0, 2}) },
	"PadWith":     func(x nx.Tensor) nx.Tensor { return nx.PadWith(x, nx.PadEdge, [2]int{1, 2}, [2]int{0, 1}) },
	"Tril":        func(x nx.Tensor) nx.Tensor { return nx.Tril(x, 0) },
	"At":          func(x nx.Tensor) nx.Tensor { return x.At(nx.From(1), 0) },
	"Take":        func(x nx.Tensor) nx.Tensor { return nx.Take(x, nx.New([]int{1, 0, -1}), nx.Axis(0)) },
	"TakeAlong":   func(x nx.Tensor) nx.Tensor { return nx.TakeAlong(x, nx.ArgSort(x, nx.Axis(0)), nx.Axis(0)) },
	"Gather":      func(x nx.Tensor) nx.Tensor { return nx.Gather(x, nx.New([][]int{{1, 0}, {0, 1}})) },
	"SetAt":       func(x nx.Tensor) nx.Tensor { return nx.SetAt(x, 9, 1) },
	"AddGather": func(x nx.Tensor) nx.Tensor {
		return nx.AddGather(x, nx.New([][]int{{1, 0}, {1, 0}}), nx.Cast(nx.New([]int{3, 4}), x.DType()))
	},
	"SearchSorted": func(x nx.Tensor) nx.Tensor {
		return nx.SearchSorted(nx.Sort(nx.Flatten(x)), x, nx.Right)
	},
	"SegmentSum": func(x nx.Tensor) nx.Tensor {
		return nx.SegmentSum(nx.Transpose(x), nx.Remainder(nx.Iota(nx.Shape{x.Shape()[1]}, nx.S32), 2), 2)
	},
	"WindowSum": func(x nx.Tensor) nx.Tensor { return nx.WindowSum(x, []int{2, 1}, nx.Same()) },
	"WindowMax": func(x nx.Tensor) nx.Tensor { return nx.WindowMax(x, []int{1, 2}, nx.Same(), nx.Strides(1, 2)) },
	"Dot":       func(x nx.Tensor) nx.Tensor { return nx.Dot(x, nx.Transpose(x)) },
	"Einsum":    func(x nx.Tensor) nx.Tensor { return nx.Einsum("ij,ik->jk", x, x) },
	"Conv": func(x nx.Tensor) nx.Tensor {
		s := x.Shape()
		return nx.Conv(nx.Reshape(x, 1, s[0], s[1]), nx.Ones(nx.Shape{2, s[0], 1}, x.DType()))
	},
}

// binary are functions of two tensors that broadcast.
var binary = map[string]func(x, y nx.Tensor) nx.Tensor{
	"Add": nx.Add[nx.Tensor, nx.Tensor], "Sub": nx.Sub[nx.Tensor, nx.Tensor], "Mul": nx.Mul[nx.Tensor, nx.Tensor],
	"Div": nx.Div[nx.Tensor, nx.Tensor], "Maximum": nx.Maximum[nx.Tensor, nx.Tensor],
	"Remainder": nx.Remainder[nx.Tensor, nx.Tensor], "Atan2": nx.Atan2[nx.Tensor, nx.Tensor],
	"Less": nx.Less[nx.Tensor, nx.Tensor], "Equal": nx.Equal[nx.Tensor, nx.Tensor],
	"LogicalXor": nx.LogicalXor[nx.Tensor, nx.Tensor],
	"Where":      func(x, y nx.Tensor) nx.Tensor { return nx.Where(nx.Greater(x, y), x, y) },
}

// same requires the same bits, but for the order of sums in floats.
func same(t *rapid.T, what string, got, want nx.Tensor) {
	t.Helper()
	g, w := nx.Devectorize(got), nx.Devectorize(want)
	g, w = nx.Rename(g, make([]string, g.Rank())...), nx.Rename(w, make([]string, w.Rank())...)
	if g.DType() != w.DType() || !slices.Equal(g.Shape(), w.Shape()) {
		t.Fatalf("%s: %v, want %v", what, g.Spec(), w.Spec())
	}
	if !nx.Item[bool](nx.AllClose(g, w, nx.EqualNaN, nx.Tolerance(1e-5, 1e-5))) {
		t.Fatalf("%s: %v, want %v", what, got, want)
	}
}

// TestVectorised: a function of vectorised tensors is that function of each element.
func TestVectorised(t *testing.T) {
	for _, name := range slices.Sorted(maps.Keys(unary)) {
		t.Run(name, func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) {
				d := dtypeOf(t, []nx.DType{nx.S32, nx.F32})
				v := rapid.IntRange(1, 3).Draw(t, "vectors")
				x := integers(t, d, v, 2, rapid.IntRange(2, 4).Draw(t, "columns"))
				var each []nx.Tensor
				for i := range v {
					each = append(each, unary[name](x.At(i)))
				}
				same(t, "vectorised", unary[name](nx.Vectorize(x, "v")), nx.Vectorize(nx.Stack(each), "v"))
				same(t, "Vmap", nx.Vmap(unary[name])(x), nx.Stack(each))
			})
		})
	}
}

// TestBroadcasting: the laws of broadcasting, with vectorised axes on either side.
func TestBroadcasting(t *testing.T) {
	for _, name := range slices.Sorted(maps.Keys(binary)) {
		f := binary[name]
		t.Run(name, func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) {
				whole := shapeOf(t, 0, 3)
				part := func(name string) nx.Shape { // a shape that broadcasts to the full one
					s := slices.Clone(whole[rapid.IntRange(0, len(whole)).Draw(t, name):])
					for i := range s {
						if rapid.Bool().Draw(t, "one") {
							s[i] = 1
						}
					}
					return s
				}
				d := dtypeOf(t, []nx.DType{nx.S32, nx.F64})
				x, y := integers(t, d, part("x")...), integers(t, d, part("y")...)
				got := f(x, y)
				full := got.Shape()
				same(t, "written out", f(nx.BroadcastTo(x, full...), nx.BroadcastTo(y, full...)), got)
				v, w := integers(t, d, append(nx.Shape{2}, x.Shape()...)...),
					integers(t, d, append(nx.Shape{3}, y.Shape()...)...)
				var rows []nx.Tensor
				for i := range 2 {
					rows = append(rows, f(v.At(i), y))
				}
				same(t, "one side vectorised", f(nx.Vectorize(v, "v"), y), nx.Stack(rows))
				var table []nx.Tensor
				for i := range 2 {
					var row []nx.Tensor
					for j := range 3 {
						row = append(row, f(v.At(i), w.At(j)))
					}
					table = append(table, nx.Stack(row))
				}
				same(t, "both", f(nx.Vectorize(v, "v"), nx.Vectorize(w, "w")), nx.Stack(table))
			})
		})
	}
}
