package main

import (
	"bytes"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/go-nx/nx"
)

// The table has a row for each type and location of the result, and reports missing backends.
func TestTable(t *testing.T) {
	var out bytes.Buffer
	if err := table(&out, 1000, time.Millisecond); err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSpace(out.String()), "\n")
	for i, want := range []string{"backend  type  result", "cpu   f32    kept", "cpu   f32    read",
		"cpu   f64    kept",
		"cpu   f64    read"} {
		if i >= len(lines) || !strings.Contains(lines[i], want) {
			t.Errorf("line %d lacks %q:\n%s", i, want, &out)
		}
	}
}

// Softmax of 0 and log 3 is known, and so are the figures of the times 1, 2, …, 5 ms.
func TestFigures(t *testing.T) {
	y := nx.Data[float64](softmax(nx.New([]float64{0, math.Log(3)})))
	if math.Abs(y[0]-0.25) > 1e-15 || math.Abs(y[1]-0.75) > 1e-15 {
		t.Errorf("softmax is %v", y)
	}
	var times []time.Duration
	for i := range 5 {
		times = append(times, time.Duration(5-i)*time.Millisecond)
	}
	if got := summarise(times); got != "333.3\t3ms\t±47.1 %\t3ms\t5ms" {
		t.Errorf("the figures are %q", got)
	}
}
