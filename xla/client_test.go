package xla_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/go-nx/nx"
	"github.com/go-nx/nx/backend"
	"github.com/go-nx/nx/cpu"
	"github.com/go-nx/nx/diag"
	"github.com/go-nx/nx/dtype"
	"github.com/go-nx/nx/internal/pjrt"
	"github.com/go-nx/nx/internal/pjrt/abi"
	"github.com/go-nx/nx/internal/pjrt/fake"
	"github.com/go-nx/nx/internal/testkit"
	"github.com/go-nx/nx/random"
	"github.com/go-nx/nx/stablehlo"
	"github.com/go-nx/nx/xla"
)

// The plugins of the tests, by the names of their clients.
var plugins = map[string]*fake.Plugin{}

func TestMain(m *testing.M) {
	if what := os.Getenv(asNode); what != "" {
		if err := node(what); err != nil {
			fmt.Println(oneLine(err))
			os.Exit(1)
		}
		return
	}
	scenario := os.Getenv("NX_TEST_SCENARIO")
	if scenario != "" && scenario != "default" {
		report(scenario)
		return
	}
	configuration := map[string]xla.ClientOptions{}
	for name, config := range map[string]fake.Config{
		"old":   {StableHLO: stablehlo.Version{Major: 1, Minor: 9}, Devices: 2},
		"new":   {StableHLO: stablehlo.Version{Major: 7, Minor: 1}, Minor: 300},
		"text":  {},
		"small": {Limit: 1 << 20, StableHLO: stablehlo.Version{Major: 1, Minor: 9}},
		"late":  {StableHLO: stablehlo.Version{Major: 1, Minor: 9}},
		"none":  {},
		// For one test: no memory of another test is freed while its bytes are counted.
		"donation": {StableHLO: stablehlo.Version{Major: 1, Minor: 9}},
		"kept":     {StableHLO: stablehlo.Version{Major: 1, Minor: 9}},
		"parts":    {StableHLO: stablehlo.Version{Major: 1, Minor: 9}, Devices: 4}, // its bytes are counted, too
		"hooks":    {StableHLO: stablehlo.Version{Major: 1, Minor: 9}, Devices: 2}, // its bytes are counted, too
		"moves":    {StableHLO: stablehlo.Version{Major: 1, Minor: 9}, Devices: 2}, // as are its
		"lazy":     {StableHLO: stablehlo.Version{Major: 1, Minor: 9}},             // as are its
		"loops":    {StableHLO: stablehlo.Version{Major: 1, Minor: 9}},             // as are its
		"random":   {StableHLO: stablehlo.Version{Major: 1, Minor: 9}, Devices: 2}, // as are its
		"soak":     {StableHLO: stablehlo.Version{Major: 1, Minor: 9}},             // as are its buffers
		"constant": {StableHLO: stablehlo.Version{Major: 1, Minor: 9}, Devices: 2}, // as are its bytes
		"debug":    {StableHLO: stablehlo.Version{Major: 1, Minor: 9}},             // its events are late
		"counted":  {StableHLO: stablehlo.Version{Major: 1, Minor: 9}},             // as are its, by an example
		"four":     {StableHLO: stablehlo.Version{Major: 1, Minor: 9}, Devices: 4},
	} {
		p := fake.New(config)
		path := "/fake/" + name + ".so"
		if err := pjrt.Provide(path, p.Table()); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		plugins[name] = p
		configuration[name] = xla.ClientOptions{Platform: path}
	}
	moving := configuration["moves"]
	moving.AutomaticTransfers = true
	configuration["moves"] = moving
	second := configuration["old"]
	second.DefaultDeviceID = 1
	configuration["second"] = second
	ninth := second
	ninth.DefaultDeviceID = 9
	configuration["ninth"] = ninth
	if err := xla.Configure(configuration); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	if scenario == "default" {
		reportDefault()
		return
	}
	code := m.Run()
	if code == 0 {
		code = checkPlugins()
	}
	os.Exit(code)
}

// checkPlugins reports leaks and misuse of plugins by the tests.
func checkPlugins() (code int) {
	runtime.GC()
	time.Sleep(100 * time.Millisecond) // events are freed on threads of the plugins
	for name, p := range plugins {
		for _, wrong := range p.Misuse() {
			fmt.Fprintf(os.Stderr, "%s: misuse of the plugin: %s\n", name, wrong)
			code = 1
		}
		live := p.Live()
		delete(live, "client") // it lives as long as the process
		// Package nx keeps the ops that it compiled and the numbers that it put there.
		for _, kept := range []string{"executable", "loaded executable"} {
			delete(live, kept)
		}
		if live["event"]+live["error"]+live["serialized executable"] > 0 && name != "late" {
			fmt.Fprintf(os.Stderr, "%s: not freed: %v\n", name, live)
			code = 1
		}
	}
	if strays := fake.MisusedHandles(); strays != nil {
		fmt.Fprintf(os.Stderr, "calls with handles that were freed: %v\n", strays)
		code = 1
	}
	return code
}

func open(t *testing.T, name string) *xla.Client {
	t.Helper()
	c, err := xla.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func put[P any](t *testing.T, p P, on backend.Device) P {
	t.Helper()
	p, err := nx.Transfer(p, on)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// network is a training step with most features of programs.
type network struct{ W, V nx.Tensor }

func loss(n network, x, y nx.Tensor) nx.Tensor {
	h := nx.Tanh(nx.Dot(x, n.W))
	p := nx.Softmax(nx.Dot(h, n.V))
	return nx.Neg(nx.Mean(nx.Mul(y, nx.Log(p))))
}

func step(n network, x, y nx.Tensor) (network, nx.Tensor) {
	l, g := nx.ValueAndGrad(func(n network) nx.Tensor { return loss(n, x, y) })(n)
	return network{nx.Sub(n.W, nx.Mul(0.5, g.W)), nx.Sub(n.V, nx.Mul(0.5, g.V))}, l
}

func networkAndData() (n network, x, y nx.Tensor) {
	k := random.Split(random.Key(3), 4)
	at := func(i int) nx.Tensor { return k.At(i) }
	n = network{random.Normal(at(0), 0, 1, nx.Shape{6, 8}, nx.F32), random.Normal(at(1), 0, 1, nx.Shape{8, 3}, nx.F32)}
	return n, random.Normal(at(2), 0, 1, nx.Shape{10, 6}, nx.F32),
		nx.Softmax(random.Normal(at(3), 0, 1, nx.Shape{10, 3}, nx.F32))
}

// A program gives the results of package cpu, by plugins of every age, and eagerly.
func TestSameAsCPU(t *testing.T) {
	n, x, y := networkAndData()
	want, wantLoss := nx.Jit(step)(n, x, y)
	versions := map[string]stablehlo.Version{"old": {Major: 1, Minor: 9}, "new": stablehlo.Current(), "text": {}}
	for name, version := range versions {
		t.Run(name, func(t *testing.T) {
			c := open(t, name)
			d := c.Devices()[0]
			train := nx.Jit(step, nx.On(c))
			got, gotLoss := train(put(t, n, d), put(t, x, d), put(t, y, d))
			if v := plugins[name].Program(); v != version {
				t.Errorf("the plugin was given version %v, want %v", v, version)
			}
			requireSame(t, got.W, want.W)
			requireSame(t, got.V, want.V)
			requireSame(t, gotLoss, wantLoss)
			if s := fmt.Sprint(got.W.Device()); s != name+":0" {
				t.Errorf("the result is on %s", s)
			}
			eager := nx.Exp(nx.Sub(put(t, x, d), 1)) // where its operand is
			requireSame(t, eager, nx.Exp(nx.Sub(x, 1)))
		})
	}
}

func requireSame(t *testing.T, got, want nx.Tensor) {
	t.Helper()
	a, b := nx.Data[float32](got), nx.Data[float32](want)
	if !slices.Equal(a, b) {
		t.Errorf("got %v, want %v", a, b)
	}
}

// Every element type goes to the device and back.
func TestElementTypes(t *testing.T) {
	c := open(t, "old")
	for _, d := range []nx.DType{nx.Bool, nx.U2, nx.S4, nx.U8, nx.S16, nx.U32, nx.S64, nx.BF16, nx.F16, nx.F32, nx.F64,
		nx.C64, nx.C128, nx.F8E5M2, nx.F8E4M3FN} {
		x := nx.Cast(nx.Iota(nx.Shape{2, 2}, nx.S32), d)
		y := put(t, put(t, x, c.Devices()[0]), cpu.Default().Devices()[0])
		if got, want := fmt.Sprint(y), fmt.Sprint(x); got != want {
			t.Errorf("%v comes back as %s, was %s", d, got, want)
		}
	}
	var none [0]byte
	if _, err := c.Put(context.Background(), backend.Type{DType: dtype.F6E2M3FN, Dims: []int64{0}},
		none[:], nil); err == nil {
		t.Error("a type that plugins lack was put")
	}
	empty := put(t, nx.Zeros(nx.Shape{0, 3}, nx.F32), c.Devices()[0])
	if got := nx.Data[float32](nx.Exp(empty)); len(got) != 0 {
		t.Errorf("an empty tensor has %v", got)
	}
}

func TestDonation(t *testing.T) {
	c := open(t, "donation")
	d := c.Devices()[0]
	f := nx.Jit(func(a, b nx.Tensor) nx.Tensor { return nx.Add(a, b) }, nx.On(c), nx.Donate(0))
	a, b := put(t, nx.New([]float32{1, 2}), d), put(t, nx.New([]float32{10, 20}), d)
	before := testkit.Settled(c.InUse)
	sum := f(a, b)
	if got := nx.Data[float32](sum); !slices.Equal(got, []float32{11, 22}) {
		t.Errorf("the sum is %v", got)
	}
	if err := caught(func() { nx.Exp(a) }); !errors.Is(err, nx.ErrReleased) {
		t.Errorf("using a donated tensor: %v", err)
	}
	if got := nx.Data[float32](b); !slices.Equal(got, []float32{10, 20}) {
		t.Errorf("the other argument is %v", got)
	}
	if !plugins["donation"].Donated() {
		t.Error("the plugin did not get the memory of the argument")
	}
	if n := c.InUse(); n != before {
		t.Errorf("%d bytes are in use, %d were", n, before)
	}
}

func caught(f func()) (err error) {
	defer nx.Catch(&err)
	f()
	return nil
}

func TestDevicesOfAClient(t *testing.T) {
	c := open(t, "old")
	if n := len(c.Devices()); n != 2 {
		t.Fatalf("%d devices", n)
	}
	first, second := c.Devices()[0], c.Devices()[1]
	one := c.With(xla.DeviceID(1))
	double := nx.Jit(func(x nx.Tensor) nx.Tensor { return nx.Add(x, x) }, nx.On(one))
	x := nx.New([]float32{1, 2})
	y := double(put(t, x, second))
	if y.Device() != second || !slices.Equal(nx.Data[float32](y), []float32{2, 4}) {
		t.Errorf("%v on %s", y, y.Device())
	}
	for name, f := range map[string]func(){
		"an argument on the other device": func() { double(put(t, x, first)) },
		"operands on two devices":         func() { nx.Add(put(t, x, first), put(t, x, second)) },
		"a device of another client":      func() { double(put(t, x, open(t, "text").Devices()[0])) },
	} {
		if err := caught(f); !errors.Is(err, nx.ErrDevice) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if err := caught(func() { c.With(xla.DeviceID(2)) }); diag.As(err) == nil ||
		!strings.Contains(err.Error(), "no device 2: it has 2") {
		t.Errorf("a device that is not there: %v", err)
	}
	if d := open(t, "second").Devices()[0].String(); d != "second:1" {
		t.Errorf("the default device is %s", d)
	}
	if _, err := xla.Open("ninth"); err == nil ||
		!strings.Contains(err.Error(), "below the number of devices, 2, got 9") {
		t.Errorf("a default device that is not there: %v", err)
	}
	info, err := c.Describe(second)
	if err != nil || info.ID != 1 || info.Kind != "Fake fake" || info.Attributes["core_count"] != int64(2) {
		t.Errorf("the device is %+v, %v", info, err)
	}
	if _, err := open(t, "text").Describe(second); err == nil {
		t.Error("a device of another client was described")
	}
}

// Exceeding the memory of a device is an error with numbers, and the client stays usable.
func TestOutOfMemory(t *testing.T) {
	c := open(t, "small")
	d := c.Devices()[0]
	_, err := nx.Transfer(nx.Add(nx.Zeros(nx.Shape{1 << 20}, nx.F32), nx.New([]float32{1})), d)
	var m backend.MemoryError
	if !errors.As(err, &m) {
		t.Fatalf("too large a tensor: %v", err)
	}
	if needed, _, limit := m.OutOfMemory(); needed != 4<<20 || limit != 1<<20 {
		t.Errorf("needed %d, limit %d", needed, limit)
	}
	var e *xla.Error
	if !errors.As(err, &e) || e.Code != "RESOURCE_EXHAUSTED" || e.Hint == "" || e.Client != "small" {
		t.Errorf("the plugin's error is %+v", e)
	}
	x := put(t, nx.New([]float32{1, 2}), d)
	grow := nx.Jit(func(x nx.Tensor) nx.Tensor { return nx.BroadcastTo(nx.Sum(x), 1<<20) }, nx.On(c))
	if err := caught(func() { grow(x) }); !errors.As(err, &m) {
		t.Errorf("too large a result: %v", err)
	}
	if got := nx.Data[float32](nx.Add(x, x)); !slices.Equal(got, []float32{2, 4}) {
		t.Errorf("afterwards: %v", got)
	}
}

// Memory is freed when tensors are released, and when they are garbage.
func TestMemoryIsCounted(t *testing.T) {
	c := open(t, "text")
	before := testkit.Settled(c.InUse)
	c.ResetPeak()
	x := put(t, nx.Iota(nx.Shape{1000}, nx.F32), c.Devices()[0])
	if _, err := nx.Await(context.Background(), x); err != nil {
		t.Fatal(err)
	}
	y := put(t, nx.New(make([]float32, 1000)), c.Devices()[0])
	if n := c.InUse() - before; n < 4000 {
		t.Errorf("%d bytes more are in use", n)
	}
	nx.Release(y)
	func() {
		for range 100 {
			put(t, nx.New(make([]float32, 1000)), c.Devices()[0])
		}
	}()
	var n int64
	for range 100 {
		runtime.GC()
		time.Sleep(10 * time.Millisecond)
		if n = c.InUse() - before; n <= 0 {
			break
		}
	}
	if n > 0 {
		t.Errorf("%d bytes were not given back", n)
	}
	if c.Peak() < before+4000 {
		t.Errorf("the peak is %d", c.Peak())
	}
	runtime.KeepAlive(x)
}

// A plugin's errors contain the operation, the plugin, and its message.
func TestErrorsOfThePlugin(t *testing.T) {
	c, p := open(t, "new"), plugins["new"]
	d := c.Devices()[0]
	x := put(t, nx.New([]float32{1}), d)
	for _, tt := range []struct {
		f     abi.Function
		doing string
	}{{abi.ClientCompile, "compiling"}, {abi.LoadedExecutableExecute, "running"},
		{abi.ClientBufferFromHostBuffer, "copying 4 bytes to the device"},
		{abi.BufferToHostBuffer, "copying from the device"},
		{abi.BufferReadyEvent, "computing"}} {
		f := nx.Jit(func(x nx.Tensor) nx.Tensor { return nx.Mul(x, 3) }, nx.On(c))
		p.Fail(tt.f, abi.Internal, "out of luck", 0)
		_, err := nx.Transfer(nx.New([]float32{2}), d)
		if tt.f != abi.ClientBufferFromHostBuffer {
			err = caught(func() {
				y := f(x)
				if _, err := nx.Await(context.Background(), y); err != nil {
					panic(diag.As(err))
				}
				nx.Data[float32](y)
			})
		}
		p.Fail(tt.f, abi.OK, "", 0)
		var e *xla.Error
		if !errors.As(err, &e) || e.Doing != tt.doing || e.Code != "INTERNAL" || e.Message != "out of luck" ||
			!strings.HasSuffix(e.Plugin, "new.so") || e.API != "0.300" || e.OurAPI != "0.104" ||
			e.Function != tt.f.String() {
			t.Errorf("%s: %v", tt.f, err)
		}
	}
	if got := nx.Data[float32](nx.Mul(x, 3)); got[0] != 3 {
		t.Errorf("afterwards: %v", got)
	}
}

// Waiting ends with the context when an event never happens.
func TestEventsThatNeverHappen(t *testing.T) {
	c := open(t, "late")
	x := put(t, nx.New([]float32{1, 2}), c.Devices()[0])
	plugins["late"].Time(func() (time.Duration, bool) { return 0, false })
	defer plugins["late"].Time(nil)
	y := nx.Jit(nx.Tanh, nx.On(c))(x)
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Millisecond)
	defer cancel()
	if _, err := nx.Await(ctx, y); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("waiting: %v", err)
	}
}

func TestCancelledCompilation(t *testing.T) {
	c := open(t, "old")
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	m, err := stablehlo.Parse("m", []byte(`func.func @main(%a: tensor<f32>) -> tensor<f32> { return %a : tensor<f32> }`))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := c.Compile(ctx, m); !errors.Is(err, context.Canceled) {
		t.Errorf("compiling: %v", err)
	}
}

func TestProgramsThatAreRefused(t *testing.T) {
	c := open(t, "old")
	d := c.Devices()[0]
	x := put(t, nx.New([]float32{1}), d)
	flagged := nx.Jit(nx.Tanh, nx.On(c.With(xla.Flag("xla_no_such", true))))
	if err := caught(func() { flagged(x) }); err == nil || !strings.Contains(err.Error(), "does not know this flag") {
		t.Errorf("an unknown flag: %v", err)
	}
	for text, want := range map[string]string{
		`func.func @f() { return }`: "no function @main",
		`func.func @main(%a: tensor<?xf32>) -> tensor<?xf32> {
  return %a : tensor<?xf32>
}`: "static shape",
		`func.func @main(%a: tensor<2xf6E2M3FN>) -> tensor<2xf6E2M3FN> {
  return %a : tensor<2xf6E2M3FN>
}`: "plugins do not support buffers of f6e2m3fn",
		`func.func @main(%a: tensor<2xcomplex<f32>>) -> tensor<2xcomplex<f32>> {
  %0 = stablehlo.remainder %a, %a : tensor<2xcomplex<f32>>
  return %0 : tensor<2xcomplex<f32>>
}`: "stablehlo.remainder of complex numbers is not supported by XLA",
	} {
		m, err := stablehlo.Parse("m", []byte(text))
		if err != nil {
			t.Fatal(err)
		}
		if _, err := c.Compile(context.Background(), m); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
}

// The options of a client are in the program, or in the compile options.
func TestOptions(t *testing.T) {
	c := open(t, "text")
	l, err := nx.Lower(func(a, b nx.Tensor) nx.Tensor { return nx.Dot(a, b) }, nx.Args(nx.Ones(nx.Shape{2, 2}, nx.F32),
		nx.Ones(nx.Shape{2, 2}, nx.F32)))
	if err != nil {
		t.Fatal(err)
	}
	code, err := c.With(xla.Precision(xla.Highest)).Export(context.Background(), l.Module())
	if err != nil || !strings.Contains(string(code), "precision HIGHEST") {
		t.Errorf("%v\n%s", err, code)
	}
	if code, _ := c.Export(context.Background(), l.Module()); strings.Contains(string(code), "HIGHEST") {
		t.Errorf("the client itself has changed:\n%s", code)
	}
	dump := c.With(xla.DumpTo(t.TempDir()))
	nx.Jit(nx.Tanh, nx.On(dump))(put(t, nx.New([]float32{1}), c.Devices()[0]))
	for _, o := range []xla.Option{xla.Precision("LOW"), xla.Flag("f", []int{1})} {
		if err := caught(func() { c.With(o) }); err == nil {
			t.Error("a wrong option was taken")
		}
	}
}

// The op of this project's own is written by ops that plugins have.
func TestBesselI0e(t *testing.T) {
	c := open(t, "old")
	xs := []float64{0, 1e-300, 0.5, -3, 7.99, 8, 8.01, 30, -700, 1e6, 1e300, math.Inf(1), math.NaN()}
	x := nx.New(xs)
	got := nx.Data[float64](nx.Jit(nx.BesselI0e, nx.On(c))(put(t, x, c.Devices()[0])))
	want := nx.Data[float64](nx.BesselI0e(x))
	for i := range xs {
		if diff := math.Abs(got[i] - want[i]); !(diff <= 1e-14*want[i]) &&
			!(math.IsNaN(want[i]) && math.IsNaN(got[i])) {
			t.Errorf("at %v: %v, want %v", xs[i], got[i], want[i])
		}
	}
}

// Goroutines compile, run, donate, read and forget at once.
func TestConcurrentUse(t *testing.T) {
	c := open(t, "old")
	d := c.Devices()[0]
	f := nx.Jit(func(x, y nx.Tensor) nx.Tensor { return nx.Add(nx.Mul(x, 2), y) }, nx.On(c), nx.Donate(0))
	calls := 100
	if testing.Short() {
		calls = 10
	}
	one := put(t, nx.New([]float32{1, 1}), d)
	var all sync.WaitGroup
	for g := range 16 {
		all.Go(func() {
			for i := range calls {
				v := float32(100*g + i)
				y := f(put(t, nx.New([]float32{v, -v}), d), one)
				if got := nx.Data[float32](y); got[0] != 2*v+1 || got[1] != 1-2*v {
					t.Errorf("2·%v + 1 is %v", v, got)
					return
				}
				if i%2 == 0 {
					nx.Release(y)
				}
			}
		})
	}
	all.Wait()
}
