package xla

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/go-nx/nx/distributed"
	"github.com/go-nx/nx/internal/pjrt"
	"github.com/go-nx/nx/internal/pjrt/abi"
	"github.com/go-nx/nx/stablehlo"
	"github.com/go-nx/nx/stablehlo/portable"
)

var (
	cudaPlugin = flag.String("cuda-plugin", "", "the file of a CUDA plugin, xla_cuda_plugin.so: .ci/xla installs one")
	tpuPlugin  = flag.String("tpu-plugin", "", "the file of a TPU plugin, libtpu.so: NX_TEST_TPU=1 .ci/xla installs one")
	programs   = flag.String("programs", "", "patterns of files with programs, apart by commas")
	translated = flag.String("translated", "", "write what plugins are given, as text, to this folder")
)

// realPlugin loads the plugin of the flag.
func realPlugin(t *testing.T) *pjrt.Plugin {
	t.Helper()
	if *cudaPlugin == "" {
		t.Skip("skipped: -cuda-plugin names no plugin; .ci/xla installs one and runs this")
	}
	p, err := pjrt.Load(*cudaPlugin)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// The plugin of Google's packages loads, describes itself, and reports that there is no GPU.
func TestRealPlugin(t *testing.T) {
	p := realPlugin(t)
	a := p.Attributes()
	t.Logf("PJRT API %s, table of %d bytes, attributes %v, extensions %v", p.Version(), p.TableSize(), a, p.Extensions())
	if p.Version().Minor < 100 || p.Missing() != nil {
		t.Errorf("API %s lacks %v", p.Version(), p.Missing())
	}
	if v := newestCommon(a); v == (stablehlo.Version{}) {
		t.Error("the plugin announces no version of StableHLO")
	}
	if !slices.Contains(p.Extensions(), abi.ExtensionFFI) {
		t.Error("the plugin has no extension for functions of others")
	}
	before := runtime.NumGoroutine()
	t.Setenv("PJRT_NAMES_AND_LIBRARY_PATHS", "cuda:"+*cudaPlugin)
	for want, options := range map[string]map[string]any{
		"No visible GPU devices":                       nil,
		"Unexpected option name passed to PJRT_Client": {"no_such": true},
	} {
		_, err := start("cuda", ClientOptions{Platform: "cuda", CreateOptions: options})
		e, ok := errors.AsType[*Error](err)
		if !ok || !strings.Contains(e.Message, want) {
			t.Errorf("starting the client: %v, want %q", err, want)
		}
	}
	group, err := distributed.Initialize("localhost:1", 1, 0, distributed.Token("secret"),
		distributed.Listen("localhost:0"))
	if err != nil {
		t.Fatal(err)
	}
	_, err = start("cuda", ClientOptions{Platform: "cuda"}) // takes the numbers and the callbacks, and looks for GPUs
	if e, ok := errors.AsType[*Error](err); !ok || !strings.Contains(e.Message, "No visible GPU devices") {
		t.Errorf("starting the client in a group: %v", err)
	}
	if err := group.Close(); err != nil {
		t.Error(err)
	}
	if n := runtime.NumGoroutine(); n > before+2 {
		t.Errorf("%d goroutines, %d before", n, before)
	}
}

func readProgram(name string, data []byte) (*stablehlo.Module, error) {
	read := stablehlo.Parse
	if portable.IsBytecode(data) {
		read = portable.Read
	}
	m, err := read(name, data)
	if err == nil {
		err = m.Verify()
	}
	return m, err
}

// programFiles returns the files of the flag.
func programFiles(t *testing.T) (files []string) {
	t.Helper()
	if *programs == "" {
		t.Skip("skipped: -programs names no programs; .ci/xla does")
	}
	for _, pattern := range strings.Split(*programs, ",") {
		some, err := filepath.Glob(pattern)
		if err != nil || len(some) == 0 {
			t.Fatalf("%s: no programs (%v)", pattern, err)
		}
		files = append(files, some...)
	}
	return files
}

// What plugins are given is written for XLA:CPU in Python to run, for up to four devices: see
// .ci/xla-cpu.
func TestTranslatedPrograms(t *testing.T) {
	if *translated == "" {
		t.Skip("skipped: -translated names no folder; .ci/xla-cpu does")
	}
	t.Setenv("NX_CHECK", "1")
	c := &core{name: "written", baseFlags: flagsOf("host")} // of no version: it is given text
	for _, file := range programFiles(t) {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		m, err := readProgram(file, data)
		if err != nil {
			t.Errorf("%s: %v", file, err)
			continue
		}
		p, err := c.program(context.Background(), m, &options{}, []int{0, 1, 2, 3})
		if err != nil {
			t.Errorf("%s: %v", file, err)
			continue
		}
		spread, err := json.Marshal(p.sharding)
		if err != nil {
			t.Fatal(err)
		}
		name := filepath.Join(*translated, filepath.Base(filepath.Dir(file)))
		for suffix, data := range map[string][]byte{".mlir": p.Code, ".options": p.Options, ".json": spread} {
			if err := os.WriteFile(name+suffix, data, 0o600); err != nil {
				t.Fatal(err)
			}
		}
	}
}
