package vet

import (
	"go/token"
	"strings"

	"golang.org/x/tools/go/analysis"

	"github.com/go-nx/nx/internal/translate"
)

// definitions returns the analyzer of packages that import defn: it reports what a definition must not do, as the
// command defn does.
func definitions() *analysis.Analyzer {
	return &analysis.Analyzer{
		Name: "nxdefinition",
		Doc: "report what numerical definitions must not do\n\n" +
			"In a package that imports defn, functions on tensors become graphs: docs/defn.md lists what Go accepts and " +
			"a graph cannot do, such as an integer division of constants beside a tensor, or a static value that changes " +
			"under a condition of tensors.",
		URL: "https://pkg.go.dev/" + module + "/vet",
		Run: func(pass *analysis.Pass) (any, error) {
			p := translate.OfTypes(pass.Fset, pass.Files, pass.Pkg, pass.TypesInfo)
			if !p.Uses() || !translatable(p) {
				return nil, nil
			}
			for _, d := range translate.Check(p) {
				if strings.HasSuffix(d.Position.Filename, "_test.go") {
					continue // a test calls definitions on numbers
				}
				message := d.Message + " [" + d.Code + "]"
				if d.Hint != "" {
					message += "; " + d.Hint
				}
				pass.Report(analysis.Diagnostic{Pos: position(pass, d.Position), End: position(pass, d.End),
					Category: d.Code, Message: message})
			}
			return nil, nil
		},
	}
}

// translatable reports whether a package is one of definitions, and not one that tests or calls them: it has a
// directive that runs defn, or a name that says where its functions are written to.
func translatable(p *translate.Package) bool {
	_, err := translate.TargetOf(p, "")
	return err == nil
}

// position returns the place of a diagnostic.
func position(pass *analysis.Pass, p token.Position) token.Pos {
	for _, f := range pass.Files {
		tf := pass.Fset.File(f.Pos())
		if tf.Name() == p.Filename && p.Offset <= tf.Size() {
			return tf.Pos(p.Offset)
		}
	}
	return token.NoPos
}
