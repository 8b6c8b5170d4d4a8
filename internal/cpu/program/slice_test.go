package program_test

import (
	"fmt"
	"testing"

	"github.com/go-nx/nx/internal/cpu/program"
)

// TestReplacesSlice: an array may be changed in place by a kernel that reads the elements that it
// writes, element by element, but not by one that reads other elements there.
func TestReplacesSlice(t *testing.T) {
	for _, c := range []struct {
		name, slice, of string
		load            int
		want            bool
	}{
		{"the same part", ", by operand 2 to 3 of 8", "b0 f32[4][8]", 1, true},
		{"by another index", ", by operand 3 to 3 of 8", "b0 f32[4][8]", 1, false},
		{"other elements of it", ", by operand 2 to 3 of 8", "b0 f32[4][8]", 0, false},
		{"of another array", ", by operand 2 to 3 of 8", "b4 f32[4][8]", 1, false},
	} {
		p, err := program.Parse(fmt.Sprintf(`args b0 f32[4][8], b1 s32, b2 s32, b4 f32[4][8]
b3 f32[4][8] = kernel copy(%s, b0 f32[4][8], b1 s32, b2 s32)
  slice p1 of operand 1, by operand 2 to 3 of 8
  slice p0%s
  kernel copy [8]
    over f32[8], f32[8]
    %%0 = load p0[%d] : f32
    store p1[1] = %%0 : f32
return b3 f32[4][8]`, c.of, c.slice, c.load))
		if err == nil {
			err = p.Verify()
		}
		if err != nil {
			t.Fatal(err)
		}
		n := p.Main.Nodes[0]
		if got := program.Replaces(n, 0, 0); got != c.want {
			t.Errorf("%s: replaces is %t", c.name, got)
		}
		if !program.Replaces(n, 1, 0) || program.Replaces(n, 2, 0) {
			t.Errorf("%s: the array cannot be replaced, or an index can", c.name)
		}
	}
}
