package learning_test

import (
	"fmt"
	"path/filepath"
	"strings"

	"github.com/go-nx/nx"
	"github.com/go-nx/nx/nn"
	"github.com/go-nx/nx/nn/loss"
	"github.com/go-nx/nx/optim"
	"github.com/go-nx/nx/random"
	"github.com/go-nx/nx/tree"
)

// trainedModel is a model of the corpus: its result, and its loss against targets.
type trainedModel interface {
	Forward(c *nn.Ctx, in map[string]nx.Tensor) nx.Tensor
	Loss(y, target nx.Tensor) nx.Tensor
}

func init() { learningFamilies["models"] = runModel }

var key = random.Key(1)

// classifier has the mean cross entropy of classes.
type classifier struct{}

func (classifier) Loss(y, target nx.Tensor) nx.Tensor { return nx.Mean(loss.CrossEntropy(y, target)) }

type mlpModel struct {
	classifier
	FC1, FC2, FC3 *nn.Linear
	Norm          *nn.LayerNorm
}

func (m *mlpModel) Forward(c *nn.Ctx, in map[string]nx.Tensor) nx.Tensor {
	x := m.FC2.Apply(c, nx.Relu(m.FC1.Apply(c, in["x"])))
	return m.FC3.Apply(c, nx.Gelu(m.Norm.Apply(c, x)))
}

type lstmModel struct {
	classifier
	Embed *nn.Embedding
	LSTM  *nn.LSTM
	Head  *nn.Linear
}

func (m *lstmModel) Forward(c *nn.Ctx, in map[string]nx.Tensor) nx.Tensor {
	_, s := m.LSTM.Run(c, m.Embed.Apply(c, in["ids"]), nn.State{}, nx.Tensor{})
	n := s.H.Shape()[0]
	return m.Head.Apply(c, nx.Concatenate([]nx.Tensor{s.H.At(n - 2), s.H.At(n - 1)}, nx.Axis(-1)))
}

type convGRUModel struct {
	classifier
	Conv *nn.Conv
	BN   *nn.BatchNorm
	GRU  *nn.GRU
	Head *nn.Linear
}

func (m *convGRUModel) Forward(c *nn.Ctx, in map[string]nx.Tensor) nx.Tensor {
	h := nn.MaxPool(nx.Relu(m.BN.Apply(c, m.Conv.Apply(c, in["x"]))), []int{2})
	y := m.GRU.Apply(c, nx.Transpose(h, nx.Axis(0, 2, 1)))
	return m.Head.Apply(c, nx.Mean(y, nx.Axis(1)))
}

type encoderModel struct {
	classifier
	Pos    nx.Tensor
	Embed  *nn.Embedding
	Layers []*nn.TransformerEncoderLayer
	Norm   *nn.LayerNorm
	Head   *nn.Linear
}

func (m *encoderModel) Forward(c *nn.Ctx, in map[string]nx.Tensor) nx.Tensor {
	h := nx.Add(m.Embed.Apply(c, in["ids"]), m.Pos)
	for _, l := range m.Layers {
		h = l.Attend(c, h, keyPadding(in["padding"])...)
	}
	kept := nx.ExpandAxis(nx.Cast(nx.Equal(in["padding"], 0), h.DType()), nx.Axis(-1))
	mean := nx.Div(nx.Sum(nx.Mul(m.Norm.Apply(c, h), kept), nx.Axis(1)), nx.Sum(kept, nx.Axis(1)))
	return m.Head.Apply(c, mean)
}

type llamaBlock struct {
	N1, N2                     *nn.RMSNorm
	Q, K, V, O, Gate, Up, Down *nn.Linear
}

func (b *llamaBlock) attend(c *nn.Ctx, x nx.Tensor) nx.Tensor {
	heads := func(l *nn.Linear, n int) nx.Tensor {
		y := l.Apply(c, x)
		return nx.Transpose(nx.Reshape(y, x.Shape()[0], x.Shape()[1], n, 8), nx.Axis(0, 2, 1, 3))
	}
	at := nx.Iota(nx.Shape{x.Shape()[1]}, nx.S32)
	q, k := nn.Rope{}.Apply(heads(b.Q, 4), at), nn.Rope{}.Apply(heads(b.K, 2), at)
	y := nx.Transpose(nn.Attend(q, k, heads(b.V, 2), nn.Causal), nx.Axis(0, 2, 1, 3))
	return b.O.Apply(c, nx.Reshape(y, x.Shape()...))
}

type llamaModel struct {
	Embed  *nn.Embedding
	Blocks []llamaBlock
	Norm   *nn.RMSNorm
}

func (m *llamaModel) Forward(c *nn.Ctx, in map[string]nx.Tensor) nx.Tensor {
	h := m.Embed.Apply(c, in["ids"])
	for _, b := range m.Blocks {
		h = nx.Add(h, b.attend(c, b.N1.Apply(c, h)))
		x := b.N2.Apply(c, h)
		h = nx.Add(h, b.Down.Apply(c, nx.Mul(nx.Silu(b.Gate.Apply(c, x)), b.Up.Apply(c, x))))
	}
	return m.Embed.Attend(c, m.Norm.Apply(c, h))
}

func (*llamaModel) Loss(y, target nx.Tensor) nx.Tensor {
	return loss.MeanCrossEntropy(y, target, loss.Ignore(-100))
}

type unetBlock struct {
	Conv *nn.Conv
	Norm *nn.GroupNorm
}

func (b *unetBlock) Apply(c *nn.Ctx, x nx.Tensor) nx.Tensor {
	return nx.Relu(b.Norm.Apply(c, b.Conv.Apply(c, x)))
}

type unetModel struct {
	D1, D2, Mid, U2, U1 *unetBlock
	Up2, Up1            *nn.ConvTranspose
	Out                 *nn.Conv
}

func (m *unetModel) Forward(c *nn.Ctx, in map[string]nx.Tensor) nx.Tensor {
	join := func(a, b nx.Tensor) nx.Tensor { return nx.Concatenate([]nx.Tensor{a, b}, nx.Axis(1)) }
	a := m.D1.Apply(c, in["x"])
	b := m.D2.Apply(c, nn.MaxPool(a, []int{2, 2}))
	mid := m.Mid.Apply(c, nn.MaxPool(b, []int{2, 2}))
	u := m.U2.Apply(c, join(m.Up2.Apply(c, mid), b))
	v := m.U1.Apply(c, join(m.Up1.Apply(c, u), a))
	return m.Out.Apply(c, v)
}

func (*unetModel) Loss(y, target nx.Tensor) nx.Tensor {
	return nx.Mean(loss.CrossEntropy(y, target, loss.Axis(1)))
}

type vitBlock struct {
	N1, N2         *nn.LayerNorm
	QKV            *nn.Linear `nn:"qkv"`
	Proj, FC1, FC2 *nn.Linear
}

type vitModel struct {
	classifier
	Cls, Pos nx.Tensor
	Patch    *nn.Conv
	Blocks   []vitBlock
	Norm     *nn.LayerNorm
	Head     *nn.Linear
}

func (m *vitModel) Forward(c *nn.Ctx, in map[string]nx.Tensor) nx.Tensor {
	p := m.Patch.Apply(c, in["x"])
	s := p.Shape()
	p = nx.Transpose(nx.Reshape(p, s[0], s[1], s[2]*s[3]), nx.Axis(0, 2, 1))
	h := nx.Concatenate([]nx.Tensor{nx.BroadcastTo(m.Cls, s[0], 1, s[1]), p}, nx.Axis(1))
	h = nx.Add(h, m.Pos)
	for _, b := range m.Blocks {
		y := b.QKV.Apply(c, b.N1.Apply(c, h))
		t := nx.Transpose(nx.Reshape(y, s[0], y.Shape()[1], 3, 4, s[1]/4), nx.Axis(2, 0, 3, 1, 4))
		y = nx.Transpose(nn.Attend(t.At(0), t.At(1), t.At(2)), nx.Axis(0, 2, 1, 3))
		h = nx.Add(h, b.Proj.Apply(c, nx.Reshape(y, h.Shape()...)))
		h = nx.Add(h, b.FC2.Apply(c, nx.Gelu(b.FC1.Apply(c, b.N2.Apply(c, h)))))
	}
	return m.Head.Apply(c, m.Norm.Apply(c, h).At(nx.Range(0, s[0]), 0))
}

type autoencoderModel struct{ E1, E2, E3, D0, D1, D2 *nn.Conv }

func (m *autoencoderModel) Forward(c *nn.Ctx, in map[string]nx.Tensor) nx.Tensor {
	double := func(x nx.Tensor) nx.Tensor {
		return nn.Resize(x, []int{2 * x.Shape()[2], 2 * x.Shape()[3]})
	}
	z := m.E3.Apply(c, nx.Silu(m.E2.Apply(c, nx.Silu(m.E1.Apply(c, in["x"])))))
	y := nx.Silu(m.D1.Apply(c, double(nx.Silu(m.D0.Apply(c, z)))))
	return m.D2.Apply(c, double(y))
}

func (*autoencoderModel) Loss(y, target nx.Tensor) nx.Tensor { return nx.Mean(loss.Squared(y, target)) }

// conv3 is a convolution of 3 × 3 with padding.
func conv3(in, out, stride int) *nn.Conv {
	return nn.NewConv(key, in, out, []int{3, 3}, nn.Pad(1), nn.Stride(stride))
}

// newTrainedModel returns a model of the corpus in its sizes.
func newTrainedModel(name string) trainedModel {
	layerNorm := func(n int, epsilon float64) *nn.LayerNorm { return nn.NewLayerNorm(nx.Shape{n}, nn.Epsilon(epsilon)) }
	switch name {
	case "mlp":
		return &mlpModel{FC1: nn.NewLinear(key, 20, 32), FC2: nn.NewLinear(key, 32, 32), FC3: nn.NewLinear(key, 32, 5),
			Norm: layerNorm(32, 1e-5)}
	case "lstm":
		return &lstmModel{Embed: nn.NewEmbedding(key, 40, 16, nn.PaddingRow(0)),
			LSTM: nn.NewLSTM(key, 16, 20, nn.Layers(2), nn.BothDirections), Head: nn.NewLinear(key, 40, 3)}
	case "convgru":
		return &convGRUModel{Conv: nn.NewConv(key, 2, 12, []int{5}, nn.Stride(2), nn.Pad(2)), BN: nn.NewBatchNorm(12),
			GRU: nn.NewGRU(key, 12, 16), Head: nn.NewLinear(key, 16, 4)}
	case "encoder":
		m := &encoderModel{Pos: nx.Zeros(nx.Shape{12, 32}, nx.F32), Embed: nn.NewEmbedding(key, 50, 32),
			Norm: layerNorm(32, 1e-5), Head: nn.NewLinear(key, 32, 4)}
		for range 2 {
			m.Layers = append(m.Layers, nn.NewTransformerEncoderLayer(key, 32, 4, 64, nn.NormFirst,
				nn.Activation(nx.Gelu)))
		}
		return m
	case "llama":
		norm := func() *nn.RMSNorm { return nn.NewRMSNorm(nx.Shape{32}, nn.Epsilon(1e-5)) }
		m := &llamaModel{Embed: nn.NewEmbedding(key, 48, 32), Norm: norm()}
		for range 2 {
			linear := func(in, out int) *nn.Linear { return nn.NewLinear(key, in, out, nn.NoBias) }
			m.Blocks = append(m.Blocks, llamaBlock{norm(), norm(), linear(32, 32), linear(32, 16), linear(32, 16),
				linear(32, 32), linear(32, 48), linear(32, 48), linear(48, 32)})
		}
		return m
	case "unet":
		block := func(in, out int) *unetBlock { return &unetBlock{conv3(in, out, 1), nn.NewGroupNorm(4, out)} }
		up := func(in, out int) *nn.ConvTranspose {
			return nn.NewConvTranspose(key, in, out, []int{2, 2}, nn.Stride(2))
		}
		return &unetModel{block(1, 8), block(8, 16), block(16, 24), block(32, 16), block(16, 8), up(24, 16), up(16, 8),
			nn.NewConv(key, 8, 2, []int{1, 1})}
	case "vit":
		m := &vitModel{Cls: nx.Zeros(nx.Shape{1, 1, 32}, nx.F32), Pos: nx.Zeros(nx.Shape{1, 17, 32}, nx.F32),
			Patch: nn.NewConv(key, 3, 32, []int{4, 4}, nn.Stride(4)), Norm: layerNorm(32, 1e-6), Head: nn.NewLinear(key,
				32, 5)}
		for range 2 {
			m.Blocks = append(m.Blocks, vitBlock{layerNorm(32, 1e-6), layerNorm(32, 1e-6), nn.NewLinear(key, 32, 96),
				nn.NewLinear(key, 32, 32), nn.NewLinear(key, 32, 64), nn.NewLinear(key, 64, 32)})
		}
		return m
	case "autoencoder":
		return &autoencoderModel{conv3(1, 8, 2), conv3(8, 12, 2), nn.NewConv(key, 12, 4, []int{1, 1}), conv3(4, 12, 1),
			conv3(12, 8, 1), conv3(8, 1, 1)}
	}
	panic(fmt.Sprintf("the model %q has no runner", name))
}

func runModel(r *learningRun) learningResults {
	weights := map[string]nx.Tensor{}
	if err := nx.LoadTensors(filepath.Join(r.dir, r.text("weights")), &weights); err != nil {
		panic(err)
	}
	for name, t := range weights {
		weights[name] = r.cast(t)
	}
	model := withState(newTrainedModel(r.text("model")), weights)
	if r.text("loss") != "" {
		return r.trained(model)
	}
	y := nx.Jit(func(m trainedModel) nx.Tensor { return m.Forward(&nn.Ctx{}, r.inputs("")) })(model)
	out := map[string]nx.Tensor{}
	for name := range r.Outputs {
		out[name] = y
	}
	return learningResults{outputs: out}
}

// inputs are the inputs whose names end with a suffix, without it.
func (r *learningRun) inputs(suffix string) map[string]nx.Tensor {
	in := map[string]nx.Tensor{}
	for name := range r.Inputs {
		if rest, ok := strings.CutSuffix(name, suffix); ok {
			in[rest] = r.in(name)
		}
	}
	return in
}

// trained makes ten steps of AdamW.
func (r *learningRun) trained(model trainedModel) (res learningResults) {
	o := r.Config["optimiser"].(map[string]any)
	betas := o["betas"].([]any)
	opt := optim.AdamW(o["lr"].(float64), o["weight_decay"].(float64), optim.DecayOf(optim.All),
		optim.Epsilon(o["eps"].(float64)), optim.Betas(betas[0].(float64), betas[1].(float64)))
	type result struct {
		Model trainedModel
		Opt   optim.State
		Loss  nx.Tensor
		Grad  trainedModel
	}
	step := nx.Jit(func(m trainedModel, s optim.State, in map[string]nx.Tensor) result {
		p, rest := nn.Partition(m, nn.Trainable)
		l, written, g := nx.ValueAndGradAux(func(p trainedModel) (nx.Tensor, trainedModel) {
			m := tree.Combine(p, rest)
			loss := m.Loss(m.Forward(&nn.Ctx{Train: true}, in), in["target"])
			buffers, _ := nn.Partition(m, func(l nn.Leaf) bool { return l.Buffer })
			return loss, buffers
		})(p)
		p, s = optim.Update(opt, g, s, p)
		return result{tree.Combine(p, tree.Combine(written, rest)), s, l, g}
	})
	state := optim.Init(opt, model)
	names := nn.StateNames(model)
	var losses []nx.Tensor
	res.outputs, res.grads = map[string]nx.Tensor{}, map[string]nx.Tensor{}
	for i := 0; ; i++ {
		if _, ok := r.Inputs[fmt.Sprint("target", i)]; !ok {
			break
		}
		next := step(model, state, r.inputs(fmt.Sprint(i)))
		if i == 0 {
			for path, g := range tree.Leaves(next.Grad) {
				res.grads[names[path]] = g
			}
		}
		model, state = next.Model, next.Opt
		losses = append(losses, next.Loss)
	}
	res.outputs["losses"] = nx.Stack(losses)
	for path, t := range tree.Leaves(model) {
		res.outputs["final."+names[path]] = t
	}
	return res
}
