package command

import (
	"bytes"
	"strings"
	"testing"
)

func TestProgress(t *testing.T) {
	var out bytes.Buffer
	p := &progress{w: &out, total: 4}
	p.step()
	bar := out.String()
	if want := "\rchecking [" + strings.Repeat("=", 10) + strings.Repeat(" ", 30) + "] 1/4"; bar != want {
		t.Errorf("the bar is %q, want %q", bar, want)
	}
	out.Reset()
	p.clear()
	if got, want := out.String(), "\r"+strings.Repeat(" ", len(bar)-1)+"\r"; got != want {
		t.Errorf("clear writes %q, want %q", got, want)
	}
	out.Reset()
	p.finish()
	if out.Len() != 0 {
		t.Errorf("what is clear is cleared again by %q", out.String())
	}
	p = newProgress(&out, 4) // no terminal
	p.step()
	p.finish()
	if out.Len() != 0 {
		t.Errorf("%q is written to an output that is not a terminal", out.String())
	}
}
