package translate

import (
	"flag"
	"go/ast"
	"strings"
	"testing"
)

var anyGo = flag.String("go", "math,sort,go/types,slices,strings,text/template", "the packages of TestAnyGo")

// TestAnyGo translates packages of Go's standard library as if all of their functions were definitions: whatever Go
// they have, the errors are those of definitions, and nothing panics.
func TestAnyGo(t *testing.T) {
	ps, err := Load(".", strings.Split(*anyGo, ",")...)
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range ps {
		u := newUnitOf(p, func(ast.Node) bool { return true })
		u.lower()
		for _, d := range u.errors {
			if d.Code == "" || d.Message == "" || !d.Position.IsValid() {
				t.Errorf("%v", d)
			}
		}
		if _, err := u.emit(Target{Dir: t.TempDir(), Name: "out", Path: "out"}); err != nil && len(u.errors) == 0 {
			t.Errorf("%s: %v", p.Path, err)
		}
		t.Logf("%s: %d functions, %d errors", p.Path, len(u.order), len(u.errors))
	}
}
