package openai

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"net/http"
	"sync"
	"time"
	"unicode/utf8"

	"github.com/go-nx/nx/generate"
)

// complete answers with text, at once or in parts.
func (h *handler) complete(w http.ResponseWriter, r *http.Request, chat bool) {
	m, f, err := h.read(w, r)
	if err != nil {
		writeError(w, err)
		return
	}
	c, err := m.completion(f, chat)
	if err != nil {
		writeError(w, err)
		return
	}
	a := &answer{completion: c, model: m.name, id: "cmpl-" + rand.Text(), created: time.Now().Unix(),
		limits: h.limits, w: w}
	if chat {
		a.id = "chatcmpl-" + a.id[len("cmpl-"):]
	}
	if err := a.run(m, r); err != nil {
		a.fail(err)
	}
}

// answer is an answer with text.
type answer struct {
	*completion
	model, id string
	created   int64
	limits    Limits

	mu    sync.Mutex // of what follows
	w     http.ResponseWriter
	begun bool // parts are written
}

// choice is one of the texts of an answer.
type choice struct {
	index  int
	text   []byte
	tokens []generate.Token // with log-probabilities, where they are asked for
	count  int              // of all tokens
	runes  int              // of the texts of the tokens that were sent
	reason any              // why it ended, or nil
}

// run computes all choices, which take slots by themselves.
func (a *answer) run(m *Model, r *http.Request) error {
	ctx, cancel := context.WithCancelCause(r.Context())
	defer cancel(nil)
	choices := make([]*choice, len(a.prompts)*a.n)
	var group sync.WaitGroup
	for i := range choices {
		choices[i] = &choice{index: i}
		group.Go(func() {
			if err := a.compute(ctx, m, choices[i]); err != nil {
				cancel(err) // the first error is that of the answer
			}
		})
	}
	group.Wait()
	if err := context.Cause(ctx); err != nil {
		return err
	}
	usage := map[string]int{}
	for _, p := range a.prompts {
		usage["prompt_tokens"] += len(p)
	}
	for _, c := range choices {
		usage["completion_tokens"] += c.count
	}
	usage["total_tokens"] = usage["prompt_tokens"] + usage["completion_tokens"]
	if a.stream {
		return a.end(usage)
	}
	list := []any{}
	for _, c := range choices {
		x := map[string]any{"index": c.index, "logprobs": a.logProbsOf(m, c.tokens, 0), "finish_reason": c.reason}
		if a.chat {
			x["message"] = map[string]any{"role": "assistant", "content": string(c.text), "refusal": nil}
		} else {
			x["text"] = string(c.text)
		}
		list = append(list, x)
	}
	whole := a.chunk(list)
	whole["object"], whole["usage"] = "text_completion", usage
	if a.chat {
		whole["object"] = "chat.completion"
	}
	write(a.w, whole)
	return nil
}

// compute computes a choice, and sends its parts where the answer is a stream.
func (a *answer) compute(ctx context.Context, m *Model, c *choice) error {
	leave, err := m.enter(ctx)
	if err != nil {
		return err
	}
	defer leave()
	opts, prompt := a.opts, a.prompts[c.index/a.n]
	opts.Seed += uint64(c.index) // the first choice is that of a request for one
	for t, err := range m.generator.Stream(ctx, prompt, opts) {
		if err != nil {
			return a.named(prompt, err)
		}
		c.count++
		c.text = append(c.text, t.Text...)
		if a.logProbs && t.Finish != generate.FinishEOS { // the text has no such token
			c.tokens = append(c.tokens, t)
		}
		switch t.Finish {
		case "":
		case generate.FinishLength, generate.FinishContext:
			c.reason = "length"
		default:
			c.reason = "stop"
		}
		if a.stream {
			if err := a.part(m, c, t.Text); err != nil {
				return err
			}
		}
	}
	return nil
}

// named names the field that an error of the generator is about.
func (a *answer) named(prompt []int, err error) error {
	field := "prompt"
	if a.chat {
		field = "messages"
	}
	if errors.Is(err, generate.ErrContext) {
		e := invalid(field, "%v", err)
		e.Code = "context_length_exceeded"
		return e
	}
	if len(prompt) == 0 {
		return invalid(field, "it has no tokens")
	}
	return err
}

// chunk is an answer, or a part of one, with choices.
func (a *answer) chunk(choices []any) map[string]any {
	object := "text_completion"
	if a.chat {
		object = "chat.completion.chunk"
	}
	return map[string]any{"id": a.id, "object": object, "created": a.created, "model": a.model, "choices": choices}
}

// part sends text that follows, with the log-probabilities of tokens that were not sent yet, and at the end the reason.
func (a *answer) part(m *Model, c *choice, text string) error {
	a.mu.Lock()
	defer a.mu.Unlock()
	if !a.begun {
		a.begun = true
		a.w.Header().Set("Content-Type", "text/event-stream")
		a.w.Header().Set("Cache-Control", "no-cache")
	}
	if a.chat && c.count == 1 {
		role := map[string]any{"role": "assistant", "content": ""}
		first := map[string]any{"index": c.index, "delta": role, "logprobs": nil, "finish_reason": nil}
		if err := a.event(a.chunk([]any{first})); err != nil {
			return err
		}
	}
	if text != "" || len(c.tokens) > 0 {
		x := map[string]any{"index": c.index, "finish_reason": nil, "logprobs": nil}
		if len(c.tokens) > 0 {
			x["logprobs"] = a.logProbsOf(m, c.tokens, c.runes)
		}
		for _, t := range c.tokens {
			c.runes += utf8.RuneCountInString(m.tokenText(t.ID))
		}
		c.tokens = c.tokens[:0]
		if a.chat {
			x["delta"] = map[string]any{"content": text}
		} else {
			x["text"] = text
		}
		if err := a.event(a.chunk([]any{x})); err != nil {
			return err
		}
	}
	if c.reason == nil {
		return nil
	}
	last := map[string]any{"index": c.index, "logprobs": nil, "finish_reason": c.reason}
	if a.chat {
		last["delta"] = map[string]any{}
	} else {
		last["text"] = ""
	}
	return a.event(a.chunk([]any{last}))
}

// end sends the last parts.
func (a *answer) end(usage any) error {
	if a.usage {
		last := a.chunk([]any{})
		last["usage"] = usage
		if err := a.event(last); err != nil {
			return err
		}
	}
	return a.send([]byte("data: [DONE]\n\n"))
}

func (a *answer) event(v any) error {
	data, err := json.Marshal(v)
	if err != nil {
		return err
	}
	return a.send(append(append([]byte("data: "), data...), "\n\n"...))
}

// send writes a part before a deadline.
func (a *answer) send(data []byte) error {
	control := http.NewResponseController(a.w)
	_ = control.SetWriteDeadline(time.Now().Add(a.limits.Write)) // not every writer has deadlines
	if _, err := a.w.Write(data); err != nil {
		return err
	}
	return control.Flush()
}

// fail tells of an error, with a status where nothing was sent before.
func (a *answer) fail(err error) {
	if !a.begun {
		writeError(a.w, err)
		return
	}
	_ = a.event(map[string]any{"error": asAPI(err)}) // the client may have left
}
