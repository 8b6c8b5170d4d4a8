package testkit

import (
	"strings"
	"testing"
)

func TestDiff(t *testing.T) {
	for _, c := range []struct{ want, got, diff string }{
		{"", "", ""},
		{"a b c", "a b c", ""},
		{"a b c", "a x c", " a|-b|+x| c|"},
		{"a b c d", "b c d e", "-a| b| c| d|+e|"},
		{"", "a", "-|+a|"},
		{"a b a b a", "b a b a b", "-a| b| a| b| a|+b|"},
		{"1 2 3 4 5 6 7 8 9 a b c", "0 2 3 4 5 6 7 8 9 a b d", "-1|+0| 2| 3| 4|…| 9| a| b|-c|+d|"},
	} {
		lines := func(words string) string { return strings.ReplaceAll(words, " ", "\n") }
		got := strings.ReplaceAll(Diff(lines(c.want), lines(c.got)), "\n", "|")
		if got != c.diff {
			t.Errorf("%q and %q: got %q, want %q", c.want, c.got, got, c.diff)
		}
	}
	long := strings.Repeat("a\n", 3000)
	if got := Diff("x\n"+long+"y", "z\n"+long+"w"); strings.Count(got, "\n") != 2*3002 {
		t.Errorf("long texts: %d lines", strings.Count(got, "\n"))
	}
}
