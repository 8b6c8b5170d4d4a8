package emit_test

import (
	"fmt"
	"testing"

	"github.com/go-nx/nx/internal/emit"
	"github.com/go-nx/nx/stablehlo"
)

// TestOrigin: what transformations write around a location is read back; the axes of batches are known outside of
// derivatives of them only.
func TestOrigin(t *testing.T) {
	file := &stablehlo.FileLoc{File: "a.go", Line: 7}
	reverse := func(l stablehlo.Location) stablehlo.Location { return emit.Derivative(l, true) }
	batch := func(n int64, m emit.Member, l stablehlo.Location) stablehlo.Location { return emit.Batched(l, n, m) }
	for _, c := range []struct {
		at   stablehlo.Location
		want string
	}{
		{nil, "false false [] []"},
		{file, "false false [] []"},
		{reverse(reverse(file)), "true false [] []"},
		{emit.Derivative(file, false), "false true [] []"},
		{batch(8, emit.FirstAxis, file), "false false [{8 axis 0}] [0]"},
		{batch(4, emit.FirstAxis, batch(8, emit.FirstAxis, file)), "false false [{4 axis 0} {8 axis 0}] [0 1]"},
		{batch(4, emit.FirstAxis, batch(8, emit.Elsewhere, file)), "false false [{4 axis 0} {8 anywhere}] [0 -1]"},
		{batch(4, emit.Elsewhere, batch(8, emit.FirstAxis, file)), "false false [{4 anywhere} {8 anywhere}] [-1 -1]"},
		{batch(4, emit.Iterations, batch(8, emit.FirstAxis, file)), "false false [{4 loop} {8 axis 0}] [-1 0]"},
		{batch(4, emit.FirstAxis, reverse(batch(8, emit.FirstAxis, file))),
			"true false [{4 axis 0} {8 anywhere}] [0 -1]"},
		{reverse(batch(8, emit.FirstAxis, file)), "true false [{8 anywhere}] [-1]"},
		{&stablehlo.NameLoc{Name: "jit(f)/vmap of x", Child: file}, "false false [] []"},
	} {
		o := emit.OriginOf(c.at)
		axes := make([]int, len(o.Batches))
		for i := range axes {
			axes[i] = o.Axis(i)
		}
		if got := fmt.Sprint(o.Reverse, o.Tangent, o.Batches, axes); got != c.want || c.at != nil && o.File != file {
			t.Errorf("got %s, %v, want %s", got, o.File, c.want)
		}
	}
}

// TestFileOf finds the file in locations of each form.
func TestFileOf(t *testing.T) {
	file := &stablehlo.FileLoc{File: "a.go", Line: 7}
	other := &stablehlo.FileLoc{File: "b.go", Line: 8}
	for _, l := range []stablehlo.Location{file, &stablehlo.NameLoc{Name: "f", Child: file},
		&stablehlo.CallSiteLoc{Callee: file, Caller: other},
		&stablehlo.FusedLoc{Locs: []stablehlo.Location{&stablehlo.NameLoc{Name: "f"}, file, other}}} {
		if got := stablehlo.FileOf(l); got != file {
			t.Errorf("%v: got %v", l, got)
		}
	}
	if got := stablehlo.FileOf(&stablehlo.NameLoc{Name: "f"}); got != nil {
		t.Errorf("only a name: got %v", got)
	}
}
