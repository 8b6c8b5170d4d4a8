package xla_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/go-nx/nx"
	"github.com/go-nx/nx/shard"
)

// TestCheckNaN: of a program on a plugin's devices only the results can be seen; it runs again on the processor, with
// the arguments as they were, and the error says where in the program the NaN is from.
func TestCheckNaN(t *testing.T) {
	failure := func(f func()) *nx.NaNError {
		t.Helper()
		var e *nx.NaNError
		err := func() (err error) {
			defer nx.Catch(&err)
			f()
			return nil
		}()
		if !errors.As(err, &e) {
			t.Fatalf("the error is %v", err)
		}
		if !strings.HasPrefix(e.Line, "nan_test.go:") {
			t.Errorf("the line is %s", e.Line)
		}
		return e
	}
	c := open(t, "new")
	step := nx.Jit(func(w, x nx.Tensor) (nx.Tensor, nx.Tensor) {
		v, g := nx.ValueAndGrad(func(w nx.Tensor) nx.Tensor {
			c, _ := nx.Scan(w, x, func(c, x nx.Tensor) (nx.Tensor, nx.Tensor) { return nx.Sqrt(nx.Sub(c, x)), c })
			return c
		})(w)
		return nx.Sub(w, g), v
	}, nx.CheckNaN, nx.Donate(0), nx.On(c))
	d := c.Devices()[0]
	w, x := put(t, nx.New(float32(3)), d), put(t, nx.New([]float32{1, 1, 1}), d)
	e := failure(func() { step(w, x) })
	if e.Op != "sqrt" || len(e.Loops) != 1 || e.Loops[0].Iteration != 2 || e.Reverse {
		t.Errorf("%+v", e)
	}
	if got := nx.Item[float32](w); got != 3 {
		t.Errorf("after the error the donated tensor is %v", got)
	}
	step(w, put(t, nx.New([]float32{0, 0, 0}), d))
	err := func() (err error) { defer nx.Catch(&err); nx.Item[float32](w); return nil }()
	if !errors.Is(err, nx.ErrReleased) {
		t.Errorf("after the call the tensor is valid: %v", err)
	}

	four, mesh := open(t, "four"), shard.Mesh{{Name: "x", Size: 4}}
	each := func(x nx.Tensor) nx.Tensor { return shard.AllReduce(nx.Log(x), "x") }
	parts := []shard.Sharding{{"x"}}
	y := put(t, nx.New([]float32{1, -2, 3, 4}), four.Devices()[0])
	e = failure(func() { nx.Jit(shard.Map(each, mesh, parts, []shard.Sharding{{}}), nx.CheckNaN, nx.On(four))(y) })
	if e.Op != "log" || e.Device != 1 {
		t.Errorf("%+v", e)
	}
	e = failure(func() {
		shard.Jit(func(x nx.Tensor) nx.Tensor { return nx.Log(x) }, mesh, parts, parts, nx.CheckNaN, nx.On(four))(y)
	})
	if e.Op != "log" || e.Device != -1 || e.Index[0] != 1 {
		t.Errorf("%+v", e)
	}
}
