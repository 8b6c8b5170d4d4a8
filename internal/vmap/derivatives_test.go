package vmap

import (
	"context"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"os"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/go-nx/nx/internal/autodiff"
	"github.com/go-nx/nx/internal/testkit"
	"github.com/go-nx/nx/stablehlo"
)

// TestDerivativesPageIsCurrent compares docs/derivatives.md with the tables it is generated from:
// the rows of autodiff and of this package, described by their doc comments.
func TestDerivativesPageIsCurrent(t *testing.T) {
	testkit.GoldenFile(t, testkit.Root(t, "docs", "derivatives.md"), []byte(derivativesPage(t)))
}

func derivativesPage(t *testing.T) string {
	d := docs{t: t, funcs: map[string]string{}}
	d.parse("../autodiff")
	d.parse(".")
	var b strings.Builder
	b.WriteString(`# Derivatives

Generated from the tables of internal/autodiff and internal/vmap, and from their
comments, by the test of internal/vmap; do not edit.

**Tangent** is the row of forward mode: a formula, in which ẋ is the tangent of x, or a
description of the row. **Transpose** is the row of reverse mode of an op in tangents:
it transforms the cotangent of the result. An op without one never has a linear
operand in a tangent; in reverse mode its tangent is transposed op by op. **Batch** is
the form of the op for a batch of its operands.

## Conventions
`)
	b.WriteString(d.conventions)
	d.table(&b, "Functions", autodiff.Formula)
	d.table(&b, "Linear ops", autodiff.LinearOp)
	d.table(&b, "Ops with custom rows", autodiff.CustomRow)
	d.table(&b, "Ops that are differentiated as others", autodiff.Expansion)
	d.blocks(&b)
	d.table(&b, "Ops with derivative zero", autodiff.Zero)
	d.table(&b, "Ops without a derivative", autodiff.NoRule)
	return b.String()
}

// docs holds the doc comments of the functions of packages.
type docs struct {
	t           *testing.T
	funcs       map[string]string
	conventions string
}

func (d *docs) parse(dir string) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		d.t.Fatal(err)
	}
	for _, e := range entries {
		if !strings.HasSuffix(e.Name(), ".go") || strings.HasSuffix(e.Name(), "_test.go") {
			continue
		}
		f, err := parser.ParseFile(token.NewFileSet(), dir+"/"+e.Name(), nil,
			parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			d.t.Fatal(err)
		}
		if _, text, ok := strings.Cut(f.Doc.Text(), "# Conventions\n"); ok {
			d.conventions = text
		}
		for _, decl := range f.Decls {
			if fn, ok := decl.(*ast.FuncDecl); ok && fn.Recv == nil {
				d.funcs[f.Name.Name+"."+fn.Name.Name] = fn.Doc.Text()
			}
		}
	}
}

// of returns the comment of a function, without its name.
func (d *docs) of(f any) string {
	name := runtime.FuncForPC(reflect.ValueOf(f).Pointer()).Name()
	name = name[strings.LastIndexByte(name, '/')+1:]
	name, _, _ = strings.Cut(name, ".func") // the function around a closure,
	parts := strings.Split(name, ".")       // possibly inlined into another
	name = parts[0] + "." + parts[len(parts)-1]
	text := strings.Join(strings.Fields(d.funcs[name]), " ")
	if text == "" {
		d.t.Errorf("%s is the row of an op and must have a comment", name)
	}
	_, name, _ = strings.Cut(name, ".")
	text = strings.TrimLeft(strings.TrimPrefix(text, name), ":. ")
	return strings.TrimPrefix(text, "is the row of ")
}

// table writes the ops whose rules are of a kind.
func (d *docs) table(b *strings.Builder, title string, kind autodiff.Kind) {
	fmt.Fprintf(b, "\n## %s\n\n", title)
	switch kind {
	case autodiff.NoRule:
		b.WriteString("| op | why | batch |\n|---|---|---|\n")
	case autodiff.Zero:
		b.WriteString("| op | batch |\n|---|---|\n")
	default:
		b.WriteString("| op | tangent | transpose | batch |\n|---|---|---|---|\n")
	}
	for code, info := range stablehlo.Ops() {
		r := autodiff.RuleOf(code)
		if r.Kind != kind {
			continue
		}
		cells := []string{"`" + info.Name + "`"}
		switch kind {
		case autodiff.NoRule:
			cells = append(cells, r.Reason)
		case autodiff.Zero:
		default:
			cells = append(cells, d.tangent(code, r), "")
			if r.Transpose != nil {
				cells[2] = d.of(r.Transpose)
			}
		}
		cells = append(cells, d.batch(code))
		for i, c := range cells {
			if c == "" && i != 2 {
				d.t.Errorf("%s: the table has an empty cell", info.Name)
			}
			cells[i] = strings.ReplaceAll(c, "|", `\|`)
		}
		fmt.Fprintf(b, "| %s |\n", strings.Join(cells, " | "))
	}
}

func (d *docs) tangent(code stablehlo.OpCode, r autodiff.Rule) string {
	switch r.Kind {
	case autodiff.Formula:
		if f := formulas(d.t, code); len(f) < 200 {
			return f
		}
	case autodiff.LinearOp:
		if len(r.Linear) == 0 {
			return "linear in all operands"
		}
		var names []string
		for _, i := range r.Linear {
			names = append(names, "`"+code.Info().Operands[i].Name+"`")
		}
		return "linear in " + strings.Join(names, " and ")
	}
	return d.of(r.Tangent)
}

func (d *docs) batch(code stablehlo.OpCode) string {
	switch {
	case isComposition(code):
		return "decomposed first"
	case rowOf(code) != nil:
		return d.of(rowOf(code))
	case notBatched[code.String()] != "":
		return "none: it " + notBatched[code.String()]
	}
	return "none: it has effects"
}

// blocks writes the composites with their own rows.
func (d *docs) blocks(b *strings.Builder) {
	b.WriteString(
		"\n## Blocks\n\nComposites that stay calls, by name; all others are differentiated and batched as their\n" +
			"decomposition.\n\n| composite | derivative | batch |\n|---|---|---|\n")
	derivatives := autodiff.Blocks()
	for _, name := range slices.Sorted(maps.Keys(listComposites())) {
		derivative := "the derivative of the decomposition"
		if row := derivatives[name]; row != nil {
			derivative = d.of(row)
		}
		fmt.Fprintf(b, "| `%s` | %s | %s |\n", name, derivative, d.of(composites.Get(listComposites)[name]))
	}
	for name := range derivatives {
		if composites.Get(listComposites)[name] == nil {
			d.t.Errorf("%s has a derivative and must have a row for batches", name)
		}
	}
}

// formulas returns the tangent of an elementwise function of f64 numbers, one for each operand, as
// the transform computes it.
func formulas(t *testing.T, code stablehlo.OpCode) string {
	n := len(code.Info().Operands)
	names := []string{"x", "y"}[:n]
	var lines []string
	for i := range n {
		f64 := "tensor<f64>"
		result := f64
		if code == stablehlo.OpComplex {
			result = "tensor<complex<f64>>"
		}
		args := strings.Join(names, ": "+f64+", %") + ": " + f64
		text := fmt.Sprintf("func.func @main(%%%s) -> %s {\n  %%r = \"%s\"(%%%s) : (%s) -> %s\n  return %%r : %s\n}",
			args, result, code, strings.Join(names, ", %"), strings.Join(slices.Repeat([]string{f64}, n), ", "),
			result, result)
		m, err := stablehlo.Parse("formula", []byte(text))
		if err != nil {
			t.Fatalf("%v\n%s", err, text)
		}
		wrt := make([]bool, n)
		wrt[i] = true
		m, err = autodiff.JVP(context.Background(), m, "main", wrt)
		if err != nil {
			if r := autodiff.RuleOf(code); r.Tangent == nil {
				t.Fatal(err)
			}
			lines = append(lines, fmt.Sprintf("none by %s", names[i]))
			continue
		}
		main, _ := m.Func("main")
		e := expression{names: map[value]string{}}
		for k, a := range main.Args() {
			e.names[a] = append(slices.Clone(names), names[i]+"\u0307")[k]
		}
		out := main.Body().Terminator().Operands
		if !slices.Contains(main.Args(), out[0]) {
			e.names[out[0]] = "f"
		}
		lines = append(lines, "`"+e.text(out[1], 0)+"`")
	}
	return strings.Join(lines, " + ")
}

// expression writes scalar ops as a formula.
type expression struct{ names map[value]string }

var infix = map[stablehlo.OpCode]struct {
	sign       string
	precedence int
}{
	stablehlo.OpAdd: {" + ", 1}, stablehlo.OpSubtract: {" - ", 1},
	stablehlo.OpMultiply: {"·", 2}, stablehlo.OpDivide: {"/", 2},
}

var comparisons = map[string]string{"EQ": " = ", "NE": " ≠ ", "LT": " < ", "LE": " ≤ ", "GT": " > ", "GE": " ≥ "}

// text writes a value, in parentheses if it binds less tightly than outside.
func (e expression) text(v value, outside int) string {
	if name, ok := e.names[v]; ok {
		return name
	}
	op := v.Op()
	paren := func(inside int, s string) string {
		if inside < outside {
			return "(" + s + ")"
		}
		return s
	}
	if i, ok := infix[op.Code]; ok {
		right := i.precedence
		if op.Code == stablehlo.OpSubtract || op.Code == stablehlo.OpDivide {
			right++
		}
		return paren(i.precedence, e.text(op.Operands[0], i.precedence)+i.sign+e.text(op.Operands[1], right))
	}
	switch op.Code {
	case stablehlo.OpConstant:
		a := op.Attr("value").(*stablehlo.ElementsAttr)
		return fmt.Sprintf("%.6g", a.Type.DType().LoadFloat(a.Data, 0))
	case stablehlo.OpNegate:
		return paren(1, "-"+e.text(op.Operands[0], 2))
	case stablehlo.OpPower:
		return e.text(op.Operands[0], 3) + "^" + e.text(op.Operands[1], 3)
	case stablehlo.OpCompare:
		direction := op.Attr("comparison_direction").(stablehlo.EnumAttr)
		return e.text(op.Operands[0], 1) + comparisons[direction.Value] + e.text(op.Operands[1], 1)
	}
	args := make([]string, len(op.Operands))
	for i, x := range op.Operands {
		args[i] = e.text(x, 0)
	}
	if op.Code == stablehlo.OpSelect {
		return paren(0, "("+args[0]+" ? "+args[1]+" : "+args[2]+")")
	}
	_, name, _ := strings.Cut(op.Name(), ".")
	return name + "(" + strings.Join(args, ", ") + ")"
}
