package stablehlo_test

import (
	"bytes"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/go-nx/nx/internal/testkit"
	"github.com/go-nx/nx/stablehlo"
)

// printed returns the module as text.
func printed(tb testing.TB, m *stablehlo.Module, opts stablehlo.PrintOptions) []byte {
	tb.Helper()
	var b bytes.Buffer
	if err := stablehlo.Print(&b, m, opts); err != nil {
		tb.Fatal(err)
	}
	return b.Bytes()
}

// roundTrip checks that every printed form of a module is read back as the same.
func roundTrip(tb testing.TB, m *stablehlo.Module) {
	tb.Helper()
	for _, opts := range []stablehlo.PrintOptions{{}, {Generic: true}, {Locations: true},
		{Generic: true, Locations: true}} {
		text := printed(tb, m, opts)
		back, err := stablehlo.Parse("printed", text)
		if err != nil {
			tb.Errorf("%+v: printed text is not read back: %v\n%s", opts, err, head(text))
			return
		}
		if d := stablehlo.Diff(m, back, opts.Locations); d != "" {
			tb.Errorf("%+v: %s\n%s", opts, d, head(text))
			return
		}
		if again := printed(tb, back, opts); !opts.Locations && !bytes.Equal(text, again) {
			tb.Errorf("%+v: printing what was printed gives another text", opts)
		}
	}
}

// TestRoundTripCorpora reads every test program and prints it back.
func TestRoundTripCorpora(t *testing.T) {
	dirs := []string{testkit.Shared(t, "conformance")}
	if extra := os.Getenv("NX_TEXT_CORPUS"); extra != "" {
		dirs = append(dirs, extra)
	}
	files, programs := 0, 0
	for _, dir := range dirs {
		err := filepath.WalkDir(dir, func(path string, _ fs.DirEntry, err error) error {
			if err != nil || filepath.Ext(path) != ".mlir" {
				return err
			}
			text, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			files++
			for _, src := range stablehlo.Split(path, text) {
				programs++
				m, err := stablehlo.ParseSource(src)
				if err != nil {
					if !strings.HasPrefix(filepath.Base(path), "reject-") {
						t.Errorf("%v", err)
					}
					continue
				}
				roundTrip(t, m)
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	t.Logf("%d programs in %d files", programs, files)
}

// head returns the start of a text for a message.
func head(text []byte) []byte { return text[:min(len(text), 2000)] }
