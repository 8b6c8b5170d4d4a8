// Command forecast learns to continue a chaotic series, that of M. Mackey and L. Glass (1977), with a recurrent
// network: it learns to predict the next number, and then reads its own predictions.
//
//	go run ./examples/forecast
package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"

	"github.com/go-nx/nx"
	"github.com/go-nx/nx/data"
	"github.com/go-nx/nx/examples/internal/svg"
	"github.com/go-nx/nx/nn"
	nnloss "github.com/go-nx/nx/nn/loss"
	"github.com/go-nx/nx/optim"
	"github.com/go-nx/nx/random"
	"github.com/go-nx/nx/train"
)

func main() {
	dir := flag.String("out", ".", "folder for forecast.svg")
	epochs := flag.Int("epochs", 60, "passes over the series")
	flag.Parse()
	if _, err := run(*dir, *epochs, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "forecast:", err)
		os.Exit(1)
	}
}

const seen, window, ahead = 1000, 64, 60 // numbers to learn from, of a record, and to forecast

// series returns numbers of dx/dt = 0.2·x(t-17)/(1 + x(t-17)¹⁰) - 0.1·x(t), less 1, for t = 0, 3, 6, ….
func series(n int) []float32 {
	x := make([]float64, 3*n+117)
	for t := range x {
		if x[t] = 1.2; t >= 18 {
			x[t] = 0.9*x[t-1] + 0.2*x[t-18]/(1+math.Pow(x[t-18], 10))
		}
	}
	list := make([]float32, n)
	for i := range list {
		list[i] = float32(x[117+3*i] - 1)
	}
	return list
}

// model is a recurrent network that predicts the change to the next number.
type model struct {
	GRU *nn.GRU
	Out *nn.Linear
}

// Run predicts the number after each of x [batch, time, 1], from a state, and returns the last state.
func (m *model) Run(c *nn.Ctx, x nx.Tensor, start nn.State) (nx.Tensor, nn.State) {
	h, s := m.GRU.Run(c, x, start, nx.Tensor{})
	return nx.Add(x, m.Out.Apply(c, h)), s
}

func loss(m *model, c *nn.Ctx, x nx.Tensor) (nx.Tensor, struct{}) {
	y, _ := m.Run(c, x.At(nx.From(0), nx.To(-1)), nn.State{})
	return nx.Mean(nnloss.Squared(y, x.At(nx.From(0), nx.From(1)))), struct{}{}
}

// forecast continues numbers: it reads them, and then its own predictions, in one loop of the program.
var forecast = nx.Jit(func(m model, x nx.Tensor) nx.Tensor {
	type carry struct {
		Last  nx.Tensor
		State nn.State
	}
	y, s := m.Run(nil, nx.Reshape(x, 1, -1, 1), nn.State{})
	first := carry{nx.Reshape(y.At(0, -1), 1, 1, 1), s}
	_, path := nx.Scan(first, struct{}{}, func(k carry, _ struct{}) (carry, nx.Tensor) {
		y, s := m.Run(nil, k.Last, k.State)
		return carry{y, s}, nx.Reshape(k.Last)
	}, nx.Length(ahead))
	return path
})

// run learns, draws forecast.svg, and returns the root mean square error of the forecast.
func run(dir string, epochs int, out io.Writer) (distance float64, err error) {
	defer nx.Catch(&err)
	x := series(seen + ahead)
	records := data.Func(seen-window, func(_ context.Context, i int, _ *rand.Rand) (nx.Tensor, error) {
		return nx.FromSlice(x[i:i+window+1], nx.Shape{window + 1, 1}), nil
	})
	loader := data.Batches(records, data.Stack, data.Size(64), data.Shuffle(1), data.Epochs(epochs), data.DropLast)
	adam := optim.Adam(optim.Cosine(1e-2, 1e-4, epochs*loader.Len()))
	t := train.New(loss, optim.Chain(optim.ClipGlobalNorm(1), adam))
	k := random.Split(random.Key(1), 2)
	s := t.Init(model{nn.NewGRU(k.At(0), 1, 32), nn.NewLinear(k.At(1), 32, 1, nn.Init(nn.Zeros))}, random.Key(2))
	for e, err := range t.Run(context.Background(), &s, loader) {
		if err != nil {
			return 0, err
		}
		if e.EpochEnd && (e.Epoch+1)%10 == 0 {
			fmt.Fprintf(out, "epoch %2d: error of the next number %.5f\n", e.Epoch+1, math.Sqrt(e.LossValue()))
		}
	}
	y := nx.Data[float32](forecast(s.Model, nx.FromSlice(x[:seen], nx.Shape{seen})))
	p := svg.New("A chaotic series and its forecast")
	at, truth, predicted := make([]float64, ahead), make([]float64, ahead), make([]float64, ahead)
	for i, v := range y {
		at[i], truth[i], predicted[i] = float64(i), float64(x[seen+i]), float64(v)
		distance += math.Pow(truth[i]-predicted[i], 2) / ahead
	}
	distance = math.Sqrt(distance)
	fmt.Fprintf(out, "error of a forecast of %d numbers %.3f\n", ahead, distance)
	p.Line("the series", "#bbbbbb", at, truth)
	p.Line("forecast", "#cc3333", at, predicted)
	return distance, p.WriteFile(filepath.Join(dir, "forecast.svg"))
}
