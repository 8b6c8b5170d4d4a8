package nn

import (
	"github.com/go-nx/nx"
	"github.com/go-nx/nx/random"
)

// Embedding takes rows of a table by numbers: words, classes, positions.
type Embedding struct {
	Weight nx.Tensor // [n, width]
	Scale  nx.Tensor // of a weight that [Quantize] made integers, [n, groups], or absent
	// Padding is the number of a row whose gradient is 0 if HasPadding is set.
	Padding    int
	HasPadding bool
}

// EmbeddingOption is an option of [NewEmbedding].
type EmbeddingOption interface{ embedding(*embeddingOptions) }

type embeddingOptions struct {
	paramOptions
	padding    int
	hasPadding bool
}

type paddingRowOption int

// PaddingRow is the number of padding, whose row is 0 at first and is not trained.
func PaddingRow(i int) EmbeddingOption { return paddingRowOption(i) }

func (o paddingRowOption) embedding(e *embeddingOptions) { e.padding, e.hasPadding = int(o), true }
func (o initOption) embedding(e *embeddingOptions)       { o.linear(&e.paramOptions) }
func (o dtypeOption) embedding(e *embeddingOptions)      { o.linear(&e.paramOptions) }

// NewEmbedding returns a table of n rows. They are normal with the deviation 0.02, as language models have it;
// PyTorch's deviation of 1 is too large for a table that is also the weight of the logits. Options: [PaddingRow],
// [Init], [DType].
func NewEmbedding(key nx.Tensor, n, width int, opts ...EmbeddingOption) *Embedding {
	o := embeddingOptions{paramOptions: paramOptions{weight: Normal(0, 0.02), dtype: nx.F32}}
	for _, opt := range opts {
		if opt != nil {
			opt.embedding(&o)
		}
	}
	positive("NewEmbedding", "n", n)
	positive("NewEmbedding", "width", width)
	l := &Embedding{Padding: o.padding, HasPadding: o.hasPadding}
	l.Weight = o.weight(random.FoldIn(key, 0), nx.Shape{n, width}, Fan{In: n, Out: width}, o.dtype)
	if o.hasPadding {
		l.Weight = nx.SetAt(l.Weight, 0, o.padding)
	}
	return l
}

// Apply takes the rows of numbers.
//
// Shapes: ids […] → […, width]. DTypes: integers; the result has that of the table, f32 of a quantised one.
// Gradient: added up at the rows.
// Numbers beyond the table give its first or last row, as [nx.Take] does.
func (l *Embedding) Apply(c *Ctx, ids nx.Tensor) nx.Tensor {
	defer c.named(l)
	y := nx.Take(l.Weight, ids, nx.Axis(0))
	if !l.Scale.IsZero() {
		y = dequantized(y, nx.Take(l.Scale, ids, nx.Axis(0)))
	}
	if l.HasPadding {
		padded := nx.ExpandAxis(nx.Equal(ids, l.Padding), nx.Axis(-1))
		y = nx.Where(padded, nx.StopGradient(y), y)
	}
	return y
}

// Attend returns the products of x with the rows of the table: logits by the same weights (tied).
//
// Shapes: x […, width] → […, n]. DTypes: floats. Gradient: forward and reverse.
func (l *Embedding) Attend(c *Ctx, x nx.Tensor) nx.Tensor {
	defer c.named(l)
	if !l.Scale.IsZero() {
		return quantizedDot("Embedding", x, l.Weight, l.Scale)
	}
	return nx.Dot(narrowed(x, l.Weight), nx.Transpose(l.Weight))
}
