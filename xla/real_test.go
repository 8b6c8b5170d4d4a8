package xla

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/go-nx/nx/internal/pjrt"
	"github.com/go-nx/nx/internal/pjrt/abi"
	"github.com/go-nx/nx/stablehlo"
	"github.com/go-nx/nx/stablehlo/portable"
)

var (
	cudaPlugin = flag.String("cuda-plugin", "", "the file of a CUDA plugin, xla_cuda_plugin.so: .ci/xla installs one")
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

// The plugin of Google's packages loads, tells what it is, and says that there is no GPU.
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
	if n := runtime.NumGoroutine(); n > before+2 {
		t.Errorf("%d goroutines, %d before", n, before)
	}
}

func targetH200(t *testing.T, p *pjrt.Plugin) *pjrt.Topology {
	t.Helper()
	top, err := p.NewTopology("h200",
		[]pjrt.Option{{Name: "topology", Value: "1x1x1"}, {Name: "target_config", Value: h200}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(top.Close)
	return top
}

// A program is compiled for a device that is not here, asked what it is, and saved.
func TestCompileForH200(t *testing.T) {
	p := realPlugin(t)
	top := targetH200(t, p)
	devices, err := top.Devices()
	if err != nil || len(devices) != 1 || devices[0].Kind != "NVIDIA H200" {
		t.Errorf("the devices are %v, %v", devices, err)
	}
	const text = `func.func @main(%a: tensor<64x32xf32> {jax.buffer_donor = true}, %b: tensor<32x32xf32>) -> tensor<64x32xf32> {
  %0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] : (tensor<64x32xf32>, tensor<32x32xf32>) -> tensor<64x32xf32>
  %1 = stablehlo.tanh %0 : tensor<64x32xf32>
  return %1 : tensor<64x32xf32>
}`
	x, err := compileFor(top, p, text)
	if err != nil {
		t.Fatal(err)
	}
	defer x.Close()
	types, err := x.OutputTypes()
	if err != nil || !slices.Equal(types, []abi.BufferType{abi.F32}) {
		t.Errorf("types %v, %v", types, err)
	}
	if dims, err := x.OutputDims(); err != nil || fmt.Sprint(dims) != "[[64 32]]" {
		t.Errorf("dimensions %v, %v", dims, err)
	}
	if m, err := x.Memory(); err != nil || m.Aliased == 0 {
		t.Errorf("memory %+v, %v: the result should take that of the donated argument", m, err)
	}
	saved, err := x.Serialize()
	if err != nil || len(saved) < 1000 {
		t.Errorf("saved %d bytes, %v", len(saved), err)
	}
	code, format, err := x.Optimized()
	if err != nil || len(code) == 0 {
		t.Errorf("optimised %d bytes of %s, %v", len(code), format, err)
	}
	t.Logf("saved %d bytes, optimised %d bytes of %s", len(saved), len(code), format)
	if _, err := top.Compile(pjrt.Program{Code: []byte("func.func @main( {"),
		Options: pjrt.CompileOptions{}.Encode()}); err == nil {
		t.Error("text that is none was compiled")
	}
	_, err = top.Compile(pjrt.Program{Code: []byte(text),
		Options: pjrt.CompileOptions{Flags: map[string]any{"xla_no": true}}.Encode()})
	if err == nil || !strings.Contains(err.Error(), "No such compile option: 'xla_no'") {
		t.Errorf("an unknown flag: %v", err)
	}
}

// compileFor compiles text as a client of the plugin does.
func compileFor(top *pjrt.Topology, p *pjrt.Plugin, text string) (*pjrt.Executable, error) {
	m, err := readProgram("program", []byte(text))
	if err != nil {
		return nil, err
	}
	m, sig, err := translate(context.Background(), m, "", 1)
	if err != nil {
		return nil, err
	}
	code, err := write(m, sig, newestCommon(p.Attributes()))
	if err != nil {
		return nil, err
	}
	return top.Compile(pjrt.Program{Code: code, Options: pjrt.CompileOptions{}.Encode()})
}

func readProgram(name string, data []byte) (*stablehlo.Module, error) {
	if portable.IsBytecode(data) {
		return portable.Read(name, data)
	}
	return stablehlo.Parse(name, data)
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

// Programs compile for an H200, several at once, while the collector runs.
func TestProgramsForH200(t *testing.T) {
	p := realPlugin(t)
	files := programFiles(t)
	top := targetH200(t, p)
	work := make(chan string)
	var all sync.WaitGroup
	var mu sync.Mutex
	compiled, start := 0, time.Now()
	for range 2 {
		all.Go(func() {
			for file := range work {
				text, err := os.ReadFile(file)
				if err != nil {
					t.Error(err)
					continue
				}
				x, err := compileFor(top, p, string(text))
				if err != nil {
					t.Errorf("%s: %v", file, err)
					continue
				}
				x.Close()
				mu.Lock()
				compiled++
				mu.Unlock()
			}
		})
	}
	for i, file := range files {
		if i%10 == 0 {
			runtime.GC()
		}
		work <- file
	}
	close(work)
	all.Wait()
	t.Logf("%d of %d programs compiled in %v", compiled, len(files), time.Since(start).Round(time.Second))
}

// What plugins are given is written for XLA:CPU in Python to run: see .ci/xla.
func TestTranslatedPrograms(t *testing.T) {
	if *translated == "" {
		t.Skip("skipped: -translated names no folder; .ci/xla does")
	}
	for _, file := range programFiles(t) {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		m, err := readProgram(file, data)
		if err != nil {
			t.Fatal(err)
		}
		m, sig, err := translate(context.Background(), m, "", 1)
		if err != nil {
			t.Errorf("%s: %v", file, err)
			continue
		}
		code, err := write(m, sig, stablehlo.Version{})
		if err != nil {
			t.Errorf("%s: %v", file, err)
			continue
		}
		name := filepath.Base(filepath.Dir(file)) + ".mlir"
		if err := os.WriteFile(filepath.Join(*translated, name), code, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(filepath.Join(*translated, "options"), pjrt.CompileOptions{}.Encode(), 0o600); err != nil {
		t.Fatal(err)
	}
}
