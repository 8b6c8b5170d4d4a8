package generate_test

import (
	"slices"
	"testing"

	"github.com/go-nx/nx"
	"github.com/go-nx/nx/generate"
	"github.com/go-nx/nx/internal/tinymodel"
	"github.com/go-nx/nx/transformers"
)

// TestBF16 generates with weights and a cache of bf16: each token is the best one in f32 but for what bf16 rounds away.
func TestBF16(t *testing.T) {
	dir := t.TempDir()
	config, shapes := tinymodel.Llama()
	if err := tinymodel.Write(dir, config, shapes); err != nil {
		t.Fatal(err)
	}
	wide, err := transformers.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	narrow, err := transformers.Open(dir, transformers.DType(nx.BF16))
	if err != nil {
		t.Fatal(err)
	}
	sequence := []int{5, 9, 33, 71, 2}
	g := newGenerator(t, narrow, generate.Slots(2))
	list, err := g.Generate(t.Context(), sequence, generate.Options{MaxNewTokens: 60})
	if err != nil || len(list) != 60 {
		t.Fatalf("%d tokens, %v", len(list), err)
	}
	for i, token := range list {
		out, err := wide.Forward(transformers.Inputs{InputIDs: nx.New([][]int{sequence})})
		if err != nil {
			t.Fatal(err)
		}
		scores := nx.Data[float32](out.Logits.At(0, -1))
		best, least := slices.Max(scores), slices.Min(scores)
		if best-scores[token.ID] > 0.05*(best-least) {
			t.Errorf("token %d is %d, whose score is %v in f32, the best is %v", i, token.ID, scores[token.ID], best)
		}
		sequence = append(sequence, token.ID)
	}
}
