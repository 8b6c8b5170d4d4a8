// Package amd64 encodes and decodes the amd64 instructions of generated code: the general-register instructions of
// loops, and AVX, AVX2, FMA, F16C, BMI2, AVX-512 with BF16, FP16 conversions and VNNI, and AMX. It has those that are
// used, and about a tenth more, which complete families; docs/howto/add-a-machine-instruction.md says how to add one.
//
// The encodings are one table, with a row per form of an instruction ([Op]): the prefixes, the opcode, and the kinds of
// operands and their encoding. [Inst.Append] searches the first row that accepts the operands of an [Inst], [Decode]
// the row that a byte string belongs to; each accepts exactly what the other produces. Operands are in the order of the
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
// Tests compare rows byte by byte with the output of the GNU assembler for the instruction's text ([Inst.String]).
// Package emulator executes each instruction.
//
// Source: Intel 64 and IA-32 Architectures Software Developer's Manual, volume 2; the rows of AVX512-FP16: its
// architecture specification; of AMX: volume 1, chapter 18.
package amd64
