package rosetta_test

import "github.com/go-nx/nx"

var elementwise = []row{
	{"a + b, a - b, a * b, a / b", []pair{
		{"a + b", two(nx.Add, a, b)}, {"a - b", two(nx.Sub, a, b)}, {"a * b", two(nx.Mul, a, b)},
		{"a / b", two(nx.Div, a, b)},
	}},
	{"lax.div of integers (truncates)", []pair{{"lax.div(i, j)", two(nx.Quotient, i, j)}}},
	{"np.fmod, lax.rem", []pair{
		{"np.fmod(a, b)", two(nx.Remainder, a, b)}, {"lax.rem(i, j)", two(nx.Remainder, i, j)},
	}},
	{"a ** b, np.arctan2", []pair{
		{"b ** a", two(nx.Pow, b, a)}, {"i ** k", two(nx.Pow, i, k)}, {"np.arctan2(a, b)", two(nx.Atan2, a, b)},
	}},
	{"np.maximum, np.minimum", []pair{
		{"np.maximum(a, c)", two(nx.Maximum, a, c)}, {"np.minimum(c, b)", two(nx.Minimum, c, b)},
	}},
	{"==, !=, <, <=, >, >=", []pair{
		{"i == j", two(nx.Equal, i, j)}, {"c != c", two(nx.NotEqual, c, c)}, {"v < w", two(nx.Less, v, w)},
		{"v <= w", two(nx.LessEqual, v, w)}, {"c > b", two(nx.Greater, c, b)}, {"c >= b", two(nx.GreaterEqual, c, b)},
	}},
	{"np.logical_and, or, xor, not", []pair{
		{"np.logical_and(p, q)", two(nx.LogicalAnd, p, q)}, {"np.logical_or(p, q)", two(nx.LogicalOr, p, q)},
		{"np.logical_xor(p, k)", two(nx.LogicalXor, p, k)}, {"np.logical_not(k)", one(nx.LogicalNot, k)},
	}},
	{"a & b, a | b, a ^ b, ~a", []pair{
		{"i & j", two(nx.BitwiseAnd, i, j)}, {"i | j", two(nx.BitwiseOr, i, j)}, {"i ^ j", two(nx.BitwiseXor, i, j)},
		{"~i", one(nx.BitwiseNot, i)},
	}},
	{"a << b, a >> b", []pair{
		{"i << k", two(nx.LeftShift, i, k)}, {"i >> k", two(nx.RightShift, i, k)},
		{"d >> np.uint8(3)", func() any { return nx.RightShift(d, 3) }},
	}},
	{"np.bitwise_count, lax.clz", []pair{
		{"np.bitwise_count(d)", one(nx.OnesCount, d)}, {"lax.clz(d)", one(nx.LeadingZeros, d)},
	}},
	{"-a, np.abs, np.sign, np.square", []pair{
		{"-a", one(nx.Neg, a)}, {"np.abs(z)", one(nx.Abs, z)}, {"np.sign(c)", one(nx.Sign, c)},
		{"np.sign(i)", one(nx.Sign, i)}, {"np.square(a)", one(nx.Square, a)},
	}},
	{"np.floor, np.ceil", []pair{{"np.floor(a)", one(nx.Floor, a)}, {"np.ceil(a)", one(nx.Ceil, a)}}},
	{"np.round (halves to even)", []pair{{"np.round(h)", one(nx.RoundEven, h)}}},
	{"lax.round (halves away from zero)", []pair{{"lax.round(h)", one(nx.Round, h)}}},
	{"np.log2, np.log10", []pair{{"np.log2(b)", one(nx.Log2, b)}, {"np.log10(b)", one(nx.Log10, b)}}},
	{"jax.nn.softplus, silu", []pair{
		{"jax.nn.softplus(a)", one(nx.Softplus, a)}, {"jax.nn.silu(a)", one(nx.Silu, a)},
	}},
	{"jax.nn.gelu, gelu(approximate=False)", []pair{
		{"jax.nn.gelu(a)", one(nx.GeluTanh, a)}, {"jax.nn.gelu(a, approximate=False)", one(nx.Gelu, a)},
	}},
	{"np.isclose, np.allclose", []pair{
		{"np.isclose(c, c + 1e-7, equal_nan=True)", func() any { return nx.IsClose(c, nx.Add(c, 1e-7), nx.EqualNaN) }},
		{"np.isclose(a, a + 1e-4)", func() any { return nx.IsClose(a, nx.Add(a, 1e-4)) }},
		{"np.allclose(a, a * 1.05, rtol=0.1, atol=0)", func() any {
			return nx.AllClose(a, nx.Mul(a, 1.05), nx.Tolerance(0.1, 0))
		}},
	}},
	{"np.exp, expm1, log, log1p", []pair{
		{"np.exp(a)", one(nx.Exp, a)}, {"np.expm1(a)", one(nx.Expm1, a)}, {"np.log(b)", one(nx.Log, b)},
		{"np.log1p(b)", one(nx.Log1p, b)}, {"np.log(z)", one(nx.Log, z)},
	}},
	{"np.sqrt, lax.rsqrt, np.cbrt", []pair{
		{"np.sqrt(b)", one(nx.Sqrt, b)}, {"lax.rsqrt(b)", one(nx.Rsqrt, b)}, {"np.cbrt(a)", one(nx.Cbrt, a)},
	}},
	{"np.sin, cos, tan", []pair{
		{"np.sin(a)", one(nx.Sin, a)}, {"np.cos(a)", one(nx.Cos, a)}, {"np.tan(a)", one(nx.Tan, a)},
	}},
	{"np.arcsin, arccos, arctan", []pair{
		{"np.arcsin(u)", one(nx.Asin, u)}, {"np.arccos(u)", one(nx.Acos, u)}, {"np.arctan(a)", one(nx.Atan, a)},
	}},
	{"np.sinh, cosh, tanh", []pair{
		{"np.sinh(a)", one(nx.Sinh, a)}, {"np.cosh(a)", one(nx.Cosh, a)}, {"np.tanh(a)", one(nx.Tanh, a)},
	}},
	{"np.arcsinh, arccosh, arctanh", []pair{
		{"np.arcsinh(a)", one(nx.Asinh, a)}, {"np.arccosh(1 + b)", func() any { return nx.Acosh(nx.Add(1, b)) }},
		{"np.arctanh(u)", one(nx.Atanh, u)},
	}},
	{"jax.nn.sigmoid, jax.nn.relu", []pair{
		{"jax.nn.sigmoid(a)", one(nx.Sigmoid, a)}, {"jax.nn.relu(a)", one(nx.Relu, a)},
	}},
	{"jax.scipy.special.erf, erfc, erfinv", []pair{
		{"jax.scipy.special.erf(a)", one(nx.Erf, a)}, {"jax.scipy.special.erfc(a)", one(nx.Erfc, a)},
		{"jax.scipy.special.erfinv(u)", one(nx.ErfInv, u)},
	}},
	{"jax.scipy.special.gammaln, digamma", []pair{
		{"jax.scipy.special.gammaln(b)", one(nx.Lgamma, b)}, {"jax.scipy.special.digamma(b)", one(nx.Digamma, b)},
	}},
	{"jax.scipy.special.gammainc, gammaincc, betainc", []pair{
		{"jax.scipy.special.gammainc(b, 2.)", func() any { return nx.GammaInc(b, 2) }},
		{"jax.scipy.special.gammaincc(1.5, b)", func() any { return nx.GammaIncC(1.5, b) }},
		{"jax.scipy.special.betainc(v[2], w, np.abs(u))", func() any { return nx.BetaInc(v.At(2), w, nx.Abs(u)) }},
	}},
	{"jax.scipy.special.i0, i1, i0e, i1e", []pair{
		{"jax.scipy.special.i0(a)", one(nx.BesselI0, a)}, {"jax.scipy.special.i1(a)", one(nx.BesselI1, a)},
		{"jax.scipy.special.i0e(a)", one(nx.BesselI0e, a)}, {"jax.scipy.special.i1e(a)", one(nx.BesselI1e, a)},
	}},
	{"np.isnan, isinf, isfinite", []pair{
		{"np.isnan(c)", one(nx.IsNaN, c)}, {"np.isinf(c / 0)", func() any { return nx.IsInf(nx.Div(c, 0.)) }},
		{"np.isfinite(c)", one(nx.IsFinite, c)},
	}},
	{"a.real, a.imag, np.conj, lax.complex", []pair{
		{"z.real", one(nx.Real, z)}, {"z.imag", one(nx.Imag, z)}, {"np.conj(z)", one(nx.Conj, z)},
		{"lax.complex(a, b)", two(nx.Complex, a, b)},
	}},
	{"np.angle", []pair{{"np.angle(z)", one(nx.Phase, z)}}},
	{"a.astype(t), a.view(t)", []pair{
		{"a.astype('i4')", func() any { return nx.Cast(a, nx.S32) }},
		{"f.view('i4')", func() any { return nx.Bitcast(f, nx.S32) }},
	}},
	{"ONNX's Cast(saturate=1)", []pair{
		{"np.clip(a * 200, -448, 448).astype(jnp.float8_e4m3fn)  # Cast", func() any {
			return nx.Cast(nx.Mul(a, 200), nx.F8E4M3FN, nx.Saturate)
		}},
	}},
	{"np.where, np.clip", []pair{
		{"np.where(p, v, w)", func() any { return nx.Where(p, v, w) }},
		{"np.clip(a, -1, 2)", func() any { return nx.Clip(a, -1, 2) }},
	}},
	{"jax.nn.one_hot", []pair{{"jax.nn.one_hot(i, 8)", func() any { return nx.OneHot(i, 8, nx.F64) }}}},
}
