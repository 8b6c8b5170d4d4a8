package arm64

import (
	"bufio"
	"bytes"
	"debug/elf"
	"encoding/hex"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/go-nx/nx/internal/testkit"
)

var (
	seed    = flag.Uint64("seed", 7, "of the instructions compared with the GNU assembler")
	perForm = flag.Int("per-form", 2, "how many instructions of each form are compared with the GNU assembler")
)

// assemble returns the GNU assembler's encoding of each line and skips the test if there is no assembler.
func assemble(t *testing.T, lines []string) [][]byte {
	t.Helper()
	as, err := exec.LookPath("aarch64-linux-gnu-as")
	if err != nil {
		t.Skip("no GNU assembler for AArch64 (aarch64-linux-gnu-as); TestGolden compares with its recorded output")
	}
	dir := t.TempDir()
	in, out := filepath.Join(dir, "a.s"), filepath.Join(dir, "a.o")
	text := ".arch armv8.6-a+fp16+bf16+i8mm\n.text\n" + strings.Join(lines, "\n") + "\n"
	if err := os.WriteFile(in, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	if msg, err := exec.Command(as, "-o", out, in).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%.4000s", err, msg)
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
	if len(code) != 4*len(lines) {
		t.Fatalf("%d bytes for %d lines", len(code), len(lines))
	}
	all := make([][]byte, len(lines))
	for i := range lines {
		all[i] = code[4*i : 4*i+4]
	}
	return all
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
	if testkit.Update() && bad == 0 {
		if err := os.WriteFile("testdata/golden.txt", []byte(golden.String()), 0o666); err != nil {
			t.Fatal(err)
		}
	}
}

// TestGolden decodes and encodes the GNU assembler's output, an instruction of every form.
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
		in, err := Decode(code)
		if err != nil || in.String() != text {
			t.Errorf("%x is %s; decoded as %s, error %v", code, text, in, err)
			continue
		}
		encoded, err := in.Append(nil)
		if err != nil || !bytes.Equal(encoded, code) {
			t.Errorf("%s: %x, error %v; want %x", text, encoded, err, code)
		}
		_, f, _ := in.word()
		seen[f] = true
	}
	for _, f := range tableOnce().forms {
		if !seen[f] {
			t.Errorf("%s: a form with the bits %#x is not in testdata/golden.txt; run with -update", f.op, f.value)
		}
	}
}
