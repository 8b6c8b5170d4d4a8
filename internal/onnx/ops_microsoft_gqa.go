package onnx

import (
	"github.com/go-nx/nx/dtype"
	"github.com/go-nx/nx/internal/core"
)

// groupQueryAttention is causal attention of groups of heads with shared keys and values, and a cache of those: keys
// and values of a call are put after those of the past, of which each row of the batch may have another number.
func groupQueryAttention(n *node) []Value {
	for _, i := range []int{12, 13, 16} {
		if n.has(i) {
			n.fail("quantised caches and padded chunks of queries are not supported in it")
		}
	}
	if n.attrBool("sliding_window_cache") || n.attrBool("qk_output") {
		n.fail("caches of the size of a window, and the products as a result, are not supported in it")
	}
	heads, groups := n.attrInt("num_heads", 1), n.attrInt("kv_num_heads", 1)
	if heads < 1 || groups < 1 || heads > 1<<16 || groups > heads {
		n.fail("it has %d heads, %d of keys", heads, groups)
	}
	q := n.in(0)
	k, packed := n.opt(1)
	v, _ := n.opt(2)
	if packed = !packed; packed {
		size := dims(q)[2] / (heads + 2*groups)
		parts := core.Split(q, []int{heads * size, groups * size, groups * size}, core.Axis(2))
		q, k, v = parts[0], parts[1], parts[2]
	}
	q = n.heads(q, heads)
	// A cache of a model's input, that is new: keys of a past in the form of heads.
	for _, t := range []*core.Tensor{&k, &v} {
		if t.Rank() == 3 {
			*t = n.heads(*t, groups)
		}
	}
	batch, queries := dims(q)[0], dims(q)[2]
	if w, ok := n.opt(14); ok {
		q = headNorm(q, w, n.attrFloat("q_norm_epsilon", n.attrFloat("qk_norm_epsilon", 1e-6)))
	}
	if w, ok := n.opt(15); ok {
		k = headNorm(k, w, n.attrFloat("k_norm_epsilon", n.attrFloat("qk_norm_epsilon", 1e-6)))
	}
	total := n.int(6)
	if total < 1 || total > 1<<24 {
		n.fail("the total length is %d", total)
	}
	lengths := core.Add(core.Cast(core.Reshape(n.in(5), -1), dtype.S32), 1) // of all keys of each row
	first := queries == total
	past := core.Zeros(core.Shape{batch}, dtype.S32)
	if !first {
		past = core.Sub(lengths, queries)
	}
	row := core.Add(core.Reshape(past, -1, 1), core.Iota(core.Shape{1, queries}, dtype.S32, core.Axis(1))) // places
	if n.attrBool("do_rotary") {
		at := core.Tensor(row)
		if given, ok := n.opt(9); ok {
			at = core.Cast(given, dtype.S32)
			if at.Size() == 1 && queries > 1 {
				at = core.Add(core.Reshape(at, 1, 1), core.Iota(core.Shape{1, queries}, dtype.S32, core.Axis(1)))
			}
		}
		pick := func(i int) core.Tensor { return core.ExpandAxis(core.Take(n.in(i), at), core.Axis(1)) }
		cos, sin := pick(7), pick(8)
		interleaved := n.attrBool("rotary_interleaved")
		q, k = rotated(q, cos, sin, interleaved), rotated(k, cos, sin, interleaved)
	}
	k, v = n.cached(3, k, past, total, first), n.cached(4, v, past, total, first)
	keys := dims(k)[2]
	place := core.Iota(core.Shape{1, 1, keys}, dtype.S32, core.Axis(2))
	own := core.ExpandAxis(row, core.Axis(2))
	a := attending{q: q, k: k, v: v, scale: n.attrFloat("scale", 0), softcap: n.attrFloat("softcap", 0)}
	if n.attrInt("causal", 1) != 0 {
		a.allowed = core.LessEqual(place, own)
	} else {
		a.allowed = core.Less(place, core.Reshape(lengths, -1, 1, 1))
	}
	if w := n.attrInt("local_window_size", -1); w > 0 {
		a.allowed = core.LogicalAnd(a.allowed, core.Greater(core.Add(place, w), own))
	}
	a.allowed = core.ExpandAxis(a.allowed, core.Axis(1))
	if b, ok := n.opt(10); ok {
		if size := dims(b)[3]; size < keys {
			b = core.Pad(b, 0, [2]int{}, [2]int{}, [2]int{}, [2]int{0, keys - size})
		} else if size > keys {
			b = core.Slice(b, make([]int, 4), []int{dims(b)[0], dims(b)[1], dims(b)[2], keys})
		}
		a.bias = b
	}
	if sink, ok := n.opt(11); ok {
		a.sink = core.Reshape(wide(sink), 1, -1, 1, 1)
	} else if n.attrInt("smooth_softmax", -1) == 1 {
		a.sink = core.Zeros(core.Shape{1, 1, 1, 1}, dtype.F32)
	}
	out, _ := a.run(n)
	return tensors(joined(out), k, v)
}

// headNorm divides each head by the root of the mean of its squares.
func headNorm(x, weight core.Tensor, epsilon float64) core.Tensor {
	return sameType(core.Mul(normedBy(x, 3, epsilon, true).y, wide(weight)), x.DType())
}

// cached returns keys or values after those of a past, of which a row has past[row], in a cache that holds the total.
// What is after them is 0.
func (n *node) cached(i int, x, past core.Tensor, total int, first bool) core.Tensor {
	old, ok := n.opt(i)
	if !ok || dims(old)[2] == 0 {
		return x
	}
	s, added := dims(old), dims(x)[2]
	size := max(s[2], total)
	if first { // the past is not read
		return core.Pad(x, 0, [2]int{}, [2]int{}, [2]int{0, size - added}, [2]int{})
	}
	all := core.Concatenate([]core.Tensor{old, x}, core.Axis(2))
	begin := core.Reshape(past, -1, 1)
	place := core.Iota(core.Shape{1, size}, dtype.S32, core.Axis(1))
	index := core.Where(core.Less(place, begin), place, core.Add(core.Sub(place, begin), s[2]))
	index = core.BroadcastTo(core.Reshape(index, -1, 1, size, 1), s[0], s[1], size, s[3])
	in := core.Reshape(core.Less(place, core.Add(begin, added)), -1, 1, size, 1)
	return core.Where(in, core.TakeAlong(all, index, core.Axis(2)), 0)
}
