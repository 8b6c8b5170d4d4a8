package onig

import (
	"errors"
	"slices"
	"strings"
	"testing"
)

// TestFindAll: matches as Oniguruma's scan gives them. The random tokenizers of package token compare more patterns.
func TestFindAll(t *testing.T) {
	for _, c := range []struct {
		pattern, text string
		want          []int32
	}{
		{`\s+(?!\S)|\s+`, "a  b ", []int32{1, 2, 2, 3, 4, 5}},
		{`[0-9]{3}`, "1234567", []int32{0, 3, 3, 6}},
		{`(?i:'s|'t)|\p{L}+`, "it'S x", []int32{0, 2, 2, 4, 5, 6}},
		{``, "abc", []int32{0, 0, 1, 1, 2, 2, 3, 3}},
		{`(?<=a)b`, "abcb", []int32{1, 2}},
		{`(?<!a)b`, "abcb", []int32{3, 4}},
		{`x*`, "axxb", []int32{0, 0, 1, 3, 4, 4}},
		{`(\w)\1`, "hello", []int32{2, 4}},
		{`[a-z&&[^m-p]]+`, "almost", []int32{0, 2, 4, 6}},
		{`\w`, "²a", []int32{0, 2, 2, 3}},
		{`[\w]`, "²a", []int32{2, 3}},
		{`a++a`, "aaa", nil},
	} {
		re, err := Compile(c.pattern)
		if err != nil {
			t.Errorf("%s: %v", c.pattern, err)
			continue
		}
		got, err := re.FindAll([]byte(c.text), nil)
		if err != nil || !slices.Equal(got, c.want) {
			t.Errorf("%s in %q: %v, %v; want %v", c.pattern, c.text, got, err, c.want)
		}
	}
}

func TestCompileErrors(t *testing.T) {
	for _, pattern := range []string{`(`, `)`, `[a`, `a{3,2}`, `*`, `\p{Nothing}`, `\X`, `(?<a`, `\k<b>`, `[z-a]`, `\`,
		"\xff", strings.Repeat("(", 300), `(?:(?:a{900}){900}){900}`} {
		if _, err := Compile(pattern); err == nil {
			t.Errorf("%.40q compiles", pattern)
		}
	}
}

// TestBudget: a pattern that tries all ways to share a text between two loops gives up.
func TestBudget(t *testing.T) {
	re, err := Compile(`(a|aa)+$`)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := re.FindAll([]byte(strings.Repeat("a", 200)+"b"), nil); !errors.Is(err, ErrBudget) {
		t.Errorf("%v, want %v", err, ErrBudget)
	}
}
