// Package asmtest compares assemblers with that of GNU, in tests.
package asmtest

import (
	"bufio"
	"bytes"
	"debug/elf"
	"encoding/hex"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"sort"
	"strings"
	"testing"

	"github.com/go-nx/nx/internal/testkit"
)

// golden is the recorded output of the GNU assembler.
const golden = "testdata/golden.txt"

// Assemble returns the encoding of each line by the GNU assembler that command names, with its arguments; header comes
// before the lines. It skips the test if there is no such assembler.
func Assemble(t *testing.T, command []string, header string, lines []string) [][]byte {
	t.Helper()
	as, err := exec.LookPath(command[0])
	if err != nil {
		t.Skipf("no GNU assembler (%s); TestGolden compares with its recorded output", command[0])
	}
	if out, err := exec.Command(as, "--version").Output(); err != nil || !bytes.Contains(out, []byte("GNU assembler")) {
		t.Skipf("%s is not the GNU assembler; TestGolden compares with its recorded output", as)
	}
	var text strings.Builder
	text.WriteString(header + "\n.text\n")
	for i, l := range lines {
		fmt.Fprintf(&text, "i%d: %s\n", i, l)
	}
	fmt.Fprintf(&text, "i%d:\n", len(lines))
	dir := t.TempDir()
	in, out := filepath.Join(dir, "a.s"), filepath.Join(dir, "a.o")
	if err := os.WriteFile(in, []byte(text.String()), 0o666); err != nil {
		t.Fatal(err)
	}
	args := append(command[1:len(command):len(command)], "-o", out, in)
	if msg, err := exec.Command(as, args...).CombinedOutput(); err != nil {
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

// Record writes the golden file, under -update: each encoding with the instruction's text.
func Record(t *testing.T, text string) {
	t.Helper()
	if !testkit.Update() {
		return
	}
	if err := os.WriteFile(golden, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
}

// Golden calls roundTrip for each line of the golden file, which returns what the code is decoded to, and encoded to
// again; both must be those of the file.
func Golden(t *testing.T, roundTrip func(code []byte) (text string, encoded []byte, err error)) {
	t.Helper()
	file, err := os.Open(golden)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	s := bufio.NewScanner(file)
	for s.Scan() {
		digits, want, _ := strings.Cut(s.Text(), " ")
		code, err := hex.DecodeString(digits)
		if err != nil {
			t.Fatal(err)
		}
		text, encoded, err := roundTrip(code)
		if err != nil || text != want || !bytes.Equal(encoded, code) {
			t.Errorf("%x is %s; decoded as %s, encoded as %x, error %v", code, want, text, encoded, err)
		}
	}
	if err := s.Err(); err != nil {
		t.Fatal(err)
	}
}
