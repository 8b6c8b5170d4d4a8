// Package arm64 encodes and decodes the instructions of AArch64 that generated code uses: those of general registers,
// scalar floats, and Advanced SIMD (NEON) with half precision, dot products, bfloat16 and int8 matrix products.
//
// The encodings are one table, with a row per form of an instruction: its operands, and the diagram of its bits as the
// manual draws it. [Inst.Append] searches the first row that accepts the operands of an [Inst], [Decode] the row that a
// word belongs to; each accepts exactly what the other produces. Operands are in the order of the manual, the
// destination first.
//
//	var a arm64.Assembler
//	loop := a.NewLabel()
//	a.Bind(loop)
//	a.Emit(arm64.LDR, arm64.Q(0), arm64.Post(arm64.X(1), 16))
//	a.Emit(arm64.FADD, arm64.V4S(0), arm64.V4S(0), arm64.V4S(1))
//	a.Emit(arm64.SUBS, arm64.X(2), arm64.X(2), arm64.Imm(1))
//	a.Emit(arm64.BNE, loop)
//	code, err := a.Finish()
//
// Tests compare the rows byte by byte with the output of the GNU assembler for the instruction's text ([Inst.String]).
//
// Source: Arm Architecture Reference Manual for A-profile architecture (DDI 0487), chapter C4, C6 and C7.
package arm64
