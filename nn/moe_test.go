package nn_test

import (
	"cmp"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/go-nx/nx"
	"github.com/go-nx/nx/nn"
	"github.com/go-nx/nx/random"
	"github.com/go-nx/nx/tree"
)

// preferred are the experts of each position, the most probable first.
func preferred(m *nn.MoE, x nx.Tensor) [][]int {
	host := nx.Nested[[][]float64](nx.Softmax(nx.Dot(x, nx.Transpose(m.Gate.Weight))))
	order := make([][]int, len(host))
	for t, row := range host {
		order[t] = make([]int, len(row))
		for e := range order[t] {
			order[t][e] = e
		}
		slices.SortStableFunc(order[t], func(a, b int) int { return cmp.Compare(row[b], row[a]) })
	}
	return order
}

// plainMoE adds what the experts give for each position, one after another.
func plainMoE(m *nn.MoE, x nx.Tensor, order [][]int) (y nx.Tensor, dropped int) {
	n, positions := len(m.Experts), x.Shape()[0]
	p := nx.Softmax(nx.Dot(x, nx.Transpose(m.Gate.Weight)))
	places := positions
	if m.Capacity > 0 {
		places = min(positions, int(math.Ceil(m.Capacity*float64(positions*m.TopK)/float64(n))))
	}
	taken := make([]int, n)
	rows := make([]nx.Tensor, positions)
	for k := range m.TopK {
		for t := range positions {
			e := order[t][k]
			if taken[e]++; taken[e] > places {
				dropped++
				continue
			}
			w := p.At(t, e)
			if m.Normalize {
				sum := nx.Zeros(nx.Shape{}, nx.F64)
				for _, other := range order[t][:m.TopK] {
					sum = nx.Add(sum, p.At(t, other))
				}
				w = nx.Div(w, sum)
			}
			part := nx.Mul(m.Experts[e].Apply(nil, x.At(nx.Range(t, t+1))), w)
			if !rows[t].IsZero() {
				part = nx.Add(rows[t], part)
			}
			rows[t] = part
		}
	}
	for t := range rows {
		if rows[t].IsZero() {
			rows[t] = nx.Zeros(nx.Shape{1, x.Shape()[1]}, nx.F64)
		}
	}
	return nx.Concatenate(rows), dropped
}

func TestMoE(t *testing.T) {
	key := random.Key(4)
	x := random.Normal(key, 0, 1, nx.Shape{9, 4}, nx.F64)
	for _, c := range []struct {
		experts, k int
		capacity   float64
		dropped    bool
	}{{4, 2, 0, false}, {4, 1, 0, false}, {5, 5, 0, false}, {4, 2, 4, false}, {4, 2, 1, true}, {3, 1, 0.5, true},
		{1, 1, 1, false}, {6, 3, 0.1, true}} {
		m := nn.Cast(nn.NewMoE(random.FoldIn(key, c.experts), 4, 6, c.experts, c.k, nn.Capacity(c.capacity)), nx.F64)
		y, r := m.Route(nil, x)
		order := preferred(m, x)
		want, dropped := plainMoE(m, x, order)
		close(t, "result", y, want)
		if got := nx.Item[float64](r.Dropped) * float64(9*c.k); math.Abs(got-float64(dropped)) > 1e-4 ||
			(dropped > 0) != c.dropped {
			t.Errorf("%+v: %v dropped, want %d", c, got, dropped)
		}
		type arguments struct {
			M *nn.MoE
			X nx.Tensor
		}
		a := arguments{m, x}
		close(t, "gradient", nx.Grad(func(a arguments) nx.Tensor {
			return nx.Sum(nx.Square(a.M.Apply(nil, a.X)))
		})(a), nx.Grad(func(a arguments) nx.Tensor {
			y, _ := plainMoE(a.M, a.X, order)
			return nx.Sum(nx.Square(y))
		})(a))
	}
}

// The balance is TopK for a router that prefers nothing, and larger for one that prefers some experts; its gradient
// makes a router more even.
func TestMoEBalance(t *testing.T) {
	key := random.Key(7)
	x := nx.Abs(random.Normal(key, 0, 1, nx.Shape{64, 4}, nx.F32))
	m := nn.NewMoE(key, 4, 3, 4, 2)
	m.Gate.Weight = nx.ZerosLike(m.Gate.Weight)
	_, r := m.Route(nil, x)
	if b := nx.Item[float64](r.Balance); math.Abs(b-2) > 1e-5 {
		t.Errorf("a router of zeros has balance %v", b)
	}
	if z := nx.Item[float64](r.ZLoss); math.Abs(z-math.Log(4)*math.Log(4)) > 1e-5 {
		t.Errorf("a router of zeros has the z-loss %v", z)
	}
	m.Gate.Weight = nx.New([][]float32{{2, 2, 2, 2}, {1, 1, 1, 1}, {0, 0, 0, 0}, {-1, -1, -1, -1}})
	_, first := m.Route(nil, x)
	balance := func(w nx.Tensor) nx.Tensor {
		l := *m
		l.Gate = &nn.Linear{Weight: w}
		c := &nn.Ctx{Train: true, Model: &l}
		nn.Remat(c, &l, x)
		return c.AuxLoss()
	}
	if got, want := nx.Item[float32](balance(m.Gate.Weight)), 0.01*nx.Item[float32](first.Balance); math.Abs(
		float64(got-want)) > 1e-6 {
		t.Errorf("the loss of Remat is %v, want %v", got, want)
	}
	for range 200 {
		m.Gate.Weight = nx.Sub(m.Gate.Weight, nx.Mul(nx.Grad(balance)(m.Gate.Weight), 50))
	}
	_, last := m.Route(nil, x)
	if a, b := nx.Item[float32](first.Balance), nx.Item[float32](last.Balance); !(a > 3.5 && b < 3) {
		t.Errorf("the balance was %v and is %v, load %v", a, b, nx.Data[float32](last.Load))
	}
	if c := new(nn.Ctx); nx.Item[float32](c.AuxLoss()) != 0 || !nx.ArrayEqual(m.Apply(c, x), m.Apply(nil, x)) ||
		nx.Item[float32](c.AuxLoss()) != 0 {
		t.Error("a loss in inference")
	}
}

// Names are those of Mixtral.
func TestMoENames(t *testing.T) {
	m := struct {
		MLP *nn.MoE `nn:"block_sparse_moe"`
	}{nn.NewMoE(random.Key(1), 4, 6, 2, 1)}
	var names []string
	for _, name := range nn.StateNames(m) {
		names = append(names, strings.TrimPrefix(name, "block_sparse_moe."))
	}
	slices.Sort(names)
	if got := strings.Join(names, " "); !strings.Contains(got, "experts.0.w1.weight experts.0.w2") ||
		!strings.HasSuffix(got, "gate.weight") && !strings.Contains(got, "gate.weight ") {
		t.Error(got)
	}
	shapes := map[string]nx.Shape{}
	for path, x := range tree.Leaves(m) {
		shapes[nn.StateNames(m)[path]] = x.Shape()
	}
	if s := shapes["block_sparse_moe.experts.1.w2.weight"]; !slices.Equal(s, nx.Shape{4, 6}) || len(shapes) != 7 {
		t.Error(shapes)
	}
}

func TestMoEErrors(t *testing.T) {
	key := random.Key(1)
	m := struct{ MLP *nn.MoE }{nn.NewMoE(key, 4, 6, 2, 1, nn.Jitter(.1))}
	x := nx.Zeros(nx.Shape{3, 4}, nx.F32)
	for want, f := range map[string]func(){
		"3 of 2 experts cannot be chosen":             func() { nn.NewMoE(key, 4, 6, 2, 3) },
		"the capacity must be a number of at least 0": func() { nn.NewMoE(key, 4, 6, 2, 1, nn.Capacity(-1)) },
		"the last axis of the argument must be 4, got [3][5]": func() {
			m.MLP.Apply(&nn.Ctx{Model: &m}, nx.Zeros(nx.Shape{3, 5}, nx.F32))
		},
		"the layer MLP (MoE) draws random numbers": func() { m.MLP.Apply(&nn.Ctx{Train: true, Model: &m}, x) },
		"the router has 2 results, there are 1 experts": func() {
			(&nn.MoE{Gate: m.MLP.Gate, Experts: m.MLP.Experts[:1], TopK: 1}).Apply(nil, x)
		},
	} {
		func() {
			defer func() {
				if e, ok := recover().(*nx.Error); !ok || !strings.Contains(e.Error(), want) {
					t.Errorf("got %v, want %q", e, want)
				}
			}()
			f()
		}()
	}
}
