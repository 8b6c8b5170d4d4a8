package generate_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log"
	"math"
	"os"
	"sync"

	"github.com/go-nx/nx"
	"github.com/go-nx/nx/generate"
	"github.com/go-nx/nx/internal/tinymodel"
	"github.com/go-nx/nx/token"
	"github.com/go-nx/nx/transformers"
)

// greeter opens a small model that answers every message with a greeting.
func greeter() (*transformers.Model, *token.Tokenizer) {
	dir, err := os.MkdirTemp("", "model")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	if err := tinymodel.WriteGreeter(dir); err != nil {
		log.Fatal(err)
	}
	model, err := transformers.Open(dir)
	if err != nil {
		log.Fatal(err)
	}
	tokens, err := token.Open(dir)
	if err != nil {
		log.Fatal(err)
	}
	return model, tokens
}

// prompt is a message in the form of the model's conversations.
func prompt(tokens *token.Tokenizer) (list []int) {
	ids, err := tokens.AppendIDs(nil, "<|im_start|>user\nHello<|im_end|>\n<|im_start|>assistant\n")
	if err != nil {
		log.Fatal(err)
	}
	for _, id := range ids {
		list = append(list, int(id))
	}
	return list
}

func ExampleGenerator_Stream() {
	model, tokens := greeter()
	g, err := generate.New(model)
	if err != nil {
		log.Fatal(err)
	}
	end, _ := tokens.ID("<|im_end|>")

	opts := generate.Options{
		MaxNewTokens: 50,
		EOS:          generate.Tokens{int(end)},
		Text:         func() generate.TextDecoder { return tokens.Stream() },
	}
	for t, err := range g.Stream(context.Background(), prompt(tokens), opts) {
		if err != nil {
			log.Fatal(err)
		}
		fmt.Print(t.Text)
	}
	// Output: Hi, Gopher!
}

func ExampleGenerator_Generate() {
	model, tokens := greeter()
	g, err := generate.New(model)
	if err != nil {
		log.Fatal(err)
	}

	list, err := g.Generate(context.Background(), prompt(tokens), generate.Options{MaxNewTokens: 2, LogProbs: 3})
	if err != nil {
		log.Fatal(err)
	}
	for _, t := range list {
		name, _ := tokens.Token(int32(t.ID))
		fmt.Printf("%s %.3f, of %d candidates\n", name, math.Exp(t.LogProb), len(t.Top))
	}
	// Output:
	// H 1.000, of 3 candidates
	// i 1.000, of 3 candidates
}

func ExampleNew() {
	model, tokens := greeter()
	// Two requests are computed at a time, the third one waits; each has at most 64 tokens.
	g, err := generate.New(model, generate.Slots(2), generate.Capacity(64))
	if err != nil {
		log.Fatal(err)
	}
	var group sync.WaitGroup
	lengths := make([]int, 3)
	for i := range lengths {
		group.Go(func() {
			list, err := g.Generate(context.Background(), prompt(tokens), generate.Options{MaxNewTokens: 4 * (i + 1)})
			if err != nil {
				log.Fatal(err)
			}
			lengths[i] = len(list)
		})
	}
	group.Wait()
	fmt.Println(lengths)

	_, err = g.Generate(context.Background(), make([]int, 65), generate.Options{})
	fmt.Println(errors.Is(err, generate.ErrContext))
	// Output:
	// [4 8 12]
	// true
}

func ExampleEncoderCapacity() {
	dir, err := os.MkdirTemp("", "model")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	if err := writeT5(dir); err != nil {
		log.Fatal(err)
	}
	model, err := transformers.Open(dir)
	if err != nil {
		log.Fatal(err)
	}

	g, err := generate.New(model, generate.EncoderCapacity(64)) // texts of at most 64 tokens
	if err != nil {
		log.Fatal(err)
	}
	opts := generate.Options{MaxNewTokens: 5}
	opts.Inputs.InputIDs = nx.New([][]int{{7, 3, 9, 1}}) // what the encoder reads
	list, err := g.Generate(context.Background(), []int{0}, opts)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(len(list))

	opts.Inputs.InputIDs = nx.Ones(nx.Shape{1, 65}, nx.S32)
	_, err = g.Generate(context.Background(), []int{0}, opts)
	fmt.Println(err)
	// Output:
	// 5
	// generate: the encoder reads one text of 1 to 64 tokens, got [1][65]
}

// writeT5 writes a small model of T5's family with random weights.
func writeT5(dir string) error {
	const vocab, width, hidden = 32, 8, 12
	config := map[string]any{"architectures": []string{"T5ForConditionalGeneration"}, "model_type": "t5",
		"vocab_size": vocab, "d_model": width, "d_kv": 4, "d_ff": hidden, "num_layers": 1, "num_heads": 2}
	shapes := map[string][]int{"shared.weight": {vocab, width}}
	for _, side := range []string{"encoder", "decoder"} {
		layer, last := side+".block.0.layer.", "1."
		parts := []string{"0.SelfAttention."}
		if side == "decoder" {
			parts, last = append(parts, "1.EncDecAttention."), "2."
			shapes[layer+"1.layer_norm.weight"] = []int{width}
		}
		for _, part := range parts {
			for _, name := range []string{"q", "k", "v", "o"} {
				shapes[layer+part+name+".weight"] = []int{width, width}
			}
		}
		shapes[layer+"0.SelfAttention.relative_attention_bias.weight"] = []int{32, 2}
		shapes[layer+"0.layer_norm.weight"], shapes[layer+last+"layer_norm.weight"] = []int{width}, []int{width}
		shapes[layer+last+"DenseReluDense.wi.weight"] = []int{hidden, width}
		shapes[layer+last+"DenseReluDense.wo.weight"] = []int{width, hidden}
		shapes[side+".final_layer_norm.weight"] = []int{width}
	}
	return tinymodel.Write(dir, config, shapes)
}

func ExampleOptions() {
	file := `{"do_sample": true, "temperature": 0.7, "top_p": 0.9, "repetition_penalty": 1.1, "eos_token_id": [2, 32007],
		"max_new_tokens": 256}`
	var opts generate.Options // of generation_config.json
	if err := json.Unmarshal([]byte(file), &opts); err != nil {
		log.Fatal(err)
	}
	opts.Seed = 7 // the same seed gives the same tokens
	fmt.Println(opts.Sample, opts.Temperature, opts.EOS)
	// Output: true 0.7 [2 32007]
}

func ExampleOptions_stop() {
	model, tokens := greeter()
	g, err := generate.New(model)
	if err != nil {
		log.Fatal(err)
	}
	opts := generate.Options{MaxNewTokens: 50, Stop: []string{"her"}}
	opts.Text = func() generate.TextDecoder { return tokens.Stream() }
	text := ""
	list, err := g.Generate(context.Background(), prompt(tokens), opts)
	if err != nil {
		log.Fatal(err)
	}
	for _, t := range list {
		text += t.Text
	}
	fmt.Printf("%q, %s\n", text, list[len(list)-1].Finish)
	// Output: "Hi, Gop", stop
}

func ExampleOptions_mask() {
	model, tokens := greeter()
	g, err := generate.New(model)
	if err != nil {
		log.Fatal(err)
	}
	yes, _ := tokens.ID("y")
	no, _ := tokens.ID("n")
	opts := generate.Options{MaxNewTokens: 1}
	opts.Mask = func(_ []int, scores []float64) { // the answer is one of two tokens
		for id := range scores {
			if id != int(yes) && id != int(no) {
				scores[id] = math.Inf(-1)
			}
		}
	}
	list, err := g.Generate(context.Background(), prompt(tokens), opts)
	if err != nil {
		log.Fatal(err)
	}
	name, _ := tokens.Token(int32(list[0].ID))
	fmt.Println(name == "y" || name == "n")
	// Output: true
}

func ExampleOptions_Process() {
	opts := generate.Options{Sample: true, TopK: 2, SuppressTokens: []int{0}}
	scores := []float64{3, 2, 1, 0}
	opts.Process([]int{5}, 1, scores)
	fmt.Println(scores)
	fmt.Printf("%.3f\n", generate.Softmax(scores))
	// Output:
	// [-Inf 2 1 -Inf]
	// [0.000 0.731 0.269 0.000]
}

func ExampleSoftmax() {
	fmt.Printf("%.3f\n", generate.Softmax([]float64{1, 1, math.Inf(-1)}))
	// Output: [0.500 0.500 0.000]
}

func ExampleGenerator_Beams() {
	model, tokens := greeter()
	g, err := generate.New(model)
	if err != nil {
		log.Fatal(err)
	}
	start := prompt(tokens)
	list, err := g.Beams(context.Background(), start, generate.Options{MaxNewTokens: 11, Beams: 4, Return: 2})
	if err != nil {
		log.Fatal(err)
	}
	var ids []int32
	for _, id := range list[0].Tokens[len(start):] {
		ids = append(ids, int32(id))
	}
	text, err := tokens.Decode(ids)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(text, len(list), list[0].Score > list[1].Score)
	// Output: Hi, Gopher! 2 true
}
