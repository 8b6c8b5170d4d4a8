package generate_test

import (
	"math"
	"slices"
	"testing"

	"github.com/go-nx/nx/generate"
)

// TestPenalties: the penalties of presence and frequency count generated tokens, not those of the prompt.
func TestPenalties(t *testing.T) {
	o := generate.Options{PresencePenalty: 0.5, FrequencyPenalty: 0.25}
	scores := []float64{1, 1, 1, 1}
	o.Process([]int{0, 0, 1, 2, 1}, 2, scores)
	if want := []float64{1, 0, 0.25, 1}; !slices.Equal(scores, want) {
		t.Errorf("got %v, want %v", scores, want)
	}
}

// TestRawLogProbs: the log-probabilities of the scores before processing do not depend on the options.
func TestRawLogProbs(t *testing.T) {
	g := newGenerator(t, open(t))
	o := generate.Options{MaxNewTokens: 10, Logits: true, LogProbs: 96, RawLogProbs: true, Sample: true, TopK: 3,
		Seed: 1, Temperature: 3, PresencePenalty: 1}
	list, err := g.Generate(t.Context(), []int{5, 9}, o)
	if err != nil {
		t.Fatal(err)
	}
	for i, token := range list {
		sum := 0.0
		for _, x := range token.Logits {
			sum += math.Exp(float64(x))
		}
		for _, c := range append(token.Top, generate.Candidate{ID: token.ID, LogProb: token.LogProb}) {
			if want := float64(token.Logits[c.ID]) - math.Log(sum); math.Abs(c.LogProb-want) > 1e-6 {
				t.Errorf("token %d: %d has %v, want %v", i, c.ID, c.LogProb, want)
			}
		}
	}
}
