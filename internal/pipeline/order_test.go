package pipeline

import "testing"

// TestOrder checks that the list of passes is in an order that all pairs of order allow, and that a reason says where
// each pass belongs.
func TestOrder(t *testing.T) {
	at := map[string]int{}
	for i, row := range listPasses() {
		if _, twice := at[row.name]; twice {
			t.Errorf("two passes have the name %q", row.name)
		}
		at[row.name] = i
	}
	placed, seen := map[string]bool{}, map[[2]string]bool{}
	for _, o := range order {
		before, ok := at[o.before]
		after, also := at[o.after]
		switch {
		case !ok || !also:
			t.Errorf("a reason is about %q and %q, which are not both passes", o.before, o.after)
		case before >= after:
			t.Errorf("%q must run before %q: %s", o.before, o.after, o.why)
		case o.why == "" || seen[[2]string{o.before, o.after}]:
			t.Errorf("%q before %q needs one reason", o.before, o.after)
		}
		seen[[2]string{o.before, o.after}] = true
		placed[o.before], placed[o.after] = true, true
	}
	for name := range at {
		if !placed[name] {
			t.Errorf("no reason says where %q runs", name)
		}
	}
}
