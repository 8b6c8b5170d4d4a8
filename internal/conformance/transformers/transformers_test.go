package transformers_test

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/go-nx/nx"
	"github.com/go-nx/nx/generate"
	"github.com/go-nx/nx/internal/conformance/kit"
	"github.com/go-nx/nx/internal/testkit"
	"github.com/go-nx/nx/transformers"
)

// transformersCase is a line of cases.jsonl; FORMAT.md of the corpus describes it.
type transformersCase struct {
	Case, Kind      string
	Inputs, Outputs map[string]string
	Params          map[string]any
	Tol             map[string][2]float64
}

// transformersModel is a folder of the corpus.
type transformersModel struct {
	dir    string
	model  *transformers.Model
	arrays map[string]nx.Tensor
}

// transformersKinds compute the outputs of a kind of case.
var transformersKinds = map[string]func(m *transformersModel, c *transformersCase) (map[string]nx.Tensor, error){
	"forward":  (*transformersModel).forward,
	"generate": (*transformersModel).generate,
	"process":  (*transformersModel).process,
	"mel":      (*transformersModel).mel,
}

// TestTransformers computes the recorded cases of models of a folder of folders.
func TestTransformers(t *testing.T) {
	dir := os.Getenv("NX_TRANSFORMERS")
	if dir == "" {
		dir = testkit.Shared(t, "conformance", "transformers")
	}
	files, err := filepath.Glob(filepath.Join(dir, "*", "cases.jsonl"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no cases in %s: %v", dir, err)
	}
	passed, failed := 0, 0
	for _, file := range files {
		m := &transformersModel{dir: filepath.Dir(file)}
		name := filepath.Base(m.dir)
		cases := m.read(t, file)
		opened := error(nil)
		if m.model, opened = transformers.Open(m.dir); opened != nil {
			t.Errorf("%s: %v", name, opened)
		}
		ok := 0
		for _, c := range cases {
			err := opened
			if err == nil {
				if err = m.check(&c); err != nil {
					t.Errorf("%s %s (%s): %v", name, c.Case, c.Kind, err)
				}
			}
			if err == nil {
				ok++
			} else {
				failed++
			}
		}
		passed += ok
		t.Logf("%s: %d of %d", name, ok, len(cases))
	}
	t.Logf("transformers: %d passed, %d failed", passed, failed)
}

func (m *transformersModel) read(t *testing.T, file string) []transformersCase {
	t.Helper()
	if err := nx.LoadTensors(strings.TrimSuffix(file, ".jsonl")+".safetensors", &m.arrays); err != nil {
		t.Fatal(err)
	}
	cases := kit.ReadCases[transformersCase](t, file)
	return slices.DeleteFunc(cases, func(c transformersCase) bool { return c.Kind == "" })
}

// check computes a case and compares all of its outputs.
func (m *transformersModel) check(c *transformersCase) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("panic: %v", p)
		}
	}()
	run, ok := transformersKinds[c.Kind]
	if !ok {
		return fmt.Errorf("no runner for the kind")
	}
	got, err := run(m, c)
	if err != nil {
		return err
	}
	for name, key := range c.Outputs {
		want, ok := m.arrays[key]
		if !ok {
			return fmt.Errorf("the corpus has no array %q", key)
		}
		if got[name].IsZero() {
			return fmt.Errorf("%s is missing", name)
		}
		if !slices.Equal(got[name].Shape(), want.Shape()) {
			return fmt.Errorf("%s is %v, want %v", name, got[name].Shape(), want.Shape())
		}
		if err := m.compare(c, name, got[name], want); err != nil {
			return err
		}
	}
	return nil
}

// compare compares an output; rows that the mask of its side leaves out are not compared.
func (m *transformersModel) compare(c *transformersCase, name string, got, want nx.Tensor) error {
	tol, inexact := c.Tol[name]
	a, b := nx.Data[float64](got), nx.Data[float64](want)
	mask := m.maskOf(c, name, want.Shape())
	for i := range b {
		if mask != nil && mask[i*len(mask)/len(b)] == 0 {
			continue
		}
		if !inexact && a[i] != b[i] {
			return fmt.Errorf("%s differs at %d: got %v, want %v", name, i, a[i], b[i])
		}
		if inexact && a[i] != b[i] && !(math.Abs(a[i]-b[i]) <= tol[1]+tol[0]*math.Abs(b[i])) {
			return fmt.Errorf("%s differs at %d of %d by %.3g: got %v, want %v", name, i, len(b), a[i]-b[i], a[i], b[i])
		}
	}
	return nil
}

// maskOf is the attention mask of the rows of an output [batch, time, …], or nil.
func (m *transformersModel) maskOf(c *transformersCase, name string, shape nx.Shape) []int64 {
	mask := m.input(c, "attention_mask")
	if mask.IsZero() || len(shape) < 2 || !slices.Equal(shape[:2], mask.Shape()) || c.Kind != "forward" {
		return nil
	}
	decoder := c.Inputs["decoder_input_ids"] != ""
	if decoder && !strings.HasPrefix(name, "encoder_") || strings.HasPrefix(name, "image_") {
		return nil
	}
	return nx.Data[int64](mask)
}

func (m *transformersModel) input(c *transformersCase, name string) nx.Tensor {
	return m.arrays[c.Inputs[name]]
}

func (m *transformersModel) forward(c *transformersCase) (map[string]nx.Tensor, error) {
	in := transformers.Inputs{
		InputIDs: m.input(c, "input_ids"), AttentionMask: m.input(c, "attention_mask"),
		PositionIDs: m.input(c, "position_ids"), TokenTypeIDs: m.input(c, "token_type_ids"),
		DecoderInputIDs: m.input(c, "decoder_input_ids"), InputFeatures: m.input(c, "input_features"),
		PixelValues: m.input(c, "pixel_values"),
	}
	for name := range c.Outputs {
		in.HiddenStates = in.HiddenStates || strings.Contains(name, "hidden_states.")
	}
	out, err := m.model.Forward(in)
	if err != nil {
		return nil, err
	}
	got := map[string]nx.Tensor{
		"logits": out.Logits, "last_hidden_state": out.LastHiddenState, "pooler_output": out.PoolerOutput,
		"start_logits": out.StartLogits, "end_logits": out.EndLogits,
		"encoder_last_hidden_state": out.EncoderLastHiddenState,
		"text_embeds":               out.TextEmbeds, "image_embeds": out.ImageEmbeds,
		"logits_per_image": out.LogitsPerImage, "logits_per_text": out.LogitsPerText,
		"text_pooled": out.TextPooled, "image_pooled": out.ImagePooled,
		"text_last_hidden_state": out.TextLastHiddenState, "image_last_hidden_state": out.ImageLastHiddenState,
	}
	if x, mask := out.LastHiddenState, in.AttentionMask; c.Outputs["mean_pooled"] != "" {
		got["mean_pooled"] = transformers.Pool(x, mask, transformers.MeanPooling, false)
		got["mean_l2_pooled"] = transformers.Pool(x, mask, transformers.MeanPooling, true)
		got["cls_l2_pooled"] = transformers.Pool(x, mask, transformers.FirstPooling, true)
	}
	for i, h := range out.HiddenStates {
		got[fmt.Sprintf("hidden_states.%d", i)] = h
		got[fmt.Sprintf("decoder_hidden_states.%d", i)] = h
	}
	for i, h := range out.EncoderHiddenStates {
		got[fmt.Sprintf("encoder_hidden_states.%d", i)] = h
	}
	return got, nil
}

// options reads the parameters of a case.
func (c *transformersCase) options() (o generate.Options, err error) {
	data, err := json.Marshal(c.Params)
	if err != nil {
		return o, err
	}
	known := map[string]bool{"pad_token_id": true, "bos_token_id": true, "decoder_start_token_id": true,
		"use_cache": true}
	t := reflect.TypeFor[generate.Options]()
	for i := range t.NumField() {
		known[t.Field(i).Tag.Get("json")] = true
	}
	for name, v := range c.Params {
		if !known[name] && v != nil && v != false {
			return o, fmt.Errorf("the parameter %s is not known", name)
		}
	}
	return o, json.Unmarshal(data, &o)
}

// row is a row of integers where a mask is 1.
func row(t, mask nx.Tensor, i int) (list []int) {
	for j, id := range nx.Data[int64](t.At(i)) {
		if mask.IsZero() || nx.Item[int64](mask.At(i, j)) != 0 {
			list = append(list, int(id))
		}
	}
	return list
}

// generate runs each row of a batch as a request, all at the same time.
func (m *transformersModel) generate(c *transformersCase) (map[string]nx.Tensor, error) {
	o, err := c.options()
	if err != nil {
		return nil, err
	}
	o.Logits = c.Outputs["last_logits"] != ""
	ids, mask := m.input(c, "input_ids"), m.input(c, "attention_mask")
	features := m.input(c, "input_features")
	rows := 0
	for _, t := range []nx.Tensor{ids, features} {
		if !t.IsZero() {
			rows = t.Shape()[0]
		}
	}
	slots := []generate.Option{generate.Slots(rows)}
	if m.model.Limit == 0 { // sequences may be longer than the context
		slots = append(slots, generate.Capacity(cmp.Or(m.model.Context, 512)+o.MaxNewTokens))
	}
	g, err := generate.New(m.model, slots...)
	if err != nil {
		return nil, err
	}
	pad, _ := c.Params["pad_token_id"].(float64)
	if o.Beams > 1 && pad == 0 && len(o.EOS) > 0 {
		pad = float64(o.EOS[0]) // the search of transformers takes a padding token of 0 for none
	}
	start, seq2seq := c.Params["decoder_start_token_id"].(float64)
	sequences, logits, scores := make([][]int64, 0, rows), make([][]float32, rows), []float64{}
	results := make([][]generate.Sequence, rows)
	errs := make([]error, rows)
	var wait sync.WaitGroup
	for i := range rows {
		wait.Go(func() {
			o, prompt := o, []int(nil)
			if seq2seq {
				prompt = []int{int(start)}
				one := func(t nx.Tensor) nx.Tensor {
					if t.IsZero() {
						return t
					}
					return t.At(nx.Range(i, i+1))
				}
				o.Inputs = transformers.Inputs{InputIDs: one(ids), AttentionMask: one(mask),
					InputFeatures: one(features)}
			} else {
				prompt = row(ids, mask, i)
			}
			if o.Beams > 1 {
				results[i], errs[i] = g.Beams(context.Background(), prompt, o)
				return
			}
			list, err := g.Generate(context.Background(), prompt, o)
			errs[i] = err
			seq := generate.Sequence{Tokens: slices.Clone(prompt)}
			for _, t := range list {
				seq.Tokens = append(seq.Tokens, t.ID)
				logits[i] = t.Logits
			}
			results[i] = []generate.Sequence{seq}
		})
	}
	wait.Wait()
	if err := errors.Join(errs...); err != nil {
		return nil, err
	}
	want := m.arrays[c.Outputs["sequences"]].Shape()
	for i := range rows {
		for _, s := range results[i] {
			var line []int64
			if !seq2seq && !mask.IsZero() { // what padding there was
				line = nx.Data[int64](ids.At(i))
				s.Tokens = s.Tokens[len(row(ids, mask, i)):]
			}
			for _, id := range s.Tokens {
				line = append(line, int64(id))
			}
			for len(line) < want[1] {
				line = append(line, int64(pad))
			}
			sequences, scores = append(sequences, line), append(scores, s.Score)
		}
	}
	got := map[string]nx.Tensor{"sequences": nx.New(sequences), "sequences_scores": nx.New(scores)}
	if o.Logits {
		got["last_logits"] = nx.New(logits)
	}
	return got, nil
}

// process applies processors to the scores of each row.
func (m *transformersModel) process(c *transformersCase) (map[string]nx.Tensor, error) {
	o, err := c.options()
	if err != nil {
		return nil, err
	}
	o.Sample = true
	var scores, probabilities [][]float64
	for i := range m.input(c, "logits").Shape()[0] {
		list := nx.Data[float64](m.input(c, "logits").At(i))
		tokens := row(m.input(c, "input_ids"), nx.Tensor{}, i)
		o.Process(tokens, len(tokens), list)
		scores, probabilities = append(scores, list), append(probabilities, generate.Softmax(list))
	}
	return map[string]nx.Tensor{"scores": nx.New(scores), "probabilities": nx.New(probabilities)}, nil
}

// mel makes the spectrum of a sound.
func (m *transformersModel) mel(c *transformersCase) (map[string]nx.Tensor, error) {
	mel, err := transformers.OpenMel(m.dir)
	if err != nil {
		return nil, err
	}
	for name, field := range map[string]*int{"sampling_rate": &mel.Rate, "n_fft": &mel.Size, "hop_length": &mel.Hop,
		"chunk_length": &mel.Chunk, "feature_size": &mel.Bands} {
		if v, ok := c.Params[name].(float64); ok {
			*field = int(v)
		}
	}
	got, err := mel.Apply(nx.Data[float32](m.input(c, "waveform")))
	if want := m.arrays[c.Outputs["input_features"]]; err == nil && want.Rank() == 2 {
		got = nx.Squeeze(got, nx.Axis(0))
	}
	return map[string]nx.Tensor{"input_features": got}, err
}
