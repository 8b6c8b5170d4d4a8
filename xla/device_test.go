package xla_test

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"math"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/go-nx/nx/debug"
	"github.com/go-nx/nx/fft"

	"github.com/go-nx/nx"
	"github.com/go-nx/nx/backend"
	"github.com/go-nx/nx/cpu"
	"github.com/go-nx/nx/diag"
	"github.com/go-nx/nx/internal/testkit"
	"github.com/go-nx/nx/linalg"
	"github.com/go-nx/nx/random"
	"github.com/go-nx/nx/stablehlo"
	"github.com/go-nx/nx/xla"
)

var onClient = flag.String("client", "", "a client whose devices are there, such as cuda: what promises of it hold is tested")

// device returns the client of the flag and its first device, with matrix multiplications in f32 on request.
func device(t *testing.T) (*xla.Client, backend.Device) {
	t.Helper()
	if *onClient == "" {
		t.Skip("skipped: -client names no client whose devices are there")
	}
	c := open(t, *onClient)
	return c.With(xla.Precision(xla.Highest)), c.Devices()[0]
}

func TestDeviceDescribed(t *testing.T) {
	c, d := device(t)
	info, err := c.Describe(d)
	if err != nil || info.Kind == "" {
		t.Fatalf("%+v, %v", info, err)
	}
	t.Logf("%s: %+v", c.Name(), info)
}

// Bits of every element type go to the device and back.
func TestDeviceElementTypes(t *testing.T) {
	_, d := device(t)
	for _, typ := range []nx.DType{nx.Bool, nx.S2, nx.U2, nx.S4, nx.U4, nx.S8, nx.U8, nx.S16, nx.U16, nx.S32, nx.U32,
		nx.S64, nx.U64, nx.BF16, nx.F16, nx.F32, nx.F64, nx.C64, nx.C128, nx.F8E5M2, nx.F8E4M3FN} {
		x := nx.Cast(nx.Iota(nx.Shape{3, 5}, nx.S32), typ)
		y, err := nx.Transfer(x, d)
		if err != nil {
			t.Errorf("%v: %v", typ, err)
			continue
		}
		if back := put(t, y, cpu.Default().Devices()[0]); fmt.Sprint(back) != fmt.Sprint(x) {
			t.Errorf("%v comes back as %v, was %v", typ, back, x)
		}
	}
}

// requireClose compares floats on the device with those of package cpu.
func requireClose(t *testing.T, what string, got, want nx.Tensor, tolerance float64) {
	t.Helper()
	a, b := nx.Data[float32](got), nx.Data[float32](want)
	if len(a) != len(b) {
		t.Fatalf("%s: %d elements, want %d", what, len(a), len(b))
	}
	for i := range a {
		if math.Abs(float64(a[i]-b[i])) > tolerance*max(1, math.Abs(float64(b[i]))) {
			t.Fatalf("%s: element %d is %v, on cpu %v", what, i, a[i], b[i])
		}
	}
}

// Functions compute on the device the results of package cpu: training, loops, linear algebra, sorting, random
// bits, transforms and convolutions, compiled and one op at a time.
func TestDeviceComputes(t *testing.T) {
	c, d := device(t)
	n, x, y := networkAndData()
	want, wantLoss := nx.Jit(step)(n, x, y)
	got, gotLoss := nx.Jit(step, nx.On(c))(put(t, n, d), put(t, x, d), put(t, y, d))
	requireClose(t, "W", got.W, want.W, 1e-5)
	requireClose(t, "V", got.V, want.V, 1e-5)
	requireClose(t, "loss", gotLoss, wantLoss, 1e-5)
	if got.W.Device() != d {
		t.Errorf("the result is on %v", got.W.Device())
	}
	square := random.Normal(random.Key(1), 0, 1, nx.Shape{3, 16, 16}, nx.F32)
	image := random.Normal(random.Key(2), 0, 1, nx.Shape{2, 3, 17, 17}, nx.F32)
	kernel := random.Normal(random.Key(3), 0, 1, nx.Shape{5, 3, 3, 3}, nx.F32)
	for name, f := range map[string]func(x nx.Tensor) nx.Tensor{
		"exp and sums": func(x nx.Tensor) nx.Tensor { return nx.Sum(nx.Exp(x), nx.Axis(1)) },
		"a loop": func(x nx.Tensor) nx.Tensor {
			return nx.While(x, func(x nx.Tensor) nx.Tensor { return nx.Less(nx.Max(nx.Abs(x)), 100) },
				func(x nx.Tensor) nx.Tensor { return nx.Mul(x, 1.5) })
		},
		"sort":     func(x nx.Tensor) nx.Tensor { return nx.Sort(x) },
		"cholesky": func(x nx.Tensor) nx.Tensor { return linalg.Cholesky(positive(x)) },
		"solve":    func(x nx.Tensor) nx.Tensor { return linalg.Solve(positive(x), x) },
		"eigenvalues": func(x nx.Tensor) nx.Tensor {
			values, _ := linalg.Eigh(positive(x))
			return values
		},
		"singular values": func(x nx.Tensor) nx.Tensor {
			_, s, _ := linalg.SVD(x)
			return s
		},
		"solve in f16": func(x nx.Tensor) nx.Tensor {
			l := nx.Cast(linalg.Cholesky(positive(x)), nx.F16)
			return nx.Cast(linalg.TriangularSolve(l, nx.Cast(x, nx.F16)), nx.F32)
		},
		"transform": func(x nx.Tensor) nx.Tensor { return nx.Abs(fft.FFT(x)) },
		"uniform": func(x nx.Tensor) nx.Tensor {
			return random.Uniform(random.Key(7), 0, 1, nx.Shape{1000}, nx.F32)
		},
		"gradient of a convolution": nx.Grad(func(x nx.Tensor) nx.Tensor {
			return nx.Sum(nx.Tanh(nx.Conv(nx.Mul(image, nx.Mean(x)), kernel)))
		}),
	} {
		t.Run(name, func(t *testing.T) {
			want := f(square)
			tolerance := 2e-4
			if name == "solve in f16" {
				tolerance = 5e-3 // some ulp
			}
			requireClose(t, "compiled", nx.Jit(f, nx.On(c))(put(t, square, d)), want, tolerance)
			requireClose(t, "op by op", f(put(t, square, d)), want, 5e-3) // matrix multiplications in tf32 there
		})
	}
}

func positive(x nx.Tensor) nx.Tensor {
	return nx.Add(nx.Dot(x, nx.Transpose(x, nx.Axis(0, 2, 1))), nx.Mul(4, nx.Eye(nx.Shape{16, 16}, nx.F32)))
}

// A donated argument is gone, and its memory is the result's.
func TestDeviceDonation(t *testing.T) {
	c, d := device(t)
	f := nx.Jit(func(a, b nx.Tensor) nx.Tensor { return nx.Add(a, b) }, nx.On(c), nx.Donate(0))
	zeros := nx.Zeros(nx.Shape{1 << 20}, nx.F32)
	a, b := put(t, zeros, d), put(t, nx.Add(zeros, 1), d)
	before := testkit.Settled(c.InUse)
	for i := range 100 {
		sum := f(a, b)
		if err := caught(func() { nx.Exp(a) }); !errors.Is(err, nx.ErrReleased) {
			t.Fatalf("using a donated tensor in call %d: %v", i, err)
		}
		a = sum
	}
	if got := nx.Data[float32](a); got[0] != 100 || got[1<<20-1] != 100 {
		t.Errorf("the sum is %v", got[0])
	}
	nx.Data[float32](b)
	if n := testkit.Settled(c.InUse); n > before {
		t.Errorf("%d bytes are in use, %d were", n, before)
	}
}

// Exceeding the memory of a device is an error with numbers, and the client stays usable.
func TestDeviceOutOfMemory(t *testing.T) {
	c, d := device(t)
	x := put(t, nx.New([]float32{1, 2}), d)
	grow := nx.Jit(func(x nx.Tensor) nx.Tensor { return nx.BroadcastTo(nx.Sum(x), 1<<36) }, nx.On(c))
	err := caught(func() {
		if _, err := nx.Await(context.Background(), grow(x)); err != nil {
			panic(diag.As(err))
		}
	})
	var m backend.MemoryError
	if !errors.As(err, &m) {
		t.Fatalf("a quarter of a terabyte: %v", err)
	}
	needed, used, limit := m.OutOfMemory()
	t.Logf("%v\nneeded %d, in use %d, limit %d", err, needed, used, limit)
	if got := nx.Data[float32](nx.Add(x, x)); got[0] != 2 || got[1] != 4 {
		t.Errorf("afterwards: %v", got)
	}
}

// Programs with functions of Go are cut around these.
func TestDeviceFunctionsOfGo(t *testing.T) {
	c, d := device(t)
	var seen []float32
	var lock sync.Mutex
	f := nx.Jit(func(x nx.Tensor) nx.Tensor {
		x = debug.Hook("x", nx.Mul(x, 2), func(x nx.Tensor) {
			lock.Lock()
			defer lock.Unlock()
			seen = append(seen, nx.Data[float32](x)...)
		})
		return nx.Add(nx.RuntimeCall(x, x, func(x nx.Tensor) (nx.Tensor, error) { return nx.Mul(x, 10), nil }), 1)
	}, nx.On(c))
	got := nx.Data[float32](f(put(t, nx.New([]float32{1, 2}), d)))
	if got[0] != 21 || got[1] != 41 || len(seen) != 2 || seen[1] != 4 {
		t.Errorf("got %v, seen %v", got, seen)
	}
}

// A program is compiled for the kind of GPU that is here, saved, loaded and called; another process would find it in
// the cache.
func TestDeviceSaved(t *testing.T) {
	c, d := device(t)
	info, err := c.Describe(d)
	if err != nil {
		t.Fatal(err)
	}
	kind := strings.ToLower(strings.TrimPrefix(info.Kind, "NVIDIA "))
	kind, _, _ = strings.Cut(kind, " ")
	m, err := stablehlo.Parse("m", []byte(`func.func @main(%a: tensor<4xf32>) -> tensor<4xf32> {
  %0 = stablehlo.tanh %a : tensor<4xf32>
  return %0 : tensor<4xf32>
}`))
	if err != nil {
		t.Fatal(err)
	}
	compiled, err := xla.CompileFor(context.Background(), c.Name(), kind+":1x1x1", m)
	if err != nil {
		t.Fatalf("for %s: %v", kind, err)
	}
	saved, err := compiled.Save()
	if err != nil {
		t.Fatal(err)
	}
	exe, err := c.LoadCompiled(saved)
	if err != nil {
		t.Fatalf("loading what was compiled for %s: %v", kind, err)
	}
	defer exe.Close()
	if got := executed(t, c, exe, nx.New([]float32{0, 20, -20, 0})); !slices.Equal(got, []float32{0, 1, -1, 0}) {
		t.Errorf("got %v", got)
	}
	dir := filepath.Join(t.TempDir(), "c") // accessible only by the user
	for range 2 {
		if warnings := withCache(t, c, dir, tripled); warnings != "" {
			t.Error(warnings)
		}
	}
}

// executed calls a program of one argument and one result, of f32.
func executed(t *testing.T, c *xla.Client, exe backend.Executable, x nx.Tensor) []float32 {
	t.Helper()
	ctx := context.Background()
	arg, err := c.Put(ctx, backend.Type{DType: nx.F32, Dims: []int64{int64(x.Size())}}, nx.Bytes(x), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer arg.Release()
	out, err := exe.Execute(ctx, []backend.Buffer{arg})
	if err != nil {
		t.Fatal(err)
	}
	defer out[0].Release()
	data := make([]byte, out[0].Type().SizeBytes())
	if err := out[0].Read(ctx, data); err != nil {
		t.Fatal(err)
	}
	return nx.Data[float32](nx.FromBytes(data, nx.Shape{len(data) / 4}, nx.F32))
}

// A function of a library of C is called by the device's program.
func TestDeviceHandler(t *testing.T) {
	c, d := device(t)
	cc, err := exec.LookPath("gcc")
	if err != nil {
		t.Skipf("skipped: functions of libraries are compiled by gcc (%v)", err)
	}
	library := filepath.Join(t.TempDir(), "nothing.so")
	if text, err := exec.Command(cc, "-shared", "-fPIC", "-o", library, "../internal/pjrt/testdata/handler.c").
		CombinedOutput(); err != nil {
		t.Fatalf("gcc: %v\n%s", err, text)
	}
	if err := xla.RegisterFFI(c.Name(), "nothing", library, "nothing"); err != nil {
		t.Fatal(err)
	}
	m, err := stablehlo.Parse("m", []byte(`func.func @main(%a: tensor<4xf32>) -> tensor<4xf32> {
  %0 = "stablehlo.custom_call"(%a) <{api_version = 4 : i32, backend_config = {}, call_target_name = "nothing",
    output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [], operand_index = 0,
    operand_tuple_indices = []>]}> : (tensor<4xf32>) -> tensor<4xf32>
  %1 = stablehlo.add %0, %0 : tensor<4xf32>
  return %1 : tensor<4xf32>
}`))
	if err != nil {
		t.Fatal(err)
	}
	f, err := nx.LoadModule(context.Background(), m, nx.On(c))
	if err != nil {
		t.Fatal(err)
	}
	out, err := f.Call(context.Background(), put(t, nx.New([]float32{1, 2, 3, 4}), d))
	if err != nil {
		t.Fatal(err)
	}
	if got := nx.Data[float32](out[0]); got[3] != 8 {
		t.Errorf("got %v", got)
	}
}

// 64 goroutines call, donate and drop results: unused memory is freed, and every result is correct.
func TestDeviceSoak(t *testing.T) {
	c, d := device(t)
	f := nx.Jit(func(x, y nx.Tensor) nx.Tensor { return nx.Add(nx.Mul(x, y), 1) }, nx.On(c), nx.Donate(0))
	one := put(t, nx.New([]float32{2, 3}), d)
	nx.Release(f(put(t, nx.New([]float32{1, 1}), d), one))
	before := testkit.Settled(c.InUse)
	var all sync.WaitGroup
	for g := range 64 {
		all.Go(func() {
			for i := range 200 {
				v := float32(1000*g + i)
				var got []float32
				err := caught(func() { got = nx.Data[float32](f(put(t, nx.New([]float32{v, -v}), d), one)) })
				if err != nil || got[0] != 2*v+1 || got[1] != -3*v+1 {
					t.Errorf("of %v: %v, %v", v, got, err)
					return
				}
				if i%50 == 0 {
					runtime.GC()
				}
			}
		})
	}
	all.Wait()
	if n := testkit.Settled(c.InUse); n > before {
		t.Errorf("%d bytes are in use, %d were", n, before)
	}
	runtime.KeepAlive(one)
}

func BenchmarkDevice(b *testing.B) {
	if *onClient == "" {
		b.Skip("skipped: -client names no client whose devices are there")
	}
	c, err := xla.Open(*onClient)
	if err != nil {
		b.Fatal(err)
	}
	d := c.Devices()[0]
	at := func(p nx.Tensor) nx.Tensor {
		p, err := nx.Transfer(p, d)
		if err != nil {
			b.Fatal(err)
		}
		return p
	}
	matrix := func(n int, typ nx.DType) nx.Tensor {
		return at(nx.Cast(random.Normal(random.Key(1), 0, 1, nx.Shape{n, n}, nx.F32), typ))
	}
	small, large := at(nx.New([]float32{1, 2})), at(nx.Iota(nx.Shape{1 << 26}, nx.F32))
	product := func(x nx.Tensor) nx.Tensor { return nx.Dot(x, x) }
	for _, tt := range []struct {
		name string
		f    func(x nx.Tensor) nx.Tensor
		x    nx.Tensor
	}{
		{"add_2", func(x nx.Tensor) nx.Tensor { return nx.Add(x, x) }, small},
		{"exp_64m", nx.Exp, large},
		{"sum_64m", func(x nx.Tensor) nx.Tensor { return nx.Sum(x) }, large},
		{"matmul_4096_f32", product, matrix(4096, nx.F32)},
		{"matmul_8192_bf16", product, matrix(8192, nx.BF16)},
	} {
		f := nx.Jit(tt.f, nx.On(c))
		ready := func(x nx.Tensor) {
			if _, err := nx.Await(context.Background(), x); err != nil {
				b.Fatal(err)
			}
			nx.Release(x)
		}
		ready(f(tt.x)) // it is compiled
		b.Run(tt.name+"/wait", func(b *testing.B) {
			for b.Loop() {
				ready(f(tt.x))
			}
		})
		b.Run(tt.name+"/in_a_row", func(b *testing.B) {
			const calls = 20
			for b.Loop() {
				var last nx.Tensor
				for i := range calls {
					if last = f(tt.x); i < calls-1 {
						nx.Release(last)
					}
				}
				ready(last)
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*calls), "ns/call")
		})
	}
}
