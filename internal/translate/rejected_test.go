package translate

import (
	"go/scanner"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// expected are the errors that comments ask for, by file and line.
func expected(t *testing.T, pattern string) map[string]map[int][]*regexp.Regexp {
	t.Helper()
	files, err := filepath.Glob(pattern)
	if err != nil || len(files) == 0 {
		t.Fatal(pattern, err)
	}
	out := map[string]map[int][]*regexp.Regexp{}
	quoted := regexp.MustCompile(`"([^"]*)"`)
	for _, name := range files {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		fset := token.NewFileSet()
		file := fset.AddFile(name, -1, len(text))
		var s scanner.Scanner
		s.Init(file, text, nil, scanner.ScanComments)
		abs, _ := filepath.Abs(name)
		out[abs] = map[int][]*regexp.Regexp{}
		for {
			pos, tok, lit := s.Scan()
			if tok == token.EOF {
				break
			}
			rest, ok := strings.CutPrefix(lit, "// ERROR ")
			if tok != token.COMMENT || !ok {
				continue
			}
			line := fset.Position(pos).Line
			for _, m := range quoted.FindAllStringSubmatch(rest, -1) {
				out[abs][line] = append(out[abs][line], regexp.MustCompile(m[1]))
			}
		}
	}
	return out
}

// TestRejected compares the errors of packages with those that their comments ask for, which must be all.
func TestRejected(t *testing.T) {
	ps, err := Load(".", "./testdata/rejected/...")
	if err != nil {
		t.Fatal(err)
	}
	if len(ps) < 3 {
		t.Fatalf("%d packages", len(ps))
	}
	count := 0
	for _, p := range ps {
		want := expected(t, filepath.Join(p.Dir, "*.go"))
		for _, d := range Check(p) {
			list := want[d.Position.Filename][d.Position.Line]
			found := false
			for i, r := range list {
				if r.MatchString(d.Message) {
					want[d.Position.Filename][d.Position.Line] = append(list[:i:i], list[i+1:]...)
					found = true
					count++
					break
				}
			}
			if !found {
				t.Errorf("not expected:\n%s", d)
			}
			if d.Code == "" {
				t.Errorf("%s: no code", d.Position)
			}
		}
		for file, lines := range want {
			for line, list := range lines {
				for _, r := range list {
					t.Errorf("%s:%d: no error %q", filepath.Base(file), line, r)
				}
			}
		}
	}
	t.Logf("%d rejected", count)
}
