package generate

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"iter"
	"math"
	"math/bits"
	"math/rand/v2"
	"sync"

	"github.com/go-nx/nx"
	"github.com/go-nx/nx/transformers"
)

// Token is a token of a generated sequence.
type Token struct {
	ID int
	// LogProb is the logarithm of the token's probability, of the scores after processing; with Options.RawLogProbs of
	// those before it.
	LogProb float64
	// Top are the best tokens, as many as Options.LogProbs says.
	Top []Candidate
	// Text is what the token adds to the text, with Options.Text.
	Text string
	// Finish says why the sequence ends, on its last token.
	Finish Finish
	// Logits are the scores of all tokens before processing, with Options.Logits.
	Logits []float32
}

// Candidate is a token that might have been taken.
type Candidate struct {
	ID      int
	LogProb float64
}

// Finish is why a sequence ends.
type Finish string

// The reasons for which a sequence ends.
const (
	FinishEOS     Finish = "eos"     // at a token of Options.EOS
	FinishStop    Finish = "stop"    // at a string of Options.Stop
	FinishLength  Finish = "length"  // at the length of the options
	FinishContext Finish = "context" // the cache or the context of the model is full
)

// ErrContext is the error of a prompt that leaves no place for a token.
var ErrContext = errors.New("the context is full")

// Option is an option of [New].
type Option interface{ generator(*Generator) }

type (
	slotsOption    int
	capacityOption int
	encoderOption  int
)

// Slots is the number of requests that are computed at a time, 1 without it; others wait. A step computes all slots.
func Slots(n int) Option { return slotsOption(n) }

// Capacity is the number of positions of a slot, without it the context of the model, at most 4096, or 512 of a model
// without limit.
func Capacity(n int) Option { return capacityOption(n) }

// EncoderCapacity is the number of tokens that an encoder of text may read, 512 without it.
func EncoderCapacity(n int) Option { return encoderOption(n) }

func (n encoderOption) generator(g *Generator) { g.keys = max(1, int(n)) }
func (n slotsOption) generator(g *Generator) {
	g.slots = make([]*request, min(max(1, int(n)), mostSlots+1))
}
func (n capacityOption) generator(g *Generator) { g.capacity = int(n) }

// mostSlots is the largest number of slots, and of beams: their caches must fit in memory.
const mostSlots = 1 << 12

// Generator generates sequences with a model. Its methods may be called by several goroutines.
type Generator struct {
	net             network
	vocab, capacity int
	keys            int // of an encoder

	mu      sync.Mutex
	waiting []*request
	running bool

	// What follows belongs to the goroutine that runs.
	slots []*request
	cache transformers.Cache
	fresh bool   // there is no cache
	dirty []bool // slots whose keys or values are not numbers
}

// New returns a generator. Errors: a model that does not predict tokens. Options: [Slots], [Capacity],
// [EncoderCapacity].
func New(m *transformers.Model, opts ...Option) (*Generator, error) {
	g := &Generator{vocab: m.Vocabulary, slots: make([]*request, 1), fresh: true, keys: 512}
	switch net := m.Network.(type) {
	case *transformers.Decoder:
		if !net.NoHead {
			g.net = net
		}
	case *transformers.Seq2Seq:
		if !net.NoHead {
			g.net = net
		}
	}
	if g.net == nil {
		return nil, fmt.Errorf("generate: %s does not predict the tokens that follow", m.Architecture)
	}
	for _, o := range opts {
		if o != nil {
			o.generator(g)
		}
	}
	if g.dirty = make([]bool, len(g.slots)); len(g.slots) > mostSlots {
		return nil, fmt.Errorf("generate: at most %d slots are possible", mostSlots)
	}
	limit := cmp.Or(m.Limit, math.MaxInt32)
	g.capacity = cmp.Or(g.capacity, min(cmp.Or(m.Context, 512), 4096))
	if g.capacity < 1 || g.capacity > limit {
		return nil, fmt.Errorf("generate: a capacity of %d positions is not possible, the model has %d",
			g.capacity, limit)
	}
	return g, nil
}

// request is a sequence that is being generated.
type request struct {
	ctx     context.Context
	opts    Options
	tokens  []int // the prompt and what follows
	prompt  int
	limit   int // of len(tokens)
	length  int // positions in the cache
	memory  transformers.Cache
	random  *rand.Rand
	text    TextDecoder
	stopper stopper
	out     chan result
}

type result struct {
	token Token
	err   error
}

// Stream generates a sequence behind a prompt. Tokens come as they are computed; the last one says why the sequence
// ends. An error ends it, too: that of the context, of the options, of a prompt that leaves no place ([ErrContext]). A
// caller that stops early frees the slot.
func (g *Generator) Stream(ctx context.Context, prompt []int, opts Options) iter.Seq2[Token, error] {
	return func(yield func(Token, error) bool) {
		ctx, cancel := context.WithCancel(ctx)
		defer cancel()
		r, err := g.request(ctx, prompt, opts)
		if err != nil {
			yield(Token{}, err)
			return
		}
		g.submit(r)
		for x := range r.out {
			if !yield(x.token, x.err) {
				return
			}
		}
	}
}

// Generate is [Generator.Stream] at once: the tokens behind the prompt.
func (g *Generator) Generate(ctx context.Context, prompt []int, opts Options) (list []Token, err error) {
	for t, err := range g.Stream(ctx, prompt, opts) {
		if err != nil {
			return list, err
		}
		list = append(list, t)
	}
	return list, nil
}

// request checks the arguments of a request.
func (g *Generator) request(ctx context.Context, prompt []int, opts Options) (r *request, err error) {
	defer nx.Catch(&err)
	if err := opts.Check(g.vocab); err != nil {
		return nil, err
	}
	if len(prompt) == 0 {
		return nil, errors.New("generate: the prompt has no tokens; begin with that of the beginning of a text")
	}
	for i, id := range prompt {
		if id < 0 || id >= g.vocab {
			return nil, fmt.Errorf("generate: token %d of the prompt is %d, the vocabulary has 0 to %d", i, id, g.vocab-1)
		}
	}
	if len(prompt) > g.capacity {
		return nil, fmt.Errorf("generate: a prompt of %d tokens: %w: it has %d positions", len(prompt), ErrContext,
			g.capacity)
	}
	r = &request{ctx: ctx, opts: opts, tokens: append([]int(nil), prompt...), prompt: len(prompt),
		limit: opts.limit(len(prompt))}
	if r.limit <= r.prompt {
		return nil, fmt.Errorf("generate: the prompt has %d tokens, MaxLength allows %d", r.prompt, r.limit)
	}
	if e, ok := g.net.(*transformers.Seq2Seq); ok {
		if r.memory, err = g.encode(e, opts.Inputs); err != nil {
			return nil, err
		}
	}
	r.random = rand.New(rand.NewPCG(opts.Seed, 0x9e3779b97f4a7c15))
	if opts.Text != nil {
		r.text, r.stopper.stops = opts.Text(), opts.Stop
	}
	// One more for an error.
	r.out = make(chan result, min(r.limit, g.capacity+1)-r.prompt+1)
	return r, nil
}

// encode computes what a decoder attends to. Texts are filled up to few lengths, so that few programs are compiled.
func (g *Generator) encode(e *transformers.Seq2Seq, in transformers.Inputs) (c transformers.Cache, err error) {
	defer nx.Catch(&err)
	if err := e.Check(in); err != nil {
		return c, err
	}
	if ids := in.InputIDs; !ids.IsZero() {
		s := ids.Shape()
		if len(s) != 2 || s[0] != 1 || s[1] < 1 || s[1] > g.keys {
			return c, fmt.Errorf("generate: the encoder reads one text of 1 to %d tokens, got %v", g.keys, s)
		}
		for _, id := range nx.Data[int64](ids) {
			if id < 0 || id >= int64(g.vocab) {
				return c, fmt.Errorf("generate: Inputs has the token %d, the vocabulary has 0 to %d", id, g.vocab-1)
			}
		}
		if in.AttentionMask.IsZero() {
			in.AttentionMask = nx.Ones(s, nx.S32)
		}
		pad := [2]int{0, upTo(s[1], smallestPiece, g.keys) - s[1]}
		in.InputIDs, in.AttentionMask = nx.Pad(ids, 0, [2]int{}, pad), nx.Pad(in.AttentionMask, 0, [2]int{}, pad)
	}
	return encode(e, in, g.keys), nil
}

// submit queues a request and starts the goroutine that computes, which ends when there is nothing to do.
func (g *Generator) submit(r *request) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.waiting = append(g.waiting, r)
	if !g.running {
		g.running = true
		go g.run()
	}
}

// run computes steps until there is no request.
func (g *Generator) run() {
	for g.admit() {
		for i, r := range g.slots {
			if r == nil {
				continue
			}
			if err := r.ctx.Err(); err != nil {
				g.leave(i, context.Cause(r.ctx))
			} else if r.length == 0 || g.again(r) {
				g.join(i, r)
			}
		}
		g.step()
	}
}

// admit gives free slots to requests that wait, and reports whether there is something to do.
func (g *Generator) admit() bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	busy := false
	for i, r := range g.slots {
		if r == nil && len(g.waiting) > 0 {
			g.slots[i], g.waiting = g.waiting[0], g.waiting[1:]
		}
		busy = busy || g.slots[i] != nil
	}
	g.running = busy
	return busy
}

// leave frees a slot, with an error or nil.
func (g *Generator) leave(slot int, err error) {
	r := g.slots[slot]
	g.slots[slot] = nil
	if errors.Is(err, errNotNumbers) {
		g.dirty[slot] = true
	}
	if err != nil {
		r.out <- result{err: err}
	}
	close(r.out)
}

// broken ends all requests with an error of a step, whose cache is lost.
func (g *Generator) broken(err error) {
	g.cache, g.fresh = transformers.Cache{}, true
	for i, r := range g.slots {
		if r != nil {
			g.leave(i, err)
		}
	}
}

// again reports whether the cache of a sequence is computed again before its next token, and empties it.
func (g *Generator) again(r *request) bool {
	d, ok := g.net.(*transformers.Decoder)
	if !ok || !d.Again(r.length, r.length+1) {
		return false
	}
	r.length = 0
	return true
}

// join computes the prompt of a request and its first token.
func (g *Generator) join(slot int, r *request) {
	logits, err := g.fill(slot, r)
	if err != nil {
		g.broken(err)
		return
	}
	g.take(slot, r, logits)
}

// The sizes of the pieces of prompts.
const smallestPiece, largestPiece = 16, 512

// smallestKeys is the least number of keys that a step attends to.
const smallestKeys = 64

// upTo is the power of two from n on, within limits.
func upTo(n, lo, hi int) int {
	return min(max(1<<bits.Len(uint(n-1)), lo), hi)
}

func scalar(n int) nx.Tensor { return nx.FromSlice([]int32{int32(n)}, nx.Shape{}) }

// allocated is the number of positions of a cache: whole pieces.
func (g *Generator) allocated() int {
	return (g.capacity + smallestPiece - 1) / smallestPiece * smallestPiece
}

func (g *Generator) newCache(slots int) transformers.Cache {
	if e, ok := g.net.(*transformers.Seq2Seq); ok {
		return e.NewCache(slots, g.allocated(), g.keys)
	}
	return g.net.(*transformers.Decoder).NewCache(slots, g.allocated())
}

// fill computes a prompt in pieces; it returns the scores of the token that follows.
func (g *Generator) fill(slot int, r *request) (logits []float32, err error) {
	defer nx.Catch(&err)
	if g.fresh {
		g.cache, g.fresh = g.newCache(len(g.slots)), false
		clear(g.dirty)
	}
	if g.dirty[slot] {
		g.cache, g.dirty[slot] = forget(g.cache, scalar(slot)), false
	}
	logits, g.cache = g.pieces(g.cache, slot, r)
	return logits, nil
}

func (g *Generator) pieces(cache transformers.Cache, slot int, r *request) ([]float32, transformers.Cache) {
	if _, ok := g.net.(*transformers.Seq2Seq); ok {
		cache = remember(cache, r.memory, scalar(slot))
	}
	var out nx.Tensor
	for r.length < len(r.tokens) {
		n := min(len(r.tokens)-r.length, largestPiece)
		size := min(upTo(n, smallestPiece, largestPiece), g.allocated()-r.length)
		ids := make([]int32, size)
		for i := range n {
			ids[i] = int32(r.tokens[r.length+i])
		}
		keys := upTo(r.length+size, smallestKeys, g.allocated())
		out, cache = prefill(g.net, cache, nx.FromSlice(ids, nx.Shape{1, size}), scalar(slot), scalar(r.length),
			scalar(len(r.tokens)), scalar(n-1), keys)
		r.length += n
	}
	return nx.Data[float32](out), cache
}

// step computes a token of all slots.
func (g *Generator) step() {
	n := len(g.slots)
	ids, start, most, busy := make([]int32, n), make([]int32, n), 1, false
	for i, r := range g.slots {
		if r == nil {
			continue
		}
		ids[i], start[i] = int32(r.tokens[len(r.tokens)-1]), int32(r.length)
		most, busy = max(most, r.length+1), true
	}
	if !busy {
		return
	}
	logits, err := g.decode(ids, start, upTo(most, smallestKeys, g.allocated()))
	if err != nil {
		g.broken(err)
		return
	}
	for i, r := range g.slots {
		if r != nil {
			r.length++
			g.take(i, r, logits[i*g.vocab:(i+1)*g.vocab])
		}
	}
}

func (g *Generator) decode(ids, start []int32, keys int) (logits []float32, err error) {
	defer nx.Catch(&err)
	n := len(ids)
	out, cache := decode(g.net, g.cache, nx.FromSlice(ids, nx.Shape{n, 1}), nx.FromSlice(start, nx.Shape{n}), keys)
	g.cache = cache
	return nx.Data[float32](out), nil
}

// take takes a token by its scores and sends it; at the end of the sequence it frees the slot.
func (g *Generator) take(slot int, r *request, logits []float32) {
	t, err := r.next(logits, g.capacity)
	if err != nil {
		g.leave(slot, err)
		return
	}
	r.out <- result{token: t}
	if t.Finish != "" {
		g.leave(slot, nil)
	}
}
