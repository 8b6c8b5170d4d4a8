package simplify

import (
	"testing"

	"github.com/go-nx/nx/internal/conformance/random"
	"github.com/go-nx/nx/internal/testkit/rewrites"
	"github.com/go-nx/nx/stablehlo/interp"
)

// TestRandomPrograms checks that folding, rules, merging of equal ops and recomputation preserve
// the bits of random programs.
func TestRandomPrograms(t *testing.T) {
	seeds := uint64(300)
	if testing.Short() {
		seeds = 30
	}
	fired := map[string]int{}
	for seed := range seeds {
		p, err := random.New(seed)
		if err != nil {
			t.Fatal(err)
		}
		m := p.Module.Clone()
		f, _ := m.Func("main")
		if err := Fold(f, rewrites.Evaluate); err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		simplified(t, f, fired)
		if err := Rematerialise(f, 1, "nx.rematerialised"); err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		if err := m.Verify(); err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		var args []interp.Value
		for i, a := range f.Args() {
			v, err := interp.NewTensor(a.Tensor(), p.Args[i])
			if err != nil {
				t.Fatal(err)
			}
			args = append(args, v)
		}
		want, got := rewrites.Call(t, p.Module, args), rewrites.Call(t, m, args)
		for i := range want {
			if why := rewrites.Differs(want[i], got[i]); why != "" {
				t.Errorf("seed %d: result %d: %s\n%s\n%s", seed, i, why, p.Module, m)
			}
		}
	}
	t.Log("rules applied:", fired)
}
