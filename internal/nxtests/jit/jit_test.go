package jit_test

import (
	"context"
	"errors"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/go-nx/nx/tree"

	"github.com/go-nx/nx"
	"github.com/go-nx/nx/internal/nxtests/kit"
)

type jitLayer struct {
	W, b  nx.Tensor
	Act   func(nx.Tensor) nx.Tensor
	Scale float64
	Skip  int `nx:"-"`
}

type jitModel struct {
	Layers []jitLayer
	Heads  map[string]nx.Tensor
	Tail   *jitLayer
	Any    any
	Dims   []int
	Absent nx.Tensor
}

func newModel() jitModel {
	return jitModel{
		Layers: []jitLayer{{W: kit.Ones(2), b: kit.Ones(2), Act: nx.Tanh, Scale: 2}, {W: kit.Ones(2), b: kit.Ones(2)}},
		Heads:  map[string]nx.Tensor{"b": kit.Ones(3), "a": kit.Ones(2)},
		Tail:   &jitLayer{W: kit.Ones(1)},
		Any:    []nx.Tensor{kit.Ones(4)},
		Dims:   []int{1, 2},
	}
}

func TestJitContainers(t *testing.T) {
	m := newModel()
	double := func(m jitModel) jitModel { return tree.Map(func(t nx.Tensor) nx.Tensor { return nx.Mul(t, 2) }, m) }
	got, want := nx.Jit(double)(m), double(m)
	if g, w := kit.DescribeTree(got), kit.DescribeTree(want); g != w {
		t.Errorf("compiled\n%s\nat once\n%s", g, w)
	}
	if got.Tail == m.Tail || &got.Layers[0] == &m.Layers[0] {
		t.Error("the result shares memory with the argument")
	}
	if got.Layers[0].Scale != 2 || got.Layers[1].Act != nil || !slices.Equal(got.Dims, m.Dims) {
		t.Error("static leaves are lost")
	}
	if kit.DescribeTree(m) != kit.DescribeTree(newModel()) {
		t.Error("the argument has changed")
	}
}

// TestJitSignatures counts how often a function is traced.
func TestJitSignatures(t *testing.T) {
	traces := 0
	f := nx.Jit(func(m jitModel) nx.Tensor {
		traces++
		return nx.Mul(m.Layers[0].W, m.Layers[0].Scale)
	})
	alpha := func(a float64) func(nx.Tensor) nx.Tensor {
		return func(t nx.Tensor) nx.Tensor { return nx.Mul(t, a) }
	}
	one, two := alpha(1), alpha(2)
	steps := []struct {
		name   string
		change func(m *jitModel)
		again  bool
	}{
		{"first", func(*jitModel) {}, true},
		{"the same", func(*jitModel) {}, false},
		{"other values", func(m *jitModel) { m.Layers[0].W = nx.New([]float32{5, 6}) }, false},
		{"a static number", func(m *jitModel) { m.Layers[0].Scale = 3 }, true},
		{"a field that is skipped", func(m *jitModel) { m.Layers[0].Skip = 3 }, false},
		{"a shape", func(m *jitModel) { m.Layers[1].W = kit.Ones(7) }, true},
		{"an element type", func(m *jitModel) { m.Layers[1].W = nx.Ones(nx.Shape{2}, nx.F64) }, true},
		{"names", func(m *jitModel) { m.Layers[1].W = nx.Rename(kit.Ones(2), "a") }, true},
		{"an absent tensor", func(m *jitModel) { m.Layers[1].W = nx.Tensor{} }, true},
		{"a length", func(m *jitModel) { m.Layers = m.Layers[:1] }, true},
		{"a map key", func(m *jitModel) { m.Heads["c"] = kit.Ones(1); delete(m.Heads, "b") }, true},
		{"nil", func(m *jitModel) { m.Tail = nil }, true},
		{"what an interface holds", func(m *jitModel) { m.Any = int64(3) }, true},
		{"only its type", func(m *jitModel) { m.Any = int32(3) }, true},
		{"a static slice", func(m *jitModel) { m.Dims = []int{1, 3} }, true},
		{"an equal static slice", func(m *jitModel) { m.Dims = []int{1, 2} }, false},
		{"a closure", func(m *jitModel) { m.Layers[0].Act = one }, true},
		{"a closure of the same text", func(m *jitModel) { m.Layers[0].Act = two }, true},
		{"the first closure again", func(m *jitModel) { m.Layers[0].Act = one }, false},
	}
	for _, s := range steps {
		m := newModel()
		s.change(&m)
		before := traces
		warnings(t, func() { f(m) })
		if again := traces > before; again != s.again {
			t.Errorf("%s: traced %v, want %v", s.name, again, s.again)
		}
	}
	runtime.KeepAlive(two)
}

func TestJitContextAndError(t *testing.T) {
	failure := errors.New("no data")
	f := nx.Jit(func(ctx context.Context, x nx.Tensor, fail bool) (nx.Tensor, error) {
		if ctx.Err() != nil {
			t.Error("the function sees the context of a call")
		}
		if fail {
			return nx.Tensor{}, failure
		}
		return nx.Add(x, 1), nil
	})
	x := kit.Ones(2)
	if got, err := f(context.Background(), x, false); err != nil ||
		!slices.Equal(nx.Data[float32](got), []float32{2, 2}) {
		t.Errorf("got %v, %v", got, err)
	}
	if _, err := f(context.Background(), x, true); !errors.Is(err, failure) {
		t.Errorf("got %v", err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := f(ctx, x, false); !errors.Is(err, context.Canceled) {
		t.Errorf("a cancelled call: %v", err)
	}
	if _, err := f(nil, x, false); err != nil { //nolint:staticcheck // a nil context is none
		t.Errorf("after it: %v", err)
	}
	// Misuse of an op while tracing is the trailing error.
	g := nx.Jit(func(a, b nx.Tensor) (nx.Tensor, error) { return nx.Add(a, b), nil })
	if _, err := g(kit.Ones(2), kit.Ones(3)); err == nil || !strings.Contains(err.Error(), "jit_test.go") {
		t.Errorf("got %v", err)
	}
	if _, err := g(kit.Ones(2), kit.Ones(2)); err != nil {
		t.Error(err)
	}
}

func TestJitPanicLeavesItUsable(t *testing.T) {
	calls := 0
	f := nx.Jit(func(x nx.Tensor) nx.Tensor {
		if calls++; calls == 1 {
			panic("mine")
		}
		return nx.Add(x, 1)
	})
	func() {
		defer func() {
			if r := recover(); r != "mine" {
				t.Errorf("recovered %v", r)
			}
		}()
		f(kit.Ones(2))
	}()
	if got := nx.Item[float32](f(kit.Ones(1))); got != 2 {
		t.Errorf("got %v", got)
	}
	// The end of the goroutine, as by t.FailNow, does not hang later calls.
	g := nx.Jit(func(x nx.Tensor) nx.Tensor {
		if calls++; calls == 3 {
			runtime.Goexit()
		}
		return nx.Add(x, 1)
	})
	done := make(chan bool)
	go func() {
		defer close(done)
		g(kit.Ones(1))
	}()
	<-done
	if got := nx.Item[float32](g(kit.Ones(1))); got != 2 {
		t.Errorf("got %v", got)
	}
}

func TestJitCapturesAreArguments(t *testing.T) {
	w := nx.New([]float32{1, 2})
	exe, err := nx.Compile(func(x nx.Tensor) nx.Tensor { return nx.Add(nx.Mul(x, w), w) }, nx.Args(kit.Ones(2)))
	if err != nil {
		t.Fatal(err)
	}
	if text := exe.Text(); strings.Count(text, "%arg") < 2 || strings.Contains(text, "dense<[") {
		t.Errorf("the captured tensor is not an argument:\n%s", text)
	}
	f := nx.Jit(func(x nx.Tensor) nx.Tensor { return nx.Add(nx.Mul(x, w), w) })
	if got := nx.Data[float32](f(kit.Ones(2))); !slices.Equal(got, []float32{2, 4}) {
		t.Errorf("got %v", got)
	}
	nx.Release(w)
	if err := kit.Caught(func() { f(kit.Ones(2)) }); err == nil ||
		!strings.Contains(err.Error(), "uses from outside, f32[2], was released at jit_test.go") {
		t.Errorf("got %v", err)
	}
}

func TestJitInsideTraces(t *testing.T) {
	traces := 0
	inner := nx.Jit(func(x nx.Tensor) nx.Tensor { traces++; return nx.Mul(x, 3) })
	outer := nx.Jit(func(x nx.Tensor) nx.Tensor {
		k := kit.Ones(2)
		captures := nx.Jit(func(y nx.Tensor) nx.Tensor { return nx.Add(x, y) })
		return nx.Add(inner(x), nx.Add(inner(k), captures(k)))
	})
	if got := nx.Data[float32](outer(nx.New([]float32{1, 2}))); !slices.Equal(got, []float32{3 + 3 + 2, 6 + 3 + 3}) {
		t.Errorf("got %v", got)
	}
}

func TestJitDonate(t *testing.T) {
	type params struct{ W, B nx.Tensor }
	step := nx.Jit(func(p params, x nx.Tensor) params { return params{nx.Add(p.W, x), p.B} }, nx.Donate(0))
	p := params{kit.Held(2), kit.Held(2)}
	q := step(p, kit.Held(2))
	if got := nx.Data[float32](q.W); !slices.Equal(got, []float32{2, 2}) {
		t.Errorf("got %v", got)
	}
	err := kit.Caught(func() { nx.Add(p.W, 1) })
	if !errors.Is(err, nx.ErrReleased) || !strings.Contains(err.Error(), "donated at jit_test.go:") {
		t.Errorf("a donated tensor: %v", err)
	}
	if err := kit.Caught(func() { step(q, q.W) }); err == nil || !strings.Contains(err.Error(), "second time") {
		t.Errorf("donated and used: %v", err)
	}
	x := kit.Held(2)
	if err := kit.Caught(func() { step(params{x, x}, x) }); err == nil {
		t.Error("donated twice")
	}
	add := nx.Jit(func(a, b nx.Tensor) nx.Tensor { return nx.Add(a, b) }, nx.Donate(1))
	a, b := nx.New([]float32{1}), nx.New([]float32{2})
	add(a, b)
	if kit.Caught(func() { nx.Data[float32](b) }) == nil || kit.Caught(func() { nx.Data[float32](a) }) != nil {
		t.Error("the wrong argument is donated")
	}
}

func TestJitConcurrentCalls(t *testing.T) {
	var traces atomic.Int32
	f := nx.Jit(func(p map[string]nx.Tensor, x nx.Tensor) nx.Tensor {
		traces.Add(1)
		return nx.Add(nx.Mul(p["w"], x), 1)
	})
	g := nx.Jit(func(x nx.Tensor) nx.Tensor { return nx.Sum(nx.Exp(x)) })
	var wg sync.WaitGroup
	for worker := range 8 {
		wg.Add(1)
		go func() {
			defer wg.Done()
			for i := range 20 {
				n := i%3 + 1
				p := map[string]nx.Tensor{"w": nx.Full(nx.Shape{n}, worker, nx.F32)}
				if got := nx.Data[float32](f(p, kit.Ones(n))); got[n-1] != float32(worker)+1 {
					t.Errorf("got %v", got)
				}
				x := nx.Add(kit.Ones(n), 1)
				g(x)
				nx.Release(x)
			}
		}()
	}
	wg.Wait()
	if traces.Load() != 3 {
		t.Errorf("traced %d times", traces.Load())
	}
}

func TestConcurrentReleaseIsSafe(t *testing.T) {
	for range 50 {
		x := nx.Add(kit.Ones(64, 64), 1)
		var wg sync.WaitGroup
		for range 3 {
			wg.Add(1)
			go func() {
				defer wg.Done()
				kit.Caught(func() { nx.Sum(nx.Add(x, x)) }) // done, or an error
			}()
		}
		nx.Release(x)
		nx.Release(x)
		wg.Wait()
	}
}

type boundModel struct{ W nx.Tensor }

func (m boundModel) Forward(x nx.Tensor) nx.Tensor { return nx.Mul(m.W, x) }

func (m *boundModel) Pointer(x nx.Tensor) nx.Tensor { return nx.Mul(m.W, x) }

func TestJitRefusesBoundMethods(t *testing.T) {
	m := boundModel{kit.Ones(2)}
	if err := kit.Caught(func() { nx.Jit(m.Forward) }); err == nil ||
		!strings.Contains(err.Error(), "nx.Jit(jit_test.boundModel.Forward)") {
		t.Errorf("got %v", err)
	}
	if err := kit.Caught(func() { nx.Jit(m.Pointer) }); err == nil ||
		!strings.Contains(err.Error(), "nx.Jit(jit_test.(*boundModel).Pointer)") {
		t.Errorf("got %v", err)
	}
	f := nx.Jit(boundModel.Forward)
	f(m, kit.Ones(2))
	m.W = nx.Add(m.W, 1)
	if got := nx.Data[float32](f(m, kit.Ones(2))); !slices.Equal(got, []float32{2, 2}) {
		t.Errorf("got %v", got)
	}
}

func topLevelFunction(x nx.Tensor) nx.Tensor { topLevelTraces++; return nx.Add(x, 1) }

var topLevelTraces int

func TestJitOfAFunctionIsMadeOnce(t *testing.T) {
	for range 20 {
		nx.Jit(topLevelFunction)(kit.Ones(5))
	}
	if topLevelTraces != 1 {
		t.Errorf("traced %d times", topLevelTraces)
	}
}

func TestJitCacheIsBounded(t *testing.T) {
	traces := 0
	f := nx.Jit(func(x nx.Tensor, i int) nx.Tensor { traces++; return x })
	warnings(t, func() {
		x := kit.Ones(1)
		for i := range 300 {
			f(x, i)
			f(x, 0) // the most used one stays
		}
		if traces != 300 {
			t.Errorf("traced %d times", traces)
		}
		f(x, 1) // the oldest was dropped
		if traces != 301 {
			t.Errorf("traced %d times", traces)
		}
	})
}

func TestJitTypes(t *testing.T) {
	for name, f := range map[string]func(){
		"a number":   func() { nx.Jit(3) },
		"nil":        func() { nx.Jit((func(nx.Tensor) nx.Tensor)(nil)) },
		"variadic":   func() { nx.Jit(func(...nx.Tensor) nx.Tensor { return nx.Tensor{} }) },
		"donating 1": func() { nx.Jit(func(nx.Tensor) nx.Tensor { return nx.Tensor{} }, nx.Donate(1)) },
	} {
		if err := kit.Caught(f); !errors.Is(err, nx.ErrArgument) {
			t.Errorf("%s: %v", name, err)
		}
	}
	three := nx.Jit(func(a, b, c nx.Tensor) nx.Tensor { return nx.Add(a, nx.Mul(b, c)) })
	if got := nx.Item[int](three(kit.Ones(1), kit.Ones(1), kit.Ones(1))); got != 2 {
		t.Errorf("got %d", got)
	}
	none := nx.Jit(func() (a, b nx.Tensor) { return nx.Iota(nx.Shape{2}, nx.S32), nx.Tensor{} })
	if a, b := none(); !slices.Equal(nx.Data[int32](a), []int32{0, 1}) || !b.IsZero() {
		t.Errorf("got %v, %v", a, b)
	}
	same := nx.Jit(func(a nx.Tensor) (x, y nx.Tensor, n int) { return a, a, 3 })
	if x, y, n := same(kit.Ones(2)); !reflect.DeepEqual(nx.Bytes(x), nx.Bytes(y)) || n != 3 {
		t.Errorf("got %v, %v, %d", x, y, n)
	}
}

// TestStepAllocatesTheSame: what a call of a compiled step allocates depends on
// only the number of its tensors, not on their sizes or on what it computes; but
// that a product of matrices takes a few hundred bytes to share its work.
func TestStepAllocatesTheSame(t *testing.T) {
	type params struct{ W, B nx.Tensor }
	mul, dot := nx.Mul[nx.Tensor, nx.Tensor], nx.Dot
	bytes := func(product func(a, b nx.Tensor) nx.Tensor, layers, size int) int {
		step := nx.Jit(func(p params, x nx.Tensor) (params, nx.Tensor) {
			l, g := nx.ValueAndGrad(func(p params) nx.Tensor {
				for range layers {
					x = nx.Softmax(nx.Add(product(x, p.W), p.B))
				}
				return nx.Mean(nx.Square(x))
			})(p)
			return tree.Map2(func(w, g nx.Tensor) nx.Tensor { return nx.Sub(w, nx.Mul(0.1, g)) }, p, g), l
		}, nx.Donate(0))
		p, x := params{kit.Held(size, size), kit.Held(size)}, kit.Held(size, size)
		call := func() { p, _ = step(p, x) }
		call()
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		for range 20 {
			call()
		}
		runtime.ReadMemStats(&after)
		return int(after.TotalAlloc-before.TotalAlloc) / 20
	}
	few := bytes(mul, 1, 40)
	if many := bytes(mul, 10, 80); many > few+8<<10 {
		t.Errorf("a large step allocates %d bytes, a small one %d", many, few)
	}
	const products = 3 * 10 // and of the gradients
	const each = 1 << 10
	if many := bytes(dot, 10, 80); many > few+8<<10+products*each {
		t.Errorf("a step with %d products allocates %d bytes", products, many)
	}
}

// TestSignatures: a function keeps the code for as many signatures as it is told, those
// used last.
func TestSignatures(t *testing.T) {
	traces := 0
	f := nx.Jit(func(x nx.Tensor) nx.Tensor { traces++; return nx.Add(x, 1) }, nx.Signatures(2))
	for _, n := range []int{1, 2, 1, 3, 1, 2} { // the second 2 has lost its place to 3
		f(nx.Zeros(nx.Shape{n}, nx.F32))
	}
	if traces != 4 {
		t.Errorf("traced %d times, want 4", traces)
	}
}
