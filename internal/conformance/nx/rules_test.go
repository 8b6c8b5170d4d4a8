package nx_test

import (
	"math"
	"slices"
	"strings"

	"github.com/go-nx/nx"
	"github.com/go-nx/nx/internal/refmath"
	"github.com/go-nx/nx/linalg"
)

// nxRule is an intended difference between Nx and this module. It applies by the kind of the difference,
// whatever the call: a result is mapped from one side's form to the other's, and must then be equal; a call
// that raises in Nx may have a value here.
type nxRule struct {
	name, reason string
	maps         func(c *recorded, want, got nx.Tensor) (nx.Tensor, nx.Tensor, bool)
	other        func(c *recorded, want, got any) (any, any, bool)
	accepts      func(c *recorded, got any) bool
	refuses      func(c *recorded, err error) bool // calls with a value in Nx
	tol          tolerance                         // in addition to that of the function
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
	constantsRule, bf16Rule, windowsRule, signedRule, mergedRule, oneAxisRule, eachMatrixRule, triangleRule,
	refusedRule,
	{name: "bool", reason: "bools have the type bool, not u8",
		maps: func(_ *recorded, want, got nx.Tensor) (nx.Tensor, nx.Tensor, bool) {
			return nx.Cast(want, nx.Bool), got, want.DType() == nx.U8 && got.DType() == nx.Bool
		}},
	{name: "number", reason: "a Go number gives way to a tensor's type; two of them are s64, f64 or c128",
		maps: func(c *recorded, want, got nx.Tensor) (nx.Tensor, nx.Tensor, bool) {
			if w, g := want.DType(), got.DType(); w == g || numberKind(w) != numberKind(g) || !c.hasNumber() {
				return want, got, false
			}
			if n, ok := c.Args[0].(int64); ok && want.DType() == nx.S32 && got.DType() == nx.S64 {
				switch { // of 32 more bits
				case c.name() == "count_leading_zeros" && n >= 0, c.name() == "population_count" && n < 0:
					return nx.Add(nx.Cast(want, nx.S64), 32), got, true
				}
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
	{name: "precision", reason: "a Go number keeps its precision with f64 and c128, where Nx rounds it to f32 first",
		tol: tolerance{rel: 2e-7},
		maps: func(c *recorded, want, got nx.Tensor) (nx.Tensor, nx.Tensor, bool) {
			d := want.DType()
			return want, got, d == got.DType() && (d == nx.F64 || d == nx.C128) &&
				slices.ContainsFunc(c.Args, containsNumber)
		}},
	{name: "promotion",
		reason: "two floats of which neither contains the other become the smallest that contains both; f8 types are as " +
			"others", tol: tolerance{ulps: 2},
		maps: func(c *recorded, want, got nx.Tensor) (nx.Tensor, nx.Tensor, bool) {
			if d, ok := c.smallestFloat(); !ok || got.DType() != d || want.DType() == d ||
				numberKind(want.DType()) != numberKind(d) {
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
			d, ok := smallestOf([]nx.DType{a, b})
			return d, g, aType && bType && ok
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
			w, data := nx.Bytes(nx.Devectorize(want)), nx.Data[complex128](nx.Devectorize(x))
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
			return like(want, nx.FromBytes(w, nx.Shape{len(data)}, d)), got, want.DType() == d
		}},
	{name: "f8_e4m3fn",
		reason: "a number beyond f8_e4m3fn, which has no infinity, is NaN, where Nx takes the largest number",
		maps: func(c *recorded, want, got nx.Tensor) (nx.Tensor, nx.Tensor, bool) {
			if want.DType() != nx.F8E4M3FN || got.DType() != nx.F8E4M3FN {
				return want, got, false
			}
			x, ok := c.exact(nx.F8E4M3FN)
			if !ok {
				return want, got, false
			}
			beyond := nx.Greater(nx.Abs(x), 464.0) // half-way from 448 to the next number there would be
			return nx.Where(nx.LogicalAnd(beyond, nx.Equal(nx.Abs(want), 448.0)), math.NaN(), want), got, true
		},
		accepts: func(c *recorded, got any) bool { // a type that some of its functions do not support
			return c.name() == "Type.cast_number!" && c.Args[0] == nx.F8E4M3FN && got == float64(toInt(c.Args[1]))
		}},
	{name: "overflow",
		reason: "a number nearer to the one after the largest is infinite, where Nx truncates bf16 and f8",
		maps: func(c *recorded, want, got nx.Tensor) (nx.Tensor, nx.Tensor, bool) {
			d := want.DType()
			if d != got.DType() || d != nx.BF16 && d != nx.F8E5M2 {
				return want, got, false
			}
			x, ok := c.exact(d)
			if !ok {
				return want, got, false
			}
			half := d.MaxFinite() * d.Epsilon() / (2 - d.Epsilon()) / 2 // half of the step at the largest number
			beyond := nx.GreaterEqual(nx.Abs(x), d.MaxFinite()+half)
			largest := nx.Equal(nx.Abs(nx.Cast(want, nx.F32)), d.MaxFinite())
			infinite := nx.Cast(nx.Mul(nx.Sign(x), math.Inf(1)), d)
			return nx.Where(nx.LogicalAnd(beyond, largest), infinite, want), got, true
		}},
	{name: "real", reason: "real results stay real: conjugates of real numbers, variances of complex ones",
		maps: func(c *recorded, want, got nx.Tensor) (nx.Tensor, nx.Tensor, bool) {
			if !want.DType().IsComplex() || got.DType().IsComplex() ||
				nx.Item[bool](nx.Any(nx.Devectorize(nx.Greater(nx.Abs(nx.Imag(want)), 1e-6)))) {
				return want, got, false
			}
			r := nx.Real(want)
			return r, nx.Cast(got, r.DType()), true
		}},
	{name: "complex",
		reason: "complex functions have the principal values, and the values at zeros, cuts and infinities, of C99 (Annex G)",
		tol:    tolerance{rel: 4e-7, abs: 1e-12},
		maps: func(c *recorded, want, got nx.Tensor) (nx.Tensor, nx.Tensor, bool) {
			f := complexFunctions[c.name()]
			if f == nil || !c.t(0).DType().IsComplex() && !got.DType().IsComplex() || want.DType() != got.DType() {
				return want, got, false
			}
			args := [2][]complex128{make([]complex128, want.Size()), make([]complex128, want.Size())}
			for i := range c.Args {
				args[i] = nx.Data[complex128](nx.BroadcastTo(nx.Rename(c.t(i)), want.Shape()...))
			}
			w := make([]complex128, want.Size())
			for i := range w {
				w[i] = f(args[0][i], args[1][i])
			}
			return nx.Rename(nx.Cast(nx.FromSlice(w, want.Shape()), want.DType()), want.Names()...),
				got, len(want.Vectors()) == 0
		}},
	{name: "rounded integers", reason: "integers become f32 before a function is taken, where Nx rounds only its result",
		maps: func(c *recorded, want, got nx.Tensor) (nx.Tensor, nx.Tensor, bool) {
			f := periodic[c.name()]
			if f == nil || !c.t(0).DType().IsInteger() || got.DType() != nx.F32 || want.DType() != nx.F32 {
				return want, got, false
			}
			w := nx.Data[float64](nx.Cast(nx.Devectorize(c.t(0)), nx.F32))
			for i, x := range w {
				w[i] = f(x)
			}
			return like(want, nx.Cast(nx.New(w), nx.F32)), got, true
		}},
	{name: "names", reason: "an axis that stays what it is keeps its name, where Nx drops or exchanges them",
		maps: func(c *recorded, want, got nx.Tensor) (nx.Tensor, nx.Tensor, bool) {
			if want.Rank() != got.Rank() || slices.Equal(want.Names(), got.Names()) || !c.keepsNames(want, got) {
				return want, got, false
			}
			return nx.Rename(want, got.Names()...), got, true
		}},
	{name: "eps", reason: "small parts of a transform stay what they are, where Nx has an option that makes them 0",
		maps: func(c *recorded, want, got nx.Tensor) (nx.Tensor, nx.Tensor, bool) {
			if !strings.Contains(c.name(), "fft") || want.DType() != got.DType() {
				return want, got, false
			}
			eps := 1e-10
			for _, o := range c.Opts {
				if o.key == "eps" {
					eps = floatOf(o.value)
				}
			}
			zeroed := func(x nx.Tensor) nx.Tensor { return nx.Where(nx.LessEqual(nx.Abs(x), eps), 0, x) }
			if !got.DType().IsComplex() {
				return want, zeroed(got), true
			}
			return want, nx.Complex(zeroed(nx.Real(got)), zeroed(nx.Imag(got))), true
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
	{name: "kept axes", reason: "KeepAxes keeps all axes where none is named, and those that there are, and Nx drops them or adds one",
		maps: func(c *recorded, want, got nx.Tensor) (nx.Tensor, nx.Tensor, bool) {
			keep := slices.ContainsFunc(c.Opts, func(o pair) bool { return o.key == "keep_axis" && o.value == true })
			if keep && c.name() == "mode" && c.t(0).Rank() == 0 && want.Size() == 1 && got.Rank() == 0 {
				return nx.Reshape(want), got, true
			}
			if !keep || !strings.HasPrefix(c.name(), "arg") || want.Rank() > 0 || got.Size() != 1 ||
				got.Rank() != c.t(0).Rank() {
				return want, got, false
			}
			return nx.Rename(nx.Reshape(want, got.Shape()...), c.t(0).Names()...), got, true
		}},
	{name: "wide sums",
		reason: "sums and products up to each element have the type of those of all, where Nx keeps narrow integers",
		maps: func(c *recorded, want, got nx.Tensor) (nx.Tensor, nx.Tensor, bool) {
			w, g := want.DType(), got.DType()
			ok := c.name() == "cumulative_sum" || c.name() == "cumulative_product"
			return want, nx.Cast(got, w), ok && w.IsInteger() && w.Bits() < 32 && g.Bits() == 32 &&
				g.IsInteger() && w.IsSigned() == g.IsSigned()
		}},
	{name: "NaN in a median", reason: "the median of elements with NaN is NaN, as NumPy's, where Nx takes NaN as the largest",
		maps: func(c *recorded, want, got nx.Tensor) (nx.Tensor, nx.Tensor, bool) {
			if c.name() != "median" || want.DType() != got.DType() || !want.DType().IsFloat() {
				return want, got, false
			}
			x := c.t(0)
			return nx.Where(nx.Any(nx.IsNaN(x), c.reduceOptions(x)...), math.NaN(), want), got, true
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
			return want, nx.Cast(got, want.DType()), isLinAlg(c.name()) && numberKind(want.DType()) == 0 &&
				got.DType() == nx.F32
		}},
	{name: "singular",
		reason: "singular systems give Inf and NaN, where Nx has only NaN or raises, and so do matrices without a " +
			"Cholesky factor",
		maps: func(c *recorded, want, got nx.Tensor) (nx.Tensor, nx.Tensor, bool) {
			name := c.name()
			if name != "LinAlg.invert" && name != "LinAlg.cholesky" || want.DType() != got.DType() {
				return want, got, false
			}
			// The inverse of a singular matrix has no finite number; beyond the pivot that vanishes no
			// column of a Cholesky factor has.
			lost := nx.LogicalNot(nx.IsFinite(got))
			if !singular(c.t(0)) || !nx.Item[bool](nx.Any(lost)) || name == "LinAlg.invert" &&
				!nx.Item[bool](nx.All(lost)) {
				return want, got, false
			}
			return nx.Where(lost, got, want), got, name == "LinAlg.cholesky" || nx.Item[bool](nx.All(nx.IsNaN(want)))
		},
		accepts: func(c *recorded, got any) bool {
			switch c.name() {
			case "LinAlg.triangular_solve", "LinAlg.solve", "LinAlg.invert":
				return singular(c.t(0))
			}
			return false
		}},
	{name: "general", reason: "axes and shapes that Nx refuses have the meaning that NumPy gives them",
		accepts: func(c *recorded, got any) bool {
			switch c.name() {
			case "dot": // batches that are not the first axes
				return len(c.Args) == 6
			case "select": // a predicate that broadcasts, too
				return !slices.Equal(c.t(0).Shape(), got.(nx.Tensor).Shape())
			case "LinAlg.norm": // orders that are not integers
				return slices.ContainsFunc(c.Opts,
					func(o pair) bool { _, ok := o.value.(float64); return o.key == "ord" && ok })
			case "LinAlg.lu": // matrices that are not square
				s := c.t(0).Shape()
				return s[len(s)-1] != s[len(s)-2]
			case "to_number": // one element of any shape
				return c.t(0).Size() == 1
			}
			return false
		}},
	{name: "one for all", reason: "a stride or a dilation that is one number stands for all axes, as a list of one too",
		accepts: func(c *recorded, got any) bool {
			return slices.ContainsFunc(c.Opts, func(o pair) bool { l, ok := o.value.([]any); return ok && len(l) == 1 })
		}},
}

// logarithm divides both parts of a logarithm separately: in a quotient of complex numbers an infinite part
// makes the other NaN.
func logarithm(z complex128, base float64) complex128 {
	l := refmath.CLog(z)
	return complex(real(l)/base, imag(l)/base)
}

// complexFunctions are functions of one or two complex numbers, with C99's special values.
var complexFunctions = func() map[string]func(z, w complex128) complex128 {
	out := map[string]func(z, w complex128) complex128{
		"divide": refmath.CDiv,
		"log2":   func(z, _ complex128) complex128 { return logarithm(z, math.Ln2) },
		"log10":  func(z, _ complex128) complex128 { return logarithm(z, math.Ln10) },
		"abs":    func(z, _ complex128) complex128 { return complex(refmath.CAbs(z), 0) },
	}
	for name, f := range map[string]func(z complex128) complex128{
		"exp": refmath.CExp, "expm1": refmath.CExpm1, "log": refmath.CLog, "log1p": refmath.CLog1p,
		"sigmoid": refmath.CLogistic, "sin": refmath.CSin, "cos": refmath.CCos, "tan": refmath.CTan,
		"sinh": refmath.CSinh,
		"cosh": refmath.CCosh, "tanh": refmath.CTanh, "asin": refmath.CAsin, "acos": refmath.CAcos,
		"atan":  refmath.CAtan,
		"asinh": refmath.CAsinh, "acosh": refmath.CAcosh, "atanh": refmath.CAtanh, "sqrt": refmath.CSqrt,
		"rsqrt": refmath.CRsqrt, "cbrt": refmath.CCbrt, "sign": refmath.CSign,
	} {
		out[name] = func(z, _ complex128) complex128 { return f(z) }
	}
	return out
}()

// periodic are functions for which a rounded argument can have any value.
var periodic = map[string]func(x float64) float64{"sin": math.Sin, "cos": math.Cos, "tan": math.Tan}

// singular reports whether one of the matrices has a determinant of 0.
func singular(a nx.Tensor) bool {
	return nx.Item[bool](nx.Any(nx.Devectorize(nx.LessEqual(nx.Abs(linalg.Det(nx.Cast(a, nx.C128))), 1e-12))))
}

// smallestFloat returns the smallest type that holds the floats among the arguments.
func (c *recorded) smallestFloat() (nx.DType, bool) {
	var types []nx.DType
	for _, t := range allTensors(c.Args) {
		types = append(types, t.DType())
	}
	return smallestOf(types)
}

// smallestOf returns the smallest type that holds the floats, and complex numbers, of all types, or an invalid
// one.
func smallestOf(types []nx.DType) (nx.DType, bool) {
	types = slices.DeleteFunc(slices.Clone(types), func(d nx.DType) bool { return numberKind(d) == 0 })
	isComplex := slices.ContainsFunc(types, nx.DType.IsComplex)
	for _, d := range []nx.DType{nx.F8E4M3FN, nx.F8E5M2, nx.F16, nx.BF16, nx.F32, nx.F64} {
		holds := !isComplex || d.Bits() >= 32
		for _, o := range types {
			holds = holds && d.Contains(o.Real())
		}
		switch {
		case !holds || len(types) == 0:
		case isComplex:
			return d.Complex(), true
		default:
			return d, true
		}
	}
	return 0, false
}

// allTensors returns the tensors in a list of arguments.
func allTensors(v any) (out []nx.Tensor) {
	switch v := v.(type) {
	case nx.Tensor:
		return []nx.Tensor{v}
	case []any:
		for _, x := range v {
			out = append(out, allTensors(x)...)
		}
	case tuple:
		return allTensors([]any(v))
	}
	return out
}

// exact computes a call in f32 whose result has type d.
func (c *recorded) exact(d nx.DType) (nx.Tensor, bool) {
	wide := c.inF32(d)
	out, err := wide.run(nxCalls[wide.name()])
	x, ok := out.(nx.Tensor)
	return x, err == nil && ok && x.DType() == nx.F32
}

// inF32 is a call with f32 instead of a narrower type.
func (c *recorded) inF32(narrow nx.DType) *recorded {
	var wide func(v any) any
	wide = func(v any) any {
		switch v := v.(type) {
		case nx.Tensor:
			if v.DType() == narrow {
				return nx.Cast(v, nx.F32)
			}
		case nx.DType:
			if v == narrow {
				return nx.F32
			}
		case atom:
			if typeNamed(string(v)) == narrow {
				return nx.F32
			}
		case []any:
			out := make([]any, len(v))
			for i, x := range v {
				out[i] = wide(x)
			}
			return out
		}
		return v
	}
	out := *c
	if c.name() == typeName(narrow) { // the function that makes a tensor of this type
		out.Fn = "Nx.f32/1"
		return &out
	}
	out.Args, out.Opts = wide(c.Args).([]any), slices.Clone(c.Opts)
	for i, o := range out.Opts {
		out.Opts[i].value = wide(o.value)
	}
	return &out
}

// like returns flat elements the vectorised axes, the shape and the names of another tensor.
func like(t, flat nx.Tensor) nx.Tensor {
	return nx.Rename(nx.Revectorize(flat, t.Vectors(), t.Shape()...), t.Names()...)
}

// keepsNames reports whether all names of the result are those of axes of an operand, each on an axis of the
// same size, or one that was reduced or repeated, where Nx has no names or, after writing, those of other
// axes.
func (c *recorded) keepsNames(want, got nx.Tensor) bool {
	unnamed := !slices.ContainsFunc(want.Names(), func(n string) bool { return n != "" })
	if strings.HasPrefix(c.name(), "indexed_") {
		return slices.Equal(got.Names(), c.t(0).Names())
	}
	for i, n := range got.Names() {
		if n != "" && !slices.ContainsFunc(allTensors(c.Args), func(t nx.Tensor) bool {
			k := slices.Index(t.Names(), n)
			return k >= 0 && (t.Shape()[k] == got.Shape()[i] || t.Shape()[k] == 1 || got.Shape()[i] == 1 ||
				c.name() == "tile")
		}) {
			return false
		}
	}
	return unnamed
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

// numberKind distinguishes integers, floats and complex numbers.
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
