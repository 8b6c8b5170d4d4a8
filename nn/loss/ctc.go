package loss

import (
	"math"

	"github.com/go-nx/nx"
	"github.com/go-nx/nx/diag"
)

// impossible is the logarithm of the probability of what cannot be; finite, so that its gradient is 0 and not NaN.
const impossible = -1e30

// CTC returns the negative logarithm of the probability that a sequence of logits gives labels, in any alignment, with
// blanks between them. Where there is no alignment, as a sequence is too short, it is +Inf with the gradient 0.
//
// Shapes: logits [batch, time, classes], lengths [batch], labels [batch, n], labelLengths [batch] → [batch]. DTypes:
// floats, lengths and labels are integers; computed in f32 at least. Gradient: forward and reverse. Errors:
// [nx.ErrShape] for shapes that do not fit, [nx.ErrArgument] for a blank that is not a class.
//
// Source: A. Graves et al., "Connectionist temporal classification", ICML 2006, doi:10.1145/1143844.1143891.
func CTC(logits, lengths, labels, labelLengths nx.Tensor, blank int) nx.Tensor {
	s, n := logits.Shape(), labels.Shape()
	if len(s) != 3 || len(n) != 2 || n[0] != s[0] {
		panic(diag.New(nx.ErrShape, "CTC", "logits are [batch, time, classes], labels [batch, n]",
			"logits are %v, labels %v", s, n))
	}
	if blank < 0 || blank >= s[2] {
		panic(diag.New(nx.ErrArgument, "CTC", "", "the blank %d is not one of %d classes", blank, s[2]))
	}
	batch, states := s[0], 2*n[1]+1
	logp := nx.LogSoftmax(wide(logits))
	d := logp.DType()
	labels = nx.Cast(labels, nx.S32)
	// The states are blank, label 0, blank, label 1, …, blank.
	fill := nx.Full(n, blank, nx.S32)
	pairs := nx.Reshape(nx.Stack([]nx.Tensor{fill, labels}, nx.Axis(2)), batch, 2*n[1])
	classes := nx.Concatenate([]nx.Tensor{pairs, nx.Full(nx.Shape{batch, 1}, blank, nx.S32)}, nx.Axis(1))
	each := nx.TakeAlong(logp, nx.BroadcastTo(nx.ExpandAxis(classes, nx.Axis(1)), batch, s[1], states), nx.Axis(2))
	each = nx.Transpose(each, nx.Axis(1, 0, 2)) // [time, batch, states]
	// A label may follow the label before it without a blank if it is another one.
	before := shifted(classes, 2, -1)
	skip := nx.LogicalAnd(nx.NotEqual(classes, blank), nx.NotEqual(classes, before))
	skip = nx.LogicalAnd(skip, nx.GreaterEqual(nx.Iota(nx.Shape{states}, nx.S32), 2))
	no := nx.Full(nx.Shape{batch, states}, impossible, d)
	start := nx.Where(nx.Equal(nx.Iota(nx.Shape{states}, nx.S32), 0), nx.ZerosLike(no), no)
	type step struct{ P, T nx.Tensor }
	ends := nx.Cast(lengths, nx.S32)
	end, _ := nx.Scan(start, step{each, nx.Iota(nx.Shape{s[1]}, nx.S32)},
		func(a nx.Tensor, x step) (nx.Tensor, nx.Tensor) {
			one := shifted(a, 1, impossible)
			two := nx.Where(skip, shifted(a, 2, impossible), no)
			// Before the first step only the first state is there, so a path begins in state 0 or 1.
			sum := nx.LogSumExp(nx.Stack([]nx.Tensor{a, one, two}), nx.Axis(0))
			next := nx.Maximum(nx.Add(sum, x.P), impossible)
			return nx.Where(nx.ExpandAxis(nx.Less(x.T, ends), nx.Axis(1)), next, a), nx.Zeros(nx.Shape{}, d)
		})
	count := nx.Mul(nx.Cast(labelLengths, nx.S32), 2)
	state := func(i nx.Tensor) nx.Tensor {
		return nx.Squeeze(nx.TakeAlong(end, nx.ExpandAxis(nx.Maximum(i, 0), nx.Axis(1)), nx.Axis(1)), nx.Axis(1))
	}
	last := state(count)
	label := nx.Where(nx.Equal(count, 0), nx.Full(last.Shape(), impossible, d), state(nx.Sub(count, 1)))
	total := nx.LogSumExp(nx.Stack([]nx.Tensor{last, label}), nx.Axis(0))
	return nx.Where(nx.Less(total, impossible/2), nx.Full(total.Shape(), math.Inf(1), d), nx.Neg(total))
}

// shifted moves the last axis k places to the right.
func shifted[V nx.Number](t nx.Tensor, k int, fill V) nx.Tensor {
	n := t.Shape()[1]
	if k > n {
		k = n
	}
	return nx.Concatenate([]nx.Tensor{nx.Full(nx.Shape{t.Shape()[0], k}, fill, t.DType()),
		t.At(nx.Range(0, t.Shape()[0]), nx.To(n-k))}, nx.Axis(1))
}
