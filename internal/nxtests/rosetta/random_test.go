package rosetta_test

import (
	"github.com/go-nx/nx"
	"github.com/go-nx/nx/random"
)

var five, many = nx.Shape{5}, nx.Shape{3, 4}

// drawn wraps a function that draws numbers of type f32, as JAX does without jax_enable_x64.
func drawn(f func(key nx.Tensor, shape nx.Shape, d nx.DType) nx.Tensor) func() any {
	return func() any { return f(key, many, nx.F32) }
}

// drawnBy is drawn of functions with a parameter.
func drawnBy(f func(key nx.Tensor, param float64, shape nx.Shape, d nx.DType) nx.Tensor, param float64) func() any {
	return func() any { return f(key, param, many, nx.F32) }
}

// drawnByTwo is drawn of functions with two parameters.
func drawnByTwo(f func(key nx.Tensor, a, b float64, shape nx.Shape, d nx.DType) nx.Tensor, a, b float64) func() any {
	return func() any { return f(key, a, b, many, nx.F32) }
}

var randomNumbers = []row{
	{"jax.random.key, split, fold_in, bits", []pair{
		{"bits_of(jax.random.key(42))", func() any { return random.Key(42) }},
		{"bits_of(jax.random.split(key, 3))", func() any { return random.Split(key, 3) }},
		{"bits_of(jax.random.fold_in(key, 7))", func() any { return random.FoldIn(key, 7) }},
		{"jax.random.bits(key, (5,), 'u4')", func() any { return random.Bits(key, five) }},
	}},
	{"flax.nnx.Rngs(0)(), a Generator with a state", []pair{
		{"(lambda rngs: [bits_of(rngs()), bits_of(rngs())])(flax.nnx.Rngs(key))  # jax.random.Generator", func() any {
			keys := random.Stream(key)
			return list(keys.Next(), keys.Next())
		}},
	}},
	{"jax_threefry_partitionable", []pair{
		{"partitionable(lambda: jax.random.uniform(key, (5,), 'f4'))  # jax_threefry_partitionable",
			func() any { return random.Uniform(random.Partitionable(key), 0, 1, five, nx.F32) }},
	}},
	{"jax.random.uniform, normal, randint", []pair{
		{"jax.random.uniform(key, (3, 4), minval=-1, maxval=2)", drawnByTwo(random.Uniform, -1, 2)},
		{"jax.random.normal(key, (3, 4)) * 0.5 + 2", drawnByTwo(random.Normal, 2, 0.5)},
		{"partitionable(lambda: jax.random.randint(key, (5,), -3, 9))", func() any {
			return random.RandInt(random.Partitionable(key), -3, 9, five, nx.S32)
		}},
	}},
	{"jax.random.permutation, choice", []pair{
		{"jax.random.permutation(key, a, 1, independent=True)", func() any {
			return random.Permutation(key, a, 1, true)
		}},
		{"jax.random.permutation(key, v)", func() any { return random.Permutation(key, v, 0, false) }},
		{"jax.random.choice(key, v, (3,), replace=False)", func() any {
			return random.Choice(key, v, 3, false, nx.Tensor{})
		}},
		{"jax.random.choice(key, v, (9,), p=w / w.sum())", func() any {
			return random.Choice(key, v, 9, true, nx.Cast(w, nx.F32))
		}},
	}},
	{"jax.random.gumbel, multivariate_normal", []pair{
		{"jax.random.gumbel(key, (3, 4))", drawn(random.Gumbel)},
		{"jax.random.multivariate_normal(key, v[:3], e, (4,))", func() any {
			mean := nx.Cast(v.At(nx.To(3)), nx.F32)
			return random.MultivariateNormal(key, mean, nx.Cast(e, nx.F32), nx.Shape{4}, nx.F32)
		}},
	}},
	{"jax.random.categorical, bernoulli, exponential", []pair{
		{"jax.random.categorical(key, a, shape=(3, 3))", func() any {
			return random.Categorical(key, nx.Cast(a, nx.F32), nx.Shape{3})
		}},
		{"jax.random.bernoulli(key, 0.3, (3, 4))", func() any { return random.Bernoulli(key, 0.3, many) }},
		{"jax.random.exponential(key, (3, 4))", drawn(random.Exponential)},
	}},
	{"jax.random.gamma, loggamma, beta, dirichlet", []pair{
		{"jax.random.gamma(key, 2.5, (3, 4))", drawnBy(random.Gamma[float64], 2.5)},
		{"jax.random.loggamma(key, 0.5, (3, 4))", drawnBy(random.LogGamma[float64], 0.5)},
		{"jax.random.beta(key, 1.5, 2., (3, 4))", drawnByTwo(random.Beta[float64, float64], 1.5, 2)},
		{"jax.random.dirichlet(key, w, (4,))", func() any {
			return random.Dirichlet(key, nx.Cast(w, nx.F32), nx.Shape{4}, nx.F32)
		}},
	}},
	{"jax.random.poisson, geometric, rademacher", []pair{
		{"jax.random.poisson(key, 3.5, (5,))", func() any { return random.Poisson(key, 3.5, five, nx.S32) }},
		{"jax.random.geometric(key, 0.3, (5,))", func() any { return random.Geometric(key, 0.3, five, nx.S32) }},
		{"jax.random.rademacher(key, (5,))", func() any { return random.Rademacher(key, five, nx.S32) }},
	}},
	{"jax.random.chisquare, t", []pair{
		{"jax.random.chisquare(key, 3., shape=(3, 4))", drawnBy(random.ChiSquare[float64], 3)},
		{"jax.random.t(key, 4., (3, 4))", drawnBy(random.StudentT[float64], 4)},
	}},
	{"jax.random.truncated_normal, lognormal", []pair{
		{"jax.random.truncated_normal(key, -0.5, 2., (3, 4))", drawnByTwo(random.TruncatedNormal, -0.5, 2)},
		{"jax.random.lognormal(key, 0.7, (3, 4))", drawnBy(random.LogNormal, 0.7)},
	}},
	{"jax.random.binomial, multinomial", []pair{
		{"jax.random.binomial(key, 20., 0.3, (5,)).astype(int)", func() any {
			return random.Binomial(key, 20, 0.3, five, nx.S32)
		}},
		{"jax.random.multinomial(key, 20., jnp.array([0.2, 0.3, 0.5]), shape=(3,)).astype(int)", func() any {
			return random.Multinomial(key, 20, nx.New([]float32{0.2, 0.3, 0.5}), nil, nx.S32)
		}},
	}},
	{"jax.random.pareto, rayleigh, triangular, weibull_min", []pair{
		{"jax.random.pareto(key, 2., (3, 4))", drawnBy(random.Pareto[float64], 2)},
		{"jax.random.rayleigh(key, 1.5, (3, 4))", drawnBy(random.Rayleigh[float64], 1.5)},
		{"jax.random.triangular(key, -1., 0.5, 2., (3, 4))", func() any {
			return random.Triangular(key, -1., 0.5, 2., many, nx.F32)
		}},
		{"jax.random.weibull_min(key, 2., 1.5, (3, 4))", drawnByTwo(random.WeibullMin[float64, float64], 2, 1.5)},
	}},
	{"jax.random.maxwell, double_sided_maxwell, wald", []pair{
		{"jax.random.maxwell(key, (3, 4))", drawn(random.Maxwell)},
		{"jax.random.double_sided_maxwell(key, 0.5, 2., (3, 4))",
			drawnByTwo(random.DoubleSidedMaxwell[float64, float64], 0.5, 2)},
		{"jax.random.wald(key, 1.5, (3, 4))", drawnBy(random.Wald[float64], 1.5)},
	}},
	{"jax.random.generalized_normal, ball, orthogonal, f", []pair{
		{"jax.random.generalized_normal(key, 1.5, (3, 4))", drawnBy(random.GeneralizedNormal[float64], 1.5)},
		{"jax.random.ball(key, 3, 2., (4,))", func() any { return random.Ball(key, 3, 2, nx.Shape{4}, nx.F32) }},
		{"jax.random.orthogonal(key, 3)", func() any { return random.Orthogonal(key, 3, 3, nil, nx.F32) }},
		{"jax.random.f(key, 4., 6., (3, 4))", drawnByTwo(random.FisherF[float64, float64], 4, 6)},
	}},
	{"jax.random.laplace, logistic, cauchy", []pair{
		{"jax.random.laplace(key, (3, 4))", drawn(random.Laplace)},
		{"jax.random.logistic(key, (3, 4))", drawn(random.Logistic)},
		{"jax.random.cauchy(key, (3, 4))", drawn(random.Cauchy)},
	}},
}
