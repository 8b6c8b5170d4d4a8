package main

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/go-nx/nx"
	"github.com/go-nx/nx/token"
	"github.com/go-nx/nx/transformers"
)

// encoder makes vectors of texts. Texts of one meaning have vectors that point the same way.
type encoder struct {
	tokens  *token.Tokenizer
	model   *transformers.Model
	pooling transformers.Pooling
}

// openEncoder opens a folder with a model of sentence-transformers.
func openEncoder(dir string) (*encoder, error) {
	tokens, err := token.Open(dir)
	if err != nil {
		return nil, err
	}
	model, err := transformers.Open(dir, transformers.NoHead)
	if err != nil {
		return nil, err
	}
	if _, ok := model.Network.(*transformers.Encoder); !ok {
		return nil, fmt.Errorf("%s: %s is not an encoder of texts: take one such as all-MiniLM-L6-v2", dir,
			model.Architecture)
	}
	e := &encoder{tokens: tokens, model: model}
	e.pooling, err = readPooling(filepath.Join(dir, "1_Pooling", "config.json"))
	return e, err
}

// readPooling reads how the hidden states of tokens become one vector: their mean, or the first one.
func readPooling(file string) (transformers.Pooling, error) {
	data, err := os.ReadFile(file)
	if errors.Is(err, fs.ErrNotExist) {
		return transformers.MeanPooling, nil
	}
	var config struct {
		First bool `json:"pooling_mode_cls_token"`
		Mean  bool `json:"pooling_mode_mean_tokens"`
	}
	if err == nil {
		err = json.Unmarshal(data, &config)
	}
	switch {
	case err != nil:
		return 0, fmt.Errorf("%s: %w", file, err)
	case config.First == config.Mean:
		return 0, fmt.Errorf("%s: want pooling_mode_mean_tokens or pooling_mode_cls_token", file)
	case config.First:
		return transformers.FirstPooling, nil
	}
	return transformers.MeanPooling, nil
}

// batch is the number of texts that are computed together.
const batch = 16

// vectors are those of texts, of length 1: [texts, width].
func (e *encoder) vectors(texts []string) (v nx.Tensor, err error) {
	defer nx.Catch(&err)
	var parts []nx.Tensor
	for len(texts) > 0 {
		n := min(len(texts), batch)
		part, err := e.some(texts[:n])
		if err != nil {
			return v, err
		}
		parts, texts = append(parts, part), texts[n:]
	}
	return nx.Concatenate(parts), nil
}

func (e *encoder) some(texts []string) (v nx.Tensor, err error) {
	limit := cmp.Or(e.model.Limit, e.model.Context, 512)
	// A multiple of 16, so that few programs are compiled. What is longer than the model takes is cut off.
	encodings, err := e.tokens.EncodeBatch(texts, token.Truncate(&token.Truncation{MaxLength: limit}),
		token.Pad(&token.Padding{Multiple: min(16, limit)}))
	if err != nil {
		return v, err
	}
	var ids, mask []int32
	for _, x := range encodings {
		n := min(len(x.IDs), limit)
		ids, mask = append(ids, x.IDs[:n]...), append(mask, x.Mask[:n]...)
	}
	shape := nx.Shape{len(texts), len(ids) / len(texts)}
	in := transformers.Inputs{InputIDs: nx.FromSlice(ids, shape), AttentionMask: nx.FromSlice(mask, shape)}
	out, err := e.model.Forward(in)
	if err != nil {
		return v, err
	}
	return transformers.Pool(out.LastHiddenState, in.AttentionMask, e.pooling, true), nil
}
