package openai

import (
	"strings"
	"unicode/utf8"

	"github.com/go-nx/nx/generate"
	"github.com/go-nx/nx/token"
)

// logProbsOf are the log-probabilities of tokens, in the form of completions or of chats, or nil where they are not
// asked for. Offset is the number of characters before the tokens.
func (a *answer) logProbsOf(m *Model, list []generate.Token, offset int) any {
	if !a.logProbs {
		return nil
	}
	if a.chat {
		content := []any{}
		for _, t := range list {
			entry := m.entry(t.ID, t.LogProb)
			top := []any{}
			for _, c := range t.Top {
				top = append(top, m.entry(c.ID, c.LogProb))
			}
			entry["top_logprobs"] = top
			content = append(content, entry)
		}
		return map[string]any{"content": content, "refusal": nil}
	}
	tokens, probs, tops, offsets := []string{}, []float64{}, []any{}, []int{}
	for _, t := range list {
		text := m.tokenText(t.ID)
		tokens, probs, offsets = append(tokens, text), append(probs, finite(t.LogProb)), append(offsets, offset)
		offset += utf8.RuneCountInString(text)
		if a.opts.LogProbs == 0 {
			tops = append(tops, nil)
			continue
		}
		top := map[string]float64{}
		for i := len(t.Top) - 1; i >= 0; i-- { // of two tokens with one text the better one remains
			top[m.tokenText(t.Top[i].ID)] = finite(t.Top[i].LogProb)
		}
		top[text] = finite(t.LogProb)
		tops = append(tops, top)
	}
	return map[string]any{"tokens": tokens, "token_logprobs": probs, "top_logprobs": tops, "text_offset": offsets}
}

// entry is a token with its log-probability. Bytes are null for a token that is a part of a character.
func (m *Model) entry(id int, logProb float64) map[string]any {
	text := m.tokenText(id)
	entry := map[string]any{"token": text, "logprob": finite(logProb), "bytes": nil}
	if !strings.ContainsRune(text, utf8.RuneError) {
		bytes := []int{}
		for _, b := range []byte(text) {
			bytes = append(bytes, int(b))
		}
		entry["bytes"] = bytes
	}
	return entry
}

// finite is a log-probability as JSON has it: that of what cannot be is -9999, as in OpenAI's answers.
func finite(x float64) float64 { return max(x, -9999) }

// tokenText is the text of a token behind another one: decoders leave out a space at the beginning of a text.
func (m *Model) tokenText(id int) string {
	one, err := m.text.Tokens.Decode([]int32{int32(id)}, token.KeepSpecial)
	if err != nil {
		return ""
	}
	two, err := m.text.Tokens.Decode([]int32{int32(id), int32(id)}, token.KeepSpecial)
	if text, ok := strings.CutPrefix(two, one); err == nil && ok && text != "" {
		return text
	}
	return one
}
