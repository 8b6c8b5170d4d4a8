// Package progress shows a bar while a model is trained:
//
//	for e, err := range progress.Bar(t.Run(ctx, &s, batches)) {
//
// The bar has the epoch, the loss, the records per second and the time left. Where standard error is not a terminal
// nothing is shown.
package progress

import (
	"fmt"
	"io"
	"iter"
	"os"
	"time"

	"github.com/schollz/progressbar/v3"
	"golang.org/x/term"

	"github.com/go-nx/nx/train"
)

// Option is an option of [Bar].
type Option interface{ option(*options) }

type options struct {
	w     io.Writer
	every time.Duration
}

type toOption struct{ w io.Writer }
type everyOption time.Duration

// To shows the bar on a writer, whether it is a terminal or not.
func To(w io.Writer) Option { return toOption{w} }

// Every is the time between two looks at the loss, 100 ms without it: each of them waits for the step.
func Every(d time.Duration) Option { return everyOption(d) }

func (o toOption) option(p *options)    { p.w = o.w }
func (o everyOption) option(p *options) { p.every = time.Duration(o) }

// Bar yields the events of a run, and shows how far it is. The bar is removed when the loop ends.
func Bar[A any](events iter.Seq2[train.Event[A], error], opts ...Option) iter.Seq2[train.Event[A], error] {
	o := options{every: 100 * time.Millisecond}
	for _, opt := range opts {
		if opt != nil {
			opt.option(&o)
		}
	}
	if o.w == nil {
		if !term.IsTerminal(int(os.Stderr.Fd())) {
			return events
		}
		o.w = os.Stderr
	}
	return func(yield func(train.Event[A], error) bool) {
		var b bar
		defer b.end()
		for e, err := range events {
			if err == nil {
				b.show(o, e.Steps, e.Step, e.Rows, func() string {
					return fmt.Sprintf("epoch %d  loss %.4g", e.Epoch+1, e.LossValue())
				})
			} else {
				b.end() // before the error is printed
			}
			if !yield(e, err) {
				return
			}
		}
	}
}

// bar is what is shown of a run.
type bar struct {
	bar         *progressbar.ProgressBar
	begin, last time.Time
	first       int64 // step
	rows        int   // after the first step
}

// show shows that a step is made, if it is time.
func (b *bar) show(o options, steps, step int64, rows int, describe func() string) {
	now := time.Now()
	if b.bar == nil {
		b.begin, b.first = now, step // the first step compiles, and says nothing about the rate
		b.bar = progressbar.NewOptions64(steps, progressbar.OptionSetWriter(o.w), progressbar.OptionSetWidth(20),
			progressbar.OptionShowCount(), progressbar.OptionClearOnFinish(), progressbar.OptionSetPredictTime(false),
			progressbar.OptionSetElapsedTime(false))
	} else {
		b.rows += rows
		if now.Sub(b.last) < o.every && step != steps {
			return
		}
	}
	b.last = now
	text := describe()
	if t := now.Sub(b.begin); step > b.first && t > 0 {
		left := time.Duration(float64(t) / float64(step-b.first) * float64(steps-step))
		text += fmt.Sprintf("  %.0f records/s  %v left", float64(b.rows)/t.Seconds(), left.Round(time.Second))
	}
	b.bar.Describe(text)
	b.bar.Set64(step)
}

// end removes the bar.
func (b *bar) end() {
	if b.bar != nil {
		b.bar.Finish()
		b.bar = nil
	}
}
