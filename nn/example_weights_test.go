package nn_test

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/go-nx/nx"
	"github.com/go-nx/nx/nn"
	"github.com/go-nx/nx/random"
)

type perceptron struct{ FC1, FC2 *nn.Linear }

func newPerceptron() *perceptron {
	return &perceptron{nn.NewLinear(random.Key(1), 784, 128), nn.NewLinear(random.Key(2), 128, 10)}
}

func (m *perceptron) Apply(c *nn.Ctx, x nx.Tensor) nx.Tensor {
	return m.FC2.Apply(c, nx.Relu(m.FC1.Apply(c, x)))
}

func ExampleSummary() {
	if err := nn.Summary(os.Stdout, newPerceptron(), nx.Zeros(nx.Shape{32, 784}, nx.F32)); err != nil {
		fmt.Println(err)
	}
	// Output:
	// layer             type    shapes            parameters      FLOPs    bytes
	// FC1               Linear  [128][784] [128]     100 480  6 426 624  401 920
	// FC2               Linear  [10][128] [10]         1 290     82 240    5 160
	// trained                                        101 770  6 508 864  407 080
	// buffers                                              0          0        0
	// other operations                                     0      4 096        0
	// sum                                            101 770  6 512 960  407 080
}

// A file of weights with other names than the model's.
func ExampleLoadWeights() {
	path := filepath.Join(os.TempDir(), "example.safetensors")
	defer os.Remove(path)
	theirs := map[string]nx.Tensor{"backbone.layers.0.weight": nx.Ones(nx.Shape{128, 784}, nx.F32),
		"backbone.layers.0.bias": nx.Ones(nx.Shape{128}, nx.F32), "head.kernel": nx.Ones(nx.Shape{128, 10}, nx.F32),
		"step": nx.New(int32(100))}
	if err := nx.SaveTensors(path, theirs); err != nil {
		fmt.Println(err)
	}
	m := newPerceptron()
	report, err := nn.LoadWeights(&m, path,
		nn.Rename("backbone.layers.0", "fc1"),
		nn.Rename("head.kernel", "fc2.weight", nn.Transposed),
		nn.Rename("step", ""), nn.Partial)
	fmt.Println(report)
	fmt.Println(err)
	// Output:
	// 3 loaded
	// 1 missing: FC2.Bias
	// 1 left out: step
	// <nil>
}

// What SaveWeights writes is loaded in Python:
//
//	model.load_state_dict(safetensors.torch.load_file("model.safetensors"))
func ExampleSaveWeights() {
	path := filepath.Join(os.TempDir(), "saved.safetensors")
	defer os.Remove(path)
	m := newPerceptron()
	fmt.Println(nn.SaveWeights(path, m))
	_, err := nn.LoadWeights(&m, path)
	fmt.Println(err)
	// Output:
	// <nil>
	// <nil>
}

// The base is frozen; the matrices of low rank are trained, and merged at the end.
func ExampleLoRA() {
	m := newPerceptron()
	nn.LoRA(random.Key(3), m.FC1, 4, 8)
	trained, _ := nn.Partition(m, nn.Match(m, "**.LoRA"))
	for _, l := range nn.Leaves(trained) {
		fmt.Println(l.Path, l.Tensor.Shape())
	}
	nn.MergeLoRA(m.FC1)
	fmt.Println(len(nn.Leaves(m)))
	// Output:
	// FC1.LoRA.A [4][784]
	// FC1.LoRA.B [128][4]
	// 4
}

// Projections of their own become the matrix of a layer that has one for all, as PyTorch's MultiheadAttention has.
func ExampleRename() {
	path := filepath.Join(os.TempDir(), "projections.safetensors")
	defer os.Remove(path)
	theirs := map[string]nx.Tensor{}
	for i, name := range []string{"q", "k", "v"} {
		theirs["layers.0.attn."+name+"_proj.weight"] = nx.Full(nx.Shape{4, 4}, i+1, nx.F32)
	}
	if err := nx.SaveTensors(path, theirs); err != nil {
		fmt.Println(err)
	}
	m := struct {
		Blocks []struct{ InProjWeight nx.Tensor }
	}{[]struct{ InProjWeight nx.Tensor }{{nx.Zeros(nx.Shape{12, 4}, nx.F32)}}}
	_, err := nn.LoadWeights(&m, path,
		nn.Rename("layers.{n}.attn.{q,k,v}_proj.weight", "blocks.{n}.in_proj_weight"))
	fmt.Println(nx.Data[int](nx.Take(m.Blocks[0].InProjWeight, nx.New([]int{0, 4, 8}), nx.Axis(0))), err)
	// Output: [1 1 1 1 2 2 2 2 3 3 3 3] <nil>
}

func ExampleQuantize() {
	l := &nn.Linear{Weight: nx.New([][]float32{{1, -0.5, 0.25, 0}, {2, 4, -8, 1}})}
	q, err := nn.Quantize(l, 8)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(q.Weight)
	fmt.Println(nx.Mul(q.Scale, 127.0))
	// Output:
	// s8[2][4]
	// [
	//   [ 127,  -64,   32,    0],
	//   [  32,   64, -127,   16]
	// ]
	// f32[2][1]
	// [
	//   [1.0],
	//   [8.0]
	// ]
}
