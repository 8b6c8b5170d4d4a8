package kit

import (
	"bytes"
	"flag"
	"os"
	"strings"
	"testing"
)

// Update is whether tests write the files that they compare with.
var Update = flag.Bool("update", false, "write the files of testdata and the pages of docs that tests compare with")

// GoldenFile compares text with a file, or writes it.
func GoldenFile(t *testing.T, file string, got []byte) {
	t.Helper()
	if *Update {
		if err := os.WriteFile(file, got, 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		g, w := strings.Split(string(got), "\n"), strings.Split(string(want), "\n")
		for i := range min(len(g), len(w)) {
			if g[i] != w[i] {
				t.Errorf("%s:%d: got\n%s\nwant\n%s", file, i+1, g[i], w[i])
				break
			}
		}
		t.Errorf("%s differs; go test -run %s -update, in the folder of the test, writes it", file, t.Name())
	}
}
