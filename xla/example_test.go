package xla_test

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"strings"

	"github.com/go-nx/nx/shard"

	"github.com/go-nx/nx"
	"github.com/go-nx/nx/backend"
	"github.com/go-nx/nx/dtype"
	"github.com/go-nx/nx/xla"
)

// The clients of these examples are plugins of the tests: "four" stands for "tpu", with four
// devices, and "moves" for a client that is configured with AutomaticTransfers.
func example(name string) *xla.Client {
	c, err := xla.Open(name)
	if err != nil {
		panic(err)
	}
	return c
}

func ExampleOpen() {
	c, err := xla.Open("four")
	if err != nil {
		fmt.Println(err)
		return
	}
	softmax := nx.Jit(func(x nx.Tensor) nx.Tensor { return nx.Softmax(x) }, nx.On(c))
	x, err := nx.Transfer(nx.New([]float32{0, 0}), c.Devices()[0])
	if err != nil {
		fmt.Println(err)
		return
	}
	y := softmax(x)
	fmt.Println(nx.Data[float32](y), y.Device())

	_, err = xla.Open("absent")
	fmt.Println(strings.HasPrefix(err.Error(), `xla: the client "absent" is not configured: the clients are [`))
	// Output:
	// [0.5 0.5] four:0
	// true
}

// Without a plugin, the error lists the searched locations, and the command that installs one.
func ExampleNotFoundError() {
	err := error(&xla.NotFoundError{Client: "cuda", Install: "nx-xla install cuda13",
		Places: []xla.Place{{Path: "/opt/plugins/pjrt_c_api_cuda_plugin.so",
			Why: "PJRT_PLUGIN_LIBRARY_PATH: not there"}}})
	var missing *xla.NotFoundError
	if errors.As(err, &missing) {
		fmt.Println(missing.Install, len(missing.Places))
	}
	fmt.Println(err)
	// Output:
	// nx-xla install cuda13 1
	// xla: no plugin for the client cuda was found; searched:
	//     /opt/plugins/pjrt_c_api_cuda_plugin.so (PJRT_PLUGIN_LIBRARY_PATH: not there)
	//     hint: nx-xla install cuda13
}

// What a plugin fails with has a code, and reports which plugin it was.
func ExampleError() {
	_, err := xla.CompileFor(context.Background(), "nothing", "2x2", nil)
	var failed *xla.Error
	fmt.Println(errors.As(err, &failed)) // unknown client: no plugin was called
	// Output: false
}

// Clients are configured before the first of them is used; afterwards it is an error.
func ExampleConfigure() {
	example("four")
	err := xla.Configure(map[string]xla.ClientOptions{"cuda": {MemoryFraction: 0.5}})
	fmt.Println(err)
	// Output: xla: Configure must come before the first use of a client: call it in main or in an init function
}

func ExampleClients() {
	for _, name := range xla.Clients() {
		if name == "cuda" || name == "tpu" {
			fmt.Println(name)
		}
	}
	// Output:
	// cuda
	// tpu
}

// The first client of a list that starts is the preferred one: NX_CLIENT=xla names it.
func ExamplePrefer() {
	defer xla.Prefer("cuda", "rocm", "tpu", "host", "cpu")
	xla.Prefer("absent", "four")
	c, err := xla.Preferred()
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(c.Name())
	// Output: four
}

func ExamplePreferred() {
	defer xla.Prefer("cuda", "rocm", "tpu", "host", "cpu")
	xla.Prefer("absent")
	_, err := xla.Preferred()
	fmt.Println(err != nil)
	xla.Prefer("cpu") // it is always there
	c, err := xla.Preferred()
	fmt.Println(c.Name(), err)
	// Output:
	// true
	// cpu <nil>
}

// Doctor of nx-xla prints the findings.
func ExampleDiagnose() {
	for _, f := range xla.Diagnose() {
		if f.Name == "driver" || f.Name == "stack" {
			fmt.Println(f.Name, f.Found != "")
		}
	}
	// Output:
	// driver true
	// stack true
}

func ExamplePluginsFolder() {
	dir, err := xla.PluginsFolder()
	fmt.Println(filepath.Base(filepath.Dir(dir)), filepath.Base(dir), err)
	// Output: nx pjrt <nil>
}

func ExampleClient_With() {
	c := example("four").With(xla.DeviceID(1), xla.Precision(xla.Highest))
	double := nx.Jit(func(x nx.Tensor) nx.Tensor { return nx.Add(x, x) }, nx.On(c))
	x, err := nx.Transfer(nx.New([]float32{1, 2}), c.Devices()[0])
	if err != nil {
		fmt.Println(err)
		return
	}
	y := double(x)
	fmt.Println(nx.Data[float32](y), y.Device())
	// Output: [2 4] four:1
}

func ExampleDeviceID() {
	fmt.Println(example("four").With(xla.DeviceID(3)).Devices())
	// Output: [four:3]
}

func ExamplePrecision() {
	defer func() { fmt.Println(recover()) }()
	example("four").With(xla.Precision("EXACT"))
	// Output: With: xla: the precision must be DEFAULT, HIGH or HIGHEST, got "EXACT"
}

func ExampleFlag() {
	c := example("four").With(xla.Flag("xla_gpu_autotune_level", 0))
	defer func() { fmt.Println(recover()) }()
	c.With(xla.Flag("xla_gpu_autotune_level", []int{0}))
	// Output:
	// With: xla: the value of the flag xla_gpu_autotune_level must be a bool, int64, float64 or string, got []int
}

func ExampleDumpTo() {
	c := example("four").With(xla.DumpTo("/tmp/programs"))
	fmt.Println(c.Name())
	// Output: four
}

func ExampleDebug() {
	drop := func(_ []string, a slog.Attr) slog.Attr { // varies from run to run
		if a.Key == "msg" || a.Key == "client" {
			return a
		}
		return slog.Attr{}
	}
	read, write := io.Pipe() // the last line comes when the result is ready
	log := slog.New(slog.NewTextHandler(write, &slog.HandlerOptions{Level: slog.LevelDebug, ReplaceAttr: drop}))
	c := example("four").With(xla.Debug(log))
	x, err := nx.Transfer(nx.New([]float32{1}), c.Devices()[0])
	if err != nil {
		fmt.Println(err)
		return
	}
	go nx.Jit(func(x nx.Tensor) nx.Tensor { return nx.Cos(x) }, nx.On(c))(x)
	lines := bufio.NewScanner(read)
	for range 3 {
		lines.Scan()
		fmt.Println(lines.Text())
	}
	// Output:
	// msg="xla: compiled" client=four
	// msg="xla: started" client=four
	// msg="xla: ran" client=four
}

// The first argument moves to the device for the call; the second is not used and stays.
func ExampleLazyTransfers() {
	c := example("four").With(xla.LazyTransfers(xla.Always))
	first := nx.Jit(func(x, y nx.Tensor) nx.Tensor { return nx.Mul(x, 2) }, nx.On(c))
	x := first(nx.New([]float32{1, 2}), nx.Zeros(nx.Shape{1000, 1000}, nx.F32))
	fmt.Println(nx.Data[float32](x), x.Device())
	// Output: [2 4] four:0
}

func ExampleClient_Platform() {
	name, version := example("four").Platform()
	fmt.Println(name, version)
	// Output: fake fake 1.0
}

func ExampleClient_Plugin() {
	path, api, attributes := example("four").Plugin()
	fmt.Println(path, api, attributes["stablehlo_current_version"])
	// Output: /fake/four.so 0.104 [1 9 0]
}

func ExampleClient_Describe() {
	c := example("four")
	info, err := c.Describe(c.Devices()[2])
	fmt.Println(info.ID, info.Kind, err)
	// Output: 2 Fake fake <nil>
}

func ExampleClient_InUse() {
	c := example("counted")
	x, err := nx.Transfer(nx.New([]float32{1, 2, 3, 4}), c.Devices()[0])
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(c.InUse())
	nx.Release(x)
	fmt.Println(c.InUse(), c.Peak())
	c.ResetPeak()
	fmt.Println(c.Peak())
	// Output:
	// 16
	// 0 16
	// 0
}

func ExampleClient_AllDevices() {
	for _, d := range example("four").AllDevices()[:2] { // of a group: those of all processes
		fmt.Println(d.Process, d.ID, d.Kind)
	}
	// Output:
	// 0 0 Fake fake
	// 0 1 Fake fake
}

// Where processes share devices, a mesh takes the first ones of all; with this option of this process.
func ExampleLocalDevices() {
	c := example("four").With(xla.LocalDevices())
	sum := shard.Jit(func(x nx.Tensor) nx.Tensor { return nx.Sum(x) }, shard.Mesh{{Name: "data", Size: 2}},
		[]shard.Sharding{{"data"}}, []shard.Sharding{{}}, nx.On(c))
	x, err := nx.Transfer(nx.New([]float32{1, 2, 3, 4}), c.Devices()[0])
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(nx.Item[float32](sum(x)))
	// Output: 10
}

func ExampleNotAddressableError_Error() {
	err := error(&xla.NotAddressableError{Client: "cuda", Parts: 4, Missing: 2})
	var elsewhere *xla.NotAddressableError
	if errors.As(err, &elsewhere) { // of nx.Data, for instance
		fmt.Println(strings.Split(elsewhere.Error(), "\n")[0])
	}
	// Output: xla: 2 of the 4 parts of a tensor of cuda are only on devices of other processes
}

// Package nx does this in FromShards.
func ExampleClient_Assemble() {
	c := example("four")
	var parts []backend.Buffer
	for _, d := range c.Devices()[:2] {
		b, err := c.Put(context.Background(), backend.Type{DType: dtype.U8, Dims: []int64{2}}, []byte{1, 2}, d)
		if err != nil {
			fmt.Println(err)
			return
		}
		parts = append(parts, b)
	}
	whole := backend.Type{DType: dtype.U8, Dims: []int64{4}}
	b, err := c.Assemble(whole, backend.Cut{Axes: []string{"data"}, Sizes: []int{2}, Dims: [][]string{{"data"}}}, parts)
	if err != nil {
		fmt.Println(err)
		return
	}
	defer b.Release()
	data := make([]byte, 4)
	fmt.Println(b.Read(context.Background(), data), data)
	// Output: <nil> [1 2 1 2]
}

func ExampleClient_Process() {
	fmt.Println(example("four").Process()) // of a group: see package distributed
	// Output: 0
}

func ExampleClient_CompileFunc() {
	l, err := nx.Lower(func(x nx.Tensor) nx.Tensor { return nx.Add(x, x) }, nx.Args(nx.Zeros(nx.Shape{2}, nx.F32)))
	if err != nil {
		fmt.Println(err)
		return
	}
	c, ctx := example("four"), context.Background()
	double, err := c.CompileFunc(ctx, l.Module(), "main")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer double.Close()
	x, err := c.Put(ctx, backend.Type{DType: nx.F32, Dims: []int64{2}}, make([]byte, 8), nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	defer x.Release()
	results, err := double.Execute(ctx, []backend.Buffer{x})
	fmt.Println(len(results), err)
	_, err = c.CompileFunc(ctx, l.Module(), "backward")
	fmt.Println(err)
	// Output:
	// 1 <nil>
	// xla: translating by four: the module has no function @backward with a body
}

func ExampleClient_WithCache() {
	dir, err := os.MkdirTemp("", "programs")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(dir)
	c, err := example("four").WithCache(dir)
	if err != nil {
		fmt.Println(err)
		return
	}
	nx.Jit(func(x nx.Tensor) nx.Tensor { return nx.Sin(x) },
		nx.On(c.With(xla.LazyTransfers(xla.Always))))(nx.New([]float32{1}))
	kept, err := os.ReadDir(dir)
	fmt.Println(len(kept), err)
	// Output: 1 <nil>
}
