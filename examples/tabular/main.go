// Command tabular learns to tell the ill from the healthy in a table with missing values: logistic regression, whose
// penalty is chosen by cross-validation. The table is made up: patients.csv has 300 rows of a known law with noise.
//
//	go run ./examples/tabular
package main

import (
	"bytes"
	_ "embed"
	"flag"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"

	"github.com/go-nx/nx"
	"github.com/go-nx/nx/data"
	"github.com/go-nx/nx/examples/internal/svg"
	nnloss "github.com/go-nx/nx/nn/loss"
	"github.com/go-nx/nx/optim"
	"github.com/go-nx/nx/random"
)

//go:embed patients.csv
var table []byte

func main() {
	dir := flag.String("out", ".", "folder for tabular.svg")
	flag.Parse()
	if _, err := run(*dir, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "tabular:", err)
		os.Exit(1)
	}
}

// patient is a row. What is missing is NaN.
type patient struct {
	Age      float64 `csv:"age,missing=NaN"`
	Weight   float64 `csv:"weight,missing=NaN"`
	Smoker   float64
	Pressure float64 `csv:"pressure,missing=NaN"`
	Steps    float64 `csv:"steps,missing=NaN"`
	Ill      bool
}

var columns = []string{"age", "weight", "smoker", "pressure", "steps"}

const folds = 5

var penalties = []float64{1e-3, 3e-3, 1e-2, 3e-2, 0.1, 0.3, 1, 3}

type model struct{ W, B nx.Tensor }

// standardise gives columns the mean 0 and the deviation 1 in the rows that are learnt from. What is missing becomes
// the mean.
func standardise(x, learnt nx.Tensor) nx.Tensor {
	missing := nx.IsNaN(x)
	known := nx.Where(missing, 0.0, nx.ExpandAxis(learnt, nx.Axis(1)))
	mean := func(v nx.Tensor) nx.Tensor { return nx.WeightedMean(v, known, nx.Axis(0)) }
	x = nx.Where(missing, 0.0, x)
	x = nx.Sub(x, mean(x))
	return nx.Where(missing, 0.0, nx.Div(x, nx.Sqrt(mean(nx.Square(x)))))
}

// fit learns from the rows whose weight is 1, and returns the model and the mean loss of the other rows.
func fit(x, y, learnt, penalty nx.Tensor) (m model, unseen nx.Tensor) {
	x = standardise(x, learnt)
	losses := func(m model) nx.Tensor { return nnloss.Binary(nx.Add(nx.Dot(x, m.W), m.B), y) }
	m = optim.Minimise(func(m model) nx.Tensor {
		return nx.Add(nx.WeightedMean(losses(m), learnt), nx.Mul(penalty, nx.Sum(nx.Square(m.W))))
	}, model{nx.Zeros(nx.Shape{len(columns)}, nx.F64), nx.New(0.0)}).Params
	return m, nx.WeightedMean(losses(m), nx.Sub(1, learnt))
}

// run chooses, draws tabular.svg, and returns the loss of the chosen penalty on rows that were not learnt.
func run(dir string, out io.Writer) (best float64, err error) {
	defer nx.Catch(&err)
	rows, err := data.DecodeCSV[patient](bytes.NewReader(table))
	if err != nil {
		return 0, err
	}
	x := data.Column(rows, func(p patient) []float64 {
		return []float64{p.Age, p.Weight, p.Smoker, p.Pressure, p.Steps}
	})
	y := nx.Cast(data.Column(rows, func(p patient) bool { return p.Ill }), nx.F64)
	missing := nx.Item[int](nx.Sum(nx.Cast(nx.IsNaN(x), nx.S64)))
	fmt.Fprintf(out, "%d patients, %d missing values\n", len(rows), missing)

	fold := random.Permutation(random.Key(1), nx.Remainder(nx.Iota(nx.Shape{len(rows)}, nx.S32), folds), 0, false)
	learnt := nx.Cast(nx.NotEqual(fold, nx.ExpandAxis(nx.Iota(nx.Shape{folds}, nx.S32), nx.Axis(1))), nx.F64)
	// All folds and penalties are fitted at once.
	losses := nx.Jit(nx.Vmap(func(penalty nx.Tensor) nx.Tensor {
		return nx.Vmap(func(learnt nx.Tensor) nx.Tensor {
			_, unseen := fit(x, y, learnt, penalty)
			return unseen
		})(learnt)
	}))(nx.New(penalties))
	mean, deviation := nx.Data[float64](nx.Mean(losses, nx.Axis(1))), nx.Data[float64](nx.Std(losses, nx.Axis(1)))

	chosen := 0
	at, low, high := make([]float64, len(mean)), make([]float64, len(mean)), make([]float64, len(mean))
	for i, l := range mean {
		fmt.Fprintf(out, "penalty %5.3f: loss on unseen patients %.4f\n", penalties[i], l)
		if at[i], low[i], high[i] = math.Log10(penalties[i]), l-deviation[i], l+deviation[i]; l < mean[chosen] {
			chosen = i
		}
	}
	m, _ := fit(x, y, nx.OnesLike(y), nx.New(penalties[chosen]))
	for i, w := range nx.Data[float64](m.W) {
		fmt.Fprintf(out, "%-8s %+.2f a standard deviation\n", columns[i], w)
	}
	p := svg.New("Loss on unseen patients by log10 of the penalty")
	p.Band("deviation of the folds", "#dde6f5", at, low, high)
	p.Line("mean of the folds", "#3366cc", at, mean)
	return mean[chosen], p.WriteFile(filepath.Join(dir, "tabular.svg"))
}
