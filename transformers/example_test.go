package transformers_test

import (
	"fmt"
	"log"
	"math"
	"os"

	"github.com/go-nx/nx"
	"github.com/go-nx/nx/internal/tinymodel"
	"github.com/go-nx/nx/transformers"
)

// tiny writes a folder of a small model with random weights.
func tiny(write func(dir string) error) (dir string) {
	dir, err := os.MkdirTemp("", "model")
	if err != nil {
		log.Fatal(err)
	}
	if err := write(dir); err != nil {
		log.Fatal(err)
	}
	return dir
}

func llama(dir string) error {
	config, shapes := tinymodel.Llama()
	return tinymodel.Write(dir, config, shapes)
}

func ExampleOpen() {
	dir := tiny(llama) // a folder as huggingface-cli download --local-dir lays it
	defer os.RemoveAll(dir)

	m, err := transformers.Open(dir)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(m.Architecture, m.Vocabulary, m.Context)

	_, err = transformers.Open(dir + "/none")
	fmt.Println(err != nil)
	// Output:
	// LlamaForCausalLM 96 128
	// true
}

func ExampleModel_Forward() {
	dir := tiny(llama)
	defer os.RemoveAll(dir)
	m, err := transformers.Open(dir)
	if err != nil {
		log.Fatal(err)
	}

	ids := nx.New([][]int{{5, 9, 33}, {71, 2, 0}})
	mask := nx.New([][]int{{1, 1, 1}, {1, 1, 0}}) // the last token of the second sequence is padding
	out, err := m.Forward(transformers.Inputs{InputIDs: ids, AttentionMask: mask})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(out.Logits.Shape(), out.LastHiddenState.Shape())

	_, err = m.Forward(transformers.Inputs{InputIDs: nx.New([][]int{{96}})})
	fmt.Println(err)
	// Output:
	// [2][3][96] [2][3][32]
	// transformers: InputIDs has the token 96, the vocabulary has 96
}

func ExampleDType() {
	dir := tiny(llama)
	defer os.RemoveAll(dir)

	m, err := transformers.Open(dir, transformers.DType(nx.BF16))
	if err != nil {
		log.Fatal(err)
	}
	out, err := m.Forward(transformers.Inputs{InputIDs: nx.New([][]int{{5, 9, 33}})})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(m.Network.(*transformers.Decoder).EmbedTokens.Weight.DType(), out.Logits.DType())
	// Output: bf16 f32
}

func ExampleQuantize() {
	dir := tiny(llama)
	defer os.RemoveAll(dir)

	m, err := transformers.Open(dir, transformers.Quantize(8))
	if err != nil {
		log.Fatal(err)
	}
	out, err := m.Forward(transformers.Inputs{InputIDs: nx.New([][]int{{5, 9, 33}})})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(out.Logits.DType(), out.Logits.Shape())
	// Output: f32 [1][3][96]
}

func ExampleIgnore() {
	dir := tiny(func(dir string) error {
		config, shapes := tinymodel.Llama()
		config["clip_qkv"] = 8
		return tinymodel.Write(dir, config, shapes)
	})
	defer os.RemoveAll(dir)

	_, err := transformers.Open(dir)
	fmt.Println(err != nil)
	_, err = transformers.Open(dir, transformers.Ignore("clip_qkv"))
	fmt.Println(err)
	// Output:
	// true
	// <nil>
}

func ExampleNoHead() {
	dir := tiny(tinymodel.WriteEncoder)
	defer os.RemoveAll(dir)
	m, err := transformers.Open(dir, transformers.NoHead)
	if err != nil {
		log.Fatal(err)
	}
	out, err := m.Forward(transformers.Inputs{InputIDs: nx.New([][]int{{72, 105}})})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(out.LastHiddenState.Shape(), out.PoolerOutput.IsZero())
	// Output: [1][2][16] true
}

func ExamplePool() {
	dir := tiny(tinymodel.WriteEncoder)
	defer os.RemoveAll(dir)
	m, err := transformers.Open(dir)
	if err != nil {
		log.Fatal(err)
	}

	// Two texts; the second one is filled up.
	in := transformers.Inputs{
		InputIDs:      nx.New([][]int{{72, 101, 108, 108, 111}, {72, 105, 0, 0, 0}}),
		AttentionMask: nx.New([][]int{{1, 1, 1, 1, 1}, {1, 1, 0, 0, 0}}),
	}
	out, err := m.Forward(in)
	if err != nil {
		log.Fatal(err)
	}
	vectors := transformers.Pool(out.LastHiddenState, in.AttentionMask, transformers.MeanPooling, true)
	cosines := nx.Dot(vectors, nx.Transpose(vectors))
	fmt.Println(vectors.Shape(), cosines.Shape())
	fmt.Printf("%.3f\n", nx.Item[float64](cosines.At(0, 0)))
	// Output:
	// [2][16] [2][2]
	// 1.000
}

func ExampleOpenMel() {
	dir := tiny(tinymodel.WriteWhisper)
	defer os.RemoveAll(dir)

	mel, err := transformers.OpenMel(dir) // preprocessor_config.json
	if err != nil {
		log.Fatal(err)
	}
	samples := make([]float32, mel.Rate) // a second of a tone
	for i := range samples {
		samples[i] = float32(math.Sin(2 * math.Pi * 440 * float64(i) / float64(mel.Rate)))
	}
	spectrum, err := mel.Apply(samples)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(mel.Rate, spectrum.Shape())
	// Output: 16000 [1][80][200]
}
