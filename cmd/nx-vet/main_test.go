package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestVet builds the commands and runs go vet with nx-vet, as users do.
func TestVet(t *testing.T) {
	if testing.Short() {
		t.Skip("builds the commands")
	}
	dir := t.TempDir()
	if out, err := exec.Command("go", "build", "-o", dir, ".", "../nx").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	bin := filepath.Join(dir, "nx-vet")
	out, err := exec.Command(bin, "-version").Output()
	if err != nil || !strings.HasPrefix(string(out), "nx-vet version ") {
		t.Errorf("%q, %v", out, err)
	}
	for _, args := range [][]string{{bin}, {filepath.Join(dir, "nx"), "vet"}, {"go", "vet", "-vettool=" + bin}} {
		for pattern, want := range map[string]string{
			"../../vet/testdata/src/division": "1 / 2 divides integers",
			"../../vet/testdata/src/loop":     "nx.Jit in a loop",
			"../../vet/testdata/src/bound":    "compile Model.Apply",
			"../../vet/testdata/src/captured": "must not write to the outer kept",
			"../../random":                    "",
		} {
			out, err := exec.Command(args[0], append(args[1:len(args):len(args)], pattern)...).CombinedOutput()
			if (err != nil) != (want != "") || !strings.Contains(string(out), want) {
				t.Errorf("%v %s: %v\n%s", args, pattern, err, out)
			}
		}
	}
}

// Without a go command the status reports it.
func TestVetNeedsGo(t *testing.T) {
	t.Setenv("PATH", os.DevNull)
	if code := run([]string{"./..."}); code != 2 {
		t.Errorf("status %d", code)
	}
}

// What users type is not a call of go vet.
func TestToolCalls(t *testing.T) {
	for _, args := range [][]string{nil, {"run", "x.cfg"}, {"--help"}, {"./..."}, {"-V"}} {
		if isToolCall(args) {
			t.Errorf("%q is taken for a call of the tool", args)
		}
	}
	for _, args := range [][]string{{"-V=full"}, {"-flags"}, {"-json", "/tmp/vet.cfg"}} {
		if !isToolCall(args) {
			t.Errorf("%q is not taken for a call of the tool", args)
		}
	}
}
