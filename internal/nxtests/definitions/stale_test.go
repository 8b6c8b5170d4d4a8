package definitions

import (
	"testing"

	"github.com/go-nx/nx/internal/translate"
)

// TestUpToDate fails where a file of this package is not what defn makes of the definitions now.
func TestUpToDate(t *testing.T) {
	results, err := translate.Generate(translate.Options{Dir: ".", Check: true}, "./...")
	if err != nil {
		t.Fatal(err)
	}
	if len(results) != 4 {
		t.Errorf("%d packages", len(results))
	}
	for _, r := range results {
		if r.Stale {
			t.Errorf("%s is stale: run go generate in %s", r.File, r.Package)
		}
	}
}
