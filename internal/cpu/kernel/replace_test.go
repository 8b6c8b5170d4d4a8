package kernel_test

import (
	"testing"

	"github.com/go-nx/nx/dtype"
	"github.com/go-nx/nx/internal/cpu/kernel"
)

// TestReductionsReplace: a kernel that stores an elementwise value and reduces its rows may store
// in place, unless the reduction reads the rows once more.
func TestReductionsReplace(t *testing.T) {
	load := func(b *kernel.Body, param int, typ dtype.Type, strides ...int64) kernel.Value {
		return b.Add(kernel.Instr{Op: kernel.Load, Type: typ, At: &kernel.Access{Param: param, Strides: strides}})
	}
	op := func(b *kernel.Body, op kernel.Op, typ dtype.Type, args ...kernel.Value) kernel.Value {
		in := kernel.Instr{Op: op, Type: typ, Args: [3]kernel.Value{kernel.None, kernel.None, kernel.None}}
		copy(in.Args[:], args)
		return b.Add(in)
	}
	const f32, f64 = dtype.F32, dtype.F64
	for _, c := range []struct {
		name    string
		typ     dtype.Type
		reduced func(b *kernel.Body, x kernel.Value) kernel.Value
		kind    kernel.Op // of the reduction
		can     bool
	}{
		{"the stored value", f32, func(b *kernel.Body, x kernel.Value) kernel.Value { return x + 1 }, kernel.Add, true},
		{"a function", f32, func(b *kernel.Body, x kernel.Value) kernel.Value {
			return op(b, kernel.Tanh, f32, x)
		}, kernel.Max, true},
		{"the element itself", f32, func(b *kernel.Body, x kernel.Value) kernel.Value { return x }, kernel.Add, false},
		{"the square of a difference", f32, func(b *kernel.Body, x kernel.Value) kernel.Value {
			d := op(b, kernel.Sub, f32, x, load(b, 1, f32, 0, 0))
			return op(b, kernel.Mul, f32, d, d)
		}, kernel.Add, false},
		{"the square of a difference of an element in other types", f32,
			func(b *kernel.Body, x kernel.Value) kernel.Value {
				cast := func(v kernel.Value, from, to dtype.Type) kernel.Value {
					return b.Add(kernel.Instr{Op: kernel.Bitcast, From: from, Type: to,
						Args: [3]kernel.Value{v, kernel.None, kernel.None}})
				}
				same := cast(cast(x, f32, dtype.S32), dtype.S32, f32)
				d := op(b, kernel.Sub, f32, same, load(b, 1, f32, 0, 0))
				return op(b, kernel.Mul, f32, d, d)
			}, kernel.Add, false},
		{"a reduction of another kind", f32, func(b *kernel.Body, x kernel.Value) kernel.Value { return x + 1 },
			kernel.Invalid, false},
		{"a function with a slow path", f64, func(b *kernel.Body, x kernel.Value) kernel.Value {
			return op(b, kernel.Exp, f64, x)
		}, kernel.Add, false},
	} {
		k := &kernel.Kernel{Name: c.name, Dims: []int64{4, 8}, NumReduced: 1,
			Params: []kernel.Param{{Type: c.typ, Elems: 32}, {Type: c.typ, Elems: 1}, {Type: c.typ, Elems: 32},
				{Type: c.typ, Elems: 4}}}
		x := load(&k.Body, 0, c.typ, 8, 1)
		twice := op(&k.Body, kernel.Add, c.typ, x, x)
		k.Stores = []kernel.Store{{Value: twice, Type: c.typ, At: kernel.Access{Param: 2, Strides: []int64{8, 1}}}}
		r := kernel.Reduction{Values: []kernel.Value{c.reduced(&k.Body, x)}, Types: []dtype.Type{c.typ}, Kind: c.kind,
			Inits: []kernel.Access{{Param: 1}}, At: []kernel.Access{{Param: 3, Strides: []int64{1}}}}
		var result kernel.Value
		r.Combine, result = kernel.ReduceBy(kernel.Add, c.typ)
		if c.kind != kernel.Invalid {
			r.Combine, result = kernel.ReduceBy(c.kind, c.typ)
		}
		r.Results = []kernel.Value{result}
		k.Reduces = []kernel.Reduction{r}
		if got := k.Replaces(0, 2); got != c.can {
			t.Errorf("%s: %v, want %v\n%s", c.name, got, c.can, k)
		}
		if k.Replaces(1, 2) {
			t.Errorf("%s: the initial value is replaced", c.name)
		}
	}
}
