package ops_test

import (
	"os"
	"strings"
	"testing"

	"github.com/go-nx/nx/fft"

	"github.com/go-nx/nx"
	"github.com/go-nx/nx/internal/nxtests/kit"
	"github.com/go-nx/nx/internal/testkit"
)

// TestDefaultAxes: without an axis a function works along those that docs/guide.md says.
func TestDefaultAxes(t *testing.T) {
	page, err := os.ReadFile(testkit.Root(t, "docs", "guide.md"))
	if err != nil {
		t.Fatal(err)
	}
	type along = func(t nx.Tensor, axes ...int) nx.Tensor
	reduce := func(f func(nx.Tensor, ...nx.ReduceOption) nx.Tensor) along {
		return func(t nx.Tensor, axes ...int) nx.Tensor {
			if axes == nil {
				return f(t)
			}
			return f(t, nx.Axis(axes...))
		}
	}
	axes := func(f func(nx.Tensor, ...nx.AxisOption) nx.Tensor) along {
		return func(t nx.Tensor, axes ...int) nx.Tensor {
			if axes == nil {
				return f(t)
			}
			return f(t, nx.Axis(axes...))
		}
	}
	indices := nx.New([][]int32{{1, 0, 1}, {0, 0, 1}})
	for kind, functions := range map[string]map[string]along{
		"all": {"Sum": reduce(nx.Sum), "Max": reduce(nx.Max), "Mean": reduce(nx.Mean), "All": reduce(nx.All),
			"Var": reduce(kit.Variance(nx.Var)), "LogSumExp": reduce(nx.LogSumExp),
			"Reverse":   axes(nx.Reverse),
			"fft.Shift": axes(fft.Shift)},
		"first": {
			"CumSum": func(t nx.Tensor, axes ...int) nx.Tensor {
				if axes == nil {
					return nx.CumSum(t)
				}
				return nx.CumSum(t, nx.Axis(axes...))
			},
			"Repeat": axes(func(t nx.Tensor, o ...nx.AxisOption) nx.Tensor { return nx.Repeat(t, 2, o...) }),
			"Concatenate": axes(func(t nx.Tensor, o ...nx.AxisOption) nx.Tensor {
				return nx.Concatenate([]nx.Tensor{t, t}, o...)
			}),
			"Stack": axes(func(t nx.Tensor, o ...nx.AxisOption) nx.Tensor { return nx.Stack([]nx.Tensor{t, t}, o...) }),
			"TakeAlong": func(t nx.Tensor, axes ...int) nx.Tensor {
				if axes == nil {
					return nx.TakeAlong(t, indices)
				}
				return nx.TakeAlong(t, indices, nx.Axis(axes...))
			}},
		"last": {"Softmax": axes(nx.Softmax), "LogSoftmax": axes(nx.LogSoftmax),
			"Sort": func(t nx.Tensor, axes ...int) nx.Tensor {
				if axes == nil {
					return nx.Sort(t)
				}
				return nx.Sort(t, nx.Axis(axes...))
			},
			"Diff":      axes(func(t nx.Tensor, o ...nx.AxisOption) nx.Tensor { return nx.Diff(t, 1, o...) }),
			"LayerNorm": axes(func(t nx.Tensor, o ...nx.AxisOption) nx.Tensor { return nx.LayerNorm(t, 1e-5, o...) }),
			"fft.FFT": func(t nx.Tensor, axes ...int) nx.Tensor {
				if axes == nil {
					return nx.Real(fft.FFT(t))
				}
				return nx.Real(fft.FFT(t, nx.Axis(axes...)))
			}},
	} {
		line := ""
		for l := range strings.Lines(string(page)) {
			if strings.HasPrefix(l, "| "+kind+" |") {
				line = l
			}
		}
		want := map[string][]int{"all": {0, 1}, "first": {0}, "last": {-1}}[kind]
		x := nx.New([][]float64{{3, 1, 2}, {6, 5, 4}})
		for name, f := range functions {
			if !nx.ArrayEqual(f(x), f(x, want...)) {
				t.Errorf("%s along the axes that it takes is %v, along %s %v", name, f(x), kind, f(x, want...))
			}
			if !strings.Contains(line, "`"+name+"`") {
				t.Errorf("docs/guide.md does not say that %s works along the %s: %q", name, kind, line)
			}
		}
	}
}
