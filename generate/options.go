package generate

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"

	"github.com/go-nx/nx/transformers"
)

// Options say how a sequence is generated. The zero value takes the best token at each step, 20 times. The names in
// JSON are those of generation_config.json, and an option that is 0, false or absent is off. MaxLength and MinLength
// count the prompt, too; of an encoder-decoder that is the first tokens of the decoder.
type Options struct {
	MaxNewTokens int `json:"max_new_tokens"` // 20 if MaxLength is 0, too
	MaxLength    int `json:"max_length"`
	MinNewTokens int `json:"min_new_tokens"` // no end before
	MinLength    int `json:"min_length"`

	// Sample draws tokens by their probabilities; otherwise the best one is taken, and the options up to Seed are off.
	Sample        bool    `json:"do_sample"`
	Temperature   float64 `json:"temperature"`    // divides scores
	TopK          int     `json:"top_k"`          // keeps the k best tokens
	TopP          float64 `json:"top_p"`          // keeps the best tokens that have this probability together
	MinP          float64 `json:"min_p"`          // keeps tokens of this part of the best one's probability
	TypicalP      float64 `json:"typical_p"`      // keeps tokens whose surprise is nearest to the entropy
	EpsilonCutoff float64 `json:"epsilon_cutoff"` // keeps tokens of this probability
	EtaCutoff     float64 `json:"eta_cutoff"`     // the same, lowered for high entropy
	Seed          uint64  `json:"seed"`           // of the draws; the same one gives the same tokens

	RepetitionPenalty   float64  `json:"repetition_penalty"`   // divides scores of tokens that are there
	PresencePenalty     float64  `json:"-"`                    // taken from scores of generated tokens, once
	FrequencyPenalty    float64  `json:"-"`                    // taken from scores of generated tokens for each time
	NoRepeatNGram       int      `json:"no_repeat_ngram_size"` // no sequence of n tokens occurs twice
	BadWords            [][]int  `json:"bad_words_ids"`        // sequences that do not occur
	SuppressTokens      []int    `json:"suppress_tokens"`
	BeginSuppressTokens []int    `json:"begin_suppress_tokens"` // at the first step
	ForcedBOS           Tokens   `json:"forced_bos_token_id"`   // the second token of a sequence
	ForcedEOS           Tokens   `json:"forced_eos_token_id"`   // the last token of a sequence that is not ended before
	EOS                 Tokens   `json:"eos_token_id"`          // any of them ends a sequence
	Stop                []string `json:"stop_strings"`          // any of them ends a sequence; needs Text

	Beams         int      `json:"num_beams"` // of [Generator.Beams]
	LengthPenalty *float64 `json:"length_penalty"`
	EarlyStopping Early    `json:"early_stopping"`
	Return        int      `json:"num_return_sequences"`

	// LogProbs is the number of best tokens that each token comes with.
	LogProbs int `json:"-"`
	// RawLogProbs makes the log-probabilities those of the model's scores, before any processing.
	RawLogProbs bool `json:"-"`
	// Logits keeps the scores of all tokens before processing with each token.
	Logits bool `json:"-"`
	// Mask is called before each token with those of the sequence, the prompt first, and scores to change: -Inf takes a
	// token out. It is how grammars are followed. It must not keep either slice.
	Mask func(tokens []int, scores []float64) `json:"-"`
	// Text makes a decoder for the text of a sequence.
	Text func() TextDecoder `json:"-"`
	// Inputs are those of an encoder: InputIDs and AttentionMask, or InputFeatures, of one example.
	Inputs transformers.Inputs `json:"-"`
}

// Tokens is a list of tokens, in JSON also a single one.
type Tokens []int

// UnmarshalJSON reads a number, a list of numbers, or null.
func (t *Tokens) UnmarshalJSON(data []byte) error {
	*t = nil
	var one int
	if json.Unmarshal(data, &one) == nil && string(data) != "null" {
		*t = Tokens{one}
		return nil
	}
	return json.Unmarshal(data, (*[]int)(t))
}

// Early says when a search with beams ends.
type Early int

// The ends of a search with beams.
const (
	EarlyOff   Early = iota // when a better sequence is unlikely
	EarlyOn                 // when there are as many sequences as beams
	EarlyNever              // when there can be no better sequence
)

// UnmarshalJSON reads true, false or "never".
func (e *Early) UnmarshalJSON(data []byte) error {
	switch string(data) {
	case "true":
		*e = EarlyOn
	case "false", "null":
		*e = EarlyOff
	case `"never"`:
		*e = EarlyNever
	default:
		return fmt.Errorf("early_stopping must be true, false or \"never\", got %.40s", data)
	}
	return nil
}

// Check reports options that mean nothing for a model with a vocabulary: numbers that are negative or not finite,
// probabilities above 1, tokens below 0, empty words and strings. A generator checks the options of each request.
func (o *Options) Check(vocab int) error {
	for _, n := range []struct {
		name string
		v    float64
	}{{"MaxNewTokens", float64(o.MaxNewTokens)}, {"MaxLength", float64(o.MaxLength)},
		{"MinNewTokens", float64(o.MinNewTokens)}, {"MinLength", float64(o.MinLength)},
		{"Temperature", o.Temperature}, {"TopK", float64(o.TopK)}, {"TopP", o.TopP}, {"MinP", o.MinP},
		{"TypicalP", o.TypicalP}, {"EpsilonCutoff", o.EpsilonCutoff}, {"EtaCutoff", o.EtaCutoff},
		{"RepetitionPenalty", o.RepetitionPenalty}, {"NoRepeatNGram", float64(o.NoRepeatNGram)},
		{"Beams", float64(o.Beams)}, {"Return", float64(o.Return)}, {"LogProbs", float64(o.LogProbs)}} {
		if !(n.v >= 0) {
			return fmt.Errorf("generate: the option %s must not be negative, got %v", n.name, n.v)
		}
		if math.IsInf(n.v, 1) {
			return fmt.Errorf("generate: the option %s must be finite", n.name)
		}
	}
	if p := o.PresencePenalty + o.FrequencyPenalty; p-p != 0 {
		return fmt.Errorf("generate: the options PresencePenalty and FrequencyPenalty must be finite")
	}
	for _, p := range []struct {
		name string
		v    float64
	}{{"TopP", o.TopP}, {"MinP", o.MinP}, {"TypicalP", o.TypicalP}, {"EpsilonCutoff", o.EpsilonCutoff},
		{"EtaCutoff", o.EtaCutoff}} {
		if p.v > 1 {
			return fmt.Errorf("generate: the option %s is a probability, at most 1, got %v", p.name, p.v)
		}
	}
	lists := append([][]int{o.SuppressTokens, o.BeginSuppressTokens, o.ForcedBOS, o.ForcedEOS, o.EOS}, o.BadWords...)
	for _, list := range lists {
		for _, id := range list {
			if id < 0 {
				return fmt.Errorf("generate: an option has the token %d, the vocabulary has 0 to %d", id, vocab-1)
			}
		}
	}
	if slices.ContainsFunc(o.BadWords, func(w []int) bool { return len(w) == 0 }) {
		return fmt.Errorf("generate: a bad word has no tokens")
	}
	if len(o.Stop) > 0 && o.Text == nil {
		return fmt.Errorf("generate: the option Stop needs the option Text")
	}
	if slices.Contains(o.Stop, "") {
		return fmt.Errorf("generate: the option Stop has an empty string, which every text has: leave it out")
	}
	return nil
}

// limit is the length of a sequence, its prompt included, at which it ends.
func (o *Options) limit(prompt int) int {
	if o.MaxNewTokens > 0 {
		return prompt + min(o.MaxNewTokens, math.MaxInt-prompt)
	}
	if o.MaxLength > 0 {
		return o.MaxLength
	}
	return prompt + 20
}
