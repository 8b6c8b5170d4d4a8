package generate

import (
	"errors"
	"fmt"
	"math"
	"slices"
)

// next takes the token that follows, by the scores of all.
func (r *request) next(logits []float32, capacity int) (t Token, err error) {
	// A mask or a decoder of text is the caller's: what it does must not end the other requests.
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("generate: a function of the options panicked: %v", p)
		}
	}()
	if slices.ContainsFunc(logits, isNaN) {
		return t, errNotNumbers
	}
	scores := make([]float64, len(logits))
	for i, x := range logits {
		scores[i] = float64(x)
	}
	r.opts.Process(r.tokens, r.prompt, scores)
	logSoftmax(scores)
	best := argmax(scores)
	if math.IsNaN(scores[best]) {
		return t, errNoToken
	}
	t.ID = best
	if r.opts.Sample {
		t.ID = draw(scores, r.random.Float64(), best)
	}
	if r.opts.RawLogProbs {
		for i, x := range logits {
			scores[i] = float64(x)
		}
		logSoftmax(scores)
	}
	t.LogProb = scores[t.ID]
	if n := min(r.opts.LogProbs, len(scores)); n > 0 {
		order := ascending(scores)
		slices.Reverse(order)
		for _, id := range order[:n] {
			t.Top = append(t.Top, Candidate{id, scores[id]})
		}
	}
	if r.opts.Logits {
		t.Logits = slices.Clone(logits)
	}
	r.tokens = append(r.tokens, t.ID)
	return t, r.finish(&t, capacity)
}

var (
	errNotNumbers = errors.New("generate: the scores are not numbers: the weights of the model have some that are not, or " +
		"their type has too small a range")
	errNoToken = errors.New("generate: no token is left: the options forbid all, or the scores that they make are not finite")
)

func isNaN(x float32) bool { return x != x }

// draw is the token at which the sum of the probabilities passes u.
func draw(logs []float64, u float64, best int) int {
	sum, last := 0.0, best
	for i, l := range logs {
		if l == -inf {
			continue
		}
		if sum += math.Exp(l); sum > u {
			return i
		}
		last = i
	}
	return last
}

// finish adds the text of a token and the reason for which the sequence ends there, if it does.
func (r *request) finish(t *Token, capacity int) error {
	ended := slices.Contains(r.opts.EOS, t.ID)
	switch {
	case ended:
		t.Finish = FinishEOS
	case len(r.tokens) >= r.limit:
		t.Finish = FinishLength
	case len(r.tokens) > capacity:
		t.Finish = FinishContext
	}
	if r.text == nil {
		return nil
	}
	piece := ""
	if !ended {
		text, err := r.text.Push(int32(t.ID))
		if err != nil {
			return err
		}
		piece = text
	}
	if t.Finish != "" {
		text, err := r.text.Flush()
		if err != nil {
			return err
		}
		piece += text
	}
	text, found := r.stopper.next(piece)
	if found {
		t.Finish = FinishStop
	} else if t.Finish != "" {
		text += r.stopper.kept
	}
	t.Text = text
	return nil
}
