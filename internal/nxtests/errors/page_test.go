package errors_test

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/go-nx/nx/diag"
	"github.com/go-nx/nx/internal/nxtests/kit"
	"github.com/go-nx/nx/internal/testkit"
)

// TestErrorsPage writes docs/errors.md: the codes of codes.go, each with the
// first mistake of its kind and the message.
func TestErrorsPage(t *testing.T) {
	var page bytes.Buffer
	page.WriteString("# Errors\n\n" +
		"<!-- written by go test ./internal/nxtests/errors -run TestErrorsPage -update; the mistakes are in its errors_test.go -->\n\n" +
		"Misuse of an op panics with an `*nx.Error`; `defer nx.Catch(&err)` turns it into an error, and functions that return an error do so themselves.\n" +
		"The message starts with the line of your program, names the op and the broken rule, lists the operands, and suggests a remedy if the cause is common.\n" +
		"In a traced function an operand has its path in the arguments, `Layers[1].W`, and a function of `nx.Vmap` the size of its batch; the last line has your lines up the stack.\n" +
		"`errors.Is(err, nx.ErrShape)` tests for a kind.\n\n" +
		"In the examples `x23` is f32[batch: 2][features: 3], `x45` f32[4][5], `v4` f32[4], `rows` f32[0][3], `ints` s32[3], `u8` u8[2], `cplx` c64[2], `bools` bool[2] and `none` the zero Tensor.\n")
	bodies := caseBodies(t)
	for _, code := range codes(t) {
		fmt.Fprintf(&page, "\n## `nx.%s`: %s\n", code.name, code.doc)
		shown := 0
		for _, c := range errorCases {
			if c.code != code.value || shown == 3 {
				continue
			}
			shown++
			e := diag.As(kit.Caught(c.f))
			if e == nil {
				t.Fatalf("%s: no error", c.name)
			}
			e.File, e.Callers = "", nil
			fmt.Fprintf(&page, "\n```go\n%s\n```\n\n```\n%s\n```\n", bodies[c.name], withoutLines(e.Error()))
		}
		if shown == 0 {
			t.Errorf("nx.%s has no example", code.name)
		}
	}
	testkit.GoldenFile(t, testkit.Root(t, "docs", "errors.md"), page.Bytes())
}

type errorCode struct {
	name, doc string
	value     diag.Code
}

// codes reads codes.go.
func codes(t *testing.T) []errorCode {
	path := testkit.Root(t, "internal", "core", "codes.go")
	f, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.ParseComments)
	if err != nil {
		t.Fatal(err)
	}
	var out []errorCode
	ast.Inspect(f, func(n ast.Node) bool {
		if s, ok := n.(*ast.ValueSpec); ok {
			v, err := strconv.Unquote(s.Values[0].(*ast.BasicLit).Value)
			if err != nil || s.Comment == nil {
				t.Errorf("%s needs a value and a comment", s.Names[0].Name)
				return false
			}
			out = append(out, errorCode{s.Names[0].Name, strings.TrimSpace(s.Comment.Text()), diag.Code(v)})
		}
		return true
	})
	return out
}

// caseBodies returns the text of the mistakes by their names.
func caseBodies(t *testing.T) map[string]string {
	src, err := os.ReadFile("errors_test.go")
	if err != nil {
		t.Fatal(err)
	}
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, "errors_test.go", src, 0)
	if err != nil {
		t.Fatal(err)
	}
	out := map[string]string{}
	ast.Inspect(f, func(n ast.Node) bool {
		c, ok := n.(*ast.CompositeLit)
		if !ok || len(c.Elts) != 3 {
			return true
		}
		name, ok := c.Elts[0].(*ast.BasicLit)
		fn, isFunc := c.Elts[2].(*ast.FuncLit)
		if !ok || !isFunc {
			return true
		}
		key, _ := strconv.Unquote(name.Value)
		body := string(src[fset.Position(fn.Body.Lbrace).Offset+1 : fset.Position(fn.Body.Rbrace).Offset])
		lines := strings.Split(strings.Trim(body, "\n"), "\n")
		for i, l := range lines {
			lines[i] = strings.TrimSpace(l)
		}
		out[key] = strings.TrimSpace(strings.Join(lines, "\n"))
		return true
	})
	return out
}
