package amd64_test

import (
	"flag"
	"fmt"
	"strings"
	"sync/atomic"
	"testing"
	"unsafe"

	asm "github.com/go-nx/nx/internal/cpu/asm/amd64"
	"github.com/go-nx/nx/internal/cpu/asm/amd64/emulator"
	emulator64 "github.com/go-nx/nx/internal/cpu/asm/arm64/emulator"
	emulated "github.com/go-nx/nx/internal/cpu/asm/memory"
	"github.com/go-nx/nx/internal/cpu/codegen/amd64"
	"github.com/go-nx/nx/internal/cpu/codegen/neon"
)

// What the tests of all steps of library algorithms share.

var allWidths = []amd64.Width{amd64.V256, amd64.V512}

// TestStepCode assembles all code of the steps, and checks that the width supports each instruction.
func TestStepCode(t *testing.T) {
	for _, c := range []struct {
		name  string
		codes func(w amd64.Width) (map[string][]byte, error)
		count map[amd64.Width]int
	}{
		{"gemm", amd64.GemmCodes, map[amd64.Width]int{amd64.V256: 279, amd64.V512: 695}},
		{"scan", amd64.ScanCodes, map[amd64.Width]int{amd64.V256: 133, amd64.V512: 245}},
		{"combine", amd64.CombineCodes, map[amd64.Width]int{amd64.V256: 688, amd64.V512: 1436}},
		{"fourier", amd64.FourierCodes, map[amd64.Width]int{amd64.V256: 26, amd64.V512: 39}},
		{"sort", func(amd64.Width) (map[string][]byte, error) { return amd64.SortCodes() },
			map[amd64.Width]int{amd64.V256: 10}},
	} {
		for w, count := range c.count {
			t.Run(c.name+" "+w.String(), func(t *testing.T) {
				codes, err := c.codes(w)
				if err != nil {
					t.Fatal(err)
				}
				if len(codes) != count {
					t.Errorf("%d codes, want %d", len(codes), count)
				}
				for name, code := range codes {
					checkFeatures(t, w, name, code)
				}
			})
		}
	}
}

// checkFeatures checks that the width supports each instruction of code.
func checkFeatures(t *testing.T, w amd64.Width, name string, code []byte) {
	t.Helper()
	may := w.Needs()
	switch {
	case strings.Contains(name, "tdpbf16ps"):
		may |= asm.AMXTILE | asm.AMXBF16
	case strings.Contains(name, "tdpb"):
		may |= asm.AMXTILE | asm.AMXINT8
	case strings.Contains(name, "vpdpbusd"):
		may |= asm.AVX512VNNI
	case strings.Contains(name, "bf16"):
		may |= asm.AVX512BF16
	}
	for len(code) > 0 {
		in, n, err := asm.Decode(code)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if needs, _ := in.Needs(); needs&^may != 0 {
			t.Errorf("%s: %s needs %s", name, in, needs)
		}
		code = code[n:]
	}
}

// onWidths returns the tests of steps: of each width in the emulator, and of each that the processor supports.
func onWidths[T any](t *testing.T, emulated, processor func(w amd64.Width) T) map[string]T {
	out := map[string]T{}
	for _, w := range allWidths {
		out["emulated "+w.String()] = emulated(w)
	}
	for _, w := range widths(t) {
		out[w.String()] = processor(w)
	}
	return out
}

// onlyNEON makes the tests that emulate code for AVX2 run its translation; otherwise every other call does.
var onlyNEON = flag.Bool("neon", false, "emulate code for AVX2 only in its translation to AArch64")

var emulatedCalls atomic.Int64

// emulateCode runs code that can only access some memory and its spill slots. Operands may be the same memory. Code for
// AVX2 runs as it is, or translated to AArch64.
func emulateCode(text []byte, args unsafe.Pointer, memory ...[]byte) error {
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
			if needs, _ := in.Needs(); needs&^amd64.V256.Needs() != 0 {
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
