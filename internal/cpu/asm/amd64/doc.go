// Package amd64 encodes and decodes the instructions of amd64 that the compiler's code
// is made of: those on general registers that loops need, and AVX, AVX2, FMA, F16C, BMI,
// AVX-512 with BF16, FP16 and VNNI, and AMX on vectors.
//
// It is one table, a row a form of an instruction ([Op]): what stands before the opcode,
// the opcode, and what each operand may be and where it is put. [Inst.Append] looks for the
// first row that takes the operands of an [Inst], [Decode] for the row that a byte string is
// of; what one cannot write the other does not read. Operands stand in the order of the
// vendors' manuals, the destination first.
//
//	var a amd64.Assembler
//	loop := a.NewLabel()
//	a.Bind(loop)
//	a.Emit(amd64.VMOVUPS, amd64.Z(0), amd64.Mem(amd64.RDI, 0))
//	a.Masked(amd64.K(1), true, amd64.VADDPS, amd64.Z(0), amd64.Z(0), a.Const(amd64.Float32(1)).Broadcast(4))
//	a.Emit(amd64.DEC, amd64.RCX)
//	a.Emit(amd64.JNE, loop)
//	code, err := a.Finish()
//
// Rows are compared byte by byte with what the GNU assembler makes of the instruction's
// text ([Inst.String]). Package emulator beside this one says what each instruction does.
//
// Source: Intel 64 and IA-32 Architectures Software Developer's Manual, volume 2; the rows
// of AVX512-FP16: its architecture specification; of AMX: volume 1, chapter 18.
package amd64
