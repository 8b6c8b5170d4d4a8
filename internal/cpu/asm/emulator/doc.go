// Package emulator says what the instructions of package amd64 do, and does it: code is run
// on registers and a checked memory, on any machine, a few million instructions a second at
// best. It is for tests of generated code.
//
// What it knows is exactly the table of package amd64. Reads of flags that an instruction
// has left undefined, accesses outside of mapped memory, and addresses that are not aligned
// where they have to be, are errors. MXCSR rounds and flushes; its exception flags are not
// kept, and no exception is ever raised but for divisions of integers.
//
// Its truth is the processor: tests run each form on both and compare all registers, where
// the machine at hand has the form, and list the others.
package emulator
