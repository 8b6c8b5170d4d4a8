package onnx_test

import (
	"context"
	"fmt"
	"runtime"
	"slices"
	"sync"
	"testing"

	"github.com/go-nx/nx/internal/core"
	"github.com/go-nx/nx/internal/onnx"
)

var background = context.Background()

func vector(v ...float32) onnx.Value { return onnx.TensorValue(core.FromSlice(v, core.Shape{len(v)})) }

func scalar(v int64) onnx.Value { return onnx.TensorValue(core.FromSlice([]int64{v}, core.Shape{})) }

func boolean(v bool) onnx.Value { return onnx.TensorValue(core.FromSlice([]bool{v}, core.Shape{})) }

// call runs a model and returns its first result.
func call(t *testing.T, p *onnx.Program, ins ...onnx.Value) []float32 {
	t.Helper()
	outs, err := p.RunValues(background, ins, nil)
	if err != nil {
		t.Fatal(err)
	}
	return core.Data[float32](outs[0].Tensor())
}

func mustOpen(t *testing.T, b []byte) *onnx.Program {
	t.Helper()
	p, err := open(t, b)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// positive is a model of the elements above 0, squared: the shape in its middle depends on values.
func positive() []byte {
	return model(17, graph(input("x", 1, -1), message(5, floats("zero", nil, 0)),
		node("Greater", []string{"x", "zero"}, []string{"m"}),
		node("NonZero", []string{"m"}, []string{"i2"}),
		node("Transpose", []string{"i2"}, []string{"i"}),
		node("GatherND", []string{"x", "i"}, []string{"z"}),
		node("Mul", []string{"z", "z"}, []string{"y"}),
		output("y", 1, -1)))
}

// TestShapeOfValues runs a program that is cut where a shape depends on values.
func TestShapeOfValues(t *testing.T) {
	p := mustOpen(t, positive())
	for _, c := range []struct{ in, want []float32 }{
		{[]float32{1, -2, 3}, []float32{1, 9}},
		{[]float32{-1, -2, -3}, []float32{}},
		{[]float32{4, 5, 6}, []float32{16, 25, 36}},
		{[]float32{-1, 2}, []float32{4}},
		{[]float32{1, -2, 3}, []float32{1, 9}},
	} {
		if got := call(t, p, vector(c.in...)); !slices.Equal(got, c.want) {
			t.Errorf("of %v: got %v, want %v", c.in, got, c.want)
		}
	}
}

// TestShapeOfValuesInFunctions: a function that is compiled cannot have such a program; its error says what to do.
func TestShapeOfValuesInFunctions(t *testing.T) {
	p := mustOpen(t, positive())
	f := core.Jit(func(x core.Tensor) (core.Tensor, error) {
		outs, err := p.RunValues(background, []onnx.Value{onnx.TensorValue(x)}, nil)
		if err != nil {
			return x, err
		}
		return outs[0].Tensor(), nil
	})
	_, err := f(core.Ones(core.Shape{3}, core.F32))
	if err == nil {
		t.Fatal("no error")
	}
	t.Log(err)
}

// TestSizeInput runs a model with an input that decides a shape: each value is a program.
func TestSizeInput(t *testing.T) {
	p := mustOpen(t, model(17, graph(input("x", 1, -1), input("n", 7),
		message(5, ints("axis", []int64{1}, 0)), message(5, ints("first", []int64{1}, 0)),
		node("Unsqueeze", []string{"n", "axis"}, []string{"end"}),
		node("Slice", []string{"x", "first", "end"}, []string{"y"}),
		output("y", 1, -1))))
	for _, n := range []int64{2, 0, 3, 2} {
		if got := call(t, p, vector(1, 2, 3), scalar(n)); len(got) != int(n) {
			t.Errorf("%d elements: got %v", n, got)
		}
	}
}

// loopBody has the iteration number, a condition, a state, and gives the state plus 1 while below a limit.
func loopBody(limit float32) []byte {
	return graph(input("i", 7), input("go", 9), input("s", 1, 1),
		message(5, floats("one", nil, 1)), message(5, floats("limit", nil, limit)),
		message(5, ints("none", []int64{0})),
		node("Add", []string{"s", "one"}, []string{"next"}),
		node("Less", []string{"next", "limit"}, []string{"below1"}),
		node("Reshape", []string{"below1", "none"}, []string{"below"}),
		node("Identity", []string{"next"}, []string{"shown"}),
		output("below", 9), output("next", 1, 1), output("shown", 1, 1))
}

// TestLoopOfValues runs a loop whose number of iterations, and so the shape of a result, depends on values.
func TestLoopOfValues(t *testing.T) {
	p := mustOpen(t, model(17, graph(input("x", 1, 1), input("go", 9),
		node("Loop", []string{"", "go", "x"}, []string{"last", "all"}, attrGraph("body", loopBody(5))),
		output("all", 1, -1, 1), output("last", 1, 1))))
	for _, c := range []struct {
		in   float32
		want []float32
	}{{1, []float32{2, 3, 4, 5}}, {3.5, []float32{4.5, 5.5}}, {9, []float32{10}}} {
		if got := call(t, p, vector(c.in), boolean(true)); !slices.Equal(got, c.want) {
			t.Errorf("from %v: got %v, want %v", c.in, got, c.want)
		}
	}
}

// TestBranches runs If on a condition that the program computes, with branches of one type and of two.
func TestBranches(t *testing.T) {
	branch := func(out string, nodes ...[]byte) []byte { return graph(append(nodes, output(out, 1, -1))...) }
	for _, other := range []string{"Relu", "Concat"} {
		then := branch("a", node("Neg", []string{"x"}, []string{"a"}))
		otherwise := branch("b", node("Relu", []string{"x"}, []string{"b"}))
		if other == "Concat" {
			otherwise = branch("b", node("Concat", []string{"x", "x"}, []string{"b"}, attrInt("axis", 0)))
		}
		p := mustOpen(t, model(17, graph(input("x", 1, -1), message(5, floats("zero", nil, 0)),
			node("ReduceSum", []string{"x"}, []string{"sum"}, attrInt("keepdims", 0)),
			node("Less", []string{"sum", "zero"}, []string{"c"}),
			node("If", []string{"c"}, []string{"y"}, attrGraph("then_branch", then), attrGraph("else_branch",
				otherwise)),
			output("y", 1, -1))))
		want := []float32{1, 2}
		if other == "Concat" {
			want = []float32{1, 2, 1, 2}
		}
		if got := call(t, p, vector(-1, -2)); !slices.Equal(got, []float32{1, 2}) {
			t.Errorf("%s, then: got %v", other, got)
		}
		if got := call(t, p, vector(1, 2)); !slices.Equal(got, want) {
			t.Errorf("%s, else: got %v", other, got)
		}
	}
}

// TestConcurrent calls one model from many goroutines with inputs of several shapes, cut and not.
func TestConcurrent(t *testing.T) {
	p := mustOpen(t, positive())
	var wait sync.WaitGroup
	errs := make(chan error, 64)
	for g := range 64 {
		wait.Add(1)
		go func() {
			defer wait.Done()
			n := 1 + g%5
			in, want := make([]float32, n), []float32{}
			for i := range in {
				in[i] = float32((g+i)%4 - 1)
				if in[i] > 0 {
					want = append(want, in[i]*in[i])
				}
			}
			for range 5 {
				outs, err := p.RunValues(background, []onnx.Value{vector(in...)}, nil)
				if err != nil {
					errs <- err
					return
				}
				if got := core.Data[float32](outs[0].Tensor()); !slices.Equal(got, want) {
					errs <- fmt.Errorf("of %v: got %v, want %v", in, got, want)
					return
				}
			}
		}()
	}
	wait.Wait()
	close(errs)
	for err := range errs {
		t.Error(err)
	}
}

// TestMemoryOfLoads opens and runs a model many times: the heap does not grow.
func TestMemoryOfLoads(t *testing.T) {
	path := save(t, small())
	use := func(n int) uint64 {
		for range n {
			p, err := onnx.Open(path)
			if err != nil {
				t.Fatal(err)
			}
			ins := []onnx.Value{onnx.TensorValue(core.Ones(core.Shape{3, 2}, core.F32)), boolean(true)}
			if _, err := p.RunValues(background, ins, nil); err != nil {
				t.Fatal(err)
			}
		}
		runtime.GC()
		runtime.GC()
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		return m.HeapAlloc
	}
	loads := 1000
	if testing.Short() {
		loads = 50
	}
	before := use(20)
	after := use(loads)
	t.Logf("heap after 20 loads %d kB, after %d more %d kB", before>>10, loads, after>>10)
	if after > before+4<<20 {
		t.Errorf("the heap grew from %d kB to %d kB", before>>10, after>>10)
	}
}
