package nn_test

import (
	"testing"

	"github.com/go-nx/nx"
	"github.com/go-nx/nx/nn"
	"github.com/go-nx/nx/nxtest"
	"github.com/go-nx/nx/random"
)

// functionCase is a function without parameters and the shape of an argument.
type functionCase struct {
	name  string
	f     func(x nx.Tensor) nx.Tensor
	shape nx.Shape
}

var functionCases = []functionCase{
	{"Relu6", nn.Relu6, nx.Shape{4, 3}},
	{"HardTanh", func(x nx.Tensor) nx.Tensor { return nn.HardTanh(x, -1, 0.5) }, nx.Shape{4, 3}},
	{"LeakyRelu", func(x nx.Tensor) nx.Tensor { return nn.LeakyRelu(x, 0.01) }, nx.Shape{4, 3}},
	{"Elu", func(x nx.Tensor) nx.Tensor { return nn.Elu(x, 1.5) }, nx.Shape{4, 3}},
	{"Celu", func(x nx.Tensor) nx.Tensor { return nn.Celu(x, 1.5) }, nx.Shape{4, 3}},
	{"Selu", nn.Selu, nx.Shape{4, 3}},
	{"HardSigmoid", nn.HardSigmoid, nx.Shape{4, 3}},
	{"HardSwish", nn.HardSwish, nx.Shape{4, 3}},
	{"Mish", nn.Mish, nx.Shape{4, 3}},
	{"SoftSign", nn.SoftSign, nx.Shape{4, 3}},
	{"LogSigmoid", nn.LogSigmoid, nx.Shape{4, 3}},
	{"QuickGelu", nn.QuickGelu, nx.Shape{4, 3}},
	{"TanhShrink", nn.TanhShrink, nx.Shape{4, 3}},
	{"HardShrink", func(x nx.Tensor) nx.Tensor { return nn.HardShrink(x, 0.5) }, nx.Shape{4, 3}},
	{"SoftShrink", func(x nx.Tensor) nx.Tensor { return nn.SoftShrink(x, 0.5) }, nx.Shape{4, 3}},
	{"Threshold", func(x nx.Tensor) nx.Tensor { return nn.Threshold(x, 0.1, 2) }, nx.Shape{4, 3}},
	{"Softmin", func(x nx.Tensor) nx.Tensor { return nn.Softmin(x) }, nx.Shape{4, 3}},
	{"Sparsemax", nn.Sparsemax, nx.Shape{4, 3}},
	{"Glu", func(x nx.Tensor) nx.Tensor { return nn.Glu(x, -1) }, nx.Shape{4, 6}},
	{"SwiGlu", func(x nx.Tensor) nx.Tensor { return nn.SwiGlu(x, 1) }, nx.Shape{4, 6, 2}},
	{"GeGlu", func(x nx.Tensor) nx.Tensor { return nn.GeGlu(x, -1) }, nx.Shape{4, 6}},
	{"LocalResponseNorm", func(x nx.Tensor) nx.Tensor { return nn.LocalResponseNorm(x, 3, 1e-1, 0.75, 2) },
		nx.Shape{2, 5, 2, 2}},
	{"Normalize 1", func(x nx.Tensor) nx.Tensor { return nn.Normalize(x, 1, 1e-12, -1) }, nx.Shape{4, 3}},
	{"Normalize 2", func(x nx.Tensor) nx.Tensor { return nn.Normalize(x, 2, 1e-12, 1) }, nx.Shape{4, 3}},
	{"Normalize 3", func(x nx.Tensor) nx.Tensor { return nn.Normalize(x, 3, 1e-12, 1) }, nx.Shape{4, 3}},
	{"MaxPool", func(x nx.Tensor) nx.Tensor {
		return nn.MaxPool(x, []int{2, 3}, nn.Stride(2, 1), nn.Pad(1), nn.CeilSize)
	},
		nx.Shape{2, 3, 5, 4}},
	{"MaxPoolIndices", func(x nx.Tensor) nx.Tensor {
		y, _ := nn.MaxPoolIndices(x, []int{2, 2})
		return y
	}, nx.Shape{2, 3, 4, 4}},
	{"AvgPool", func(x nx.Tensor) nx.Tensor { return nn.AvgPool(x, []int{3}, nn.Pad(1), nn.ExcludePad) },
		nx.Shape{2, 3, 5}},
	{"LpPool", func(x nx.Tensor) nx.Tensor { return nn.LpPool(nx.Add(nx.Abs(x), 0.1), 3, []int{2}) },
		nx.Shape{2, 3, 4}},
	{"AdaptiveAvgPool", func(x nx.Tensor) nx.Tensor { return nn.AdaptiveAvgPool(x, []int{3, 2}) },
		nx.Shape{2, 2, 5, 4}},
	{"AdaptiveMaxPool", func(x nx.Tensor) nx.Tensor { return nn.AdaptiveMaxPool(x, []int{3}) }, nx.Shape{2, 2, 5}},
	{"Unfold", func(x nx.Tensor) nx.Tensor { return nn.Unfold(x, []int{2, 2}, nn.Pad(1)) }, nx.Shape{2, 2, 3, 3}},
	{"Fold", func(x nx.Tensor) nx.Tensor { return nn.Fold(x, []int{4, 4}, []int{2, 2}) }, nx.Shape{2, 8, 9}},
	{"Resize nearest", func(x nx.Tensor) nx.Tensor { return nn.Resize(x, []int{5, 3}) }, nx.Shape{2, 2, 3, 4}},
	{"PixelShuffle", func(x nx.Tensor) nx.Tensor { return nn.PixelShuffle(x, 2) }, nx.Shape{2, 4, 2, 3}},
	{"PixelUnshuffle", func(x nx.Tensor) nx.Tensor { return nn.PixelUnshuffle(x, 2) }, nx.Shape{2, 1, 4, 6}},
	{"ChannelShuffle", func(x nx.Tensor) nx.Tensor { return nn.ChannelShuffle(x, 2) }, nx.Shape{2, 4, 3}},
	{"Attend", func(x nx.Tensor) nx.Tensor { return nn.Attend(x, x, x, nn.Causal) }, nx.Shape{2, 2, 3, 4}},
	{"Attend with ALiBi", func(x nx.Tensor) nx.Tensor {
		return nn.Attend(x, x, x, nn.Bias(nn.Alibi(2, 3, 3, nx.F64)), nn.Scale(0.3))
	}, nx.Shape{2, 2, 3, 4}},
	{"Rope", func(x nx.Tensor) nx.Tensor { return nn.Rope{}.Apply(x, nx.Iota(nx.Shape{3}, nx.S32)) },
		nx.Shape{2, 2, 3, 4}},
	{"Rope of neighbours", func(x nx.Tensor) nx.Tensor {
		return nn.Rope{Dim: 2, Interleaved: true}.Apply(x, nx.Iota(nx.Shape{3}, nx.S32))
	}, nx.Shape{2, 2, 3, 4}},
}

// Every function gives the same compiled, batched and scanned, and has the derivative of its difference quotients.
func TestFunctions(t *testing.T) {
	for _, c := range functionCases {
		t.Run(c.name, func(t *testing.T) {
			draw := func(seed int64) nx.Tensor { return random.Normal(random.Key(seed), 0, 2, c.shape, nx.F64) }
			x, y := draw(1), draw(2)
			want := c.f(x)
			close(t, "Jit", nx.Jit(c.f)(x), want)
			both := nx.Stack([]nx.Tensor{x, y})
			close(t, "Vmap", nx.Vmap(c.f)(both).At(0), want)
			close(t, "Vmap", nx.Vmap(c.f)(both).At(1), c.f(y))
			_, scanned := nx.Scan(nx.Zeros(nx.Shape{}, nx.F32), both, func(s, x nx.Tensor) (nx.Tensor, nx.Tensor) {
				return s, c.f(x)
			})
			close(t, "Scan", scanned.At(1), c.f(y))
			nxtest.AssertGradient(t, c.f, x)
			sum := func(f func(x nx.Tensor) nx.Tensor) func(x nx.Tensor) nx.Tensor {
				return nx.Grad(func(x nx.Tensor) nx.Tensor { return nx.Sum(nx.Square(f(x))) })
			}
			close(t, "gradient of Checkpoint", sum(nx.Checkpoint(c.f))(x), sum(c.f)(x))
			if none := c.f(x.At(nx.To(0))); none.Shape()[0] != 0 || none.Rank() != want.Rank() {
				t.Errorf("no rows become %v", none.Shape())
			}
			half := c.f(nx.Cast(x, nx.BF16))
			if half.DType() != nx.BF16 {
				t.Errorf("bf16 becomes %s", half.DType())
			}
		})
	}
}
