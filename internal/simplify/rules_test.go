package simplify

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/go-nx/nx/internal/testkit/rewrites"
	"github.com/go-nx/nx/stablehlo"
)

// golden is [rewrites.Golden] of @main after transform, with dead code removed.
func golden(t *testing.T, file string, transform func(t *testing.T, name string, f stablehlo.Func) (sums bool)) {
	rewrites.Golden(t, file, func(t *testing.T, name string, f stablehlo.Func) bool {
		sums := transform(t, name, f)
		DeadCode(f.Body(), f.Effects())
		return sums
	})
}

// TestRules has a case for every rule: "rule" or "rule/variant". A name that begins with "!" is a
// program that the rule must not change.
func TestRules(t *testing.T) {
	files, err := filepath.Glob(filepath.Join("testdata", "rules", "*.txt"))
	if err != nil || len(files) == 0 {
		t.Fatal("no rules", err)
	}
	covered := map[string]bool{}
	for _, file := range files {
		golden(t, file, func(t *testing.T, name string, f stablehlo.Func) bool {
			rule, _, _ := strings.Cut(strings.TrimPrefix(name, "!"), "/")
			wanted := name[0] != '!'
			fired := map[string]int{}
			simplified(t, f, fired)
			if got := fired[rule] > 0; got != wanted {
				t.Errorf("the rule fired: %v, want %v; all that did: %v", got, wanted, fired)
			}
			covered[rule] = covered[rule] || wanted
			return slices.ContainsFunc(reassociating, func(name string) bool { return fired[name] > 0 })
		})
	}
	for _, r := range listRules() {
		if !covered[r.Name] {
			t.Errorf("rule %s has no case in testdata/rules", r.Name)
		}
	}
}

// simplified is Simplify and DeadCode; fired counts the rules applied.
func simplified(t *testing.T, f stablehlo.Func, fired map[string]int) {
	t.Helper()
	s := newSimplifier(f, rules.Get(newRules), nil)
	s.fired = fired
	if err := s.run("simplify", f); err != nil {
		t.Fatal(err)
	}
	DeadCode(f.Body(), f.Effects())
}
