package nn_test

import (
	"flag"
	"math"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/go-nx/nx"
	"github.com/go-nx/nx/nn"
	"github.com/go-nx/nx/random"
	"github.com/go-nx/nx/tree"
)

var (
	torchPython = flag.String("torch", "", "a Python with torch, numpy and safetensors, for TestWeightsOfPyTorch")
	kerasPython = flag.String("keras", "", "a Python with keras and safetensors, for TestWeightsOfKeras")
)

type torchCNN struct {
	Conv1  *nn.Conv
	BN1    *nn.BatchNorm
	Blocks []*nn.Conv
	FC     *nn.Linear
}

func (m *torchCNN) Apply(c *nn.Ctx, x nx.Tensor) nx.Tensor {
	x = nx.Relu(m.BN1.Apply(c, m.Conv1.Apply(c, x)))
	for _, b := range m.Blocks {
		x = nx.Add(x, nx.Relu(b.Apply(c, x)))
	}
	return m.FC.Apply(c, nx.Mean(x, nx.Axis(2, 3)))
}

type torchRecurrent struct {
	LSTM *nn.LSTM
	Out  *nn.Linear
}

func (m *torchRecurrent) Apply(c *nn.Ctx, x nx.Tensor) nx.Tensor {
	return m.Out.Apply(c, m.LSTM.Apply(c, x))
}

type torchEncoder struct {
	Layers []*nn.TransformerEncoderLayer
	Norm   *nn.LayerNorm
}

func (m *torchEncoder) Apply(c *nn.Ctx, x nx.Tensor) nx.Tensor {
	for _, l := range m.Layers {
		x = l.Apply(c, x)
	}
	return m.Norm.Apply(c, x)
}

// TestWeightsOfPyTorch: state dicts of PyTorch give its outputs, from both kinds of files; PyTorch loads what is saved
// of a model with other weights, and computes what the model does. .ci/models runs it.
func TestWeightsOfPyTorch(t *testing.T) {
	if *torchPython == "" {
		t.Skip("no Python is given by -torch")
	}
	dir := t.TempDir()
	python := func(what string) {
		out, err := exec.Command(*torchPython, "../.ci/exports/torch_weights.py", what, dir).CombinedOutput()
		if err != nil {
			t.Fatalf("%s: %v\n%s", what, err, out)
		}
		t.Logf("%s", out)
	}
	python("write")
	key := random.Key(1)
	var blocks []*nn.Conv
	var layers []*nn.TransformerEncoderLayer
	for range 2 {
		blocks = append(blocks, nn.NewConv(key, 8, 8, []int{3, 3}, nn.Pad(1), nn.Groups(2), nn.NoBias))
		layers = append(layers, nn.NewTransformerEncoderLayer(key, 8, 2, 16))
	}
	checkTorch(t, dir, "cnn", &torchCNN{nn.NewConv(key, 3, 8, []int{3, 3}, nn.Pad(1)), nn.NewBatchNorm(8), blocks,
		nn.NewLinear(key, 8, 5)})
	checkTorch(t, dir, "recurrent", &torchRecurrent{nn.NewLSTM(key, 5, 6, nn.Layers(2), nn.BothDirections),
		nn.NewLinear(key, 12, 3)})
	checkTorch(t, dir, "encoder", &torchEncoder{layers, nn.NewLayerNorm(nx.Shape{8})})
	python("check")
}

// TestWeightsOfKeras: a model of Keras with the weights that are saved of one here computes the same. .ci/models runs
// it.
func TestWeightsOfKeras(t *testing.T) {
	if *kerasPython == "" {
		t.Skip("no Python is given by -keras")
	}
	dir := t.TempDir()
	key := random.Key(1)
	m := struct {
		Conv *nn.Conv
		BN   *nn.BatchNorm
		FC   *nn.Linear
	}{nn.NewConv(key, 3, 8, []int{3, 3}, nn.Pad(1)), nn.NewBatchNorm(8), nn.NewLinear(key, 8, 5)}
	m.BN.RunningMean = nn.Buffer(random.Normal(key, 0, 1, nx.Shape{8}, nx.F32))
	m.BN.RunningVar = nn.Buffer(nx.Exp(nx.Tensor(m.BN.RunningMean)))
	x := random.Normal(key, 0, 1, nx.Shape{2, 3, 9, 9}, nx.F32)
	y := m.FC.Apply(nil, nx.Mean(nx.Relu(m.BN.Apply(nil, m.Conv.Apply(nil, x))), nx.Axis(2, 3)))
	if err := nn.SaveWeights(filepath.Join(dir, "keras.saved.safetensors"), m); err != nil {
		t.Fatal(err)
	}
	if err := nx.SaveTensors(filepath.Join(dir, "keras.npz"), struct{ X, Y nx.Tensor }{x, y}); err != nil {
		t.Fatal(err)
	}
	out, err := exec.Command(*kerasPython, "../.ci/exports/keras_weights.py", dir).CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	t.Logf("%s", out)
}

func checkTorch[M nn.Layer](t *testing.T, dir, name string, m M) {
	t.Helper()
	var want struct{ X, Y nx.Tensor }
	if err := nx.LoadTensors(filepath.Join(dir, name+".npz"), &want, nx.RenameArrays(func(name string) string {
		return map[string]string{"x": "X", "y": "Y"}[name]
	})); err != nil {
		t.Fatal(err)
	}
	for _, ext := range []string{".pt", ".safetensors"} {
		report, err := nn.LoadWeights(&m, filepath.Join(dir, name+ext))
		if err != nil {
			t.Fatalf("%s%s: %v", name, ext, err)
		}
		if len(report.Loaded) != len(nn.Leaves(m)) {
			t.Errorf("%s%s: %v", name, ext, report)
		}
		got, wanted := nx.Data[float32](m.Apply(nil, want.X)), nx.Data[float32](want.Y)
		for i := range got {
			if d := math.Abs(float64(got[i] - wanted[i])); !(d <= 2e-5*(1+math.Abs(float64(wanted[i])))) {
				t.Fatalf("%s%s: element %d is %v, want %v", name, ext, i, got[i], wanted[i])
			}
		}
	}
	m = tree.Map(func(x nx.Tensor) nx.Tensor { return nx.Mul(x, 0.75) }, m)
	if err := nn.SaveWeights(filepath.Join(dir, name+".saved.safetensors"), m); err != nil {
		t.Fatal(err)
	}
	if err := nx.SaveTensors(filepath.Join(dir, name+".got.npy"), m.Apply(nil, want.X)); err != nil {
		t.Fatal(err)
	}
}
