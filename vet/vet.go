// Package vet finds mistakes in programs that use nx which the compiler accepts and which show late or never
// when the program runs: an integer division of constants in an operand of a tensor function, functions
// compiled again in a loop, compiled bound methods, writes to outer variables in traced functions, and gradients of
// functions whose result is a vector; and what numerical definitions (package defn) must not do.
//
// "nx vet ./..." runs the analyzers by the command nx-vet, which implements the protocol of go vet:
//
//	go vet -vettool=$(which nx-vet) ./...
//
// Other drivers use [Analyzers]; package interop/golangci, a separate module, makes them a linter of
// golangci-lint.
package vet

import (
	"go/ast"
	"go/types"
	"strings"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/analysis/passes/inspect"
	"golang.org/x/tools/go/ast/inspector"
	"golang.org/x/tools/go/types/typeutil"
)

// Analyzers returns all analyzers.
func Analyzers() []*analysis.Analyzer {
	return []*analysis.Analyzer{division(), loop(), bound(), captured(), gradient(), definitions()}
}

const module = "github.com/go-nx/nx"

// analyzer returns an analyzer that walks the files of a package.
func analyzer(name, doc string, run func(pass *analysis.Pass, in *inspector.Inspector)) *analysis.Analyzer {
	return &analysis.Analyzer{
		Name:     name,
		Doc:      doc,
		URL:      "https://pkg.go.dev/" + module + "/vet",
		Requires: []*analysis.Analyzer{inspect.Analyzer},
		Run: func(pass *analysis.Pass) (any, error) {
			run(pass, pass.ResultOf[inspect.Analyzer].(*inspector.Inspector))
			return nil, nil
		},
	}
}

// callee returns the function of nx, or of a package under it, that a call is of.
func callee(info *types.Info, call *ast.CallExpr) *types.Func {
	f := typeutil.StaticCallee(info, call)
	if f == nil || f.Pkg() == nil {
		return nil
	}
	if path := f.Pkg().Path(); path != module && !strings.HasPrefix(path, module+"/") {
		return nil
	}
	return f
}

// isOf reports whether a call is of a function with one of the names: of package nx, or of a package below it, as
// debug.Hook.
func isOf(info *types.Info, call *ast.CallExpr, names map[string]bool) bool {
	f := callee(info, call)
	if f == nil || f.Signature().Recv() != nil {
		return false
	}
	name := f.Name()
	if rest, below := strings.CutPrefix(f.Pkg().Path(), module+"/"); below {
		name = rest + "." + name
	}
	return names[name]
}

// isTensor reports whether a type is nx.Tensor.
func isTensor(t types.Type) bool {
	n, ok := types.Unalias(t).(*types.Named)
	return ok && n.Obj().Name() == "Tensor" && n.Obj().Pkg() != nil && n.Obj().Pkg().Path() == module
}

// compiles are the functions that compile what they get.
var compiles = map[string]bool{"Jit": true, "Compile": true, "Stream": true}
