package rt

import (
	"math"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"time"
	"unsafe"

	. "github.com/go-nx/nx/internal/cpu/asm/arm64"
)

type assembler = Assembler

// keeper fills the vector registers and most general ones, waits for n trips, and counts those that have changed.
func keeper(n int64) func(a *Assembler) {
	return func(a *Assembler) {
		for i := range 32 {
			a.Emit(MOVI, V16B(i), Imm(int64(7*i+1)))
		}
		for i := 2; i < 27; i++ {
			if i != 18 {
				a.Emit(MOVZ, X(i), Imm(int64(1000+i)))
			}
		}
		a.Emit(MOVZ, X(27), Imm(n))
		top := a.NewLabel()
		a.Bind(top)
		a.Emit(SUBS, X(27), X(27), Imm(1))
		a.Emit(BNE, top)
		for i := 2; i < 27; i++ {
			if i != 18 {
				a.Emit(SUB, X(i), X(i), Imm(int64(1000+i)))
				a.Emit(ORR, X(27), X(27), X(i))
			}
		}
		for i := range 31 {
			a.Emit(MOVI, V16B(31), Imm(int64(7*i+1)))
			a.Emit(EOR, V16B(i), V16B(i), V16B(31))
			a.Emit(UMOV, X(2), Elem(ElemD, i, 0))
			a.Emit(ORR, X(27), X(27), X(2))
			a.Emit(UMOV, X(2), Elem(ElemD, i, 1))
			a.Emit(ORR, X(27), X(27), X(2))
		}
		a.Emit(STR, X(27), Mem(X(0), 0))
		a.Emit(RET, X(30))
	}
}

func TestCode(t *testing.T) {
	if err := CanRunCode(); err != nil {
		t.Fatal(err) // every processor of the architecture has Advanced SIMD
	}
	testArena(t, func(a *assembler, n int) {
		a.Emit(LDR, X(2), Mem(X(0), 0))
		a.Emit(ADD, X(2), X(2), Imm(int64(n)))
		a.Emit(STR, X(2), Mem(X(0), 0))
		a.Emit(RET, X(30))
		for range 25 {
			a.Emit(NOP)
		}
	})
}

// TestCodeFaults runs code that faults: each fault is a panic with its offset, and the goroutine continues unchanged.
func TestCodeFaults(t *testing.T) {
	for name, c := range map[string]struct {
		arg    uint64
		offset int
		write  func(a *Assembler)
	}{
		"nil": {0, 4, func(a *Assembler) {
			a.Emit(LDR, X(2), Mem(X(0), 0))
			a.Emit(LDR, X(2), Mem(X(2), 0))
		}},
		"an address without memory": {1 << 40, 8, func(a *Assembler) {
			a.Emit(LDR, X(2), Mem(X(0), 0))
			a.Emit(NOP)
			a.Emit(STR, Q(0), Mem(X(2), 0))
		}},
	} {
		t.Run(name, func(t *testing.T) {
			f := function(t, name, func(a *Assembler) {
				c.write(a)
				a.Emit(RET, X(30))
			})
			for _, call := range []func(unsafe.Pointer){f.Call, f.CallFlushing} {
				arg := c.arg
				fault := catch(func() { call(unsafe.Pointer(&arg)) })
				if fault == nil {
					t.Fatal("the code did not fault")
				}
				if fault.Name != name || fault.Offset != c.offset {
					t.Errorf("the fault is %v, want offset %#x", fault, c.offset)
				}
				if m := floatMode(); m != defaultFloatMode {
					t.Errorf("the mode of floats is %#x", m)
				}
			}
		})
	}
}

// TestFlushing: subnormal numbers are 0 in code that is called so, and the mode is the goroutine's own afterwards.
func TestFlushing(t *testing.T) {
	f := function(t, "double", func(a *Assembler) {
		a.Emit(LDR, S(0), Mem(X(0), 0))
		a.Emit(FADD, S(0), S(0), S(0))
		a.Emit(STR, S(0), Mem(X(0), 0))
		a.Emit(RET, X(30))
	})
	x := float32(math.SmallestNonzeroFloat32)
	f.Call(unsafe.Pointer(&x))
	if x != 2*math.SmallestNonzeroFloat32 {
		t.Errorf("twice the smallest number is %g", x)
	}
	f.CallFlushing(unsafe.Pointer(&x))
	if x != 0 || floatMode() != defaultFloatMode {
		t.Errorf("a flushed number is %g, the mode of floats %#x", x, floatMode())
	}
}

// TestRegistersAreKept runs code beside collections and stacks that grow: no signal changes its registers.
func TestRegistersAreKept(t *testing.T) {
	f := function(t, "keeper", keeper(20000))
	var stop atomic.Bool
	var calls atomic.Int64
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			for !stop.Load() {
				changed := deep(100, func() uint64 {
					var x uint64
					f.Call(unsafe.Pointer(&x))
					return x
				})
				if calls.Add(1); changed != 0 {
					t.Errorf("bits %#x of registers have changed", changed)
					return
				}
			}
		})
	}
	for end := time.Now().Add(500 * time.Millisecond); time.Now().Before(end) || calls.Load() < 8; {
		runtime.GC()
	}
	stop.Store(true)
	wg.Wait()
}

// deep calls f with a larger stack.
func deep(n int, f func() uint64) uint64 {
	var frame [256]byte
	if n == 0 {
		return f()
	}
	frame[n] = 1
	return deep(n-1, f) + uint64(frame[n-1])
}
