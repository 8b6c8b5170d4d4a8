package openai

import (
	"crypto/rand"
	"encoding/json"
	"errors"
	"net/http"
	"time"

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
	w         http.ResponseWriter
	begun     bool // parts are written
}

func (a *answer) run(m *Model, r *http.Request) error {
	leave, err := m.enter(r.Context())
	if err != nil {
		return err
	}
	defer leave()
	var text []byte
	var finish generate.Finish
	tokens := 0
	for t, err := range m.generator.Stream(r.Context(), a.prompt, a.opts) {
		if err != nil {
			return a.named(err)
		}
		tokens++
		finish = t.Finish
		text = append(text, t.Text...)
		if a.stream {
			if err := a.part(t.Text); err != nil {
				return err
			}
		}
	}
	reason := "stop"
	if finish == generate.FinishLength || finish == generate.FinishContext {
		reason = "length"
	}
	usage := map[string]int{"prompt_tokens": len(a.prompt), "completion_tokens": tokens,
		"total_tokens": len(a.prompt) + tokens}
	if a.stream {
		return a.end(reason, usage)
	}
	choice := map[string]any{"index": 0, "text": string(text), "logprobs": nil, "finish_reason": reason}
	object := "text_completion"
	if a.chat {
		object = "chat.completion"
		choice = map[string]any{"index": 0, "logprobs": nil, "finish_reason": reason,
			"message": map[string]any{"role": "assistant", "content": string(text), "refusal": nil}}
	}
	whole := a.chunk([]any{choice})
	whole["object"], whole["usage"] = object, usage
	write(a.w, whole)
	return nil
}

// named names the field that an error of the generator is about.
func (a *answer) named(err error) error {
	field := "prompt"
	if a.chat {
		field = "messages"
	}
	if errors.Is(err, generate.ErrContext) {
		e := invalid(field, "%v", err)
		e.Code = "context_length_exceeded"
		return e
	}
	if !a.begun && len(a.prompt) == 0 {
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

// choice is what a part adds.
func (a *answer) choice(text string, reason any) map[string]any {
	if !a.chat {
		return map[string]any{"index": 0, "text": text, "logprobs": nil, "finish_reason": reason}
	}
	delta := map[string]any{}
	if text != "" {
		delta["content"] = text
	}
	return map[string]any{"index": 0, "delta": delta, "logprobs": nil, "finish_reason": reason}
}

// part sends text that follows.
func (a *answer) part(text string) error {
	if !a.begun {
		a.begun = true
		a.w.Header().Set("Content-Type", "text/event-stream")
		a.w.Header().Set("Cache-Control", "no-cache")
		if a.chat {
			role := map[string]any{"role": "assistant", "content": ""}
			first := map[string]any{"index": 0, "delta": role, "logprobs": nil, "finish_reason": nil}
			if err := a.event(a.chunk([]any{first})); err != nil {
				return err
			}
		}
	}
	if text == "" {
		return nil
	}
	return a.event(a.chunk([]any{a.choice(text, nil)}))
}

// end sends the last parts.
func (a *answer) end(reason string, usage any) error {
	if err := a.event(a.chunk([]any{a.choice("", reason)})); err != nil {
		return err
	}
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
