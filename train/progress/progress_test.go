package progress_test

import (
	"bytes"
	"errors"
	"iter"
	"regexp"
	"strings"
	"testing"

	"github.com/go-nx/nx"
	"github.com/go-nx/nx/train"
	"github.com/go-nx/nx/train/progress"
)

type event = train.Event[struct{}]

// events are steps from first to last of 8, and an error.
func events(first, last int64, err error) iter.Seq2[event, error] {
	return func(yield func(event, error) bool) {
		for step := first; step <= last; step++ {
			e := event{Step: step, Steps: 8, Epoch: int(step-1) / 4, Rows: 16}
			e.Loss = nx.New(1 / float32(step))
			if !yield(e, nil) {
				return
			}
		}
		if err != nil {
			yield(event{}, err)
		}
	}
}

func TestBar(t *testing.T) {
	var b bytes.Buffer
	n := 0
	for e, err := range progress.Bar(events(3, 8, nil), progress.To(&b), progress.Every(1)) {
		if n++; err != nil || e.Step != int64(n+2) {
			t.Fatal(e.Step, err)
		}
	}
	frames := strings.Split(b.String(), "\r")
	shown := strings.Join(frames, "\n")
	for _, want := range []string{`epoch 1  loss 0\.3333 .*\(3/8\)`,
		`epoch 2  loss 0\.2  \d+ records/s  0s left .*\(5/8\)`,
		`epoch 2  loss 0\.125`} {
		if !regexp.MustCompile(want).MatchString(shown) {
			t.Errorf("no %s in\n%s", want, shown)
		}
	}
	if n != 6 || strings.TrimSpace(frames[len(frames)-1]) != "" {
		t.Errorf("%d events; the bar is left: %q", n, frames[len(frames)-1])
	}
}

// The bar is removed before an error is printed, and after break; the events are those of the run.
func TestBarEnds(t *testing.T) {
	var b bytes.Buffer
	failure := errors.New("no more records")
	var last error
	for _, err := range progress.Bar(events(1, 3, failure), progress.To(&b)) {
		if last = err; err != nil && !strings.HasSuffix(b.String(), "\r") {
			t.Errorf("the bar is shown beside the error: %q", b.String())
		}
	}
	if last != failure {
		t.Errorf("got %v", last)
	}
	b.Reset()
	for e := range progress.Bar(events(1, 8, nil), progress.To(&b)) {
		if e.Step == 2 {
			break
		}
	}
	if !strings.HasSuffix(b.String(), "\r") {
		t.Errorf("the bar is left: %q", b.String())
	}
	for range progress.Bar(events(1, 0, nil), progress.To(&b)) {
		t.Error("an event of an empty run")
	}
}

// Tests have no terminal.
func TestSilent(t *testing.T) {
	n := 0
	for range progress.Bar(events(1, 8, nil)) {
		n++
	}
	if n != 8 {
		t.Errorf("%d events", n)
	}
}
