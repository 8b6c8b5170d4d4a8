package nx_test

import (
	"fmt"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/go-nx/nx"
)

func ExampleProfileLines() {
	x := nx.Ones(nx.Shape{300, 300}, nx.F32)
	nx.Add(nx.Dot(x, x), 1) // compiled
	p := nx.ProfileLines(func() {
		y := nx.Dot(x, x)
		for range 30 {
			y = nx.Dot(y, x)
		}
		nx.Add(y, 1)
	})
	fmt.Println(p.Lines[0].Op, p.Lines[0].Count) // and its line, p.Lines[0].Lines
	// Output:
	// Dot 30
}

// lineHere returns its caller's line, as profiles write it.
func lineHere() string {
	_, _, line, _ := runtime.Caller(1)
	return "profile_test.go:" + strconv.Itoa(line)
}

// TestProfileLines: the line that does nearly everything gets nearly all the time, of a
// compiled function, of a loop in it, and of functions that are called one by one.
func TestProfileLines(t *testing.T) {
	x := nx.Add(nx.Ones(nx.Shape{400, 400}, nx.F32), 0)
	var heavy string
	f := nx.Jit(func(x nx.Tensor) nx.Tensor {
		y := nx.Add(x, 1)
		heavy = lineHere()
		y = nx.Dot(y, nx.Dot(y, nx.Dot(y, y))) // below that of heavy
		return nx.Sum(y)
	})
	next := func(line string) string {
		file, n, _ := strings.Cut(line, ":")
		i, _ := strconv.Atoi(n)
		return file + ":" + strconv.Itoa(i+1)
	}
	slowest := func(p nx.Profile) nx.LineTime {
		t.Helper()
		if len(p.Lines) == 0 || p.Total <= 0 {
			t.Fatal("nothing was measured")
		}
		sum := time.Duration(0)
		for i, l := range p.Lines {
			sum += l.Time
			if i > 0 && l.Time > p.Lines[i-1].Time {
				t.Error("the rows are not sorted")
			}
		}
		if sum > p.Total {
			t.Errorf("the lines took %v of %v", sum, p.Total)
		}
		if text := p.String(); !strings.Contains(text, p.Lines[0].Lines[0]) || !strings.Contains(text, "elsewhere") {
			t.Error(text)
		}
		return p.Lines[0]
	}
	f(x)
	l := slowest(nx.ProfileLines(func() { f(x); f(x) }))
	if !strings.Contains(strings.Join(l.Lines, " "), next(heavy)) || l.Op == "Jit" {
		t.Errorf("%+v, want %s", l, next(heavy))
	}
	loop := nx.Jit(func(x nx.Tensor) nx.Tensor {
		return nx.Fori(3, x, func(_, x nx.Tensor) nx.Tensor {
			heavy = lineHere()
			return nx.Dot(x, x)
		})
	})
	loop(x)
	if l := slowest(nx.ProfileLines(func() { loop(x) })); !strings.Contains(strings.Join(l.Lines, " "), next(heavy)) {
		t.Errorf("%+v, want %s", l, next(heavy))
	}
	nx.Dot(x, x)
	p := nx.ProfileLines(func() {
		heavy = lineHere()
		nx.Dot(x, nx.Dot(x, nx.Dot(x, x)))
		nx.Add(x.At(0), 1)
	})
	if l := slowest(p); l.Op != "Dot" || l.Count != 3 || len(l.Lines) != 1 || l.Lines[0] != next(heavy) {
		t.Errorf("%+v, want 3 of Dot at %s", l, next(heavy))
	}
	if got := nx.ProfileLines(func() {}); len(got.Lines) != 0 {
		t.Error(got)
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
				if p := nx.ProfileLines(func() { f(x); nx.Add(x, 1) }); len(p.Lines) < 2 {
					t.Error(p)
				}
			}
		})
	}
	wait.Wait()
}
