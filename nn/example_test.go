package nn_test

import (
	"fmt"

	"github.com/go-nx/nx"
	"github.com/go-nx/nx/nn"
	"github.com/go-nx/nx/random"
	"github.com/go-nx/nx/tree"
)

// mlp is a model: a struct of layers.
type mlp struct{ Hidden, Out *nn.Linear }

func (m *mlp) Apply(c *nn.Ctx, x nx.Tensor) nx.Tensor {
	return m.Out.Apply(c, nx.Relu(m.Hidden.Apply(c, x)))
}

// A model is a container: it compiles and differentiates as any other argument.
func Example() {
	key := random.Key(1)
	m := &mlp{nn.NewLinear(random.FoldIn(key, 0), 4, 8), nn.NewLinear(random.FoldIn(key, 1), 8, 2)}
	forward := nx.Jit(func(m *mlp, x nx.Tensor) nx.Tensor { return m.Apply(nil, x) })
	fmt.Println(forward(m, nx.Ones(nx.Shape{3, 4}, nx.F32)).Shape())
	grad := nx.Grad(func(m *mlp) nx.Tensor { return nx.Sum(m.Apply(nil, nx.Ones(nx.Shape{3, 4}, nx.F32))) })(m)
	for path, t := range tree.Leaves(grad) {
		fmt.Println(path, t.Shape())
	}
	// Output:
	// [3][2]
	// Hidden.Weight [8][4]
	// Hidden.Bias [8]
	// Out.Weight [2][8]
	// Out.Bias [2]
}

func ExampleNewLinear() {
	l := nn.NewLinear(random.Key(1), 2, 3, nn.Init(nn.Ones), nn.DType(nx.F64))
	fmt.Println(l.Weight.Shape(), l.Bias.Shape())
	fmt.Println(nx.Data[float64](l.Apply(nil, nx.FromSlice([]float64{1, 2}, nx.Shape{2}))))
	// Output:
	// [3][2] [3]
	// [3 3 3]
}

func ExampleSeq() {
	key := random.Key(1)
	m := nn.Seq{
		nn.NewConv(random.FoldIn(key, 0), 1, 8, []int{3, 3}, nn.Pad(1)),
		nn.NewBatchNorm(8),
		nn.Func(nx.Relu),
		&nn.Dropout{Rate: 0.1},
	}
	fmt.Println(m.Apply(nil, nx.Zeros(nx.Shape{2, 1, 28, 28}, nx.F32)).Shape())
	fmt.Println(nn.StateNames(m)["[0].Weight"])
	// Output:
	// [2][8][28][28]
	// 0.weight
}

// In training a batch norm uses the statistics of the batch, and writes its running averages.
func ExampleBatchNorm() {
	l := nn.NewBatchNorm(2)
	x := nx.FromSlice([]float32{1, 10, 3, 30}, nx.Shape{2, 2})
	y := l.Apply(&nn.Ctx{Train: true}, x)
	fmt.Printf("%.3f\n", nx.Data[float32](y))
	fmt.Printf("%.1f %.1f\n", nx.Data[float32](nx.Tensor(l.RunningMean)), nx.Data[float32](nx.Tensor(l.RunningVar)))
	// In a function that is compiled, the model is returned to keep what was written.
	step := nx.Jit(func(l *nn.BatchNorm, x nx.Tensor) (nx.Tensor, *nn.BatchNorm) {
		return l.Apply(&nn.Ctx{Train: true}, x), l
	})
	_, l = step(l, x)
	fmt.Printf("%.2f\n", nx.Data[float32](nx.Tensor(l.RunningMean)))
	// Output:
	// [-1.000 -1.000 1.000 1.000]
	// [0.2 2.0] [1.1 20.9]
	// [0.38 3.80]
}

// A language model's attention: grouped heads, rotary positions, and a cache for generation.
func ExampleAttention() {
	l := nn.NewAttention(random.Key(1), 16, 4, nn.KVHeads(2), nn.Causal, nn.Rotary(nn.Rope{}), nn.NoBias)
	x := random.Normal(random.Key(2), 0, 1, nx.Shape{1, 5, 16}, nx.F32)
	all := l.Apply(nil, x)
	cache := l.NewCache(1, 8, nx.F32)
	_, cache = l.Step(nil, x.At(nx.Ellipsis, nx.To(4), nx.From(0)), cache)
	last, cache := l.Step(nil, x.At(nx.Ellipsis, nx.From(4), nx.From(0)), cache)
	fmt.Println(all.Shape(), last.Shape(), nx.Item[int32](cache.Length))
	fmt.Println(nx.Item[bool](nx.AllClose(last.At(0, 0), all.At(0, 4), nx.Tolerance(1e-4, 1e-5))))
	// Output:
	// [1][5][16] [1][1][16] 5
	// true
}

// Sequences of several lengths in a batch: the last state is that of the last valid step.
func ExampleLSTM() {
	l := nn.NewLSTM(random.Key(1), 3, 4, nn.BothDirections)
	x := random.Normal(random.Key(2), 0, 1, nx.Shape{2, 5, 3}, nx.F32)
	y, end := l.Run(nil, x, nn.State{}, nx.FromSlice([]int32{5, 2}, nx.Shape{2}))
	fmt.Println(y.Shape(), end.H.Shape(), end.C.Shape())
	fmt.Println(nx.Data[float32](y.At(1, 2))[:3])
	// Output:
	// [2][5][8] [2][2][4] [2][2][4]
	// [0 0 0]
}

// Only the head is trained: gradients are those of one part of the model.
func ExamplePartition() {
	key := random.Key(1)
	m := &mlp{nn.NewLinear(key, 2, 3), nn.NewLinear(key, 3, 1)}
	head, rest := nn.Partition(m, nn.Match(m, "Out"))
	x := nx.Ones(nx.Shape{1, 2}, nx.F32)
	grad := nx.Grad(func(head *mlp) nx.Tensor { return nx.Sum(tree.Combine(head, rest).Apply(nil, x)) })(head)
	for path, t := range tree.Leaves(grad) {
		if !t.IsZero() {
			fmt.Println(path, t.Shape())
		}
	}
	// Output:
	// Out.Weight [1][3]
	// Out.Bias [1]
}

func ExampleMatch() {
	key := random.Key(1)
	m := &struct {
		Stem   *nn.Linear
		Blocks []*mlp
	}{nn.NewLinear(key, 2, 2), []*mlp{{nn.NewLinear(key, 2, 2), nn.NewLinear(key, 2, 2, nn.NoBias)}}}
	chosen := nn.Match(m, "Blocks[*].Hidden", "**.Out.Weight")
	for _, l := range nn.Leaves(m) {
		fmt.Println(l.Path, chosen(l))
	}
	// Output:
	// Stem.Weight false
	// Stem.Bias false
	// Blocks[0].Hidden.Weight true
	// Blocks[0].Hidden.Bias true
	// Blocks[0].Out.Weight true
}

// A rematerialised block computes its intermediate results again when its gradient is taken.
func ExampleRemat() {
	m := &mlp{nn.NewLinear(random.Key(1), 2, 64), nn.NewLinear(random.Key(2), 64, 1)}
	x := nx.Ones(nx.Shape{3, 2}, nx.F32)
	plain := nx.Grad(func(m *mlp) nx.Tensor { return nx.Sum(m.Apply(nil, x)) })(m)
	again := nx.Grad(func(m *mlp) nx.Tensor { return nx.Sum(nn.Remat(nil, m, x)) })(m)
	fmt.Println(nx.Item[bool](nx.AllClose(plain.Hidden.Weight, again.Hidden.Weight)))
	// Output: true
}

// Casting a model to bf16 makes its layers compute in it; buffers and statistics stay f32.
func ExampleCast() {
	m := nn.Seq{nn.NewLinear(random.Key(1), 2, 2), nn.NewBatchNorm(2)}
	half := nn.Cast(m, nx.BF16)
	for _, l := range nn.Leaves(half) {
		fmt.Println(l.Path, l.Tensor.DType())
	}
	fmt.Println(half.Apply(nil, nx.Ones(nx.Shape{1, 2}, nx.F32)).DType())
	// Output:
	// [0].Weight bf16
	// [0].Bias bf16
	// [1].Weight bf16
	// [1].Bias bf16
	// [1].RunningMean f32
	// [1].RunningVar f32
	// bf16
}

// Pools and resizing are functions.
func ExampleMaxPool() {
	x := nx.Reshape(nx.Iota(nx.Shape{16}, nx.F32), 1, 1, 4, 4)
	fmt.Println(nx.Data[float32](nn.MaxPool(x, []int{2, 2})))
	fmt.Println(nx.Data[float32](nn.AvgPool(x, []int{2, 2}, nn.Stride(2))))
	fmt.Println(nn.Resize(x, []int{8, 8}).Shape())
	// Output:
	// [5 7 13 15]
	// [2.5 4.5 10.5 12.5]
	// [1][1][8][8]
}

// A mixture of four experts, two for each position, and what the loss adds so that all experts are used.
func ExampleMoE() {
	key := random.Key(1)
	m := nn.NewMoE(key, 8, 16, 4, 2, nn.Capacity(1.25))
	x := random.Normal(key, 0, 1, nx.Shape{2, 10, 8}, nx.F32)
	c := &nn.Ctx{Train: true}
	fmt.Println(m.Apply(c, x).Shape(), nx.Item[float32](c.AuxLoss()) > 0)
	_, r := m.Route(nil, x)
	fmt.Println(r.Load.Shape(), nx.Item[float32](nx.Sum(r.Load)))
	// Output:
	// [2][10][8] true
	// [4] 1
}
