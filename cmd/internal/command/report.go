package command

import (
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/term"

	"github.com/go-nx/nx/stablehlo"
)

// report prints an error: one line for each mistake, and below it the source with a caret on a terminal.
// Indented lines of other errors, such as hints, are always shown.
func (s *Streams) report(err error) {
	ofSource := errors.As(err, new(*stablehlo.Error))
	shown := isTerminal(s.err) || !ofSource
	for line := range strings.Lines(err.Error()) {
		line = printable(strings.TrimSuffix(line, "\n"))
		switch {
		case !strings.HasPrefix(line, sourceIndent):
			fmt.Fprintln(s.err, s.name+":", line)
		case shown:
			fmt.Fprintln(s.err, line)
		}
	}
}

// sourceIndent starts the lines of source text in the errors of package stablehlo.
const sourceIndent = "    "

// reason returns in one line why a program failed: its first violation, or the position of the first failed
// check, without the name of the file.
func reason(path string, err error) string {
	text := err.Error()
	more := 0
	var list *stablehlo.Error
	if errors.As(err, &list) && len(list.Diagnostics) > 0 {
		text = list.Format(list.Diagnostics[0])
		more = len(list.Diagnostics) - 1
	}
	first, rest, _ := strings.Cut(text, "\n")
	if place, _, _ := strings.Cut(rest, "\n"); strings.HasPrefix(place, sourceIndent+"at [") {
		first += ": " + strings.TrimPrefix(place, sourceIndent)
	}
	first = printable(strings.Replace(first, path+":", "", 1))
	if more > 0 {
		first += fmt.Sprintf("; and %d more", more)
	}
	return first
}

// printable makes a text that may hold bytes of an input safe for one line of a
// terminal: control characters are escaped, long texts cut.
func printable(s string) string {
	const limit = 600
	if len(s) > limit {
		n := limit
		for n > 0 && !utf8.RuneStart(s[n]) {
			n--
		}
		s = s[:n] + "…"
	}
	if strings.IndexFunc(s, isControl) < 0 && utf8.ValidString(s) {
		return s
	}
	var b strings.Builder
	for _, r := range s {
		if isControl(r) {
			fmt.Fprintf(&b, "\\x%02x", r)
		} else {
			b.WriteRune(r)
		}
	}
	return b.String()
}

// isControl reports whether r is a control character other than tab.
func isControl(r rune) bool {
	return r != '\t' && (unicode.IsControl(r) || r == '\u2028' || r == '\u2029')
}

// isTerminal reports whether a person is at the other end of w.
func isTerminal(w io.Writer) bool {
	f, ok := w.(*os.File)
	return ok && term.IsTerminal(int(f.Fd()))
}
