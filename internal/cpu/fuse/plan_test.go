package fuse_test

import (
	"testing"

	"github.com/go-nx/nx/internal/cpu/fuse"
	"github.com/go-nx/nx/internal/cpu/program"
	"github.com/go-nx/nx/internal/testkit"
	"github.com/go-nx/nx/stablehlo"
)

// TestPlan prints the plans of small programs: a change of the planner's decisions is a difference
// in testdata.
func TestPlan(t *testing.T) {
	testkit.Golden(t, "testdata/plan.txt", func(t *testing.T, _, in string) string {
		m, err := stablehlo.Parse("test", []byte(in))
		if err == nil {
			err = m.Verify()
		}
		if err != nil {
			t.Fatal(err)
		}
		f, _ := m.Func("main")
		p, err := fuse.Build(f)
		if err == nil {
			err = p.Verify()
		}
		if err != nil {
			t.Fatal(err)
		}
		sameAfterReading(t, p)
		return p.Kernels()
	})
}

// sameAfterReading checks that the text of a program is complete.
func sameAfterReading(t *testing.T, p *program.Program) {
	t.Helper()
	reread, err := program.Parse(p.Listing())
	if err == nil {
		err = reread.Verify()
	}
	if err != nil {
		t.Fatalf("%v\n%s", err, p.Listing())
	}
	if reread.Listing() != p.Listing() {
		t.Errorf("read back:\n%s\nfrom\n%s", reread.Listing(), p.Listing())
	}
}
