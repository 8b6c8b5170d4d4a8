package pjrt_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
	"unsafe"

	"github.com/go-nx/nx/dtype"
	"github.com/go-nx/nx/internal/pjrt"
	"github.com/go-nx/nx/internal/pjrt/abi"
	"github.com/go-nx/nx/internal/pjrt/fake"
	"github.com/go-nx/nx/stablehlo"
)

var background = context.Background()

// add is a program of two arguments, the first of which may be donated.
const add = `func.func @main(%a: tensor<3xf32> {jax.buffer_donor = true}, %b: tensor<3xf32>) -> tensor<3xf32> {
  %c = stablehlo.add %a, %b : tensor<3xf32>
  return %c : tensor<3xf32>
}`

// load returns a plugin, and checks at the end that all its objects are freed.
func load(t *testing.T, config fake.Config) (*pjrt.Plugin, *fake.Plugin) {
	t.Helper()
	f := fake.New(config)
	p, err := pjrt.FromTable("fake.so", f.Table())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { requireAllFreed(t, f) })
	return p, f
}

func requireAllFreed(t *testing.T, f *fake.Plugin) {
	t.Helper()
	var live map[string]int
	for range 100 { // events are freed on threads of the plugin
		f.Wait()
		if live = f.Live(); len(live) == 0 {
			break
		}
		runtime.GC()
		time.Sleep(10 * time.Millisecond)
	}
	if len(live) > 0 {
		t.Errorf("handles that were not freed: %v", live)
	}
	if wrong := append(f.Misuse(), fake.MisusedHandles()...); wrong != nil {
		t.Errorf("misuse of the plugin: %q", wrong)
	}
}

func client(t *testing.T, p *pjrt.Plugin) *pjrt.Client {
	t.Helper()
	c, err := p.NewClient(nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.Close)
	return c
}

func put(t *testing.T, d *pjrt.Device, values ...float32) *pjrt.Buffer {
	t.Helper()
	b, err := d.Put(bytesOf(values), abi.F32, []int64{int64(len(values))}, 4)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func bytesOf(values []float32) []byte {
	return slices.Clone(unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(values))), 4*len(values)))
}

func read(t *testing.T, b *pjrt.Buffer, n int) []float32 {
	t.Helper()
	values := make([]float32, n)
	raw := unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(values))), 4*n)
	if err := b.Read(background, raw, 1); err != nil {
		t.Fatal(err)
	}
	return values
}

func compile(t *testing.T, c *pjrt.Client, text string) *pjrt.Loaded {
	t.Helper()
	x, err := c.Compile(pjrt.Program{Code: []byte(text), Options: pjrt.CompileOptions{}.Encode()})
	if err != nil {
		t.Fatal(err)
	}
	return x
}

func never(int) bool { return false }

func TestProgramRuns(t *testing.T) {
	p, f := load(t, fake.Config{Devices: 2, StableHLO: stablehlo.Version{Major: 1, Minor: 9}})
	c := client(t, p)
	if c.Platform() != "fake" || len(c.Devices()) != 2 || c.Devices()[1].ID != 1 ||
		c.Devices()[1].Attributes["core_count"] != int64(2) {
		t.Errorf("the client is %s with %+v", c.Platform(), c.Devices())
	}
	if v := p.Attributes()["stablehlo_current_version"]; !slices.Equal(v.([]int64), []int64{1, 9, 0}) {
		t.Errorf("the version is %v", v)
	}
	x := compile(t, c, add)
	d := c.Devices()[1]
	a, b := put(t, d, 1, 2, 3), put(t, d, 10, 20, 30)
	out, err := x.Execute(d, []*pjrt.Buffer{a, b}, never)
	if err != nil {
		t.Fatal(err)
	}
	if got := read(t, out[0], 3); !slices.Equal(got, []float32{11, 22, 33}) {
		t.Errorf("the sum is %v", got)
	}
	if gone, err := a.IsDeleted(); gone || err != nil {
		t.Errorf("an argument that is not donated is gone: %v, %v", gone, err)
	}
	again, err := x.Execute(d, []*pjrt.Buffer{a, b}, func(i int) bool { return i == 0 })
	if err != nil {
		t.Fatal(err)
	}
	if gone, _ := a.IsDeleted(); !gone {
		t.Error("a donated argument is still there")
	}
	other, err := again[0].CopyTo(c.Devices()[0])
	if err != nil {
		t.Fatal(err)
	}
	if got := read(t, other, 3); !slices.Equal(got, []float32{11, 22, 33}) {
		t.Errorf("the copy is %v", got)
	}
	for _, b := range []*pjrt.Buffer{a, b, out[0], again[0], other} {
		b.Close()
		b.Close()
	}
	c.Close() // the executable still needs it
	x.Close()
	requireAllFreed(t, f)
}

func TestQueriesOfExecutables(t *testing.T) {
	p, _ := load(t, fake.Config{})
	c := client(t, p)
	x := compile(t, c, `func.func @main() -> (tensor<2x3xf32>, tensor<i64>) {
  %a = stablehlo.constant dense<1.0> : tensor<2x3xf32>
  %b = stablehlo.constant dense<7> : tensor<i64>
  return %a, %b : tensor<2x3xf32>, tensor<i64>
}`)
	defer x.Close()
	if types, err := x.OutputTypes(); err != nil || !slices.Equal(types, []abi.BufferType{abi.F32, abi.S64}) {
		t.Errorf("types %v, %v", types, err)
	}
	if dims, err := x.OutputDims(); err != nil || fmt.Sprint(dims) != "[[2 3] []]" {
		t.Errorf("dimensions %v, %v", dims, err)
	}
	if name, err := x.Name(); err != nil || name != "main" {
		t.Errorf("name %q, %v", name, err)
	}
	if costs, err := x.Costs(); err != nil || costs["flops"] != float32(1) {
		t.Errorf("costs %v, %v", costs, err)
	}
	if code, format, err := x.Optimized(); err != nil || format != "mlir" ||
		!strings.Contains(string(code), "dense<7>") {
		t.Errorf("optimised %q, %q, %v", code, format, err)
	}
	saved, err := x.Serialize()
	if err != nil {
		t.Fatal(err)
	}
	y, err := c.Load(saved)
	if err != nil {
		t.Fatal(err)
	}
	defer y.Close()
	out, err := y.Execute(c.Devices()[0], nil, never)
	if err != nil {
		t.Fatal(err)
	}
	var seven [8]byte
	if err := out[1].Read(background, seven[:], 0); err != nil || seven[0] != 7 {
		t.Errorf("read %v, %v", seven, err)
	}
	for _, b := range out {
		b.Close()
	}
	if _, err := c.Load(saved[1:]); err == nil {
		t.Error("damaged bytes were loaded")
	}
}

func TestTopologies(t *testing.T) {
	p, _ := load(t, fake.Config{Devices: 4})
	top, err := p.NewTopology("v5e:2x2",
		[]pjrt.Option{{Name: "topology", Value: "1x1x4"}, {Name: "n", Value: []int64{1, 2}}})
	if err != nil {
		t.Fatal(err)
	}
	defer top.Close()
	if all, err := top.Devices(); err != nil || len(all) != 4 || all[3].Text != "fake:3" {
		t.Errorf("the devices are %v, %v", all, err)
	}
	x, err := top.Compile(pjrt.Program{Code: []byte(add), Options: pjrt.CompileOptions{}.Encode()})
	if err != nil {
		t.Fatal(err)
	}
	defer x.Close()
	if n, err := x.NumOutputs(); n != 1 || err != nil {
		t.Errorf("%d outputs, %v", n, err)
	}
}

func TestOptionsOfClients(t *testing.T) {
	p, _ := load(t, fake.Config{})
	c, err := p.NewClient([]pjrt.Option{{"allocator", "bfc"}, {"memory_fraction", float32(0.5)}, {"preallocate", false},
		{"visible_devices", []int64{0}}, {"node_id", int64(0)}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	c.Close()
	for want, option := range map[string]pjrt.Option{
		"Unexpected option name": {"color", "red"}, "has type string, expected bool": {"preallocate", "no"},
		"must be a string, int64, []int64, float32 or bool": {"num_nodes", 3},
	} {
		if _, err := p.NewClient([]pjrt.Option{option}, nil); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v: %v, want %q", option, err, want)
		}
	}
}

// Each function that fails returns an error with its name, code and text, and both versions; no object leaks,
// and the next call works.
func TestEveryFunctionFails(t *testing.T) {
	p, f := load(t, fake.Config{Minor: 117})
	for fn := range abi.Function(abi.NumFunctions) {
		switch fn {
		case abi.ErrorDestroy, abi.ErrorMessage, abi.ErrorGetCode, // an error of errors has no end
			abi.EventDestroy, abi.ClientDestroy, abi.BufferDestroy, abi.LoadedExecutableDestroy, abi.ExecutableDestroy,
			abi.TopologyDescriptionDestroy: // the objects leak
			continue
		}
		f.Fail(fn, abi.Internal, "injected", 0)
		before := f.Calls(fn)
		err := everything(p)
		f.Fail(fn, abi.OK, "", 0)
		if f.Calls(fn) == before {
			if err != nil {
				t.Errorf("%s was not called, but: %v", fn, err)
			}
			continue
		}
		var e *pjrt.Error
		if !errors.As(err, &e) || e.Code != abi.Internal || e.Message != "injected" {
			t.Errorf("%s fails, everything returns %v", fn, err)
			continue
		}
		for _, want := range []string{fn.String(), "INTERNAL", "injected", "fake.so", "0.117", "0.104"} {
			if !strings.Contains(err.Error(), want) {
				t.Errorf("%s: %q does not say %q", fn, err, want)
			}
		}
		requireAllFreed(t, f)
		if err := everything(p); err != nil {
			t.Errorf("after %s failed: %v", fn, err)
		}
	}
}

// everything calls all functions, and returns the first error.
func everything(p *pjrt.Plugin) (err error) {
	check := func(e error) bool {
		if err == nil {
			err = e
		}
		return e == nil
	}
	top, e := p.NewTopology("t", nil)
	if check(e) {
		_, e = top.Devices()
		check(e)
		x, e := top.Compile(pjrt.Program{Code: []byte(add), Options: pjrt.CompileOptions{}.Encode()})
		if check(e) {
			x.Close()
		}
		top.Close()
	}
	c, e := p.NewClient(nil, nil)
	if !check(e) {
		return err
	}
	defer c.Close()
	d := c.Devices()[0]
	_, e = d.MemoryStats()
	check(e)
	x, e := c.Compile(pjrt.Program{Code: []byte(add), Options: pjrt.CompileOptions{}.Encode()})
	if !check(e) {
		return err
	}
	defer x.Close()
	_, e = x.OutputTypes()
	check(e)
	_, e = x.OutputDims()
	check(e)
	_, e = x.Name()
	check(e)
	_, e = x.Costs()
	check(e)
	_, _, e = x.Optimized()
	check(e)
	saved, e := x.Serialize()
	if check(e) {
		y, e := c.Load(saved)
		if check(e) {
			y.Close()
		}
	}
	b, e := d.Put(bytesOf([]float32{1, 2, 3}), abi.F32, []int64{3}, 4)
	if !check(e) {
		return err
	}
	defer b.Close()
	_, e = b.DeviceSize()
	check(e)
	_, e = b.IsDeleted()
	check(e)
	other, e := b.CopyTo(d)
	if check(e) {
		other.Close()
	}
	out, e := x.Execute(d, []*pjrt.Buffer{b, b}, never)
	if !check(e) {
		return err
	}
	defer out[0].Close()
	check(out[0].Wait(background))
	check(out[0].Read(background, make([]byte, 12), 1))
	return err
}

// A function that is null, or after the end of a short table, is UNIMPLEMENTED; a missing required one is an
// error of loading.
func TestMissingFunctions(t *testing.T) {
	p, _ := load(t, fake.Config{Null: []abi.Function{abi.BufferCopyToDevice, abi.DeviceMemoryStats},
		TableSize: abi.ExecutableOutputElementTypes.Offset(), Minor: 20})
	c := client(t, p)
	x := compile(t, c, add)
	defer x.Close()
	b := put(t, c.Devices()[0], 1)
	defer b.Close()
	_, e1 := b.CopyTo(c.Devices()[0])
	_, e2 := x.OutputTypes()
	_, e3 := c.Devices()[0].MemoryStats()
	for _, err := range []error{e1, e2, e3} {
		var e *pjrt.Error
		if !errors.As(err, &e) || e.Code != abi.Unimplemented || e.API.Minor != 20 {
			t.Errorf("a missing function: %v", err)
		}
	}
	if missing := p.Missing(); !slices.Contains(missing, "PJRT_Buffer_CopyToDevice") ||
		!slices.Contains(missing, "PJRT_Executable_ParameterMemoryKinds") {
		t.Errorf("missing: %v", missing)
	}
	for want, config := range map[string]fake.Config{
		"it does not provide PJRT_Client_Compile (PJRT API 0.104": {Null: []abi.Function{abi.ClientCompile}},
		"PJRT_Buffer_ReadyEvent":                                  {TableSize: abi.ClientCompile.Offset()},
		"at least 40 bytes, got 16":                               {TableSize: 16},
	} {
		var e *pjrt.LoadError
		if _, err := pjrt.FromTable("fake.so", fake.New(config).Table()); !errors.As(err, &e) ||
			!strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
	other := fake.New(fake.Config{})
	other.Table().Version.MajorVersion = 1
	if _, err := pjrt.FromTable("fake.so", other.Table()); err == nil ||
		!strings.Contains(err.Error(), "implements PJRT API 1.104") {
		t.Errorf("another major version: %v", err)
	}
}

// Structs of a newer plugin may be larger, and those of parts of arguments too.
func TestNewerPlugin(t *testing.T) {
	grown := map[string]uintptr{"PJRT_Program": 16, "PJRT_ExecuteOptions": 24}
	for fn := range abi.Function(abi.NumFunctions) {
		grown[fn.String()+"_Args"] = 8
	}
	p, f := load(t, fake.Config{Minor: 200, ExtraSize: grown})
	if err := everything(p); err != nil {
		t.Fatal(err)
	}
	calls := f.Calls(abi.LoadedExecutableExecute)
	if err := everything(p); err != nil {
		t.Fatal(err)
	}
	if n := f.Calls(abi.LoadedExecutableExecute) - calls; n != 1 {
		t.Errorf("a size that is known took %d calls", n)
	}
	large, _ := load(t, fake.Config{Minor: 900, ExtraSize: map[string]uintptr{"PJRT_Client_Create_Args": 1000}})
	if _, err := large.NewClient(nil, nil); err == nil ||
		!strings.Contains(err.Error(), "Unexpected PJRT_Client_Create_Args size") {
		t.Errorf("a struct that grew too much: %v", err)
	}
}

func TestErrorsOfPrograms(t *testing.T) {
	p, _ := load(t, fake.Config{})
	c := client(t, p)
	for name, program := range map[string]pjrt.Program{
		"failed to deserialize CompileOptionsProto": {Code: []byte(add), Options: []byte{0xff}},
		"No such compile option: 'x'": {Code: []byte(add),
			Options: pjrt.CompileOptions{Flags: map[string]any{"x": true}}.Encode()},
		"Failed to parse": {Code: []byte("func.func @main("), Options: pjrt.CompileOptions{}.Encode()},
		"'main'": {Code: []byte(strings.ReplaceAll(add, "@main", "@f")),
			Options: pjrt.CompileOptions{}.Encode()},
	} {
		if _, err := c.Compile(program); err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("%v, want %q", err, name)
		}
	}
}

// An event that never happens ends with the context; the memory that the plugin might
// still write to stays until it is done.
func TestContextEndsWaiting(t *testing.T) {
	f := fake.New(fake.Config{})
	p, err := pjrt.FromTable("fake.so", f.Table())
	if err != nil {
		t.Fatal(err)
	}
	c := client(t, p)
	b := put(t, c.Devices()[0], 1, 2, 3)
	f.Time(func() (time.Duration, bool) { return 0, false })
	ctx, cancel := context.WithTimeout(background, 20*time.Millisecond)
	defer cancel()
	dst := make([]byte, 12)
	if err := b.Read(ctx, dst, 1); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("reading: %v", err)
	}
	if err := b.Wait(ctx); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("waiting: %v", err)
	}
	f.Wait()
	if slices.Max(dst) != 0 {
		t.Error("the plugin wrote into the caller's memory after the call")
	}
}

// Events come late, out of order, from goroutines of the plugin.
func TestLateEvents(t *testing.T) {
	p, f := load(t, fake.Config{})
	var mu sync.Mutex
	n := 0
	f.Time(func() (time.Duration, bool) {
		mu.Lock()
		defer mu.Unlock()
		n++
		return time.Duration(n*7%5) * time.Millisecond, true
	})
	c := client(t, p)
	x := compile(t, c, add)
	defer x.Close()
	d := c.Devices()[0]
	var all []*pjrt.Buffer
	for i := range 20 {
		a := put(t, d, float32(i), 0, 0)
		out, err := x.Execute(d, []*pjrt.Buffer{a, a}, never)
		if err != nil {
			t.Fatal(err)
		}
		a.Close()
		all = append(all, out[0])
	}
	for i, b := range all {
		if got := read(t, b, 3)[0]; got != float32(2*i) {
			t.Errorf("result %d is %v", i, got)
		}
		b.Close()
	}
}

// The garbage collector closes objects; a client goes last.
func TestForgottenHandlesAreFreed(t *testing.T) {
	p, f := load(t, fake.Config{})
	func() {
		c, err := p.NewClient(nil, nil)
		if err != nil {
			t.Fatal(err)
		}
		x := compile(t, c, add)
		a := put(t, c.Devices()[0], 1, 2, 3)
		if _, err := x.Execute(c.Devices()[0], []*pjrt.Buffer{a, a}, never); err != nil {
			t.Fatal(err)
		}
	}()
	requireAllFreed(t, f)
}

func TestUseAfterClose(t *testing.T) {
	p, _ := load(t, fake.Config{})
	c := client(t, p)
	x := compile(t, c, add)
	b := put(t, c.Devices()[0], 1, 2, 3)
	b.Close()
	var closed pjrt.ClosedError
	if _, err := x.Execute(c.Devices()[0], []*pjrt.Buffer{b, b}, never); !errors.As(err, &closed) ||
		closed.What != "buffer" {
		t.Errorf("executing with a closed buffer: %v", err)
	}
	if err := b.Read(background, make([]byte, 12), 1); !errors.As(err, &closed) {
		t.Errorf("reading a closed buffer: %v", err)
	}
	x.Close()
	if _, err := x.Execute(c.Devices()[0], nil, never); !errors.As(err, &closed) {
		t.Errorf("executing a closed executable: %v", err)
	}
	c.Close()
	if _, err := c.Compile(pjrt.Program{}); !errors.As(err, &closed) || closed.What != "client" {
		t.Errorf("compiling with a closed client: %v", err)
	}
}

// Goroutines use, donate, close and abandon the same things while the collector runs.
func TestConcurrentUse(t *testing.T) {
	p, f := load(t, fake.Config{})
	calls := 1000
	if testing.Short() {
		calls = 50
	}
	c := client(t, p)
	x := compile(t, c, add)
	d := c.Devices()[0]
	shared := put(t, d, 1, 1, 1)
	stop := make(chan struct{})
	go func() {
		for {
			select {
			case <-stop:
				return
			default:
				runtime.GC()
				time.Sleep(time.Millisecond)
			}
		}
	}()
	var all sync.WaitGroup
	for g := range 64 {
		all.Add(1)
		go func() {
			defer all.Done()
			ctx, cancel := context.WithCancel(background)
			defer cancel()
			for i := range calls {
				v := float32(g*calls + i)
				a, err := d.Put(bytesOf([]float32{v, v, v}), abi.F32, []int64{3}, 4)
				if err != nil {
					t.Error(err)
					return
				}
				out, err := x.Execute(d, []*pjrt.Buffer{a, shared}, func(n int) bool { return n == 0 && i%2 == 0 })
				if err != nil {
					t.Error(err)
					return
				}
				var raw [12]byte
				if err := out[0].Read(ctx, raw[:], 1); err != nil {
					t.Error(err)
					return
				}
				if got := math.Float32frombits(
					uint32(raw[4]) | uint32(raw[5])<<8 | uint32(raw[6])<<16 | uint32(raw[7])<<24); got != v+1 {
					t.Errorf("%v + 1 is %v", v, got)
					return
				}
				if i%3 > 0 { // the others are the collector's
					a.Close()
					out[0].Close()
				}
			}
		}()
	}
	all.Wait()
	close(stop)
	shared.Close()
	x.Close()
	c.Close()
	requireAllFreed(t, f)
}

func TestElementTypes(t *testing.T) {
	seen := map[abi.BufferType]bool{}
	for n := range 40 {
		if number, ok := typeNumber(n); ok {
			if seen[number] || number < abi.PRED || number > abi.U1 {
				t.Errorf("type %d has the number %d", n, number)
			}
			seen[number] = true
		}
	}
	if len(seen) != 28 {
		t.Errorf("%d element types have a number, want 28", len(seen))
	}
}

func typeNumber(n int) (abi.BufferType, bool) { return pjrt.TypeOf(dtype.Type(n)) }
