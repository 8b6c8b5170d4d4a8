package xla_test

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/go-nx/nx"
	"github.com/go-nx/nx/backend"
	"github.com/go-nx/nx/cpu"
	"github.com/go-nx/nx/xla"
)

func TestConfigureComesFirst(t *testing.T) {
	open(t, "old")
	if err := xla.Configure(map[string]xla.ClientOptions{"late": {}}); err == nil ||
		!strings.Contains(err.Error(), "before the first use of a client") {
		t.Errorf("configured after a client was used: %v", err)
	}
	if a, b := open(t, "old"), open(t, "old"); a != b {
		t.Error("there are two clients of a name")
	}
	if c, err := backend.Open("old"); err != nil || c.Name() != "old" {
		t.Errorf("the registry has %v, %v", c, err)
	}
	if _, err := xla.Open("absent"); err == nil ||
		!strings.Contains(err.Error(), "the client \"absent\" is not configured") {
		t.Errorf("an unknown client: %v", err)
	}
	if !slices.Contains(xla.Clients(), "tpu") {
		t.Errorf("the clients are %v", xla.Clients())
	}
}

// Each of these runs in a separate process with its own environment.
func TestEnvironment(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) string {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	noPlugin := "is not a plugin that can be loaded"
	cuda := write("site/jax_plugins/xla_cuda13/xla_cuda_plugin.so", "x")
	venv := write("venv/lib/python3.9/site-packages/libtpu/libtpu.so", "x")
	named := write("named/mine.so", "x")
	folder := write("folder/pjrt_c_api_host_plugin.so", "x")
	cached := write("cache/nx/pjrt/jax_plugins/xla_rocm7/xla_rocm_plugin.so", "x")
	whole := write("busy/nx/pjrt/cuda13/jax_plugins/xla_cuda13/xla_cuda_plugin.so", "x")
	write("busy/nx/pjrt/cuda13.new123/jax_plugins/xla_cuda13/xla_cuda_plugin.so", "x") // as an installer makes it
	described := write("mine.json", `{"library_path": "`+filepath.ToSlash(named)+`", "create_options": {"n": 1}}`)
	host := write("host.json", `{"host": {"platform": "`+filepath.ToSlash(named)+`"}}`)
	config := write("config.json", `{"mine": {"platform": "`+filepath.ToSlash(named)+`"}}`)
	tests := []struct {
		name, client string
		env          []string
		want         []string
	}{
		{"nothing", "cuda", nil, []string{"*xla.NotFoundError", "PJRT_NAMES_AND_LIBRARY_PATHS (not set)", "nx/pjrt",
			"xla_cuda13", "not there", `python3 -m pip install "jax-cuda13-plugin[with-cuda]"`}},
		{"no host", "host", nil, []string{"*xla.NotFoundError", "no package has a plugin for the host CPU"}},
		{"no TPU", "tpu", nil, []string{"*xla.NotFoundError", "python3 -m pip install libtpu"}},
		{"preferred", "xla", nil, []string{"using package cpu", `tried="cuda, rocm, tpu, host"`, "started cpu"}},
		{"host, by the path of a plugin", "host", []string{"NX_XLA_CONFIG=" + host}, []string{named, noPlugin}},
		{"PYTHONPATH", "cuda", []string{"PYTHONPATH=" + filepath.Join(dir, "site")}, []string{cuda, noPlugin}},
		{"environment of Python", "tpu", []string{"VIRTUAL_ENV=" + filepath.Join(dir, "venv")},
			[]string{venv, noPlugin}},
		{"TPU_LIBRARY_PATH", "tpu", []string{"TPU_LIBRARY_PATH=" + named}, []string{named, noPlugin}},
		{"named", "cuda", []string{"PJRT_NAMES_AND_LIBRARY_PATHS=other:/x.so,cuda:" + named},
			[]string{named, noPlugin}},
		{"named by a description", "cuda", []string{"PJRT_NAMES_AND_LIBRARY_PATHS=cuda:" + described},
			[]string{named, noPlugin}},
		{"named but absent", "cuda", []string{"PJRT_NAMES_AND_LIBRARY_PATHS=cuda:" + filepath.Join(dir, "no.so")},
			[]string{"no.so", "the file cannot be read"}},
		{"folder", "host", []string{"PJRT_PLUGIN_LIBRARY_PATH=" + filepath.Dir(folder)}, []string{folder, noPlugin}},
		{"of the user's own", "rocm", []string{"XDG_CACHE_HOME=" + filepath.Join(dir, "cache")},
			[]string{cached, noPlugin}},
		{"of the user's own, the next being installed", "cuda",
			[]string{"XDG_CACHE_HOME=" + filepath.Join(dir, "busy")},
			[]string{whole, noPlugin}},
		{"configured by a file", "mine", []string{"NX_XLA_CONFIG=" + config}, []string{named, noPlugin}},
		{"a file that is wrong", "cuda", []string{"NX_XLA_CONFIG=" + named},
			[]string{"NX_XLA_CONFIG", "invalid character"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if strings.HasPrefix(tt.name, "of the user's own") && runtime.GOOS != "linux" {
				t.Skip("skipped: the cache folder is not XDG's there")
			}
			child := exec.Command(os.Args[0]) // see TestMain
			child.Env = append([]string{"NX_TEST_SCENARIO=" + tt.client, "HOME=" + t.TempDir(), "PATH="}, tt.env...)
			out, err := child.CombinedOutput()
			if err != nil {
				t.Fatalf("%v\n%s", err, out)
			}
			for _, want := range tt.want {
				if !strings.Contains(string(out), want) {
					t.Errorf("the error does not say %q:\n%s", want, out)
				}
			}
		})
	}
}

// report prints the error of opening a client.
func report(client string) {
	c, err := backend.Open(client)
	if err == nil {
		os.Stdout.WriteString("started " + c.Name() + "\n")
	}
	var missing *xla.NotFoundError
	if errors.As(err, &missing) {
		os.Stdout.WriteString("*xla.NotFoundError\n")
	}
	if err != nil {
		os.Stdout.WriteString(err.Error() + "\n")
	}
}

// The default client changes only by SetDefault or the environment.
func TestDefaultClient(t *testing.T) {
	for _, tt := range []struct{ name, env, want string }{
		{"the processor", "NX_TEST_SET=", "cpu:0\n"},
		{"NX_CLIENT", "NX_CLIENT=second", "second:1\n"},
		{"SetDefault", "NX_TEST_SET=text", "SetDefault: the default client text was used before"},
		{"an unknown client", "NX_CLIENT=absent", `there is no backend "absent"`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			child := exec.Command(os.Args[0])
			child.Env = append(os.Environ(), "NX_TEST_SCENARIO=default", tt.env)
			if out, err := child.CombinedOutput(); err != nil || !strings.Contains(string(out), tt.want) {
				t.Errorf("%v\n%s, want %q", err, out, tt.want)
			}
		})
	}
}

// reportDefault prints the device of a tensor with the default client of the environment.
func reportDefault() {
	name := os.Getenv("NX_TEST_SET")
	if name != "" {
		c, err := xla.Open(name)
		if err == nil {
			err = nx.SetDefault(c)
		}
		if err != nil {
			fmt.Println("error:", err)
		}
	}
	if err := caught(func() { fmt.Println(nx.Exp(nx.New([]float32{1})).Device()) }); err != nil {
		fmt.Println("error:", err)
	}
	if name != "" {
		fmt.Println("error:", nx.SetDefault(cpu.Default()))
	}
}
