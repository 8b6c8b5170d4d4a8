package nx_test

import (
	"math"

	"github.com/go-nx/nx"
	"github.com/go-nx/nx/dtype"
)

// scalarOf returns a constant; the type is that of the first argument, f32 without one.
func scalarOf(c *recorded, def nx.DType, value func(d nx.DType) float64) nx.Tensor {
	d := def
	if len(c.Args) > 0 {
		d = dtypeOf(c.Args[0])
	}
	return nx.Full(nx.Shape{}, value(d), d)
}

func wantFloat(d nx.DType) {
	if !d.IsFloat() {
		refuse("%s has no such number", d)
	}
}

// Limits of a type, as numbers that Full takes: those of s64 and u64 are not floats.
func limit(c *recorded, float func(d nx.DType) float64, low bool) nx.Tensor {
	d := dtypeOf(c.Args[0])
	switch {
	case d.IsFloat():
		return nx.Full(nx.Shape{}, float(d), d)
	case d.IsInteger() && low:
		return nx.Full(nx.Shape{}, d.MinInt(), d)
	case d.IsInteger():
		return nx.Full(nx.Shape{}, d.MaxInt(), d)
	}
	refuse("%s has no limits", d)
	return nx.Tensor{}
}

func infinity(sign int) func(d nx.DType) float64 {
	return func(d nx.DType) float64 {
		if d.IsFloat() && !d.HasInf() {
			if sign > 0 {
				return d.MaxFinite()
			}
			return d.MinFinite()
		}
		return math.Inf(sign)
	}
}

func constant(v float64) func(c *recorded) any {
	return func(c *recorded) any {
		return scalarOf(c, nx.F32, func(d nx.DType) float64 { wantFloat(d); return v })
	}
}

// binaryOf returns the bytes of a scalar as Nx packs them.
func binaryOf(t nx.Tensor) any {
	d := t.DType()
	data := nx.Bytes(t)
	if d.Bits() < 8 {
		return bits{[]byte{data[0] << (8 - d.Bits())}, d.Bits()}
	}
	return string(data)
}

var nxTypes = func() map[string]func(c *recorded) any {
	constants := map[string]func(c *recorded) any{
		"pi": constant(math.Pi), "e": constant(math.E), "euler_gamma": constant(nx.EulerGamma),
		"nan": constant(math.Float64frombits(0x7ff8 << 48)), // the NaN of processors; Go's has other bits
		"infinity": func(c *recorded) any {
			return scalarOf(c, nx.F32, func(d nx.DType) float64 { wantFloat(d); return infinity(1)(d) })
		},
		"neg_infinity": func(c *recorded) any {
			return scalarOf(c, nx.F32, func(d nx.DType) float64 { wantFloat(d); return infinity(-1)(d) })
		},
		"epsilon": func(c *recorded) any {
			return scalarOf(c, nx.F32, func(d nx.DType) float64 { wantFloat(d); return d.Epsilon() })
		},
		"smallest_positive_normal": func(c *recorded) any {
			return scalarOf(c, nx.F32, func(d nx.DType) float64 { wantFloat(d); return d.SmallestNormal() })
		},
		"max":        func(c *recorded) any { return limit(c, infinity(1), false) },
		"min":        func(c *recorded) any { return limit(c, infinity(-1), true) },
		"max_finite": func(c *recorded) any { return limit(c, nx.DType.MaxFinite, false) },
		"min_finite": func(c *recorded) any { return limit(c, nx.DType.MinFinite, true) },
		"i": func(c *recorded) any {
			d := nx.C64
			if len(c.Args) > 0 {
				d = dtypeOf(c.Args[0])
			}
			return nx.Full(nx.Shape{}, 1i, d)
		},
	}
	out := map[string]func(c *recorded) any{}
	for name, f := range constants {
		out["Constants."+name] = f
		if name != "i" {
			out["Type."+name+"_binary"] = func(c *recorded) any { return binaryOf(f(c).(nx.Tensor)) }
		}
	}
	for name, f := range map[string]func(d nx.DType) nx.DType{
		"to_floating": func(d nx.DType) nx.DType { return nx.Exp(nx.Zeros(nx.Shape{}, d)).DType() },
		"to_complex": func(d nx.DType) nx.DType {
			if d.IsComplex() {
				return d
			}
			return nx.Complex(nx.Zeros(nx.Shape{}, d), 0).DType()
		},
		"to_real":      nx.DType.Real,
		"to_aggregate": func(d nx.DType) nx.DType { return nx.Sum(nx.Zeros(nx.Shape{}, d)).DType() },
	} {
		out["Type."+name] = func(c *recorded) any {
			d := dtypeOf(c.Args[0])
			if name == "to_complex" || name == "to_real" { // integers become f32, c64
				d = nx.Exp(nx.Zeros(nx.Shape{}, d)).DType()
			}
			return f(d)
		}
	}
	for name, f := range map[string]func(d nx.DType) bool{
		"integer?": nx.DType.IsInteger, "complex?": nx.DType.IsComplex,
		"float?":          func(d nx.DType) bool { return d.IsFloat() || d.IsComplex() },
		"infinite_float?": func(d nx.DType) bool { return numberKind(d) > 0 && d.Real().HasInf() },
	} {
		out["Type."+name] = func(c *recorded) any { return f(dtypeOf(c.Args[0])) }
	}
	out["Type.merge"] = func(c *recorded) any { return dtype.Promote(dtypeOf(c.Args[0]), dtypeOf(c.Args[1])) }
	out["Type.merge_number"] = func(c *recorded) any {
		x := c.Args[1]
		switch x.(type) { // with a float only the kind counts
		case float64:
			x = 0.5
		case int64:
			if !dtypeOf(c.Args[0]).IsInteger() {
				x = int64(1)
			}
		}
		return nx.Add(widened(nx.Zeros(nx.Shape{}, dtypeOf(c.Args[0])), x), toTensor(x)).DType()
	}
	out["Type.cast_number!"] = func(c *recorded) any {
		d := dtypeOf(c.Args[0])
		kind := map[bool]int{true: 2}[d.IsComplex()] + map[bool]int{true: 1}[d.IsFloat()]
		switch v := c.Args[1].(type) {
		case int64:
			switch kind {
			case 2:
				return complex(float64(v), 0)
			case 1:
				return float64(v)
			case 0:
				if d.IsUnsigned() && v < 0 {
					refuse("a negative number is not a %s", d)
				}
			}
			return v
		case float64:
			switch kind {
			case 2:
				return complex(v, 0)
			case 0:
				refuse("a float is not a %s", d)
			}
			return v
		}
		return c.Args[1]
	}
	out["Type.normalize!"] = func(c *recorded) any { return dtypeOf(c.Args[0]) }
	out["Type.to_string"] = func(c *recorded) any { return typeName(dtypeOf(c.Args[0])) }
	out["Type.infer"] = func(c *recorded) any { return toTensor(c.Args[0]).DType() }
	return out
}()

// widened returns t in the type that Nx widens it to for a number that it cannot hold: here such a Go number
// is an error, so the tensor is cast before.
func widened(t nx.Tensor, number any) nx.Tensor {
	n, ok := number.(int64)
	d := t.DType()
	if _, isNumber := numberOf(number); isNumber && d == nx.F8E4M3FN {
		return nx.Cast(t, nx.F32)
	}
	if !ok || !d.IsInteger() {
		return t
	}
	types := []nx.DType{nx.U2, nx.U4, nx.U8, nx.U16, nx.U32, nx.U64}
	if n < 0 || d.IsSigned() {
		types = []nx.DType{nx.S2, nx.S4, nx.S8, nx.S16, nx.S32, nx.S64}
	}
	for _, w := range types {
		holds := d.IsSigned() == w.IsSigned() && w.Bits() >= d.Bits() || w.IsSigned() && !d.IsSigned() &&
			w.Bits() >= min(2*d.Bits(), 64)
		if holds && n >= w.MinInt() && (n < 0 || uint64(n) <= w.MaxInt()) {
			return nx.Cast(t, w)
		}
	}
	return t
}
