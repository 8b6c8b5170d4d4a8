package generate

import (
	"github.com/go-nx/nx"
	"github.com/go-nx/nx/nn"
	"github.com/go-nx/nx/transformers"
	"github.com/go-nx/nx/tree"
)

// network is a network that predicts tokens and keeps what it has seen in a cache.
type network interface {
	Step(c *nn.Ctx, cache transformers.Cache, ids, start, end nx.Tensor, keys int) (nx.Tensor, transformers.Cache)
	Logits(c *nn.Ctx, x nx.Tensor) nx.Tensor
}

// The compiled functions are shared by all generators: their code depends on the types and settings of a network only.
var (
	prefill     = nx.Jit(prefillStep, nx.Donate(1))
	decode      = nx.Jit(decodeStep, nx.Donate(1))
	decodeBeams = nx.Jit(decodeBeamsStep, nx.Donate(1))
	encode      = nx.Jit(encodeStep)
	remember    = nx.Jit(rememberStep, nx.Donate(0))
)

// prefillStep computes tokens [1, n] of one slot behind the start positions that it has, of a prompt that has end, and
// the scores behind token last.
func prefillStep(net network, cache transformers.Cache, ids, slot, start, end, last nx.Tensor,
	keys int) (nx.Tensor, transformers.Cache) {
	ctx := &nn.Ctx{Model: net}
	at := func(t nx.Tensor) []nx.Tensor {
		list := []nx.Tensor{slot}
		for range t.Rank() - 1 {
			list = append(list, nx.Zeros(nx.Shape{}, nx.S32))
		}
		return list
	}
	one := tree.Map(func(t nx.Tensor) nx.Tensor {
		if t.IsZero() {
			return t
		}
		return nx.Slice(t, at(t), append([]int{1}, t.Shape()[1:]...))
	}, cache)
	x, one := net.Step(ctx, one, ids, nx.Reshape(start, 1), nx.Reshape(end, 1), keys)
	zero := nx.Zeros(nx.Shape{}, nx.S32)
	x = nx.Slice(x, []nx.Tensor{zero, last, zero}, []int{1, 1, x.Shape()[2]})
	put := func(list, rows []nx.Tensor) (out []nx.Tensor) {
		for i, t := range list {
			out = append(out, nx.SetSlice(t, rows[i], slot, 0, 0, 0))
		}
		return out
	}
	cache.K, cache.V = put(cache.K, one.K), put(cache.V, one.V)
	return nx.Reshape(net.Logits(ctx, x), -1), cache
}

// decodeStep computes one token of each slot: ids [slots, 1], start [slots] → [slots, vocabulary].
func decodeStep(net network, cache transformers.Cache, ids, start nx.Tensor, keys int) (nx.Tensor, transformers.Cache) {
	ctx := &nn.Ctx{Model: net}
	x, cache := net.Step(ctx, cache, ids, start, nx.Add(start, 1), keys)
	logits := net.Logits(ctx, x)
	return nx.Squeeze(logits, nx.Axis(1)), cache
}

// decodeBeamsStep is decodeStep of a cache whose slots are taken from others first.
func decodeBeamsStep(net network, cache transformers.Cache, from, ids, start nx.Tensor,
	keys int) (nx.Tensor, transformers.Cache) {
	take := func(list []nx.Tensor) (out []nx.Tensor) {
		for _, t := range list {
			out = append(out, nx.Take(t, from))
		}
		return out
	}
	cache.K, cache.V = take(cache.K), take(cache.V)
	return decodeStep(net, cache, ids, start, keys)
}

func encodeStep(net *transformers.Seq2Seq, in transformers.Inputs, keys int) transformers.Cache {
	return net.Encode(&nn.Ctx{Model: net}, in, keys)
}

// rememberStep puts the result of an encoder into a slot.
func rememberStep(cache, one transformers.Cache, slot nx.Tensor) transformers.Cache {
	put := func(t, row nx.Tensor) nx.Tensor { return nx.SetSlice(t, row, slot, 0, 0, 0) }
	k, v := make([]nx.Tensor, len(cache.CrossK)), make([]nx.Tensor, len(cache.CrossV))
	for i := range k {
		k[i], v[i] = put(cache.CrossK[i], one.CrossK[i]), put(cache.CrossV[i], one.CrossV[i])
	}
	cache.CrossK, cache.CrossV = k, v
	if !cache.CrossMask.IsZero() {
		cache.CrossMask = put(cache.CrossMask, one.CrossMask)
	}
	return cache
}
