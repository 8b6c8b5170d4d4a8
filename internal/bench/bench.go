package bench

import (
	"math"
	"runtime"
	"slices"
	"time"

	"github.com/go-nx/nx"
	"github.com/go-nx/nx/linalg"
	"github.com/go-nx/nx/random"
)

// Workload is a named piece of work.
type Workload struct {
	Name string
	// Make builds the inputs and returns the call to time, and the first
	// element of its first result (of the loss for steps).
	Make func() (call func(), check func() float64)
}

// Result is a measurement of [Workload.Measure].
type Result struct {
	Name     string
	Median   time.Duration
	Min      time.Duration
	Reps     int
	Check    float64
	AllocsOp float64
}

// Measure times the call until the budget is spent, at least three times. The error is that of its compilation or its
// run.
func (w Workload) Measure(budget time.Duration) (r Result, err error) {
	defer nx.Catch(&err)
	call, check := w.Make()
	batch := batchOf(call)
	var times []time.Duration
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	for end := time.Now().Add(budget); len(times) < 3 || time.Now().Before(end) && len(times) < 20000; {
		t := time.Now()
		for range batch {
			call()
		}
		times = append(times, time.Since(t)/time.Duration(batch))
	}
	runtime.ReadMemStats(&after)
	slices.Sort(times)
	return Result{Name: w.Name, Median: times[len(times)/2], Min: times[0], Reps: batch * len(times), Check: check(),
		AllocsOp: float64(after.Mallocs-before.Mallocs) / float64(batch*len(times))}, nil
}

// batchOf calls a few times and returns the number of calls to time at once: reading the clock takes 40 ns, a tenth of
// the shortest call.
func batchOf(call func()) int {
	fastest := time.Duration(math.MaxInt64)
	for range 3 {
		t := time.Now()
		call()
		fastest = min(fastest, time.Since(t))
	}
	if fastest < 10*time.Microsecond {
		return 100
	}
	return 1
}

// first returns the first element of a tensor.
func first(t nx.Tensor) float64 {
	for t.Rank() > 0 {
		t = t.At(0)
	}
	return nx.Item[float64](t)
}

// unaryWorkload is a workload of a compiled function of one tensor.
func unaryWorkload(f func(nx.Tensor) nx.Tensor, x func() nx.Tensor) func() (func(), func() float64) {
	return func() (func(), func() float64) {
		g, x := nx.Jit(f), x()
		return func() { nx.Release(g(x)) }, func() float64 { return first(g(x)) }
	}
}

// binaryWorkload is a workload of a compiled function of two tensors.
func binaryWorkload(f func(a, b nx.Tensor) nx.Tensor, x, y func() nx.Tensor) func() (func(), func() float64) {
	return func() (func(), func() float64) {
		g, x, y := nx.Jit(f), x(), y()
		return func() { nx.Release(g(x, y)) }, func() float64 { return first(g(x, y)) }
	}
}

// firstOfTwo is a workload of a compiled function with two results.
func firstOfTwo(f func(nx.Tensor) (a, b nx.Tensor), x func() nx.Tensor) func() (func(), func() float64) {
	return func() (func(), func() float64) {
		g, x := nx.Jit(f), x()
		return func() { a, b := g(x); nx.Release(a, b) }, func() float64 { a, _ := g(x); return first(a) }
	}
}

func inputOf(d nx.DType, shape ...int) func() nx.Tensor {
	return func() nx.Tensor { return input(d, shape...) }
}

const million = 1_000_000

// Workloads has all workloads, in order.
var Workloads = []Workload{
	{"softmax_1m", unaryWorkload(func(x nx.Tensor) nx.Tensor { return nx.Softmax(x) }, inputOf(nx.F32, million))},
	{"softmax_naive_1m", unaryWorkload(naiveSoftmax, inputOf(nx.F32, million))},
	{"softmax_1m_f64", unaryWorkload(naiveSoftmax, inputOf(nx.F64, million))},
	{"softmax_rows_1000x1000", unaryWorkload(func(x nx.Tensor) nx.Tensor { return nx.Softmax(x) },
		inputOf(nx.F32, 1000, 1000))},
	{"exp_1m", unaryWorkload(nx.Exp, inputOf(nx.F32, million))},
	{"exp_1m_f64", unaryWorkload(nx.Exp, inputOf(nx.F64, million))},
	{"tanh_1m", unaryWorkload(nx.Tanh, inputOf(nx.F32, million))},
	{"gelu_tanh_1m", unaryWorkload(gelu, inputOf(nx.F32, million))},
	{"gelu_tanh_16m", unaryWorkload(gelu, inputOf(nx.F32, 1<<24))},
	{"add_1m", binaryWorkload(add, inputOf(nx.F32, million), inputOf(nx.F32, million))},
	{"chain8_1m", binaryWorkload(chain8, inputOf(nx.F32, million), inputOf(nx.F32, million))},
	{"sum_16m", unaryWorkload(func(x nx.Tensor) nx.Tensor { return nx.Sum(x) }, inputOf(nx.F32, 1<<24))},
	{"layernorm_4096x1024", func() (func(), func() float64) {
		g := nx.Jit(layerNorm)
		x, s, b := input(nx.F32, 4096, 1024), input(nx.F32, 1024), input(nx.F32, 1024)
		return func() { nx.Release(g(x, s, b)) }, func() float64 { return first(g(x, s, b)) }
	}},
	{"matmul_256", binaryWorkload(nx.Dot, inputOf(nx.F32, 256, 256), inputOf(nx.F32, 256, 256))},
	{"matmul_1024", binaryWorkload(nx.Dot, inputOf(nx.F32, 1024, 1024), inputOf(nx.F32, 1024, 1024))},
	{"matmul_2048", binaryWorkload(nx.Dot, inputOf(nx.F32, 2048, 2048), inputOf(nx.F32, 2048, 2048))},
	{"matmul_f64_1024", binaryWorkload(nx.Dot, inputOf(nx.F64, 1024, 1024), inputOf(nx.F64, 1024, 1024))},
	{"matmul_bf16_1024", binaryWorkload(nx.Dot, inputOf(nx.BF16, 1024, 1024), inputOf(nx.BF16, 1024, 1024))},
	{"matmul_batch_64x128", binaryWorkload(nx.Dot, inputOf(nx.F32, 64, 128, 128), inputOf(nx.F32, 64, 128, 128))},
	{"mlp_step", func() (func(), func() float64) {
		p, x, y := mlpInputs()
		g := nx.Jit(mlpStep)
		call := func() { p, l := g(p, x, y); nx.Release(p, l) }
		return call, func() float64 { _, l := g(p, x, y); return nx.Item[float64](l) }
	}},
	{"mlp_compile", func() (func(), func() float64) {
		p, x, y := mlpInputs()
		return func() { compile(mlpStep, p, x, y) }, func() float64 { return 0 }
	}},
	named("conv_3x3"),
	named("conv_resnet"),
	named("cnn_step", uniformIn(.1), uniformIn(.1), uniformIn(.1), Synthetic, oneHot(10)),
	{"attention_8x128x64", func() (func(), func() float64) {
		q := input(nx.F32, 8, 8, 128, 64)
		g := nx.Jit(func(q, k, v nx.Tensor) nx.Tensor {
			return nx.Dot(nx.Softmax(nx.Div(nx.Dot(q, swapLast(k)), 8)), v)
		})
		return func() { nx.Release(g(q, q, q)) }, func() float64 { return first(g(q, q, q)) }
	}},
	{"transformer_fwd", func() (func(), func() float64) {
		p, x := transformerInputs()
		g := nx.Jit(transformer)
		return func() { nx.Release(g(p, x)) }, func() float64 { return first(g(p, x)) }
	}},
	{"transformer_step", func() (func(), func() float64) {
		p, x := transformerInputs()
		g := nx.Jit(transformerStep)
		run := func() { p, l := g(p, x); nx.Release(p, l) }
		return run, func() float64 { _, l := g(p, x); return nx.Item[float64](l) }
	}},
	{"transformer_compile", func() (func(), func() float64) {
		p, x := transformerInputs()
		return func() {
			compile(func(p []block, x, _ nx.Tensor) ([]block, nx.Tensor) { return transformerStep(p, x) }, p, x, x)
		}, func() float64 { return 0 }
	}},
	named("sort_1m"),
	named("cumsum_1m"),
	{"argmax_rows", unaryWorkload(func(x nx.Tensor) nx.Tensor { return nx.ArgMax(x, nx.Axis(-1)) },
		inputOf(nx.F32, 1000, 1000))},
	{"gather_rows", binaryWorkload(func(x, i nx.Tensor) nx.Tensor { return nx.Take(x, i) }, inputOf(nx.F32, 50000, 256),
		func() nx.Tensor { return indices(8192, 50000) })},
	named("fft_1m"),
	{"normal_1m", unaryWorkload(func(k nx.Tensor) nx.Tensor {
		return random.Normal(k, 0, 1, nx.Shape{million}, nx.F32)
	}, func() nx.Tensor { return random.Key(0) })},
	{"transpose_2048", unaryWorkload(func(x nx.Tensor) nx.Tensor { return nx.Add(nx.Transpose(x), 0) },
		inputOf(nx.F32, 2048, 2048))},
	{"cholesky_512", unaryWorkload(linalg.Cholesky, positiveDefinite(512))},
	{"solve_512", binaryWorkload(linalg.Solve, positiveDefinite(512), inputOf(nx.F32, 512, 16))},
	{"qr_256", firstOfTwo(func(a nx.Tensor) (q, r nx.Tensor) { return linalg.QR(a) }, inputOf(nx.F32, 256, 256))},
	{"svd_256", func() (func(), func() float64) {
		type factors struct{ U, S, Vt nx.Tensor }
		g, x := nx.Jit(func(a nx.Tensor) factors {
			u, s, vt := linalg.SVD(a, linalg.Complete)
			return factors{u, s,
				vt}
		}),
			input(nx.F32, 256, 256)
		return func() { nx.Release(g(x)) }, func() float64 { return first(g(x).U) }
	}},
	{"eigh_256", firstOfTwo(func(a nx.Tensor) (w, v nx.Tensor) { return linalg.Eigh(a) }, positiveDefinite(256))},
	named("while_1000"),
	named("scan_rnn", uniformIn(.1), uniformIn(.1)),
	named("vmap_grad_mlp", Synthetic, Synthetic, Synthetic, Synthetic, Synthetic, oneHot(10)),
	{"call_add1_2x2", func() (func(), func() float64) {
		x := input(nx.F32, 2, 2)
		return func() { nx.Release(nx.Add(x, 1)) }, func() float64 { return first(nx.Add(x, 1)) }
	}},
	{"call_jit_add1_2x2", unaryWorkload(func(x nx.Tensor) nx.Tensor { return nx.Add(x, 1) }, inputOf(nx.F32, 2, 2))},
	{"compile_chain_5000", func() (func(), func() float64) {
		x := input(nx.F32, 1000)
		return func() {
			nx.Jit(func(x nx.Tensor) nx.Tensor {
				for i := range 5000 {
					x = nx.Add(nx.Mul(x, 0.999), float64(i%3))
				}
				return x
			})(x)
		}, func() float64 { return 0 }
	}},
}

func naiveSoftmax(x nx.Tensor) nx.Tensor { return nx.Div(nx.Exp(x), nx.Sum(nx.Exp(x))) }

func add(x, y nx.Tensor) nx.Tensor { return nx.Add(x, y) }

func chain8(x, y nx.Tensor) nx.Tensor {
	t := nx.Add(nx.Mul(nx.Sub(nx.Mul(nx.Add(x, y), x), y), 0.5), nx.Mul(x, y))
	return nx.Sub(nx.Mul(nx.Maximum(t, 0), y), x)
}

// compile traces and compiles a training step, and does not run it.
func compile[P any](step func(P, nx.Tensor, nx.Tensor) (P, nx.Tensor), p P, x, y nx.Tensor) {
	if _, err := nx.Compile(step, nx.Args(p, x, y)); err != nil {
		panic(err)
	}
}
