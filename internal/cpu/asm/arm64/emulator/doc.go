// Package emulator executes the instructions of package arm64 on emulated registers and a checked memory, on any
// machine, at a few million instructions a second. It is for tests of generated code.
//
// It supports exactly the table of package arm64. Accesses to unmapped memory are errors. FPCR controls rounding and
// flushing; the exception flags of FPSR are not modelled.
//
// The oracle is the processor, or qemu in its place: tests run each form on both and compare all registers.
//
// Source: Arm Architecture Reference Manual for A-profile architecture (DDI 0487), the pseudocode of chapters C6, C7
// and J1.
package emulator
