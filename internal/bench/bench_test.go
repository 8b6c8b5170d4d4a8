package bench

import (
	"math"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/go-nx/nx/internal/testkit"
)

// TestEveryNameIsKnown compares the workloads with those of the measured libraries.
func TestEveryNameIsKnown(t *testing.T) {
	text, err := os.ReadFile(testkit.Shared(t, "bench/peers.tsv"))
	if err != nil {
		t.Fatal(err)
	}
	for _, line := range strings.Split(strings.TrimSpace(string(text)), "\n")[1:] {
		name, _, _ := strings.Cut(line, "\t")
		if !slices.ContainsFunc(Workloads, func(w Workload) bool { return w.Name == name }) {
			t.Errorf("workload %s is missing", name)
		}
	}
}

// TestPrograms runs the workloads that are programs once. The expected values are from JAX 0.10.2, for the same names
// and inputs.
func TestPrograms(t *testing.T) {
	for name, want := range map[string]float64{
		"conv_3x3": 0.2577962875, "conv_resnet": 4.5334081650, "cnn_step": 2.3196990490,
		"sort_1m": -0.9999991655, "cumsum_1m": 0.7666215897, "fft_1m": -177.2934875488,
		"cholesky_512": 25.977989197, "while_1000": 0.9141952395, "scan_rnn": 0.2310796082, "vmap_grad_mlp": 0,
	} {
		i := slices.IndexFunc(Workloads, func(w Workload) bool { return w.Name == name })
		if i < 0 {
			t.Errorf("workload %s is missing", name)
			continue
		}
		call, check := Workloads[i].Make()
		call()
		if got := check(); !(math.Abs(got-want) <= 2e-5*max(1, math.Abs(want))) {
			t.Errorf("%s: got %.10g, want %.10g", name, got, want)
		}
	}
}
