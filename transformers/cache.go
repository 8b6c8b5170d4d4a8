package transformers

import (
	"github.com/go-nx/nx"
	"github.com/go-nx/nx/nn"
)

// Cache has the keys and values of the positions that a decoder has seen, for several sequences: a tensor of each for
// each layer, [slots, heads, capacity, d]. Those of an encoder, which a decoder attends to, are [slots, heads, keys,
// d].
type Cache struct {
	K, V           []nx.Tensor
	CrossK, CrossV []nx.Tensor
	CrossMask      nx.Tensor // which keys of the encoder there are, [slots, 1, 1, keys], or absent
}

// NewCache returns a cache of zeros for sequences of at most capacity positions.
func (d *Decoder) NewCache(slots, capacity int) Cache {
	return newCache(d.Layers, slots, capacity, computed(d.EmbedTokens))
}

// computed is the type in which a model with an embedding computes: f32 if it is quantised.
func computed(e *nn.Embedding) nx.DType {
	if !e.Scale.IsZero() {
		return nx.F32
	}
	return e.Weight.DType()
}

func newCache(layers []*Block, slots, capacity int, t nx.DType) (c Cache) {
	for _, b := range layers {
		a := b.SelfAttn
		shape := nx.Shape{slots, a.KVHeads, capacity, a.KProj.Weight.Shape()[0] / a.KVHeads}
		c.K, c.V = append(c.K, nx.Zeros(shape, t)), append(c.V, nx.Zeros(shape, t))
	}
	return c
}

// Step computes the last hidden states of tokens that follow those in a cache, and the cache with them. Start has the
// number of positions of each sequence that are in the cache, end that of each sequence when it is complete: its
// prompt, or one more than start. The first keys of the cache are attended to, all that a sequence has after the step
// at least. Tokens behind the end of a sequence may be anything: they change what the cache has behind that end, only.
//
// Shapes: ids [slots, time], start [slots], end [slots] → [slots, time, width]. DTypes: integers.
func (d *Decoder) Step(c *nn.Ctx, cache Cache, ids, start, end nx.Tensor, keys int) (nx.Tensor, Cache) {
	p, positions := cachedPass(c, &cache, ids, start, keys)
	p.ends = nx.Reshape(nx.Cast(end, nx.S32), -1, 1)
	return d.blocks(p, &hidden{}, ids, positions), cache
}

// Again reports whether what a cache has of a sequence must be computed again when it grows from a length to another.
func (d *Decoder) Again(from, to int) bool {
	for _, r := range d.Ropes {
		if r.Again && r.Long != nil && from <= r.Original && to > r.Original {
			return true
		}
	}
	return false
}

// cachedPass prepares a step with a cache.
func cachedPass(c *nn.Ctx, cache *Cache, ids, start nx.Tensor, keys int) (*pass, nx.Tensor) {
	slots, n := ids.Shape()[0], ids.Shape()[1]
	cache.K, cache.V = append([]nx.Tensor(nil), cache.K...), append([]nx.Tensor(nil), cache.V...)
	start = nx.Cast(start, nx.S32)
	positions := nx.Add(nx.Reshape(start, slots, 1), nx.Iota(nx.Shape{slots, n}, nx.S32, nx.Axis(1)))
	p := &pass{Ctx: c, cache: cache, keys: keys, among: cache.CrossMask}
	p.put = func(t, x nx.Tensor) nx.Tensor {
		x = nx.Cast(x, t.DType())
		if slots == 1 {
			return nx.SetSlice(t, x, 0, 0, nx.Reshape(start), 0)
		}
		slot := nx.Iota(nx.Shape{slots, n}, nx.S32, nx.Axis(0))
		at := nx.Stack([]nx.Tensor{slot, positions}, nx.Axis(2))
		return nx.SetGather(t, at, nx.Transpose(x, nx.Axis(0, 2, 1, 3)), nx.Axis(0, 2))
	}
	p.mask = func(window int) nx.Tensor {
		key := nx.Iota(nx.Shape{1, 1, 1, keys}, nx.S32, nx.Axis(3))
		query := nx.Reshape(positions, slots, 1, n, 1)
		m := nx.LessEqual(key, query)
		if window > 0 {
			m = nx.LogicalAnd(m, nx.Greater(key, nx.Sub(query, window)))
		}
		return m
	}
	return p, positions
}
