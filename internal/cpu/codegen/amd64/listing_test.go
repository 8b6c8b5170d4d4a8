package amd64_test

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	asm "github.com/go-nx/nx/internal/cpu/asm/amd64"
	"github.com/go-nx/nx/internal/cpu/codegen/amd64"
	"github.com/go-nx/nx/internal/cpu/codegen/amd64/target"
	"github.com/go-nx/nx/internal/cpu/kernel"
	"github.com/go-nx/nx/internal/cpu/plan"
	"github.com/go-nx/nx/internal/testkit"
)

// TestListings compares the machine code of kernels, of both widths, with the files of testdata/listings, each about
// one subject. A change of instruction selection, registers or loops shows there; -update writes the files.
//
// "// streams" in the text of a kernel asks for the code with non-temporal stores, "// in a loop" for the scalar code
// of a loop that runs the kernel once.
func TestListings(t *testing.T) {
	defer amd64.SetSlowDivide(amd64.SetSlowDivide(false)) // the only property of the processor that code depends on
	files, err := filepath.Glob("testdata/listings/*.txt")
	if err != nil || len(files) == 0 {
		t.Fatalf("%d files, %v", len(files), err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txt"), func(t *testing.T) {
			testkit.Golden(t, file, func(t *testing.T, _, in string) string {
				k, err := kernel.Parse(in)
				if err == nil {
					err = k.Verify()
				}
				if err != nil {
					t.Fatal(err)
				}
				p := plan.Of(k)
				if strings.Contains(in, "// streams\n") {
					p = p.Streaming([]int{k.Stores[0].At.Param})
				}
				list := func(w target.Width) string { return listing(t, w, k, p) }
				if strings.Contains(in, "// in a loop\n") {
					list = func(w target.Width) string { return loopListing(t, w, k) }
				}
				return list(target.V256) + list(target.V512)
			})
		})
	}
}

// listing returns the code of a kernel as text, after lines for its calling convention.
func listing(t *testing.T, w target.Width, k *kernel.Kernel, p *plan.Plan) string {
	t.Helper()
	f, p, err := amd64.AssembleChosen(w, k, p)
	if errors.Is(err, target.ErrUnsupported) {
		return fmt.Sprintf("%s: %v\n", w, err)
	}
	if err != nil {
		t.Fatalf("%s: %v", w, err)
	}
	return fmt.Sprintf("%s: %s\n%s", w, amd64.Convention(f, p), source(t, f.Text, f.InstructionBytes, amd64.ArgName))
}

// loopListing returns the scalar code of a loop that runs a kernel once on values in its file.
func loopListing(t *testing.T, w target.Width, k *kernel.Kernel) string {
	t.Helper()
	buffers, inFile := make([]int, len(k.Params)), make([]bool, len(k.Params))
	for i := range buffers {
		buffers[i], inFile[i] = i, true
	}
	c, err := oneTrip(amd64.Generator{Generator: fallbackTier, Width: w}, k, buffers, inFile)
	if err != nil {
		t.Fatal(err)
	}
	text, instructionBytes, err := amd64.ScalarText(c)
	if err != nil {
		t.Fatalf("%s: %v", w, err)
	}
	return fmt.Sprintf("%s: scalar\n%s", w, source(t, text, instructionBytes, nil))
}

// sourceLine is an instruction with its position, and that of its label or constant, -1 if it has none.
type sourceLine struct {
	in         asm.Inst
	at, target int
}

// source returns code as text in which a change of one instruction is a change of one line: jumps have labels,
// arguments the names that argName returns (nil: they have none), short constants are in their instructions. No-op
// instructions are "align", offsets and bytes are left out.
func source(t *testing.T, code []byte, instructionBytes int, argName func(offset int) string) string {
	t.Helper()
	var lines []sourceLine
	labels, constants := map[int]string{}, map[int]bool{}
	for at := 0; at < instructionBytes; {
		in, n, err := asm.Decode(code[at:instructionBytes])
		if err != nil {
			t.Fatalf("%v\n%s", err, asm.Listing(code, instructionBytes))
		}
		l := sourceLine{in, at, -1}
		at += n
		for _, a := range in.Args {
			switch {
			case a.Kind == asm.MemArg && a.Reg == asm.RIP:
				l.target = at + int(a.Val)
				constants[l.target] = true
			case isJump(&in) && a.Kind == asm.ImmArg:
				if l.target = at + int(a.Val); l.target > l.at {
					labels[l.target] = "L"
				} else if labels[l.target] == "" {
					labels[l.target] = "loop"
				}
			}
		}
		lines = append(lines, l)
	}
	for n, at := range sortedKeys(labels) {
		labels[at] += fmt.Sprint(n + 1)
	}
	var table strings.Builder
	pool, n := append(sortedKeys(constants), len(code)), 0
	for i, at := range pool[:len(pool)-1] {
		switch text := words(code[at:pool[i+1]]); {
		case strings.Contains(text, " "):
			n++
			labels[at] = fmt.Sprintf("C%d", n)
			fmt.Fprintf(&table, "%s: %s\n", labels[at], text)
		default:
			labels[at] = text
		}
	}
	var out strings.Builder
	for i, l := range lines {
		if label := labels[l.at]; label != "" {
			out.WriteString(label + ":\n")
		}
		text := l.in.String()
		switch {
		case l.in.Op == asm.NOP && i > 0 && lines[i-1].in.Op == asm.NOP:
			continue
		case l.in.Op == asm.NOP:
			text = "align"
		case isJump(&l.in) && l.target >= 0:
			text = l.in.Op.String() + " " + labels[l.target]
		}
		for _, a := range l.in.Args {
			if a.Kind != asm.MemArg || l.in.Op == asm.NOP {
				continue
			}
			from, to := strings.IndexByte(text, '['), strings.IndexByte(text, ']')
			switch {
			case a.Reg == asm.RIP:
				text = text[:from+1] + labels[l.target] + text[to:]
			case a.Reg == asm.RDI && a.Index == 0 && argName != nil:
				text = text[:from+1] + argName(int(a.Val)) + text[to:]
			}
			if hasRegisterOf(&l.in, int(a.Bytes)) {
				size := strings.LastIndexByte(strings.TrimSuffix(text[:from], " ptr "), ' ')
				text = text[:size+1] + text[from:]
			}
		}
		out.WriteString("  " + text + "\n")
	}
	return out.String() + table.String()
}

// isJump reports whether the immediate of an instruction is the offset of a jump.
func isJump(in *asm.Inst) bool { return strings.HasPrefix(in.Op.String(), "j") }

// hasRegisterOf reports whether a register of an instruction shows the size of its memory operand.
func hasRegisterOf(in *asm.Inst, bytes int) bool {
	return slices.ContainsFunc(in.Args[:], func(a asm.Arg) bool {
		return a.Kind == asm.RegArg && a.Reg.Class() != asm.Mask && a.Reg.Class().Bytes() == bytes
	})
}

func sortedKeys[V any](m map[int]V) []int {
	keys := make([]int, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}

// words lists data, without the zeros at its end, as numbers of 8 bytes in hexadecimal; equal ones in a row as one with
// their count.
func words(data []byte) string {
	data = []byte(strings.TrimRight(string(data), "\x00"))
	var list []string
	count := 0
	for i := 0; i == 0 || i < len(data); i += 8 {
		var v uint64
		for j, b := range data[i:min(i+8, len(data))] {
			v |= uint64(b) << (8 * j)
		}
		word := fmt.Sprintf("%#x", v)
		if count++; len(list) > 0 && strings.TrimSuffix(list[len(list)-1], fmt.Sprintf("×%d", count-1)) == word {
			list[len(list)-1] = fmt.Sprintf("%s×%d", word, count)
			continue
		}
		list, count = append(list, word), 1
	}
	return strings.Join(list, " ")
}
