package main

import (
	"slices"
	"testing"
)

func TestFind(t *testing.T) {
	phrases, err := parse(phrasesText)
	if err != nil {
		t.Fatal(err)
	}
	tests := []struct {
		text string
		want []int // lines
	}{
		{"a vector of so many elements", []int{1}},
		{"the predicate is no scalar\nand no list", []int{1}},
		{"// the result is\n\t// no tensor", []int{1}},
		{"# an address that\n# is none", []int{1}},
		{"there is no scalar, if there are no tensors; it is no longer used, is there no place", nil},
		{"the code of rows alone", []int{1}},
		{"leave the rest alone; programs that stand alone", nil},
		{"if alone {\n\tx(y, alone.W)\n\talone := 1", nil},
		{"others are no such rows", []int{1}},
		{"a buffer is made, one a worker", []int{1}},
		{"what nobody reads\n\nof which none is kept", []int{1, 3}},
	}
	for _, c := range tests {
		var got []int
		for _, f := range find(phrases, []byte(c.text)) {
			got = append(got, f.line)
		}
		slices.Sort(got)
		if !slices.Equal(got, c.want) {
			t.Errorf("%q: found in lines %d, want %d", c.text, got, c.want)
		}
	}
}

func TestParseErrors(t *testing.T) {
	for _, list := range []string{"no advice", "except first", "( => close it"} {
		if _, err := parse(list); err == nil {
			t.Errorf("%q: no error", list)
		}
	}
}
