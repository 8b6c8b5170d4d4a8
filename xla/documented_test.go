package xla_test

import (
	"go/doc"
	"strings"
	"testing"

	"github.com/go-nx/nx/internal/testkit"
)

// contract are the methods of the interfaces of package backend and of errors, which are documented there.
var contract = map[string]bool{"Client.Name": true, "Client.Devices": true, "Client.Put": true, "Client.Compile": true,
	"Client.MovesFrom": true, "Client.Peak": true, "Client.ResetPeak": true, "Error.Error": true,
	"NotFoundError.Error": true, "OutOfMemoryError.Error": true, "OutOfMemoryError.OutOfMemory": true,
	"OutOfMemoryError.Unwrap": true}

// What the package exports is described, and each function and method has an example.
func TestDocumented(t *testing.T) {
	p := testkit.Documentation(t, ".", "github.com/go-nx/nx/xla")
	check := func(name string, f *doc.Func) {
		if strings.TrimSpace(f.Doc) == "" && !contract[name] {
			t.Errorf("%s has no comment", name)
		}
		if len(f.Examples) == 0 && !contract[name] {
			t.Errorf("%s has no example", name)
		}
		for _, e := range f.Examples {
			if e.Output == "" {
				t.Errorf("the example of %s has no output", name)
			}
		}
	}
	for _, f := range p.Funcs {
		check(f.Name, f)
	}
	functions := len(p.Funcs)
	for _, typ := range p.Types {
		if strings.TrimSpace(typ.Doc) == "" {
			t.Errorf("%s has no comment", typ.Name)
		}
		for _, f := range typ.Funcs {
			check(f.Name, f)
		}
		for _, f := range typ.Methods {
			check(typ.Name+"."+f.Name, f)
		}
		functions += len(typ.Funcs) + len(typ.Methods)
	}
	if functions < 30 {
		t.Errorf("looked at only %d functions", functions)
	}
}
