// Command neuralode learns a law of motion from noisy positions: a network stands for
// dy/dt in a solver of differential equations, and the gradient of the prediction error
// goes through all steps of the solver.
//
//	go run ./examples/neuralode
package main

import (
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/go-nx/nx/tree"

	"github.com/go-nx/nx"
	"github.com/go-nx/nx/examples/internal/svg"
	"github.com/go-nx/nx/random"
)

func main() {
	dir := flag.String("out", ".", "folder for neuralode.svg")
	steps := flag.Int("steps", 1500, "steps of gradient descent")
	flag.Parse()
	if _, err := run(*dir, *steps, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "neuralode:", err)
		os.Exit(1)
	}
}

const (
	points  = 120  // observed
	horizon = 10   // points ahead that the training predicts
	dt      = 0.05 // between points
	noise   = 0.02
)

// law is the law of motion to learn: an inward spiral, dy/dt = A·y³ (T. Chen et al., Neural Ordinary
// Differential Equations, 2018).
func law(y nx.Tensor) nx.Tensor {
	a := nx.New([][]float32{{-0.1, 2}, {-2, -0.1}})
	return nx.Dot(a, nx.Pow(y, 3))
}

// rk4 is a step of the classical method of Runge and Kutta.
func rk4(f func(y nx.Tensor) nx.Tensor, y nx.Tensor) nx.Tensor {
	k1 := f(y)
	k2 := f(nx.Add(y, nx.Mul(dt/2, k1)))
	k3 := f(nx.Add(y, nx.Mul(dt/2, k2)))
	k4 := f(nx.Add(y, nx.Mul(dt, k3)))
	return nx.Add(y, nx.Mul(dt/6, nx.Add(nx.Add(k1, k4), nx.Mul(2, nx.Add(k2, k3)))))
}

// solve returns the n positions after y, one row each.
func solve(f func(y nx.Tensor) nx.Tensor, y nx.Tensor, n int) nx.Tensor {
	_, path := nx.Scan(y, struct{}{}, func(y nx.Tensor, _ struct{}) (nx.Tensor, nx.Tensor) {
		y = rk4(f, y)
		return y, y
	}, nx.Length(n))
	return path
}

// network is the learnt law.
type network struct{ W1, B1, W2, B2 nx.Tensor }

func newNetwork(key nx.Tensor) network {
	keys := random.Split(key, 2)
	return network{
		W1: random.Normal(keys.At(0), 0, 0.1, nx.Shape{32, 2}, nx.F32), B1: nx.Zeros(nx.Shape{32}, nx.F32),
		W2: random.Normal(keys.At(1), 0, 0.1, nx.Shape{2, 32}, nx.F32), B2: nx.Zeros(nx.Shape{2}, nx.F32),
	}
}

func (n network) slope(y nx.Tensor) nx.Tensor {
	h := nx.Tanh(nx.Add(nx.Dot(n.W1, nx.Pow(y, 3)), n.B1))
	return nx.Add(nx.Dot(n.W2, h), n.B2)
}

// loss is the mean squared error of the network's prediction for each start and the points that follow it.
func loss(n network, starts, targets nx.Tensor) nx.Tensor {
	predicted := nx.Vmap(func(y nx.Tensor) nx.Tensor { return solve(n.slope, y, horizon) })(starts)
	return nx.Mean(nx.Square(nx.Sub(predicted, targets)))
}

// state is what training carries: the network and the moments of Adam.
type state struct {
	Net, M, V network
	Step      nx.Tensor
}

// step is one of Adam (D. Kingma, J. Ba, 2015), on the gradient through the solver.
func step(s state, starts, targets nx.Tensor) (state, nx.Tensor) {
	l, g := nx.ValueAndGrad(func(n network) nx.Tensor { return loss(n, starts, targets) })(s.Net)
	s.Step = nx.Add(s.Step, 1)
	s.M = tree.Map2(func(m, g nx.Tensor) nx.Tensor { return nx.Add(nx.Mul(0.9, m), nx.Mul(0.1, g)) }, s.M, g)
	s.V = tree.Map2(func(v, g nx.Tensor) nx.Tensor { return nx.Add(nx.Mul(0.999, v), nx.Mul(0.001, nx.Square(g))) },
		s.V, g)
	update := tree.Map2(func(m, v nx.Tensor) nx.Tensor {
		m = nx.Div(m, nx.Sub(1, nx.Pow(0.9, s.Step)))
		v = nx.Div(v, nx.Sub(1, nx.Pow(0.999, s.Step)))
		return nx.Div(nx.Mul(1e-2, m), nx.Add(nx.Sqrt(v), 1e-8))
	}, s.M, s.V)
	s.Net = tree.Map2(func(w, u nx.Tensor) nx.Tensor { return nx.Sub(w, u) }, s.Net, update)
	return s, l
}

// run learns, draws neuralode.svg, and returns the root mean square distance between the true path and the
// path of the learnt law from the first point.
func run(dir string, steps int, out io.Writer) (distance float64, err error) {
	defer nx.Catch(&err)
	first := nx.New([]float32{2, 0})
	want := nx.Concatenate([]nx.Tensor{nx.Reshape(first, 1, 2),
		nx.Jit(func(y nx.Tensor) nx.Tensor { return solve(law, y, points-1) })(first)})
	observed := nx.Add(want, random.Normal(random.Key(1), 0, noise, nx.Shape{points, 2}, nx.F32))

	var starts, targets []nx.Tensor
	for i := range points - horizon {
		starts = append(starts, observed.At(i))
		targets = append(targets, observed.At(nx.Range(i+1, i+1+horizon)))
	}
	x, y := nx.Stack(starts, nx.Axis(0)), nx.Stack(targets, nx.Axis(0))
	net := newNetwork(random.Key(2))
	s := state{Net: net, M: tree.ZerosLike(net), V: tree.ZerosLike(net), Step: nx.New(float32(0))}
	train := nx.Jit(step, nx.Donate(0))
	for i := range steps {
		var l nx.Tensor
		if s, l = train(s, x, y); i%300 == 0 || i == steps-1 {
			fmt.Fprintf(out, "step %4d: error %.4f\n", i, nx.Item[float64](nx.Sqrt(l)))
		}
	}
	learnt := nx.Concatenate([]nx.Tensor{nx.Reshape(first, 1, 2),
		nx.Jit(func(n network, y nx.Tensor) nx.Tensor { return solve(n.slope, y, points-1) })(s.Net, first)})
	distance = nx.Item[float64](nx.Sqrt(nx.Mean(nx.Sum(nx.Square(nx.Sub(learnt, want)), nx.Axis(1)))))
	fmt.Fprintf(out, "from only the first point, the learnt path is %.3f from the true one; the noise is %.3f\n",
		distance, noise)

	p := svg.New("A law of motion learnt from noisy points")
	column := func(t nx.Tensor, i int) []float64 { return nx.Data[float64](nx.Cast(t.At(nx.Ellipsis, i), nx.F64)) }
	p.Line("true path", "#bbbbbb", column(want, 0), column(want, 1))
	p.Points("observed", "#3366cc", 2.5, column(observed, 0), column(observed, 1))
	p.Line("learnt from these", "#cc3333", column(learnt, 0), column(learnt, 1))
	return distance, p.WriteFile(filepath.Join(dir, "neuralode.svg"))
}
