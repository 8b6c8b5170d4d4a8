package vet_test

import (
	"fmt"
	"go/token"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/analysis/checker"
	"golang.org/x/tools/go/packages"

	"github.com/go-nx/nx/vet"
)

// TestAnalyzers runs each analyzer on its package of testdata, which uses nx itself:
// what it reports must be what the comments at the end of lines want, and all analyzers
// together must find no more.
func TestAnalyzers(t *testing.T) {
	for _, a := range vet.Analyzers() {
		name := strings.TrimPrefix(a.Name, "nx")
		t.Run(name, func(t *testing.T) {
			found := map[place][]string{}
			for _, d := range diagnostics(t, "./testdata/src/"+name, a) {
				found[d.at] = append(found[d.at], d.Message)
			}
			for at, wants := range expectations(t, "testdata/src/"+name+"/"+name+".go") {
				for _, want := range wants {
					i := slices.IndexFunc(found[at], want.MatchString)
					if i < 0 {
						t.Errorf("%v: nothing is found that matches %q, but %q", at, want, found[at])
						continue
					}
					found[at] = slices.Delete(found[at], i, i+1)
				}
			}
			for at, rest := range found {
				for _, message := range rest {
					t.Errorf("%v: %s", at, message)
				}
			}
		})
	}
}

// TestAnalyzersAreQuiet runs all analyzers on the examples, which have no such mistakes.
func TestAnalyzersAreQuiet(t *testing.T) {
	for _, d := range diagnostics(t, "../examples/...", vet.Analyzers()...) {
		t.Errorf("%v: %s", d.at, d.Message)
	}
}

// TestFix applies the fix of a division.
func TestFix(t *testing.T) {
	text, err := os.ReadFile("testdata/src/division/division.go")
	if err != nil {
		t.Fatal(err)
	}
	fixed := ""
	for _, d := range diagnostics(t, "./testdata/src/division", vet.Analyzers()...) {
		if len(d.SuggestedFixes) != 1 {
			t.Errorf("%v: no fix", d.at)
			continue
		}
		e := d.SuggestedFixes[0].TextEdits[0]
		at := d.offset(e.Pos)
		line := string(text[:at]) + string(e.NewText) + string(text[at:])
		fixed += strings.TrimSpace(strings.Split(line, "\n")[d.at.line-1]) + "\n"
	}
	if !strings.Contains(fixed, "nx.Mul(1.0/2, t)") || !strings.Contains(fixed, "nx.Sub(t, 5.0/3)") {
		t.Errorf("the fixed lines are\n%s", fixed)
	}
}

// place is a line of a file.
type place struct {
	file string
	line int
}

func (p place) String() string { return fmt.Sprintf("%s:%d", p.file, p.line) }

type finding struct {
	analysis.Diagnostic
	at     place
	offset func(token.Pos) int
}

// diagnostics runs analyzers on packages, which must compile.
func diagnostics(t *testing.T, pattern string, analyzers ...*analysis.Analyzer) []finding {
	t.Helper()
	if err := analysis.Validate(analyzers); err != nil {
		t.Fatal(err)
	}
	pkgs, err := packages.Load(&packages.Config{Mode: packages.LoadAllSyntax &^ packages.NeedDeps}, pattern)
	if err != nil {
		t.Fatal(err)
	}
	if packages.PrintErrors(pkgs) > 0 {
		t.Fatal("the packages do not compile")
	}
	graph, err := checker.Analyze(analyzers, pkgs, nil)
	if err != nil {
		t.Fatal(err)
	}
	var list []finding
	for _, root := range graph.Roots {
		if root.Err != nil {
			t.Fatal(root.Err)
		}
		for _, d := range root.Diagnostics {
			p := root.Package.Fset.Position(d.Pos)
			list = append(list, finding{d, place{p.Filename[strings.LastIndexAny(p.Filename, `/\`)+1:], p.Line},
				func(at token.Pos) int { return root.Package.Fset.Position(at).Offset }})
		}
	}
	return list
}

// expectations reads the comments // want `…` of a file.
func expectations(t *testing.T, path string) map[place][]*regexp.Regexp {
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	out := map[place][]*regexp.Regexp{}
	for i, line := range strings.Split(string(text), "\n") {
		_, want, ok := strings.Cut(line, "// want ")
		for _, m := range regexp.MustCompile("`([^`]*)`").FindAllStringSubmatch(want, -1) {
			at := place{path[strings.LastIndexByte(path, '/')+1:], i + 1}
			out[at] = append(out[at], regexp.MustCompile(m[1]))
		}
		if ok && !strings.Contains(want, "`") {
			t.Errorf("%s:%d: a want without a pattern", path, i+1)
		}
	}
	if len(out) == 0 {
		t.Errorf("%s wants nothing", path)
	}
	return out
}
