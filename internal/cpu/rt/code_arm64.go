package rt

import (
	"unsafe"

	"github.com/go-nx/nx/internal/cpu/asm/arm64"
)

// cleanData writes the data cache back, from at up to end, to where instructions are fetched from; invalidateCode
// drops these lines from the instruction caches. Both step by line bytes.
func cleanData(at, end, line uintptr)
func invalidateCode(at, end, line uintptr)

const (
	defaultFloatMode = 0 // FPCR of Go code: no traps, round to nearest even
	floatFlags       = 0 // they are in FPSR
)

// cacheLine is at most the size of a line of the caches of data and of instructions. Cores with lines of less than 64
// bytes are not known for Armv8-A; a register has the size, but not every system lets programs read it.
const cacheLine = 64

// syncCode makes the processor see instructions that were written through rw and are run through rx.
//
// Source: Arm Architecture Reference Manual (DDI 0487), section B2.7.4, the sequence for instructions and data that are
// not coherent. Other threads come to the code by a system call or an exception return, which synchronise them.
func syncCode(rw, rx []byte) {
	for _, c := range []struct {
		code []byte
		sync func(at, end, line uintptr)
	}{{rw, cleanData}, {rx, invalidateCode}} {
		at := uintptr(unsafe.Pointer(unsafe.SliceData(c.code)))
		c.sync(at&^(cacheLine-1), at+uintptr(len(c.code)), cacheLine)
	}
}

// testCode runs generated code by both trampolines and checks its results.
func testCode() error {
	var a arm64.Assembler
	half := []byte{0, 0, 0, 0, 0, 0, 0xe0, 0x3f}
	a.Emit(arm64.LDR, arm64.D(0), arm64.Mem(arm64.X(0), 0))
	a.Emit(arm64.LDR, arm64.D(1), a.Const(half))
	a.Emit(arm64.FMUL, arm64.D(0), arm64.D(0), arm64.D(1))
	a.Emit(arm64.STR, arm64.D(0), arm64.Mem(arm64.X(1), 0))
	a.Emit(arm64.LDR, arm64.X(2), arm64.Mem(arm64.X(1), 0))
	a.Emit(arm64.STR, arm64.X(2), arm64.Mem(arm64.X(0), 8))
	a.Emit(arm64.STR, arm64.X(1), arm64.Mem(arm64.X(0), 16))
	a.Emit(arm64.RET, arm64.X(30))
	code, err := a.Finish()
	if err != nil {
		return err
	}
	return checkTrampolines(code, a.Len())
}
