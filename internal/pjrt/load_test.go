package pjrt_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/go-nx/nx/internal/pjrt"
	"github.com/go-nx/nx/internal/pjrt/abi"
)

// library compiles C to a library; it skips the test where there is no compiler.
func library(t *testing.T, source string, flags ...string) string {
	t.Helper()
	cc, err := exec.LookPath("gcc")
	if err != nil || runtime.GOOS != "linux" {
		t.Skipf("skipped: a library is compiled with gcc on Linux: %v", err)
	}
	out := filepath.Join(t.TempDir(), "plugin.so")
	args := append([]string{"-w", "-shared", "-fPIC", "-pthread", "-o", out, "-x", "c", source, "-x", "none"}, flags...)
	if text, err := exec.Command(cc, args...).CombinedOutput(); err != nil {
		t.Fatalf("gcc: %v\n%s", err, text)
	}
	return out
}

// A plugin written in C, from the specification, understands the calls of this package.
func TestPluginInC(t *testing.T) {
	path := library(t, "testdata/stub.c")
	p, err := pjrt.Load(path)
	if err != nil {
		t.Fatal(err)
	}
	if again, err := pjrt.Load(path); again != p || err != nil {
		t.Errorf("loaded twice: %v", err)
	}
	if p.Version() != (pjrt.Version{Minor: 112}) || p.TableSize() != 1120 {
		t.Errorf("version %v, table of %d bytes", p.Version(), p.TableSize())
	}
	a := p.Attributes()
	if v, _ := a["stablehlo_current_version"].([]int64); !slices.Equal(v, []int64{1, 9, 2}) ||
		a["ratio"] != float32(0.25) {
		t.Errorf("attributes %v", a)
	}
	_, err = p.NewClient([]pjrt.Option{{"allocator", "bfc"}, {"n", int64(-7)}, {"list", []int64{4, 5}},
		{"ratio", float32(0.5)}, {"yes", true}}, &memoryStore{})
	var e *pjrt.Error
	if !errors.As(err, &e) || e.Code != abi.FailedPrecondition || e.Message != "No visible devices." {
		t.Errorf("creating a client: %v", err)
	}
	requirePreemption(t)
}

// A plugin registers functions that programs call, and queries their version; others are an error.
func TestHandlersInC(t *testing.T) {
	p, err := pjrt.Load(library(t, "testdata/stub.c"))
	if err != nil {
		t.Fatal(err)
	}
	handlers := library(t, "testdata/handler.c")
	if err := p.RegisterHandler("double", "Host", handlers, "nothing"); err != nil {
		t.Errorf("a function of the interface: %v", err)
	}
	for name, tt := range map[string]struct{ target, library, symbol, want string }{
		"another version":     {"double", handlers, "stale", "the handler is of another version"},
		"a refused target":    {"triple", handlers, "nothing", "another target or platform"},
		"no such function":    {"double", handlers, "none", "it has no function none"},
		"no such library":     {"double", handlers + "x", "nothing", "the system cannot load it"},
		"a file of something": {"double", "testdata/handler.c", "nothing", "the system cannot load it"},
	} {
		if err := p.RegisterHandler(tt.target, "Host", tt.library, tt.symbol); err == nil ||
			!strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: %v, want %q", name, err, tt.want)
		}
	}
}

// requirePreemption fails when collections wait for a loop without calls until that ends.
func requirePreemption(t *testing.T) {
	t.Helper()
	var stop atomic.Bool
	stopped := make(chan bool)
	go func() {
		n := 0
		for range 200 {
			if stop.Load() {
				stopped <- true
				return
			}
			for range 1 << 26 {
				n ^= n<<1 + 1
			}
		}
		runtime.KeepAlive(n)
		stopped <- false
	}()
	time.Sleep(5 * time.Millisecond)
	runtime.GC()
	stop.Store(true)
	if !<-stopped {
		t.Error("the collector waited for a loop to end: goroutines are not preempted any more")
	}
}

func TestFilesThatAreNoPlugins(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	empty := write("empty.c", "int x;")
	tests := []struct{ path, want string }{
		{filepath.Join(dir, "absent.so"), "give the path of the plugin's library"},
		{dir, "it is a folder"},
		{write("text.so", "this is not a library, but a text of some length"), "cannot load it"},
		{write("arm.so", armHeader()), "it is for the processor"},
	}
	if runtime.GOOS == "linux" {
		if _, err := exec.LookPath("gcc"); err == nil {
			null := write("null.c", "void *GetPjrtApi(void) { return 0; }")
			short := write("short.c", "static unsigned long n[20] = {24}; void *GetPjrtApi(void) { return n; }")
			major := write("major.c", "static unsigned long n[200] = {1120, 0, 24, 0, 3}; void *GetPjrtApi(void) { return n; }")
			missing := write("missing.c", "void *GetPjrtApi(void) { return 0; }")
			write("liblost.c", "int lost(void) { return 1; }")
			lost := library(t, filepath.Join(dir, "liblost.c"))
			plugin := library(t, null)
			needs := library(t, missing, "-Wl,--no-as-needed", lost)
			if err := os.Remove(lost); err != nil {
				t.Fatal(err)
			}
			whole, err := os.ReadFile(plugin)
			if err != nil {
				t.Fatal(err)
			}
			for _, n := range []int{64, 70, 500, len(whole) / 3} {
				tests = append(tests, struct{ path, want string }{write(fmt.Sprint("cut", n, ".so"), string(whole[:n])),
					"it is truncated: it has " + fmt.Sprint(n)})
			}
			tests = append(tests, []struct{ path, want string }{
				{library(t, empty), "it has no function GetPjrtApi"},
				{library(t, null), "its GetPjrtApi returns null"},
				{library(t, short), "at least 40 bytes, got 24"},
				{library(t, major), "implements PJRT API 3.0, this program 0.104"},
				{needs, "install the library"},
			}...)
		}
	}
	for _, tt := range tests {
		var e *pjrt.LoadError
		if _, err := pjrt.Load(tt.path); !errors.As(err, &e) || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: %v, want %q", tt.path, err, tt.want)
		}
	}
}

// armHeader begins a library for a processor that is not this one.
func armHeader() string {
	machine := byte(183) // AArch64
	if runtime.GOARCH == "arm64" {
		machine = 62 // x86-64
	}
	h := make([]byte, 64)
	copy(h, "\x7fELF\x02\x01\x01")
	h[16], h[18], h[20], h[52] = 3, machine, 1, 64
	return string(h)
}

// memoryStore is a key-value store of one process.
type memoryStore struct{ sync.Map }

func (s *memoryStore) Get(key string, timeout time.Duration) ([]byte, error) {
	if v, err := s.TryGet(key); err == nil {
		return v, nil
	}
	time.Sleep(timeout)
	return nil, fmt.Errorf("%s: %w", key, context.DeadlineExceeded)
}

func (s *memoryStore) TryGet(key string) ([]byte, error) {
	if key == "panic" {
		panic(key)
	}
	if v, ok := s.Load(key); ok {
		return v.([]byte), nil
	}
	return nil, fs.ErrNotExist
}

func (s *memoryStore) Put(key string, value []byte) error {
	if old, there := s.LoadOrStore(key, value); there && !bytes.Equal(old.([]byte), value) {
		return fs.ErrExist
	}
	return nil
}
