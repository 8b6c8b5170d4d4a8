package command

import (
	"io"
	"time"

	"github.com/schollz/progressbar/v3"
)

// progress is a bar on a terminal, and nothing elsewhere: its methods may be
// called on nil.
type progress struct{ bar *progressbar.ProgressBar }

func newProgress(w io.Writer, total int) *progress {
	if !isTerminal(w) {
		return nil
	}
	return &progress{progressbar.NewOptions(total,
		progressbar.OptionSetWriter(w),
		progressbar.OptionSetDescription("checking"),
		progressbar.OptionShowCount(),
		progressbar.OptionThrottle(100*time.Millisecond),
		progressbar.OptionClearOnFinish())}
}

// The errors of a terminal that cannot show a bar do not matter.

func (p *progress) step() {
	if p != nil {
		_ = p.bar.Add(1)
	}
}

// clear removes the bar so that a line can be printed in its place.
func (p *progress) clear() {
	if p != nil {
		_ = p.bar.Clear()
	}
}

func (p *progress) finish() {
	if p != nil {
		_ = p.bar.Finish()
	}
}
