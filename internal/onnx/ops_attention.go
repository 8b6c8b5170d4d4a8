package onnx

import (
	"math"
	"slices"

	"github.com/go-nx/nx/dtype"
	"github.com/go-nx/nx/internal/core"
)

// attentionRows are attention and what positions do to it.
func attentionRows() []row {
	return []row{
		{op: "Attention", run: attention},
		single("RotaryEmbedding", rotaryEmbedding),
		{op: "LinearAttention", run: linearAttention},
		row{op: "FlexAttention", run: flexAttention}.in("ai.onnx.preview"),
	}
}

// heads are queries, keys or values: [batch,heads,length,size], or [batch,length,heads,size] where last is set.
type heads struct {
	core.Tensor
	last bool
}

// axis is that of the heads, length that of the positions.
func (h heads) axes() (axis, length int) {
	if h.last {
		return 2, 1
	}
	return 1, 2
}

// count is the number of heads.
func (h heads) count() int {
	axis, _ := h.axes()
	return dims(h.Tensor)[axis]
}

// first brings the heads before the positions.
func (h heads) first() heads {
	if !h.last {
		return h
	}
	return heads{Tensor: core.Transpose(h.Tensor, core.Axis(0, 2, 1, 3))}
}

// headsOf splits the last axis of [batch,length,heads·size]; what has four axes has been split.
func (n *node) headsOf(t core.Tensor, count int) heads {
	shape := dims(t)
	switch {
	case len(shape) == 4:
		return heads{Tensor: t}
	case len(shape) != 3 || count < 1 || shape[2]%count != 0:
		n.fail("an operand of the shape %v and %d heads", shape, count)
	}
	return heads{core.Reshape(t, shape[0], shape[1], count, shape[2]/count), true}
}

// scores are the products of queries and keys [batch,heads,queries,keys]: a head of keys is that of successive heads of
// queries.
func (n *node) scores(q, k heads) core.Tensor {
	if q.count() == k.count() {
		qa, _ := q.axes()
		ka, _ := k.axes()
		return core.DotGeneral(q.Tensor, k.Tensor, core.DotDims{BatchA: []int{0, qa}, BatchB: []int{0, ka},
			ContractA: []int{3}, ContractB: []int{3}})
	}
	q, k = q.first(), k.first()
	s := core.DotGeneral(n.grouped(q.Tensor, k.count()), k.Tensor, core.DotDims{BatchA: []int{0, 1},
		BatchB: []int{0, 1}, ContractA: []int{4}, ContractB: []int{3}})
	return core.Reshape(s, dims(q.Tensor)[0], q.count(), dims(q.Tensor)[2], dims(k.Tensor)[2])
}

// weighted is the sum of values by the probabilities [batch,heads,queries,keys]: [batch,heads,queries,size].
func (n *node) weighted(p core.Tensor, v heads) core.Tensor {
	shape := dims(p)
	if shape[1] == v.count() {
		va, vl := v.axes()
		return core.DotGeneral(p, v.Tensor, core.DotDims{BatchA: []int{0, 1}, BatchB: []int{0, va},
			ContractA: []int{3}, ContractB: []int{vl}})
	}
	v = v.first()
	y := core.DotGeneral(n.grouped(p, v.count()), v.Tensor, core.DotDims{BatchA: []int{0, 1}, BatchB: []int{0, 1},
		ContractA: []int{4}, ContractB: []int{2}})
	return core.Reshape(y, shape[0], shape[1], shape[2], dims(v.Tensor)[3])
}

// grouped splits the heads of queries into groups for those of keys.
func (n *node) grouped(t core.Tensor, groups int) core.Tensor {
	s := dims(t)
	if groups < 1 || s[1]%groups != 0 {
		n.fail("%d heads of queries are not shared by %d heads of keys", s[1], groups)
	}
	return core.Reshape(t, s[0], groups, s[1]/groups, s[2], s[3])
}

// scaled multiplies queries and keys by the roots of a scale.
func scaled(q, k *heads, scale float64) {
	root := math.Sqrt(scale)
	switch {
	case q.DType().Bits() < 32: // as the definition rounds
		q.Tensor, k.Tensor = core.Mul(q.Tensor, root), core.Mul(k.Tensor, root)
	case q.Size() < k.Size():
		q.Tensor = core.Mul(q.Tensor, scale)
	default:
		k.Tensor = core.Mul(k.Tensor, scale)
	}
}

// attention is Attention: softmax(softcap(Q·K·scale) + mask)·V, with the keys and values so far as other results.
func attention(n *node) []Value {
	q := n.headsOf(n.in(0), n.attrInt("q_num_heads", 0))
	k, v := n.headsOf(n.in(1), n.attrInt("kv_num_heads", 0)), n.headsOf(n.in(2), n.attrInt("kv_num_heads", 0))
	past := 0
	if n.has(4) != n.has(5) {
		n.fail("the keys before are given without the values, or these without those")
	}
	if n.has(4) || n.wants(1) || n.wants(2) {
		k, v = k.first(), v.first()
	}
	if n.has(4) {
		past = dims(n.in(4))[2]
		k.Tensor = core.Concatenate([]core.Tensor{n.in(4), k.Tensor}, core.Axis(2))
		v.Tensor = core.Concatenate([]core.Tensor{n.in(5), v.Tensor}, core.Axis(2))
	}
	presentKey, presentValue := k.Tensor, v.Tensor
	d := q.DType()
	scaled(&q, &k, n.attrFloat("scale", 1/math.Sqrt(float64(dims(q.Tensor)[3]))))
	s := n.scores(q, k)
	shown := s // by qk_matmul_output_mode
	mode := n.attrInt("qk_matmul_output_mode", 0)
	if limit := n.attrFloat("softcap", 0); limit > 0 {
		s = core.Mul(core.Tanh(core.Div(s, limit)), limit)
	}
	if mode == 1 {
		shown = s
	}
	s, empty := n.masked(s, past)
	if mode == 2 {
		shown = s
	}
	p := sameType(s, n.attrType("softmax_precision", d))
	if !empty.IsZero() {
		p = core.Where(empty, 0, softmax(core.Where(empty, 0, p), -1))
	} else {
		p = softmax(p, -1)
	}
	p = sameType(p, d)
	if mode == 3 {
		shown = p
	}
	y := n.weighted(p, heads{sameType(v.Tensor, d), v.last})
	if shape := dims(y); n.in(0).Rank() == 3 {
		y = core.Reshape(core.Transpose(y, core.Axis(0, 2, 1, 3)), shape[0], shape[2], shape[1]*shape[3])
	}
	return tensors(sameType(y, n.in(2).DType()), presentKey, presentValue, shown)
}

// masked adds the masks of Attention to scores: the operand, and positions that come later, are outside of the window,
// or are not filled. empty says in which rows nothing is left; it is absent where that cannot be.
func (n *node) masked(s core.Tensor, past int) (masked, empty core.Tensor) {
	batch, queries, keys := dims(s)[0], dims(s)[2], dims(s)[3]
	infinite := math.Inf(-1)
	var allowed, bias core.Tensor // that are broadcast to the scores
	also := func(t core.Tensor) {
		if allowed.IsZero() {
			allowed = t
		} else {
			allowed = core.LogicalAnd(allowed, t)
		}
	}
	certain := true // that each row has a key
	if mask, ok := n.opt(3); ok {
		certain = false
		if missing := keys - dims(mask)[max(mask.Rank()-1, 0)]; missing > 0 && dims(mask)[mask.Rank()-1] != 1 {
			pads := make([][2]int, mask.Rank())
			pads[mask.Rank()-1][1] = missing
			if mask.DType() == dtype.Bool {
				mask = core.Pad(mask, false, pads...)
			} else {
				mask = core.Pad(mask, infinite, pads...)
			}
		}
		if mask.Rank() < 4 {
			mask = core.Reshape(mask, slices.Concat(slices.Repeat([]int{1}, 4-mask.Rank()), dims(mask))...)
		}
		if mask.DType() == dtype.Bool {
			also(mask)
		} else {
			bias = sameType(mask, s.DType())
		}
	}
	// Positions: that of a query among the keys is behind those before it.
	at := func(axis int) core.Tensor {
		shape := core.Shape{1, 1, 1, 1}
		shape[axis] = []int{queries, keys}[axis-2]
		return core.Iota(shape, dtype.S32, core.Axis(axis))
	}
	position := core.Add(at(2), past)
	if filled, ok := n.opt(6); ok {
		certain = false
		filled = core.Reshape(core.Cast(filled, dtype.S32), batch, 1, 1, 1)
		also(core.Less(at(3), filled))
		if past == 0 && !n.has(4) {
			position = core.Add(at(2), core.Sub(filled, queries))
		}
	}
	if n.attrBool("is_causal") {
		also(core.LessEqual(at(3), position))
	}
	left, right := n.attrInt("left_window_size", -1), n.attrInt("right_window_size", -1)
	if left >= 0 {
		certain = false
		also(core.GreaterEqual(at(3), core.Sub(position, min(left, maxPad))))
	}
	if right >= 0 {
		also(core.LessEqual(at(3), core.Add(position, min(right, maxPad))))
	}
	if !bias.IsZero() {
		s = core.Add(s, bias)
	}
	if !allowed.IsZero() {
		s = core.Where(allowed, s, infinite)
	}
	if certain {
		return s, core.Tensor{}
	}
	if !bias.IsZero() {
		also(core.NotEqual(bias, infinite))
	}
	return s, core.LogicalNot(core.Any(allowed, core.Axis(3), core.KeepAxes))
}

// rotaryEmbedding is RotaryEmbedding: pairs of elements of a head are turned by angles of the position, whose cosines
// and sines are given: those of halves of the first elements, or those next to each other.
func rotaryEmbedding(n *node) core.Tensor {
	x := n.in(0)
	h := n.headsOf(wideFloat(x), n.attrInt("num_heads", 0))
	axis, along := h.axes()
	batch, length, size := dims(x)[0], dims(h.Tensor)[along], dims(h.Tensor)[3]
	turned := n.attrInt("rotary_embedding_dim", 0)
	if turned == 0 {
		turned = size
	}
	if turned < 0 || turned > size || turned%2 != 0 {
		n.fail("%d of the %d elements of a head are turned", turned, size)
	}
	angle := func(i int) core.Tensor {
		t := sameType(n.in(i), h.DType())
		if p, ok := n.opt(3); ok {
			t = core.Take(t, p, core.Axis(0))
		}
		if t.Rank() != 3 || dims(t)[1] != length || dims(t)[2] != turned/2 {
			n.fail("operand %d has the shape %v for %d positions and %d pairs", i, dims(t), length, turned/2)
		}
		return core.ExpandAxis(core.BroadcastTo(t, batch, length, turned/2), core.Axis(axis))
	}
	cos, sin := angle(1), angle(2)
	part := h.Tensor.At(core.Ellipsis, core.To(turned))
	var a, b core.Tensor
	interleaved := n.attrBool("interleaved")
	if interleaved {
		a, b = part.At(core.Ellipsis, core.From(0).Step(2)), part.At(core.Ellipsis, core.From(1).Step(2))
	} else {
		a, b = part.At(core.Ellipsis, core.To(turned/2)), part.At(core.Ellipsis, core.From(turned/2))
	}
	real, imag := core.Sub(core.Mul(cos, a), core.Mul(sin, b)), core.Add(core.Mul(sin, a), core.Mul(cos, b))
	var y core.Tensor
	if interleaved {
		y = core.Reshape(core.Stack([]core.Tensor{real, imag}, core.Axis(-1)), dims(part)...)
	} else {
		y = core.Concatenate([]core.Tensor{real, imag}, core.Axis(-1))
	}
	if turned < size {
		y = core.Concatenate([]core.Tensor{y, h.Tensor.At(core.Ellipsis, core.From(turned))}, core.Axis(-1))
	}
	return sameType(core.Reshape(y, dims(x)...), x.DType())
}

// linearAttention is LinearAttention: a state of keys and values that each position decays, corrects and adds to, and
// that its query reads.
func linearAttention(n *node) []Value {
	queries, shared := n.attrInt("q_num_heads", 0), n.attrInt("kv_num_heads", 0)
	if shared < 1 || queries%shared != 0 || n.in(0).Rank() != 3 {
		n.fail("%d heads of queries, %d of keys, and operands of rank %d", queries, shared, n.in(0).Rank())
	}
	// split makes [length,batch,heads,size] of [batch,length,heads·size].
	split := func(i, count int) core.Tensor {
		return core.Transpose(n.headsOf(core.Cast(n.in(i), dtype.F32), count).Tensor, core.Axis(1, 0, 2, 3))
	}
	q, k, v := split(0, queries), split(1, shared), split(2, shared)
	length, batch, size, width := dims(q)[0], dims(q)[1], dims(k)[3], dims(v)[3]
	scale := n.attrFloat("scale", 0)
	if scale == 0 {
		scale = 1 / math.Sqrt(float64(size))
	}
	q = core.Reshape(core.Mul(q, scale), length, batch, shared, queries/shared, dims(q)[3])
	rule := n.attrString("update_rule", "gated_delta")
	decays, corrects := rule == "gated" || rule == "gated_delta", rule == "delta" || rule == "gated_delta"
	if !decays && !corrects && rule != "linear" || decays != n.has(4) || corrects != n.has(5) {
		n.fail("the rule %q with decay: %v, beta: %v", rule, n.has(4), n.has(5))
	}
	rows := []core.Tensor{q, k, v}
	if decays { // of a head, or of each of its elements
		rows = append(rows, core.Exp(split(4, shared)))
	}
	if corrects {
		count := shared
		if dims(n.in(5))[max(n.in(5).Rank()-1, 0)] == 1 {
			count = 1
		}
		rows = append(rows, split(5, count))
	}
	state, stateType := core.Zeros(core.Shape{batch, shared, size, width}, dtype.F32), n.in(0).DType()
	if t, ok := n.opt(3); ok {
		state, stateType = core.Cast(t, dtype.F32), t.DType()
	}
	pairs := core.DotDims{BatchA: []int{0, 1}, BatchB: []int{0, 1}, ContractA: []int{2}, ContractB: []int{2}}
	last, ys := core.Scan(state, rows, func(state core.Tensor, row []core.Tensor) (next, y core.Tensor) {
		q, k, v := row[0], row[1], row[2]
		if decays {
			state = core.Mul(state, core.ExpandAxis(row[3], core.Axis(3)))
		}
		if corrects {
			v = core.Mul(row[len(row)-1], core.Sub(v, core.DotGeneral(state, k, pairs)))
		}
		state = core.Add(state, core.Mul(core.ExpandAxis(k, core.Axis(3)), core.ExpandAxis(v, core.Axis(2))))
		return state, core.DotGeneral(q, state, core.DotDims{BatchA: []int{0, 1}, BatchB: []int{0, 1},
			ContractA: []int{3}, ContractB: []int{2}})
	})
	// [length,batch,shared,group,width]
	y := core.Reshape(core.Transpose(ys, core.Axis(1, 0, 2, 3, 4)), batch, length, queries*width)
	return tensors(sameType(y, n.in(0).DType()), sameType(last, stateType))
}

// flexAttention is FlexAttention of ai.onnx.preview: attention whose graphs change the scores and the probabilities.
func flexAttention(n *node) []Value {
	q, k, v := heads{Tensor: n.in(0)}, heads{Tensor: n.in(1)}, heads{Tensor: n.in(2)}
	if q.Rank() != 4 || k.Rank() != 4 || v.Rank() != 4 {
		n.fail("the operands have the ranks %d, %d and %d, not 4", q.Rank(), k.Rank(), v.Rank())
	}
	scaled(&q, &k, n.attrFloat("scale", 1/math.Sqrt(float64(dims(q.Tensor)[3]))))
	s := n.scores(q, k)
	d := n.attrType("softmax_precision", wideFloat(s).DType())
	changed := func(name string, t core.Tensor) core.Tensor {
		if n.attr(name) == nil {
			return t
		}
		return sameType(n.subTensors(n.graph(name), tensors(t))[0], d)
	}
	p := changed("score_mod", sameType(s, d))
	p = changed("prob_mod", softmax(p, -1))
	y := n.weighted(p, heads{Tensor: sameType(v.Tensor, d)})
	return one(sameType(y, n.in(2).DType()))
}
