package portable_test

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/go-nx/nx/internal/testkit"
	"github.com/go-nx/nx/stablehlo"
	"github.com/go-nx/nx/stablehlo/portable"
)

// pairs returns the artifacts of StableHLO's own tests that come with their text, by name.
func pairs(t *testing.T) map[string][2]string {
	dir := testkit.Shared(t, "conformance/portable")
	files, err := filepath.Glob(filepath.Join(dir, "*.mlir.bc"))
	if err != nil || len(files) == 0 {
		t.Fatalf("%s has no artifacts: %v", dir, err)
	}
	out := map[string][2]string{}
	for _, f := range files {
		name := strings.TrimSuffix(filepath.Base(f), ".mlir.bc")
		if !strings.HasPrefix(name, "invalid") {
			out[name] = [2]string{f, strings.TrimSuffix(f, ".bc") + ".txt"}
		}
	}
	return out
}

func readFile(t *testing.T, name string) []byte {
	t.Helper()
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// text prints a module in the pretty form, which leaves out defaults, without
// locations and the names of values, which bytecode does not hold.
func text(t *testing.T, m *stablehlo.Module) string {
	t.Helper()
	for op := range m.Walk() {
		for _, v := range op.Results {
			v.SetName("")
		}
		for _, r := range op.Regions {
			for _, b := range r.Blocks {
				for _, v := range b.Args {
					v.SetName("")
				}
			}
		}
	}
	if err := m.Verify(); err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	if err := stablehlo.Print(&b, m, stablehlo.PrintOptions{}); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// firstDifference shows the first lines that differ.
func firstDifference(got, want string) string {
	g, w := strings.Split(got, "\n"), strings.Split(want, "\n")
	for i := range min(len(g), len(w)) {
		if g[i] != w[i] {
			return "got:  " + g[i] + "\nwant: " + w[i]
		}
	}
	return "one is longer"
}

func TestCorpusIsRead(t *testing.T) {
	for name, pair := range pairs(t) {
		t.Run(name, func(t *testing.T) {
			m, err := portable.Read(pair[0], readFile(t, pair[0]))
			if err != nil {
				t.Fatal(err)
			}
			want, err := stablehlo.Parse(pair[1], readFile(t, pair[1]))
			if err != nil {
				t.Fatal(err)
			}
			if g, w := text(t, m), text(t, want); g != w {
				t.Errorf("the program differs from its text:\n%s", firstDifference(g, w))
			}
		})
	}
}

// otherBytes names the artifacts that differ from the output for their text, and why.
var otherBytes = map[string]string{
	"vhlo_emit_version_api.1_1_0": "it was written with locations, and by passes that turned the uses of a value round",
}

// TestCorpusIsWritten writes the text of each artifact for its version, without
// locations, and compares the bytes.
func TestCorpusIsWritten(t *testing.T) {
	for name, pair := range pairs(t) {
		t.Run(name, func(t *testing.T) {
			want := readFile(t, pair[0])
			m, err := stablehlo.Parse(pair[1], readFile(t, pair[1]))
			if err != nil {
				t.Fatal(err)
			}
			got := written(t, m, portable.WriteOptions{Version: versionOf(t, pair[0]), NoLocations: true})
			if why := otherBytes[name]; bytes.Equal(got, want) == (why != "") {
				t.Errorf("the bytes are the same: %t; named difference: %q", why != "", why)
			}
			again, err := portable.Read(name, got)
			if err != nil {
				t.Fatal(err)
			}
			if g, w := text(t, again), text(t, m); g != w {
				t.Errorf("the written artifact is read differently:\n%s", firstDifference(g, w))
			}
		})
	}
}

func versionOf(t *testing.T, name string) stablehlo.Version {
	t.Helper()
	h, err := portable.ReadHeader(name, readFile(t, name))
	if err != nil {
		t.Fatal(err)
	}
	return h.Version
}

func written(t *testing.T, m *stablehlo.Module, opts portable.WriteOptions) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := portable.Write(&b, m, opts); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// TestArtifactsOfJAX reads what JAX exported, with locations, and writes it again.
// The results of these programs are compared by the check of the corpus.
func TestArtifactsOfJAX(t *testing.T) {
	dir := testkit.Shared(t, "conformance/jax")
	files, err := filepath.Glob(filepath.Join(dir, "*/program.bc"))
	if err != nil || len(files) == 0 {
		t.Fatalf("%s has no artifacts: %v", dir, err)
	}
	for _, file := range files {
		t.Run(filepath.Base(filepath.Dir(file)), func(t *testing.T) {
			data := readFile(t, file)
			m, err := portable.Read(file, data)
			if err != nil {
				t.Fatal(err)
			}
			got := written(t, m, portable.WriteOptions{Version: versionOf(t, file)})
			if !bytes.Equal(got, data) {
				t.Error("other bytes are written")
			}
			again, err := portable.Read(file, got)
			if err != nil {
				t.Fatal(err)
			}
			if g, w := text(t, again), text(t, m); g != w {
				t.Errorf("the written artifact is read differently:\n%s", firstDifference(g, w))
			}
		})
	}
}

// TestFutureIsRefused reads an artifact with an op that no version has yet.
func TestFutureIsRefused(t *testing.T) {
	file := filepath.Join(testkit.Shared(t, "conformance/portable"), "invalid_vhlo_future.mlir.bc")
	_, err := portable.Read("future.bc", readFile(t, file))
	if err == nil || !strings.Contains(err.Error(), "vhlo.constant_v99") ||
		!strings.Contains(err.Error(), "version 2.0.0") {
		t.Errorf("error %v, want one that names the op and the version", err)
	}
}
