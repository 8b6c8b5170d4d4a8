package transformers

import (
	"github.com/go-nx/nx"
	"github.com/go-nx/nx/nn"
)

// arrangement says where a block has its norms and how its parts follow each other.
type arrangement int

const (
	preNorm  arrangement = iota // x + f(norm(x)) for each part
	postNorm                    // norm(x + f(x)) for each part
	parallel                    // x + attention(norm1(x)) + mlp(norm2(x))
)

// Block is a layer of a transformer of any family: attention, attention to an encoder, and a perceptron, with their
// norms. What a family does not have is nil.
type Block struct {
	Norm1       nn.Layer // of attention
	SelfAttn    *nn.Attention
	PostNorm1   nn.Layer // of the result of attention
	CrossNorm   nn.Layer
	CrossAttn   *nn.Attention // to an encoder
	Norm2       nn.Layer      // of the perceptron
	MLP         *MLP          `nn:"mlp"`
	PostNorm2   nn.Layer      // of the result of the perceptron
	Arrangement arrangement
	Rope        int // the number of its rotary in the network, -1 for none
	Window      int // of the keys that a position attends to, 0 for all
}

// MLP is down(act(up(x))), or down(act(gate(x))·up(x)) with a gate.
type MLP struct {
	UpProj, GateProj, DownProj *nn.Linear
	Activation                 string
}

// Apply computes the perceptron.
func (m *MLP) Apply(c *nn.Ctx, x nx.Tensor) nx.Tensor {
	act, y := activations[m.Activation], m.UpProj.Apply(c, x)
	if m.GateProj != nil {
		y = nx.Mul(act(m.GateProj.Apply(c, x)), y)
	} else {
		y = act(y)
	}
	return m.DownProj.Apply(c, y)
}

// pass is what the blocks of a network share in one application.
type pass struct {
	*nn.Ctx
	cos, sin []nx.Tensor                    // by number of rotary
	mask     func(window int) nx.Tensor     // [batch, 1, time, keys], absent where all keys are allowed
	masks    map[int]nx.Tensor              // results of mask
	bias     nx.Tensor                      // of attention, [1, heads, time, keys], or absent
	cache    *Cache                         // or nil
	put      func(t, x nx.Tensor) nx.Tensor // writes keys or values [batch, heads, time, d] to a cache
	keys     int                            // of the cache that are attended to
	memory   nx.Tensor                      // the result of an encoder, or absent if the cache has its keys and values
	ends     nx.Tensor                      // lengths of the sequences, s32 [batch, 1], or absent
	among    nx.Tensor                      // mask of the memory, [batch, 1, 1, keys], or absent
}

// maskOf is the mask for a window of the last keys, 0 for all of them.
func (p *pass) maskOf(window int) nx.Tensor {
	if m, ok := p.masks[window]; ok {
		return m
	}
	if p.masks == nil {
		p.masks = map[int]nx.Tensor{}
	}
	p.masks[window] = p.mask(window)
	return p.masks[window]
}

// apply computes block i of a network.
func (b *Block) apply(p *pass, i int, x nx.Tensor) nx.Tensor {
	switch b.Arrangement {
	case postNorm:
		x = b.Norm1.Apply(p.Ctx, nx.Add(x, b.attend(p, i, x)))
		return b.Norm2.Apply(p.Ctx, nx.Add(x, b.MLP.Apply(p.Ctx, x)))
	case parallel:
		y := b.Norm1.Apply(p.Ctx, x)
		z := y
		if b.Norm2 != nil {
			z = b.Norm2.Apply(p.Ctx, x)
		}
		return nx.Add(nx.Add(b.attend(p, i, y), b.MLP.Apply(p.Ctx, z)), x)
	}
	x = nx.Add(x, normed(p, b.PostNorm1, b.attend(p, i, normed(p, b.Norm1, x))))
	if b.CrossAttn != nil {
		x = nx.Add(x, b.cross(p, i, normed(p, b.CrossNorm, x)))
	}
	return nx.Add(x, normed(p, b.PostNorm2, b.MLP.Apply(p.Ctx, normed(p, b.Norm2, x))))
}

func normed(p *pass, norm nn.Layer, x nx.Tensor) nx.Tensor {
	if norm == nil {
		return x
	}
	return norm.Apply(p.Ctx, x)
}

// attend is the attention of positions to each other and to those in the cache.
func (b *Block) attend(p *pass, i int, x nx.Tensor) nx.Tensor {
	a := b.SelfAttn
	q := a.Queries(p.Ctx, x)
	k, v := a.KeysValues(p.Ctx, x)
	if b.Rope >= 0 {
		q, k = nn.Rotate(q, p.cos[b.Rope], p.sin[b.Rope], false), nn.Rotate(k, p.cos[b.Rope], p.sin[b.Rope], false)
	}
	if p.cache != nil {
		p.cache.K[i], p.cache.V[i] = p.put(p.cache.K[i], k), p.put(p.cache.V[i], v)
		k, v = first(p.cache.K[i], p.keys), first(p.cache.V[i], p.keys)
		k, v = nx.Cast(k, q.DType()), nx.Cast(v, q.DType())
	}
	opts := a.Options(p.Ctx)
	if mask := p.maskOf(b.Window); !mask.IsZero() {
		opts = append(opts, nn.Mask(mask))
	}
	if !p.bias.IsZero() {
		opts = append(opts, nn.Bias(p.bias))
	}
	return a.Join(p.Ctx, nn.Attend(q, k, v, opts...))
}

// first are the first n keys of a cache.
func first(t nx.Tensor, n int) nx.Tensor {
	if n == t.Shape()[2] {
		return t
	}
	return t.At(nx.Whole, nx.Whole, nx.To(n))
}

// cross is the attention to the result of an encoder. Its keys and values are computed once: they stay in the cache.
func (b *Block) cross(p *pass, i int, x nx.Tensor) nx.Tensor {
	a := b.CrossAttn
	q := a.Queries(p.Ctx, x)
	var k, v nx.Tensor
	if p.memory.IsZero() {
		k, v = p.cache.CrossK[i], p.cache.CrossV[i]
	} else {
		k, v = a.KeysValues(p.Ctx, p.memory)
	}
	opts := a.Options(p.Ctx)
	if !p.among.IsZero() {
		opts = append(opts, nn.Mask(p.among))
	}
	return a.Join(p.Ctx, nn.Attend(q, k, v, opts...))
}
