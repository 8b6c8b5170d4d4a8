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

// NonFiniteError is a step whose gradients are not finite. The state is that before it, but for the number of steps.
type NonFiniteError struct {
	Step  int64
	Loss  float64
	Paths []string // of the parameters whose gradients are not finite
	Cause error    // the first op with such a result, where it was found
}

func (e *NonFiniteError) Error() string {
	paths := e.Paths
	if len(paths) > 3 {
		paths = append(paths[:3:3], fmt.Sprintf("and %d others", len(e.Paths)-3))
	}
	text := fmt.Sprintf("train: step %d: gradients of %s are not finite, the loss is %v; the step was not made", e.Step,
		strings.Join(paths, ", "), e.Loss)
	if e.Cause != nil {
		text += ": " + e.Cause.Error()
	}
	return text
}

// Unwrap returns the cause.
func (e *NonFiniteError) Unwrap() error { return e.Cause }

// blame computes the gradients of a step again and says which are not finite.
func (t *Trainer[M, B, A]) blame(s State[M], b B, step int64, r Report[A]) error {
	e := &NonFiniteError{Step: step, Loss: float64(nx.Item[float32](r.Loss))}
	key := random.FoldIn(s.Key, nx.Sub(s.Step, 1))
	p, rest := nn.Partition(s.Model, t.trains(s.Model))
	type found struct {
		Finite M
	}
	gradients := nx.Jit(func(p, rest M, key nx.Tensor, b B) (found, error) {
		var g M
		if t.micro == 1 {
			g = t.differentiate(p, rest, nx.Tensor{}, random.FoldIn(key, 0), b).Grad
		} else {
			g = t.accumulate(p, rest, nx.Tensor{}, key, b).Grad
		}
		return found{tree.Map(func(g nx.Tensor) nx.Tensor { return nx.All(nx.IsFinite(g)) }, g)}, nil
	}, append(slices.Clone(t.jit), nx.CheckNaN)...)
	f, err := gradients(p, rest, key, b)
	if err != nil {
		e.Cause = err
		return e
	}
	for path, ok := range tree.Leaves(f.Finite) {
		if !nx.Item[bool](ok) {
			e.Paths = append(e.Paths, path)
		}
	}
	return e
}
