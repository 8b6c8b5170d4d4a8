package batching_test

import (
	"fmt"
	"testing"

	"github.com/go-nx/nx"
	"github.com/go-nx/nx/random"
)

// A rowFunction computes each row of its result from the same row of x.
type rowFunction struct {
	name string
	f    func(x nx.Tensor) nx.Tensor
}

// weights returns numbers of type t about as large as those of a trained layer.
func weights(seed int, t nx.DType, dims ...int) nx.Tensor {
	x := random.Normal(random.Key(int64(seed)), 0, 1, dims, nx.F32)
	if t == nx.S8 {
		x = nx.Mul(x, 30)
	} else {
		x = nx.Mul(x, 0.2)
	}
	return nx.Cast(x, t)
}

// rowFunctions are functions of rows of width numbers of type t.
func rowFunctions(t nx.DType, width int) []rowFunction {
	last := nx.Axis(-1)
	all := []rowFunction{
		{"chain", func(x nx.Tensor) nx.Tensor { return nx.Add(nx.Mul(x, 1.5), nx.Div(x, 3.7)) }},
		{"exp", nx.Exp},
		{"tanh", nx.Tanh},
		{"gelu", nx.Gelu},
		{"silu", nx.Silu},
		{"functions", func(x nx.Tensor) nx.Tensor {
			return nx.Add(nx.Mul(nx.Sin(x), nx.Erf(x)), nx.Log1p(nx.Exp(nx.Sqrt(nx.Abs(x)))))
		}},
		{"pow", func(x nx.Tensor) nx.Tensor { return nx.Pow(nx.Abs(x), 1.7) }},
		{"atan2", func(x nx.Tensor) nx.Tensor { return nx.Atan2(x, nx.Add(x, 1)) }},
		{"sum", func(x nx.Tensor) nx.Tensor { return nx.Sum(x, last) }},
		{"mean of squares", func(x nx.Tensor) nx.Tensor { return nx.Mean(nx.Mul(x, x), last) }},
		{"variance", func(x nx.Tensor) nx.Tensor { return nx.Var(x, last) }},
		{"product", func(x nx.Tensor) nx.Tensor { return nx.Prod(nx.Add(x, 1), last) }},
		{"logsumexp", func(x nx.Tensor) nx.Tensor { return nx.LogSumExp(x, last) }},
		{"weighted logsumexp", func(x nx.Tensor) nx.Tensor { return nx.WeightedLogSumExp(x, nx.Abs(x), last) }},
		{"softmax", func(x nx.Tensor) nx.Tensor { return nx.Softmax(x) }},
		{"log softmax", func(x nx.Tensor) nx.Tensor { return nx.LogSoftmax(x) }},
		{"layer norm", func(x nx.Tensor) nx.Tensor { return nx.LayerNorm(x, 1e-5) }},
		{"cumulative sum", func(x nx.Tensor) nx.Tensor { return nx.CumSum(x, last) }},
		{"gradient of softmax", func(x nx.Tensor) nx.Tensor {
			return nx.Grad(func(x nx.Tensor) nx.Tensor { return nx.Sum(nx.Mul(nx.Softmax(x), nx.Sin(x))) })(x)
		}},
		{"gradient of layer norm", func(x nx.Tensor) nx.Tensor {
			return nx.Grad(func(x nx.Tensor) nx.Tensor { return nx.Sum(nx.Sin(nx.LayerNorm(x, 1e-5))) })(x)
		}},
		{"transposed sum", func(x nx.Tensor) nx.Tensor { return nx.Sum(nx.Exp(nx.Transpose(x)), nx.Axis(0)) }},
	}
	for _, out := range []int{1, 3, 10, 32, 65} {
		w, b := weights(1, t, width, out), weights(2, t, out)
		wt := nx.Transpose(w)
		all = append(all,
			rowFunction{fmt.Sprintf("dot %d", out), func(x nx.Tensor) nx.Tensor { return nx.Dot(x, w) }},
			rowFunction{fmt.Sprintf("dot %d of transpose", out), func(x nx.Tensor) nx.Tensor {
				return nx.Einsum("bi,oi->bo", x, wt)
			}},
			rowFunction{fmt.Sprintf("transpose by dot %d", out), func(x nx.Tensor) nx.Tensor {
				return nx.Einsum("oi,bi->bo", wt, x)
			}},
			rowFunction{fmt.Sprintf("dense softmax %d", out), func(x nx.Tensor) nx.Tensor {
				return nx.Softmax(nx.Add(nx.Dot(x, w), b))
			}},
			rowFunction{fmt.Sprintf("dense relu %d", out), func(x nx.Tensor) nx.Tensor {
				return nx.Max(nx.Stack([]nx.Tensor{nx.Add(nx.Dot(x, w), b), nx.Mul(nx.Dot(x, w), 0.5)}), nx.Axis(0))
			}},
			rowFunction{fmt.Sprintf("prologue %d", out), func(x nx.Tensor) nx.Tensor { return nx.Dot(nx.Tanh(x), w) }},
			rowFunction{fmt.Sprintf("norm dense %d", out), func(x nx.Tensor) nx.Tensor {
				return nx.LayerNorm(nx.Dot(nx.LayerNorm(x, 1e-5), w), 1e-5)
			}},
		)
	}
	hidden, logits := weights(3, t, width, 48), weights(4, t, 48, 10)
	wq, wk, wv := weights(5, t, width, 16), weights(6, t, width, 16), weights(7, t, width, 16)
	kernel := weights(8, t, 3, 1, 5)
	image := weights(9, t, 4, 3, 3, 3)
	all = append(all,
		rowFunction{"mlp", func(x nx.Tensor) nx.Tensor {
			return nx.Softmax(nx.Dot(nx.Tanh(nx.Dot(x, hidden)), logits))
		}},
		rowFunction{"mlp gradient", func(x nx.Tensor) nx.Tensor {
			return nx.Grad(func(x nx.Tensor) nx.Tensor {
				return nx.Sum(nx.LogSumExp(nx.Dot(nx.Gelu(nx.Dot(x, hidden)), logits), last))
			})(x)
		}},
		rowFunction{"attention", func(x nx.Tensor) nx.Tensor {
			s := nx.Mul(nx.Reshape(x, x.Shape()[0], 1, width), nx.Reshape(nx.Add(nx.Iota(nx.Shape{7}, t), 1), 7, 1))
			q, k, v := nx.Dot(s, wq), nx.Dot(s, wk), nx.Dot(s, wv)
			p := nx.Softmax(nx.Einsum("bqd,bkd->bqk", q, k))
			return nx.Einsum("bqk,bkd->bqd", p, v)
		}},
		rowFunction{"conv", func(x nx.Tensor) nx.Tensor {
			return nx.Conv(nx.Reshape(x, x.Shape()[0], 1, width), kernel, nx.Same())
		}},
		rowFunction{"conv 2d", func(x nx.Tensor) nx.Tensor {
			lines := nx.Reshape(nx.Add(nx.Iota(nx.Shape{12}, t), 1), 3, 4, 1)
			s := nx.Mul(nx.Reshape(x, x.Shape()[0], 1, 1, width), lines)
			return nx.Tanh(nx.Conv(s, image, nx.Same()))
		}},
		rowFunction{"outer dot", func(x nx.Tensor) nx.Tensor { return nx.Einsum("bi,bj->bij", x, x) }},
		rowFunction{"row dot", func(x nx.Tensor) nx.Tensor { return nx.Einsum("bi,bi->b", x, nx.Sin(x)) }},
		rowFunction{"vmap dense", nx.Vmap(func(x nx.Tensor) nx.Tensor { return nx.Softmax(nx.Dot(x, hidden)) })},
		rowFunction{"scan", func(x nx.Tensor) nx.Tensor {
			c, _ := nx.Scan(nx.Zeros(nx.Shape{x.Shape()[0], 16}, t), nx.Zeros(nx.Shape{3}, t),
				func(c, _ nx.Tensor) (nx.Tensor, nx.Tensor) {
					c = nx.Tanh(nx.Add(nx.Dot(x, wq), nx.Mul(c, 0.5)))
					return c, nx.Sum(c)
				})
			return c
		}},
	)
	return all
}

// TestBatchInvariant: a row's result has the same bits whatever number of rows is beside it, and wherever among them
// it is.
func TestBatchInvariant(t *testing.T) {
	for _, c := range []struct {
		dtype  nx.DType
		widths []int
	}{{nx.F32, []int{3, 8, 17, 100, 257}}, {nx.F64, []int{3, 17, 257}}, {nx.BF16, []int{17, 257}}} {
		for _, width := range c.widths {
			for _, row := range rowFunctions(c.dtype, width) {
				t.Run(fmt.Sprintf("%s/%s/%d", row.name, c.dtype, width), func(t *testing.T) {
					checkRows(t, row.f, weights(10, c.dtype, 100, width))
				})
			}
		}
	}
	w := weights(1, nx.S8, 100, 10)
	t.Run("dot/s8", func(t *testing.T) {
		checkRows(t, func(x nx.Tensor) nx.Tensor { return nx.Dot(x, w) }, weights(2, nx.S8, 100, 100))
	})
}

// checkRows compares the results of some of the rows of x, compiled for their number, with those of all.
func checkRows(t *testing.T, f func(x nx.Tensor) nx.Tensor, x nx.Tensor) {
	rows := x.Shape()[0]
	want := nx.Jit(f)(x)
	sizes := []int{1, 2, 5, 8, 17, 33, 64}
	if testing.Short() {
		sizes = []int{1, 5, 33}
	}
	for i, n := range sizes {
		from := i % 2 * (rows - n)
		some := nx.Range(from, from+n)
		if differ := rowsThatDiffer(nx.Jit(f)(x.At(some)), want.At(some)); differ > 0 {
			t.Errorf("rows %d to %d: %d of %d differ", from, from+n, differ, n)
		}
	}
}

// TestMeansOfPositions: the mean over the positions of a sequence has the same bits whatever number of sequences is
// beside it, also where many positions are summed in blocks.
func TestMeansOfPositions(t *testing.T) {
	for _, size := range [][2]int{{196, 20}, {128, 768}, {1000, 64}, {300, 3}} {
		t.Run(fmt.Sprint(size), func(t *testing.T) {
			x := weights(1, nx.F32, 33, size[0], size[1])
			mean := func(x nx.Tensor) nx.Tensor { return nx.Mean(nx.Exp(x), nx.Axis(1)) }
			all := nx.Jit(mean)(x)
			for _, n := range []int{1, 2, 5} {
				some := nx.Range(33-n, 33)
				if differ := rowsThatDiffer(nx.Jit(mean)(x.At(some)), all.At(some)); differ > 0 {
					t.Errorf("%d of %d differ", differ, n)
				}
			}
		})
	}
}

// rowsThatDiffer returns how many rows of x have other bits than those of y.
func rowsThatDiffer(x, y nx.Tensor) int {
	n := x.Shape()[0]
	if bits, ok := map[nx.DType]nx.DType{nx.F32: nx.U32, nx.F64: nx.U64, nx.BF16: nx.U16}[x.DType()]; ok {
		x, y = nx.Bitcast(x, bits), nx.Bitcast(y, bits)
	}
	same := nx.All(nx.Reshape(nx.Equal(x, y), n, -1), nx.Axis(1))
	return n - int(nx.Item[int64](nx.Sum(nx.Cast(same, nx.S64))))
}
