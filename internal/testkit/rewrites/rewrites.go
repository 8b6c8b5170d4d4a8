// Package rewrites tests rewrites of programs: texts before and after, and the bits that both compute on the
// interpreter.
package rewrites

import (
	"bytes"
	"context"
	"fmt"
	"math"
	"testing"

	"github.com/go-nx/nx/dtype"
	"github.com/go-nx/nx/internal/testkit"
	"github.com/go-nx/nx/stablehlo"
	"github.com/go-nx/nx/stablehlo/interp"
)

// Golden checks the text of @main after transform in each case of a file, and that both programs compute the same bits
// on special values; or the same sums up to rounding, if transform reports that it has changed the order of some.
func Golden(t *testing.T, file string,
	transform func(t *testing.T, name string, f stablehlo.Func) (sums bool)) {
	testkit.Golden(t, file, func(t *testing.T, name, in string) string {
		before := Parse(t, in)
		m := before.Clone()
		f, _ := m.Func("main")
		sums := transform(t, name, f)
		if err := m.Verify(); err != nil {
			t.Fatalf("%v\n%s", err, m)
		}
		if sums {
			sameSums(t, before, m)
		} else {
			sameBits(t, before, m)
		}
		return f.String() + "\n"
	})
}

// sameBits runs two programs on special values.
func sameBits(t *testing.T, before, after *stablehlo.Module) {
	t.Helper()
	f, _ := before.Func("main")
	for round := range len(specials) {
		args := specialArgs(f, round)
		want, got := Call(t, before, args), Call(t, after, args)
		for i := range want {
			if why := Differs(want[i], got[i]); why != "" {
				t.Fatalf("round %d: result %d: %s", round, i, why)
			}
		}
		if len(args) == 0 {
			return
		}
	}
}

// sameSums runs two programs that add f32 in different orders on special values. The difference is
// at most the effect of rounding each of the terms, NaN is NaN and an infinity is one, except where
// only finite terms overflow.
func sameSums(t *testing.T, before, after *stablehlo.Module) {
	t.Helper()
	const terms = 64 // more than the cases add
	f, _ := before.Func("main")
	for round := range len(specials) {
		args := specialArgs(f, round)
		want, got := Call(t, before, args), Call(t, after, args)
		for _, a := range args { // the sums of the magnitudes of finite elements bound all others
			x := a.(*interp.Tensor)
			for i := range len(x.Data) / 4 {
				v := math.Abs(dtype.F32.LoadFloat(x.Data, i))
				if !(v <= math.MaxFloat32) {
					v = 0
				}
				dtype.F32.StoreFloat(x.Data, i, v)
			}
		}
		most := Call(t, before, args)
		for i := range want {
			for j := range len(want[i].Data) / 4 {
				v, w := dtype.F32.LoadFloat(want[i].Data, j), dtype.F32.LoadFloat(got[i].Data, j)
				m := dtype.F32.LoadFloat(most[i].Data, j)
				if v == w || math.IsNaN(v) && math.IsNaN(w) || math.IsInf(m, 0) ||
					math.Abs(v-w) <= 2*terms*0x1p-24*m+0x1p-140 {
					continue
				}
				t.Fatalf("round %d: result %d: element %d is %v, want %v", round, i, j, w, v)
			}
		}
	}
}

// Parse parses and verifies a program.
func Parse(t *testing.T, text string) *stablehlo.Module {
	t.Helper()
	m, err := stablehlo.Parse("test", []byte(text))
	if err == nil {
		err = m.Verify()
	}
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	return m
}

// Call runs @main on the interpreter.
func Call(t *testing.T, m *stablehlo.Module, args []interp.Value) []*interp.Tensor {
	t.Helper()
	it, err := interp.New(m)
	if err != nil {
		t.Fatal(err)
	}
	values, err := it.Call(context.Background(), "main", args...)
	if err != nil {
		t.Fatal(err)
	}
	out := make([]*interp.Tensor, len(values))
	for i, v := range values {
		out[i] = v.(*interp.Tensor)
	}
	return out
}

// specials are the elements that rules are prone to get wrong.
var specials = []float64{0, math.Copysign(0, -1), 1, -1, math.Inf(1), math.Inf(-1), math.NaN(), 0x1p-140, -0x1p-1070,
	math.MaxFloat32, -math.MaxFloat64, 0.5, 2, 3.7, -2.5, 0x1p-30}

// specialArgs returns arguments of special elements, so that over the rounds two arguments have all
// pairs of them.
func specialArgs(f stablehlo.Func, round int) []interp.Value {
	var args []interp.Value
	for i, a := range f.Args() {
		t := a.Tensor()
		n, _ := t.NumElems()
		d := t.DType()
		data := make([]byte, int(n)*d.Size())
		for j := range int(n) {
			special := func(k int) float64 { return specials[(j+round*i+k)%len(specials)] }
			switch {
			case d.IsComplex():
				d.StoreComplex(data, j, complex(special(round), special(0)))
			case d.IsFloat():
				d.StoreFloat(data, j, special(0))
			default:
				v := int64(-1) << ((j + round*i) * 4) // 0, -1, and the limits of all widths
				if (j+round*i)%3 == 0 {
					v = ^v
				}
				d.StoreInt(data, j, v)
			}
		}
		v, err := interp.NewTensor(t, data)
		if err != nil {
			panic(err)
		}
		args = append(args, v)
	}
	return args
}

// Differs describes where two results are not the same bits; all NaNs are the same.
func Differs(want, got *interp.Tensor) string {
	d := want.Type.DType()
	if bytes.Equal(want.Data, got.Data) {
		return ""
	}
	if d.IsComplex() {
		d = d.Real()
	}
	for i := range len(want.Data) / d.Size() {
		if d.LoadBits(want.Data, i) == d.LoadBits(got.Data, i) || d.IsFloat() && isNaN(d, want.Data, i) &&
			isNaN(d, got.Data, i) {
			continue
		}
		return fmt.Sprintf("element %d has the bits %#x, want %#x",
			i, d.LoadBits(got.Data, i), d.LoadBits(want.Data, i))
	}
	return ""
}

func isNaN(d dtype.Type, data []byte, i int) bool { return math.IsNaN(d.LoadFloat(data, i)) }

// Evaluate runs a function of constants on the interpreter.
func Evaluate(f stablehlo.Func) ([][]byte, error) {
	it, err := interp.New(&stablehlo.Module{Op: f.Parent()})
	if err != nil {
		return nil, err
	}
	values, err := it.Call(context.Background(), f.Name())
	if err != nil {
		return nil, err
	}
	out := make([][]byte, len(values))
	for i, v := range values {
		out[i] = v.(*interp.Tensor).Data
	}
	return out, nil
}
