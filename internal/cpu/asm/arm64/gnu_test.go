package arm64

import (
	"bytes"
	"flag"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/go-nx/nx/internal/cpu/asm/asmtest"
)

var (
	seed    = flag.Uint64("seed", 7, "of the instructions compared with the GNU assembler")
	perForm = flag.Int("per-form", 2, "how many instructions of each form are compared with the GNU assembler")
)

// assemble returns the GNU assembler's encoding of each line and skips the test if there is no assembler.
func assemble(t *testing.T, lines []string) [][]byte {
	t.Helper()
	return asmtest.Assemble(t, []string{"aarch64-linux-gnu-as"}, ".arch armv8.6-a+fp16+bf16+i8mm", lines)
}

// gnuText returns an instruction in the syntax of the GNU assembler.
func gnuText(in Inst) string {
	if i := in.codeOperand(); i >= 0 {
		s := in.String()
		return s[:strings.LastIndexByte(s, '#')] + fmt.Sprintf(".%+d", in.Args[i].Val)
	}
	return in.String()
}

// TestGNUAssembler compares random instructions of every form byte for byte.
func TestGNUAssembler(t *testing.T) {
	all := Samples(rand.New(rand.NewPCG(*seed, 0)), *perForm)
	lines := make([]string, len(all))
	for i := range all {
		lines[i] = gnuText(all[i].Inst)
	}
	var golden strings.Builder
	bad := 0
	for i, theirs := range assemble(t, lines) {
		ours, err := all[i].Append(nil)
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(ours, theirs) {
			if bad++; bad <= 40 {
				t.Errorf("%s: % x, want % x", lines[i], ours, theirs)
			}
		}
		if i%*perForm == 0 {
			fmt.Fprintf(&golden, "%x %s\n", theirs, all[i])
		}
	}
	t.Logf("%d instructions of %d rows, %d differ", len(all), Rows(), bad)
	if bad == 0 {
		asmtest.Record(t, golden.String())
	}
}

// TestGolden decodes and encodes the GNU assembler's output, an instruction of every form.
func TestGolden(t *testing.T) {
	seen := map[*form]bool{}
	asmtest.Golden(t, func(code []byte) (string, []byte, error) {
		in, err := Decode(code)
		if err != nil {
			return "", nil, err
		}
		_, f, _ := in.word()
		seen[f] = true
		encoded, err := in.Append(nil)
		return in.String(), encoded, err
	})
	for _, f := range tableOnce().forms {
		if !seen[f] {
			t.Errorf("%s: a form with the bits %#x is not in testdata/golden.txt; run with -update", f.op, f.value)
		}
	}
}
