package stablehlo_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/go-nx/nx/internal/testkit"
	"github.com/go-nx/nx/stablehlo"
)

// TestOpsPageIsCurrent compares docs/ops.md with the table it is made from.
func TestOpsPageIsCurrent(t *testing.T) {
	testkit.GoldenFile(t, testkit.Root(t, "docs", "ops.md"), []byte(opsPage()))
}

func opsPage() string {
	var b strings.Builder
	b.WriteString(`# Ops

Made from the table of package stablehlo by its test; do not edit.

The ops that the parser, the verifier and the builder know, by dialect: what they
compute, their operands, results, attributes and regions. A name with … stands
for any number of values; an attribute with ? may be absent, with its meaning
then after "=". Constraints are those of the specification, which the op links to;
the verifier names them in its messages. "Result types are given" marks ops whose
operands do not determine them.
`)
	dialect := ""
	for _, info := range stablehlo.Ops() {
		if info.Dialect() != dialect {
			dialect = info.Dialect()
			fmt.Fprintf(&b, "\n## %s\n", dialect)
		}
		writeOp(&b, info)
	}
	return b.String()
}

func writeOp(b *strings.Builder, info *stablehlo.OpInfo) {
	fmt.Fprintf(b, "\n### %s\n\n%s\n\n", info.Name, info.Doc)
	for _, part := range []struct {
		title  string
		values []stablehlo.ValueSpec
	}{{"Operands", info.Operands}, {"Results", info.Results}} {
		for i, v := range part.values {
			if i == 0 {
				fmt.Fprintf(b, "- %s:\n", part.title)
			}
			fmt.Fprintf(b, "  - `%s%s`: %s\n", v.Name, ellipsis(v.Count), v.Types)
		}
	}
	for i := range info.Attrs {
		if i == 0 {
			b.WriteString("- Attributes:\n")
		}
		writeAttr(b, &info.Attrs[i])
	}
	for i, r := range info.Regions {
		if i == 0 {
			b.WriteString("- Regions: ")
		} else {
			b.WriteString(", ")
		}
		fmt.Fprintf(b, "`%s%s`", r.Name, ellipsis(r.Count))
		if i == len(info.Regions)-1 {
			b.WriteByte('\n')
		}
	}
	writeFacts(b, info)
}

func ellipsis(c stablehlo.Count) string {
	if c == stablehlo.One {
		return ""
	}
	return "…"
}

func writeAttr(b *strings.Builder, a *stablehlo.AttrSpec) {
	optional, meaning := "", ""
	if a.Optional {
		optional = "?"
	}
	if a.Default != nil {
		meaning = " = `" + a.Default.String() + "`"
	}
	if a.Since != (stablehlo.Version{}) {
		meaning += fmt.Sprintf(" (since %s)", a.Since)
	}
	fmt.Fprintf(b, "  - `%s`%s: %s%s\n", a.Name, optional, a.KindText(), meaning)
}

// writeFacts writes the traits, the version and the link.
func writeFacts(b *strings.Builder, info *stablehlo.OpInfo) {
	var facts []string
	for _, t := range []struct {
		trait stablehlo.Traits
		text  string
	}{
		{stablehlo.Elementwise, "elementwise"},
		{stablehlo.Commutative, "commutative"},
		{stablehlo.Terminator, "ends a block"},
		{stablehlo.SideEffects, "has side effects"},
		{stablehlo.Isolated, "regions see no values from outside"},
		{stablehlo.ShapedByResult, "result types are given"},
		{stablehlo.NotInSpec, "not in the specification"},
	} {
		if info.Traits&t.trait != 0 {
			facts = append(facts, t.text)
		}
	}
	if info.Since != (stablehlo.Version{}) {
		facts = append(facts, "since "+info.Since.String())
	}
	if a := info.SpecAnchor(); a != "" {
		facts = append(facts, "[specification]("+a+")")
	}
	if len(facts) > 0 {
		fmt.Fprintf(b, "- Facts: %s.\n", strings.Join(facts, "; "))
	}
}
