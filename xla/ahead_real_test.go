package xla

import (
	"context"
	"errors"
	"os"
	"os/exec"
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
)

// ahead are devices that are not present, with the plugin that compiles for them.
type ahead struct {
	*core
	topology string
	devices  *pjrt.Topology
	kinds    []string
	ids      []int
}

// forTargets runs a test for each platform that a flag names a plugin of: for four H200s and
// for a TPU v5e of four cores.
func forTargets(t *testing.T, test func(t *testing.T, a *ahead)) {
	for _, target := range []struct{ platform, plugin, topology, runBy string }{
		{"cuda", *cudaPlugin, "h200:1x1x4", ".ci/xla installs one and runs this"},
		{"tpu", *tpuPlugin, "v5e:2x2",
			"libtpu has a licence of its own: NX_TEST_TPU=1 .ci/xla installs it and runs this"},
	} {
		t.Run(target.platform, func(t *testing.T) {
			if target.plugin == "" {
				t.Skipf("skipped: -%s-plugin names no plugin; %s", target.platform, target.runBy)
			}
			onlyTPU(t)
			t.Setenv("PJRT_NAMES_AND_LIBRARY_PATHS", target.platform+":"+target.plugin)
			test(t, openAhead(t, target.platform, target.topology))
		})
	}
}

// onlyTPU keeps libtpu from asking the network what machine this is, for minutes, from writing
// logs, and from refusing to be loaded by a second process.
func onlyTPU(t *testing.T) {
	t.Helper()
	for name, value := range map[string]string{"TPU_SKIP_MDS_QUERY": "1", "ALLOW_MULTIPLE_LIBTPU_LOAD": "1",
		"TPU_LOG_DIR": "disabled"} {
		t.Setenv(name, value)
	}
}

func openAhead(t *testing.T, platform, topology string) *ahead {
	t.Helper()
	c, plugin, _, err := load(platform, ClientOptions{Platform: platform})
	if err != nil {
		t.Fatal(err)
	}
	name, described, err := describeTopology(platform, topology, "")
	if err != nil {
		t.Fatal(err)
	}
	a := &ahead{core: c, topology: topology}
	if a.devices, err = plugin.NewTopology(name, described); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(a.devices.Close)
	devices, err := a.devices.Devices()
	if err != nil || len(devices) != 4 {
		t.Fatalf("the devices are %v, %v", devices, err)
	}
	for _, d := range devices {
		a.kinds, a.ids = append(a.kinds, d.Kind), append(a.ids, d.ID)
	}
	return a
}

// compile compiles a module as CompileFor does.
func (a *ahead) compile(m *stablehlo.Module) (*pjrt.Executable, error) {
	p, err := a.program(context.Background(), m, &options{}, a.ids)
	if err != nil {
		return nil, err
	}
	return a.devices.Compile(p.Program)
}

// compileText compiles a program, text or an artifact.
func (a *ahead) compileText(name string, text []byte) (*pjrt.Executable, error) {
	m, err := readProgram(name, text)
	if err != nil {
		return nil, err
	}
	return a.compile(m)
}

const donating = `func.func @main(%a: tensor<64x32xf32> {jax.buffer_donor = true}, %b: tensor<32x32xf32>) -> tensor<64x32xf32> {
  %0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] : (tensor<64x32xf32>, tensor<32x32xf32>) -> tensor<64x32xf32>
  %1 = stablehlo.tanh %0 : tensor<64x32xf32>
  return %1 : tensor<64x32xf32>
}`

// A program is compiled for devices that are not present, inspected, and saved.
func TestCompileAhead(t *testing.T) {
	kinds := map[string]string{"cuda": "NVIDIA H200", "tpu": "TPU v5 lite"}
	forTargets(t, func(t *testing.T, a *ahead) {
		if a.kinds[0] != kinds[a.name] {
			t.Errorf("the devices are %q", a.kinds)
		}
		x, err := a.compileText("m", []byte(donating))
		if err != nil {
			t.Fatal(err)
		}
		defer x.Close()
		requireQueries(t, x)
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
	})
}

// requireQueries queries all properties of a compiled program with donation.
func requireQueries(t *testing.T, x *pjrt.Executable) {
	t.Helper()
	if name, err := x.Name(); err != nil || name == "" {
		t.Errorf("the name is %q, %v", name, err)
	}
	if n, err := x.NumOutputs(); err != nil || n != 1 {
		t.Errorf("%d results, %v", n, err)
	}
	if types, err := x.OutputTypes(); err != nil || !slices.Equal(types, []abi.BufferType{abi.F32}) {
		t.Errorf("types %v, %v", types, err)
	}
	if dims, err := x.OutputDims(); err != nil || len(dims) != 1 || !slices.Equal(dims[0], []int64{64, 32}) {
		t.Errorf("dimensions %v, %v", dims, err)
	}
	if p, r, err := x.Partitions(); err != nil || p != 1 || r != 1 {
		t.Errorf("%d partitions, %d replicas, %v", p, r, err)
	}
	if f, err := x.Fingerprint(); err != nil || len(f) == 0 {
		t.Errorf("the fingerprint is %q, %v", f, err)
	}
	if n, err := x.CodeSize(); err != nil || n < 0 {
		t.Errorf("%d bytes of code, %v", n, err)
	}
	costs, err := x.Costs()
	e, isError := errors.AsType[*pjrt.Error](err)
	if err == nil && costs["flops"] == nil || err != nil && !(isError && e.Code == abi.Unimplemented) {
		t.Errorf("the costs are %v, %v", costs, err)
	}
}

// Errors of the compilers are passed on.
func TestRefusedAhead(t *testing.T) {
	forTargets(t, func(t *testing.T, a *ahead) {
		if _, err := a.devices.Compile(pjrt.Program{Code: []byte("func.func @main( {"),
			Options: pjrt.CompileOptions{}.Encode()}); err == nil {
			t.Error("invalid text was compiled")
		}
		_, err := a.devices.Compile(pjrt.Program{Code: []byte(donating),
			Options: pjrt.CompileOptions{Flags: map[string]any{"xla_no": true}}.Encode()})
		if err == nil || !strings.Contains(err.Error(), "No such compile option: 'xla_no'") {
			t.Errorf("an unknown flag: %v", err)
		}
	})
}

// refusedAhead are programs of files that XLA has no code for, by platform ("" is all), and part
// of why.
var refusedAhead = map[string]map[string]string{
	"": {
		"cbrt_c64.mlir":            "stablehlo.cbrt of complex numbers is not supported by XLA",
		"chlo_bessel_i1e_c64.mlir": "chlo.bessel_i1e of complex numbers is not supported by XLA",
		"remainder_c64.mlir":       "stablehlo.remainder of complex numbers is not supported by XLA",
	},
	"tpu": {
		"clamp_bool.mlir":             "not implemented for these element types",
		"clamp_c64.mlir":              "not contain X{64|128} element types",
		"maximum_c64.mlir":            "not contain X{64|128} element types",
		"minimum_c64.mlir":            "not contain X{64|128} element types",
		"fft_c128.mlir":               "Unexpected operand type for FFT",
		"fft_real_f64.mlir":           "Unexpected operand type for FFT",
		"select_and_scatter_f32.mlir": "window stride in one of the two minor-most dimensions",
	},
}

// Programs compile, several at once, while the collector runs.
func TestProgramsAhead(t *testing.T) {
	forTargets(t, func(t *testing.T, a *ahead) {
		files := programFiles(t)
		start := time.Now()
		compiled, refused := compileAll(t, a, files)
		t.Logf("%d of %d programs compiled in %v, %d are refused by rule", compiled, len(files),
			time.Since(start).Round(time.Second), refused)
	})
}

// compileAll compiles files by two goroutines, and counts those that compiled and those rejected as in
// refusedAhead.
func compileAll(t *testing.T, a *ahead, files []string) (compiled, refused int) {
	work := make(chan string)
	var all sync.WaitGroup
	var mu sync.Mutex
	for range 2 {
		all.Go(func() {
			for file := range work {
				text, err := os.ReadFile(file)
				if err != nil {
					t.Error(err)
					continue
				}
				x, err := a.compileText(file, text)
				why, refuses := refusedAhead[""][filepath.Base(file)]
				if !refuses {
					why, refuses = refusedAhead[a.name][filepath.Base(file)]
				}
				mu.Lock()
				switch {
				case refuses && err != nil && strings.Contains(err.Error(), why):
					refused++
				case err != nil || refuses:
					t.Errorf("%s: %v", file, err)
				default:
					compiled++
				}
				mu.Unlock()
				if err == nil {
					x.Close()
				}
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
	return compiled, refused
}

// Six goroutines compile 48 programs while another collects garbage all the time.
func TestParallelCompiles(t *testing.T) {
	forTargets(t, func(t *testing.T, a *ahead) {
		stop, collected := make(chan struct{}), make(chan int)
		go func() {
			n := 0
			for {
				select {
				case <-stop:
					collected <- n
					return
				default:
					runtime.GC()
					n++
				}
			}
		}()
		start := time.Now()
		var all sync.WaitGroup
		for g := range 6 {
			all.Go(func() {
				for i := range 8 {
					text := strings.ReplaceAll(donating, "64x", []string{"48x", "64x", "80x"}[(g+i)%3])
					x, err := a.compileText("m", []byte(text))
					if err != nil {
						t.Error(err)
						return
					}
					if n, err := x.NumOutputs(); n != 1 || err != nil {
						t.Errorf("%d results, %v", n, err)
					}
					x.Close()
				}
			})
		}
		all.Wait()
		close(stop)
		t.Logf("48 programs in %v, beside %d collections", time.Since(start).Round(time.Millisecond), <-collected)
	})
}

const callsNothing = `func.func @main(%a: tensor<4xf32>) -> tensor<4xf32> {
  %0 = "stablehlo.custom_call"(%a) <{api_version = 4 : i32, backend_config = {}, call_target_name = "nothing"}> : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}`

// A program that calls a function of a library compiles for GPUs when that is registered, not
// before.
func TestHandlerAhead(t *testing.T) {
	forTargets(t, func(t *testing.T, a *ahead) {
		cc, err := exec.LookPath("gcc")
		if err != nil || a.name != "cuda" {
			t.Skipf("skipped: functions of libraries are for GPUs, and are compiled by gcc (%v)", err)
		}
		library := filepath.Join(t.TempDir(), "nothing.so")
		const source = "../internal/pjrt/testdata/handler.c"
		if text, err := exec.Command(cc, "-shared", "-fPIC", "-o", library, source).CombinedOutput(); err != nil {
			t.Fatalf("gcc: %v\n%s", err, text)
		}
		m, err := stablehlo.Parse("m", []byte(callsNothing))
		if err != nil {
			t.Fatal(err)
		}
		compile := func() error {
			_, err := CompileFor(context.Background(), a.name, a.topology, m)
			return err
		}
		if err := compile(); err == nil || !strings.Contains(err.Error(), "No FFI handler registered for") {
			t.Errorf("before: %v", err)
		}
		if err := RegisterFFI(a.name, "nothing", library, "nothing"); err != nil {
			t.Fatal(err)
		}
		if err := compile(); err != nil {
			t.Errorf("afterwards: %v", err)
		}
		if err := RegisterFFI(a.name, "nothing", library, "none"); err == nil ||
			!strings.Contains(err.Error(), "it has no function none") {
			t.Errorf("a function that is not there: %v", err)
		}
	})
}
