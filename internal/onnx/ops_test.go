package onnx

import (
	"bytes"
	"flag"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write the table of ops of docs/models.md")

// TestOps compares the ops of docs/models.md with the rows.
func TestOps(t *testing.T) {
	domains := map[string][]string{}
	for name := range rows() {
		domains[name.domain] = append(domains[name.domain], name.op)
	}
	var b strings.Builder
	fmt.Fprintf(&b, "| domain | number | ops |\n|---|---:|---|\n")
	for _, d := range slices.Sorted(maps.Keys(domains)) {
		list := slices.Sorted(slices.Values(domains[d]))
		name := d
		if name == "" {
			name = "ai.onnx"
		}
		fmt.Fprintf(&b, "| `%s` | %d | %s |\n", name, len(list), strings.Join(list, ", "))
	}
	const path, from, to = "../../docs/models.md", "<!-- ops -->\n", "<!-- end of ops -->\n"
	page, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	before, rest, ok := bytes.Cut(page, []byte(from))
	old, after, ok2 := bytes.Cut(rest, []byte(to))
	if !ok || !ok2 {
		t.Fatalf("%s has no %q … %q", path, from, to)
	}
	if string(old) == b.String() {
		return
	}
	if !*update {
		t.Fatalf("the ops of %s are not those of the rows: run go test ./internal/onnx -run TestOps -update", path)
	}
	page = slices.Concat(before, []byte(from), []byte(b.String()), []byte(to), after)
	if err := os.WriteFile(path, page, 0o666); err != nil {
		t.Fatal(err)
	}
}
