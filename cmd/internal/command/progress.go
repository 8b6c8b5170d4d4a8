package command

import (
	"fmt"
	"io"
	"strings"
	"time"
)

// progress is a bar on a terminal, and nil elsewhere: its methods accept nil. Errors of the terminal are
// ignored.
type progress struct {
	w           io.Writer
	done, total int
	drawn       time.Time
	width       int // of the text on the terminal
}

func newProgress(w io.Writer, total int) *progress {
	if !isTerminal(w) {
		return nil
	}
	return &progress{w: w, total: total}
}

// step draws the bar one step further, but not so often that it flickers.
func (p *progress) step() {
	if p == nil {
		return
	}
	p.done++
	if time.Since(p.drawn) < 100*time.Millisecond {
		return
	}
	const length = 40
	filled := min(p.done*length/max(p.total, 1), length)
	bar := strings.Repeat("=", filled) + strings.Repeat(" ", length-filled)
	n, _ := fmt.Fprintf(p.w, "\rchecking [%s] %d/%d", bar, p.done, p.total)
	p.drawn, p.width = time.Now(), n-1
}

// clear removes the bar, so that a line can be printed.
func (p *progress) clear() {
	if p != nil && p.width > 0 {
		_, _ = fmt.Fprintf(p.w, "\r%*s\r", p.width, "")
		p.width = 0
	}
}

func (p *progress) finish() { p.clear() }
