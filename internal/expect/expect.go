// Package expect reads the comments of a test program on expected errors, in the form of MLIR's own tests:
//
//	// expected-error@+1 {{what is wrong}}
//
// The position is relative to the line of the comment: @+1, @-2, or the same line by default; @above and
// @below mean the nearest line without such a comment.
package expect

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// Expectation is an error that must be reported.
type Expectation struct {
	Line   int    // the 1-based line of the error; 0 when any line will do (@unknown)
	Text   string // the expected message
	Regexp bool   // Text has regular expressions in {{…}}
}

var comment = regexp.MustCompile(`//.*?expected-error(-re)? *(@[-+]\d+|@above|@below|@unknown)? *\{\{(.*)\}\}`)

// Parse returns the errors that the comments of a program expect, in the order
// of the comments.
func Parse(text string) []Expectation {
	var all []Expectation
	var below []int // indices into all that wait for the next line without a comment
	above := 0      // the last line without a comment
	n := 0
	for line := range strings.Lines(text) {
		n++
		m := comment.FindStringSubmatch(line)
		if m == nil {
			above = n
			for _, i := range below {
				all[i].Line = n
			}
			below = below[:0]
			continue
		}
		e := Expectation{Text: m[3], Regexp: m[1] != ""}
		switch place := strings.TrimPrefix(m[2], "@"); place {
		case "above":
			e.Line = above
		case "below":
			below = append(below, len(all))
		case "unknown":
		case "":
			e.Line = n
		default:
			d, err := strconv.Atoi(place)
			if err != nil {
				continue // more digits than any file has lines
			}
			e.Line = max(n+d, 0)
		}
		all = append(all, e)
	}
	return all
}

// Met reports whether an error was reported at the line of one of the expectations.
func Met(expected []Expectation, lines []int) bool {
	return slices.ContainsFunc(expected, func(e Expectation) bool {
		return e.Line == 0 && len(lines) > 0 || slices.Contains(lines, e.Line)
	})
}
