package generate

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/go-nx/nx"
	"github.com/go-nx/nx/transformers"
)

// Sequence is a result of a search with beams.
type Sequence struct {
	Tokens []int   // the prompt and what follows it
	Score  float64 // the log-probability by the number of new tokens to the power of LengthPenalty
}

// unlikely is the score of what must not be chosen.
const unlikely = float64(-1e9)

// beam is a sequence of a search.
type beam struct {
	tokens []int
	score  float64
	from   int  // the beam of the step before
	done   bool // it is complete
}

// Beams searches for the likeliest sequences behind a prompt, by as many beams as the options say, and returns the best
// ones, Options.Return of them. With Options.Sample it draws continuations instead of taking the best.
//
// Errors: those of [Generator.Stream], and fewer beams than results.
func (g *Generator) Beams(ctx context.Context, prompt []int, opts Options) (list []Sequence, err error) {
	defer nx.Catch(&err)
	opts.Beams, opts.Return = cmp.Or(opts.Beams, 1), cmp.Or(opts.Return, 1)
	if opts.Return > opts.Beams || opts.Beams > min(g.vocab, mostSlots) {
		return nil, fmt.Errorf("generate: %d sequences of %d beams are not possible: want at most %d beams, and as many "+
			"sequences", opts.Return, opts.Beams, min(g.vocab, mostSlots))
	}
	r, err := g.request(ctx, prompt, opts)
	if err != nil {
		return nil, err
	}
	if r.limit > g.capacity+1 {
		return nil, fmt.Errorf("generate: %d tokens: %w: it has %d positions", r.limit, ErrContext, g.capacity)
	}
	s := &search{Generator: g, request: r, penalty: 1, improves: true}
	if opts.LengthPenalty != nil {
		s.penalty = *opts.LengthPenalty
	}
	return s.run()
}

// search is a search with beams.
//
// Source: the search of transformers 5, whose choices where length is penalised this follows.
type search struct {
	*Generator
	*request
	penalty  float64
	beams    []beam // running
	finished []beam // the best ones, unlikely where there is none
	improves bool   // a running beam may become better than the finished ones
}

func (s *search) run() ([]Sequence, error) {
	n := s.opts.Beams
	first, cache := s.pieces(s.newCache(n), 0, s.request)
	if _, ok := s.net.(*transformers.Seq2Seq); ok { // all beams attend to the encoder
		for i := 1; i < n; i++ {
			cache = remember(cache, s.memory, scalar(i))
		}
	}
	logits := slices.Repeat(first, n)
	from := make([]int32, n) // all beams continue that of slot 0
	for range n {
		s.beams = append(s.beams, beam{tokens: s.tokens, score: unlikely})
		s.finished = append(s.finished, beam{score: unlikely})
	}
	s.beams[0].score = 0
	for {
		if err := s.ctx.Err(); err != nil {
			return nil, context.Cause(s.ctx)
		}
		if slices.ContainsFunc(logits, isNaN) {
			return nil, errNotNumbers
		}
		next, hits := s.continuations(logits)
		if next[0].score == -inf {
			return nil, errNoToken
		}
		s.update(next)
		s.choose(next)
		length := len(s.beams[0].tokens)
		s.heuristic(length)
		open := slices.ContainsFunc(s.finished, func(b beam) bool { return !b.done })
		full := s.opts.EarlyStopping == EarlyOn && !open
		if !s.improves || full || hits {
			break
		}
		for i := range from {
			if length > s.prompt+1 {
				from[i] = int32(s.beams[i].from)
			}
		}
		logits, cache = s.stepBeams(cache, from, length-1)
	}
	var list []Sequence
	for _, b := range s.finished[:s.opts.Return] {
		list = append(list, Sequence{b.tokens, b.score})
	}
	return list, nil
}

// stepBeams computes the scores behind the last tokens of all beams, which continue those in the slots from.
func (s *search) stepBeams(cache transformers.Cache, from []int32, start int) ([]float32, transformers.Cache) {
	n := len(s.beams)
	ids, starts := make([]int32, n), make([]int32, n)
	for i, b := range s.beams {
		ids[i], starts[i] = int32(b.tokens[start]), int32(start)
	}
	out, cache := decodeBeams(s.net, cache, nx.FromSlice(from, nx.Shape{n}), nx.FromSlice(ids, nx.Shape{n, 1}),
		nx.FromSlice(starts, nx.Shape{n}), upTo(start+1, smallestKeys, s.allocated()))
	return nx.Data[float32](out), cache
}

// continuations are the best continuations of all beams, enough of them that as many go on as there are beams, best
// first. Hits reports that all of them are complete.
func (s *search) continuations(logits []float32) (next []beam, hits bool) {
	n := len(s.beams)
	all := make([]float64, n*s.vocab)
	for b := range n {
		scores := all[b*s.vocab : (b+1)*s.vocab]
		for i, x := range logits[b*s.vocab : (b+1)*s.vocab] {
			scores[i] = float64(x)
		}
		logSoftmax(scores)
		s.opts.Process(s.beams[b].tokens, s.prompt, scores)
		for i := range scores {
			scores[i] += s.beams[b].score
		}
	}
	keep := min(max(2, 1+len(s.opts.EOS))*n, len(all))
	var order []int
	if s.opts.Sample {
		order = s.drawSome(all, keep)
	} else {
		order = best(all, keep)
	}
	hits = true
	for _, i := range order {
		b, id := i/s.vocab, i%s.vocab
		tokens := append(slices.Clip(s.beams[b].tokens), id)
		done := slices.Contains(s.opts.EOS, id) || len(tokens) >= s.limit
		next = append(next, beam{tokens, all[i], b, done})
		hits = hits && done
	}
	return next, hits
}

// best are the positions of the k largest numbers, the largest first, equal ones in order.
func best(x []float64, k int) []int {
	list := make([]int, 0, k+1)
	for i, v := range x {
		if len(list) == k && v <= x[list[k-1]] {
			continue
		}
		at, _ := slices.BinarySearchFunc(list, v, func(j int, v float64) int {
			if x[j] >= v {
				return -1
			}
			return 1
		})
		list = slices.Insert(list, at, i)
		list = list[:min(len(list), k)]
	}
	return list
}

// drawSome draws k positions without replacement by the probabilities of scores; the best ones come first.
func (s *search) drawSome(scores []float64, k int) []int {
	keys := make([]float64, len(scores))
	for i, x := range scores { // the largest of scores with Gumbel noise are such a draw
		keys[i] = x - math.Log(-math.Log(s.random.Float64()))
	}
	list := best(keys, k)
	slices.SortStableFunc(list, func(a, b int) int { return cmp.Compare(scores[b], scores[a]) })
	return list
}

// choose takes the beams that go on: the best that are not complete.
func (s *search) choose(next []beam) {
	running := slices.Clone(next)
	for i := range running {
		if running[i].done {
			running[i].score += unlikely
		}
	}
	slices.SortStableFunc(running, func(a, b beam) int { return cmp.Compare(b.score, a.score) })
	s.beams = running[:len(s.beams)]
}

// update keeps the best of the finished sequences and of those that are complete now, among as many continuations as
// there are beams.
func (s *search) update(next []beam) {
	full := s.opts.EarlyStopping == EarlyOn && !slices.ContainsFunc(s.finished, func(b beam) bool { return !b.done })
	merged := slices.Clone(s.finished)
	for i, b := range next {
		b.done = b.done && i < len(s.beams)
		b.score /= math.Pow(float64(len(b.tokens)-s.prompt), s.penalty)
		if full {
			b.score += unlikely
		}
		if !s.improves {
			b.score += unlikely
		}
		if !b.done {
			b.score += unlikely
		}
		merged = append(merged, b)
	}
	slices.SortStableFunc(merged, func(a, b beam) int { return cmp.Compare(b.score, a.score) })
	s.finished = merged[:len(s.beams)]
}

// heuristic decides whether the best running beam may still become better than the worst finished sequence.
func (s *search) heuristic(length int) {
	n := length - s.prompt
	if s.opts.EarlyStopping == EarlyNever && s.penalty > 0 {
		n = s.limit - s.prompt
	}
	hope := s.beams[0].score / math.Pow(float64(n), s.penalty)
	worst := inf
	for _, b := range s.finished {
		worst = min(worst, b.score)
	}
	better := false
	for _, b := range s.finished {
		limit := unlikely
		if b.done {
			limit = worst
		}
		better = better || hope > limit
	}
	s.improves = s.improves && better
}
