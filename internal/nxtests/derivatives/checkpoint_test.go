package derivatives_test

import (
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/go-nx/nx"
	"github.com/go-nx/nx/cpu"
	"github.com/go-nx/nx/internal/nxtests/kit"
	"github.com/go-nx/nx/stablehlo"
)

// deep is a chain of residual layers whose inside is wider than what they pass on.
type deep struct{ Up, Down []nx.Tensor }

const (
	deepLayers = 32
	deepBatch  = 64
	deepWidth  = 32
	deepInside = 256
)

func newDeep() deep {
	var d deep
	for i := range deepLayers {
		w := nx.Sin(nx.Add(i, nx.Iota(nx.Shape{deepWidth, deepInside}, nx.F32)))
		d.Up = append(d.Up, nx.Mul(w, 0.1))
		d.Down = append(d.Down, nx.Transpose(nx.Mul(w, 0.01)))
	}
	return d
}

// loss returns the loss of the model; each layer goes through wrap.
func (d deep) loss(x nx.Tensor,
	wrap func(func(up, down, x nx.Tensor) nx.Tensor) func(up, down, x nx.Tensor) nx.Tensor) nx.Tensor {
	layer := wrap(func(up, down, x nx.Tensor) nx.Tensor {
		h := nx.Dot(x, up)
		h = nx.Mul(h, nx.Sigmoid(nx.Mul(1.702, h)))
		return nx.Add(x, nx.Dot(h, down))
	})
	for i := range d.Up {
		x = layer(d.Up[i], d.Down[i], x)
	}
	return nx.Mean(nx.Square(x))
}

func plainLayer(f func(up, down, x nx.Tensor) nx.Tensor) func(up, down, x nx.Tensor) nx.Tensor {
	return f
}

func checkpointLayer(f func(up, down, x nx.Tensor) nx.Tensor) func(up, down, x nx.Tensor) nx.Tensor {
	return nx.Checkpoint(f)
}

// arena returns the bytes that an executable needs beside arguments and results.
func arena(t testing.TB, text string) int {
	t.Helper()
	m, err := stablehlo.Parse("deep.mlir", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	plan, err := cpu.Default().Explain(m, "main", "scheduled")
	if err != nil {
		t.Fatal(err)
	}
	found := regexp.MustCompile(`arena of (\d+) bytes`).FindStringSubmatch(plan)
	if found == nil {
		t.Fatal("the plan does not say how large the arena is")
	}
	n, err := strconv.Atoi(found[1])
	if err != nil {
		t.Fatal(err)
	}
	return n
}

func deepGrad(
	wrap func(func(up, down, x nx.Tensor) nx.Tensor) func(up, down, x nx.Tensor) nx.Tensor) func(deep, nx.Tensor) deep {
	return func(d deep, x nx.Tensor) deep {
		return nx.Grad(func(d deep) nx.Tensor { return d.loss(x, wrap) })(d)
	}
}

// The gradient of a model of 32 layers needs less than a quarter of the memory when
// each layer is a checkpoint, and is the same.
func TestCheckpointLowersPeakMemory(t *testing.T) {
	d, x := newDeep(), nx.Sin(nx.Iota(nx.Shape{deepBatch, deepWidth}, nx.F32))
	var bytes [2]int
	var grads [2]deep
	type layerFunc = func(up, down, x nx.Tensor) nx.Tensor
	for i, wrap := range []func(layerFunc) layerFunc{plainLayer, checkpointLayer} {
		e, err := nx.Compile(deepGrad(wrap), nx.Args(d, x))
		if err != nil {
			t.Fatal(err)
		}
		bytes[i], grads[i] = arena(t, e.Text()), e.Call(d, x)
	}
	t.Logf("peak memory beside arguments and results: %d KiB, with checkpoints %d KiB", bytes[0]>>10, bytes[1]>>10)
	if bytes[1]*4 > bytes[0] {
		t.Errorf("with checkpoints the gradient needs %d bytes, without %d", bytes[1], bytes[0])
	}
	a, b := nx.Data[float32](grads[0].Up[3]), nx.Data[float32](grads[1].Up[3])
	for i := range a {
		if diff := a[i] - b[i]; diff > 1e-6 || diff < -1e-6 {
			t.Fatalf("element %d of a gradient is %v, with checkpoints %v", i, a[i], b[i])
		}
	}
}

func BenchmarkCheckpoint(b *testing.B) {
	d, x := newDeep(), nx.Sin(nx.Iota(nx.Shape{deepBatch, deepWidth}, nx.F32))
	for name, wrap := range map[string]func(func(up, down, x nx.Tensor) nx.Tensor) func(up, down,
		x nx.Tensor) nx.Tensor{
		"plain": plainLayer, "checkpoint": checkpointLayer,
	} {
		b.Run(name, func(b *testing.B) {
			start := time.Now()
			e, err := nx.Compile(deepGrad(wrap), nx.Args(d, x))
			if err != nil {
				b.Fatal(err)
			}
			b.ReportMetric(float64(time.Since(start).Milliseconds()), "compile-ms")
			b.ReportMetric(float64(arena(b, e.Text()))/1024, "arena-KiB")
			for b.Loop() {
				nx.Release(e.Call(d, x))
			}
		})
	}
}

// A checkpoint keeps only its operands, and what it computes again stays apart
// from what it repeats.
func TestCheckpointStaysACall(t *testing.T) {
	f := func(x nx.Tensor) nx.Tensor {
		for range 3 {
			x = nx.Checkpoint(func(x nx.Tensor) nx.Tensor { return nx.Exp(nx.Sin(x)) })(x)
		}
		return nx.Sum(x)
	}
	text := kit.Lowered(t, nx.Grad(f), nx.New([]float64{1, 2}))
	for what, n := range map[string]int{`stablehlo.composite "nx.checkpoint"`: 3, "optimization_barrier": 3,
		"private @": 1} {
		if got := strings.Count(text, what); got != n {
			t.Errorf("%q is there %d times, want %d:\n%s", what, got, n, text)
		}
	}
}
