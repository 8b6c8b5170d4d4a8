package openai

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math"
	"net/http"
	"slices"

	"github.com/go-nx/nx/generate"
	"github.com/go-nx/nx/internal/textmodel"
	"github.com/go-nx/nx/token"
)

// apiError is an error in the form of the protocol.
type apiError struct {
	Message string  `json:"message"`
	Type    string  `json:"type"`
	Param   *string `json:"param"`
	Code    any     `json:"code"`
	status  int
}

func (e *apiError) Error() string { return e.Message }

// invalid is an error of a field.
func invalid(field, format string, args ...any) *apiError {
	e := &apiError{status: http.StatusBadRequest, Type: "invalid_request_error", Message: fmt.Sprintf(format, args...)}
	if field != "" {
		e.Param, e.Message = &field, field+": "+e.Message
	}
	return e
}

// fields are those of a request that were not read yet.
type fields map[string]json.RawMessage

// take reads a field, if it is there and not null, and reports whether it is.
func (f fields) take(name string, to any) (bool, error) {
	raw, ok := f[name]
	delete(f, name)
	if !ok || string(raw) == "null" {
		return false, nil
	}
	if err := json.Unmarshal(raw, to); err != nil {
		var kind *json.UnmarshalTypeError
		if errors.As(err, &kind) {
			return false, invalid(name, "it must not be a %s", kind.Value)
		}
		return false, invalid(name, "%v", err)
	}
	return true, nil
}

// harmless are fields that do not change a result.
var harmless = []string{"user", "metadata", "store", "service_tier", "safety_identifier", "prompt_cache_key",
	"parallel_tool_calls"}

// neutral are the values of unsupported fields that change nothing.
var neutral = map[string][]string{"best_of": {"1"}, "echo": {"false"}, "suffix": {`""`}, "tools": {"[]"},
	"tool_choice": {`"none"`}, "functions": {"[]"}, "response_format": {`{"type":"text"}`}, "modalities": {`["text"]`}}

// rest reports fields that are left and would change the result.
func (f fields) rest() error {
	for _, name := range slices.Sorted(maps.Keys(f)) {
		var value bytes.Buffer
		if json.Compact(&value, f[name]) != nil || value.String() == "null" || slices.Contains(harmless, name) ||
			slices.Contains(neutral[name], value.String()) {
			continue
		}
		if want, ok := neutral[name]; ok {
			return invalid(name, "only %s is supported: leave it out", want[0])
		}
		return invalid(name, "this field is not supported: leave it out")
	}
	return nil
}

// completion is a request of text.
type completion struct {
	chat          bool
	prompts       [][]int
	n             int // choices for each prompt
	opts          generate.Options
	stream, usage bool
	logProbs      bool
}

// The most choices of a request, and the most of the best tokens that a token comes with.
const mostChoices, mostTop = 128, 20

// completion reads a request.
func (m *Model) completion(f fields, chat bool) (c *completion, err error) {
	if m.generator == nil {
		return nil, invalid("model", "%q makes embeddings: send the request to /v1/embeddings", m.name)
	}
	c = &completion{chat: chat, n: 1}
	var sampling textmodel.Sampling
	var temperature, topP, presence, frequency float64
	var topK, limit, limitToo, top int
	var seed int64
	var stop oneOrMore
	var options struct {
		Usage bool `json:"include_usage"`
	}
	var bias map[int]float64
	list := []field{{"temperature", &temperature}, {"top_p", &topP}, {"top_k", &topK}, {"seed", &seed},
		{"max_tokens", &limit}, {"max_completion_tokens", &limitToo}, {"stop", &stop}, {"stream", &c.stream},
		{"stream_options", &options}, {"n", &c.n}, {"presence_penalty", &presence},
		{"frequency_penalty", &frequency}, {"logit_bias", &bias}}
	given := map[string]bool{}
	if chat {
		list = append(list, field{"logprobs", &c.logProbs})
	} else {
		list = append(list, field{"logprobs", &top})
	}
	for _, x := range list {
		if given[x.name], err = f.take(x.name, x.to); err != nil {
			return nil, err
		}
	}
	if !chat {
		c.logProbs = given["logprobs"]
	} else if _, err := f.take("top_logprobs", &top); err != nil {
		return nil, err
	} else if top != 0 && !c.logProbs {
		return nil, invalid("top_logprobs", "it needs logprobs: true")
	}
	c.usage = options.Usage
	for _, x := range []struct {
		name string
		ok   bool
		want string
		set  func()
	}{
		{"temperature", temperature >= 0 && temperature <= 2, "0 to 2", func() { sampling.Temperature = &temperature }},
		{"top_p", topP > 0 && topP <= 1, "above 0, at most 1", func() { sampling.TopP = &topP }},
		{"top_k", topK >= 0, "not negative", func() { sampling.TopK = &topK }},
		{"seed", true, "", func() { n := uint64(seed); sampling.Seed = &n }},
		{"max_tokens", limit > 0, "at least 1", func() {}},
		{"max_completion_tokens", limitToo > 0, "at least 1", func() { limit = limitToo }},
		{"stop", !slices.Contains(stop, ""), "not empty", func() {}},
		{"n", c.n >= 1 && c.n <= mostChoices, fmt.Sprintf("1 to %d", mostChoices), func() {}},
		{"presence_penalty", math.Abs(presence) <= 2, "-2 to 2", func() {}},
		{"frequency_penalty", math.Abs(frequency) <= 2, "-2 to 2", func() {}},
		{"logprobs", chat || top >= 0 && top <= mostTop, fmt.Sprintf("0 to %d", mostTop), func() {}},
		{"logit_bias", m.isBias(bias), "numbers of -100 to 100 by token of the model", func() {}},
	} {
		if given[x.name] && !x.ok {
			return nil, invalid(x.name, "want %s", x.want)
		} else if given[x.name] {
			x.set()
		}
	}
	if top < 0 || top > mostTop {
		return nil, invalid("top_logprobs", "want 0 to %d", mostTop)
	}
	switch {
	case limit == 0 && chat:
		limit = math.MaxInt32 / 2 // the context ends it
	case limit == 0:
		limit = 16
	}
	if chat {
		var prompt []int
		prompt, err = m.conversation(f)
		c.prompts = [][]int{prompt}
	} else {
		c.prompts, err = m.inputs(f, "prompt")
	}
	if err != nil {
		return nil, err
	}
	if n := len(c.prompts) * c.n; n < 1 || n > mostChoices {
		return nil, invalid("prompt", "want 1 to %d texts, got %d with n = %d", mostChoices, len(c.prompts), c.n)
	}
	if err := f.rest(); err != nil {
		return nil, err
	}
	c.opts = sampling.Apply(m.text.Defaults)
	c.opts.MaxNewTokens, c.opts.Stop = min(limit, math.MaxInt32/2), append(stop, c.opts.Stop...)
	c.opts.PresencePenalty, c.opts.FrequencyPenalty = presence, frequency
	c.opts.LogProbs, c.opts.RawLogProbs = top, c.logProbs
	if len(bias) > 0 {
		c.opts.Mask = func(_ []int, scores []float64) {
			for id, b := range bias {
				scores[id] += b
			}
		}
	}
	return c, nil
}

// field is a field of a request and where its value goes.
type field struct {
	name string
	to   any
}

// isBias reports whether all numbers and tokens of logit_bias are possible.
func (m *Model) isBias(bias map[int]float64) bool {
	for id, b := range bias {
		if id < 0 || id >= m.text.Network.Vocabulary || !(math.Abs(b) <= 100) {
			return false
		}
	}
	return true
}

// oneOrMore is a list of strings, or one.
type oneOrMore []string

func (s *oneOrMore) UnmarshalJSON(data []byte) error {
	if data[0] == '"' {
		*s = make(oneOrMore, 1)
		return json.Unmarshal(data, &(*s)[0])
	}
	return json.Unmarshal(data, (*[]string)(s))
}

// inputs reads texts or lists of tokens, or one.
func (m *Model) inputs(f fields, name string) (list [][]int, err error) {
	raw := f[name]
	delete(f, name)
	var texts oneOrMore
	var ids []int
	switch {
	case len(raw) == 0 || string(raw) == "null":
		return nil, invalid(name, "it is missing")
	case json.Unmarshal(raw, &texts) == nil:
		for _, text := range texts {
			ids, err := m.text.Prompt(text)
			if err != nil {
				return nil, invalid(name, "%v", err)
			}
			list = append(list, ids)
		}
	case json.Unmarshal(raw, &ids) == nil:
		list = [][]int{ids}
	case json.Unmarshal(raw, &list) == nil:
	default:
		return nil, invalid(name, "want a text, a list of texts, or tokens")
	}
	vocabulary := m.text.Network.Vocabulary
	for _, id := range slices.Concat(list...) {
		if id < 0 || id >= vocabulary {
			return nil, invalid(name, "there is no token %d: the model has 0 to %d", id, vocabulary-1)
		}
	}
	return list, nil
}

// conversation reads the messages of a request.
func (m *Model) conversation(f fields) ([]int, error) {
	var list []fields
	if ok, err := f.take("messages", &list); err != nil {
		return nil, err
	} else if !ok || len(list) == 0 {
		return nil, invalid("messages", "want at least one message")
	}
	messages := make([]token.Message, len(list))
	for i, message := range list {
		field := func(name string) string { return fmt.Sprintf("messages[%d].%s", i, name) }
		if _, err := message.take("role", &messages[i].Role); err != nil {
			return nil, invalid(field("role"), "want a text")
		}
		switch messages[i].Role {
		case "developer":
			messages[i].Role = "system"
		case "system", "user", "assistant":
		default:
			return nil, invalid(field("role"), "%q is not supported: want system, developer, user or assistant",
				messages[i].Role)
		}
		var content content
		if _, err := message.take("content", &content); err != nil {
			return nil, invalid(field("content"), "want a text, or parts of type text")
		}
		messages[i].Content = string(content)
		for _, name := range slices.Sorted(maps.Keys(message)) {
			if value := string(message[name]); value != "null" && value != "[]" && value != `""` {
				return nil, invalid(field(name), "this field is not supported: leave it out")
			}
		}
	}
	ids, err := m.text.Conversation(messages)
	if err != nil {
		return nil, invalid("messages", "%v", err)
	}
	return ids, nil
}

// content is the text of a message, or that of its parts.
type content string

func (c *content) UnmarshalJSON(data []byte) error {
	var text string
	if json.Unmarshal(data, &text) == nil {
		*c = content(text)
		return nil
	}
	var parts []struct{ Type, Text string }
	if err := json.Unmarshal(data, &parts); err != nil {
		return err
	}
	for _, p := range parts {
		if p.Type != "text" {
			return fmt.Errorf("a part is of type %q", p.Type)
		}
		*c += content(p.Text)
	}
	return nil
}
