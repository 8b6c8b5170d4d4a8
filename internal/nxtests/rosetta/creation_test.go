package rosetta_test

import (
	"math"

	"github.com/go-nx/nx"
	"github.com/go-nx/nx/dtype"
	"github.com/go-nx/nx/tree"
)

var creation = []row{
	{"np.array(x)", []pair{
		{"np.array([[1.5, 2], [3, 4]])", func() any { return nx.New([][]float64{{1.5, 2}, {3, 4}}) }},
		{"np.array([1, 2, 3, 4]).reshape(2, 2)", func() any {
			return nx.FromSlice([]int64{1, 2, 3, 4}, nx.Shape{2, 2})
		}},
	}},
	{"np.asarray(x) without a copy", []pair{
		{"np.asarray([1.5, 2.5])", func() any { return nx.FromSliceShared([]float64{1.5, 2.5}, nx.Shape{2}) }},
	}},
	{"np.frombuffer, a.tobytes()", []pair{
		{"np.frombuffer(np.array([1., 2.]).tobytes())", func() any {
			return nx.FromBytes(nx.Bytes(nx.New([]float64{1, 2})), nx.Shape{2}, nx.F64)
		}},
		{"np.frombuffer(v.tobytes(), np.uint8)", func() any { return nx.New(nx.Bytes(v)) }},
	}},
	{"np.zeros, np.ones, np.full", []pair{
		{"np.zeros((2, 3))", func() any { return nx.Zeros(nx.Shape{2, 3}, nx.F64) }},
		{"np.ones((2, 3), int)", func() any { return nx.Ones(nx.Shape{2, 3}, nx.S64) }},
		{"np.full((2,), 1.5)", func() any { return nx.Full(nx.Shape{2}, 1.5, nx.F64) }},
	}},
	{"np.full_like, np.zeros_like, np.ones_like", []pair{
		{"np.full_like(a, 7)", func() any { return nx.FullLike(a, 7) }},
		{"np.zeros_like(i)", one(nx.ZerosLike, i)},
		{"np.ones_like(a)", one(nx.OnesLike, a)},
		{"jax.tree.map(np.zeros_like, [a, i])", func() any { return tree.ZerosLike([]nx.Tensor{a, i}) }},
	}},
	{"np.asarray(v, x.dtype)", []pair{
		{"[np.asarray(3, f.dtype), np.asarray(3, i.dtype)]", func() any {
			return list(nx.Scalar(3, f), nx.Scalar(3, i))
		}},
	}},
	{"np.arange(n), lax.iota", []pair{
		{"np.arange(5)", func() any { return nx.Iota(nx.Shape{5}, nx.S64) }},
		{"lax.iota(np.float64, 4)", func() any { return nx.Iota(nx.Shape{4}, nx.F64) }},
		{"np.arange(6).reshape(2, 3)", func() any { return nx.Iota(nx.Shape{2, 3}, nx.S64) }},
	}},
	{"np.eye, np.linspace, endpoint=False", []pair{
		{"np.eye(3, 4)", func() any { return nx.Eye(nx.Shape{3, 4}, nx.F64) }},
		{"np.linspace(-1, 2, 7)", func() any { return nx.Linspace(-1, 2, 7, nx.F64) }},
		{"np.linspace(-1, 2, 7, endpoint=False)", func() any { return nx.Linspace(-1, 2, 7, nx.F64, nx.HalfOpen) }},
	}},
	{"np.tri, np.diag", []pair{
		{"np.tri(3, 4, 1)", func() any { return nx.Tri(3, 4, 1, nx.F64) }},
		{"np.diag(v, -1)", func() any { return nx.Diag(v, -1) }},
	}},
	{"np.pi, np.e, np.euler_gamma", []pair{
		{"[np.pi, np.e, np.euler_gamma]", func() any { return list(math.Pi, math.E, nx.EulerGamma) }},
	}},
	{"np.inf, -np.inf, np.nan, 1j", []pair{
		{"[np.inf, -np.inf, np.nan, 1j]", func() any { return list(math.Inf(1), math.Inf(-1), math.NaN(), 1i) }},
	}},
	{"np.finfo(t).max, .min", []pair{
		{"[np.finfo('f4').max, np.finfo('f4').min]", func() any {
			var t dtype.Type = nx.F32
			return list(t.MaxFinite(), t.MinFinite())
		}},
	}},
	{"np.iinfo(t).max, .min", []pair{
		{"[np.iinfo('i1').max, np.iinfo('i1').min, np.max(np.array([], 'f8'), initial=-np.inf)]", func() any {
			return list(int64(nx.S8.MaxInt()), nx.S8.MinInt(), -math.Inf(1))
		}},
	}},
	{"np.finfo(t).eps, .smallest_normal", []pair{
		{"[np.finfo('f4').eps, np.finfo('f4').smallest_normal]", func() any {
			return list(nx.F32.Epsilon(), nx.F32.SmallestNormal())
		}},
	}},
	{"np.issubdtype(t, np.integer), np.floating, np.complexfloating", []pair{
		{"[np.issubdtype(t, k) for t in ['i4', 'f4', 'c8'] for k in [np.integer, np.floating, np.complexfloating]]",
			func() any {
				var is []any
				for _, t := range []nx.DType{nx.S32, nx.F32, nx.C64} {
					is = append(is, t.IsInteger(), t.IsFloat(), t.IsComplex())
				}
				return is
			}},
	}},
	{`str(t), np.dtype("f4")`, []pair{
		{"[str(np.dtype('f4')).replace('float', 'f'), np.dtype('f4').itemsize]", func() any {
			t, err := dtype.Parse("f32")
			if err != nil {
				panic(err)
			}
			return list(t.String(), t.Bits()/8)
		}},
	}},
	{"np.finfo(complex).dtype, np.result_type(t, 1j)", []pair{
		{"[np.finfo(complex).dtype == 'f8', np.result_type('f8', 1j) == 'c16']", func() any {
			return list(nx.C128.Real() == nx.F64, nx.F64.Complex() == nx.C128)
		}},
	}},
	{"np.float32(x), …", []pair{
		{"[np.float32(0.1), np.int8(-5), np.float16(0.1)]", func() any {
			return list(nx.New(0.1, nx.As(nx.F32)), nx.New(-5, nx.As(nx.S8)), nx.New(0.1, nx.As(nx.F16)))
		}},
	}},
	{"jax.ShapeDtypeStruct", []pair{
		{"jax.eval_shape(jnp.exp, jax.ShapeDtypeStruct((2, 3), 'f8')).shape", func() any {
			s := nx.Spec{DType: nx.F64, Shape: nx.Shape{2, 3}}
			if !nx.Exp(nx.Zeros(nx.Shape{2, 3}, nx.F64)).Spec().Equal(s) {
				return "another type"
			}
			return list(s.Shape[0], s.Shape[1])
		}},
	}},
	{"jnp.asarray", []pair{
		{"jnp.asarray(2) + a", func() any { return nx.Add(2, a) }},
	}},
	{"jnp.promote_types", []pair{
		{"[str(jnp.promote_types(x, y)) == z for x, y, z in [('i4', 'f4', 'float32'), ('f2', 'bfloat16', 'float32'), " +
			"('u1', 'i1', 'int16'), ('f4', 'c8', 'complex64')]]", func() any {
			return list(dtype.Promote(nx.S32, nx.F32) == nx.F32, dtype.Promote(nx.F16, nx.BF16) == nx.F32,
				dtype.Promote(nx.U8, nx.S8) == nx.S16, dtype.Promote(nx.F32, nx.C64) == nx.C64)
		}},
	}},
	{"dtype=np.float32", []pair{
		{"np.array([1, 2, 3], dtype=np.float32)", func() any { return nx.New([]int{1, 2, 3}, nx.As(nx.F32)) }},
	}},
}
