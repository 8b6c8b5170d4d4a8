#include "textflag.h"
#include "funcdata.h"

// As on amd64, the trampolines are not NOSPLIT: goroutines that call kernels in a loop can be stopped at their stack
// checks. The locals of a frame begin at 8(RSP), above the saved link register: the memory for
// spills, of which translated code needs 4096 bytes and SpillBytes of package neon.

// func callCode(entry uintptr, args unsafe.Pointer)
TEXT ·callCode(SB), 0, $4736-16
	NO_LOCAL_POINTERS
	MOVD entry+0(FP), R9
	MOVD args+8(FP), R0
	MOVD $71(RSP), R1
	AND $~63, R1, R1
	CALL (R9)
	RET

// func callCodeFlushing(entry uintptr, args unsafe.Pointer)
TEXT ·callCodeFlushing(SB), 0, $4736-16
	NO_LOCAL_POINTERS
	MOVD entry+0(FP), R9
	MOVD args+8(FP), R0
	MOVD $71(RSP), R1
	AND $~63, R1, R1
	MOVD FPCR, R2
	MOVD R2, 4728(RSP)
	ORR $(1<<24 | 1<<19), R2, R2 // FZ, and FZ16
	MOVD R2, FPCR
	CALL (R9)
	MOVD 4728(RSP), R2
	MOVD R2, FPCR
	RET

// func floatMode() uint32
TEXT ·floatMode(SB), NOSPLIT, $0-4
	MOVD FPCR, R0
	MOVW R0, ret+0(FP)
	RET

// func setFloatMode(v uint32)
TEXT ·setFloatMode(SB), NOSPLIT, $0-4
	MOVWU v+0(FP), R0
	MOVD R0, FPCR
	RET

// func cleanData(at, end, line uintptr)
TEXT ·cleanData(SB), NOSPLIT, $0-24
	MOVD at+0(FP), R0
	MOVD end+8(FP), R1
	MOVD line+16(FP), R2
loop:
	WORD $0xd50b7b20 // dc cvau, x0
	ADD R2, R0, R0
	CMP R1, R0
	BLO loop
	DSB $0xb // ish
	RET

// func invalidateCode(at, end, line uintptr)
TEXT ·invalidateCode(SB), NOSPLIT, $0-24
	MOVD at+0(FP), R0
	MOVD end+8(FP), R1
	MOVD line+16(FP), R2
loop:
	WORD $0xd50b7520 // ic ivau, x0
	ADD R2, R0, R0
	CMP R1, R0
	BLO loop
	DSB $0xb // ish
	ISB $0xf
	RET
