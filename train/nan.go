package train

import (
	"fmt"
	"slices"
	"strings"

	"github.com/go-nx/nx"
	"github.com/go-nx/nx/nn"
	"github.com/go-nx/nx/random"
	"github.com/go-nx/nx/tree"
)

// NonFiniteError is a step whose gradients are not finite, or after which a buffer has a NaN. The state is that before
// it.
type NonFiniteError struct {
	Step  int64
	Loss  float64
	Paths []string // of the parameters whose gradients are not finite, and of buffers with a NaN
	Cause error    // has the *nx.NaNError of the first op that made a NaN; nil where there are only infinities
	// Checkpoint is the last file of the run, where it saves files: of the state before the step, if it could be
	// written.
	Checkpoint string
	buffers    bool // the gradients are finite
}

func (e *NonFiniteError) Error() string {
	paths := e.Paths
	if len(paths) > 3 {
		paths = append(paths[:3:3], fmt.Sprintf("and %d others", len(e.Paths)-3))
	}
	text := fmt.Sprintf("train: step %d: gradients of %s are not finite, the loss is %v; the step was not made", e.Step,
		strings.Join(paths, ", "), e.Loss)
	if e.buffers {
		text = fmt.Sprintf("train: step %d: the buffers %s have a NaN, the loss is %v; the step was not made", e.Step,
			strings.Join(paths, ", "), e.Loss)
	}
	if e.Cause != nil {
		text += ": " + e.Cause.Error()
	}
	if e.Checkpoint != "" {
		text += "; the last checkpoint is " + e.Checkpoint
	}
	return text
}

// Unwrap returns the cause.
func (e *NonFiniteError) Unwrap() error { return e.Cause }

// blame computes the gradients of a step again and says which are not finite, and which op made a NaN.
func (t *Trainer[M, B, A]) blame(s State[M], b B, step int64, r Report[A]) *NonFiniteError {
	e := &NonFiniteError{Step: step, Loss: float64(nx.Item[float32](r.Loss))}
	p, rest := nn.Partition(s.Model, t.trains(s.Model))
	key := random.FoldIn(s.Key, s.Step)
	type computed struct{ Grad, Buffers M }
	gradients := func(p, rest M, scale, key nx.Tensor, b B) (computed, error) {
		g := t.gradients(p, rest, scale, key, b)
		return computed{g.Grad, g.Buffers}, nil
	}
	g, err := nx.Jit(gradients, t.jit...)(p, rest, s.Scale.Value, key, b)
	if err != nil {
		e.Cause = err
		return e
	}
	for path, g := range tree.Leaves(g.Grad) {
		if !nx.Item[bool](nx.All(nx.IsFinite(g))) {
			e.Paths = append(e.Paths, path)
		}
	}
	e.buffers = len(e.Paths) == 0
	for path, b := range tree.Leaves(g.Buffers) {
		if b.DType().IsFloat() && nx.Item[bool](nx.Any(nx.IsNaN(b))) {
			e.Paths = append(e.Paths, path)
		}
	}
	_, e.Cause = nx.Jit(gradients, append(slices.Clone(t.jit), nx.CheckNaN)...)(p, rest, s.Scale.Value, key, b)
	return e
}
