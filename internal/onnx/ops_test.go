package onnx

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/go-nx/nx/internal/testkit"
)

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
	testkit.GoldenPart(t, testkit.Root(t, "docs", "models.md"), "<!-- ops -->\n", "<!-- end of ops -->\n", b.String())
}
