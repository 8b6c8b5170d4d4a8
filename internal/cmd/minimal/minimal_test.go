package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// goTool runs the go command.
func goTool(t *testing.T, args ...string) string {
	t.Helper()
	out, err := exec.Command("go", args...).CombinedOutput()
	if err != nil {
		t.Fatalf("go %s: %v\n%s", strings.Join(args, " "), err, out)
	}
	return string(out)
}

// TestMinimalProgram bounds what a program pays for the parts of the module that it does not use. Their tables are
// values of package lazy: a table that is filled when the program starts costs all programs its time, and keeps all
// that it refers to.
func TestMinimalProgram(t *testing.T) {
	program := filepath.Join(t.TempDir(), "minimal")
	goTool(t, "build", "-o", program, ".")

	t.Run("start", func(t *testing.T) {
		const maxAllocs, maxBytes = 1000, 100_000 // 5,440 and 1.7 MB when tables were filled at the start
		run := exec.Command(program)
		run.Env = append(os.Environ(), "GODEBUG=inittrace=1")
		out, err := run.CombinedOutput()
		if err != nil || !strings.Contains(string(out), "[4.0, 5.0]") {
			t.Fatalf("%v\n%s", err, out)
		}
		allocs, bytes := 0, 0
		row := regexp.MustCompile(`(?m)^init .* (\d+) bytes, (\d+) allocs$`)
		for _, m := range row.FindAllStringSubmatch(string(out), -1) {
			b, _ := strconv.Atoi(m[1])
			n, _ := strconv.Atoi(m[2])
			bytes, allocs = bytes+b, allocs+n
		}
		if bytes == 0 || allocs > maxAllocs || bytes > maxBytes {
			t.Errorf("the start allocates %d bytes in %d allocations, want at most %d and %d:\n%s",
				bytes, allocs, maxBytes, maxAllocs, out)
		}
	})

	t.Run("parts", func(t *testing.T) {
		symbols := goTool(t, "tool", "nm", program)
		if !strings.Contains(symbols, "nx/internal/cpu/exec.Compile") {
			t.Fatal("the program has no compiler, or go tool nm another form")
		}
		for _, absent := range []string{
			"nx/internal/autodiff.VJP", "nx/internal/autodiff.gatherRows", "nx/stablehlo.Parse",
			"nx/stablehlo/portable.Read", "nx/internal/model.Open", "nx/encoding/npy.", "nx/encoding/safetensors.",
			"archive/zip.NewReader", "regexp.Compile", "reflect.Value.MethodByName", "net/http.",
		} {
			for line := range strings.Lines(symbols) {
				if _, name, _ := strings.Cut(line, " T "); strings.Contains(name, absent) {
					t.Errorf("the program has %s", strings.TrimSpace(name))
				}
			}
		}
	})
}
