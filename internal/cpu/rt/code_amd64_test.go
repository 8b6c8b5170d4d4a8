package rt

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"runtime/pprof"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
	"unsafe"

	. "github.com/go-nx/nx/internal/cpu/asm/amd64"
)

// isHardened is set if memory that was writable cannot become executable in this process.
var isHardened bool

var soak = flag.Duration("soak", 300*time.Millisecond, "how long code runs beside collections and profiling")

// needCode skips a test if code cannot run.
func needCode(t testing.TB) {
	t.Helper()
	if err := CanRunCode(); err != nil {
		t.Skip(err)
	}
}

type assembler = Assembler

// spin is a loop of n trips, about a third of a nanosecond each.
func spin(n int64) func(a *Assembler) {
	return func(a *Assembler) {
		a.Emit(MOV, RCX, Imm(n))
		top := a.NewLabel()
		a.Bind(top)
		a.Emit(DEC, RCX)
		a.Emit(JNE, top)
		a.Emit(RET)
	}
}

// keeper fills all vector registers, waits for n trips, and counts the changed registers in memory.
func keeper(n int64) func(a *Assembler) {
	reg, count, bytes := Y, 16, 32
	if HostFeatures()&AVX512F != 0 {
		reg, count, bytes = Z, 32, 64
	}
	return func(a *Assembler) {
		for i := range count {
			if reg(i).Class() == ZMM {
				a.Emit(VPTERNLOGD, reg(i), reg(i), reg(i), Imm(255))
				a.Emit(VPSRLD, reg(i), reg(i), Imm(int64(i)))
			} else {
				a.Emit(VPCMPEQD, reg(i), reg(i), reg(i))
				a.Emit(VPSRLD, reg(i), reg(i), Imm(int64(i)))
			}
		}
		spinTop := a.NewLabel()
		a.Emit(MOV, RCX, Imm(n))
		a.Bind(spinTop)
		a.Emit(DEC, RCX)
		a.Emit(JNE, spinTop)
		for i := range count {
			a.Emit(VMOVUPS, Mem(RSI, i*bytes), reg(i))
		}
		for i := range count {
			good := a.NewLabel()
			a.Emit(MOV, RAX, Imm(int64(math.MaxUint32>>i)))
			for at := 0; at < bytes; at += 4 {
				a.Emit(CMP, GP32(0), Mem(RSI, i*bytes+at))
				a.Emit(JE, good)
			}
			a.Emit(INC, Mem(RDI, 0).Sized(8))
			a.Bind(good)
		}
		a.Emit(RET)
	}
}

func TestCode(t *testing.T) {
	needCode(t)
	arena := testArena(t, func(a *assembler, n int) {
		a.Emit(ADD, Mem(RDI, 0).Sized(8), Imm(int64(n)))
		a.Emit(RET)
		for range 100 {
			a.Emit(NOP)
		}
	})
	f := add(t, arena, "large", func(a *Assembler) {
		a.Emit(VMOVSS, X(0), a.Const(append(Float32(3), make([]byte, 200<<10)...)).Sized(4))
		a.Emit(VMOVSS, Mem(RDI, 0), X(0))
		a.Emit(RET)
	})
	func() {
		defer func() {
			if r := recover(); r == nil {
				t.Error("a function is called that is not sealed")
			}
		}()
		f.Call(nil)
	}()
	if err := arena.Seal(); err != nil {
		t.Fatal(err)
	}
	var x float32
	if f.Call(unsafe.Pointer(&x)); x != 3 {
		t.Errorf("a constant is %g", x)
	}
	for _, bad := range []struct{ code, instructions int }{{0, 0}, {1, 2}, {1, 0}} {
		if _, err := arena.Add("bad", make([]byte, bad.code), bad.instructions); err == nil {
			t.Errorf("%d bytes with %d of instructions are added", bad.code, bad.instructions)
		}
	}
}

// TestCodeFaults runs code that faults: each fault is a panic with its offset, and the goroutine continues unchanged.
func TestCodeFaults(t *testing.T) {
	needCode(t)
	unmapped := uint64(1) << 40
	for _, c := range []struct {
		name   string
		arg    uint64
		offset int // of the instruction that faults
		write  func(a *Assembler)
	}{
		{"nil", 0, 0, func(a *Assembler) { a.Emit(MOV, RAX, Mem(RDX, 0)) }},
		{"an address without memory", unmapped, 3, func(a *Assembler) {
			a.Emit(XOR, RAX, RAX)
			a.Emit(VMOVUPS, Mem(RDX, 0), X(0))
		}},
		{"a noncanonical address", 1 << 63, 0, func(a *Assembler) { a.Emit(MOV, RAX, Mem(RDX, 0)) }},
		{"memory that is not aligned", 1, 5, func(a *Assembler) {
			a.Emit(LEA, RSI, MemIndex(RSI, RDX, 2, 1))
			a.Emit(VMOVAPS, X(0), Mem(RSI, 0))
		}},
		{"division by 0", 0, 8, func(a *Assembler) {
			a.Emit(MOV, GP32(0), Imm(7))
			a.Emit(XOR, GP32(1), GP32(1))
			a.Emit(CDQ)
			a.Emit(DIV, GP32(1))
		}},
	} {
		f := function(t, c.name, func(a *Assembler) {
			a.Emit(MOV, RDX, Mem(RDI, 0))
			c.write(a)
			a.Emit(RET)
		})
		for _, call := range []func(unsafe.Pointer){f.Call, f.CallFlushing} {
			before := floatMode() &^ 0x3f
			fault := catch(func() { call(unsafe.Pointer(&c.arg)) })
			if fault == nil || fault.Name != c.name || fault.Offset != c.offset+3 {
				t.Errorf("%s: fault %v, want one at %#x", c.name, fault, c.offset+3)
			}
			if after := floatMode() &^ 0x3f; after != before {
				t.Errorf("%s: mxcsr is %#x, was %#x", c.name, after, before)
			}
			if getLabels() != nil {
				t.Errorf("%s: the goroutine has labels", c.name)
			}
		}
	}
	runtime.GC()
}

// TestCodeDuringCollections calls code in tight loops while the program collects garbage: with a trampoline that cannot
// be preempted, the first collection would wait forever.
func TestCodeDuringCollections(t *testing.T) {
	needCode(t)
	f := function(t, "spin", spin(50_000))
	var stop atomic.Bool
	var wg sync.WaitGroup
	for range 2 {
		wg.Go(func() {
			for !stop.Load() {
				for range 100 {
					f.Call(nil)
				}
			}
		})
	}
	done := make(chan struct{})
	go func() {
		for range 5 {
			runtime.GC()
		}
		close(done)
	}()
	select {
	case <-done:
	case <-time.After(time.Minute):
		t.Error("5 collections have not ended after a minute")
	}
	stop.Store(true)
	wg.Wait()
}

// TestCodeKeepsRegisters keeps values in all vector registers while signals of the profiler and of collections
// interrupt the code, on many goroutines with growing stacks.
func TestCodeKeepsRegisters(t *testing.T) {
	needCode(t)
	f := function(t, "keeper", keeper(20_000))
	var profile bytes.Buffer
	runtime.SetCPUProfileRate(1000) // StartCPUProfile keeps it, with a message
	if err := pprof.StartCPUProfile(&profile); err != nil {
		t.Fatal(err)
	}
	deadline := time.Now().Add(*soak)
	var wrong, calls atomic.Int64
	var wg sync.WaitGroup
	var deep func(n int) int
	deep = func(n int) int { // moves the goroutine's stack
		var stack [200]byte
		if n == 0 {
			var bad int64
			f.Call(unsafe.Pointer(&bad)) // on the stack
			wrong.Add(bad)
			calls.Add(1)
			return 0
		}
		return deep(n-1) + int(stack[n%len(stack)])
	}
	for g := range 2000 {
		wg.Go(func() {
			for i := 0; i == 0 || time.Now().Before(deadline); i++ {
				deep((g + i) % 40)
				runtime.Gosched()
			}
		})
	}
	for time.Now().Before(deadline) {
		runtime.GC()
	}
	wg.Wait()
	pprof.StopCPUProfile()
	if wrong.Load() != 0 {
		t.Errorf("%d registers have changed in %d calls", wrong.Load(), calls.Load())
	}
	text, err := gzip.NewReader(&profile)
	if err != nil {
		t.Fatal(err)
	}
	all, err := io.ReadAll(text)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Contains(all, []byte("keeper")) {
		t.Error("the profile has no label of the kernel")
	}
	t.Logf("%d calls", calls.Load())
}

// TestCodeLabels keeps the labels of a user.
func TestCodeLabels(t *testing.T) {
	needCode(t)
	f := function(t, "labelled", spin(10))
	pprof.Do(context.Background(), pprof.Labels("user", "x"), func(context.Context) {
		mine := getLabels()
		f.Call(nil)
		if mine == nil || getLabels() != mine {
			t.Error("the labels of the goroutine have changed")
		}
	})
	f.Call(nil)
	if getLabels() != nil {
		t.Error("labels are left behind")
	}
}

// TestCodeUnderSettings runs the tests of this file with the runtime settings that find most errors.
func TestCodeUnderSettings(t *testing.T) {
	needCode(t)
	if os.Getenv("NX_TEST_CHILD") != "" {
		t.Skip("it is what runs")
	}
	if testing.Short() {
		t.Skip("starts four processes")
	}
	const short = "^TestCode($|Faults|KeepsRegisters)"
	for _, c := range []struct{ env, run string }{
		{"GOGC=1", short},
		{"GODEBUG=gccheckmark=1", short},
		{"GODEBUG=asyncpreemptoff=1", short},
		{"GOMAXPROCS=1", short + "|BesideCollections"},
		{"NX_TEST_MDWE=1", short + "|MappedTwice|IsFreed"},
	} {
		t.Run(c.env, func(t *testing.T) {
			cmd := exec.Command(os.Args[0], "-test.run="+c.run, "-soak="+(*soak/3).String())
			cmd.Env = append(os.Environ(), "NX_TEST_CHILD=1", c.env)
			if out, err := cmd.CombinedOutput(); err != nil {
				t.Errorf("%v\n%s", err, out)
			}
		})
	}
}

// TestCodeIsFreed makes executables and drops them: their pages are unmapped, except those of a call in progress.
func TestCodeIsFreed(t *testing.T) {
	needCode(t)
	if runtime.GOOS != "linux" {
		t.Skip("counts the mappings of Linux")
	}
	const arenas = 200
	executable := func() int {
		maps, err := os.ReadFile("/proc/self/maps")
		if err != nil {
			t.Fatal(err)
		}
		return strings.Count(string(maps), "r-xp 00000000 00:00 0 ") + strings.Count(string(maps), "/memfd:nx-code")
	}
	before := executable()
	started, end := make(chan struct{}), make(chan struct{})
	go func() {
		// One call of this takes 30 ms or so, and has the only reference to the function.
		f := function(t, "spin", spin(100_000_000))
		close(started)
		f.Call(nil)
		close(end)
	}()
	<-started
	for range arenas {
		f := function(t, "short", spin(2))
		f.Call(nil)
	}
	maxMappings := 0
	for {
		maxMappings = max(maxMappings, executable())
		runtime.GC()
		select {
		case <-end:
		default:
			continue
		}
		break
	}
	// Cleanups run after a collection, on a goroutine of the runtime.
	for wait := time.Now().Add(10 * time.Second); executable() > before; {
		if time.Now().After(wait) {
			t.Fatalf("%d executable mappings are left, %d before", executable(), before)
		}
		runtime.GC()
		time.Sleep(time.Millisecond)
	}
	if maxMappings == before {
		t.Error("no executable mapping was ever counted")
	}
}

func TestCodeMappedTwice(t *testing.T) {
	needCode(t)
	if system.allocTwice == nil {
		t.Skip("not on this system")
	}
	if isHardened && !mapTwice.Load() {
		t.Error("the system refuses pages that were writable, and the self-test has not seen it")
	}
	old := mapTwice.Swap(true)
	defer mapTwice.Store(old)
	if err := testCode(); err != nil {
		t.Fatal(err)
	}
	arena, err := NewCodeArena()
	if err != nil {
		t.Fatal(err)
	}
	for i := range 3 {
		f := add(t, arena, "put", func(a *Assembler) {
			a.Emit(MOV, Mem(RDI, 0).Sized(4), Imm(int64(i)))
			a.Emit(RET)
		})
		if err := arena.Seal(); err != nil {
			t.Fatal(err)
		}
		x := int32(-1)
		if f.Call(unsafe.Pointer(&x)); x != int32(i) {
			t.Errorf("function %d has put %d", i, x)
		}
	}
}

func TestPerfMap(t *testing.T) {
	needCode(t)
	path := filepath.Join(t.TempDir(), "perf.map")
	f := function(t, "a\nb", spin(1))
	m := symbolFile{path: path}
	m.add([]*Function{f})
	m.add([]*Function{f})
	text, err := os.ReadFile(path)
	if want := fmt.Sprintf("%x %x nx:a_b\n", f.entry, len(f.code)); err != nil || string(text) != want+want {
		t.Errorf("the map is %q, error %v; want %q twice", text, err, want)
	}
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	none := symbolFile{}
	none.add([]*Function{f})
}

func TestHostFeatures(t *testing.T) {
	f := HostFeatures()
	t.Logf("this machine has %s", f)
	if f&AVX2 != 0 && f&AVX == 0 || f&AVX512VL != 0 && f&AVX512F == 0 || f&AMXINT8 != 0 && f&AMXTILE == 0 {
		t.Errorf("feature without its prerequisites: %s", f)
	}
	info, err := os.ReadFile("/proc/cpuinfo")
	if err != nil {
		t.Skip(err)
	}
	_, flags, _ := strings.Cut(string(info), "flags")
	flags, _, _ = strings.Cut(flags, "\n")
	flags += " "
	for bit := Feature(1); bit.String() != ""; bit <<= 1 {
		if bit&(AMXTILE|AMXBF16|AMXINT8) != 0 {
			continue // only on request
		}
		if listed := strings.Contains(flags, " "+bit.String()+" "); listed != (f&bit != 0) {
			t.Errorf("%s: Linux says %t, we say %t", bit, listed, f&bit != 0)
		}
	}
}

func BenchmarkCallCode(b *testing.B) {
	needCode(b)
	f := function(b, "nothing", func(a *Assembler) { a.Emit(RET) })
	b.Run("trampoline", func(b *testing.B) {
		for b.Loop() {
			callCode(f.entry, nil)
		}
	})
	b.Run("trampoline flushing", func(b *testing.B) {
		for b.Loop() {
			callCodeFlushing(f.entry, nil)
		}
	})
	b.Run("Call", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			f.Call(nil)
		}
	})
	b.Run("CallFlushing", func(b *testing.B) {
		for b.Loop() {
			f.CallFlushing(nil)
		}
	})
}

func BenchmarkSealCode(b *testing.B) {
	needCode(b)
	for b.Loop() {
		function(b, "nothing", func(a *Assembler) { a.Emit(RET) })
	}
}

// An executor gets the arguments in place, on a stack that it may use deeply, and its errors are faults.
func TestExecutor(t *testing.T) {
	before := executor
	t.Cleanup(func() { executor = before })
	var args [4]uint64
	var fail error
	SetExecutor(&Executor{Features: AVX | FMA, Run: func(f *Function, at uintptr, flushing bool) error {
		useStack(1000)
		if at != uintptr(unsafe.Pointer(&args)) || !flushing || f.Name != "f" {
			t.Errorf("%s is run on %#x, flushing %t", f.Name, at, flushing)
		}
		return fail
	}})
	if got := HostFeatures(); got != AVX|FMA {
		t.Errorf("features %s", got)
	}
	f := &Function{Name: "f", entry: 1}
	f.CallFlushing(unsafe.Pointer(&args))
	fail = errors.New("no such instruction")
	defer func() {
		var fault *CodeFault
		if err, _ := recover().(error); !errors.As(err, &fault) || fault.Name != "f" || !errors.Is(err, fail) {
			t.Errorf("panics with %v", err)
		}
	}()
	f.CallFlushing(unsafe.Pointer(&args))
}

// useStack takes some 100 bytes of the stack n times.
//
//go:noinline
func useStack(n int) int {
	if n == 0 {
		return 0
	}
	var a [12]int
	a[n%len(a)] = useStack(n - 1)
	return a[n%7]
}
