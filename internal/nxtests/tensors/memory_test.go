package tensors_test

import (
	"errors"
	"fmt"
	"runtime"
	rtdebug "runtime/debug"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/go-nx/nx/debug"
	"github.com/go-nx/nx/tree"

	"github.com/go-nx/nx"
	"github.com/go-nx/nx/cpu"
	"github.com/go-nx/nx/internal/nxtests/kit"
	"github.com/go-nx/nx/internal/testkit"
)

// settle waits until no more than n bytes of tensors are live. Small ones, which
// may belong to a batch with others that stay, do not matter.
func settle(t *testing.T, n int64) {
	t.Helper()
	for end := time.Now().Add(20 * time.Second); debug.LiveBytes() > n+16<<10; {
		if time.Now().After(end) {
			t.Fatalf("%d bytes are live, want %d", debug.LiveBytes(), n)
		}
		runtime.GC()
		time.Sleep(time.Millisecond)
	}
}

func TestLiveBytes(t *testing.T) {
	before := testkit.Settled(debug.LiveBytes)
	const size = 4 << 20
	x := kit.Held(1 << 20)
	y := nx.Exp(x)
	z := y.At(nx.Whole) // shares the memory
	if got := debug.LiveBytes() - before; got < 2*size {
		t.Errorf("two tensors of %d bytes hold %d", size, got)
	}
	nx.Release(x, map[string]nx.Tensor{"y": y})
	nx.Release(y, nx.Tensor{}, nil)
	if kit.Caught(func() { nx.Sum(y) }) == nil {
		t.Error("a released tensor is used")
	}
	if err := kit.Caught(func() { nx.Sum(z) }); err != nil {
		t.Errorf("a part that is all of a released tensor: %v", err)
	}
	nx.Release(z)
	settle(t, before)
	nx.Sum(nx.Exp(kit.Held(1 << 20))) // not kept
	settle(t, before)
}

func TestMemoryThatIsNotThere(t *testing.T) {
	huge := nx.Zeros(nx.Shape{1 << 45}, nx.F64)
	for name, f := range map[string]func(){
		"the tensor":  func() { nx.Bytes(nx.Exp(huge)) },
		"an op":       func() { nx.Add(nx.Ones(nx.Shape{1 << 22, 1}, nx.F64), nx.Ones(nx.Shape{1 << 22}, nx.F64)) },
		"a temporary": func() { nx.Sum(nx.Cast(nx.Less(nx.Iota(nx.Shape{1 << 45}, nx.S64), 3), nx.S8)) },
		"a result of Jit": func() {
			nx.Jit(func(x nx.Tensor) nx.Tensor { return nx.BroadcastTo(x, 1<<45) })(kit.Held(1))
		},
		"a temporary of a sort": func() {
			nx.Jit(func(x nx.Tensor) nx.Tensor { return nx.Dot(nx.BroadcastTo(x, 1<<20, 1<<20), x) })(kit.Held(1 << 20))
		},
	} {
		err := kit.Caught(f)
		if err == nil {
			if name != "a temporary of a sort" && name != "a temporary" { // which may be fused away
				t.Errorf("%s: no error", name)
			}
			continue
		}
		if !strings.Contains(err.Error(), "out of memory") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestViewAndWrap(t *testing.T) {
	x := kit.Held(3)
	var sum float32
	nx.View(x, func(data []float32) {
		for _, v := range data {
			sum += v
		}
	})
	if sum != 3 {
		t.Errorf("got %v", sum)
	}
	nx.View(nx.New(2.5), func(data []float64) {
		if !slices.Equal(data, []float64{2.5}) {
			t.Errorf("got %v", data)
		}
	})
	nx.View(x, func([]float32) { nx.Release(x) }) // the memory outlives the view
	if kit.Caught(func() { nx.View(x, func([]float32) {}) }) == nil {
		t.Error("a released tensor is lent")
	}
	if kit.Caught(func() { nx.View(kit.Held(1), func([]float64) {}) }) == nil {
		t.Error("f32 is lent as float64")
	}
	data := []int32{1, 2, 3, 4}
	w := nx.FromSliceShared(data, nx.Shape{2, 2}, nx.Names("a", "b"))
	if got := fmt.Sprint(nx.Add(w, 1)); got != "s32[a: 2][b: 2]\n[\n  [2, 3],\n  [4, 5]\n]" {
		t.Errorf("got %s", got)
	}
	nx.View(w, func(v []int32) {
		if &v[0] != &data[0] {
			t.Error("Wrap copies")
		}
	})
	if got := nx.FromSliceShared([]float32{}, nx.Shape{0, 3}); got.Size() != 0 {
		t.Errorf("got %v", got)
	}
	if kit.Caught(func() { nx.FromSliceShared(data, nx.Shape{3}) }) == nil {
		t.Error("a wrong shape")
	}
}

// TestCopies: New and Data copy, so that later writes have no effect.
func TestCopies(t *testing.T) {
	data := []float32{1, 2}
	x := nx.New(data)
	y := nx.FromSlice(data, nx.Shape{2})
	data[0] = 9
	got := nx.Data[float32](x)
	got[1] = 9
	for _, x := range []nx.Tensor{x, y} {
		if got := nx.Data[float32](x); !slices.Equal(got, []float32{1, 2}) {
			t.Errorf("got %v", got)
		}
	}
	shape := nx.Shape{2}
	z := nx.Reshape(nx.Zeros(shape, nx.F32), shape...)
	shape[0] = 7
	z.Shape()[0] = 8
	z.Spec().Shape[0] = 9
	if z.Size() != 2 {
		t.Errorf("the shape is %v", z.Shape())
	}
}

// TestReshapeSharesMemory: a tensor of another shape or other names has the
// same memory, and outlives the first.
func TestReshapeSharesMemory(t *testing.T) {
	before := testkit.Settled(debug.LiveBytes)
	x := nx.New(make([]float32, 1<<16))
	one := debug.LiveBytes() - before
	y := nx.Reshape(x, 256, -1)
	z := nx.Rename(nx.ExpandAxis(y, nx.Axis(0)), "", "a", "b")
	if got := debug.LiveBytes() - before; got != one {
		t.Errorf("%d bytes are live, one tensor has %d", got, one)
	}
	nx.View(x, func(a []float32) {
		nx.View(z, func(b []float32) {
			if &a[0] != &b[0] {
				t.Error("the memory is copied")
			}
		})
	})
	nx.Release(x, y)
	if kit.Caught(func() { nx.Sum(y) }) == nil {
		t.Error("a released tensor is used")
	}
	if got := nx.Item[int](nx.Sum(z)); got != 0 {
		t.Errorf("got %d", got)
	}
	if got := debug.LiveBytes() - before; got < one {
		t.Errorf("%d bytes are live below a tensor of %d", got, one)
	}
	nx.Release(z)
	settle(t, before) // what ExpandAxis returned is collected
	runtime.KeepAlive(x)
	if kit.Caught(func() { nx.Reshape(kit.Freed(), 1, 2) }) == nil {
		t.Error("a released tensor is reshaped")
	}
}

// TestMemoryError: the error names the op, its operands, the sizes, the limit and how
// to set another.
func TestMemoryError(t *testing.T) {
	x := nx.Add(nx.Ones(nx.Shape{1 << 20}, nx.F32), 0)
	defer rtdebug.SetMemoryLimit(rtdebug.SetMemoryLimit(64 << 20))
	err := kit.Caught(func() { nx.Bytes(nx.Outer(x, x.At(nx.To(100)))) })
	if !errors.Is(err, nx.ErrRun) {
		t.Fatal(err)
	}
	for _, want := range []string{"Outer: ", "operand 0: f32[1048576]\n", "400.00 MiB needed", "of at most 64.00 MiB",
		"debug.SetMemoryLimit"} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("%v\ndoes not say %q", err, want)
		}
	}
}

// TestMemoryOfConstants: an error names the function that needed the contents.
func TestMemoryOfConstants(t *testing.T) {
	var err error
	func() {
		defer nx.Catch(&err)
		nx.Add(nx.Ones(nx.Shape{1 << 20, 1 << 22}, nx.F32), nx.New([]float32{1}))
	}()
	if err == nil {
		t.Fatal("16 TiB were found")
	}
	for _, want := range []string{"Add: out of memory: 16384.00 GiB needed", "operand: f32[1048576][4194304]",
		"debug.SetMemoryLimit"} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("no %q in %v", want, err)
		}
	}
}

// TestDonatedStepAllocatesNothing trains in the memory of the weights: a call allocates no
// other for the results, and what it computes is what it computes without donation.
func TestDonatedStepAllocatesNothing(t *testing.T) {
	type weights struct{ W, B nx.Tensor }
	step := func(p weights, x nx.Tensor) (weights, nx.Tensor) {
		l, g := nx.ValueAndGrad(func(p weights) nx.Tensor {
			h := nx.Tanh(nx.Add(nx.Dot(x, p.W), p.B))
			return nx.Mean(nx.Mul(h, h))
		})(p)
		return tree.Map2(func(w, g nx.Tensor) nx.Tensor { return nx.Sub(w, nx.Mul(0.1, g)) }, p, g), l
	}
	fresh := func() weights {
		return weights{nx.Add(nx.Zeros(nx.Shape{256, 4096}, nx.F32), 0.01),
			nx.Add(nx.Zeros(nx.Shape{4096}, nx.F32), 0.1)}
	}
	x := nx.Add(nx.Zeros(nx.Shape{32, 256}, nx.F32), 0.5)
	plain, donated := nx.Jit(step), nx.Jit(step, nx.Donate(0))
	p, q := fresh(), fresh()
	for range 3 {
		next, _ := plain(p, x)
		p = next
		q, _ = donated(q, x)
	}
	if !nx.ArrayEqual(q.W, p.W) || !nx.ArrayEqual(q.B, p.B) {
		t.Error("donation changes the weights")
	}
	nx.Release(p)
	runtime.GC()
	before := debug.LiveBytes()
	q, l := donated(q, x)
	nx.Release(l)
	if grown := debug.LiveBytes() - before; grown > 0 {
		t.Errorf("a step in the memory of its weights keeps %d bytes more", grown)
	}
	l2, err := nx.Lower(step, nx.Args(q, x), nx.Donate(0))
	if err != nil {
		t.Fatal(err)
	}
	if n := strings.Count(l2.Text(), "jax.buffer_donor = true"); n != 2 {
		t.Errorf("the program says of %d arguments that they are donated, want 2\n%s", n, l2.Text())
	}
	text, err := cpu.Default().Explain(l2.Module(), "main", "nodes")
	if err != nil {
		t.Fatal(err)
	}
	if want := "4210692 bytes of results, 4210688 of them in the memory of arguments"; !strings.Contains(text, want) {
		t.Errorf("nx inspect does not say %q:\n%s", want, text)
	}
}
