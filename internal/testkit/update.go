package testkit

import (
	"bytes"
	"flag"
	"os"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write the files of testdata and the pages of docs that tests compare with")

// Update reports whether the flag -update is set: tests then write the files that they compare with.
func Update() bool { return *update }

// GoldenFile compares text with a file. With -update it writes the file.
func GoldenFile(t *testing.T, file string, got []byte) {
	t.Helper()
	if *update {
		if err := os.WriteFile(file, got, 0o666); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	compareLines(t, file, 1, string(got), string(want))
}

// GoldenPart compares text with the part of a file between two texts. With -update it writes that part.
func GoldenPart(t *testing.T, file, from, to, got string) {
	t.Helper()
	page, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	head, rest, ok := bytes.Cut(page, []byte(from))
	want, tail, ok2 := bytes.Cut(rest, []byte(to))
	if !ok || !ok2 {
		t.Fatalf("%s has no %q … %q", file, from, to)
	}
	if *update {
		page = bytes.Join([][]byte{head, []byte(from), []byte(got), []byte(to), tail}, nil)
		if err := os.WriteFile(file, page, 0o666); err != nil {
			t.Fatal(err)
		}
		return
	}
	compareLines(t, file, 1+bytes.Count(head, []byte("\n"))+strings.Count(from, "\n"), got, string(want))
}

// compareLines reports the first line that differs; the text wanted begins at a line of the file.
func compareLines(t *testing.T, file string, line int, got, want string) {
	t.Helper()
	if got == want {
		return
	}
	g, w := strings.Split(got, "\n"), strings.Split(want, "\n")
	i := 0
	for i < min(len(g), len(w)) && g[i] == w[i] {
		i++
	}
	at := func(lines []string) string {
		if i < len(lines) {
			return lines[i]
		}
		return "(the end)"
	}
	test, _, _ := strings.Cut(t.Name(), "/")
	t.Errorf("%s:%d: got\n%s\nwant\n%s\ngo test -run '^%s$' -update, in the folder of the test, writes the file",
		file, line+i, at(g), at(w), test)
}
