// Package codetest has what the tests of machine code share: widths, the emulator, and numbers.
package codetest

import (
	"flag"
	"fmt"
	"sync/atomic"
	"unsafe"

	asm "github.com/go-nx/nx/internal/cpu/asm/amd64"
	"github.com/go-nx/nx/internal/cpu/asm/amd64/emulator"
	emulator64 "github.com/go-nx/nx/internal/cpu/asm/arm64/emulator"
	emulated "github.com/go-nx/nx/internal/cpu/asm/memory"
	"github.com/go-nx/nx/internal/cpu/codegen/amd64/target"
	"github.com/go-nx/nx/internal/cpu/codegen/neon"
)

// onlyNEON makes the tests that emulate code for AVX2 run its translation; otherwise every other call does.
var onlyNEON = flag.Bool("neon", false, "emulate code for AVX2 only in its translation to AArch64")

var emulatedCalls atomic.Int64

// EmulateCode runs code that can only access some memory and its spill slots. Operands may be the same memory. Code for
// AVX2 runs as it is, or translated to AArch64.
func EmulateCode(text []byte, args unsafe.Pointer, memory ...[]byte) error {
	const codeAt, spillAt, maxInstructions = 0x100_0000, 0x200_0000, 1 << 26
	n, isAVX2 := instructionsOf(text)
	if isAVX2 && (*onlyNEON || emulatedCalls.Add(1)%2 == 0) {
		code, _, err := neon.Translate(text, n)
		if err != nil {
			return fmt.Errorf("%w\n%s", err, asm.Listing(text, n))
		}
		var m emulator64.Machine
		mapAll(&m.Memory, memory)
		m.Map(codeAt, code, false)
		m.Map(spillAt, make([]byte, 4096+neon.SpillBytes), true)
		m.X[0], m.X[1] = uint64(uintptr(args)), spillAt
		return m.Call(codeAt, maxInstructions)
	}
	m := emulator.New()
	mapAll(&m.Memory, memory)
	m.Map(codeAt, text, false)
	m.Map(spillAt, make([]byte, 4096), true)
	m.GP[7], m.GP[6] = uint64(uintptr(args)), spillAt
	return m.Call(codeAt, maxInstructions)
}

// mapAll maps memory of this process at its addresses.
func mapAll(to *emulated.Memory, memory [][]byte) {
	mapped := map[*byte]bool{}
	for _, b := range memory {
		if len(b) > 0 && !mapped[&b[0]] {
			mapped[&b[0]] = true
			to.Map(uint64(uintptr(unsafe.Pointer(&b[0]))), b, true)
		}
	}
}

// instructionsOf returns the bytes of the instructions of code, as far as control can reach them, and whether all of
// them are of AVX2.
func instructionsOf(text []byte) (n int, isAVX2 bool) {
	isAVX2 = true
	reached := map[int]bool{}
	for todo := []int{0}; len(todo) > 0; {
		at := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		for !reached[at] {
			reached[at] = true
			in, size, err := asm.Decode(text[at:])
			if err != nil {
				panic(err)
			}
			if needs, _ := in.Needs(); needs&^target.V256.Needs() != 0 {
				isAVX2 = false
			}
			at += size
			n = max(n, at)
			if in.Op == asm.RET {
				break
			}
			if in.Op >= asm.JO && in.Op <= asm.JMP {
				todo = append(todo, at+int(in.Args[0].Val))
				if in.Op == asm.JMP {
					break
				}
			}
		}
	}
	return n, isAVX2
}
