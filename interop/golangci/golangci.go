// Package golangci makes the analyzers of nx a linter of golangci-lint, by its system of
// module plugins. In a folder with the file .custom-gcl.yml
//
//	version: v2.15.0
//	plugins:
//	  - module: github.com/go-nx/nx/interop/golangci
//	    version: latest
//
// "golangci-lint custom" builds a golangci-lint that has it; path: in the place of version: takes the
// module from a folder. It clones the repository of golangci-lint: where that cannot be, a file
// plugins.go beside the main.go of the same version that imports this package does what it does.
// The linter runs where .golangci.yml asks for it:
//
//	version: "2"
//	linters:
//	  enable: [nx]
//	  settings:
//	    custom:
//	      nx:
//	        type: module
//	        description: mistakes in programs that use nx
//	        original-url: github.com/go-nx/nx
//
// The linter has no settings. Package [github.com/go-nx/nx/vet] says what it finds.
package golangci

import (
	"github.com/golangci/plugin-module-register/register"
	"golang.org/x/tools/go/analysis"

	"github.com/go-nx/nx/vet"
)

func init() { register.Plugin("nx", New) }

// New returns the linter.
func New(settings any) (register.LinterPlugin, error) {
	_, err := register.DecodeSettings[struct{}](settings)
	return linter{}, err
}

type linter struct{}

// BuildAnalyzers returns the analyzers of package vet.
func (linter) BuildAnalyzers() ([]*analysis.Analyzer, error) { return vet.Analyzers(), nil }

// GetLoadMode reports that they need types.
func (linter) GetLoadMode() string { return register.LoadModeTypesInfo }
