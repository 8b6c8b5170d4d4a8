package autodiff_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/go-nx/nx/internal/testkit"
	"github.com/go-nx/nx/stablehlo"
)

// A file of testdata is a program, then its JVP and its VJP, each after a line of dashes.
const (
	jvpLine = "// ----- JVP\n"
	vjpLine = "// ----- VJP\n"
)

func TestGolden(t *testing.T) {
	files, err := filepath.Glob(filepath.Join("testdata", "*.mlir"))
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		t.Run(filepath.Base(f), func(t *testing.T) {
			text, err := os.ReadFile(f)
			if err != nil {
				t.Fatal(err)
			}
			program, _, _ := strings.Cut(string(text), jvpLine)
			m, err := stablehlo.Parse(f, []byte(program))
			if err != nil {
				t.Fatal(err)
			}
			got := program + jvpLine + transformed(t, jvp, m).String() + vjpLine + transformed(t, vjp, m).String()
			testkit.GoldenFile(t, f, []byte(got))
		})
	}
}
