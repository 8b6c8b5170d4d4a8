package nxtest_test

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/go-nx/nx"
	"github.com/go-nx/nx/nxtest"
)

// said is a test that records its messages.
type said struct{ strings.Builder }

func (s *said) Helper()                           {}
func (s *said) Errorf(format string, args ...any) { fmt.Fprintf(s, format, args...) }

func ExampleAssertEqual() {
	var t said
	nxtest.AssertEqual(&t, nx.New([][]int32{{1, 2}, {3, 5}}), nx.New([][]int32{{1, 2}, {3, 4}}))
	fmt.Println(t.String())
	// Output:
	// 1 of 4 elements of s32[2][2] are not equal, the largest difference is 1
	//   at [1 1] got 5, want 4
}

func ExampleAssertAllClose() {
	var t said
	ok := nxtest.AssertAllClose(&t, nx.New([]float32{1, 2.001}), nx.New([]float32{1, 2}), nx.Tolerance(0, 0.01))
	fmt.Println(ok, t.String())
	// Output:
	// true
}

func TestAssertions(t *testing.T) {
	nan := nx.New([]float64{1, math.NaN()})
	named := nx.New([]float64{1, 2}, nx.Names("x"))
	plain := nx.New([]float64{1, 2})
	for _, c := range []struct {
		name      string
		got, want nx.Tensor
		close     bool
		text      string
	}{
		{"equal", plain, plain, false, ""},
		{"NaN", nan, nan, false, ""},
		{"NaN is not close", nan, nan, true, "at [1] got NaN, want NaN"},
		{"names", named, plain, false, "the tensor is f64[x: 2], want f64[2]"},
		{"types", nx.Cast(plain, nx.F32), plain, true, "the tensor is f32[2], want f64[2]"},
		{"absent", nx.Tensor{}, plain, false, "got no tensor, want f64[2]"},
		{"both absent", nx.Tensor{}, nx.Tensor{}, true, ""},
		{"many", nx.Zeros(nx.Shape{4, 5}, nx.S8), nx.Ones(nx.Shape{4, 5}, nx.S8), false,
			"20 of 20 elements of s8[4][5] are not equal, the largest difference is 1\n  at [0 0] got 0, want 1"},
		{"and more", nx.Zeros(nx.Shape{4, 5}, nx.S8), nx.Ones(nx.Shape{4, 5}, nx.S8), true, "and 10 more"},
		{"vectorised", nx.Vectorize(plain, "x"), nx.Vectorize(nx.New([]float64{1, 3}), "x"), true,
			"at [1] got 2.0, want 3.0"},
	} {
		var s said
		ok := false
		if c.close {
			ok = nxtest.AssertAllClose(&s, c.got, c.want)
		} else {
			ok = nxtest.AssertEqual(&s, c.got, c.want)
		}
		if ok != (c.text == "") || !strings.Contains(s.String(), c.text) {
			t.Errorf("%s: %v %q, want %q", c.name, ok, s.String(), c.text)
		}
	}
}
