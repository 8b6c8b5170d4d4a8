package cpu

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
	"runtime"
	"runtime/debug"
	"strings"
	"sync"
	"syscall"
	"testing"

	"github.com/go-nx/nx/backend"
	"github.com/go-nx/nx/dtype"
	"github.com/go-nx/nx/internal/cpu/rt"
	"github.com/go-nx/nx/internal/testkit"
)

// TestCodeMemory runs a matrix product whose machine code cannot be allocated, in a separate
// process: this is an error, and the process can compute the product when memory is available.
func TestCodeMemory(t *testing.T) {
	if tier, err := currentTier(); err != nil || tier.name == "portable" {
		t.Skipf("skipped: the tier is %q (%v), which needs no memory for machine code", tier.name, err)
	}
	if testkit.Race {
		t.Skip("skipped: the race detector asks for memory of its own, and ends the process where there is none")
	}
	if os.Getenv("NX_TEST_CODE_MEMORY") != "" {
		withoutCodeMemory(t)
		return
	}
	var out []byte
	var err error
	for range 5 { // the runtime itself may need memory at the same time
		command := exec.Command(os.Args[0], "-test.run=^TestCodeMemory$", "-test.v")
		command.Env = append(os.Environ(), "NX_TEST_CODE_MEMORY=1")
		out, err = command.CombinedOutput()
		if !bytes.Contains(out, []byte("fatal error: runtime: cannot allocate memory")) {
			break
		}
	}
	if err != nil || !bytes.Contains(out, []byte("PASS: TestCodeMemory")) {
		t.Errorf("%v\n%s", err, out)
	}
}

func withoutCodeMemory(t *testing.T) {
	defer debug.SetGCPercent(debug.SetGCPercent(-1))
	const n = 32
	c := New(1)
	exe := compiled(t, c, `func.func @main(%x: tensor<32x32xf32>) -> tensor<32x32xf32> {
		%0 = stablehlo.dot %x, %x : (tensor<32x32xf32>, tensor<32x32xf32>) -> tensor<32x32xf32>
		return %0 : tensor<32x32xf32>
	}`)
	x, err := c.Put(ctx, backend.Type{DType: dtype.F32, Dims: []int64{n, n}}, make([]byte, 4*n*n), device{})
	if err != nil {
		t.Fatal(err)
	}
	startThreads()
	var old syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_AS, &old); err != nil {
		t.Fatal(err)
	}
	if err := syscall.Setrlimit(syscall.RLIMIT_AS, &syscall.Rlimit{Cur: 1 << 20, Max: old.Max}); err != nil {
		t.Fatal(err)
	}
	_, err = exe.Execute(ctx, []backend.Buffer{x})
	if err := syscall.Setrlimit(syscall.RLIMIT_AS, &old); err != nil {
		t.Fatal(err)
	}
	var memErr *rt.CodeMemoryError
	var memory backend.MemoryError
	if !errors.As(err, &memErr) || !errors.As(err, &memory) || !errors.Is(err, syscall.ENOMEM) ||
		!strings.HasPrefix(memErr.Error(), "out of memory: 64.00 KiB needed for the machine code gemm_f32_") {
		t.Fatalf("%v", err)
	}
	if _, err := exe.Execute(ctx, []backend.Buffer{x}); err != nil {
		t.Errorf("with memory: %v", err)
	}
}

// startThreads gives the runtime idle threads and free memory: otherwise it may need to allocate
// when it cannot, which ends the process.
func startThreads() {
	const threads = 16
	var started sync.WaitGroup
	started.Add(threads)
	stop := make(chan struct{})
	var ended sync.WaitGroup
	for range threads {
		ended.Go(func() {
			runtime.LockOSThread()
			defer runtime.UnlockOSThread()
			memory := make([]byte, 1<<20)
			started.Done()
			<-stop
			runtime.KeepAlive(memory)
		})
	}
	started.Wait()
	close(stop)
	ended.Wait()
	runtime.GC()
}
