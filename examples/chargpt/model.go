package main

import (
	"github.com/go-nx/nx"
	"github.com/go-nx/nx/data"
	"github.com/go-nx/nx/nn"
	nnloss "github.com/go-nx/nx/nn/loss"
	"github.com/go-nx/nx/random"
)

// Records have length characters, of which attention sees the last window: so it meets no distance that it has not
// learnt when it writes.
const width, heads, layers, length, window = 64, 4, 2, 64, 32

// block is a block of a transformer: attention to what was before, and a network for each character.
type block struct {
	Norm1, Norm2 *nn.RMSNorm
	Attn         *nn.Attention
	Up, Down     *nn.Linear
}

// model is a language model whose embeddings are also the weights of its scores.
type model struct {
	Embed  *nn.Embedding
	Blocks []*block
	Norm   *nn.RMSNorm
}

func newModel(key nx.Tensor, letters int) model {
	m := model{Embed: nn.NewEmbedding(random.FoldIn(key, 0), letters, width), Norm: nn.NewRMSNorm(nx.Shape{width})}
	for i := range layers {
		k := random.Split(random.FoldIn(key, i+1), 3)
		m.Blocks = append(m.Blocks, &block{
			Norm1: nn.NewRMSNorm(nx.Shape{width}), Norm2: nn.NewRMSNorm(nx.Shape{width}),
			Attn: nn.NewAttention(k.At(0), width, heads, nn.Window(window), nn.Rotary(nn.Rope{}), nn.NoBias),
			Up:   nn.NewLinear(k.At(1), width, 4*width), Down: nn.NewLinear(k.At(2), 4*width, width),
		})
	}
	return m
}

// apply returns scores of the next character for each of ids [batch, time]; attend is the attention of a block.
func (m *model) apply(c *nn.Ctx, ids nx.Tensor, attend func(i int, x nx.Tensor) nx.Tensor) nx.Tensor {
	x := m.Embed.Apply(c, ids)
	for i, b := range m.Blocks {
		x = nx.Add(x, attend(i, b.Norm1.Apply(c, x)))
		x = nx.Add(x, b.Down.Apply(c, nx.Gelu(b.Up.Apply(c, b.Norm2.Apply(c, x)))))
	}
	return m.Embed.Attend(c, m.Norm.Apply(c, x))
}

func loss(m *model, c *nn.Ctx, b data.Window) (nx.Tensor, struct{}) {
	scores := m.apply(c, b.X, func(i int, x nx.Tensor) nx.Tensor { return m.Blocks[i].Attn.Apply(c, x) })
	return nx.Mean(nnloss.CrossEntropy(scores, b.Y)), struct{}{}
}

// next reads ids [1, time], which follow those in the caches, and returns the scores of the next character.
var next = nx.Jit(func(m model, ids nx.Tensor, caches []nn.Cache) (scores nx.Tensor, after []nn.Cache) {
	after = make([]nn.Cache, len(caches))
	y := m.apply(nil, ids, func(i int, x nx.Tensor) (y nx.Tensor) {
		y, after[i] = m.Blocks[i].Attn.Step(nil, x, caches[i])
		return y
	})
	return y.At(0, -1), after
})

// write returns n characters that follow others, drawn by the probabilities of the model.
func write(m model, ids []int32, n int, key nx.Tensor) (written []int32) {
	var caches []nn.Cache
	for _, b := range m.Blocks {
		caches = append(caches, b.Attn.NewCache(1, len(ids)+n, nx.F32))
	}
	for i := range n {
		var scores nx.Tensor
		scores, caches = next(m, nx.FromSlice(ids, nx.Shape{1, len(ids)}), caches)
		id := nx.Item[int32](random.Categorical(random.FoldIn(key, i), nx.Div(scores, 0.7), nx.Shape{}))
		written, ids = append(written, id), []int32{id} // the others are in the caches
	}
	return written
}
