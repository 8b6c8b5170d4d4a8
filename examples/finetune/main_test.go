package main

import (
	"bytes"
	"encoding/xml"
	"os"
	"path/filepath"
	"testing"

	"github.com/go-nx/nx"
	"github.com/go-nx/nx/nn"
	"github.com/go-nx/nx/random"
)

// With the weights of the file, few images teach more than without.
func TestRun(t *testing.T) {
	if testing.Short() {
		t.Skip("skipped: trains a network")
	}
	dir := t.TempDir()
	var out bytes.Buffer
	tuned, fresh, err := run("pretrained.safetensors", dir, 50, &out)
	if err != nil {
		t.Fatal(err)
	}
	if !(tuned > 0.8 && tuned > fresh+0.02) {
		t.Errorf("the accuracies are %.3f and %.3f", tuned, fresh)
	}
	text, err := os.ReadFile(filepath.Join(dir, "finetune.svg"))
	if err != nil || xml.Unmarshal(text, new(struct{})) != nil {
		t.Errorf("the picture: %v", err)
	}
}

// TestLoad: a file with what PyTorch adds gives the weights of all but the last layer.
func TestLoad(t *testing.T) {
	file := map[string]nx.Tensor{}
	if err := nx.LoadTensors("pretrained.safetensors", &file); err != nil {
		t.Fatal(err)
	}
	file["bn1.num_batches_tracked"] = nx.New(int64(7))
	path := filepath.Join(t.TempDir(), "model.safetensors")
	if err := nx.SaveTensors(path, file); err != nil {
		t.Fatal(err)
	}
	m := newResnet(random.Key(3), classes)
	last := m.FC.Weight
	if report, err := load(path, &m); err != nil {
		t.Fatalf("%v\n%v", err, report)
	}
	for _, tt := range []struct{ got, want nx.Tensor }{
		{m.Conv1.Weight, file["conv1.weight"]},
		{nx.Tensor(m.Layer1[0].BN2.RunningVar), file["layer1.0.bn2.running_var"]},
		{m.Layer2[0].Downsample[0].(*nn.Conv).Weight, file["layer2.0.downsample.0.weight"]},
	} {
		if !nx.ArrayEqual(tt.got, tt.want) {
			t.Error("the weights differ")
		}
	}
	if !nx.ArrayEqual(m.FC.Weight, last) {
		t.Error("the last layer is that of the file")
	}
}
