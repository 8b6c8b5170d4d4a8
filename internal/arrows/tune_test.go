package arrows

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// limits are the constants of compiler packages that have the names of thresholds and are none: they follow from an
// encoding, a format, an array or the precision of numbers, and stand beside these.
var limits = map[string]string{
	"simplify.maxWork":          "keeps a product of counts from overflowing",
	"rt.minClassBits":           "the smallest class of buffers",
	"rt.maxClassBits":           "the largest class of buffers",
	"library.maxRank":           "the length of arrays on the stack",
	"portable.maxRank":          "the length of arrays on the stack",
	"conv.maxSpatial":           "the length of arrays on the stack",
	"special.MinAngleCoord":     "where f64 underflows",
	"special.MaxAngleCoord":     "where f64 overflows",
	"special.MinAngleRatio":     "where f64 underflows",
	"special.minNormal64":       "the smallest normal f64",
	"fft.maxRadix":              "the largest radix that has code",
	"gemm.maxElementBytes":      "the size of a complex f64",
	"functions.minExp64":        "where exp of f64 underflows",
	"functions.maxExp64":        "where exp of f64 overflows",
	"program.maxBuffers":        "a limit of the text form",
	"program.maxBytes":          "keeps sums of sizes from overflowing",
	"program.maxDepth":          "a limit of the text form",
	"compiler.MaxAccesses":      "the layout of the arguments of code",
	"compiler.MaxGuards":        "the layout of the arguments of code",
	"compiler.MaxRowDims":       "the layout of the arguments of code",
	"regalloc.MaxSlots":         "the size of the frame of code",
	"fourier.maxRadix":          "the largest radix that has code",
	"gemm.maxGemmN":             "the length of a table of code",
	"gemm.maxGemmV":             "the length of a table of code",
	"compiler.maxResults":       "a reduction has a value and an index",
	"compiler.maxResultVectors": "the number of registers",
	"target.MaxRowVectors":      "the number of registers",
	"gemm.maxWindowRows":        "the number of address registers",
}

// TestThresholdsInOneFile: the thresholds of a compiler package are in its file tune.go, and each has a comment with
// its unit and its reason.
func TestThresholdsInOneFile(t *testing.T) {
	threshold := regexp.MustCompile(`^(min|max|Min|Max)[A-Z]`)
	root := filepath.Join("..", "..", "internal")
	unused := map[string]bool{}
	for name := range limits {
		unused[name] = true
	}
	found := 0
	check := func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return err
		}
		fset := token.NewFileSet()
		f, err := parser.ParseFile(fset, path, nil, parser.ParseComments)
		if err != nil {
			return err
		}
		tuned := filepath.Base(path) == "tune.go"
		for _, decl := range f.Decls {
			g, ok := decl.(*ast.GenDecl)
			if !ok || g.Tok != token.CONST {
				continue
			}
			last := 0 // the line of the constant before, which may share its comment
			for _, s := range g.Specs {
				spec := s.(*ast.ValueSpec)
				line := fset.Position(spec.Pos()).Line
				documented := spec.Doc != nil || line == last+1 || !g.Lparen.IsValid() && g.Doc != nil
				last = line
				for _, n := range spec.Names {
					name := f.Name.Name + "." + n.Name
					switch {
					case tuned && !documented:
						t.Errorf("%s: %s needs a comment with its unit and its reason", fset.Position(n.Pos()), n.Name)
					case tuned:
						found++
					case threshold.MatchString(n.Name) && limits[name] == "":
						t.Errorf("%s: the threshold %s belongs into tune.go", fset.Position(n.Pos()), n.Name)
					}
					delete(unused, name)
				}
			}
		}
		return nil
	}
	for _, dir := range []string{"simplify", "cpu"} {
		if err := filepath.WalkDir(filepath.Join(root, dir), check); err != nil {
			t.Fatal(err)
		}
	}
	for name := range unused {
		t.Errorf("there is no constant %s", name)
	}
	if found == 0 {
		t.Error("no package has thresholds")
	}
}

// TestReasonsOfThresholds: the sections of docs/rationale that the comments of thresholds name exist.
func TestReasonsOfThresholds(t *testing.T) {
	root := filepath.Join("..", "..")
	headings := map[string]bool{}
	pages, err := filepath.Glob(filepath.Join(root, "docs", "rationale", "*.md"))
	if err != nil {
		t.Fatal(err)
	}
	for _, page := range pages {
		text, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(string(text)) {
			if heading, ok := strings.CutPrefix(line, "## "); ok {
				headings[strings.TrimSpace(heading)] = true
			}
		}
	}
	named := regexp.MustCompile(`"((?:Why|How|When|Which|What) [^"]*)"`)
	found := 0
	check := func(path string, d fs.DirEntry, err error) error {
		if name := filepath.Base(path); err != nil || name != "tune.go" && name != "again.go" {
			return err
		}
		f, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.ParseComments)
		if err != nil {
			return err
		}
		for _, group := range f.Comments {
			text := strings.ReplaceAll(group.Text(), "\n", " ")
			for _, m := range named.FindAllStringSubmatch(text, -1) {
				found++
				if !headings[m[1]] {
					t.Errorf("%s names the section %q, which docs/rationale does not have", path, m[1])
				}
			}
		}
		return nil
	}
	if err := filepath.WalkDir(filepath.Join(root, "internal"), check); err != nil {
		t.Fatal(err)
	}
	if found == 0 {
		t.Error("no threshold names a section")
	}
}
