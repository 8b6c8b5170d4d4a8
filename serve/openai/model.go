package openai

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
	"sync/atomic"
	"time"

	"github.com/go-nx/nx"
	"github.com/go-nx/nx/generate"
	"github.com/go-nx/nx/internal/textmodel"
	"github.com/go-nx/nx/transformers"
)

// Model is an opened model. It may be used by several handlers.
type Model struct {
	name    string
	created int64
	text    *textmodel.Model
	pooling transformers.Pooling
	// generator is nil for an encoder, which makes embeddings.
	generator *generate.Generator
	slots     chan struct{}
	waiting   atomic.Int64
	queue     int64
}

// Config says how a model is served. Zero fields have the defaults that they name.
type Config struct {
	Name  string // that of the folder, or of the file without .gguf
	Slots int    // requests that are computed at a time: 4
	Queue int    // requests that wait for a slot: 256. Others are refused with 503.
	// Context is the number of positions of a request, its answer included: that of the model, at most 4096.
	Context int
	// Bits is 8 or 4 to quantise the weights, see [transformers.Quantize].
	Bits int
}

// Open opens a folder as save_pretrained of transformers writes it: config.json, safetensors, tokenizer.json and what
// is there of tokenizer_config.json and generation_config.json; or a .gguf file. Decoders answer completions, encoders
// embeddings.
//
// Errors name the file, the field and what to do.
func Open(path string, c Config) (*Model, error) {
	text, err := textmodel.Open(path, c.Bits)
	if err != nil {
		return nil, fmt.Errorf("openai: %w", err)
	}
	abs, err := filepath.Abs(path)
	if err != nil {
		return nil, fmt.Errorf("openai: %w", err)
	}
	slots := cmp.Or(c.Slots, 4)
	m := &Model{name: cmp.Or(c.Name, textmodel.Name(abs)), created: time.Now().Unix(), text: text,
		queue: int64(cmp.Or(c.Queue, 256))}
	if slots < 1 || m.queue < 0 || c.Context < 0 {
		return nil, errors.New("openai: a model has at least one slot; its queue and context are not negative")
	}
	m.slots = make(chan struct{}, slots)
	if _, ok := text.Network.Network.(*transformers.Encoder); ok {
		m.pooling, err = pooling(path)
	} else {
		m.generator, err = text.Generator(slots, c.Context)
	}
	if err != nil {
		return nil, fmt.Errorf("openai: %s: %w", path, err)
	}
	return m, nil
}

// Name is the name by which requests ask for the model.
func (m *Model) Name() string { return m.name }

// pooling is that of a folder of sentence-transformers, otherwise the mean.
func pooling(dir string) (transformers.Pooling, error) {
	path := filepath.Join(dir, "1_Pooling", "config.json")
	data, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return transformers.MeanPooling, nil
	}
	var file struct {
		First bool `json:"pooling_mode_cls_token"`
		Mean  bool `json:"pooling_mode_mean_tokens"`
	}
	if err == nil {
		err = json.Unmarshal(data, &file)
	}
	switch {
	case err != nil:
		return 0, fmt.Errorf("%s: %w", path, err)
	case file.First == file.Mean:
		return 0, fmt.Errorf("%s: want one of pooling_mode_mean_tokens and pooling_mode_cls_token", path)
	case file.First:
		return transformers.FirstPooling, nil
	}
	return transformers.MeanPooling, nil
}

// enter waits for a slot; leave gives it back.
func (m *Model) enter(ctx context.Context) (leave func(), err error) {
	select {
	case m.slots <- struct{}{}:
		return func() { <-m.slots }, nil
	default:
	}
	defer m.waiting.Add(-1)
	if m.waiting.Add(1) > m.queue {
		return nil, &apiError{status: http.StatusServiceUnavailable, Type: "server_error", Code: "overloaded",
			Message: fmt.Sprintf("%d requests wait for the model %q: try again later", m.queue, m.name)}
	}
	select {
	case m.slots <- struct{}{}:
		return func() { <-m.slots }, nil
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
}

// embed returns the vector of tokens.
func (m *Model) embed(ids []int) (vector []float32, err error) {
	defer nx.Catch(&err)
	limit := cmp.Or(m.text.Network.Limit, m.text.Network.Context, 512)
	if len(ids) == 0 || len(ids) > limit {
		return nil, invalid("input", "a text has %d tokens: the model takes 1 to %d", len(ids), limit)
	}
	// Few lengths, so that few programs are compiled.
	size := 16
	for size < len(ids) {
		size *= 2
	}
	size = min(size, limit)
	padded, mask := make([]int32, size), make([]int32, size)
	for i := range padded {
		if padded[i] = int32(max(m.text.Network.Network.(*transformers.Encoder).Padding, 0)); i < len(ids) {
			padded[i], mask[i] = int32(ids[i]), 1
		}
	}
	there := nx.FromSlice(mask, nx.Shape{1, size})
	out, err := m.text.Network.Forward(transformers.Inputs{InputIDs: nx.FromSlice(padded, nx.Shape{1, size}),
		AttentionMask: there})
	if err != nil {
		return nil, err
	}
	return nx.Data[float32](transformers.Pool(out.LastHiddenState, there, m.pooling, true)), nil
}
