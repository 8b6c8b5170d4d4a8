package effects_test

import (
	"runtime"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/go-nx/nx/debug"

	"github.com/go-nx/nx"
)

// lineHere returns its caller's line, as profiles write it.
func lineHere() string {
	_, _, line, _ := runtime.Caller(1)
	return "profile_test.go:" + strconv.Itoa(line)
}

// TestProfileLines: the line that does nearly everything gets nearly all the time, of a
// compiled function, of a loop in it, and of functions that are called one by one. A machine
// that does something else meanwhile may add to any line, so a few of the profiles may be odd.
func TestProfileLines(t *testing.T) {
	x := nx.Add(nx.Ones(nx.Shape{400, 400}, nx.F32), 0)
	var heavy string
	next := func(line string) string {
		file, n, _ := strings.Cut(line, ":")
		i, _ := strconv.Atoi(n)
		return file + ":" + strconv.Itoa(i+1)
	}
	check := func(name string, fn func(), is func(slowest debug.LineTime) bool) {
		t.Helper()
		var odd []debug.LineTime
		for range 20 {
			p := debug.ProfileLines(fn)
			if len(p.Lines) == 0 || p.Total <= 0 {
				t.Fatalf("%s: nothing was measured", name)
			}
			sum := time.Duration(0)
			for i, l := range p.Lines {
				sum += l.Time
				if i > 0 && l.Time > p.Lines[i-1].Time {
					t.Errorf("%s: the rows are not sorted", name)
				}
			}
			if sum > p.Total {
				t.Errorf("%s: the lines took %v of %v", name, sum, p.Total)
			}
			if text := p.String(); !strings.Contains(text, p.Lines[0].Lines[0]) ||
				!strings.Contains(text, "elsewhere") {
				t.Error(name, text)
			}
			if is(p.Lines[0]) {
				return
			}
			odd = append(odd, p.Lines[0])
		}
		t.Errorf("%s: the slowest lines were %+v, want %s", name, odd, next(heavy))
	}
	compiled := func(l debug.LineTime) bool {
		return strings.Contains(strings.Join(l.Lines, " "), next(heavy)) && l.Op != "Jit"
	}

	f := nx.Jit(func(x nx.Tensor) nx.Tensor {
		y := nx.Add(x, 1)
		heavy = lineHere()
		y = nx.Dot(y, nx.Dot(y, nx.Dot(y, y))) // below that of heavy
		return nx.Sum(y)
	})
	f(x)
	check("a compiled function", func() { f(x); f(x) }, compiled)

	loop := nx.Jit(func(x nx.Tensor) nx.Tensor {
		return nx.Fori(3, x, func(_, x nx.Tensor) nx.Tensor {
			heavy = lineHere()
			return nx.Dot(x, x)
		})
	})
	loop(x)
	check("a loop", func() { loop(x) }, compiled)

	nx.Dot(x, x)
	check("calls one by one", func() {
		heavy = lineHere()
		nx.Dot(x, nx.Dot(x, nx.Dot(x, x)))
		nx.Add(x.At(0), 1)
	}, func(l debug.LineTime) bool {
		return l.Op == "Dot" && l.Count == 3 && len(l.Lines) == 1 && l.Lines[0] == next(heavy)
	})

	if got := debug.ProfileLines(func() {}); len(got.Lines) != 0 {
		t.Error(got)
	}
}

// TestProfileTable: the columns begin at the same place in each row, the op is before the lines, of which there are at
// most three.
func TestProfileTable(t *testing.T) {
	ms := time.Millisecond
	p := debug.Profile{Total: 20 * ms, Lines: []debug.LineTime{
		{Lines: []string{"a.go:1", "a.go:2", "a.go:3", "b.go:4", "b.go:55"}, Op: "row loop", Count: 12, Time: 11 * ms},
		{Lines: []string{"a.go:1", "a.go:2", "a.go:3"}, Op: "Dot", Count: 1, Time: 5 * ms},
		{Lines: []string{"a.go:7"}, Op: "Sum", Count: 1, Time: time.Microsecond}, // less than a thousandth
	}}
	want := `55.0%  11ms     12×  row loop                a.go:1 a.go:2 a.go:3 and 2 more
25.0%  5ms      1×   Dot                     a.go:1 a.go:2 a.go:3
20.0%  3.999ms       Go, tracing, compiling  elsewhere
`
	if got := p.String(); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

// TestProfileTogether: profiles wait for each other, and other goroutines may compute.
func TestProfileTogether(t *testing.T) {
	x := nx.Add(nx.Ones(nx.Shape{64}, nx.F32), 0)
	f := nx.Jit(func(x nx.Tensor) nx.Tensor { return nx.Sum(nx.Exp(x)) })
	var wait sync.WaitGroup
	for range 4 {
		wait.Go(func() {
			for range 10 {
				if p := debug.ProfileLines(func() { f(x); nx.Add(x, 1) }); len(p.Lines) < 2 {
					t.Error(p)
				}
			}
		})
	}
	wait.Wait()
}
