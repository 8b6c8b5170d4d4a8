package cpu

import (
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/go-nx/nx/backend"
	"github.com/go-nx/nx/dtype"
	"github.com/go-nx/nx/stablehlo"
)

// chain8 is a chain of eight element-wise ops on a million numbers, like that of
// the benchmark chain8_1m.
const chain8 = `func.func @main(%x: tensor<1000000xf32>, %y: tensor<1000000xf32>) -> tensor<1000000xf32> {
	%half = stablehlo.constant dense<5.0e-1> : tensor<1000000xf32>
	%0 = stablehlo.add %x, %y : tensor<1000000xf32>
	%1 = stablehlo.multiply %0, %half : tensor<1000000xf32>
	%2 = stablehlo.subtract %1, %y : tensor<1000000xf32>
	%3 = stablehlo.abs %2 : tensor<1000000xf32>
	%4 = stablehlo.sqrt %3 : tensor<1000000xf32>
	%5 = stablehlo.maximum %4, %x : tensor<1000000xf32>
	%6 = stablehlo.negate %5 : tensor<1000000xf32>
	%7 = stablehlo.multiply %6, %0 : tensor<1000000xf32>
	return %7 : tensor<1000000xf32>
}`

// compiled returns the program of a text.
func compiled(t *testing.T, c *Client, text string) backend.Executable {
	t.Helper()
	m, err := stablehlo.Parse("", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	exe, err := c.Compile(ctx, m)
	if err != nil {
		t.Fatal(err)
	}
	return exe
}

// TestChainIsNotMaterialised: the peak of a fused chain is its inputs and its result; the tiles are
// a few kilobytes per worker.
func TestChainIsNotMaterialised(t *testing.T) {
	c := New(2)
	exe := compiled(t, c, chain8)
	if n := exe.(*executable).x.Layout().ArenaSize; n != 0 {
		t.Errorf("intermediates take %d bytes", n)
	}
	const size = 4_000_000
	var args []backend.Buffer
	for range 2 {
		b, err := c.Put(ctx, backend.Type{DType: dtype.F32, Dims: []int64{size / 4}}, make([]byte, size), device{})
		if err != nil {
			t.Fatal(err)
		}
		args = append(args, b)
	}
	each := c.InUse() / 2
	run := func() {
		out, err := exe.Execute(ctx, args)
		if err != nil {
			t.Fatal(err)
		}
		out[0].Release()
	}
	run() // allocates an instance with its tiles
	if peak := c.env.Buffers.Peak(); peak != 3*each {
		t.Errorf("at most %d bytes were in use, three buffers have %d", peak, 3*each)
	}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	const runs = 20
	for range runs {
		run()
	}
	runtime.ReadMemStats(&after)
	if n := (after.TotalAlloc - before.TotalAlloc) / runs; n > 64<<10 {
		t.Errorf("a run allocates %d bytes", n)
	}
}

// TestRunAllocatesNothingForOps: the allocations of a run do not grow with the program.
func TestRunAllocatesNothingForOps(t *testing.T) {
	allocs := func(ops int) float64 {
		c := New(1)
		text := "func.func @main(%x: tensor<5000xf32>) -> tensor<f32> {\n%z = stablehlo.constant dense<0.0> : tensor<f32>\n"
		at := "%x"
		for range ops { // a sum cannot be fused with its uses
			text += strings.NewReplacer("IN", at, "OUT", at+"y").Replace(`
				OUTs = stablehlo.reduce(IN init: %z) applies stablehlo.maximum across dimensions = [0] : (tensor<5000xf32>, tensor<f32>) -> tensor<f32>
				OUTb = stablehlo.broadcast_in_dim OUTs, dims = [] : (tensor<f32>) -> tensor<5000xf32>
				OUT = stablehlo.subtract IN, OUTb : tensor<5000xf32>`)
			at += "y"
		}
		text += "\n%r = stablehlo.reduce(" + at +
			" init: %z) applies stablehlo.add across dimensions = [0] : (tensor<5000xf32>, tensor<f32>) -> tensor<f32>\nreturn %r : tensor<f32>\n}"
		exe := compiled(t, c, text)
		args := []backend.Buffer{put(t, c, 20000)}
		args[0].(*buffer).t = &backend.Type{DType: dtype.F32, Dims: []int64{5000}}
		return testing.AllocsPerRun(20, func() {
			if _, err := exe.Execute(ctx, args); err != nil {
				t.Fatal(err)
			}
		})
	}
	few, many := allocs(2), allocs(60)
	if many > few+20 { // the runtime allocates now and then, too
		t.Errorf("a run of 60 steps allocates %v times, one of 2 steps %v times", many, few)
	}
}

// TestIdleCodeKeepsNoMemory: code that has run does not retain its operands.
func TestIdleCodeKeepsNoMemory(t *testing.T) {
	c := New(2)
	exe := compiled(t, c, chain8)
	const size = 4_000_000
	gone := make(chan bool, 1)
	func() {
		data := make([]byte, size)
		runtime.AddCleanup(&data[0], func(bool) { gone <- true }, true)
		b, err := c.Wrap(backend.Type{DType: dtype.F32, Dims: []int64{size / 4}}, data)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := exe.Execute(ctx, []backend.Buffer{b, b}); err != nil {
			t.Fatal(err)
		}
	}()
	for end := time.Now().Add(20 * time.Second); ; {
		select {
		case <-gone:
			runtime.KeepAlive(exe)
			return
		default:
		}
		if time.Now().After(end) {
			t.Fatal("the memory of an argument is kept")
		}
		runtime.GC()
		time.Sleep(time.Millisecond)
	}
}

// TestTooManyBits: random bits that exceed memory are rejected with the name of their op.
func TestTooManyBits(t *testing.T) {
	const bits = "tensor<4611686018427387904xui32>"
	m, err := stablehlo.Parse("bits", []byte(`func.func @main(%s: tensor<2xui64>) -> `+bits+` {
  %n, %b = stablehlo.rng_bit_generator %s, algorithm = THREE_FRY : (tensor<2xui64>) -> (tensor<2xui64>, `+bits+`)
  return %b : `+bits+`
}`))
	if err != nil {
		t.Fatal(err)
	}
	_, err = New(1).Compile(ctx, m)
	if err == nil || !strings.Contains(err.Error(), "stablehlo.rng_bit_generator has the type "+bits) {
		t.Error(err)
	}
}
