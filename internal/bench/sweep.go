package bench

import (
	"fmt"
	"math"
	"time"

	"github.com/go-nx/nx"
)

// Sweep is a function of tensors, to be timed at several sizes.
type Sweep struct {
	Name string
	make func(n int) func() (func(), func() float64)
}

// The sizes of a sweep: powers of two, each four times the one before.
const (
	sweepFrom = 10
	sweepTo   = 26
	sweepStep = 2
)

// Sweeps are the functions that nx bench --sweep times.
var Sweeps = []Sweep{
	{"exp", func(n int) func() (func(), func() float64) { return unaryWorkload(nx.Exp, inputOf(nx.F32, n)) }},
	{"add", func(n int) func() (func(), func() float64) {
		return binaryWorkload(add, inputOf(nx.F32, n), inputOf(nx.F32, n))
	}},
	{"sum", func(n int) func() (func(), func() float64) {
		return unaryWorkload(func(x nx.Tensor) nx.Tensor { return nx.Sum(x) }, inputOf(nx.F32, n))
	}},
	{"softmax", func(n int) func() (func(), func() float64) {
		return unaryWorkload(func(x nx.Tensor) nx.Tensor { return nx.Softmax(x) }, inputOf(nx.F32, n))
	}},
	{"rows of 1024, softmax", func(n int) func() (func(), func() float64) {
		return unaryWorkload(func(x nx.Tensor) nx.Tensor { return nx.Softmax(x, nx.Axis(-1)) },
			inputOf(nx.F32, n/1024, 1024))
	}},
}

// SweepSizes returns the logarithms of the sizes, in elements.
func SweepSizes() (logs []int) {
	for e := sweepFrom; e <= sweepTo; e += sweepStep {
		logs = append(logs, e)
	}
	return logs
}

// At returns the workload of 2^log elements.
func (s Sweep) At(log int) Workload {
	return Workload{fmt.Sprintf("%s_2^%d", s.Name, log), s.make(1 << log)}
}

// Plot draws the times per element of each line as a row of blocks, with logarithmic heights, between the minimum and
// the maximum of all lines.
func Plot(lines [][]time.Duration, logs []int) []string {
	low, high := math.Inf(1), math.Inf(-1)
	height := func(i int, d time.Duration) float64 { return math.Log(max(float64(d), 1)) - math.Ln2*float64(logs[i]) }
	for _, line := range lines {
		for i, d := range line {
			low, high = min(low, height(i, d)), max(high, height(i, d))
		}
	}
	blocks := []rune("▁▂▃▄▅▆▇█")
	out := make([]string, len(lines))
	for l, line := range lines {
		for i, d := range line {
			of := 0.0
			if high > low {
				of = (height(i, d) - low) / (high - low)
			}
			out[l] += string(blocks[min(int(of*float64(len(blocks))), len(blocks)-1)])
		}
	}
	return out
}
