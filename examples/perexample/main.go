// Command perexample finds wrong labels by the gradients of single examples: a classifier is trained with the
// gradient of each example clipped, so that no example dominates, and those with the largest gradients at the
// end are the suspects.
//
//	go run ./examples/perexample
package main

import (
	"cmp"
	"flag"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"

	"github.com/go-nx/nx/tree"

	"github.com/go-nx/nx"
	"github.com/go-nx/nx/examples/internal/svg"
)

func main() {
	dir := flag.String("out", ".", "folder for perexample.svg")
	seed := flag.Uint64("seed", 1, "seed of the simulation")
	flag.Parse()
	if _, err := run(*dir, *seed, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "perexample:", err)
		os.Exit(1)
	}
}

const (
	examples = 400
	wrong    = 24 // examples whose label is not that of their cloud
)

// model is logistic regression on two numbers, their squares and their product.
type model struct{ W, B nx.Tensor }

func features(x nx.Tensor) nx.Tensor {
	a, b := x.At(0), x.At(1)
	return nx.Stack([]nx.Tensor{a, b, nx.Mul(a, a), nx.Mul(b, b), nx.Mul(a, b)}, nx.Axis(0))
}

// loss of one example; y is 0 or 1.
func loss(m model, x, y nx.Tensor) nx.Tensor {
	score := nx.Add(nx.Dot(m.W, features(x)), m.B)
	return nx.Sub(nx.Log1p(nx.Exp(score)), nx.Mul(y, score))
}

// gradients returns that of each example: a model with a first axis of examples.
func gradients(m model, xs, ys nx.Tensor) model {
	return nx.Vmap(func(x, y nx.Tensor) model {
		return nx.Grad(func(m model) nx.Tensor { return loss(m, x, y) })(m)
	})(xs, ys)
}

// norms returns the length of each example's gradient.
func norms(g model) nx.Tensor {
	return nx.Sqrt(nx.Add(nx.Sum(nx.Square(g.W), nx.Axis(1)), nx.Square(g.B)))
}

// step goes along the mean of the gradients, each cut to length 1/2 (as M. Abadi et al.,
// Deep Learning with Differential Privacy, 2016).
func step(m model, xs, ys nx.Tensor) model {
	g := gradients(m, xs, ys)
	scale := nx.Minimum(1, nx.Div(0.5, nx.Maximum(norms(g), 1e-12)))
	mean := model{
		W: nx.Mean(nx.Mul(g.W, nx.ExpandAxis(scale, nx.Axis(1))), nx.Axis(0)),
		B: nx.Mean(nx.Mul(g.B, scale)),
	}
	return tree.Map2(func(w, g nx.Tensor) nx.Tensor { return nx.Sub(w, nx.Mul(0.5, g)) }, m, mean)
}

// run returns the share of the suspects whose label is wrong.
func run(dir string, seed uint64, out io.Writer) (found float64, err error) {
	defer nx.Catch(&err)
	// A cloud and a ring around it.
	r := rand.New(rand.NewPCG(seed, 1))
	var points [][]float64
	var labels []float64
	isWrong := make([]bool, examples)
	for i := range examples {
		radius, angle := math.Abs(0.4*r.NormFloat64()), 2*math.Pi*r.Float64()
		label := float64(i % 2)
		if label == 1 {
			radius = 2 + 0.3*r.NormFloat64()
		}
		if i < wrong {
			label, isWrong[i] = 1-label, true
		}
		points = append(points, []float64{radius * math.Cos(angle), radius * math.Sin(angle)})
		labels = append(labels, label)
	}
	xs, ys := nx.New(points), nx.New(labels)
	m := model{nx.Zeros(nx.Shape{5}, nx.F64), nx.Zeros(nx.Shape{}, nx.F64)}
	train := nx.Jit(step, nx.Donate(0))
	for range 400 {
		m = train(m, xs, ys)
	}
	length := nx.Data[float64](norms(nx.Jit(gradients)(m, xs, ys)))
	order := make([]int, examples)
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int { return cmp.Compare(length[b], length[a]) })
	suspects := order[:wrong]
	for _, i := range suspects {
		if isWrong[i] {
			found += 1. / wrong
		}
	}
	fmt.Fprintf(out, "%d of %d labels are wrong; of the %d examples with the largest gradients, %.0f%% are of these\n",
		wrong, examples, wrong, 100*found)

	p := svg.New("The examples whose gradients are the largest")
	indices := func(ok func(i int) bool) (x, y []float64) {
		for i, q := range points {
			if ok(i) {
				x, y = append(x, q[0]), append(y, q[1])
			}
		}
		return x, y
	}
	x, y := indices(func(i int) bool { return labels[i] == 0 })
	p.Points("label 0", "#3366cc", 2.5, x, y)
	x, y = indices(func(i int) bool { return labels[i] == 1 })
	p.Points("label 1", "#cc9933", 2.5, x, y)
	x, y = indices(func(i int) bool { return slices.Contains(suspects, i) })
	p.Rings("suspect", "#cc3333", x, y)
	return found, p.WriteFile(filepath.Join(dir, "perexample.svg"))
}
