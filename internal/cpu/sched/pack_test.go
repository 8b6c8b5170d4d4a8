package sched

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// TestPack: temporaries that are live together share no memory, and the arena is not much larger than the live ones.
func TestPack(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for name, pack := range map[string]func([]temp, func()) int64{"by size": packBySize, "in order": packByStart} {
		for range 30 {
			temps := make([]temp, 300)
			for i := range temps {
				from := r.IntN(1000)
				temps[i] = temp{buffer: i, Life: Life{from, from + r.IntN(60)}, size: align * int64(r.IntN(40))}
			}
			arena := pack(temps, func() {})
			if len(temps) != 300 {
				t.Fatalf("%s: %d temporaries", name, len(temps))
			}
			for i, a := range temps {
				if a.offset < 0 || a.offset%align != 0 || a.end() > arena {
					t.Fatalf("%s: a temporary at %d to %d in an arena of %d", name, a.offset, a.end(), arena)
				}
				for _, b := range temps[:i] {
					if a.From <= b.To && b.From <= a.To && a.offset < b.end() && b.offset < a.end() {
						t.Fatalf("%s: %+v and %+v share memory", name, a, b)
					}
				}
			}
			var live int64
			for at := range 1060 {
				var n int64
				for _, x := range temps {
					if x.From <= at && at <= x.To {
						n += x.size
					}
				}
				live = max(live, n)
			}
			if limit := map[string]int64{"by size": live * 3 / 2, "in order": live * 4}[name]; arena > limit {
				t.Errorf("%s: an arena of %d bytes, at most %d live at the same time", name, arena, live)
			}
		}
	}
}

// TestPackEqual: for temporaries of one size, as in loops of layers, both methods need the size of the live ones.
func TestPackEqual(t *testing.T) {
	temps := make([]temp, 2*maxSearched)
	for i := range temps {
		temps[i] = temp{buffer: i, Life: Life{i, i + 9}, size: 100 * align}
	}
	few := slices.Clone(temps[:500])
	if arena := packBySize(few, func() {}); arena != 10*100*align {
		t.Errorf("by size: an arena of %d bytes", arena)
	}
	if arena, live := packByStart(temps, func() {}), 10*roundedSize(100*align); arena != live {
		t.Errorf("in order: an arena of %d bytes, want %d", arena, live)
	}
}
