package bench

import (
	"math"
	"testing"

	"github.com/go-nx/nx"
	"github.com/go-nx/nx/nn"
	"github.com/go-nx/nx/nn/loss"
	"github.com/go-nx/nx/optim"
	"github.com/go-nx/nx/random"
	"github.com/go-nx/nx/train"
)

// BenchmarkTraining times the steps of training of whole models with AdamW, and AdamW by itself; the metric is images,
// tokens or parameters a second, beside the processor time of a step. It is not a workload of nx bench, whose program
// would grow by layers and optimisers. peers/training.py times the same models in PyTorch, peers/training_jax.py in JAX
// and Keras.
func BenchmarkTraining(b *testing.B) {
	for _, row := range []struct {
		name  string
		items int // of a step
		make  func() (func(), func() float64)
	}{
		{"mlp", 128, trainMLP}, {"cnn_bn", 32, trainCNN}, {"lstm", 32 * 64, trainLSTM},
		{"transformer_10m", 8 * 128, trainTransformer}, {"adamw_100m", 100 * million, adamW},
	} {
		b.Run(row.name, func(b *testing.B) {
			step, value := row.make()
			step()
			step()
			if v := value(); math.IsNaN(v) {
				b.Fatal("the loss is not finite")
			}
			cpu := cpuTime()
			for b.Loop() {
				step()
			}
			value()
			b.ReportMetric(float64((cpuTime()-cpu).Milliseconds())/float64(b.N+1), "CPU-ms/op")
			b.ReportMetric(float64(row.items)*float64(b.N)/b.Elapsed().Seconds(), "items/s")
		})
	}
}

// example is a batch of a classifier.
type example struct{ X, Y nx.Tensor }

// trainingStep is a workload of the step of a model.
func trainingStep[M any](model M, apply func(m *M, c *nn.Ctx, x nx.Tensor) nx.Tensor, b example) func() (func(),
	func() float64) {
	return func() (func(), func() float64) {
		t := train.New(func(m *M, c *nn.Ctx, b example) (nx.Tensor, struct{}) {
			return nx.Mean(loss.CrossEntropy(apply(m, c, b.X), b.Y)), struct{}{}
		}, optim.AdamW(1e-3, .01, optim.DecayOf(optim.All)))
		s := t.Init(model, random.Key(1))
		var last nx.Tensor
		step := func() {
			next, r, err := t.Step(s, b)
			if err != nil {
				panic(err)
			}
			s, last = next, r.Loss
		}
		return step, func() float64 { step(); return nx.Item[float64](nx.Cast(last, nx.F64)) }
	}
}

// mlpNet is 784–1024–1024–10; a step has 128 images.
type mlpNet struct{ A, B, C *nn.Linear }

func trainMLP() (func(), func() float64) {
	k := random.Split(random.Key(0), 3)
	m := mlpNet{nn.NewLinear(k.At(0), 784, 1024), nn.NewLinear(k.At(1), 1024, 1024), nn.NewLinear(k.At(2), 1024, 10)}
	return trainingStep(m, func(m *mlpNet, c *nn.Ctx, x nx.Tensor) nx.Tensor {
		return m.C.Apply(c, nx.Relu(m.B.Apply(c, nx.Relu(m.A.Apply(c, x)))))
	}, example{input(nx.F32, 128, 784), indices(128, 10)})()
}

// cnnNet is two convolutions of 3 × 3 with batch norms, of 32 and 64 channels; a step has 32 images of 3 × 32 × 32.
type cnnNet struct {
	Conv1, Conv2 *nn.Conv
	BN1, BN2     *nn.BatchNorm
	Out          *nn.Linear
}

func trainCNN() (func(), func() float64) {
	k := random.Split(random.Key(0), 3)
	m := cnnNet{nn.NewConv(k.At(0), 3, 32, []int{3, 3}, nn.Pad(1)), nn.NewConv(k.At(1), 32, 64, []int{3, 3}, nn.Pad(1)),
		nn.NewBatchNorm(32), nn.NewBatchNorm(64), nn.NewLinear(k.At(2), 64, 10)}
	return trainingStep(m, func(m *cnnNet, c *nn.Ctx, x nx.Tensor) nx.Tensor {
		x = nn.MaxPool(nx.Relu(m.BN1.Apply(c, m.Conv1.Apply(c, x))), []int{2, 2})
		x = nn.MaxPool(nx.Relu(m.BN2.Apply(c, m.Conv2.Apply(c, x))), []int{2, 2})
		return m.Out.Apply(c, nx.Mean(x, nx.Axis(2, 3)))
	}, example{input(nx.F32, 32, 3, 32, 32), indices(32, 10)})()
}

// lstmNet is an LSTM of 256 numbers; a step has 32 sequences of 64 tokens of 128 numbers.
type lstmNet struct {
	LSTM *nn.LSTM
	Out  *nn.Linear
}

func trainLSTM() (func(), func() float64) {
	k := random.Split(random.Key(0), 2)
	m := lstmNet{nn.NewLSTM(k.At(0), 128, 256), nn.NewLinear(k.At(1), 256, 10)}
	return trainingStep(m, func(m *lstmNet, c *nn.Ctx, x nx.Tensor) nx.Tensor {
		_, end := m.LSTM.Run(c, x, nn.State{}, nx.Tensor{})
		return m.Out.Apply(c, end.H.At(0))
	}, example{input(nx.F32, 32, 64, 128), indices(32, 10)})()
}

// encoderNet is three layers of a transformer, 9.5 million parameters; a step has 8 sequences of 128 tokens.
type encoderNet struct {
	Layers []*nn.TransformerEncoderLayer
	Out    *nn.Linear
}

func trainTransformer() (func(), func() float64) {
	k := random.Split(random.Key(0), 4)
	m := encoderNet{Out: nn.NewLinear(k.At(3), 512, 10)}
	for i := range 3 {
		m.Layers = append(m.Layers, nn.NewTransformerEncoderLayer(k.At(i), 512, 8, 2048, nn.NormFirst,
			nn.Activation(nx.Gelu)))
	}
	return trainingStep(m, func(m *encoderNet, c *nn.Ctx, x nx.Tensor) nx.Tensor {
		for _, l := range m.Layers {
			x = l.Apply(c, x)
		}
		return m.Out.Apply(c, nx.Mean(x, nx.Axis(1)))
	}, example{input(nx.F32, 8, 128, 512), indices(8, 10)})()
}

// adamW is a step of AdamW on 100 million parameters, over the memory of the last one: 2.8 GB moved.
func adamW() (func(), func() float64) {
	type state struct {
		Params nx.Tensor
		Opt    optim.State
	}
	t := optim.AdamW(1e-3, .1, optim.DecayOf(optim.All))
	p, g := nx.Ones(nx.Shape{100 * million}, nx.F32), nx.Full(nx.Shape{100 * million}, .1, nx.F32)
	s := state{p, optim.Init(t, p)}
	step := nx.Jit(func(s state, g nx.Tensor) state {
		s.Params, s.Opt = optim.Update(t, g, s.Opt, s.Params)
		return s
	}, nx.Donate(0))
	return func() { s = step(s, g) }, func() float64 { return first(s.Params) }
}
