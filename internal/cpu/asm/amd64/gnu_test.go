package amd64

import (
	"bufio"
	"bytes"
	"debug/elf"
	"encoding/hex"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"sort"
	"strings"
	"testing"

	"github.com/go-nx/nx/internal/testkit"
)

var (
	seed   = flag.Uint64("seed", 7, "of the instructions compared with the GNU assembler")
	perRow = flag.Int("per-row", 2, "how many instructions of each row and length are compared with the GNU assembler")
)

// assemble returns the GNU assembler's encoding of each line and skips the test if there is no assembler.
func assemble(t *testing.T, lines []string) [][]byte {
	t.Helper()
	as, err := exec.LookPath("as")
	if err != nil {
		t.Skip("no GNU assembler (as); TestGolden compares with its recorded output")
	}
	if out, err := exec.Command(as, "--version").Output(); err != nil || !bytes.Contains(out, []byte("GNU assembler")) {
		t.Skipf("%s is not the GNU assembler; TestGolden compares with its recorded output", as)
	}
	var text strings.Builder
	text.WriteString(".intel_syntax noprefix\n.text\n")
	for i, l := range lines {
		fmt.Fprintf(&text, "i%d: %s\n", i, l)
	}
	fmt.Fprintf(&text, "i%d:\n", len(lines))
	dir := t.TempDir()
	in, out := filepath.Join(dir, "a.s"), filepath.Join(dir, "a.o")
	if err := os.WriteFile(in, []byte(text.String()), 0o666); err != nil {
		t.Fatal(err)
	}
	if msg, err := exec.Command(as, "--64", "-o", out, in).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, msg)
	}
	file, err := elf.Open(out)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	code, err := file.Section(".text").Data()
	if err != nil {
		t.Fatal(err)
	}
	symbols, err := file.Symbols()
	if err != nil {
		t.Fatal(err)
	}
	at := make([]int, 0, len(lines)+1)
	for _, s := range symbols {
		if strings.HasPrefix(s.Name, "i") {
			at = append(at, int(s.Value))
		}
	}
	sort.Ints(at)
	if len(at) != len(lines)+1 {
		t.Fatalf("%d symbols for %d lines", len(at), len(lines))
	}
	all := make([][]byte, len(lines))
	for i := range lines {
		all[i] = code[at[i]:at[i+1]]
	}
	return all
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
	if testkit.Update() && bad == 0 {
		if err := os.WriteFile("testdata/golden.txt", []byte(golden.String()), 0o666); err != nil {
			t.Fatal(err)
		}
	}
}

// TestGolden decodes and encodes the GNU assembler's output, an instruction of every row and length.
func TestGolden(t *testing.T) {
	file, err := os.Open("testdata/golden.txt")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	seen := map[*form]bool{}
	for s := bufio.NewScanner(file); s.Scan(); {
		digits, text, _ := strings.Cut(s.Text(), " ")
		code, err := hex.DecodeString(digits)
		if err != nil {
			t.Fatal(err)
		}
		in, n, err := Decode(code)
		if err != nil || n != len(code) || in.String() != text {
			t.Errorf("%x is %s; decoded as %s (%d bytes), error %v", code, text, in, n, err)
			continue
		}
		encoded, err := in.Append(nil)
		if err != nil || !bytes.Equal(encoded, code) {
			t.Errorf("%s: %x, error %v; want %x", text, encoded, err, code)
		}
		f, _, _ := in.find()
		seen[f] = true
	}
	for _, table := range tables {
		for i := range table {
			if !seen[&table[i]] {
				t.Errorf("%s: row %d of its table is not in testdata/golden.txt; run with -update", table[i].op, i)
			}
		}
	}
}
