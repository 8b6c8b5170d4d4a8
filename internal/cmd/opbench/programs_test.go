package main

import (
	"strings"
	"testing"

	"github.com/go-nx/nx/stablehlo"
)

// TestEveryOp checks that every op of the table is timed or has a reason why not,
// and that no two programs have one name.
func TestEveryOp(t *testing.T) {
	used, names := map[stablehlo.OpCode]bool{}, map[string]bool{}
	for _, p := range programs() {
		if names[p.name] {
			t.Errorf("two programs are called %s", p.name)
		}
		names[p.name] = true
		m, err := stablehlo.Parse(p.name, []byte(p.text))
		if err != nil {
			t.Fatal(err)
		}
		for op := range m.Walk() {
			used[op.Code] = true
		}
	}
	t.Logf("%d programs", len(names))
	for c, info := range stablehlo.Ops() {
		if why := notTimed(c); !used[c] && why == "" {
			t.Errorf("%s has no program and no reason for that", info.Name)
		} else if why != "" && strings.TrimSpace(why) == "" {
			t.Errorf("%s: the reason is empty", info.Name)
		}
	}
	for c, uses := range special {
		for _, u := range uses {
			accepted := false
			for _, d := range append(u.elems, elems...) {
				m, err := stablehlo.Parse("", []byte(u.program(d)))
				accepted = accepted || err == nil && m.Verify() == nil
			}
			if !accepted {
				d := append(u.elems, elems[7])[0]
				m, err := stablehlo.Parse("", []byte(u.program(d)))
				if err == nil {
					err = m.Verify()
				}
				t.Errorf("%s %s is valid for no type: %v", c, u.name, err)
			}
		}
	}
}
