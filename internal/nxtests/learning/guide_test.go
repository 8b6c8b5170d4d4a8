// Package learning_test has the code of docs/learning.md.
package learning_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"

	"github.com/go-nx/nx"
	"github.com/go-nx/nx/data"
	"github.com/go-nx/nx/nn"
	"github.com/go-nx/nx/nn/loss"
	"github.com/go-nx/nx/optim"
	"github.com/go-nx/nx/random"
	"github.com/go-nx/nx/train"
	"github.com/go-nx/nx/tree"
)

type classifier struct {
	Hidden *nn.Linear
	Norm   *nn.BatchNorm
	Drop   *nn.Dropout
	Out    *nn.Linear
}

func newClassifier(key nx.Tensor) classifier {
	k := random.Split(key, 2)
	return classifier{nn.NewLinear(k.At(0), 2, 64), nn.NewBatchNorm(64), &nn.Dropout{Rate: 0.1},
		nn.NewLinear(k.At(1), 64, 3)}
}

func (m *classifier) Apply(c *nn.Ctx, x nx.Tensor) nx.Tensor {
	h := nx.Relu(m.Norm.Apply(c, m.Hidden.Apply(c, x)))
	return m.Out.Apply(c, m.Drop.Apply(c, h))
}

type batch struct{ X, Y nx.Tensor }

type sums struct{ Right, N nx.Tensor }

func classify(m *classifier, c *nn.Ctx, b batch) (nx.Tensor, sums) {
	logits := m.Apply(c, b.X)
	right := nx.Equal(nx.ArgMax(logits, nx.Axis(-1)), b.Y)
	return nx.Mean(loss.CrossEntropy(logits, b.Y)), sums{
		Right: nx.Sum(nx.Cast(right, nx.F32)),
		N:     nx.Full(nx.Shape{}, b.Y.Shape()[0], nx.F32),
	}
}

// spirals are points on three arms, with their numbers.
func spirals(n int) batch {
	y := random.RandInt(random.Key(7), 0, 3, nx.Shape{n}, nx.S32)
	r := random.Uniform(random.Key(8), 0.1, 1, nx.Shape{n}, nx.F32)
	angle := nx.Add(nx.Mul(r, 4), nx.Mul(y, float32(2*math.Pi/3)))
	x := nx.Stack([]nx.Tensor{nx.Mul(r, nx.Cos(angle)), nx.Mul(r, nx.Sin(angle))}, nx.Axis(1))
	return batch{x, y}
}

// learn trains to the end of an epoch and returns what it has then.
func learn(ctx context.Context, t *train.Trainer[classifier, batch, sums], loader *data.Loader[batch], dir string,
	last int) (s train.State[classifier], err error) {
	s = t.Init(newClassifier(random.Key(1)), random.Key(2))
	files := t.Checkpoints(dir, train.Every(50), train.Keep(2))
	at, err := files.Resume(&s)
	if err != nil {
		return s, err
	}
	for e, err := range t.Run(ctx, &s, loader, train.From(at), train.Save(files)) {
		if err != nil {
			return s, err
		}
		if e.EpochEnd && e.Epoch+1 == last {
			break
		}
	}
	return s, nil
}

// Example_guide is the code of docs/learning.md.
func Example_guide() {
	ctx := context.Background()
	dir, _ := os.MkdirTemp("", "learning")
	defer os.RemoveAll(dir)

	m := newClassifier(random.Key(1))
	x := nx.Zeros(nx.Shape{5, 2}, nx.F32)
	fmt.Println(m.Apply(nil, x).Shape())
	for _, l := range nn.Leaves(m) {
		fmt.Println(l.Path, l.Tensor.Shape(), l.Buffer)
	}

	weights := nx.New([]float32{1, 1, 5})
	logits, classes := nx.Zeros(nx.Shape{2, 3}, nx.F32), nx.New([]int32{2, -100})
	fmt.Println(nx.Data[float32](loss.CrossEntropy(logits, classes, loss.Ignore(-100), loss.ClassWeights(weights))))

	rate := optim.WarmupCosine(0, 0.02, 25, 500, 0)
	opt := optim.Chain(optim.ClipGlobalNorm(1), optim.AdamW(rate, 0.01))
	at, values := optim.Sample(rate, 501, 5)
	fmt.Printf("%v %.3f\n", at, values)

	source, err := data.Rows(spirals(1000))
	training, test := data.Split(source, 200, 1)
	noisy := data.Map(training, func(b batch, r *rand.Rand) (batch, error) {
		b.X = nx.Add(b.X, nx.New([]float32{float32(r.NormFloat64() / 100), float32(r.NormFloat64() / 100)}))
		return b, nil
	})
	loader := data.Batches(noisy, data.Stack, data.Size(32), data.Shuffle(1), data.Epochs(20), data.DropLast)
	fmt.Println(err, loader.Len(), "batches an epoch")

	t := train.New(classify, opt)
	whole, err := learn(ctx, t, loader, filepath.Join(dir, "whole"), 20)
	fmt.Println(err, nx.Item[int64](whole.Step))

	_, err = learn(ctx, t, loader, filepath.Join(dir, "parts"), 8)    // to the end of epoch 8
	s, err2 := learn(ctx, t, loader, filepath.Join(dir, "parts"), 20) // from there
	const last = "step_000000500.safetensors"
	one, err3 := os.ReadFile(filepath.Join(dir, "whole", last))
	two, err4 := os.ReadFile(filepath.Join(dir, "parts", last))
	fmt.Println(errors.Join(err, err2, err3, err4), string(one) == string(two))

	_, total, err := t.Evaluate(ctx, s.Model, data.Batches(test, data.Stack))
	fmt.Println(err, nx.Item[float64](nx.Div(total.Right, total.N)) > 0.9)

	path := filepath.Join(dir, "model.safetensors")
	err = nx.SaveTensors(path, s.Model)
	restored := newClassifier(random.Key(0))
	err = errors.Join(err, nx.LoadTensors(path, &restored))
	predict := nx.Jit(func(m classifier, x nx.Tensor) nx.Tensor { return nx.ArgMax(m.Apply(nil, x), nx.Axis(-1)) })
	fmt.Println(err, nx.ArrayEqual(predict(restored, x), predict(s.Model, x)))

	small := train.New(classify, opt, train.Precision(nx.BF16), train.MicroBatches(4), train.EMA(0.99),
		train.Freeze("Hidden", "**.Bias"))
	s, err = learn(ctx, small, loader, filepath.Join(dir, "small"), 2)
	averaged := tree.Combine(s.EMA, s.Model)
	fmt.Println(err, s.Model.Out.Weight.DType(), nx.ArrayEqual(s.Model.Hidden.Weight, m.Hidden.Weight),
		nx.ArrayEqual(averaged.Out.Weight, s.Model.Out.Weight))

	foreign := filepath.Join(dir, "pytorch.safetensors")
	err = nx.SaveTensors(foreign, map[string]nx.Tensor{"hidden.weight": m.Hidden.Weight, "hidden.bias": m.Hidden.Bias,
		"norm.num_batches_tracked": nx.New(int64(500)), "head.weight": nx.Zeros(nx.Shape{1000, 64}, nx.F32)})
	report, err2 := nn.LoadWeights(&restored, foreign, nn.Rename("head", ""), nn.Partial)
	fmt.Println(errors.Join(err, err2), nx.ArrayEqual(restored.Hidden.Weight, m.Hidden.Weight))
	fmt.Println(report)
	fmt.Println(nn.SaveWeights(foreign, restored))

	err = nn.Summary(os.Stdout, &m, x)

	broken := train.New(func(m *classifier, c *nn.Ctx, b batch) (nx.Tensor, sums) {
		l, a := classify(m, c, b)
		return nx.Log(nx.Sub(l, l)), a // the logarithm of 0
	}, opt)
	_, err = learn(ctx, broken, loader, filepath.Join(dir, "broken"), 20)
	var bad *train.NonFiniteError
	if errors.As(err, &bad) {
		fmt.Println(bad.Step, bad.Loss)
	}

	func() {
		defer nx.Catch(&err)
		m.Apply(&nn.Ctx{Train: true, Model: &m}, x)
	}()
	var misuse *nx.Error
	if errors.As(err, &misuse) {
		fmt.Println(misuse.Detail)
	}
	// Output:
	// [5][3]
	// Hidden.Weight [64][2] false
	// Hidden.Bias [64] false
	// Norm.Weight [64] false
	// Norm.Bias [64] false
	// Norm.RunningMean [64] true
	// Norm.RunningVar [64] true
	// Out.Weight [3][64] false
	// Out.Bias [3] false
	// [5.4930615 0]
	// [0 125 251 376 501] [0.000 0.018 0.011 0.003 0.000]
	// <nil> 25 batches an epoch
	// <nil> 500
	// <nil> true
	// <nil> true
	// <nil> true
	// <nil> f32 true false
	// <nil> true
	// 2 loaded
	// 6 missing: Norm.Weight, Norm.Bias, Norm.RunningMean, Norm.RunningVar, …
	// 2 left out: norm.num_batches_tracked, head.weight
	// <nil>
	// layer             type       shapes               parameters  FLOPs  bytes
	// Hidden            Linear     [64][2] [64]                192  1 600    768
	// Norm              BatchNorm  [64] [64] [64] [64]         128  1 024  1 024
	// Out               Linear     [3][64] [3]                 195  1 935    780
	// trained                                                  515  4 175  2 060
	// buffers                                                  128    384    512
	// other operations                                           0    640      0
	// sum                                                      643  5 199  2 572
	// 1 -Inf
	// the layer Drop (Dropout) draws random numbers, and the context has no key
}
