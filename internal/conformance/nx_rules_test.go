package conformance_test

import (
	"math"
	"math/cmplx"
	"slices"
	"strings"

	"github.com/go-nx/nx"
)

// nxRule is a difference between Nx and this module that is meant. It applies by the
// kind of the difference, whatever the call: a result is brought from one side's form
// to the other's, and must be equal then; what raises in Nx may have a value here.
type nxRule struct {
	name, reason string
	maps         func(c *recorded, want, got nx.Tensor) (nx.Tensor, nx.Tensor, bool)
	other        func(c *recorded, want, got any) (any, any, bool)
	accepts      func(c *recorded, got any) bool
	tol          tolerance // beside that of the function
}

func (r nxRule) mapsTensor(c *recorded, want, got nx.Tensor) (any, any, bool) {
	if r.maps == nil || got.IsZero() {
		return nil, nil, false
	}
	w, g, ok := r.maps(c, want, got)
	return w, g, ok
}

func (r nxRule) mapsOther(c *recorded, want, got any) (any, any, bool) {
	if r.other == nil {
		return nil, nil, false
	}
	return r.other(c, want, got)
}

// nxRules are all that is meant to differ.
var nxRules = []nxRule{
	{name: "compiler",
		reason: "what Nx refuses when it runs does not compile in Go: an option or an operand of another type"},
	{name: "bool", reason: "truth values are bools, not u8",
		maps: func(_ *recorded, want, got nx.Tensor) (nx.Tensor, nx.Tensor, bool) {
			return nx.Cast(want, nx.Bool), got, want.DType() == nx.U8 && got.DType() == nx.Bool
		}},
	{name: "number", reason: "a Go number gives way to a tensor's type; two of them are s64, f64 or c128",
		maps: func(c *recorded, want, got nx.Tensor) (nx.Tensor, nx.Tensor, bool) {
			if numberKind(want.DType()) != numberKind(got.DType()) || !c.hasNumber() {
				return want, got, false
			}
			return narrower(want, got)
		},
		other: func(c *recorded, want, got any) (any, any, bool) {
			if !c.hasNumber() {
				return nil, nil, false
			}
			defaults := map[nx.DType]nx.DType{nx.S32: nx.S64, nx.F32: nx.F64, nx.C64: nx.C128}
			switch w := want.(type) {
			case nx.DType:
				if w == nx.F32 && c.Args[0] == nx.F8E4M3FN {
					return c.Args[0], got, true
				}
				return defaults[w], got, true
			case template:
				w.spec.DType = defaults[w.spec.DType]
				return w, got, true
			case int64: // sizes of elements
				return 2 * w, got, strings.HasSuffix(c.name(), "_size")
			}
			return nil, nil, false
		}},
	{name: "precision", reason: "a Go number keeps its precision beside f64 and c128, where Nx rounds it to f32 first",
		tol: tolerance{rel: 2e-7},
		maps: func(c *recorded, want, got nx.Tensor) (nx.Tensor, nx.Tensor, bool) {
			d := want.DType()
			return want, got, d == got.DType() && (d == nx.F64 || d == nx.C128) && slices.ContainsFunc(c.Args, containsNumber)
		}},
	{name: "promotion",
		reason: "two floats of which neither contains the other become the smallest that contains both; f8 types are as " +
			"others", tol: tolerance{ulps: 2},
		maps: func(c *recorded, want, got nx.Tensor) (nx.Tensor, nx.Tensor, bool) {
			if want.DType() == got.DType() || numberKind(want.DType()) == 0 || numberKind(got.DType()) == 0 {
				return want, got, false
			}
			return narrower(want, got)
		},
		other: func(c *recorded, want, got any) (any, any, bool) {
			g, ok := got.(nx.DType)
			if !ok || len(c.Args) != 2 {
				return nil, nil, false
			}
			a, aType := c.Args[0].(nx.DType)
			b, bType := c.Args[1].(nx.DType)
			return got, got, aType && bType && g.Contains(a) && g.Contains(b)
		}},
	{name: "u64", reason: "a sum of u64 is u64, not s64",
		maps: func(c *recorded, want, got nx.Tensor) (nx.Tensor, nx.Tensor, bool) {
			return nx.Cast(want, nx.U64), got, want.DType() == nx.S64 && got.DType() == nx.U64
		},
		other: func(c *recorded, want, got any) (any, any, bool) {
			return nx.U64, got, want == nx.S64
		}},
	{name: "saturate", reason: "floats beyond an integer type become its limits, where Nx wraps around",
		maps: func(c *recorded, want, got nx.Tensor) (nx.Tensor, nx.Tensor, bool) {
			x, ok := c.Args[0].(nx.Tensor)
			d := got.DType()
			if !ok || c.name() != "as_type" || !d.IsInteger() || numberKind(x.DType()) == 0 {
				return want, got, false
			}
			w, data := nx.Bytes(want), nx.Data[complex128](x)
			for i, v := range data {
				switch f := math.Trunc(real(v)); {
				case math.IsNaN(f):
					d.StoreInt(w, i, 0)
				case f < float64(d.MinInt()):
					d.StoreInt(w, i, d.MinInt())
				case f >= float64(d.MaxInt()):
					d.StoreUint(w, i, d.MaxInt())
				}
			}
			return nx.FromBytes(w, want.Shape(), d, nx.Names(want.Names()...)), got, want.DType() == d
		}},
	{name: "f8_e4m3fn",
		reason: "what is beyond f8_e4m3fn, which has no infinity, is NaN, where Nx takes the largest number",
		maps: func(c *recorded, want, got nx.Tensor) (nx.Tensor, nx.Tensor, bool) {
			if want.DType() != nx.F8E4M3FN || got.DType() != nx.F8E4M3FN {
				return want, got, false
			}
			return nx.Where(nx.LogicalAnd(nx.Equal(nx.Abs(want), 448.0), nx.IsNaN(got)), got, want), got, true
		}},
	{name: "real", reason: "what is real stays real: conjugates of real numbers, variances of complex ones",
		maps: func(c *recorded, want, got nx.Tensor) (nx.Tensor, nx.Tensor, bool) {
			if !want.DType().IsComplex() || got.DType().IsComplex() ||
				nx.Item[bool](nx.Any(nx.Devectorize(nx.Greater(nx.Abs(nx.Imag(want)), 1e-6)))) {
				return want, got, false
			}
			return nx.Cast(nx.Real(want), got.DType()), got, true
		}},
	{name: "complex",
		reason: "complex functions have the principal values and the values at infinities of Go's math/cmplx",
		tol:    tolerance{rel: 4e-7, abs: 1e-12},
		maps: func(c *recorded, want, got nx.Tensor) (nx.Tensor, nx.Tensor, bool) {
			f := complexFunctions[c.name()]
			if f == nil || !want.DType().IsComplex() || want.DType() != got.DType() {
				return want, got, false
			}
			g := nx.Data[complex128](nx.Cast(got, nx.C128))
			for i, z := range nx.Data[complex128](nx.Cast(c.t(0), nx.C128)) {
				g[i] = f(z)
			}
			return nx.Rename(nx.Cast(nx.FromSlice(g, want.Shape()), want.DType()), want.Names()...),
				got, len(want.Vectors()) == 0
		}},
	{name: "names", reason: "an axis that stays what it is keeps its name, where Nx drops all",
		maps: func(c *recorded, want, got nx.Tensor) (nx.Tensor, nx.Tensor, bool) {
			unnamed := !slices.ContainsFunc(want.Names(), func(n string) bool { return n != "" })
			if !unnamed || want.Rank() != got.Rank() {
				return want, got, false
			}
			return nx.Rename(want, got.Names()...), got, true
		}},
	{name: "first NaN", reason: "the index of an extreme is that of the first NaN, where Nx takes the last",
		maps: func(c *recorded, want, got nx.Tensor) (nx.Tensor, nx.Tensor, bool) {
			x := c.t(0)
			if !strings.HasPrefix(c.name(), "arg") || x.Rank() != 1 || !x.DType().IsFloat() {
				return want, got, false
			}
			first := slices.IndexFunc(nx.Data[float64](x), math.IsNaN)
			return nx.FullLike(want, first), got, first >= 0 && len(x.Vectors()) == 0
		}},
	{name: "NaN stays", reason: "clip keeps NaN",
		maps: func(c *recorded, want, got nx.Tensor) (nx.Tensor, nx.Tensor, bool) {
			if c.name() != "clip" || want.DType() != got.DType() {
				return want, got, false
			}
			x := c.t(0)
			return nx.Where(nx.IsNaN(x), x, want), got, true
		}},
	{name: "empty", reason: "tensors may have axes of size 0",
		accepts: func(c *recorded, got any) bool { return hasEmpty(got) }},
	{name: "index",
		reason: "negative indices count from the end; those beyond an axis are limited to it, or dropped when writing",
		accepts: func(c *recorded, got any) bool {
			switch c.name() {
			case "gather", "take", "take_along_axis", "indexed_add", "indexed_put":
			default:
				return false
			}
			i := c.t(1)
			outside := nx.LogicalOr(nx.Less(i, 0), nx.GreaterEqual(i, slices.Max(append(c.t(0).Shape(), 1))))
			small := nx.GreaterEqual(i, slices.Min(append(c.t(0).Shape(), 1<<30)))
			return nx.Item[bool](nx.Any(nx.Devectorize(nx.LogicalOr(outside, small))))
		}},
	{name: "shift", reason: "a shift by a negative count is as one by the width or more",
		accepts: func(c *recorded, got any) bool {
			return strings.HasSuffix(c.name(), "_shift") && nx.Item[bool](nx.Any(nx.Devectorize(nx.Less(c.t(1), 0))))
		}},
	{name: "conversion", reason: "[As] says in which type a sum or a product is computed, any that holds its kind",
		accepts: func(c *recorded, got any) bool {
			return (c.name() == "sum" || c.name() == "product") &&
				slices.ContainsFunc(c.Opts, func(o pair) bool { return o.key == "type" })
		}},
	{name: "floats", reason: "functions of matrices of integers give floats",
		maps: func(c *recorded, want, got nx.Tensor) (nx.Tensor, nx.Tensor, bool) {
			return want, nx.Cast(got, want.DType()), isLinAlg(c.name()) && numberKind(want.DType()) == 0 && got.DType() == nx.F32
		}},
	{name: "singular", reason: "inverses of singular matrices are infinite or NaN, where Nx has NaN alone",
		maps: func(c *recorded, want, got nx.Tensor) (nx.Tensor, nx.Tensor, bool) {
			if !isLinAlg(c.name()) || want.DType() != got.DType() {
				return want, got, false
			}
			return nx.Where(nx.LogicalAnd(nx.IsNaN(want), nx.LogicalNot(nx.IsFinite(got))), got, want), got, true
		}},
	{name: "one for all", reason: "a stride or a dilation that is one number stands for all axes, as a list of one too",
		accepts: func(c *recorded, got any) bool {
			return slices.ContainsFunc(c.Opts, func(o pair) bool { l, ok := o.value.([]any); return ok && len(l) == 1 })
		}},
}

// complexFunctions are functions of complex numbers of another make.
var complexFunctions = map[string]func(z complex128) complex128{
	"exp": cmplx.Exp, "log": cmplx.Log, "sin": cmplx.Sin, "cos": cmplx.Cos, "tan": cmplx.Tan,
	"sinh": cmplx.Sinh, "cosh": cmplx.Cosh,
	"tanh": cmplx.Tanh, "asin": cmplx.Asin, "acos": cmplx.Acos, "atan": cmplx.Atan, "asinh": cmplx.Asinh,
	"acosh": cmplx.Acosh,
	"atanh": cmplx.Atanh, "sqrt": cmplx.Sqrt, "log10": cmplx.Log10,
	"sign": func(z complex128) complex128 {
		if a := cmplx.Abs(z); a != 0 {
			return complex(real(z)/a, imag(z)/a)
		}
		return 0
	},
}

// narrower brings two tensors to the type of the one with fewer bits.
func narrower(want, got nx.Tensor) (nx.Tensor, nx.Tensor, bool) {
	w, g := want.DType(), got.DType()
	if g.Bits() > w.Bits() {
		return want, nx.Cast(got, w), true
	}
	return nx.Cast(want, g), got, true
}

func hasEmpty(v any) bool {
	switch v := v.(type) {
	case nx.Tensor:
		return v.Size() == 0
	case tuple:
		return slices.ContainsFunc(v, hasEmpty)
	}
	return false
}

// numberKind tells integers, floats and complex numbers apart.
func numberKind(d nx.DType) int {
	switch {
	case d.IsComplex():
		return 2
	case d.IsFloat():
		return 1
	}
	return 0
}

// hasNumber reports whether a plain number is among the arguments.
func (c *recorded) hasNumber() bool { return slices.ContainsFunc(c.Args, containsNumber) }

func containsNumber(v any) bool {
	switch v := v.(type) {
	case int64, uint64, float64, complex128, bool:
		return true
	case []any:
		return slices.ContainsFunc(v, containsNumber)
	case tuple:
		return slices.ContainsFunc(v, containsNumber)
	}
	return false
}
