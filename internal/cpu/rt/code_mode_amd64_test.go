package rt

import (
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"time"
	"unsafe"

	. "github.com/go-nx/nx/internal/cpu/asm/amd64"
)

// TestFaultsKeepRounding lets code with another rounding mode fault repeatedly, while collections preempt the calling
// goroutine: no other goroutine may see that rounding mode.
func TestFaultsKeepRounding(t *testing.T) {
	needCode(t)
	f := function(t, "fault", func(a *Assembler) {
		a.Emit(MOV, Mem(RSI, 0).Sized(4), Imm(0x3f80)) // down
		a.Emit(LDMXCSR, Mem(RSI, 0))
		a.Emit(MOV, RAX, Mem(RDI, 0))
		a.Emit(MOV, RAX, Mem(RAX, 0))
		a.Emit(RET)
	})
	var stop atomic.Bool
	var found atomic.Uint32
	var wg sync.WaitGroup
	for range 2 * runtime.GOMAXPROCS(0) {
		wg.Go(func() {
			args := make([]uint64, 1)
			args[0] = 8 // no memory
			for !stop.Load() {
				if catch(func() { f.CallFlushing(unsafe.Pointer(&args[0])) }) == nil {
					t.Error("the code did not fault")
					return
				}
			}
		})
		wg.Go(func() {
			for !stop.Load() {
				if m := floatMode() &^ 0x3f; m != defaultFloatMode {
					found.Store(m)
				}
				runtime.Gosched()
			}
		})
	}
	for end := time.Now().Add(*soak); time.Now().Before(end) && found.Load() == 0; {
		runtime.GC()
	}
	stop.Store(true)
	wg.Wait()
	if m := found.Load(); m != 0 {
		t.Errorf("a goroutine that calls no code found mxcsr %#x", m)
	}
}
