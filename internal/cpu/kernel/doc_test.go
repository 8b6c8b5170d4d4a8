package kernel

import (
	"fmt"
	"strings"
	"testing"

	"github.com/go-nx/nx/dtype"
	"github.com/go-nx/nx/internal/testkit"
)

// The page of operations matches their rows.
func TestOpsPage(t *testing.T) {
	var b strings.Builder
	b.WriteString("# Operations of kernels\n\n" +
		"Made from the rows of `internal/cpu/kernel/op.go`: `go test ./internal/cpu/kernel -run OpsPage -update`.\n\n" +
		"An operation works on registers: bool, integers of 8 to 64 bits, f32, f64, c64, c128. Those marked *width* have\n" +
		"the type of narrower elements, of which they only read the bits or make one.\n\n" +
		"| operation | operands | of | result | meaning |\n|---|---|---|---|---|\n")
	for o := range Ops() {
		r := &rows[o]
		var of []string
		for _, k := range []struct {
			name string
			t    dtype.Type
		}{{"bool", dtype.Bool}, {"integers", dtype.S32}, {"floats", dtype.F32}, {"complex", dtype.C64}} {
			if r.on.has(k.t) {
				of = append(of, k.name)
			}
		}
		result := map[result]string{sameType: "the same", boolType: "bool", realPartType: "real",
			complexOfType: "complex", anyType: "told"}[r.result]
		if r.width != wide {
			result += ", *width*"
		}
		if r.meaning == "" {
			t.Errorf("%s has no meaning", o)
		}
		fmt.Fprintf(&b, "| `%s` | %d | %s | %s | %s |\n", r.name, r.args, strings.Join(of, ", "), result,
			strings.ReplaceAll(r.meaning, "|", "\\|"))
	}
	testkit.GoldenFile(t, testkit.Root(t, "docs", "kernel-ops.md"), []byte(b.String()))
}
