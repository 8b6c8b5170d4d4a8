package gonum_test

import (
	"errors"
	"fmt"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/go-nx/nx"
	"github.com/go-nx/nx/interop/gonum"
)

func ExampleTensor() {
	m := mat.NewDense(2, 2, []float64{1, 2, 3, 4})
	fmt.Println(nx.Sum(gonum.Tensor(m.T()), nx.Axis(0)))
	// Output:
	// f64[2]
	// [3.0, 7.0]
}

func ExampleDense() {
	m, err := gonum.Dense(nx.New([][]float32{{4, 0}, {0, 2}}))
	fmt.Printf("%.3f %v\n", mat.Det(m), err)
	// Output:
	// 8.000 <nil>
}

func TestMatrices(t *testing.T) {
	x := nx.New([][]float64{{1, 2, 3}, {4, 5, 6}})
	m, err := gonum.Dense(x)
	if err != nil {
		t.Fatal(err)
	}
	for what, m := range map[string]struct {
		got  mat.Matrix
		want nx.Tensor
	}{
		"dense": {m, x}, "transposed": {m.T(), nx.Transpose(x)},
		"part":      {m.Slice(0, 2, 1, 3), x.At(nx.Whole, nx.From(1))},
		"symmetric": {mat.NewSymDense(2, []float64{1, 2, 2, 3}), nx.New([][]float64{{1, 2}, {2, 3}})},
		"diagonal":  {mat.NewDiagDense(2, []float64{1, 2}), nx.New([][]float64{{1, 0}, {0, 2}})},
		"vector":    {mat.NewVecDense(2, []float64{1, 2}), nx.New([][]float64{{1}, {2}})},
	} {
		if got := gonum.Tensor(m.got); !nx.ArrayEqual(got, m.want) {
			t.Errorf("%s: %v, want %v", what, got, m.want)
		}
	}
	m.Set(0, 0, 100)
	if nx.Item[float64](x.At(0, 0)) != 1 {
		t.Error("the tensor shares the matrix")
	}
	v, err := gonum.Vector(nx.New([]int{1, 2}))
	if err != nil || !nx.ArrayEqual(gonum.VectorTensor(v), nx.New([]float64{1, 2})) {
		t.Error(v, err)
	}
	c, err := gonum.ComplexDense(nx.New([][]complex64{{1, 2i}}))
	if err != nil || !nx.ArrayEqual(gonum.ComplexTensor(c), nx.New([][]complex128{{1, 2i}})) ||
		!nx.ArrayEqual(gonum.ComplexTensor(c.H()), nx.New([][]complex128{{1}, {-2i}})) {
		t.Error(c, err)
	}
}

func TestErrors(t *testing.T) {
	dense := func(x nx.Tensor) error { _, err := gonum.Dense(x); return err }
	vector := func(x nx.Tensor) error { _, err := gonum.Vector(x); return err }
	complexDense := func(x nx.Tensor) error { _, err := gonum.ComplexDense(x); return err }
	vec, cplx := nx.New([]float64{1}), nx.New([][]complex64{{1}})
	for i, c := range []struct{ got, want error }{
		{dense(vec), nx.ErrShape}, {dense(cplx), nx.ErrDType}, {dense(nx.Tensor{}), nx.ErrAbsent},
		{dense(nx.Zeros(nx.Shape{0, 2}, nx.F64)), nx.ErrShape}, {vector(nx.New([][]int{{1}})), nx.ErrShape},
		{complexDense(vec), nx.ErrShape},
	} {
		if !errors.Is(c.got, c.want) {
			t.Errorf("case %d: %v, want %v", i, c.got, c.want)
		}
	}
}
