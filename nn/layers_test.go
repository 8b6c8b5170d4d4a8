package nn_test

import (
	"fmt"
	"testing"

	"github.com/go-nx/nx"
	"github.com/go-nx/nx/nn"
	"github.com/go-nx/nx/nxtest"
	"github.com/go-nx/nx/random"
	"github.com/go-nx/nx/tree"
)

// spectral is a layer by a normalised weight.
type spectral struct{ Weight *nn.Spectral }

func (l *spectral) Apply(c *nn.Ctx, x nx.Tensor) nx.Tensor {
	return nx.Dot(x, nx.Transpose(l.Weight.Weight(c)))
}

// directed is a layer by a weight of direction and norm.
type directed struct{ Weight *nn.WeightNorm }

func (l *directed) Apply(_ *nn.Ctx, x nx.Tensor) nx.Tensor {
	return nx.Dot(x, nx.Transpose(l.Weight.Weight()))
}

// bilinear is a bilinear layer of an argument with itself.
type bilinear struct{ Layer *nn.Bilinear }

func (l *bilinear) Apply(c *nn.Ctx, x nx.Tensor) nx.Tensor { return l.Layer.Apply2(c, x, x) }

// layerCase is a layer in f64 and the shape of an argument.
type layerCase struct {
	name  string
	make  func(key nx.Tensor) nn.Layer
	shape nx.Shape
	ids   bool // the argument has integers
}

var layerCases = []layerCase{
	{"Linear", func(k nx.Tensor) nn.Layer { return nn.NewLinear(k, 3, 4) }, nx.Shape{5, 3}, false},
	{"Linear without bias", func(k nx.Tensor) nn.Layer { return nn.NewLinear(k, 3, 4, nn.NoBias) }, nx.Shape{2, 5, 3},
		false},
	{"Bilinear", func(k nx.Tensor) nn.Layer { return &bilinear{nn.NewBilinear(k, 3, 3, 2)} }, nx.Shape{4, 3}, false},
	{"Conv 1", func(k nx.Tensor) nn.Layer { return nn.NewConv(k, 2, 4, []int{3}, nn.Pad(1), nn.Stride(2)) },
		nx.Shape{2, 2, 7}, false},
	{"Conv 2", func(k nx.Tensor) nn.Layer {
		return nn.NewConv(k, 4, 4, []int{3, 2}, nn.Groups(2), nn.SamePadding, nn.Dilation(2, 1))
	}, nx.Shape{2, 4, 5, 4}, false},
	{"Conv reflecting", func(k nx.Tensor) nn.Layer {
		return nn.NewConv(k, 1, 2, []int{3, 3}, nn.Pad(1), nn.PadMode(nx.PadReflect))
	}, nx.Shape{2, 1, 4, 4}, false},
	{"Conv 3", func(k nx.Tensor) nn.Layer { return nn.NewConv(k, 1, 2, []int{2, 2, 2}) },
		nx.Shape{1, 1, 3, 3, 3}, false},
	{"ConvTranspose", func(k nx.Tensor) nn.Layer {
		return nn.NewConvTranspose(k, 4, 2, []int{3, 3}, nn.Stride(2), nn.Pad(1), nn.OutputPad(1), nn.Groups(2))
	}, nx.Shape{2, 4, 3, 3}, false},
	{"Embedding", func(k nx.Tensor) nn.Layer { return nn.NewEmbedding(k, 6, 3) }, nx.Shape{2, 4}, true},
	{"Embedding with padding", func(k nx.Tensor) nn.Layer { return nn.NewEmbedding(k, 6, 3, nn.PaddingRow(5)) },
		nx.Shape{4}, true},
	{"PRelu", func(nx.Tensor) nn.Layer { return nn.NewPRelu(3) }, nx.Shape{4, 3, 2}, false},
	{"LayerNorm", func(nx.Tensor) nn.Layer { return nn.NewLayerNorm(nx.Shape{3, 2}) }, nx.Shape{4, 3, 2}, false},
	{"RMSNorm", func(nx.Tensor) nn.Layer { return nn.NewRMSNorm(nx.Shape{5}, nn.Shift) }, nx.Shape{4, 5}, false},
	{"GroupNorm", func(nx.Tensor) nn.Layer { return nn.NewGroupNorm(2, 4) }, nx.Shape{2, 4, 3}, false},
	{"InstanceNorm", func(nx.Tensor) nn.Layer { return nn.NewInstanceNorm(3, nn.Statistics) },
		nx.Shape{2, 3, 4}, false},
	{"BatchNorm", func(nx.Tensor) nn.Layer { return nn.NewBatchNorm(3) }, nx.Shape{4, 3, 2}, false},
	{"BatchNorm without statistics", func(nx.Tensor) nn.Layer { return nn.NewBatchNorm(3, nn.NoStatistics) },
		nx.Shape{4, 3}, false},
	{"Spectral", func(k nx.Tensor) nn.Layer {
		return &spectral{nn.NewSpectral(k, random.Normal(k, 0, 1, nx.Shape{4, 3}, nx.F64))}
	}, nx.Shape{2, 3}, false},
	{"WeightNorm", func(k nx.Tensor) nn.Layer {
		return &directed{nn.NewWeightNorm(random.Normal(k, 0, 1, nx.Shape{4, 3}, nx.F64))}
	}, nx.Shape{2, 3}, false},
	{"Dropout", func(nx.Tensor) nn.Layer { return &nn.Dropout{Rate: 0.4} }, nx.Shape{4, 3}, false},
	{"Dropout of channels", func(nx.Tensor) nn.Layer { return &nn.Dropout{Rate: 0.4, Channels: true} },
		nx.Shape{4, 3, 2}, false},
	{"AlphaDropout", func(nx.Tensor) nn.Layer { return &nn.AlphaDropout{Rate: 0.4} }, nx.Shape{4, 3}, false},
	{"GaussianNoise", func(nx.Tensor) nn.Layer { return &nn.GaussianNoise{Deviation: 0.4} }, nx.Shape{4, 3}, false},
	{"Attention", func(k nx.Tensor) nn.Layer {
		return nn.NewAttention(k, 8, 4, nn.KVHeads(2), nn.Window(2), nn.Rotary(nn.Rope{}), nn.DropRate(0.2))
	}, nx.Shape{2, 4, 8}, false},
	{"MultiheadAttention", func(k nx.Tensor) nn.Layer {
		return nn.NewMultiheadAttention(k, 4, 2, nn.BiasKV, nn.ZeroKV, nn.DropRate(0.2))
	}, nx.Shape{2, 3, 4}, false},
	{"TransformerEncoderLayer", func(k nx.Tensor) nn.Layer {
		return nn.NewTransformerEncoderLayer(k, 4, 2, 6, nn.NormFirst, nn.Activation(nx.Gelu), nn.DropRate(0.2))
	}, nx.Shape{2, 3, 4}, false},
	{"LSTM", func(k nx.Tensor) nn.Layer {
		return nn.NewLSTM(k, 3, 4, nn.Layers(2), nn.BothDirections, nn.Projection(2), nn.DropRate(0.3))
	}, nx.Shape{2, 4, 3}, false},
	{"GRU", func(k nx.Tensor) nn.Layer { return nn.NewGRU(k, 3, 2, nn.Layers(2), nn.DropRate(0.3)) }, nx.Shape{2, 4, 3},
		false},
	{"RNN", func(k nx.Tensor) nn.Layer { return nn.NewRNN(k, 3, 2, nn.BothDirections) }, nx.Shape{2, 4, 3}, false},
	{"MoE", func(k nx.Tensor) nn.Layer { return nn.NewMoE(k, 3, 4, 4, 2, nn.Jitter(0.01)) }, nx.Shape{2, 5, 3}, false},
	{"MoE with capacity", func(k nx.Tensor) nn.Layer { return nn.NewMoE(k, 3, 2, 3, 1, nn.Capacity(0.8)) },
		nx.Shape{7, 3}, false},
	{"Seq", func(k nx.Tensor) nn.Layer {
		return nn.Seq{nn.NewLinear(k, 3, 4), nn.Func(nx.Tanh), nn.NewBatchNorm(4), &nn.Dropout{Rate: 0.5}}
	}, nx.Shape{4, 3}, false},
	{"Residual", func(k nx.Tensor) nn.Layer {
		return &nn.Residual{Layer: nn.Seq{nn.NewBatchNorm(3), &nn.Dropout{Rate: 0.5}, nn.NewLinear(k, 3, 3)}}
	}, nx.Shape{4, 3}, false},
}

// box is a layer and its argument: a container.
type box struct {
	Layer  nn.Layer
	X, Key nx.Tensor
}

// result is what a layer gives, and what it writes.
type result struct {
	Y     nx.Tensor
	Layer nn.Layer
}

func (c layerCase) box(seed int64) box {
	key := random.Key(seed)
	f64 := func(t nx.Tensor) nx.Tensor {
		if t.DType().IsFloat() {
			return nx.Cast(t, nx.F64)
		}
		return t
	}
	b := box{Layer: tree.Map(f64, c.make(random.FoldIn(key, 1))), Key: random.FoldIn(key, 2)}
	if c.ids {
		b.X = random.RandInt(random.FoldIn(key, 3), 0, 6, c.shape, nx.S32)
	} else {
		b.X = random.Normal(random.FoldIn(key, 3), 0, 1, c.shape, nx.F64)
	}
	return b
}

// apply applies a layer in training; the layer of the result is a copy where it has tensors.
func apply(b box) result {
	b = tree.Map(func(t nx.Tensor) nx.Tensor { return t }, b)
	y := b.Layer.Apply(&nn.Ctx{Train: true, Key: b.Key, Model: b.Layer}, b.X)
	return result{y, b.Layer}
}

// evaluate applies a layer in inference.
func evaluate(b box) nx.Tensor { return b.Layer.Apply(nil, b.X) }

func close(t *testing.T, what string, got, want any) {
	t.Helper()
	leaves := map[string]nx.Tensor{}
	for path, x := range tree.Leaves(got) {
		leaves[path] = x
	}
	for path, w := range tree.Leaves(want) {
		g, ok := leaves[path]
		if !ok {
			t.Errorf("%s: %s is absent", what, path)
			continue
		}
		nxtest.AssertAllClose(t, g, w, nx.Tolerance(1e-10, 1e-11))
		if t.Failed() {
			t.Fatalf("%s: %s differs", what, path)
		}
	}
}

func stack[P any](a, b P) P {
	return tree.Map2(func(x, y nx.Tensor) nx.Tensor { return nx.Stack([]nx.Tensor{x, y}) }, a, b)
}

func at[P any](p P, i int) P { return tree.Map(func(x nx.Tensor) nx.Tensor { return x.At(i) }, p) }

// Every layer gives the same compiled, batched and scanned with the layer as an argument, in training and inference.
func TestLayers(t *testing.T) {
	for _, c := range layerCases {
		t.Run(c.name, func(t *testing.T) {
			a, b := c.box(1), c.box(2)
			// Layers with equal configuration: their tensors differ.
			b.Layer = tree.Map2(func(_, y nx.Tensor) nx.Tensor { return y }, a.Layer, b.Layer)
			one, two := apply(a), apply(b)
			close(t, "again", apply(a), one)
			close(t, "Jit", nx.Jit(apply)(a), one)
			close(t, "inference", nx.Jit(evaluate)(a), evaluate(a))
			both := stack(a, b)
			mapped := nx.Vmap(apply)(both)
			close(t, "Vmap", at(mapped, 0), one)
			close(t, "Vmap", at(mapped, 1), two)
			_, scanned := nx.Scan(nx.Zeros(nx.Shape{}, nx.F32), both, func(s nx.Tensor, b box) (nx.Tensor, result) {
				return s, apply(b)
			})
			close(t, "Scan", at(scanned, 0), one)
			close(t, "Scan", at(scanned, 1), two)
			close(t, "Checkpoint", nx.Checkpoint(apply)(a), one)
		})
	}
}

func TestLayerGradients(t *testing.T) {
	for _, c := range layerCases {
		t.Run(c.name, func(t *testing.T) {
			a := c.box(1)
			p, rest := nn.Partition(a, nn.Trainable)
			rest.Key = a.Key
			p.Key = nx.Tensor{}
			if c.name != "Embedding with padding" { // whose gradient is not that of the result
				nxtest.AssertGradient(t, func(p box) nx.Tensor { return apply(tree.Combine(p, rest)).Y }, p)
				nxtest.AssertGradient(t, func(p box) nx.Tensor { return evaluate(tree.Combine(p, rest)) }, p)
			}
			loss := func(f func(b box) result) func(p box) nx.Tensor {
				return func(p box) nx.Tensor { return nx.Sum(nx.Square(f(tree.Combine(p, rest)).Y)) }
			}
			close(t, "gradient of Checkpoint", nx.Grad(loss(func(b box) result { return nx.Checkpoint(apply)(b) }))(p),
				nx.Grad(loss(apply))(p))
		})
	}
}

// Remat of a block is the block: its results, gradients, buffers and random numbers.
func TestRemat(t *testing.T) {
	key := random.Key(1)
	m := nn.Cast(&remat{nn.NewBatchNorm(3), nn.Dropout{Rate: 0.5}, nn.NewLinear(key, 3, 3)}, nx.F64)
	x := random.Normal(key, 0, 1, nx.Shape{4, 3}, nx.F64)
	type out struct {
		Y     nx.Tensor
		Model *remat
	}
	run := func(f func(c *nn.Ctx, m *remat, x nx.Tensor) nx.Tensor) func(m *remat) out {
		return func(m *remat) out {
			c := &nn.Ctx{Train: true, Key: key, Model: m}
			y := f(c, m, x)
			return out{nx.Add(y, f(c, m, y)), m}
		}
	}
	// The keys of a rematerialised layer are drawn from one of its own.
	plain := run(func(c *nn.Ctx, m *remat, x nx.Tensor) nx.Tensor {
		inner := &nn.Ctx{Train: true, Key: c.NextKey(), Model: m}
		return m.Apply(inner, x)
	})
	saved := run(func(c *nn.Ctx, m *remat, x nx.Tensor) nx.Tensor { return nn.Remat(c, m, x) })
	close(t, "Jit", nx.Jit(saved)(m), nx.Jit(plain)(m))
	grad := func(f func(m *remat) out) any {
		return nx.Jit(func(m *remat) (nx.Tensor, out, *remat) {
			p, rest := nn.Partition(m, nn.Trainable)
			return nx.ValueAndGradAux(func(p *remat) (nx.Tensor, out) {
				o := f(tree.Combine(p, rest))
				return nx.Sum(nx.Square(o.Y)), o
			})(p)
		})
	}
	type results struct {
		Loss nx.Tensor
		Out  out
		Grad *remat
	}
	get := func(f any) (r results) {
		r.Loss, r.Out, r.Grad = f.(func(m *remat) (nx.Tensor, out, *remat))(m)
		return r
	}
	close(t, "Grad", get(grad(saved)), get(grad(plain)))
	if nx.Item[float32](nx.Sum(nx.Abs(nx.Tensor(nx.Jit(saved)(m).Model.Norm.RunningMean)))) == 0 {
		t.Error("the running mean was not written")
	}
}

type remat struct {
	Norm *nn.BatchNorm
	Drop nn.Dropout
	Out  *nn.Linear
}

func (m *remat) Apply(c *nn.Ctx, x nx.Tensor) nx.Tensor {
	return nx.Tanh(m.Out.Apply(c, m.Drop.Apply(c, m.Norm.Apply(c, x))))
}

// A batch without rows gives results without rows.
func TestNoRows(t *testing.T) {
	for _, c := range layerCases {
		t.Run(c.name, func(t *testing.T) {
			b := c.box(1)
			want := evaluate(b).Shape()
			b.X = b.X.At(nx.To(0))
			got := nx.Jit(evaluate)(b)
			if fmt.Sprint(got.Shape()[1:]) != fmt.Sprint(want[1:]) || got.Shape()[0] != 0 {
				t.Errorf("the result is %v, with rows %v", got.Shape(), want)
			}
		})
	}
}

// Weights of bf16 compute in it, but statistics and scores in f32.
func TestHalf(t *testing.T) {
	for _, c := range layerCases {
		t.Run(c.name, func(t *testing.T) {
			b := c.box(1)
			wide := evaluate(b)
			f := func(x nx.Tensor) nx.Tensor {
				if x.DType() == nx.F64 {
					return nx.Cast(x, nx.F32)
				}
				return x
			}
			b = tree.Map(f, b)
			b.Layer = nn.Cast(b.Layer, nx.BF16)
			for _, x := range []nx.Tensor{b.X, nx.Cast(b.X, nx.BF16)} {
				if c.ids {
					x = b.X
				}
				y := b.Layer.Apply(nil, x)
				params := 0
				for _, l := range nn.Leaves(b.Layer) {
					if nn.Trainable(l) {
						params++
					}
				}
				if x.DType() == nx.BF16 && y.DType() != nx.BF16 {
					t.Errorf("the result of bf16 is %s", y.DType())
				}
				nxtest.AssertAllClose(t, nx.Cast(y, nx.F64), wide, nx.Tolerance(0.05, 0.08))
			}
		})
	}
}
