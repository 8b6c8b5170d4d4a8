package golangci_test

import (
	"testing"

	"github.com/golangci/plugin-module-register/register"

	_ "github.com/go-nx/nx/interop/golangci"
	"github.com/go-nx/nx/vet"
)

// TestPlugin gets the linter as golangci-lint does: by its name, with settings of .golangci.yml.
func TestPlugin(t *testing.T) {
	plugin, err := register.GetPlugin("nx")
	if err != nil {
		t.Fatal(err)
	}
	linter, err := plugin(nil)
	if err != nil {
		t.Fatal(err)
	}
	analyzers, err := linter.BuildAnalyzers()
	if err != nil {
		t.Fatal(err)
	}
	if len(analyzers) != len(vet.Analyzers()) || linter.GetLoadMode() != register.LoadModeTypesInfo {
		t.Errorf("%d analyzers in mode %q", len(analyzers), linter.GetLoadMode())
	}
	if _, err := plugin(map[string]any{"depth": 3}); err == nil {
		t.Error("a setting that there is not is taken")
	}
}
