package generate

import (
	"math"
	"slices"
)

var inf = math.Inf(1)

// Process applies the processors of options to the scores of the tokens that may follow a sequence, in place and in
// the order of transformers: penalties and forbidden tokens first, Mask, then, if Sample is set, those that keep some
// tokens. Prompt is how many of the tokens were given.
//
// Source: N. Keskar et al., 2019, arXiv:1909.05858 (repetition penalty); A. Fan et al., 2018, arXiv:1805.04833 (top
// k); A. Holtzman et al., 2019, arXiv:1904.09751 (top p); M. Nguyen et al., 2024, arXiv:2407.01082 (min p); C. Meister
// et al., 2022, arXiv:2202.00666 (typical p); J. Hewitt et al., 2022, arXiv:2210.15191 (epsilon, eta).
func (o *Options) Process(tokens []int, prompt int, scores []float64) {
	if p := o.RepetitionPenalty; p != 0 && p != 1 {
		repetition(tokens, scores, p)
	}
	if o.PresencePenalty != 0 || o.FrequencyPenalty != 0 {
		o.penalties(tokens[prompt:], scores)
	}
	if o.NoRepeatNGram > 0 {
		noRepeat(tokens, scores, o.NoRepeatNGram)
	}
	for _, w := range o.BadWords {
		if n := len(w) - 1; len(tokens) >= n && slices.Equal(tokens[len(tokens)-n:], w[:n]) &&
			!(n == 0 && slices.Contains(o.EOS, w[0])) {
			forbid(scores, w[n:])
		}
	}
	if len(tokens) < o.MinLength || len(tokens)-prompt < o.MinNewTokens {
		forbid(scores, o.EOS)
	}
	if len(o.ForcedBOS) > 0 && len(tokens) == 1 {
		force(scores, o.ForcedBOS)
	}
	if len(o.ForcedEOS) > 0 && len(tokens) == o.limit(prompt)-1 {
		force(scores, o.ForcedEOS)
	}
	forbid(scores, o.SuppressTokens)
	begin := prompt
	if prompt <= 1 && len(o.ForcedBOS) > 0 {
		begin++
	}
	if len(tokens) == begin {
		forbid(scores, o.BeginSuppressTokens)
	}
	if o.Mask != nil {
		o.Mask(tokens, scores)
	}
	if o.Sample {
		o.keep(scores)
	}
}

// keep applies the options of sampling.
func (o *Options) keep(scores []float64) {
	if t := o.Temperature; t != 0 && t != 1 {
		for i := range scores {
			scores[i] /= t
		}
	}
	if k := o.TopK; k > 0 && k < len(scores) {
		limit := kth(scores, k)
		remove(scores, func(i int) bool { return scores[i] < limit })
	}
	if o.TopP > 0 && o.TopP < 1 {
		topP(scores, o.TopP)
	}
	if o.MinP > 0 {
		p := Softmax(scores)
		limit := o.MinP * slices.Max(p)
		best := argmax(scores)
		remove(scores, func(i int) bool { return p[i] < limit && i != best })
	}
	if o.TypicalP > 0 && o.TypicalP < 1 {
		typical(scores, o.TypicalP)
	}
	if e := o.EpsilonCutoff; e > 0 && e < 1 {
		cutoff(scores, e)
	}
	if e := o.EtaCutoff; e > 0 && e < 1 {
		cutoff(scores, min(e, math.Sqrt(e)*math.Exp(-entropy(Softmax(scores)))))
	}
}

func repetition(tokens []int, scores []float64, penalty float64) {
	seen := make(map[int]bool, len(tokens))
	for _, id := range tokens {
		if id < 0 || id >= len(scores) || seen[id] {
			continue
		}
		seen[id] = true
		if scores[id] < 0 {
			scores[id] *= penalty
		} else {
			scores[id] /= penalty
		}
	}
}

// penalties lowers the scores of generated tokens.
//
// Source: OpenAI, "API reference", presence_penalty and frequency_penalty.
func (o *Options) penalties(generated []int, scores []float64) {
	counts := map[int]int{}
	for _, id := range generated {
		if id >= 0 && id < len(scores) {
			counts[id]++
		}
	}
	for id, n := range counts {
		scores[id] -= o.PresencePenalty + o.FrequencyPenalty*float64(n)
	}
}

// noRepeat forbids tokens that would repeat a sequence of n tokens.
func noRepeat(tokens []int, scores []float64, n int) {
	if len(tokens) < n {
		return
	}
	last := tokens[len(tokens)-n+1:]
	for i := 0; i+n <= len(tokens); i++ {
		if slices.Equal(tokens[i:i+n-1], last) {
			forbid(scores, tokens[i+n-1:i+n])
		}
	}
}

func forbid(scores []float64, ids []int) {
	for _, id := range ids {
		if id < len(scores) {
			scores[id] = -inf
		}
	}
}

func force(scores []float64, ids []int) {
	for i := range scores {
		scores[i] = -inf
	}
	for _, id := range ids {
		if id < len(scores) {
			scores[id] = 0
		}
	}
}

func remove(scores []float64, drop func(i int) bool) {
	for i := range scores {
		if drop(i) {
			scores[i] = -inf
		}
	}
}

// kth is the k-th largest number.
func kth(scores []float64, k int) float64 {
	list := slices.Clone(scores)
	slices.Sort(list)
	return list[len(list)-k]
}

// ascending are the numbers of tokens by rising score.
func ascending(scores []float64) []int {
	order := make([]int, len(scores))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int {
		switch {
		case scores[a] < scores[b]:
			return -1
		case scores[a] > scores[b]:
			return 1
		}
		return 0
	})
	return order
}

// topP removes the worst tokens that have the probability 1-p together, but for the best one.
func topP(scores []float64, p float64) {
	order, probabilities, sum := ascending(scores), Softmax(scores), 0.0
	for _, i := range order[:len(order)-1] {
		if sum += probabilities[i]; sum > 1-p {
			break
		}
		scores[i] = -inf
	}
}

// typical keeps the tokens whose surprise is nearest to the entropy and that have the probability mass together.
func typical(scores []float64, mass float64) {
	p := Softmax(scores)
	h := entropy(p)
	far := make([]float64, len(p))
	for i := range p {
		far[i] = math.Abs(-math.Log(p[i]) - h)
	}
	order, sum, last := ascending(far), 0.0, len(p)-1
	for n, i := range order {
		if sum += p[i]; sum >= mass {
			last = n
			break
		}
	}
	limit := far[order[last]]
	remove(scores, func(i int) bool { return far[i] > limit && i != order[0] })
}

// cutoff removes tokens of less than a probability, but for the best ones.
func cutoff(scores []float64, limit float64) {
	p, best := Softmax(scores), slices.Max(scores)
	remove(scores, func(i int) bool { return p[i] < limit && scores[i] < best })
}

func entropy(p []float64) (h float64) {
	for _, x := range p {
		if x > 0 {
			h -= x * math.Log(x)
		}
	}
	return h
}

// Softmax are the probabilities of scores; those of -Inf are 0.
func Softmax(scores []float64) []float64 {
	p := make([]float64, len(scores))
	limit, sum := slices.Max(scores), 0.0
	for i, s := range scores {
		if limit > -inf {
			p[i] = math.Exp(s - limit)
		}
		sum += p[i]
	}
	for i := range p {
		p[i] /= sum
	}
	return p
}

// logSoftmax replaces scores by the logarithms of their probabilities.
func logSoftmax(scores []float64) {
	limit, sum := slices.Max(scores), 0.0
	for _, s := range scores {
		sum += math.Exp(s - limit)
	}
	shift := limit + math.Log(sum)
	for i := range scores {
		scores[i] -= shift
	}
}

// argmax is the first of the best tokens.
func argmax(scores []float64) int {
	best := 0
	for i, s := range scores {
		if s > scores[best] {
			best = i
		}
	}
	return best
}
