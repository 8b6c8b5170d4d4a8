package rt

import (
	"fmt"

	"github.com/go-nx/nx/internal/cpu/asm/amd64"
)

const (
	defaultFloatMode = 0x1f80 // MXCSR of Go code: all exceptions masked, round to nearest even
	floatFlags       = 0x3f   // of exceptions
)

// testCode runs generated code by both trampolines and checks its results.
func testCode() error {
	if executor != nil && executor.Translator != nil {
		return nil // it has tests of its own
	}
	if need := amd64.AVX | amd64.AVX2; HostFeatures()&need != need {
		return fmt.Errorf("the processor or the system does not support %s", need&^HostFeatures())
	}
	var a amd64.Assembler
	a.Emit(amd64.VMOVSD, amd64.X(0), amd64.Mem(amd64.RDI, 0))
	a.Emit(amd64.VMULSD, amd64.X(0), amd64.X(0), a.Const(amd64.Float64(0.5)))
	a.Emit(amd64.VMOVSD, amd64.Mem(amd64.RSI, 0), amd64.X(0))
	a.Emit(amd64.MOV, amd64.RAX, amd64.Mem(amd64.RSI, 0))
	a.Emit(amd64.MOV, amd64.Mem(amd64.RDI, 8), amd64.RAX)
	a.Emit(amd64.MOV, amd64.Mem(amd64.RDI, 16), amd64.RSI)
	a.Emit(amd64.RET)
	code, err := a.Finish()
	if err != nil {
		return err
	}
	return checkTrampolines(code, a.Len())
}

// syncCode does nothing: the processor sees the instructions that were written.
func syncCode(_, _ []byte) {}
