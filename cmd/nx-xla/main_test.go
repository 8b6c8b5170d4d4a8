package main

import (
	"bytes"
	"context"
	"debug/elf"
	"encoding/binary"
	"fmt"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/go-nx/nx/internal/pjrt"
	"github.com/go-nx/nx/internal/pjrt/abi"
	"github.com/go-nx/nx/internal/pjrt/fake"
	"github.com/go-nx/nx/stablehlo"
	"github.com/go-nx/nx/xla"
)

func TestMain(m *testing.M) {
	configuration := map[string]xla.ClientOptions{}
	for _, name := range []string{"two", "nodevice"} {
		p := fake.New(fake.Config{Devices: 2, StableHLO: stablehlo.Version{Major: 1, Minor: 9}, Limit: 1 << 30})
		if name == "nodevice" {
			p.Fail(abi.ClientCreate, abi.FailedPrecondition, "No visible GPU devices.", 0)
		}
		if err := pjrt.Provide("/fake/"+name+".so", p.Table()); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		configuration[name] = xla.ClientOptions{Platform: "/fake/" + name + ".so"}
	}
	if err := xla.Configure(configuration); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	if os.Getenv(asProcess) != "" {
		main()
	}
	os.Exit(m.Run())
}

// asProcess makes the test binary be nx-xla.
const asProcess = "NX_TEST_AS_PROCESS"

// isolated hides the plugins of this machine.
func isolated(t *testing.T) {
	t.Helper()
	for _, name := range []string{"PJRT_NAMES_AND_LIBRARY_PATHS", "PJRT_PLUGIN_LIBRARY_PATH", "TPU_LIBRARY_PATH",
		"PYTHONPATH", "VIRTUAL_ENV", "CONDA_PREFIX"} {
		t.Setenv(name, "")
	}
	for _, name := range []string{"HOME", "XDG_CACHE_HOME", "PATH"} {
		t.Setenv(name, t.TempDir())
	}
}

// execute runs a command line.
func execute(args ...string) (code int, out, errs string) {
	var a, b bytes.Buffer
	code = program.Run(context.Background(), args, strings.NewReader(""), &a, &b)
	return code, a.String(), b.String()
}

func write(t *testing.T, name string, data []byte) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, data, 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestVersion(t *testing.T) {
	if code, out, errs := execute("--version"); code != 0 || !strings.HasPrefix(out, "nx-xla version ") {
		t.Errorf("%d, %q, %q", code, out, errs)
	}
}

func TestList(t *testing.T) {
	isolated(t)
	code, out, errs := execute("list", "two")
	for _, want := range []string{"two: fake", "plugin  /fake/two.so", "API     0.104, StableHLO 1.9.0",
		"two:1   Fake fake, 1024 MiB, 0 MiB in use"} {
		if code != 0 || !strings.Contains(out, want) {
			t.Errorf("exit %d, %s\n%s, want %q", code, errs, out, want)
		}
	}
	code, out, _ = execute("list")
	for _, want := range []string{"two: fake", "nodevice: xla: starting the devices", "No visible GPU devices",
		"cuda: no plugin in ", "nx-xla install cuda13"} {
		if code != 0 || !strings.Contains(out, want) {
			t.Errorf("exit %d:\n%s, want %q", code, out, want)
		}
	}
}

// Errors of plugins name the cause, the location and the remedy; other plugins are not affected.
func TestErrors(t *testing.T) {
	isolated(t)
	type failing struct{ client, file, where, what, do string }
	tests := map[string]failing{
		"no plugin": {"tpu", "", "libtpu/libtpu.so", "no plugin for the client tpu", "nx-xla install tpu"},
		"no device": {"nodevice", "", "/fake/nodevice.so", "No visible GPU devices", "nvidia-smi"},
		"damaged": {"cuda", write(t, "cut.so", []byte("\x7fELF")), "cut.so", "the system cannot load it",
			"install it again"},
		"wrong architecture": {"cuda", write(t, "other.so", otherProcessor(t)), "other.so", "it is for the processor",
			"install the plugin for this machine"},
	}
	if missing := missingLibrary(t); missing != "" {
		tests["missing libraries"] = failing{"cuda", missing, "plugin.so", "libcudart_lost.so", "LD_LIBRARY_PATH"}
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			if tt.file != "" {
				t.Setenv("PJRT_NAMES_AND_LIBRARY_PATHS", tt.client+":"+tt.file)
			}
			code, _, errs := execute("list", tt.client)
			for _, want := range []string{tt.what, tt.where, tt.do} {
				if code != 1 || !strings.Contains(errs, want) {
					t.Errorf("exit %d, %s, want %q", code, errs, want)
				}
			}
			if code, _, errs := execute("list", "two"); code != 0 {
				t.Errorf("another client afterwards: exit %d, %s", code, errs)
			}
		})
	}
}

// otherProcessor is the head of a library for a processor that is not this one.
func otherProcessor(t *testing.T) []byte {
	t.Helper()
	machine := elf.EM_AARCH64
	if runtime.GOARCH == "arm64" {
		machine = elf.EM_X86_64
	}
	h := elf.Header64{Type: uint16(elf.ET_DYN), Machine: uint16(machine), Version: 1, Ehsize: 64}
	copy(h.Ident[:], "\x7fELF\x02\x01\x01")
	var b bytes.Buffer
	if err := binary.Write(&b, binary.LittleEndian, h); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// missingLibrary returns a plugin with a missing dependency, or "" without a compiler.
func missingLibrary(t *testing.T) string {
	t.Helper()
	cc := "/usr/bin/gcc"
	if _, err := os.Stat(cc); err != nil || runtime.GOOS != "linux" {
		t.Logf("a plugin that lacks a library is not tried: it is compiled by %s on Linux (%v)", cc, err)
		return ""
	}
	source := write(t, "a.c", []byte("void *GetPjrtApi(void) { return 0; }"))
	lost, out := filepath.Join(t.TempDir(), "libcudart_lost.so"), filepath.Join(t.TempDir(), "plugin.so")
	for _, args := range [][]string{{"-o", lost}, {"-o", out, "-Wl,--no-as-needed", lost}} {
		c := exec.Command(cc, append([]string{"-shared", "-fPIC", source}, args...)...)
		c.Env = append(os.Environ(), "PATH=/usr/bin:/bin")
		if text, err := c.CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, text)
		}
	}
	if err := os.Remove(lost); err != nil {
		t.Fatal(err)
	}
	return out
}

func TestCompile(t *testing.T) {
	isolated(t)
	const text = `func.func @main(%a: tensor<4xf32>) -> tensor<4xf32> {
  %0 = stablehlo.add %a, %a : tensor<4xf32>
  return %0 : tensor<4xf32>
}`
	program, to := write(t, "m.mlir", []byte(text)), filepath.Join(t.TempDir(), "m.xla")
	code, out, errs := execute("compile", program, "--client", "two", "--topology", "1x2", "--out", to)
	if code != 0 || !strings.HasPrefix(out, "2 × Fake fake: arguments ") {
		t.Errorf("exit %d, %s, %s", code, out, errs)
	}
	saved, err := os.ReadFile(to)
	if err != nil {
		t.Fatal(err)
	}
	c, err := xla.Open("two")
	if err != nil {
		t.Fatal(err)
	}
	if exe, err := c.LoadCompiled(saved); err != nil {
		t.Errorf("loading what was written: %v", err)
	} else if err := exe.Close(); err != nil {
		t.Error(err)
	}
	saved[len(saved)/2] ^= 1
	if _, err := c.LoadCompiled(saved); err == nil || !strings.Contains(err.Error(), "compile it again") {
		t.Errorf("what was tampered with: %v", err)
	}
	for name, tt := range map[string]struct {
		args []string
		want string
		code int
	}{
		"no file": {[]string{"compile", program + "x"}, "m.mlirx", 1},
		"no program": {[]string{"compile", write(t, "bad.mlir", []byte("func.func @main(")), "--client", "two"},
			"bad.mlir", 1},
		"no plugin":    {[]string{"compile", program}, "nx-xla install cuda13", 1},
		"no such flag": {[]string{"compile", program, "--top"}, "unknown flag", 2},
		"no bundle":    {[]string{"install", "cuda9"}, "invalid argument", 2},
		"no command":   {[]string{"frobnicate"}, "unknown command", 2},
	} {
		if code, _, errs := execute(tt.args...); code != tt.code || !strings.Contains(errs, tt.want) {
			t.Errorf("%s: exit %d, %s, want %q", name, code, errs, tt.want)
		}
	}
}

// Every bundle has exact versions; for an index without them the error names the remedy.
func TestInstall(t *testing.T) {
	isolated(t)
	for name, packages := range bundles {
		for _, p := range packages {
			if p.Name == "" || p.Version == "" {
				t.Errorf("%s: a package without a name or version: %v", name, p)
			}
		}
	}
	if runtime.GOOS != "linux" {
		t.Skip("skipped: the rest of this test, as the packages are for Linux on amd64 and arm64")
	}
	index := httptest.NewServer(nil) // which answers 404
	defer index.Close()
	code, out, errs := execute("install", "rocm7", "--index-url", index.URL)
	if code != 1 || !strings.Contains(errs, "404") || !strings.Contains(errs, "--index-url") ||
		!strings.Contains(out, "jax-rocm7-pjrt 0.12.0") {
		t.Errorf("exit %d, %s, %s", code, out, errs)
	}
}

func TestDoctor(t *testing.T) {
	isolated(t)
	code, out, errs := execute("doctor")
	for _, want := range []string{"driver", "plugin cuda", "nx-xla install cuda13", "stack", "/dev/shm", "process"} {
		if code != 0 || !strings.Contains(out, want) {
			t.Errorf("exit %d, %s:\n%s, want %q", code, errs, out, want)
		}
	}
}
