package onnx

import (
	"math"

	"github.com/go-nx/nx/dtype"
	"github.com/go-nx/nx/internal/core"
)

// attending has the operands of attention: q [batch, heads, queries, size], k and v [batch, key heads, keys, size].
type attending struct {
	q, k, v core.Tensor
	// bias is added to the scaled products, of a shape that broadcasts to [batch, heads, queries, keys]; absent for
	// none.
	bias core.Tensor
	// allowed says which keys a query sees, of such a shape, too; absent for all.
	allowed core.Tensor
	scale   float64 // 0 for 1/√size
	softcap float64 // limits products by tanh, 0 for none
	// sink is the logarithm of what each head adds to the sum of its softmax; absent for nothing.
	sink core.Tensor
}

// run returns the result [batch, heads, queries, size], and the probabilities.
func (a attending) run(n *node) (out, probabilities core.Tensor) {
	q, k, v := wide(a.q), wide(a.k), wide(a.v)
	batch, heads, queries, size := dims(q)[0], dims(q)[1], dims(q)[2], dims(q)[3]
	group, keys := dims(k)[1], dims(k)[2]
	if group == 0 || heads%group != 0 {
		n.fail("%d heads of queries and %d of keys", heads, group)
	}
	scale := a.scale
	if scale == 0 {
		scale = 1 / math.Sqrt(float64(size))
	}
	q = core.Reshape(q, batch, group, heads/group*queries, size)
	two := []int{0, 1}
	s := core.DotGeneral(q, k, core.DotDims{ContractA: []int{3}, ContractB: []int{3}, BatchA: two, BatchB: two})
	s = core.Reshape(core.Mul(s, scale), batch, heads, queries, keys)
	if a.softcap > 0 {
		s = core.Mul(core.Tanh(core.Div(s, a.softcap)), a.softcap)
	}
	if !a.bias.IsZero() {
		s = core.Add(s, wide(a.bias))
	}
	if !a.allowed.IsZero() {
		s = core.Where(a.allowed, s, math.Inf(-1))
	}
	p := core.Tensor{}
	if a.sink.IsZero() && a.allowed.IsZero() {
		p = core.Softmax(s)
	} else {
		high := core.Max(s, core.Axis(-1), core.KeepAxes)
		if !a.sink.IsZero() {
			high = core.Maximum(high, a.sink)
		}
		high = core.Maximum(high, -math.MaxFloat32)
		e := core.Exp(core.Sub(s, high))
		sum := core.Sum(e, core.Axis(-1), core.KeepAxes)
		if !a.sink.IsZero() {
			sum = core.Add(sum, core.Exp(core.Sub(a.sink, high)))
		}
		p = core.Div(e, core.Where(core.Equal(sum, 0), 1, sum))
	}
	r := core.DotGeneral(core.Reshape(p, batch, group, heads/group*queries, keys), v,
		core.DotDims{ContractA: []int{3}, ContractB: []int{2}, BatchA: two, BatchB: two})
	out = core.Reshape(r, batch, heads, queries, dims(v)[3])
	return sameType(out, a.q.DType()), sameType(p, a.q.DType())
}

// heads splits [batch, sequence, heads·size] into [batch, heads, sequence, size].
func (n *node) heads(t core.Tensor, heads int) core.Tensor {
	if t.Rank() != 3 || heads < 1 || dims(t)[2]%heads != 0 {
		n.fail("%d heads of the shape %v", heads, dims(t))
	}
	t = core.Reshape(t, dims(t)[0], dims(t)[1], heads, -1)
	return core.Transpose(t, core.Axis(0, 2, 1, 3))
}

// joined is the inverse of heads.
func joined(t core.Tensor) core.Tensor {
	s := dims(t)
	return core.Reshape(core.Transpose(t, core.Axis(0, 2, 1, 3)), s[0], s[2], s[1]*s[3])
}

// causal says that a query sees the keys up to its own place, which is after those of the past, and the last query all.
func causal(queries, keys, past int) core.Tensor {
	row := core.Iota(core.Shape{queries, keys}, dtype.S32, core.Axis(0))
	column := core.Iota(core.Shape{queries, keys}, dtype.S32, core.Axis(1))
	return core.LogicalOr(core.LessEqual(column, core.Add(row, past)), core.Equal(row, queries-1))
}

// maskBias is what a mask of keys adds to the products: 0 for those that are seen, a number far below for others. The
// mask has the ends of the keys of each row, ends and starts, or a number that is positive for each key, for each query
// and key, or a square of which it is the lower right part.
func (n *node) maskBias(i, batch, queries, keys int) core.Tensor {
	m, ok := n.opt(i)
	if !ok {
		return core.Tensor{}
	}
	var seen core.Tensor
	s := dims(m)
	place := core.Iota(core.Shape{1, keys}, dtype.S32, core.Axis(1))
	ends := func(from int) core.Tensor {
		return core.Reshape(core.Slice(m, []int{from}, []int{batch}), batch, 1)
	}
	switch {
	case len(s) == 1 && s[0] == batch:
		seen = core.Less(place, ends(0))
	case len(s) == 1 && s[0] == 2*batch:
		seen = core.LogicalAnd(core.Less(place, ends(0)), core.GreaterEqual(place, ends(batch)))
	case len(s) == 2 && s[0] == batch && s[1] == keys:
		seen = core.Greater(m, 0)
	case len(s) == 3 && s[1] == queries && s[2] == keys:
		seen = core.ExpandAxis(core.Greater(m, 0), core.Axis(1))
	case len(s) == 4 && s[2] >= keys && s[3] >= keys:
		seen = core.Greater(core.Slice(m, []int{0, 0, keys - queries, 0}, []int{s[0], s[1], queries, keys}), 0)
	default:
		n.fail("a mask of the shape %v for %d rows of %d queries and %d keys is not supported", s, batch, queries, keys)
	}
	if seen.Rank() == 2 {
		seen = core.Reshape(seen, dims(seen)[0], 1, 1, keys)
	}
	return core.Where(seen, core.Zeros(core.Shape{}, dtype.F32), n.attrFloat("mask_filter_value", -10000))
}

func sumOfBiases(a, b core.Tensor) core.Tensor {
	switch {
	case a.IsZero():
		return b
	case b.IsZero():
		return a
	}
	return core.Add(wide(a), wide(b))
}

// attentionMS is self-attention with the projections of queries, keys and values in one matrix.
func attentionMS(n *node) []Value {
	x := n.in(0)
	y := core.Dot(wide(x), wide(n.in(1)))
	if b, ok := n.opt(2); ok {
		y = core.Add(y, wide(b))
	}
	return n.selfAttention(sameType(y, x.DType()), n.attrInts("qkv_hidden_sizes"), 3, 4, 5)
}

// selfAttention attends by projections of queries, keys and values, that are side by side.
func (n *node) selfAttention(y core.Tensor, sizes []int, mask, past, bias int) []Value {
	if n.attrBool("do_rotary") || n.attrBool("past_present_share_buffer") {
		n.fail("rotary embeddings and caches in place are not supported in it")
	}
	if y.Rank() != 3 {
		n.fail("the projections have the shape %v", dims(y))
	}
	width := dims(y)[2]
	if len(sizes) == 0 {
		sizes = []int{width / 3, width / 3, width / 3}
	}
	if len(sizes) != 3 || sizes[0]+sizes[1]+sizes[2] != width {
		n.fail("the sizes %v do not add up to %d", sizes, width)
	}
	parts := core.Split(y, sizes, core.Axis(2))
	heads := n.attrInt("num_heads", 1)
	a := attending{q: n.heads(parts[0], heads), k: n.heads(parts[1], heads), v: n.heads(parts[2], heads),
		scale: n.attrFloat("scale", 0)}
	results := make([]core.Tensor, 1, 2)
	if p, ok := n.opt(past); ok {
		s := dims(p)
		if len(s) != 5 || s[0] != 2 {
			n.fail("the past has the shape %v, it must be [2, batch, heads, sequence, size]", s)
		}
		before := core.Split(p, []int{1, 1}, core.Axis(0))
		a.k = core.Concatenate([]core.Tensor{core.Squeeze(before[0], core.Axis(0)), a.k}, core.Axis(2))
		a.v = core.Concatenate([]core.Tensor{core.Squeeze(before[1], core.Axis(0)), a.v}, core.Axis(2))
	}
	if n.wants(1) {
		results = append(results, core.Stack([]core.Tensor{a.k, a.v}))
	}
	batch, queries, keys := dims(y)[0], dims(y)[1], dims(a.k)[2]
	a.bias = n.maskBias(mask, batch, queries, keys)
	if bias > 0 {
		if b, ok := n.opt(bias); ok {
			a.bias = sumOfBiases(a.bias, b)
		}
	}
	if n.attrBool("unidirectional") {
		a.allowed = causal(queries, keys, keys-queries)
	}
	out, _ := a.run(n)
	results[0] = joined(out)
	return tensors(results...)
}

// qAttention is [attentionMS] of quantised operands.
func qAttention(n *node) []Value {
	sums := n.products(n.in(0), n.in(1), n.zeroPoint(6), n.zeroPoint(7))
	scale := core.Mul(core.Reshape(n.in(3)), ofColumns(n.in(4)))
	y := core.Add(core.Mul(core.Cast(sums, dtype.F32), sameType(scale, dtype.F32)), wide(n.in(2)))
	return n.selfAttention(sameType(y, n.in(2).DType()), nil, 5, 8, -1)
}

// multiHeadAttention is attention of queries, keys and values, which may be packed, with the bias of their projections.
func multiHeadAttention(n *node) []Value {
	if n.has(8) || n.has(9) {
		n.fail("caches in place are not supported in it")
	}
	heads := n.attrInt("num_heads", 1)
	q := n.in(0)
	k, hasK := n.opt(1)
	v, hasV := n.opt(2)
	part := func(t core.Tensor, i int) core.Tensor { // of [batch, sequence, heads, parts, size]
		s := dims(t)
		t = core.Slice(t, []int{0, 0, 0, i, 0}, []int{s[0], s[1], s[2], 1, s[4]})
		return core.Reshape(t, s[0], s[1], s[2]*s[4])
	}
	switch {
	case q.Rank() == 5:
		q, k, v = part(q, 0), part(q, 1), part(q, 2)
	case hasK && k.Rank() == 5:
		k, v = part(k, 0), part(k, 1)
	case !hasK || !hasV:
		n.fail("keys or values are missing")
	}
	if b, ok := n.opt(3); ok {
		size, vSize := dims(q)[2], dims(b)[0]-2*dims(q)[2]
		if b.Rank() != 1 || vSize < 0 {
			n.fail("the bias has the shape %v for projections of %d", dims(b), size)
		}
		parts := core.Split(b, []int{size, size, vSize})
		q = core.Add(q, parts[0])
		if k.Rank() == 3 {
			k, v = core.Add(k, parts[1]), core.Add(v, parts[2])
		}
	}
	a := attending{q: n.heads(q, heads), k: k, v: v, scale: n.attrFloat("scale", 0)}
	if k.Rank() == 3 {
		a.k = n.heads(k, heads)
	}
	if v.Rank() == 3 {
		a.v = n.heads(v, heads)
	}
	added := dims(a.k)[2]
	if past, ok := n.opt(6); ok {
		a.k = core.Concatenate([]core.Tensor{past, a.k}, core.Axis(2))
	}
	if past, ok := n.opt(7); ok {
		a.v = core.Concatenate([]core.Tensor{past, a.v}, core.Axis(2))
	}
	batch, queries, keys := dims(q)[0], dims(q)[1], dims(a.k)[2]
	a.bias = n.maskBias(4, batch, queries, keys)
	if b, ok := n.opt(5); ok {
		a.bias = sumOfBiases(a.bias, b)
	}
	if n.attrBool("unidirectional") {
		a.allowed = causal(queries, keys, keys-added)
	}
	out, p := a.run(n)
	return tensors(joined(out), a.k, a.v, p)
}

// rotated turns pairs of elements of [batch, heads, sequence, size] by angles, whose cosines and sines are
// [batch, 1, sequence, half]: elements i and half+i, or neighbours. What is beyond them stays.
func rotated(x, cos, sin core.Tensor, interleaved bool) core.Tensor {
	half := dims(cos)[3]
	s := dims(x)
	rest := core.Tensor{}
	y := wide(x)
	if s[3] > 2*half {
		parts := core.Split(y, []int{2 * half, s[3] - 2*half}, core.Axis(3))
		y, rest = parts[0], parts[1]
	}
	cos, sin = wide(cos), wide(sin)
	axis := 3
	if interleaved {
		y, axis = core.Reshape(y, s[0], s[1], s[2], half, 2), 4
	} else {
		y = core.Reshape(y, s[0], s[1], s[2], 2, half)
	}
	parts := core.Split(y, []int{1, 1}, core.Axis(axis))
	a, b := core.Squeeze(parts[0], core.Axis(axis)), core.Squeeze(parts[1], core.Axis(axis))
	y = core.Stack([]core.Tensor{core.Sub(core.Mul(a, cos), core.Mul(b, sin)),
		core.Add(core.Mul(b, cos), core.Mul(a, sin))}, core.Axis(axis))
	y = core.Reshape(y, s[0], s[1], s[2], 2*half)
	if !rest.IsZero() {
		y = core.Concatenate([]core.Tensor{y, rest}, core.Axis(3))
	}
	return sameType(y, x.DType())
}

// rotaryEmbeddingMS turns pairs of elements by their places in the sequence.
func rotaryEmbeddingMS(n *node) core.Tensor {
	x, at, cos, sin := n.in(0), n.in(1), n.in(2), n.in(3)
	y := x
	if x.Rank() == 3 {
		heads := n.attrInt("num_heads", 0)
		if n.attrInt("rotary_embedding_dim", 0) == 0 {
			heads = dims(x)[2] / max(2*dims(cos)[1], 1)
		}
		y = n.heads(x, heads)
	}
	length := dims(y)[2]
	if at.Size() == 1 {
		at = core.Add(core.Reshape(at, 1, 1), core.Iota(core.Shape{1, length}, at.DType(), core.Axis(1)))
	}
	pick := func(t core.Tensor) core.Tensor { return core.ExpandAxis(core.Take(t, at), core.Axis(1)) }
	y = rotated(y, pick(cos), pick(sin), n.attrBool("interleaved"))
	if x.Rank() == 3 {
		return joined(y)
	}
	return y
}
