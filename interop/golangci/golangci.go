// Package golangci makes the analyzers of nx a linter of golangci-lint, by its system of
// module plugins. In a folder with the file .custom-gcl.yml
//
//	version: v2.15.0
//	plugins:
//	  - module: github.com/go-nx/nx/interop/golangci
//	    version: latest
//
// "golangci-lint custom" builds a golangci-lint with it; with path: instead of version: it uses the module of
// a folder. It clones the repository of golangci-lint: where that is not possible, add a file plugins.go that
// imports this package next to the main.go of the same version. Enable the linter in .golangci.yml:
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
// The linter has no settings. See package [github.com/go-nx/nx/vet] for its checks.
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
