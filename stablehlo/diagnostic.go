package stablehlo

import (
	"fmt"
	"sort"
	"strings"
	"sync"
	"unicode/utf8"
)

// Pos is a position in a [Source]: the byte offset plus one; 0 means no position.
type Pos int

// Source is the text of a module, with its name for messages.
type Source struct {
	Name string
	Text []byte
	// Line0 is added to line numbers: the lines before Text in the file it was cut from.
	Line0 int
	once  sync.Once
	lines []int // offsets of line starts, built on first use
}

// LineCol returns the 1-based line and column (in bytes) of p.
func (s *Source) LineCol(p Pos) (line, col int) {
	s.once.Do(func() {
		s.lines = append(s.lines, 0)
		for i, c := range s.Text {
			if c == '\n' {
				s.lines = append(s.lines, i+1)
			}
		}
	})
	off := max(int(p)-1, 0)
	i := sort.SearchInts(s.lines, off+1) - 1
	return i + 1 + s.Line0, off - s.lines[i] + 1
}

// Line returns the text of the line that holds p.
func (s *Source) Line(p Pos) string {
	line, _ := s.LineCol(p)
	i := line - 1 - s.Line0
	end := len(s.Text)
	if i+1 < len(s.lines) {
		end = s.lines[i+1] - 1
	}
	return strings.TrimSuffix(string(s.Text[s.lines[i]:end]), "\r")
}

// Diagnostic is one violation found by the parser or the verifier.
type Diagnostic struct {
	Pos Pos // in the source; 0 for a module that was built
	// Constraint is the specification's id ("add_c2"), "" when the specification has none.
	Constraint string
	Message    string // what is wrong
	Op         string // the op as printed, without its regions; "" outside an op
	Loc        Location
}

// Error lists all violations found in a module. It is the error of [Parse] and
// [Module.Verify].
type Error struct {
	Source      *Source // nil when the module was built
	Diagnostics []Diagnostic
}

// Error formats the violations in order: position, message with constraint id, source line with a caret (or
// the op as printed).
func (e *Error) Error() string {
	var b strings.Builder
	const maxShown = 20
	for i, d := range e.Diagnostics {
		if i == maxShown {
			fmt.Fprintf(&b, "\n… and %d more", len(e.Diagnostics)-maxShown)
			break
		}
		if i > 0 {
			b.WriteByte('\n')
		}
		b.WriteString(e.Format(d))
	}
	return b.String()
}

// Format formats one violation.
func (e *Error) Format(d Diagnostic) string {
	var b strings.Builder
	if e.Source != nil && d.Pos > 0 {
		line, col := e.Source.LineCol(d.Pos)
		name := e.Source.Name
		if name == "" {
			name = "<input>"
		}
		fmt.Fprintf(&b, "%s:%d:%d: ", name, line, col)
	}
	b.WriteString(d.Message)
	if d.Constraint != "" {
		fmt.Fprintf(&b, " (%s)", d.Constraint)
	}
	if e.Source != nil && d.Pos > 0 {
		writeCaret(&b, e.Source, d.Pos)
	} else if d.Op != "" {
		fmt.Fprintf(&b, "\n    in: %s", clip(d.Op, 300))
	}
	return b.String()
}

// writeCaret prints the source line with a caret below the position; a long line is clipped around it.
func writeCaret(b *strings.Builder, s *Source, p Pos) {
	line := s.Line(p)
	_, col := s.LineCol(p)
	col = min(col-1, len(line))
	before, behind := line[:col], line[col:]
	const maxBefore, width = 60, 120
	if len(line) > width && len(before) > maxBefore {
		cut := len(before) - maxBefore
		for cut < len(before) && !utf8.RuneStart(before[cut]) {
			cut++
		}
		before = "…" + before[cut:]
	}
	pad := strings.Map(func(r rune) rune {
		if r == '\t' {
			return '\t'
		}
		return ' '
	}, before)
	fmt.Fprintf(b, "\n    %s%s\n    %s^", before, clip(behind, width-min(len(before), maxBefore)), pad)
}

func clip(s string, n int) string {
	if len(s) <= n {
		return s
	}
	for n > 0 && s[n]&0xC0 == 0x80 { // do not cut a rune
		n--
	}
	return s[:n] + "…"
}
