package learning_test

import (
	"strings"

	"github.com/go-nx/nx"
	"github.com/go-nx/nx/nn"
	"github.com/go-nx/nx/random"
)

// Embeddings, attention, transformers and recurrent networks.
func init() {
	for name, layer := range map[string]learningLayer{
		"Embedding": func(r *learningRun, in, state map[string]nx.Tensor) map[string]nx.Tensor {
			var opts []nn.EmbeddingOption
			if _, ok := r.Config["padding_idx"].(float64); ok {
				opts = append(opts, nn.PaddingRow(r.integer("padding_idx", 0)))
			}
			l := withState(*nn.NewEmbedding(random.Key(1), r.integer("num_embeddings", 1),
				r.integer("embedding_dim", 1),
				opts...), state)
			return map[string]nx.Tensor{"y": l.Apply(nil, in["ids"])}
		},
		"rope": function(func(r *learningRun, x nx.Tensor) nx.Tensor {
			rope := nn.Rope{Base: r.number("base", 0), Dim: r.integer("rotary_dim", 0),
				Interleaved: r.text("style") == "interleaved"}
			n := x.Shape()[x.Rank()-2]
			return rope.Apply(x, nx.Add(nx.Iota(nx.Shape{n}, nx.S32), r.integer("offset", 0)))
		}),
		"alibi": func(r *learningRun, _, _ map[string]nx.Tensor) map[string]nx.Tensor {
			heads := r.integer("heads", 1)
			return map[string]nx.Tensor{"slopes": nn.AlibiSlopes(heads, r.dtype),
				"bias": nn.Alibi(heads, 4, 4, r.dtype)}
		},
		"scaled_dot_product_attention": func(r *learningRun, in, _ map[string]nx.Tensor) map[string]nx.Tensor {
			return map[string]nx.Tensor{"y": nn.Attend(in["q"], in["k"], in["v"], r.attend(in)...)}
		},
		"MultiheadAttention":      multihead,
		"TransformerEncoderLayer": encoderLayer,
		"TransformerDecoderLayer": decoderLayer,
		"LSTM":                    recurrent, "GRU": recurrent, "RNN": recurrent,
		"LSTMCell": recurrentCell, "GRUCell": recurrentCell, "RNNCell": recurrentCell,
	} {
		learningLayers["torch "+name] = layer
	}
	learningLayers["keras Attention"] = kerasAttention
	learningLayers["keras Embedding"] = func(r *learningRun, in, state map[string]nx.Tensor) map[string]nx.Tensor {
		return map[string]nx.Tensor{"y": (&nn.Embedding{Weight: state["embeddings"]}).Apply(nil, in["x"])}
	}
	for _, name := range []string{"GRU", "LSTM", "SimpleRNN"} {
		learningLayers["keras "+name] = kerasRecurrent
	}
	learningLayers["keras MultiHeadAttention"] = kerasMultihead
}

// attend are the options of scaled_dot_product_attention.
func (r *learningRun) attend(in map[string]nx.Tensor) (opts []nn.AttendOption) {
	if r.flag("is_causal", false) {
		opts = append(opts, nn.Causal)
	}
	if s := r.number("scale", 0); s != 0 {
		opts = append(opts, nn.Scale(s))
	}
	return append(opts, attnMask(in["attn_mask"], false)...)
}

// attnMask is a mask of attention: numbers are added; of integers 1 attends, or is left out.
func attnMask(m nx.Tensor, leftOut bool) []nn.AttendOption {
	switch {
	case m.IsZero():
		return nil
	case m.DType().IsFloat():
		return []nn.AttendOption{nn.Bias(m)}
	case leftOut:
		return []nn.AttendOption{nn.Mask(nx.Equal(m, 0))}
	}
	return []nn.AttendOption{nn.Mask(nx.NotEqual(m, 0))}
}

// keyPadding leaves padded keys out.
func keyPadding(p nx.Tensor) []nn.AttendOption {
	if p.IsZero() {
		return nil
	}
	return []nn.AttendOption{nn.Mask(nx.ExpandAxis(nx.ExpandAxis(nx.Equal(p, 0), nx.Axis(1)), nx.Axis(1)))}
}

func multihead(r *learningRun, in, state map[string]nx.Tensor) map[string]nx.Tensor {
	width := r.integer("embed_dim", 1)
	var opts []nn.TransformerOption
	if k := r.integer("kdim", 0); k > 0 {
		opts = append(opts, nn.KVWidths(k, r.integer("vdim", k)))
	}
	if r.flag("add_bias_kv", false) {
		opts = append(opts, nn.BiasKV)
	}
	if r.flag("add_zero_attn", false) {
		opts = append(opts, nn.ZeroKV)
	}
	if !r.flag("bias", true) {
		opts = append(opts, nn.NoBias)
	}
	l := withState(*nn.NewMultiheadAttention(random.Key(1), width, r.integer("num_heads", 1), opts...), state)
	q, k, v := in["query"], in["key"], in["value"]
	if k.IsZero() {
		k = q
	}
	if v.IsZero() {
		v = k
	}
	swap := func(t nx.Tensor) nx.Tensor { return t }
	if !r.flag("batch_first", false) {
		swap = func(t nx.Tensor) nx.Tensor { return nx.Transpose(t, nx.Axis(1, 0, 2)) }
	}
	attend := append(attnMask(in["attn_mask"], true), keyPadding(in["key_padding_mask"])...)
	y, w := l.Attend(nil, swap(q), swap(k), swap(v), attend...)
	if r.flag("average_attn_weights", true) {
		w = nx.Mean(w, nx.Axis(1))
	}
	return map[string]nx.Tensor{"y": swap(y), "weights": w}
}

// transformer are the options of a transformer's layer.
func (r *learningRun) transformer() (opts []nn.TransformerOption) {
	opts = append(opts, nn.Epsilon(r.number("layer_norm_eps", 1e-5)).(nn.TransformerOption))
	if r.flag("norm_first", false) {
		opts = append(opts, nn.NormFirst)
	}
	if r.text("activation") == "gelu" {
		opts = append(opts, nn.Activation(nx.Gelu))
	}
	if !r.flag("bias", true) {
		opts = append(opts, nn.NoBias)
	}
	return opts
}

func encoderLayer(r *learningRun, in, state map[string]nx.Tensor) map[string]nx.Tensor {
	l := withState(*nn.NewTransformerEncoderLayer(random.Key(1), r.integer("d_model", 1), r.integer("nhead", 1),
		r.integer("dim_feedforward", 1), r.transformer()...), state)
	return map[string]nx.Tensor{"y": l.Attend(nil, in["x"], append(attnMask(in["mask"], true),
		keyPadding(in["padding"])...)...)}
}

func decoderLayer(r *learningRun, in, state map[string]nx.Tensor) map[string]nx.Tensor {
	l := withState(*nn.NewTransformerDecoderLayer(random.Key(1), r.integer("d_model", 1), r.integer("nhead", 1),
		r.integer("dim_feedforward", 1), r.transformer()...), state)
	self := append(attnMask(in["mask"], true), keyPadding(in["padding"])...)
	return map[string]nx.Tensor{"y": l.Decode(nil, in["x"], in["memory"], self, keyPadding(in["memory_padding"]))}
}

// network is a recurrent network of any kind.
type network interface {
	Run(c *nn.Ctx, x nx.Tensor, start nn.State, lengths nx.Tensor) (nx.Tensor, nn.State)
}

func (r *learningRun) network(kind string, state map[string]nx.Tensor) network {
	in, hidden := r.integer("input_size", 1), r.integer("hidden_size", 1)
	layers, both := 1, false
	for name := range state { // the weights tell how many layers there are
		for i := range 9 {
			if strings.HasPrefix(name, "weight_ih_l"+string(rune('0'+i))) {
				layers = max(layers, i+1)
			}
		}
		both = both || strings.HasSuffix(name, "_reverse")
	}
	opts := []nn.RecurrentOption{nn.Layers(layers)}
	if both {
		opts = append(opts, nn.BothDirections)
	}
	if !r.flag("bias", true) {
		opts = append(opts, nn.NoBias)
	}
	if n := r.integer("proj_size", 0); n > 0 {
		opts = append(opts, nn.Projection(n))
	}
	if r.text("nonlinearity") == "relu" {
		opts = append(opts, nn.Activation(nx.Relu))
	}
	switch kind {
	case "LSTM":
		l := withState(*nn.NewLSTM(random.Key(1), in, hidden, opts...), state)
		return &l
	case "GRU":
		l := withState(*nn.NewGRU(random.Key(1), in, hidden, opts...), state)
		return &l
	}
	l := withState(*nn.NewRNN(random.Key(1), in, hidden, opts...), state)
	return &l
}

func recurrent(r *learningRun, in, state map[string]nx.Tensor) map[string]nx.Tensor {
	l := r.network(r.text("layer"), state)
	x := in["x"]
	swap := func(t nx.Tensor) nx.Tensor { return t }
	if x.Rank() == 3 && !r.flag("batch_first", false) {
		swap = func(t nx.Tensor) nx.Tensor { return nx.Transpose(t, nx.Axis(1, 0, 2)) }
	}
	y, end := l.Run(nil, swap(x), nn.State{H: in["h0"], C: in["c0"]}, in["lengths"])
	return map[string]nx.Tensor{"y": swap(y), "h": end.H, "c": end.C}
}

// recurrentCell is a step of a network: a sequence of one element.
func recurrentCell(r *learningRun, in, state map[string]nx.Tensor) map[string]nx.Tensor {
	named := map[string]nx.Tensor{}
	for name, t := range state {
		named[name+"_l0"] = t
	}
	l := r.network(strings.TrimSuffix(r.text("layer"), "Cell"), named)
	start := nn.State{}
	if h := in["h0"]; !h.IsZero() {
		start.H = nx.ExpandAxis(h, nx.Axis(0))
	}
	if c := in["c0"]; !c.IsZero() {
		start.C = nx.ExpandAxis(c, nx.Axis(0))
	}
	x := in["x"]
	if x.Rank() == 1 {
		x = nx.ExpandAxis(x, nx.Axis(0))
	}
	_, end := l.Run(nil, nx.ExpandAxis(x, nx.Axis(1)), start, nx.Tensor{})
	out := map[string]nx.Tensor{"h": nx.Squeeze(end.H, nx.Axis(0))}
	if !end.C.IsZero() {
		out["c"] = nx.Squeeze(end.C, nx.Axis(0))
	}
	return out
}

// Keras.

func kerasAttention(r *learningRun, in, state map[string]nx.Tensor) map[string]nx.Tensor {
	head := func(t nx.Tensor) nx.Tensor { return nx.ExpandAxis(t, nx.Axis(1)) }
	k := in["key"]
	if k.IsZero() {
		k = in["value"]
	}
	q := in["query"]
	if s, ok := state["scale"]; ok {
		q = nx.Mul(q, s)
	}
	opts := []nn.AttendOption{nn.Scale(1)}
	if r.flag("use_causal_mask", false) {
		opts = append(opts, nn.Causal)
	}
	return map[string]nx.Tensor{"y": nx.Squeeze(nn.Attend(head(q), head(k), head(in["value"]), opts...), nx.Axis(1))}
}

func kerasMultihead(r *learningRun, in, state map[string]nx.Tensor) map[string]nx.Tensor {
	q, v := in["query"], in["value"]
	if q.IsZero() {
		q = in["x"]
	}
	if v.IsZero() {
		v = q
	}
	k := in["key"]
	if k.IsZero() {
		k = v
	}
	part := func(name string) (kernel, bias nx.Tensor) {
		for n, t := range state {
			switch {
			case strings.HasSuffix(n, name+"/kernel"):
				kernel = t
			case strings.HasSuffix(n, name+"/bias"):
				bias = t
			}
		}
		return kernel, bias
	}
	project := func(x nx.Tensor, name string) nx.Tensor {
		w, b := part(name)
		y := nx.Einsum("bte,ehd->bhtd", x, w)
		if !b.IsZero() {
			y = nx.Add(y, nx.ExpandAxis(b, nx.Axis(1)))
		}
		return y
	}
	y := nn.Attend(project(q, "query"), project(k, "key"), project(v, "value"))
	w, b := part("attention_output")
	out := nx.Einsum("bhtd,hde->bte", y, w)
	if !b.IsZero() {
		out = nx.Add(out, b)
	}
	return map[string]nx.Tensor{"y": out}
}

// kerasRecurrent has gates z, r, h of a GRU, and i, f, c, o of an LSTM, as columns.
func kerasRecurrent(r *learningRun, in, state map[string]nx.Tensor) map[string]nx.Tensor {
	var kernel, recur, bias nx.Tensor
	for name, t := range state {
		switch {
		case strings.HasSuffix(name, "recurrent_kernel"):
			recur = t
		case strings.HasSuffix(name, "kernel"):
			kernel = t
		case strings.HasSuffix(name, "bias"):
			bias = t
		}
	}
	n := recur.Shape()[0]
	order := func(t nx.Tensor) nx.Tensor {
		if r.text("layer") != "GRU" {
			return t
		}
		p := nx.Split(t, []int{n, n, n}, nx.Axis(-1))
		return nx.Concatenate([]nx.Tensor{p[1], p[0], p[2]}, nx.Axis(-1))
	}
	g := nn.Gates{WeightIH: nx.Transpose(order(kernel)), WeightHH: nx.Transpose(order(recur))}
	if !bias.IsZero() {
		if bias.Rank() == 2 {
			g.BiasIH, g.BiasHH = order(bias.At(0)), order(bias.At(1))
		} else {
			g.BiasIH = order(bias)
		}
	}
	weights := nn.Recurrent{Forward: []nn.Gates{g}}
	var l network
	switch r.text("layer") {
	case "GRU":
		l = &nn.GRU{Recurrent: weights, Hidden: n}
	case "LSTM":
		l = &nn.LSTM{Recurrent: weights, Hidden: n}
	default:
		l = &nn.RNN{Recurrent: weights, Hidden: n, Act: nx.Tanh}
	}
	x := in["x"]
	if r.flag("go_backwards", false) {
		x = nx.Reverse(x, nx.Axis(1))
	}
	y, end := l.Run(nil, x, nn.State{}, nx.Tensor{})
	if !r.flag("return_sequences", false) {
		y = end.H.At(0)
	}
	return map[string]nx.Tensor{"y": y}
}
