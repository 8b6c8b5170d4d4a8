package transformers

import (
	"github.com/go-nx/nx"
	"github.com/go-nx/nx/nn"
)

// Head makes scores of the last hidden states of an encoder: a layer with an activation and a norm, then the scores.
// What an architecture does not have is nil.
type Head struct {
	Dense      *nn.Linear
	Activation string // behind Dense
	Norm       nn.Layer
	Out        *nn.Linear // nil where the embedding is used
	Bias       nx.Tensor  // of scores where Out has none
	Kind       head
	Mean       bool // classes of the mean of all tokens, else of the first one
}

// apply puts the scores of x, [batch, time, width], into the outputs.
func (h *Head) apply(c *nn.Ctx, x, padding nx.Tensor, table *nn.Embedding, out *Outputs) {
	if h.Kind == headClasses {
		if h.Mean {
			x = mean(x, padding)
		} else {
			x = firstToken(x)
		}
	}
	if h.Dense != nil {
		x = activations[h.Activation](h.Dense.Apply(c, x))
	}
	if h.Norm != nil {
		x = h.Norm.Apply(c, x)
	}
	if h.Out != nil {
		x = h.Out.Apply(c, x)
	} else {
		x = table.Attend(c, x)
	}
	if !h.Bias.IsZero() && (h.Out == nil || h.Out.Bias.IsZero()) {
		x = nx.Add(x, h.Bias)
	}
	x = nx.Cast(x, nx.F32)
	if h.Kind == headAnswer {
		out.StartLogits, out.EndLogits = x.At(nx.Ellipsis, 0), x.At(nx.Ellipsis, 1)
		return
	}
	out.Logits = x
}

// firstToken is the row of the first token of each sequence.
func firstToken(x nx.Tensor) nx.Tensor { return x.At(nx.Whole, 0) }

// mean is the mean of the rows of x, [batch, time, width], that are not padding.
func mean(x, padding nx.Tensor) nx.Tensor {
	if padding.IsZero() {
		return nx.Mean(x, nx.Axis(1))
	}
	m := nx.Cast(nx.NotEqual(padding, 0), x.DType())
	sums := nx.Sum(nx.Mul(x, nx.ExpandAxis(m, nx.Axis(2))), nx.Axis(1))
	return nx.Div(sums, nx.Maximum(nx.Sum(m, nx.Axis(1), nx.KeepAxes), 1e-9))
}

// Pooling is how the vectors of tokens become one of a text.
type Pooling int

// The poolings.
const (
	MeanPooling  Pooling = iota // the mean of all tokens
	FirstPooling                // that of the first token
)

// Pool returns vectors of texts of the last hidden states of an encoder, divided by their lengths if unit is set, so
// that their products are cosines.
//
// Shapes: x [batch, time, width], mask [batch, time] or absent → [batch, width]. DTypes: floats. Gradient: forward and
// reverse.
//
// Source: N. Reimers, I. Gurevych, "Sentence-BERT", 2019, arXiv:1908.10084.
func Pool(x, mask nx.Tensor, p Pooling, unit bool) nx.Tensor {
	if p == FirstPooling {
		x = firstToken(x)
	} else {
		x = mean(x, mask)
	}
	if unit {
		x = nn.Normalize(x, 2, 1e-12, -1)
	}
	return x
}
