#include "textflag.h"
#include "funcdata.h"

// The trampolines are not NOSPLIT: their stack checks are the places at which a goroutine
// that calls kernels in a loop can be stopped. They do not write SP (a fault below could not
// become a panic then): the aligned memory for spills is inside their frames.

// func callCode(entry uintptr, args unsafe.Pointer)
TEXT ·callCode(SB), 0, $4224-16
	NO_LOCAL_POINTERS
	MOVQ entry+0(FP), AX
	MOVQ args+8(FP), DI
	LEAQ 63(SP), SI
	ANDQ $~63, SI
	CALL AX
	VZEROUPPER
	RET

// func callCodeFlushing(entry uintptr, args unsafe.Pointer)
TEXT ·callCodeFlushing(SB), 0, $4224-16
	NO_LOCAL_POINTERS
	MOVQ entry+0(FP), AX
	MOVQ args+8(FP), DI
	LEAQ 63(SP), SI
	ANDQ $~63, SI
	STMXCSR 4208(SP)
	MOVL $0x9fc0, 4212(SP) // the default, and FTZ, and DAZ
	LDMXCSR 4212(SP)
	CALL AX
	LDMXCSR 4208(SP)
	VZEROUPPER
	RET

// func floatMode() uint32
TEXT ·floatMode(SB), NOSPLIT, $8-4
	STMXCSR 0(SP)
	MOVL 0(SP), AX
	MOVL AX, ret+0(FP)
	RET

// func setFloatMode(v uint32)
TEXT ·setFloatMode(SB), NOSPLIT, $8-4
	MOVL v+0(FP), AX
	MOVL AX, 0(SP)
	LDMXCSR 0(SP)
	RET

// func cpuid(leaf, sub uint32) (eax, ebx, ecx, edx uint32)
TEXT ·cpuid(SB), NOSPLIT, $0-24
	MOVL leaf+0(FP), AX
	MOVL sub+4(FP), CX
	CPUID
	MOVL AX, eax+8(FP)
	MOVL BX, ebx+12(FP)
	MOVL CX, ecx+16(FP)
	MOVL DX, edx+20(FP)
	RET

// func xgetbv() uint32
TEXT ·xgetbv(SB), NOSPLIT, $0-4
	XORL CX, CX
	XGETBV
	MOVL AX, ret+0(FP)
	RET
