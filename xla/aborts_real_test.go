package xla

import (
	"context"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/go-nx/nx/stablehlo"
)

// aborts are programs and targets that would crash a plugin, with the error that they get instead.
var aborts = map[string]struct{ platform, topology, target, text, want string }{
	"a target with only a compute capability": {"cuda", "x",
		"gpu_device_info { cuda_compute_capability { major: 9 } }",
		donating, "positive values for threads_per_block_limit"},
	"a remainder of complex numbers": {"cuda", "h200", "", `func.func @main(%a: tensor<2xcomplex<f32>>) -> tensor<2xcomplex<f32>> {
  %0 = stablehlo.remainder %a, %a : tensor<2xcomplex<f32>>
  return %0 : tensor<2xcomplex<f32>>
}`, "stablehlo.remainder of complex numbers is not supported by XLA"},
	"unknown sizes": {"tpu", "v5e:2x2", "", `func.func @main(%a: tensor<?xf32>) -> tensor<?xf32> {
  %0 = stablehlo.add %a, %a : tensor<?xf32>
  return %0 : tensor<?xf32>
}`, "must be a tensor of static shape"},
	"numbers of two bits on a TPU": {"tpu", "v5e:2x2", "", `func.func @main(%a: tensor<4xi2>) -> tensor<4xi2> {
  return %a : tensor<4xi2>
}`, "a TPU does not support buffers of s2"},
}

// Programs that would crash a plugin are rejected before: each in a separate process, which survives.
func TestWhatPluginsEndTheProcessAt(t *testing.T) {
	if name := os.Getenv("NX_TEST_ABORT"); name != "" {
		tryAbort(t, name)
		return
	}
	files := map[string]string{"cuda": *cudaPlugin, "tpu": *tpuPlugin}
	for name, tt := range aborts {
		t.Run(name, func(t *testing.T) {
			if files[tt.platform] == "" {
				t.Skipf("skipped: -%s-plugin names no plugin; .ci/xla does", tt.platform)
			}
			onlyTPU(t)
			child := exec.Command(os.Args[0], "-test.run=^TestWhatPluginsEndTheProcessAt$", "-test.v")
			child.Env = append(os.Environ(), "NX_TEST_ABORT="+name,
				"PJRT_NAMES_AND_LIBRARY_PATHS="+tt.platform+":"+files[tt.platform])
			out, err := child.CombinedOutput()
			if err != nil || !strings.Contains(string(out), "refused: ") || !strings.Contains(string(out), tt.want) {
				t.Errorf("%v, want %q:\n%s", err, tt.want, out)
			}
		})
	}
}

// tryAbort compiles one of aborts.
func tryAbort(t *testing.T, name string) {
	tt := aborts[name]
	m, err := stablehlo.Parse("m", []byte(tt.text))
	if err != nil {
		t.Fatal(err)
	}
	var opts []Option
	if tt.target != "" {
		opts = append(opts, Target(tt.target))
	}
	if _, err = CompileFor(context.Background(), tt.platform, tt.topology, m, opts...); err == nil {
		t.Fatal("it was compiled")
	}
	t.Logf("refused: %v", err)
}

// A program compiles for each GPU that has a name.
func TestTargetsAhead(t *testing.T) {
	forTargets(t, func(t *testing.T, a *ahead) {
		if a.name != "cuda" {
			t.Skip("skipped: the targets are GPUs")
		}
		m, err := stablehlo.Parse("m", []byte(donating))
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range Targets() {
			c, err := CompileFor(context.Background(), "cuda", name, m)
			if err != nil || len(c.Devices) != 1 || c.Devices[0] != gpus[name].name {
				t.Errorf("%s: %+v, %v", name, c, err)
			}
		}
	})
}

// The description of each GPU has all that XLA computes with.
func TestTargets(t *testing.T) {
	for name, g := range gpus {
		if err := checkTarget(g.target()); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}
