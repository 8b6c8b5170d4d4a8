package amd64

import (
	"bytes"
	"flag"
	"fmt"
	"strings"
	"testing"

	"github.com/go-nx/nx/internal/cpu/asm/asmtest"
)

var (
	seed   = flag.Uint64("seed", 7, "of the instructions compared with the GNU assembler")
	perRow = flag.Int("per-row", 2, "how many instructions of each row and length are compared with the GNU assembler")
)

// assemble returns the GNU assembler's encoding of each line and skips the test if there is no assembler.
func assemble(t *testing.T, lines []string) [][]byte {
	t.Helper()
	return asmtest.Assemble(t, []string{"as", "--64"}, ".intel_syntax noprefix", lines)
}

// gnuText returns an instruction in the syntax of the GNU assembler.
func gnuText(in *Inst, size int) string {
	if n := in.NumArgs(); n == 1 && in.Args[0].Kind == ImmArg {
		if in.Args[0].Bytes == 4 {
			return fmt.Sprintf("{disp32} %s .%+d", in.Op, int(in.Args[0].Val)+size)
		}
		return fmt.Sprintf("%s .%+d", in.Op, int(in.Args[0].Val)+size)
	}
	if strings.HasPrefix(in.Op.String(), "vmov") {
		return "{load} " + in.String() // between registers the assembler may encode a store
	}
	return in.String()
}

// TestGNUAssembler compares instructions of every row and length, with random registers, memory operands, masks and
// roundings, byte for byte.
func TestGNUAssembler(t *testing.T) {
	all := samples(*seed, *perRow)
	seen := map[*form]bool{}
	lines := make([]string, len(all))
	ours := make([][]byte, len(all))
	for i := range all {
		b, err := all[i].Append(nil)
		if err != nil {
			t.Fatal(err)
		}
		f, _, _ := all[i].find()
		seen[f] = true
		ours[i], lines[i] = b, gnuText(&all[i], len(b))
	}
	for _, table := range tables {
		for i := range table {
			if !seen[&table[i]] {
				t.Errorf("%s: row %d of its table encodes no instruction: %+v", table[i].op, i, table[i])
			}
		}
	}
	var golden strings.Builder
	bad := 0
	for i, theirs := range assemble(t, lines) {
		if !bytes.Equal(ours[i], theirs) {
			if bad++; bad <= 40 {
				t.Errorf("%s:\ngot  % x\nwant % x", lines[i], ours[i], theirs)
			}
		}
		if i%*perRow == 0 {
			fmt.Fprintf(&golden, "%x %s\n", theirs, all[i])
		}
	}
	t.Logf("%d instructions of %d rows, %d differ", len(all), len(seen), bad)
	if bad == 0 {
		asmtest.Record(t, golden.String())
	}
}

// TestGolden decodes and encodes the GNU assembler's output, an instruction of every row and length.
func TestGolden(t *testing.T) {
	seen := map[*form]bool{}
	asmtest.Golden(t, func(code []byte) (string, []byte, error) {
		in, n, err := Decode(code)
		if err == nil && n != len(code) {
			err = fmt.Errorf("the instruction has %d bytes", n)
		}
		if err != nil {
			return "", nil, err
		}
		f, _, _ := in.find()
		seen[f] = true
		encoded, err := in.Append(nil)
		return in.String(), encoded, err
	})
	for _, table := range tables {
		for i := range table {
			if !seen[&table[i]] {
				t.Errorf("%s: row %d of its table is not in testdata/golden.txt; run with -update", table[i].op, i)
			}
		}
	}
}
