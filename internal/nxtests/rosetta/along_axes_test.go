package rosetta_test

import (
	"math"
	"testing"

	"github.com/go-nx/nx"
	"github.com/go-nx/nx/fft"
)

// reduced is the sum, product and so on of rows, and of all.
func reduced(f func(t nx.Tensor, opts ...nx.ReduceOption) nx.Tensor, t nx.Tensor) func() any {
	return func() any { return list(f(t, nx.Axis(1)), f(t)) }
}

// varied is reduced of functions that take more options.
func varied(f func(t nx.Tensor, opts ...nx.VarOption) nx.Tensor, t nx.Tensor) func() any {
	return func() any { return list(f(t, nx.Axis(1)), f(t, nx.DDOF(1))) }
}

// ignoring is reduced without NaN.
func ignoring(f func(t nx.Tensor, opts ...nx.ReduceOption) nx.Tensor, t nx.Tensor) func() any {
	return func() any { return list(f(t, nx.Axis(0), nx.SkipNaN), f(t, nx.SkipNaN, nx.KeepAxes)) }
}

var alongAxes = []row{
	{"a.sum(axis), a.prod(axis)", []pair{
		{"[a.sum(1), a.sum()]", reduced(nx.Sum, a)}, {"[a.prod(1), a.prod()]", reduced(nx.Prod, a)},
		{"d.sum(dtype='u4')", func() any { return nx.Sum(d) }},
	}},
	{"a.mean(axis), a.var(axis), a.std(axis)", []pair{
		{"[a.mean(1), a.mean()]", reduced(nx.Mean, a)}, {"[a.var(1), a.var(ddof=1)]", varied(nx.Var, a)},
		{"[a.std(1), a.std(ddof=1)]", varied(nx.Std, a)},
		{"i.mean()", func() any { return nx.Mean(nx.Cast(i, nx.F64)) }},
	}},
	{"a.max(axis), a.min(axis)", []pair{
		{"[c.max(1), c.max()]", reduced(nx.Max, c)}, {"[a.min(1), a.min()]", reduced(nx.Min, a)},
	}},
	{"a.argmax(axis), a.argmin(axis)", []pair{
		{"[c.argmax(1), c.argmax()]", reduced(nx.ArgMax, c)}, {"[a.argmin(1), a.argmin()]", reduced(nx.ArgMin, a)},
	}},
	{"a.all(axis), a.any(axis)", []pair{
		{"[(a > 0).all(1), (a > 0).all()]", reduced(nx.All, nx.Greater(a, 0))},
		{"[(a > 3).any(1), (a > 3).any()]", reduced(nx.Any, nx.Greater(a, 3))},
	}},
	{"np.nansum, nanprod, nanmean, nanvar, nanstd", []pair{
		{"[np.nansum(c, 0), np.nansum(c, keepdims=True)]", ignoring(nx.Sum, c)},
		{"[np.nanprod(c, 0), np.nanprod(c, keepdims=True)]", ignoring(nx.Prod, c)},
		{"[np.nanmean(c, 0), np.nanmean(c, keepdims=True)]", ignoring(nx.Mean, c)},
		{"np.nanvar(c, 1)", func() any { return nx.Var(c, nx.Axis(1), nx.SkipNaN) }},
		{"np.nanstd(c, 1)", func() any { return nx.Std(c, nx.Axis(1), nx.SkipNaN) }},
	}},
	{"np.nanmax, nanmin, nanargmax, nanargmin", []pair{
		{"[np.nanmax(c, 0), np.nanmax(c, keepdims=True)]", ignoring(nx.Max, c)},
		{"[np.nanmin(c, 0), np.nanmin(c, keepdims=True)]", ignoring(nx.Min, c)},
		{"[np.nanargmax(c, 0), np.nanargmax(c, keepdims=True)]", ignoring(nx.ArgMax, c)},
		{"[np.nanargmin(c, 0), np.nanargmin(c, keepdims=True)]", ignoring(nx.ArgMin, c)},
		{"jnp.nanargmax(v * np.nan)", func() any {
			return nx.ArgMax(nx.FullLike(v, nan), nx.SkipNaN)
		}},
	}},
	{"np.nanmedian, nanquantile, nancumsum, nancumprod", []pair{
		{"[np.nanmedian(c, 0), np.nanmedian(c, keepdims=True)]", ignoring(nx.Median, c)},
		{"np.nanquantile(c, 0.3, 1)", func() any { return nx.Quantile(c, 0.3, nx.Axis(1), nx.SkipNaN) }},
		{"np.nancumsum(c, 1)", func() any { return nx.CumSum(c, nx.Axis(1), nx.SkipNaN) }},
		{"np.nancumprod(c, 1)", func() any { return nx.CumProd(c, nx.Axis(1), nx.SkipNaN) }},
	}},
	{"jax.nn.logsumexp, softmax, log_softmax", []pair{
		{"[jax.nn.logsumexp(a, 1), jax.nn.logsumexp(a)]", reduced(nx.LogSumExp, a)},
		{"jax.nn.softmax(a)", func() any { return nx.Softmax(a) }},
		{"jax.nn.log_softmax(a, 0)", func() any { return nx.LogSoftmax(a, nx.Axis(0)) }},
	}},
	{"np.logaddexp", []pair{{"np.logaddexp(a, c)", func() any { return nx.LogAddExp(a, c) }}}},
	{"jax.nn.logsumexp(a, b=w)", []pair{
		{"jax.nn.logsumexp(v, b=w)", func() any { return nx.WeightedLogSumExp(v, w) }},
	}},
	{"jax.nn.standardize, optax.softmax_cross_entropy_with_integer_labels", []pair{
		{"jax.nn.standardize(a, epsilon=1e-5)", func() any { return nx.LayerNorm(a, 1e-5) }},
		{"optax.softmax_cross_entropy_with_integer_labels(a, k[:3])", func() any {
			return nx.CrossEntropy(a, k.At(nx.To(3)))
		}},
	}},
	{"optax.softmax_cross_entropy", []pair{{"optax.softmax_cross_entropy(a, b)", two(nx.SoftCrossEntropy, a, b)}}},
	{"np.median, scipy.stats.mode, np.quantile", []pair{
		{"[np.median(a, 1), np.median(a)]", reduced(nx.Median, a)}, {"np.median(c, 1)", func() any {
			return nx.Median(c, nx.Axis(1))
		}},
		{"scipy.stats.mode(j).mode", func() any { return nx.Mode(j) }},
		{"np.quantile(a, 0.3, 1)", func() any { return nx.Quantile(a, 0.3, nx.Axis(1)) }},
	}},
	{"np.average(a, weights=w), np.cov", []pair{
		{"np.average(v, weights=w)", two(func(a, b nx.Tensor) nx.Tensor { return nx.WeightedMean(a, b) }, v, w)},
		{"np.cov(a, rowvar=False)", func() any { return nx.Cov(a, nx.DDOF(1)) }},
		{"(a - b[0]).T @ (a - b[0]) / 3", func() any { return nx.Cov(a, nx.Around(b.At(0))) }},
	}},
	{"np.histogram", []pair{
		{"np.histogram(v, 4, (-1, 3))[0]", func() any { return nx.Histogram(v, 4, -1, 3) }},
	}},
	{"np.sort, np.argsort, lax.top_k", []pair{
		{"np.sort(c)", func() any { return nx.Sort(c) }},
		{"np.argsort(v, kind='stable')", func() any { return nx.ArgSort(v) }},
		{"np.sort(a, 0)[::-1]", func() any { return nx.Sort(a, nx.Axis(0), nx.Descending) }},
		{"lax.top_k(v, 3)", func() any {
			values, at := nx.TopK(v, 3)
			return list(values, at)
		}},
	}},
	{"np.searchsorted, torch.bucketize", []pair{
		{"np.searchsorted(np.sort(v), w)  # torch.bucketize(w, v.sort()[0])", func() any {
			return nx.SearchSorted(nx.Sort(v), w)
		}},
		{"np.searchsorted(np.sort(v), w, side='right')", func() any {
			return nx.SearchSorted(nx.Sort(v), w, nx.Right)
		}},
	}},
	{"np.digitize(x, bins), right=True", []pair{
		{"np.digitize(w, np.sort(v))", func() any { return nx.Digitize(w, nx.Sort(v)) }},
		{"np.digitize(w, np.sort(v)[::-1], right=True)", func() any {
			return nx.Digitize(w, nx.Sort(v, nx.Descending), nx.Right)
		}},
	}},
	{"jnp.bincount(x, length=n), weights=w", []pair{
		{"jnp.bincount(k, length=5)", func() any { return nx.Bincount(k, 5) }},
		{"jnp.bincount(k, weights=w, length=3)", func() any { return nx.WeightedBincount(k, w, 3) }},
	}},
	{"lax.cumsum, cumprod, cummax, cummin, np.diff", []pair{
		{"lax.cumsum(a)", func() any { return nx.CumSum(a) }}, {"lax.cumprod(a, 1)", func() any {
			return nx.CumProd(a, nx.Axis(1))
		}},
		{"lax.cummax(c, 1)", func() any { return nx.CumMax(c, nx.Axis(1)) }},
		{"lax.cummin(a, 1, reverse=True)", func() any { return nx.CumMin(a, nx.Axis(1), nx.Reversed) }},
		{"np.diff(a, 2)", func() any { return nx.Diff(a, 2) }},
	}},
	{"lax.reduce", []pair{
		{"lax.reduce(a, 1., lambda x, y: x * y, (1,))", func() any {
			return nx.Reduce(a, 1, func(acc, x nx.Tensor) nx.Tensor { return nx.Mul(acc, x) }, nx.Axis(1))
		}},
	}},
	{"np.fft.fft, ifft, rfft, irfft", []pair{
		{"np.fft.fft(a)", func() any { return fft.FFT(a) }}, {"np.fft.ifft(z, 8)", func() any {
			return fft.IFFT(z, fft.Length(8))
		}},
		{"np.fft.rfft(a, axis=0)", func() any { return fft.RFFT(a, nx.Axis(0)) }},
		{"np.fft.irfft(z)", func() any { return fft.IRFFT(z) }},
	}},
	{"np.fft.fft2, ifft2, fftn, ifftn", []pair{
		{"np.fft.fft2(x)", func() any { return fft.FFT2(x) }}, {"np.fft.ifft2(x, (4, 8))", func() any {
			return fft.IFFT2(x, fft.Length(4, 8))
		}},
		{"np.fft.fftn(x)", func() any { return fft.FFTN(x) }}, {"np.fft.ifftn(a)", func() any { return fft.IFFTN(a) }},
	}},
	{"np.fft.fftshift, ifftshift, fftfreq, rfftfreq", []pair{
		{"np.fft.fftshift(a)", func() any { return fft.Shift(a) }}, {"np.fft.ifftshift(a, 0)", func() any {
			return fft.IShift(a, nx.Axis(0))
		}},
		{"np.fft.fftfreq(5, 0.1)", func() any { return fft.Freq(5, 0.1, nx.F64) }},
		{"np.fft.rfftfreq(6, 0.5)", func() any { return fft.RFreq(6, 0.5, nx.F64) }},
	}},
}

// TestMedianRules: what docs/rosetta.md says of a median that differs.
func TestMedianRules(t *testing.T) {
	huge := nx.Median(nx.New([]float64{math.MaxFloat64, math.MaxFloat64}))
	if got := nx.Item[float64](huge); got != math.MaxFloat64 {
		t.Errorf("the median of two huge numbers is %v", got)
	}
	for _, x := range []nx.Tensor{i, p} {
		if got := nx.Median(x).DType(); got != x.DType() {
			t.Errorf("the median of 5 elements of %v is %v", x.DType(), got)
		}
		if got := nx.Median(x.At(nx.To(4))).DType(); got != nx.F32 {
			t.Errorf("the median of 4 elements of %v is %v", x.DType(), got)
		}
	}
	for _, x := range []nx.Tensor{nx.Zeros(nx.Shape{0}, nx.F64), z} {
		err := func() (err error) {
			defer nx.Catch(&err)
			nx.Median(x)
			return nil
		}()
		if err == nil {
			t.Errorf("%v has a median", x.Spec())
		}
	}
}
