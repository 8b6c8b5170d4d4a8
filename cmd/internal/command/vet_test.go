package command

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestVet builds the command and lets go vet use it, as users do.
func TestVet(t *testing.T) {
	if testing.Short() {
		t.Skip("builds the command")
	}
	bin := filepath.Join(t.TempDir(), "nx")
	if out, err := exec.Command("go", "build", "-o", bin, "../../nx").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	for _, args := range [][]string{{bin, "vet"}, {"go", "vet", "-vettool=" + bin}} {
		for pattern, want := range map[string]string{
			"../../../vet/testdata/src/division": "1 / 2 divides integers",
			"../../../vet/testdata/src/loop":     "nx.Jit in a loop",
			"../../../vet/testdata/src/bound":    "compile Model.Apply",
			"../../../vet/testdata/src/captured": "writes to kept from outside",
			"../../../random":                    "",
		} {
			out, err := exec.Command(args[0], append(args[1:len(args):len(args)], pattern)...).CombinedOutput()
			if (err != nil) != (want != "") || !strings.Contains(string(out), want) {
				t.Errorf("%v %s: %v\n%s", args, pattern, err, out)
			}
		}
	}
}

// TestVetNeedsGo wants an error that says so where there is no go command.
func TestVetNeedsGo(t *testing.T) {
	t.Setenv("PATH", os.DevNull)
	if o := nx("vet", "./..."); o.code != exitUsage || !strings.Contains(o.stderr, "needs the go command") {
		t.Errorf("status %d: %s", o.code, o.stderr)
	}
}

// TestVetToolArguments: what users type is no call of go vet.
func TestVetToolArguments(t *testing.T) {
	for _, args := range [][]string{nil, {"run", "x.cfg"}, {"--help"}, {"vet"}, {"-V"}} {
		AsVetTool(args) // returns
	}
}
