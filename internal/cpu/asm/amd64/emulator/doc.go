// Package emulator executes the instructions of package amd64 on emulated registers and a checked memory, on any
// machine, at a few million instructions a second. It is for tests of generated code.
//
// It supports exactly the table of package amd64. Reads of undefined flags, accesses to unmapped memory, and misaligned
// accesses of instructions that require alignment are errors. MXCSR controls rounding and flushing; its exception flags
// are not modelled, and only integer divisions raise exceptions.
//
// The processor is the oracle: tests run each form on both and compare all registers, if the machine supports the form,
// and list the others.
package emulator
