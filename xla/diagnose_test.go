package xla

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// files makes files below a folder and returns it.
func files(t *testing.T, contents map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range contents {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// Violated requirements of plugins are found, with a remedy; satisfied ones have none.
func TestDiagnose(t *testing.T) {
	for _, name := range []string{"CUDA_HOME", "CUDA_PATH", "PATH"} {
		t.Setenv(name, "")
	}
	driver := func(version string) machine {
		return machine{root: files(t,
			map[string]string{"proc/driver/nvidia/version": "NVRM version: NVIDIA UNIX x86_64 " +
				"Kernel Module  " + version + "  Wed\nGCC version:"})}
	}
	open := machine{root: files(t, map[string]string{"proc/driver/nvidia/version": "NVRM version: NVIDIA UNIX " +
		"Open Kernel Module for x86_64  580.159.04  Release Build  (root@h1)  Wed\nGCC version:  gcc version 13.3.0"})}
	plugin := func(names ...string) string {
		contents := map[string]string{}
		for _, name := range names {
			contents[name] = ""
		}
		return filepath.Join(files(t, contents), "jax_plugins", "xla_cuda13", "xla_cuda_plugin.so")
	}
	cublas, cudnn := "nvidia_cublas-13.1.0.dist-info/RECORD", "nvidia_cudnn_cu13-9.28.1.dist-info/RECORD"
	empty := machine{root: t.TempDir()}
	for name, tt := range map[string]struct {
		got         Finding
		found, hint string
	}{
		"no NVIDIA driver":   {empty.driver(), "no NVIDIA driver", "docker run --gpus all"},
		"an old driver":      {driver("470.82.01").driver(), "NVIDIA 470.82.01", "525"},
		"a driver of CUDA12": {driver("550.54.15").driver(), "NVIDIA 550.54.15", "nx-xla install cuda12"},
		"a driver":           {driver("580.65.06").driver(), "NVIDIA 580.65.06", ""},
		"an open driver":     {open.driver(), "NVIDIA 580.159.04", ""},
		"no libraries":       {empty.libraries(plugin("x"), 13), "none", "nx-xla install cuda13"},
		"libraries":          {empty.libraries(plugin(cublas, cudnn), 13), "cublas 13.1.0, cudnn 9.28.1", ""},
		"libraries of CUDA12": {empty.libraries(plugin("nvidia_cublas_cu12-12.9.1.dist-info/RECORD"), 13),
			"cublas 12.9.1",
			"the plugin is for CUDA 13"},
		"an old cuDNN": {empty.libraries(plugin(cublas, "nvidia_cudnn_cu13-8.9.0.dist-info/RECORD"), 13), "cudnn 8.9.0",
			"cuDNN 9"},
		"no ptxas": {empty.tool("ptxas", plugin("x"), "bin/ptxas"), "not found", "CUDA_HOME"},
		"ptxas":    {empty.tool("ptxas", plugin("nvidia/cu13/bin/ptxas"), "bin/ptxas"), "cu13/bin/ptxas", ""},
		"ptxas of the system": {machine{root: files(t, map[string]string{"usr/local/cuda/bin/ptxas": ""})}.tool("ptxas",
			plugin("x"), "bin/ptxas"), "usr/local/cuda/bin/ptxas", ""},
		"no shared memory": {empty.sharedMemory(), "/dev/shm", "tmpfs"},
		"process 1":        {machine{pid: 1}.processID(), "process 1", "docker run --init"},
		"another process":  {machine{pid: 7}.processID(), "number 7", ""},
	} {
		if !strings.Contains(tt.got.Found, tt.found) || (tt.hint == "") != (tt.got.Hint == "") ||
			!strings.Contains(tt.got.Hint, tt.hint) {
			t.Errorf("%s: %+v, want %q and %q", name, tt.got, tt.found, tt.hint)
		}
	}
}

// Each error of a plugin that there is a hint for stands in docs/xla.md.
func TestHintsAreDocumented(t *testing.T) {
	text, err := os.ReadFile(filepath.Join("..", "docs", "xla.md"))
	if err != nil {
		t.Fatal(err)
	}
	for _, h := range hints {
		words := h.words
		if words == "size: expected" {
			words = "Unexpected … size"
		}
		if !strings.Contains(string(text), words) {
			t.Errorf("docs/xla.md does not say what to do about %q", h.words)
		}
	}
}
