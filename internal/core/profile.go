package core

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"sort"
	"strings"
	"sync"
	"sync/atomic"
	"text/tabwriter"
	"time"

	"github.com/go-nx/nx/backend"
	"github.com/go-nx/nx/diag"
	"github.com/go-nx/nx/stablehlo"
)

// LineTime is debug.LineTime.
type LineTime struct {
	Lines []string // file:line, as editors open them
	Op    string   // what took the time: the node of compiled code, or the function called
	Count int      // how often
	Time  time.Duration
}

// Profile is debug.Profile.
type Profile struct {
	Total time.Duration // of the whole function
	Lines []LineTime    // the slowest first
}

// String returns a table of the lines that took at least a thousandth of the time, and of
// what was spent elsewhere: by Go code, and on tracing and compiling. A row has the share, the time,
// how often, the op, and the first of its lines.
func (p Profile) String() string {
	var b strings.Builder
	w := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
	row := func(d time.Duration, count, op, lines string) {
		share := 100 * d.Seconds() / max(p.Total.Seconds(), 1e-9)
		fmt.Fprintf(w, "%.1f%%\t%v\t%s\t%s\t%s\n", share, d.Round(time.Microsecond), count, op, lines)
	}
	rest := p.Total
	for _, l := range p.Lines {
		rest -= l.Time
		if 1000*l.Time >= p.Total {
			row(l.Time, fmt.Sprintf("%d×", l.Count), l.Op, firstLines(l.Lines))
		}
	}
	row(max(rest, 0), "", "Go, tracing, compiling", "elsewhere")
	w.Flush()
	return b.String()
}

// maxLines is how many lines a row of a profile has.
const maxLines = 3

// firstLines joins the first lines, and says how many others there are.
func firstLines(lines []string) string {
	if more := len(lines) - maxLines; more > 0 {
		return fmt.Sprintf("%s and %d more", strings.Join(lines[:maxLines], " "), more)
	}
	return strings.Join(lines, " ")
}

// profile collects times while a function runs.
type profile struct {
	mu    sync.Mutex
	lines map[string]*LineTime
}

// profiling holds the profiles that are being made; it is replaced, never changed. Nil for none.
var profiling atomic.Pointer[[]*profile]

// changeProfiling replaces the profiles that are being made.
func changeProfiling(change func(all []*profile) []*profile) {
	for {
		was := profiling.Load()
		var all []*profile
		if was != nil {
			all = slices.Clone(*was)
		}
		now := &all
		if all = change(all); len(all) == 0 {
			now = nil
		}
		if profiling.CompareAndSwap(was, now) {
			return
		}
	}
}

// ProfileLines implements debug.ProfileLines.
func ProfileLines(f func()) Profile {
	notNil("ProfileLines", f == nil)
	p := &profile{lines: map[string]*LineTime{}}
	changeProfiling(func(all []*profile) []*profile { return append(all, p) })
	defer changeProfiling(func(all []*profile) []*profile {
		return slices.DeleteFunc(all, func(x *profile) bool { return x == p })
	})
	start := time.Now()
	f()
	out := Profile{Total: time.Since(start)}
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, l := range p.lines {
		out.Lines = append(out.Lines, *l)
	}
	sort.Slice(out.Lines, func(i, j int) bool {
		a, b := &out.Lines[i], &out.Lines[j]
		return cmp.Or(cmp.Compare(b.Time, a.Time), slices.Compare(a.Lines, b.Lines), cmp.Compare(a.Op, b.Op)) < 0
	})
	return out
}

// add counts time for lines.
func (p *profile) add(lines []string, op string, took time.Duration) {
	key := strings.Join(lines, " ") + " " + op
	p.mu.Lock()
	defer p.mu.Unlock()
	l := p.lines[key]
	if l == nil {
		l = &LineTime{Lines: lines, Op: op}
		p.lines[key] = l
	}
	l.Count++
	l.Time += took
}

// execute runs compiled code, and reports its time to the profiles.
func execute(ctx context.Context, op string, exe backend.Executable, args []backend.Buffer) ([]backend.Buffer,
	error) {
	all := profiling.Load()
	if all == nil {
		return exe.Execute(ctx, args)
	}
	add := func(lines []string, op string, took time.Duration) {
		for _, p := range *all {
			p.add(lines, op, took)
		}
	}
	caller := []string{place(diag.Caller())}
	inside := time.Duration(0)
	ctx = backend.WithTimer(ctx, func(places []stablehlo.Location, node string, took time.Duration) {
		lines := linesOf(places)
		if len(lines) == 0 {
			return // of an op by itself: that of the call
		}
		inside += took
		add(lines, strings.TrimPrefix(node, "kernel "), took)
	})
	start := time.Now()
	bufs, err := exe.Execute(ctx, args)
	add(caller, op, time.Since(start)-inside)
	return bufs, err
}

// linesOf returns the lines of places, sorted, each once; of an op of another program, such as a node of ONNX, its
// name.
func linesOf(places []stablehlo.Location) []string {
	var files []stablehlo.FileLoc
	var names []string
	for _, l := range places {
		if f := stablehlo.FileOf(l); f != nil {
			files = append(files, *f)
		} else if n, ok := l.(*stablehlo.NameLoc); ok {
			names = append(names, n.Name)
		}
	}
	sort.Slice(files, func(i, j int) bool {
		a, b := &files[i], &files[j]
		return a.File < b.File || a.File == b.File && a.Line < b.Line
	})
	var out []string
	for _, f := range files {
		out = append(out, diag.Place(f.File, f.Line))
	}
	slices.Sort(names)
	return slices.Compact(append(out, names...))
}
