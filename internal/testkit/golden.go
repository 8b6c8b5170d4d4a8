package testkit

import (
	"fmt"
	"os"
	"strings"
	"testing"
)

// Golden runs every case of a file and compares what f makes of its input with
// the expected output; with -update it rewrites the file. A case is a line
// "== name", the input, a line "=>", and the output.
func Golden(t *testing.T, file string, f func(t *testing.T, name, in string) (out string)) {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var written []string
	for part := range strings.SplitSeq("\n"+string(text), "\n== ") {
		name, rest, _ := strings.Cut(part, "\n")
		in, want, ok := strings.Cut(rest, "=>\n")
		if !ok {
			if strings.TrimSpace(part) != "" {
				t.Errorf("%s: %q is not a case: it has no line \"=>\"", file, name)
			}
			continue
		}
		want = strings.TrimRight(want, "\n") + "\n"
		t.Run(name, func(t *testing.T) {
			got := f(t, name, in)
			if got != want && !*update {
				test, _, _ := strings.Cut(t.Name(), "/")
				t.Errorf("%s: %q: the output differs (- want, + got)\n%sgo test -run '^%s$' -update, in the folder of the "+
					"test, writes the file", file, name, Diff(want, got), test)
			}
			want = got
		})
		written = append(written, fmt.Sprintf("== %s\n%s=>\n%s", name, in, want))
	}
	if *update && !t.Failed() {
		if err := os.WriteFile(file, []byte(strings.Join(written, "\n")), 0o666); err != nil {
			t.Fatal(err)
		}
	}
}
