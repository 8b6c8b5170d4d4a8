package science

import (
	"fmt"
	"testing"

	"github.com/go-nx/nx"
	"github.com/go-nx/nx/random"
	"github.com/go-nx/nx/tree"
)

// sameTree compares containers of tensors.
func sameTree(t *testing.T, name string, got, want any) {
	t.Helper()
	compared := 0
	wants := map[string]nx.Tensor{}
	for path, leaf := range tree.Leaves(want) {
		wants[path] = leaf
	}
	for path, leaf := range tree.Leaves(got) {
		w, ok := wants[path]
		if !ok {
			t.Fatalf("%s: %s is only in one of both", name, path)
		}
		compared++
		near(t, fmt.Sprintf("%s %s", name, path), leaf, nx.Data[float64](w)...)
	}
	if compared == 0 || compared != len(wants) {
		t.Errorf("%s: %d of %d tensors", name, compared, len(wants))
	}
}

// sameGradients compares values and derivatives of two functions of a container. The squares make the derivatives
// depend on the values.
func sameGradients[T any](t *testing.T, in T, got, want func(T) nx.Tensor) {
	t.Helper()
	both := func(f func(T) nx.Tensor) func(T) (nx.Tensor, T) {
		return nx.Jit(nx.ValueAndGrad(func(x T) nx.Tensor { return nx.Sum(nx.Square(f(x))) }))
	}
	sameTree(t, "value", []nx.Tensor{nx.Jit(got)(in)}, []nx.Tensor{want(in)})
	value, grad := both(got)(in)
	wantValue, wantGrad := both(want)(in)
	sameTree(t, "sum", []nx.Tensor{value}, []nx.Tensor{wantValue})
	sameTree(t, "gradient", grad, wantGrad)
}

func normal(seed int, shape ...int) nx.Tensor {
	return random.Normal(random.Key(int64(seed)), 0, 1, shape, nx.F64)
}

func TestGradientsOfBlackScholes(t *testing.T) {
	sameGradients(t, market, Call, callByHand)
	sameTree(t, "greeks", nx.Jit(Greeks)(market), nx.Grad(callByHand)(market))
	bySpot := func(spot nx.Tensor) nx.Tensor {
		m := market
		m.Spot = spot
		return callByHand(m)
	}
	near(t, "gamma", nx.Jit(Gamma)(market), nx.Data[float64](nx.Grad(nx.Grad(bySpot))(market.Spot))...)
}

func TestGradientsOfGRU(t *testing.T) {
	type input struct {
		Cell  GRU
		H, Xs nx.Tensor
	}
	cell := GRU{Wz: normal(1, 3, 2), Uz: normal(2, 2, 2), Wr: normal(3, 3, 2), Ur: normal(4, 2, 2),
		Wh: normal(5, 3, 2), Uh: normal(6, 2, 2)}
	in := input{cell, normal(7, 2), normal(8, 4, 3)}
	sameGradients(t, in, func(in input) nx.Tensor { return in.Cell.Run(in.H, in.Xs) },
		func(in input) nx.Tensor { return gruByHand(in.Cell, in.H, in.Xs) })
}

func TestGradientsOfKalmanFilter(t *testing.T) {
	type input struct {
		State          Kalman
		F, Q, H, R, Zs nx.Tensor
	}
	in := input{Kalman{nx.New([]float64{0, 1}), nx.New([][]float64{{1, 0.2}, {0.2, 1}})},
		nx.New([][]float64{{1, 1}, {0, 1}}), nx.New([][]float64{{0.1, 0.02}, {0.02, 0.1}}),
		nx.New([][]float64{{1, 0}, {0.5, 1}}), nx.New([][]float64{{0.5, 0.1}, {0.1, 0.4}}), normal(9, 5, 2)}
	sameGradients(t, in,
		func(in input) nx.Tensor {
			_, all := in.State.Filter(in.F, in.Q, in.H, in.R, in.Zs)
			return all
		},
		func(in input) nx.Tensor {
			_, all := filterByHand(in.State, in.F, in.Q, in.H, in.R, in.Zs)
			return all
		})
	covariance := func(filter func(Kalman, nx.Tensor, nx.Tensor, nx.Tensor, nx.Tensor, nx.Tensor) (Kalman, nx.Tensor),
	) func(input) nx.Tensor {
		return func(in input) nx.Tensor {
			k, _ := filter(in.State, in.F, in.Q, in.H, in.R, in.Zs)
			return k.P
		}
	}
	sameGradients(t, in, covariance(Kalman.Filter), covariance(filterByHand))
}

func TestGradientsOfRungeKutta(t *testing.T) {
	type input struct{ Y, Rate, End nx.Tensor }
	sameGradients(t, input{number(2), number(0.7), number(1)},
		func(in input) nx.Tensor { return Solve(in.Y, in.Rate, in.End, 6) },
		func(in input) nx.Tensor { return solveByHand(in.Y, in.Rate, in.End, 6) })
}

func TestGradientsOfAttention(t *testing.T) {
	type input struct{ Q, K, V nx.Tensor }
	in := input{normal(10, 3, 4), normal(11, 3, 4), normal(12, 3, 2)}
	for _, causal := range []bool{false, true} {
		sameGradients(t, in, func(in input) nx.Tensor { return Attention(in.Q, in.K, in.V, causal) },
			func(in input) nx.Tensor { return attentionByHand(in.Q, in.K, in.V, causal) })
	}
}

// TestTrainingOfLSTM compares the losses of a few steps of training, and the weights after them.
func TestTrainingOfLSTM(t *testing.T) {
	tokens, n := characters(text)
	m := newLSTM(n, 4, 3)
	byHand := m
	step := nx.Jit(LSTM.Train)
	stepByHand := nx.Jit(func(m LSTM, tokens, rate nx.Tensor) (LSTM, nx.Tensor) {
		loss, g := nx.ValueAndGrad(func(m LSTM) nx.Tensor { return lstmLossByHand(m, tokens) })(m)
		next := func(w, g nx.Tensor) nx.Tensor { return nx.Sub(w, nx.Mul(rate, g)) }
		return LSTM{next(m.Embedding, g.Embedding), next(m.Wx, g.Wx), next(m.Wh, g.Wh), next(m.B, g.B),
			next(m.Out, g.Out)}, loss
	})
	rate := nx.New(float32(0.5))
	var losses []float64
	for range 6 {
		var loss, want nx.Tensor
		m, loss = step(m, tokens, rate)
		byHand, want = stepByHand(byHand, tokens, rate)
		nearly(t, "loss", 1e-5, loss, nx.Data[float64](want)...) // float32, in another order
		losses = append(losses, nx.Item[float64](loss))
	}
	nearly(t, "embedding", 1e-4, m.Embedding, nx.Data[float64](byHand.Embedding)...)
	nearly(t, "weights", 1e-4, m.Wh, nx.Data[float64](byHand.Wh)...)
	for i := range losses[1:] {
		if losses[i+1] >= losses[i] {
			t.Errorf("the losses do not fall: %v", losses)
		}
	}
}

func TestGradientsOfPendulum(t *testing.T) {
	type input struct {
		Body  Body
		State Pendulum
		H     nx.Tensor
	}
	const steps = 4
	in := input{Body{number(1), number(2), number(1), number(0.5)},
		Pendulum{number(2), number(2.5), number(-0.3), number(1)}, number(0.02)}
	list := func(p Pendulum) nx.Tensor { return nx.Stack([]nx.Tensor{p.Angle1, p.Angle2, p.Speed1, p.Speed2}) }
	runByHand := func(b Body, p Pendulum, h nx.Tensor) Pendulum {
		for range steps {
			p = stepByHand(b, p, h)
		}
		return p
	}
	sameGradients(t, in, func(in input) nx.Tensor { return list(in.Body.Run(in.State, in.H, steps)) },
		func(in input) nx.Tensor { return list(runByHand(in.Body, in.State, in.H)) })
	sensitivity := nx.Jit(func(in input) Pendulum { return in.Body.Sensitivity(in.State, in.H, steps) })
	sameTree(t, "sensitivity", sensitivity(in), nx.Grad(func(p Pendulum) nx.Tensor {
		q := runByHand(in.Body, p, in.H)
		return nx.Add(nx.Mul(in.Body.Length1, nx.Sin(q.Angle1)), nx.Mul(in.Body.Length2, nx.Sin(q.Angle2)))
	})(in.State))
}
