// Package science has what defn makes of the definitions in package sciencedefs.
package science

import (
	"math"
	"testing"

	"github.com/go-nx/nx"
	"github.com/go-nx/nx/defn"
	"github.com/go-nx/nx/internal/nxtests/definitions/sciencedefs"
	"github.com/go-nx/nx/random"
)

func number(x float64) nx.Tensor { return nx.New([]float64{x}).At(0) }

func near(t *testing.T, name string, got nx.Tensor, want ...float64) {
	t.Helper()
	nearly(t, name, 1e-6, got, want...)
}

// nearly is near with a tolerance, relative to numbers above 1.
func nearly(t *testing.T, name string, tolerance float64, got nx.Tensor, want ...float64) {
	t.Helper()
	g := nx.Data[float64](got)
	if len(g) != len(want) {
		t.Fatalf("%s: got %v, want %v", name, got, want)
	}
	for i := range g {
		if !(math.Abs(g[i]-want[i]) <= tolerance*(1+math.Abs(want[i]))) {
			t.Errorf("%s: got %v, want %v", name, got, want)
			return
		}
	}
}

var market = Market{number(100), number(95), number(0.02), number(0.3), number(0.5)}

// price is the formula in float64.
func price(s, k, r, v, t float64) float64 {
	n := func(x float64) float64 { return math.Erfc(-x/math.Sqrt2) / 2 }
	d := (math.Log(s/k) + (r+v*v/2)*t) / (v * math.Sqrt(t))
	return s*n(d) - k*math.Exp(-r*t)*n(d-v*math.Sqrt(t))
}

func TestBlackScholes(t *testing.T) {
	want := price(100, 95, 0.02, 0.3, 0.5)
	near(t, "price", nx.Jit(Call)(market), want)
	near(t, "scalar", number(float64(sciencedefs.Call(sciencedefs.Market{Spot: 100, Strike: 95, Rate: 0.02,
		Volatility: 0.3, Time: 0.5}))), want)
	g := nx.Jit(Greeks)(market)
	const h = 1e-4
	near(t, "delta", g.Spot, (price(100+h, 95, 0.02, 0.3, 0.5)-price(100-h, 95, 0.02, 0.3, 0.5))/(2*h))
	near(t, "vega", g.Volatility, (price(100, 95, 0.02, 0.3+h, 0.5)-price(100, 95, 0.02, 0.3-h, 0.5))/(2*h))
	near(t, "theta", g.Time, (price(100, 95, 0.02, 0.3, 0.5+h)-price(100, 95, 0.02, 0.3, 0.5-h))/(2*h))
	d := (math.Log(100/95.) + (0.02+0.045)*0.5) / (0.3 * math.Sqrt(0.5))
	near(t, "gamma", nx.Jit(Gamma)(market), math.Exp(-d*d/2)/math.Sqrt(2*math.Pi)/(100*0.3*math.Sqrt(0.5)))
	near(t, "implied volatility", nx.Jit(ImpliedVolatility)(market, number(price(100, 95, 0.02, 0.42, 0.5))), 0.42)
}

func TestGRU(t *testing.T) {
	keys := random.Split(random.Key(3), 6)
	weights := func(i, n int) nx.Tensor { return random.Normal(keys.At(i), 0, 1, nx.Shape{n, 2}, nx.F32) }
	g := GRU{weights(0, 3), weights(1, 2), weights(2, 3), weights(3, 2), weights(4, 3), weights(5, 2)}
	xs := random.Normal(random.Key(4), 0, 1, nx.Shape{4, 3}, nx.F32)
	h := nx.Zeros(nx.Shape{2}, nx.F32)
	all := nx.Jit(GRU.Run)(g, h, xs)
	for i := range 4 {
		x := xs.At(i)
		z := nx.Sigmoid(nx.Add(nx.Dot(x, g.Wz), nx.Dot(h, g.Uz)))
		r := nx.Sigmoid(nx.Add(nx.Dot(x, g.Wr), nx.Dot(h, g.Ur)))
		n := nx.Tanh(nx.Add(nx.Dot(x, g.Wh), nx.Dot(nx.Mul(r, h), g.Uh)))
		h = nx.Add(nx.Mul(nx.Sub(1, z), h), nx.Mul(z, n))
		near(t, "state", all.At(i), nx.Data[float64](h)...)
	}
}

func TestKalman(t *testing.T) {
	k := Kalman{nx.New([]float64{0, 1}), nx.New([][]float64{{1, 0}, {0, 1}})}
	f, h := nx.New([][]float64{{1, 1}, {0, 1}}), nx.New([][]float64{{1, 0}})
	q, r := nx.New([][]float64{{0.1, 0}, {0, 0.1}}), nx.New([][]float64{{0.5}})
	k = nx.Jit(func(k Kalman) Kalman { return k.Predict(f, q).Correct(h, r, nx.New([]float64{1.5})) })(k)
	// P = [[2.1 1] [1 1.1]], s = 2.6, gain = [2.1 1]/2.6
	near(t, "x", k.X, 1+2.1/2.6*0.5, 1+1/2.6*0.5)
	near(t, "p", k.P, 2.1-2.1*2.1/2.6, 1-2.1/2.6, 1-2.1/2.6, 1.1-1/2.6)
}

func TestRungeKutta(t *testing.T) {
	solve := nx.Jit(func(y, rate, end nx.Tensor) nx.Tensor { return Solve(y, rate, end, 200) })
	near(t, "solution", solve(number(2), number(0.7), number(1)), 2*math.Exp(0.7*math.Sin(1)))
	near(t, "scalar", number(float64(sciencedefs.Solve(2, 0.7, 1, 200))), 2*math.Exp(0.7*math.Sin(1)))
	slope := nx.Jit(nx.Grad(func(r nx.Tensor) nx.Tensor { return solve(number(2), r, number(1)) }))(number(0.7))
	near(t, "sensitivity", slope, 2*math.Sin(1)*math.Exp(0.7*math.Sin(1)))
}

func TestAttention(t *testing.T) {
	q := random.Normal(random.Key(5), 0, 1, nx.Shape{3, 4}, nx.F64)
	v := random.Normal(random.Key(6), 0, 1, nx.Shape{3, 2}, nx.F64)
	scores := nx.Div(nx.Dot(q, nx.Transpose(q)), 2)
	near(t, "full", Attention(q, q, v, false), nx.Data[float64](nx.Dot(nx.Softmax(scores), v))...)
	masked := nx.Where(nx.Equal(nx.Tri(3, 3, 0, nx.F64), 1), scores, math.Inf(-1))
	near(t, "causal", Attention(q, q, v, true), nx.Data[float64](nx.Dot(nx.Softmax(masked), v))...)
}

// text is what the language model learns.
const text = "to be or not to be, that is the question"

// characters returns a text as numbers, and how many there are.
func characters(text string) (nx.Tensor, int) {
	numbers := map[rune]int32{}
	var list []int32
	for _, r := range text {
		if _, ok := numbers[r]; !ok {
			numbers[r] = int32(len(numbers))
		}
		list = append(list, numbers[r])
	}
	return nx.New(list), len(numbers)
}

func newLSTM(vocabulary, width, hidden int) LSTM {
	keys := random.Split(random.Key(7), 4)
	weights := func(i, rows, columns int) nx.Tensor {
		return random.Normal(keys.At(i), 0, 0.5, nx.Shape{rows, columns}, nx.F32)
	}
	return LSTM{weights(0, vocabulary, width), weights(1, width, 4*hidden), weights(2, hidden, 4*hidden),
		nx.Zeros(nx.Shape{4 * hidden}, nx.F32), weights(3, hidden, vocabulary)}
}

// TestLSTM trains the model to repeat a sequence.
func TestLSTM(t *testing.T) {
	tokens, n := characters("abcdabcdabcd")
	m := newLSTM(n, 3, 2)
	step := nx.Jit(LSTM.Train)
	_, first := step(m, tokens, nx.New(float32(0.5)))
	var last nx.Tensor
	for range 300 {
		m, last = step(m, tokens, nx.New(float32(0.5)))
	}
	if f, l := nx.Item[float64](first), nx.Item[float64](last); f < 1 || l > 0.1 {
		t.Errorf("the loss goes from %v to %v", f, l)
	}
}

func TestPi(t *testing.T) {
	if got := nx.Item[float64](Pi(random.Key(1), 100_000)); math.Abs(got-math.Pi) > 0.02 {
		t.Errorf("got %v", got)
	}
}

func TestPowerIteration(t *testing.T) {
	a := nx.New([][]float64{{2, 1}, {1, 3}})
	value, steps := nx.Jit(func(a, v nx.Tensor) (nx.Tensor, nx.Tensor) { return PowerIteration(a, v, 1e-12) })(a,
		nx.New([]float64{1, 0}))
	near(t, "eigenvalue", value, (5+math.Sqrt(5))/2)
	if n := nx.Item[int](steps); n < 5 || n > 100 {
		t.Errorf("%d steps", n)
	}
}

func TestPendulum(t *testing.T) {
	b := Body{number(1), number(2), number(1), number(0.5)}
	p := Pendulum{number(2), number(2.5), number(0), number(0)}
	time, last := nx.Jit(func(p Pendulum) (nx.Tensor, Pendulum) { return b.Swing(p, number(0.001), number(2)) })(p)
	near(t, "energy", nx.Mul(b.Energy(last), 0.1), nx.Item[float64](b.Energy(p))/10)
	plainBody := sciencedefs.Body{Mass1: 1, Mass2: 2, Length1: 1, Length2: 0.5}
	plainTime, plain := plainBody.Swing(sciencedefs.Pendulum{Angle1: 2, Angle2: 2.5}, 0.001, 2)
	near(t, "time", time, float64(plainTime))
	for i, x := range []defn.Tensor{plain.Angle1, plain.Angle2, plain.Speed1, plain.Speed2} {
		got := nx.Item[float64]([]nx.Tensor{last.Angle1, last.Angle2, last.Speed1, last.Speed2}[i])
		if math.Abs(got-float64(x)) > 1e-4*(1+math.Abs(float64(x))) { // the motion is chaotic
			t.Errorf("state %d: got %v, want %v", i, got, x)
		}
	}
}
