package transformers

import (
	"github.com/go-nx/nx"
	"github.com/go-nx/nx/diag"
	"github.com/go-nx/nx/nn"
)

// Vision is a transformer of pictures: a first row for all of the picture, then one for each patch. What a family does
// not have is nil.
type Vision struct {
	Patches   *nn.Conv
	Class     nx.Tensor // the first row, of width numbers in any shape
	Positions nx.Tensor // [rows, width], or with an axis of 1 before
	PreNorm   nn.Layer
	Layers    []*Block
	PostNorm  nn.Layer
	NormAll   bool // the last norm is that of all rows, else of the first one only
	Pooler    *nn.Linear
	PoolerAct string
	Head      *nn.Linear // of classes
	Size      int        // of pictures, in pixels
}

// Apply computes the last hidden state, the pooled row and classes.
func (v *Vision) Apply(c *nn.Ctx, in Inputs) (out Outputs) {
	h := hidden{keep: in.HiddenStates}
	x, pooled := v.rows(c, &h, in.PixelValues)
	out.LastHiddenState, out.PoolerOutput, out.HiddenStates = x, pooled, h.list
	if v.Head != nil {
		out.Logits, out.PoolerOutput = nx.Cast(v.Head.Apply(c, pooled), nx.F32), nx.Tensor{}
	}
	return out
}

func (v *Vision) missing(in Inputs) string {
	if in.PixelValues.IsZero() {
		return "PixelValues"
	}
	return ""
}

// rows computes the last hidden state of pictures and the row that stands for them.
func (v *Vision) rows(c *nn.Ctx, h *hidden, pixels nx.Tensor) (x, pooled nx.Tensor) {
	if s := pixels.Shape(); len(s) != 4 || s[1] != v.Patches.Weight.Shape()[1] || s[2] != v.Size || s[3] != v.Size {
		panic(diag.New(nx.ErrShape, "Vision", "", "pictures must be [batch, %d, %d, %d], got %v",
			v.Patches.Weight.Shape()[1], v.Size, v.Size, s))
	}
	x = v.Patches.Apply(c, pixels)
	s := x.Shape()
	x = nx.Transpose(nx.Reshape(x, s[0], s[1], s[2]*s[3]), nx.Axis(0, 2, 1))
	first := nx.BroadcastTo(nx.Reshape(v.Class, 1, 1, s[1]), s[0], 1, s[1])
	x = nx.Concatenate([]nx.Tensor{first, x}, nx.Axis(1))
	x = nx.Add(x, nx.Reshape(v.Positions, -1, s[1]))
	p := &pass{Ctx: c, mask: bidirectionalMask(x.Shape()[1], nx.Tensor{})}
	x = normed(p, v.PreNorm, x)
	h.add(x)
	for i, b := range v.Layers {
		x = b.apply(p, i, x)
		h.add(x)
	}
	if v.NormAll {
		x = normed(p, v.PostNorm, x)
		pooled = firstToken(x)
	} else {
		pooled = normed(p, v.PostNorm, firstToken(x))
	}
	if v.Pooler != nil {
		pooled = activations[v.PoolerAct](v.Pooler.Apply(c, pooled))
	}
	return x, pooled
}

// visionSpec is what the families of pictures read alike.
type visionSpec struct {
	width, layers, heads, hidden, size, patch, channels int

	activation string
	epsilon    float64
}

func (c *config) visionSpec(activation string, epsilon float64) visionSpec {
	s := visionSpec{width: c.size(768, "hidden_size"), layers: c.count(12, "num_hidden_layers"),
		heads: c.count(12, "num_attention_heads"), hidden: c.size(3072, "intermediate_size"),
		size: c.size(224, "image_size"), patch: c.size(16, "patch_size"), channels: c.count(3, "num_channels"),
		activation: c.activation(activation, "hidden_act"), epsilon: c.number(epsilon, "layer_norm_eps")}
	if s.patch > s.size {
		c.fail("patches of %d pixels are larger than pictures of %d", s.patch, s.size)
		s.patch = s.size
	}
	return s
}

func (s *visionSpec) norm() nn.Layer { return newLayerNorm(s.width, s.epsilon, true) }

// vision makes the network.
func (s *visionSpec) vision(c *config, patchBias, qkvBias bool) *Vision {
	c.headDim(s.width, s.heads)
	rows := (s.size/s.patch)*(s.size/s.patch) + 1
	v := &Vision{Size: s.size, Class: nx.Zeros(nx.Shape{s.width}, nx.F32), Positions: nx.Zeros(nx.Shape{rows, s.width},
		nx.F32), PostNorm: s.norm(),
		Patches: &nn.Conv{Weight: nx.Zeros(nx.Shape{s.width, s.channels, s.patch, s.patch}, nx.F32),
			Strides: []int{s.patch, s.patch}, Dilation: []int{1, 1}, Padding: make([][2]int, 2), Groups: 1}}
	if patchBias {
		v.Patches.Bias = nx.Zeros(nx.Shape{s.width}, nx.F32)
	}
	for range s.layers {
		v.Layers = append(v.Layers, &Block{Rope: -1, Norm1: s.norm(), Norm2: s.norm(),
			SelfAttn: newAttention(s.width, s.heads, qkvBias, true),
			MLP: &MLP{UpProj: newLinear(s.width, s.hidden, true), DownProj: newLinear(s.hidden, s.width, true),
				Activation: s.activation}})
	}
	return v
}

// vit is the vision transformer.
//
// Source: A. Dosovitskiy et al., 2020, arXiv:2010.11929.
func vit(c *config, h head) built {
	s := c.visionSpec("gelu", 1e-12)
	v := s.vision(c, true, c.flag(true, "qkv_bias"))
	v.NormAll = true
	rows := v.Positions.Shape()[0]
	v.Class, v.Positions = nx.Zeros(nx.Shape{1, 1, s.width}, nx.F32), nx.Zeros(nx.Shape{1, rows, s.width}, nx.F32)
	rules := [][2]string{
		{"vit.{rest...}", "{rest...}"}, {"embeddings.cls_token", "class"}, {"embeddings.mask_token", ""},
		{"embeddings.position_embeddings", "positions"}, {"embeddings.patch_embeddings.projection", "patches"},
		{"encoder.layer.{n}.attention.attention.query", "layers.{n}.self_attn.q_proj"},
		{"encoder.layer.{n}.attention.attention.key", "layers.{n}.self_attn.k_proj"},
		{"encoder.layer.{n}.attention.attention.value", "layers.{n}.self_attn.v_proj"},
		{"encoder.layer.{n}.attention.output.dense", "layers.{n}.self_attn.o_proj"},
		{"encoder.layer.{n}.intermediate.dense", "layers.{n}.mlp.up_proj"},
		{"encoder.layer.{n}.output.dense", "layers.{n}.mlp.down_proj"},
		{"encoder.layer.{n}.layernorm_before", "layers.{n}.norm1"},
		{"encoder.layer.{n}.layernorm_after", "layers.{n}.norm2"}, {"layernorm", "post_norm"},
		{"classifier", "head"},
	}
	out, act := c.size(s.width, "pooler_output_size"), c.activation("tanh", "pooler_act")
	if h == headClasses {
		v.Head = newLinear(s.width, c.classes(), true)
		rules = append(rules, [2]string{"pooler", ""})
	} else {
		v.Pooler, v.PoolerAct = newLinear(s.width, out, true), act
		rules = append(rules, [2]string{"pooler.dense", "pooler"})
	}
	return built{network: v, rules: renames(rules)}
}
