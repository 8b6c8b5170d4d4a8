package main

import (
	"slices"
	"strings"
	"testing"
)

func TestLongLines(t *testing.T) {
	wide := strings.Repeat("x", limit)
	src := "package p\n" +
		"// " + wide + "\n" + // 2
		"var " + wide[60:] + " = \"" + wide + "\"\n" + // 3
		"var b = f(\n\t\"" + wide + "\",\n" + // 5: little but a string
		"\t`" + wide + "\n" + wide + "y\n`, " + wide + ")\n" + // 6 to 8: a string of several lines
		"var ä = 1 // " + strings.Repeat("ä", limit-13) + "\n" + // 9: 120 columns
		"var ä = 1 // " + strings.Repeat("ä", limit-12) + "\n" + // 10
		"\tvar c = 1 // " + strings.Repeat("x", limit-17) + "\n" + // 11: 120 columns
		"\tvar c = 1 // " + strings.Repeat("x", limit-16) + "\n" // 12
	if got, want := longLines([]byte(src)), []int{2, 3, 10, 12}; !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}
