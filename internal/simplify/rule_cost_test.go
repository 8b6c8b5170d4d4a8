package simplify_test

import (
	"testing"

	"github.com/go-nx/nx/internal/growth"
	"github.com/go-nx/nx/internal/simplify"
	"github.com/go-nx/nx/stablehlo"
)

// TestReachOfRules: no rule walks back through more than a few ops of a chain whose ops only use
// the one before, arguments and constants. A walk to the start of the chain for each of its ops
// would be quadratic.
func TestReachOfRules(t *testing.T) {
	const near = 256
	for _, f := range growth.Chains(false) {
		m, err := stablehlo.Parse(f.Name, []byte(f.Text(2*near)))
		if err != nil {
			t.Fatal(err)
		}
		main, _ := m.Func("main")
		if err := simplify.Inline(m, main); err != nil {
			t.Fatal(err)
		}
		if err := simplify.SimplifyNear(main, near); err != nil {
			t.Errorf("%s: %v", f.Name, err)
		}
	}
}
