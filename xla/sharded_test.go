package xla_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/go-nx/nx/shard"

	"github.com/go-nx/nx"
	"github.com/go-nx/nx/cpu"
	"github.com/go-nx/nx/internal/pjrt/abi"
	"github.com/go-nx/nx/internal/sharding"
	"github.com/go-nx/nx/internal/testkit"
	"github.com/go-nx/nx/stablehlo"
	"github.com/go-nx/nx/xla"
)

var square = shard.Mesh{{Name: "data", Size: 2}, {Name: "model", Size: 2}}

// manualStep is a step of training written for each device: rows of the data along one axis of
// the mesh, hidden features along the other. Without the sums it is another function.
func manualStep(sum, mean func(t nx.Tensor) nx.Tensor) func(n network, x, y nx.Tensor) (network, nx.Tensor) {
	in := []shard.LeafShardings{{{"", "model"}, {"model"}}, {{"data"}}, {{"data"}}}
	lossOn := shard.Map(func(n network, x, y nx.Tensor) nx.Tensor {
		p := nx.Softmax(sum(nx.Dot(nx.Tanh(nx.Dot(x, n.W)), n.V)))
		return mean(nx.Neg(nx.Mean(nx.Mul(y, nx.Log(p)))))
	}, square, in, []shard.LeafShardings{{{}}})
	return func(n network, x, y nx.Tensor) (network, nx.Tensor) {
		l, g := nx.ValueAndGrad(func(n network) nx.Tensor { return lossOn(n, x, y) })(n)
		return network{nx.Sub(n.W, nx.Mul(0.5, g.W)), nx.Sub(n.V, nx.Mul(0.5, g.V))}, l
	}
}

func sumOver(t nx.Tensor) nx.Tensor  { return shard.AllReduce(t, "model") }
func meanOver(t nx.Tensor) nx.Tensor { return shard.AllReduceMean(t, "data") }

func closeTo(t *testing.T, got, want nx.Tensor) bool {
	t.Helper()
	return nx.Item[bool](nx.AllClose(put(t, got, cpu.Default().Devices()[0]), want, nx.Tolerance(1e-5, 1e-6)))
}

// Data- and tensor-parallel training on four devices is that of one, written for each device
// and annotated; it is not when a collective is taken out. From the second step on the
// parameters stay in parts where they are.
func TestTrainingOnDevices(t *testing.T) {
	c, p := open(t, "four"), plugins["four"]
	d := c.Devices()[0]
	n, x, y := networkAndData()
	network0 := shard.LeafShardings{{"", "model"}, {"model"}}
	whole := func(t nx.Tensor) nx.Tensor { return t }
	want, wantLoss := n, nx.Tensor{}
	for range 3 {
		want, wantLoss = nx.Jit(step)(want, x, y)
	}
	for name, tt := range map[string]struct {
		step func(n network, x, y nx.Tensor) (network, nx.Tensor)
		same bool
	}{
		"manual":           {nx.Jit(manualStep(sumOver, meanOver), nx.On(c)), true},
		"without the sum":  {nx.Jit(manualStep(whole, meanOver), nx.On(c)), false},
		"without the mean": {nx.Jit(manualStep(sumOver, whole), nx.On(c)), false},
		"annotated": {shard.Jit(step, square, []shard.LeafShardings{network0, {{"data"}}, {{"data"}}},
			[]shard.LeafShardings{network0, {{}}}, nx.On(c)), true},
	} {
		t.Run(name, func(t *testing.T) {
			m, x, y, loss := put(t, n, d), put(t, x, d), put(t, y, d), nx.Tensor{}
			var ups int
			for i := range 3 {
				if i == 2 {
					ups = p.Calls(abi.ClientBufferFromHostBuffer)
				}
				m, loss = tt.step(m, x, y)
			}
			if tt.same { // x and y are cut again: 4 parts each
				if n := p.Calls(abi.ClientBufferFromHostBuffer) - ups; n != 8 {
					t.Errorf("a later step put %d parts on devices, want those of the data: 8", n)
				}
				parts := shard.Split(m.W)
				var places []string
				for _, s := range parts {
					places = append(places, fmt.Sprint(s.Device(), s.Shape()))
				}
				if got := fmt.Sprint(places); got != "[four:0 [6][4] four:1 [6][4] four:2 [6][4] four:3 [6][4]]" {
					t.Errorf("the parts of W are %s", got)
				}
			}
			if same := closeTo(t, loss, wantLoss) && closeTo(t, m.W, want.W) &&
				closeTo(t, m.V, want.V); same != tt.same {
				t.Errorf("loss %v, want %v; the same: %v, want %v", loss, wantLoss, same, tt.same)
			}
		})
	}
}

// What comes in parts is a tensor like others: read, printed, moved, computed with, donated.
func TestTensorsInParts(t *testing.T) {
	c := open(t, "parts")
	d := c.Devices()[0]
	double := nx.Jit(shard.Map(func(x nx.Tensor) nx.Tensor { return nx.Add(x, x) }, square,
		[]shard.Sharding{{"data", "model"}}, []shard.Sharding{{"data", "model"}}), nx.On(c), nx.Donate(0))
	x := nx.Reshape(nx.Iota(nx.Shape{8}, nx.F32), 2, 4)
	before := testkit.Settled(c.InUse)
	y := double(put(t, x, d))
	if got := fmt.Sprint(nx.Data[float32](y)); got != "[0 2 4 6 8 10 12 14]" {
		t.Errorf("read: %s", got)
	}
	if got := fmt.Sprint(nx.Data[float32](nx.Add(y, 1))); got != "[1 3 5 7 9 11 13 15]" { // eager, on one device
		t.Errorf("whole: %s", got)
	}
	if got := nx.Data[float32](nx.Jit(func(x nx.Tensor) nx.Tensor { return nx.Sum(x) }, nx.On(c))(y)); got[0] != 56 {
		t.Errorf("the sum is %v", got)
	}
	parts := shard.Split(y)
	if got := fmt.Sprint(nx.Data[float32](nx.Mul(parts[1], 1))); got != "[4 6]" || parts[1].Device() != c.Devices()[1] {
		t.Errorf("the second part is %s on %s", got, parts[1].Device())
	}
	z := double(y)
	if err := caught(func() { nx.Exp(y) }); !errors.Is(err, nx.ErrReleased) {
		t.Errorf("a donated tensor: %v", err)
	}
	if got := fmt.Sprint(nx.Data[float32](put(t, z, c.Devices()[2]))); got != "[0 4 8 12 16 20 24 28]" {
		t.Errorf("moved: %s", got)
	}
	nx.Release(z)
	plugins["parts"].Wait()
	if n := c.InUse() - before; n < 0 || n > 200 {
		t.Errorf("%d bytes more in use than before", n)
	}
}

// Programs for more devices than available report it, unless they only have annotations; so do devices that
// fail.
func TestMeshesThatDoNotFit(t *testing.T) {
	four, two := open(t, "four"), open(t, "old")
	f := shard.Map(func(x nx.Tensor) nx.Tensor { return shard.AllReduce(x) }, square, []shard.Sharding{{"data"}},
		[]shard.Sharding{{}})
	x := nx.New([]float32{1, 2})
	for name, c := range map[string]*xla.Client{"two devices": two, "one of four": four.With(xla.DeviceID(1))} {
		err := caught(func() { nx.Jit(f, nx.On(c))(put(t, x, c.Devices()[0])) })
		if err == nil || !strings.Contains(err.Error(), "a mesh of 4 devices, got") {
			t.Errorf("%s: %v", name, err)
		}
	}
	annotated := shard.Jit(func(x nx.Tensor) nx.Tensor { return nx.Mul(x, 3) }, square, []shard.Sharding{{"data"}},
		[]shard.Sharding{{"data"}}, nx.On(two))
	if got := nx.Data[float32](annotated(put(t, x, two.Devices()[0]))); !slices.Equal(got, []float32{3, 6}) {
		t.Errorf("annotations on two devices: %v", got)
	}
	g, p := nx.Jit(f, nx.On(four)), plugins["four"]
	y := put(t, x, four.Devices()[0])
	g(y)
	for _, fn := range []abi.Function{abi.LoadedExecutableExecute, abi.ClientBufferFromHostBuffer} {
		p.Fail(fn, abi.Internal, "out of luck", 0)
		err := caught(func() { g(y) })
		p.Fail(fn, abi.OK, "", 0)
		var e *xla.Error
		if !errors.As(err, &e) || e.Message != "out of luck" {
			t.Errorf("%s: %v", fn, err)
		}
	}
	if got := fmt.Sprint(nx.Data[float32](g(y))); got != "[6]" {
		t.Errorf("afterwards: %s", got)
	}
}

// The plugin gets the shardings of arguments and results: the results of other shardings would differ.
func TestShardingsAreInTheProgram(t *testing.T) {
	c := open(t, "four")
	l, err := nx.Lower(func(x nx.Tensor) nx.Tensor {
		return shard.Constrain(nx.Exp(shard.Constrain(x, square, shard.Sharding{"data"})),
			square, shard.Sharding{"", "model"})
	}, nx.Args(nx.Zeros(nx.Shape{4, 4}, nx.F32)))
	if err != nil {
		t.Fatal(err)
	}
	code, err := c.Export(context.Background(), l.Module())
	if err != nil {
		t.Fatal(err)
	}
	m, err := stablehlo.Parse("exported", code)
	if err != nil {
		t.Fatalf("%v\n%s", err, code)
	}
	main, _ := m.Func("main")
	for i, tt := range []struct {
		attr stablehlo.Attr
		want string
	}{{main.ArgAttr(0, sharding.AttrName), "[[data] []]"}, {main.ResultAttr(0, sharding.AttrName), "[[] [model]]"}} {
		s, _, err := sharding.Read(tt.attr)
		if err != nil || fmt.Sprint(s) != tt.want {
			t.Errorf("%d: %v, %v, want %s", i, s, err, tt.want)
		}
	}
}

// The parsers of plugins refuse names of values around a manual computation in it.
func TestNamesInManualComputations(t *testing.T) {
	f := shard.Map(func(x nx.Tensor) nx.Tensor { return shard.AllReduce(x) }, square, []shard.Sharding{{"data"}},
		[]shard.Sharding{{}})
	l, err := nx.Lower(f, nx.Args(nx.New([]float32{1, 2})))
	if err != nil {
		t.Fatal(err)
	}
	code, err := open(t, "four").Export(context.Background(), l.Module())
	if n := strings.Count(string(code), "(%arg0: "); err != nil || n != 1 {
		t.Errorf("%d blocks have an argument %%arg0, %v:\n%s", n, err, code)
	}
}

// Parts that are on their devices become a tensor without a copy: programs take them where they are,
// and their memory is freed once. A part on another device is refused, and stays.
func TestAssembledTensors(t *testing.T) {
	c, p := open(t, "parts"), plugins["parts"]
	before := testkit.Settled(c.InUse)
	part := func(d int, x ...float32) nx.Tensor { return put(t, nx.New(x), c.Devices()[d]) }
	parts := []nx.Tensor{part(0, 1, 2), part(1, 3, 4), part(2, 5, 6), part(3, 7, 8)}
	cut := shard.Sharding{"data,model"}
	sum := shard.Jit(func(x nx.Tensor) nx.Tensor { return nx.Sum(x) }, square, []shard.Sharding{cut},
		[]shard.Sharding{{}},
		nx.On(c), nx.Donate(0))
	other := sum(put(t, nx.New(make([]float32, 8)), c.Devices()[0]))
	for name, tt := range map[string]struct {
		parts []nx.Tensor
		cut   shard.Sharding
	}{
		"in another order": {[]nx.Tensor{parts[1], parts[0], parts[2], parts[3]}, cut},
		"too few":          {parts[:3], cut},
		"of a tensor":      {shard.Split(other), shard.Sharding{}},
		"of the processor": {[]nx.Tensor{parts[0], parts[1], parts[2], nx.New([]float32{1, 2})}, cut},
	} {
		if err := caught(func() { shard.Join(tt.parts, square, tt.cut) }); !errors.Is(err, nx.ErrDevice) {
			t.Errorf("%s: %v", name, err)
		}
	}
	ups := p.Calls(abi.ClientBufferFromHostBuffer)
	x := shard.Join(parts, square, cut)
	if got := fmt.Sprint(nx.Data[float32](x)); got != "[1 2 3 4 5 6 7 8]" {
		t.Errorf("the tensor is %s", got)
	}
	if err := caught(func() { nx.Data[float32](parts[0]) }); !errors.Is(err, nx.ErrReleased) {
		t.Errorf("a part is there twice: %v", err)
	}
	y := sum(x)
	if got := nx.Item[float32](y); got != 36 {
		t.Errorf("the sum is %v", got)
	}
	if n := p.Calls(abi.ClientBufferFromHostBuffer) - ups; n != 0 {
		t.Errorf("%d parts were copied", n)
	}
	if err := caught(func() { sum(x) }); !errors.Is(err, nx.ErrReleased) {
		t.Errorf("the tensor is there after it was donated: %v", err)
	}
	nx.Release(y, other)
	p.Wait()
	if n := c.InUse() - before; n != 0 {
		t.Errorf("%d bytes are left", n)
	}
}

// A plugin that does not report the devices of an executable, though it could, gets no shards.
func TestUntoldDevices(t *testing.T) {
	c, p := open(t, "four"), plugins["four"]
	f := shard.Jit(func(x nx.Tensor) nx.Tensor { return nx.Sin(x) }, square, []shard.Sharding{{"data"}},
		[]shard.Sharding{{"data"}}, nx.On(c))
	x := put(t, nx.New([]float32{1, 2}), c.Devices()[0])
	p.Fail(abi.LoadedExecutableAddressableDevices, abi.Internal, "which?", 0)
	err := caught(func() { f(x) })
	p.Fail(abi.LoadedExecutableAddressableDevices, abi.OK, "", 0)
	if err == nil || !strings.Contains(err.Error(), "placing the program by four: INTERNAL: which?") {
		t.Errorf("%v", err)
	}
	if got := nx.Data[float32](f(x)); len(got) != 2 {
		t.Errorf("%v", got)
	}
}
