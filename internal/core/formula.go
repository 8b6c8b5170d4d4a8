package core

import (
	"fmt"
	"slices"
	"unicode"
	"unicode/utf8"

	"github.com/go-nx/nx/diag"
)

// formula is the formula of [Einsum], with its operands.
type formula struct {
	text  string
	ts    []Tensor
	terms [][]letter // of each operand, one letter per axis
	out   string
}

// letter stands for an axis; those of "..." are private to the formula, the last one
// being theLast.
type letter struct {
	c  rune
	at int // its place in the text
}

const theLast = unicode.MaxRune

// isLetter reports whether c may stand for an axis.
func isLetter(c rune) bool { return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' }

// fail refuses the formula, pointing at a place of the text, or at none below 0.
func (f *formula) fail(code diag.Code, at int, format string, args ...any) {
	detail := fmt.Sprintf(format, args...)
	if at >= 0 {
		detail += fmt.Sprintf("\n        %s\n        %*s", f.text, utf8.RuneCountInString(f.text[:at])+1, "^")
	}
	failOn(code, "Einsum", f.ts, `a formula is like "ij,jk->ik"`, "the formula %q %s", f.text, detail)
}

// readFormula reads a formula for tensors.
func readFormula(text string, ts []Tensor) *formula {
	f := &formula{text: text, ts: ts}
	terms, result := f.split()
	if len(terms) != len(ts) || len(ts) == 0 {
		f.fail(ErrArgument, -1, "has %s, there are %s", plural(len(terms), "operand", "operands"),
			plural(len(ts), "tensor", "tensors"))
	}
	present("Einsum", operandsOf(ts)...)
	rest := 0 // the axes of "..."
	for i, term := range terms {
		n, ok := f.axes(i, term)
		if !ok {
			f.fail(ErrArgument, f.end(i), "gives operand %d %s, it has %d", i, plural(n, "axis", "axes"),
				len(ts[i].p.spec.Shape))
		}
		rest = max(rest, f.expand(term, len(ts[i].p.spec.Shape)))
	}
	count := map[rune]int{}
	for _, term := range f.terms {
		for _, l := range term {
			count[l.c]++
		}
	}
	if result == nil {
		f.out = string(dots(rest))
		var once []rune
		for c, n := range count {
			if n == 1 && isLetter(c) {
				once = append(once, c)
			}
		}
		slices.Sort(once)
		f.out += string(once)
		return f
	}
	f.result(*result, rest, count)
	return f
}

// dots returns the letters of the last n axes of "...".
func dots(n int) []rune {
	out := make([]rune, n)
	for i := range out {
		out[i] = theLast - rune(n-1-i)
	}
	return out
}

// result sets the letters of the result.
func (f *formula) result(term []letter, rest int, count map[rune]int) {
	var out []rune
	for _, l := range term {
		switch {
		case l.c == '.':
			out = append(out, dots(rest)...)
			continue
		case count[l.c] == 0:
			f.fail(ErrArgument, l.at, "has %q in the result and in no operand", l.c)
		case slices.Contains(out, l.c):
			f.fail(ErrArgument, l.at, "repeats %q in the result", l.c)
		}
		out = append(out, l.c)
	}
	f.out = string(out)
}

// split returns the terms of the operands and of the result, nil without an arrow;
// "..." is one letter '.'.
func (f *formula) split() (terms [][]letter, result *[]letter) {
	terms = [][]letter{nil}
	term := &terms[0]
	for i := 0; i < len(f.text); {
		c, size := utf8.DecodeRuneInString(f.text[i:])
		rest := f.text[i:]
		switch {
		case c == ' ':
		case isLetter(c):
			*term = append(*term, letter{c, i})
		case c == ',' && result == nil:
			terms = append(terms, nil)
			term = &terms[len(terms)-1]
		case len(rest) >= 2 && rest[:2] == "->" && result == nil:
			size, result = 2, &[]letter{}
			term = result
		case len(rest) >= 3 && rest[:3] == "...":
			if slices.ContainsFunc(*term, func(l letter) bool { return l.c == '.' }) {
				f.fail(ErrArgument, i, `repeats "..." within an operand or the result`)
			}
			size = 3
			*term = append(*term, letter{'.', i})
		default:
			f.fail(ErrArgument, i, `contains %q, axes are letters or "..."`, c)
		}
		i += size
	}
	return terms, result
}

// axes returns how many axes a term gives its operand without those of "...", and
// whether the operand has so many.
func (f *formula) axes(i int, term []letter) (n int, ok bool) {
	n = len(term)
	have := len(f.ts[i].p.spec.Shape)
	if slices.ContainsFunc(term, func(l letter) bool { return l.c == '.' }) {
		return n - 1, n-1 <= have
	}
	return n, n == have
}

// end returns where the term of an operand ends.
func (f *formula) end(i int) int {
	at := 0
	for ; at < len(f.text) && i >= 0; at++ {
		if f.text[at] == ',' || f.text[at] == '-' {
			i--
		}
	}
	if i < 0 {
		at-- // of the comma
	}
	return max(at-1, 0)
}

// expand adds a term with a letter for each axis; it returns how many "..." stands for.
func (f *formula) expand(term []letter, rank int) int {
	n := rank - len(term) + 1
	var out []letter
	rest := 0
	for _, l := range term {
		if l.c != '.' {
			out = append(out, l)
			continue
		}
		rest = n
		for _, c := range dots(n) {
			out = append(out, letter{c, l.at})
		}
	}
	f.terms = append(f.terms, out)
	return rest
}
