package device_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/go-nx/nx/shard"

	"github.com/go-nx/nx"
	"github.com/go-nx/nx/cpu"
	"github.com/go-nx/nx/random"
	"github.com/go-nx/nx/stablehlo/interp"
)

var square = shard.Mesh{{Name: "x", Size: 2}, {Name: "y", Size: 2}}

// collectives is the program of stablehlo/interp/testdata/manual.mlir, which JAX computes too.
func collectives(a, b, c nx.Tensor) (s, r, t, p, i nx.Tensor) {
	s = shard.AllReduce(nx.Dot(a, b), "y")
	r = shard.ReduceScatter(shard.AllGather(c, 0, "x"), 0, "y")
	t = shard.AllToAll(c, 0, 1, "x")
	p = shard.Permute(c, "x", [2]int{0, 1}, [2]int{1, 0})
	i = nx.Reshape(nx.Add(nx.Mul(shard.Index("x"), 10), shard.Index("y")), 1, 1)
	return s, r, t, p, i
}

func ramp(mod int, rows, cols int) nx.Tensor {
	return nx.Reshape(nx.Remainder(nx.Iota(nx.Shape{rows * cols}, nx.F32), mod), rows, cols)
}

// A function on a mesh gives what JAX's shard_map gives, eagerly, compiled and toInterp.
func TestShardMap(t *testing.T) {
	f := shard.Map(collectives, square, []shard.Sharding{{"x", "y"}, {"y"}, {"x,y"}},
		[]shard.Sharding{{"x"}, {"y"}, {"x,y"}, {"x,y"}, {"x", "y"}})
	c := ramp(1000, 8, 4)
	want := []nx.Tensor{
		nx.New([][]float32{{32, 21}, {43, 26}, {29, 41}, {25, 31}}),
		nx.New([][]float32{{8, 10, 12, 14}, {16, 18, 20, 22}, {40, 42, 44, 46}, {48, 50, 52, 54}}),
		nx.New([][]float32{{0, 1, 2, 3, 16, 17, 18, 19}, {8, 9, 10, 11, 24, 25, 26, 27}, {4, 5, 6, 7, 20, 21, 22, 23},
			{12, 13, 14, 15, 28, 29, 30, 31}}),
		nx.Add(nx.Remainder(nx.Add(c, 16), 32), 0),
		nx.New([][]int32{{0, 1}, {10, 11}}),
	}
	for name, g := range map[string]func(a, b, c nx.Tensor) (s, r, t, p, i nx.Tensor){"eager": f, "jit": nx.Jit(f),
		"inside of jit": nx.Jit(func(a, b, c nx.Tensor) (s, r, t, p, i nx.Tensor) { return nx.Jit(f)(a, b, c) }),
		"interp":        nx.Jit(f, nx.On(interp.NewClient()))} {
		t.Run(name, func(t *testing.T) {
			args := []nx.Tensor{ramp(5, 4, 6), ramp(7, 6, 2), c}
			if name == "interp" {
				args = toInterp(t, args)
			}
			s, r, u, p, i := g(args[0], args[1], args[2])
			for k, got := range []nx.Tensor{s, r, u, p, i} {
				if fmt.Sprint(got) != fmt.Sprint(want[k]) {
					t.Errorf("result %d is %v, want %v", k, got, want[k])
				}
			}
		})
	}
}

// toInterp puts tensors where the interpreter computes.
func toInterp[P any](t *testing.T, p P) P {
	t.Helper()
	p, err := nx.Transfer(p, interp.NewClient().Devices()[0])
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// Tensors from outside are whole on every device, and a compiled function inside of two meshes
// belongs to each.
func TestShardMapCaptures(t *testing.T) {
	w := nx.New([]float32{10, 20})
	sum := nx.Jit(func(x nx.Tensor) nx.Tensor { return shard.AllReduce(nx.Mul(x, w), "x") })
	for devices, want := range map[int]string{1: "[10 40 30 80]", 2: "[40 120]"} {
		mesh := shard.Mesh{{Name: "x", Size: devices}}
		f := shard.Map(func(x nx.Tensor) nx.Tensor { return nx.Reshape(sum(nx.Reshape(x, -1, 2)), -1) }, mesh,
			[]shard.Sharding{{"x"}}, []shard.Sharding{{}})
		if got := fmt.Sprint(nx.Data[float32](f(nx.New([]float32{1, 2, 3, 4})))); got != want {
			t.Errorf("on %d devices: %s, want %s", devices, got, want)
		}
	}
}

// A compiled function inside of a mesh is traced once for each mesh, not for each call.
func TestJitInMeshIsTracedOnce(t *testing.T) {
	traces := 0
	sum := nx.Jit(func(x nx.Tensor) nx.Tensor { traces++; return shard.AllReduce(x, "x") })
	for _, n := range []int{2, 4} {
		traces = 0
		f := shard.Map(func(x nx.Tensor) nx.Tensor { return nx.Add(sum(x), sum(x)) }, shard.Mesh{{Name: "x", Size: n}},
			[]shard.Sharding{{}}, []shard.Sharding{{}})
		for range 3 {
			if got := nx.Item[float32](f(nx.New(float32(3)))); got != float32(6*n) {
				t.Errorf("on %d devices: %v", n, got)
			}
		}
		if traces != 1 {
			t.Errorf("on %d devices the function was traced %d times", n, traces)
		}
	}
}

// Maximum, minimum and mean over devices are those of the parts.
func TestReductionsOverDevices(t *testing.T) {
	x := nx.New([]float32{3, -1, 4, 1, -5, 9, 2, 6})
	mesh := shard.Mesh{{Name: "x", Size: 4}}
	rows := nx.Reshape(x, 4, 2)
	for name, tt := range map[string]struct {
		over func(t nx.Tensor, axes ...string) nx.Tensor
		want nx.Tensor
	}{
		"max":  {shard.AllReduceMax, nx.Max(rows, nx.Axis(0))},
		"min":  {shard.AllReduceMin, nx.Min(rows, nx.Axis(0))},
		"mean": {shard.AllReduceMean, nx.Mean(rows, nx.Axis(0))},
	} {
		f := shard.Map(func(x nx.Tensor) nx.Tensor { return tt.over(x, "x") }, mesh, []shard.Sharding{{"x"}},
			[]shard.Sharding{{}})
		if got := f(x); !almostEqual(got, tt.want) {
			t.Errorf("%s is %v, want %v", name, got, tt.want)
		}
		onInterp := nx.Jit(f, nx.On(interp.NewClient()))(toInterp(t, x))
		if !almostEqual(toCPU(t, onInterp), tt.want) {
			t.Errorf("%s on the interpreter is %v, want %v", name, onInterp, tt.want)
		}
	}
	integers := shard.Map(func(x nx.Tensor) nx.Tensor { return shard.AllReduceMean(x) }, mesh, []shard.Sharding{{"x"}},
		[]shard.Sharding{{}})(nx.New([]int32{1, 2, 3, 5}))
	if got := nx.Data[float32](integers); got[0] != 2.75 {
		t.Errorf("the mean of integers is %v", integers)
	}
	largest := shard.Map(func(x nx.Tensor) nx.Tensor { return shard.AllReduceMax(nx.Max(x)) }, mesh,
		[]shard.Sharding{{"x"}},
		[]shard.Sharding{{}})
	var err error
	func() {
		defer nx.Catch(&err)
		nx.Grad(largest)(x)
	}()
	if !errors.Is(err, nx.ErrGradient) || !strings.Contains(err.Error(), "all_reduce") {
		t.Errorf("the gradient of a maximum over devices: %v", err)
	}
}

func toCPU(t *testing.T, x nx.Tensor) nx.Tensor {
	t.Helper()
	x, err := nx.Transfer(x, cpu.Default().Devices()[0])
	if err != nil {
		t.Fatal(err)
	}
	return x
}

// A function with annotations computes the same, with the shardings of its tensors, one each.
func TestShardJit(t *testing.T) {
	n, x, y := twoAndData()
	mesh := shard.Mesh{{Name: "data", Size: 2}, {Name: "model", Size: 2}}
	step := func(n two, x, y nx.Tensor) (two, nx.Tensor) {
		l, g := nx.ValueAndGrad(func(n two) nx.Tensor { return n.loss(x, y, whole) })(n)
		return two{nx.Sub(n.W, g.W), nx.Sub(n.B, g.B), nx.Sub(n.V, g.V)}, l
	}
	network := shard.LeafShardings{{"", "model"}, {"model"}, {"model"}}
	sharded := shard.Jit(step, mesh, []shard.LeafShardings{network, {{"data"}}, {{"data"}}},
		[]shard.LeafShardings{network, {{}}})
	want, wantLoss := nx.Jit(step)(n, x, y)
	got, loss := sharded(n, x, y)
	if !almostEqual(loss, wantLoss) || !almostEqual(got.W, want.W) || !almostEqual(got.B, want.B) ||
		!almostEqual(got.V, want.V) {
		t.Errorf("the step gives %v, loss %v; without a mesh %v, %v", got, loss, want, wantLoss)
	}
	onInterp := shard.Jit(step, mesh, []shard.LeafShardings{network, {{"data"}}, {{"data"}}},
		[]shard.LeafShardings{network, {{}}}, nx.On(interp.NewClient()))
	_, loss = onInterp(toInterp(t, n), toInterp(t, x), toInterp(t, y))
	if !almostEqual(toCPU(t, loss), wantLoss) {
		t.Errorf("on the interpreter the loss is %v, want %v", loss, wantLoss)
	}
	l, err := nx.Lower(func(x nx.Tensor) nx.Tensor { return shard.Constrain(x, mesh, shard.Sharding{"data,model"}) },
		nx.Args(x))
	if err != nil {
		t.Fatal(err)
	}
	if text := l.Module().String(); !strings.Contains(text, "return %0") ||
		!strings.Contains(text, `sdy.sharding_constraint %arg0 <@mesh_data_2_model_2, [{"data", "model"}, {}]>`) ||
		!strings.Contains(text, `sdy.mesh @mesh_data_2_model_2 = <["data"=2, "model"=2]>`) {
		t.Errorf("the program is\n%s", text)
	}
}

// Absent tensors of arguments and results have no sharding, as they are not among tree.Leaves.
func TestShardingsOfAbsent(t *testing.T) {
	type pair struct{ A, B, C nx.Tensor }
	mesh := shard.Mesh{{Name: "x", Size: 2}}
	double := func(p pair) pair { return pair{A: nx.Add(p.A, p.A), C: nx.Add(p.C, p.C)} }
	p := pair{A: nx.FromSlice([]float32{1, 2}, nx.Shape{2}), C: nx.FromSlice([]float32{3, 4, 5}, nx.Shape{3})}
	cut := []shard.LeafShardings{{{"x"}, {}}}
	for name, f := range map[string]func(pair) pair{
		"Jit": shard.Jit(double, mesh, cut, cut),
		"Map": shard.Map(double, mesh, cut, cut),
	} {
		got := f(p)
		if !nx.ArrayEqual(got.A, nx.Add(p.A, p.A)) || !got.B.IsZero() || !nx.ArrayEqual(got.C, nx.Add(p.C, p.C)) {
			t.Errorf("%s: %v", name, got)
		}
	}
}

// two is a network of two layers.
type two struct{ W, B, V nx.Tensor }

func (n two) loss(x, y nx.Tensor, sum func(h nx.Tensor) nx.Tensor) nx.Tensor {
	h := nx.Tanh(nx.Add(nx.Dot(x, n.W), n.B))
	return nx.Mean(nx.Pow(nx.Sub(sum(nx.Dot(h, n.V)), y), 2))
}

func whole(h nx.Tensor) nx.Tensor { return h }

func twoAndData() (n two, x, y nx.Tensor) {
	k := random.Split(random.Key(5), 5)
	normal := func(i int, shape ...int) nx.Tensor { return random.Normal(k.At(i), 0, 1, nx.Shape(shape), nx.F32) }
	return two{normal(0, 6, 8), normal(1, 8), normal(2, 8, 3)}, normal(3, 12, 6), normal(4, 12, 3)
}

// The steps of training whose gradients cross devices equal that of one device; without a
// collective they do not.
func TestTrainingOnAMesh(t *testing.T) {
	n, x, y := twoAndData()
	wantLoss, want := nx.ValueAndGrad(func(n two) nx.Tensor { return n.loss(x, y, whole) })(n)
	mesh := shard.Mesh{{Name: "data", Size: 2}, {Name: "model", Size: 2}}
	sum := func(h nx.Tensor) nx.Tensor { return shard.AllReduce(h, "model") }
	mean := func(l nx.Tensor) nx.Tensor { return nx.Div(shard.AllReduce(l, "data"), 2) }
	// Rows of the data along one axis, features of the hidden layer along the other.
	in := []shard.Sharding{{"", "model"}, {"model"}, {"model"}, {"data"}, {"data"}}
	lossOn := func(sum, mean func(h nx.Tensor) nx.Tensor) func(n two) nx.Tensor {
		return func(n two) nx.Tensor {
			return shard.Map(func(w, b, v, x, y nx.Tensor) nx.Tensor { return mean(two{w, b, v}.loss(x, y, sum)) },
				mesh, in, []shard.Sharding{{}})(n.W, n.B, n.V, x, y)
		}
	}
	for name, tt := range map[string]struct {
		sum, mean func(h nx.Tensor) nx.Tensor
		same      bool
	}{
		"data and tensor parallel":                {sum, mean, true},
		"without the sum over features":           {whole, mean, false},
		"without the mean over parts of the data": {sum, whole, false},
	} {
		for how, valueAndGrad := range map[string]func(n two) (nx.Tensor, two){
			"eager": nx.ValueAndGrad(lossOn(tt.sum, tt.mean)),
			"jit":   nx.Jit(nx.ValueAndGrad(lossOn(tt.sum, tt.mean))),
		} {
			l, g := valueAndGrad(n)
			same := almostEqual(l, wantLoss) && almostEqual(g.W, want.W) && almostEqual(g.B, want.B) &&
				almostEqual(g.V, want.V)
			if same != tt.same {
				t.Errorf("%s, %s: loss %v, gradient %v; of one device %v, %v", name, how, l, g.V, wantLoss, want.V)
			}
		}
	}
}

// almostEqual compares within what sums in another order are off.
func almostEqual(a, b nx.Tensor) bool { return nx.Item[bool](nx.AllClose(a, b, nx.Tolerance(0, 1e-5))) }

// Derivatives taken inside of the function are those of each device, which the user sums; of
// second order too.
func TestDerivativesOnAMesh(t *testing.T) {
	n, x, y := twoAndData()
	loss := func(v, x, y nx.Tensor) nx.Tensor { return two{n.W, n.B, v}.loss(x, y, whole) }
	want := nx.Grad(func(v nx.Tensor) nx.Tensor { return loss(v, x, y) })(n.V)
	mesh := shard.Mesh{{Name: "data", Size: 4}}
	in := []shard.Sharding{{}, {"data"}, {"data"}}
	got := shard.Map(func(v, x, y nx.Tensor) nx.Tensor {
		g := nx.Grad(func(v nx.Tensor) nx.Tensor { return loss(v, x, y) })(v)
		return nx.Div(shard.AllReduce(g), 4)
	}, mesh, in, []shard.Sharding{{}})(n.V, x, y)
	if !almostEqual(got, want) {
		t.Errorf("the gradient is %v, want %v", got, want)
	}
	outside := func(v nx.Tensor) nx.Tensor {
		return shard.Map(func(v, x, y nx.Tensor) nx.Tensor { return nx.Div(shard.AllReduce(loss(v, x, y)), 4) },
			mesh, in, []shard.Sharding{{}})(v, x, y)
	}
	d := nx.Ones(n.V.Shape(), nx.F32)
	single := func(v nx.Tensor) nx.Tensor { return loss(v, x, y) }
	if got, want := nx.HVP(outside, n.V, d), nx.HVP(single, n.V, d); !almostEqual(got, want) {
		t.Errorf("the second derivative is %v, want %v", got, want)
	}
	_, got = nx.JVP(outside, n.V, d)
	if _, want := nx.JVP(single, n.V, d); !almostEqual(got, want) {
		t.Errorf("the derivative forwards is %v, want %v", got, want)
	}
}

// A collective outside of a mesh says so, also after one.
func TestCollectiveOutside(t *testing.T) {
	var err error
	func() {
		defer nx.Catch(&err)
		shard.AllReduce(nx.New([]float32{1}), "x")
	}()
	if !errors.Is(err, nx.ErrTrace) {
		t.Errorf("%v", err)
	}
}
