package translate

import (
	"cmp"
	"fmt"
	"go/ast"
	"go/token"
	"os"
	"slices"
	"strings"

	"github.com/go-nx/nx/internal/definition"
)

// Diagnostic is a place where a definition does what a graph cannot.
type Diagnostic struct {
	Position token.Position
	End      token.Position
	Code     string // see docs/defn.md
	Message  string
	Hint     string // what is allowed instead
}

// Errors are the diagnostics of all packages, in the order of the source.
type Errors []Diagnostic

// Error returns all diagnostics, each with its line underlined.
func (e Errors) Error() string {
	var b strings.Builder
	for i, d := range e {
		if i > 0 {
			b.WriteByte('\n')
		}
		b.WriteString(d.String())
	}
	return b.String()
}

// String returns the place, the message, the line of the source with the place underlined, and the hint.
func (d Diagnostic) String() string {
	var b strings.Builder
	if d.Position.IsValid() {
		fmt.Fprintf(&b, "%s: ", d.Position)
	}
	b.WriteString(d.Message)
	if d.Code != "" {
		fmt.Fprintf(&b, " [%s]", d.Code)
	}
	if line, ok := sourceLine(d.Position); ok {
		b.WriteString("\n\t" + line + "\n\t" + underline(line, d.Position, d.End))
	}
	if d.Hint != "" {
		b.WriteString("\n\t" + strings.ReplaceAll(d.Hint, "\n", "\n\t"))
	}
	return b.String()
}

// sourceLine returns the line of a position.
func sourceLine(p token.Position) (string, bool) {
	text, err := os.ReadFile(p.Filename)
	if err != nil {
		return "", false
	}
	lines := strings.Split(string(text), "\n")
	if p.Line < 1 || p.Line > len(lines) {
		return "", false
	}
	return strings.TrimRight(lines[p.Line-1], "\r"), true
}

// underline returns spaces and tabs as the line has them, and one ^ for each character from start to end.
func underline(line string, start, end token.Position) string {
	var b strings.Builder
	for i, r := range line {
		switch {
		case i < start.Column-1 && r == '\t':
			b.WriteByte('\t')
		case i < start.Column-1:
			b.WriteByte(' ')
		case i == start.Column-1 || end.Line == start.Line && i < end.Column-1 || end.Line > start.Line:
			b.WriteByte('^')
		}
	}
	if b.Len() < start.Column {
		b.WriteByte('^')
	}
	return b.String()
}

// report adds a diagnostic. Two of one place and code are one.
func (u *unit) report(from, to token.Pos, code, hint, format string, args ...any) {
	d := Diagnostic{Position: u.fset.Position(from), Code: code, Message: fmt.Sprintf(format, args...), Hint: hint}
	d.End = d.Position
	if to.IsValid() {
		d.End = u.fset.Position(to)
	}
	for _, o := range u.errors {
		if o.Position == d.Position && o.Code == d.Code {
			return
		}
	}
	u.errors = append(u.errors, d)
}

// sorted orders diagnostics by place.
func (e Errors) sorted() Errors {
	slices.SortStableFunc(e, func(a, b Diagnostic) int {
		return cmp.Or(strings.Compare(a.Position.Filename, b.Position.Filename), a.Position.Line-b.Position.Line,
			a.Position.Column-b.Position.Column)
	})
	return e
}

// text returns the source of a node.
func (u *unit) text(n ast.Node) string {
	from, to := u.fset.Position(n.Pos()), u.fset.Position(n.End())
	text, err := os.ReadFile(from.Filename)
	if err != nil || to.Offset > len(text) {
		return "it"
	}
	return string(text[from.Offset:to.Offset])
}

// textAt returns a place as the source has it.
func (u *unit) textAt(x definition.Expr) string {
	switch x := x.(type) {
	case *definition.Ref:
		return x.Var.Name
	case *definition.Select:
		return u.textAt(x.X) + "." + x.Name
	case *definition.Index:
		return u.textAt(x.X) + "[…]"
	}
	return "it"
}
