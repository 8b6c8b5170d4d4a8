package derivatives_test

import (
	"math"
	"testing"

	"github.com/go-nx/nx/fft"

	"github.com/go-nx/nx"
)

// TestDerivatives compares the derivatives of functions, forward and reverse, with finite
// differences in f64.
func TestDerivatives(t *testing.T) {
	line := nx.New([]float64{0.3, -1.2, 2.5, 0.9, -0.4, 1.7})
	square := nx.New([][]float64{{0.3, -1.2, 2.5}, {0.9, -0.4, 1.7}, {-2.1, 0.6, 1.1}})
	image := nx.Reshape(nx.Sin(nx.Mul(nx.Iota(nx.Shape{36}, nx.F64), 1.7)), 1, 2, 6, 3)
	kernel := nx.Reshape(nx.Cos(nx.Iota(nx.Shape{16}, nx.F64)), 2, 2, 2, 2)
	indices := nx.New([][]int32{{0}, {2}, {-1}})
	cases := map[string]struct {
		x nx.Tensor
		f func(x nx.Tensor) nx.Tensor
	}{
		"Sort":            {square, func(x nx.Tensor) nx.Tensor { return nx.Sort(x, nx.Axis(0), nx.Descending) }},
		"TopK":            {square, func(x nx.Tensor) nx.Tensor { v, _ := nx.TopK(x, 2); return v }},
		"CumSum":          {square, func(x nx.Tensor) nx.Tensor { return nx.CumSum(x, nx.Axis(1)) }},
		"CumSum reversed": {square, func(x nx.Tensor) nx.Tensor { return nx.CumSum(x, nx.Reversed) }},
		"CumProd":         {line, func(x nx.Tensor) nx.Tensor { return nx.CumProd(x) }},
		"CumMax":          {line, func(x nx.Tensor) nx.Tensor { return nx.CumMax(x) }},
		"CumMin":          {line, func(x nx.Tensor) nx.Tensor { return nx.CumMin(x, nx.Reversed) }},
		"Diff":            {line, func(x nx.Tensor) nx.Tensor { return nx.Diff(x, 2) }},
		"WindowSum": {square,
			func(x nx.Tensor) nx.Tensor { return nx.WindowSum(x, []int{2, 2}, nx.Same(), nx.Strides(2, 1)) }},
		"WindowProd": {square, func(x nx.Tensor) nx.Tensor { return nx.WindowProd(x, []int{2, 2}) }},
		"WindowMax": {square, func(x nx.Tensor) nx.Tensor {
			return nx.WindowMax(x, []int{2, 2}, nx.Padding([2]int{1, 0}, [2]int{0, 1}))
		}},
		"WindowMax spread": {square, func(x nx.Tensor) nx.Tensor {
			return nx.WindowMax(x, []int{2, 2}, nx.Dilation(2))
		}},
		"WindowMin":  {square, func(x nx.Tensor) nx.Tensor { return nx.WindowMin(x, []int{1, 3}) }},
		"WindowMean": {square, func(x nx.Tensor) nx.Tensor { return nx.WindowMean(x, []int{2, 2}) }},
		"WindowScatterMax": {nx.New([][]float64{{1, 2}, {3, 4}}),
			func(x nx.Tensor) nx.Tensor { return nx.WindowScatterMax(square, x, 0, []int{2, 2}) }},
		"Reduce": {square,
			func(x nx.Tensor) nx.Tensor { return nx.Reduce(x, 1, nx.Mul[nx.Tensor, nx.Tensor], nx.Axis(1)) }},
		"Conv input": {image, func(x nx.Tensor) nx.Tensor { return nx.Conv(x, kernel, nx.Same(), nx.Strides(2, 1)) }},
		"Conv kernel": {kernel, func(k nx.Tensor) nx.Tensor {
			return nx.Conv(image, k, nx.InputDilation(2), nx.Dilation(1, 2), nx.Padding([2]int{1, 0}, [2]int{-1, 1}))
		}},
		"Conv groups": {image,
			func(x nx.Tensor) nx.Tensor { return nx.Conv(x, nx.Reshape(kernel, 4, 1, 2, 2), nx.FeatureGroups(2)) }},
		"FFT":   {square, func(x nx.Tensor) nx.Tensor { return nx.Real(fft.FFT(x, nx.Axis(0), fft.Length(5))) }},
		"IFFT2": {square, func(x nx.Tensor) nx.Tensor { return nx.Imag(fft.IFFT2(nx.Mul(x, 1+2i))) }},
		"RFFT":  {line, func(x nx.Tensor) nx.Tensor { return nx.Imag(fft.RFFT(x)) }},
		"IRFFT": {line, func(x nx.Tensor) nx.Tensor { return fft.IRFFT(nx.Mul(x, 1-1i)) }},
		"TakeAlong": {square,
			func(x nx.Tensor) nx.Tensor { return nx.TakeAlong(x, nx.New([][]int32{{0, 2, -1}}), nx.Axis(0)) }},
		"Gather":      {square, func(x nx.Tensor) nx.Tensor { return nx.Gather(x, indices, nx.Axis(1)) }},
		"AddGather":   {square, func(x nx.Tensor) nx.Tensor { return nx.AddGather(square, indices, nx.Exp(x)) }},
		"SetGather":   {square, func(x nx.Tensor) nx.Tensor { return nx.SetGather(nx.Exp(x), indices, nx.Sin(x)) }},
		"SegmentSum":  {square, func(x nx.Tensor) nx.Tensor { return nx.SegmentSum(x, nx.New([]int32{1, 5, 1}), 3) }},
		"SegmentProd": {square, func(x nx.Tensor) nx.Tensor { return nx.SegmentProd(x, nx.New([]int32{1, 5, 1}), 3) }},
		"SegmentMax":  {square, func(x nx.Tensor) nx.Tensor { return nx.SegmentMax(x, nx.New([]int32{1, 0, 1}), 2) }},
		"SegmentMin":  {square, func(x nx.Tensor) nx.Tensor { return nx.SegmentMin(x, nx.New([]int32{1, 0, 1}), 2) }},
		"SegmentMean": {square, func(x nx.Tensor) nx.Tensor { return nx.SegmentMean(x, nx.New([]int32{1, 5, 1}), 3) }},
		"WeightedBincount": {line, func(x nx.Tensor) nx.Tensor {
			return nx.WeightedBincount(nx.New([]int32{1, 0, 1, 4, 3, 1}), x, 4)
		}},
		"GammaInc": {line, func(x nx.Tensor) nx.Tensor { return nx.GammaInc(nx.Exp(x), nx.Square(x)) }},
		"BetaInc": {line, func(x nx.Tensor) nx.Tensor {
			return nx.BetaInc(nx.Exp(x), nx.Exp(nx.Neg(x)), nx.Sigmoid(x))
		}},
		"LogAddExp": {line, func(x nx.Tensor) nx.Tensor { return nx.LogAddExp(x, nx.Sin(x)) }},
		"BesselI0":  {line, nx.BesselI0}, "BesselI1": {line, nx.BesselI1}, "BesselI1e": {line, nx.BesselI1e},
		"Einsum of the rest": {square, func(x nx.Tensor) nx.Tensor {
			return nx.Einsum("i...,...->i", x, nx.Exp(x))
		}},
		"Roll":        {square, func(x nx.Tensor) nx.Tensor { return nx.Roll(x, -2, nx.Axis(1)) }},
		"Repeat":      {square, func(x nx.Tensor) nx.Tensor { return nx.Repeat(x, 3, nx.Axis(1)) }},
		"Diagonal":    {square, func(x nx.Tensor) nx.Tensor { return nx.Diagonal(x, -1) }},
		"Diag":        {line, func(x nx.Tensor) nx.Tensor { return nx.Diag(x, 2) }},
		"SetDiagonal": {square, func(x nx.Tensor) nx.Tensor { return nx.SetDiagonal(x, nx.Exp(x.At(0, nx.To(2))), 1) }},
		"PadWith": {square,
			func(x nx.Tensor) nx.Tensor { return nx.PadWith(x, nx.PadReflect, [2]int{2, 4}, [2]int{0, 1}) }},
		"PadInterior": {square,
			func(x nx.Tensor) nx.Tensor { return nx.PadInterior(x, 1, []int{1, 0}, [2]int{-1, 2}, [2]int{0, 0}) }},
		"Median": {line, func(x nx.Tensor) nx.Tensor { return nx.Median(x) }},
		"Median of some": {line, func(x nx.Tensor) nx.Tensor {
			return nx.Median(nx.Where(nx.Less(x, 0), math.NaN(), x), nx.SkipNaN)
		}},
		"Quantile of some": {square, func(x nx.Tensor) nx.Tensor {
			return nx.Quantile(nx.Where(nx.Less(x, 0), math.NaN(), x), 0.3, nx.Axis(0), nx.SkipNaN)
		}},
		"Quantile":     {square, func(x nx.Tensor) nx.Tensor { return nx.Quantile(x, 0.3, nx.Axis(0)) }},
		"WeightedMean": {square, func(x nx.Tensor) nx.Tensor { return nx.WeightedMean(x, nx.Square(x), nx.Axis(0)) }},
		"Cov":          {square, func(x nx.Tensor) nx.Tensor { return nx.Cov(x, nx.DDOF(1)) }},
		"Log2":         {nx.Exp(line), nx.Log2}, "Log10": {nx.Exp(line), nx.Log10},
		"Softplus": {line, nx.Softplus}, "Silu": {line, nx.Silu}, "Gelu": {line, nx.Gelu},
		"GeluTanh":     {line, nx.GeluTanh},
		"Slice":        {square, func(x nx.Tensor) nx.Tensor { return nx.Slice(x, []int{1, -9}, []int{2, 2}) }},
		"CrossEntropy": {square, func(x nx.Tensor) nx.Tensor { return nx.CrossEntropy(x, nx.New([]int32{2, 0, 1})) }},
		"SoftCrossEntropy": {square, func(x nx.Tensor) nx.Tensor {
			return nx.SoftCrossEntropy(x, nx.Square(nx.Cos(x)))
		}},
		"LayerNorm":         {square, func(x nx.Tensor) nx.Tensor { return nx.LayerNorm(x, 1e-5) }},
		"WeightedLogSumExp": {line, func(x nx.Tensor) nx.Tensor { return nx.WeightedLogSumExp(x, nx.Exp(nx.Sin(x))) }},
		"DotGeneral": {square, func(x nx.Tensor) nx.Tensor {
			return nx.DotGeneral(x, x, nx.DotDims{ContractA: []int{0}, ContractB: []int{1}})
		}},
		"Phase": {line, func(x nx.Tensor) nx.Tensor { return nx.Phase(nx.Complex(x, nx.Cos(x))) }},
		"Vectorize": {square,
			func(x nx.Tensor) nx.Tensor { return nx.Devectorize(nx.CumSum(nx.Sort(nx.Vectorize(x, "row")))) }},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			direction := nx.Cos(nx.Add(nx.Mul(c.x, 3), nx.Iota(c.x.Shape(), nx.F64)))
			_, forward := nx.JVP(c.f, c.x, direction)
			const h = 1e-6
			moved := func(h float64) nx.Tensor { return c.f(nx.Add(c.x, nx.Mul(direction, h))) }
			finite := nx.Div(nx.Sub(moved(h), moved(-h)), 2*h)
			if !nx.Item[bool](nx.AllClose(forward, finite, nx.Tolerance(1e-5, 1e-7))) {
				t.Errorf("the derivative is\n%v\nfinite differences are\n%v", forward, finite)
			}
			y, pull := nx.VJP(c.f, c.x)
			cotangent := nx.Sin(nx.Add(nx.Iota(y.Shape(), nx.F64), 1))
			reverse := nx.Sum(nx.Mul(pull(cotangent), direction))
			want := nx.Sum(nx.Mul(cotangent, forward))
			if math.Abs(nx.Item[float64](nx.Sub(reverse, want))) > 1e-9*(1+math.Abs(nx.Item[float64](want))) {
				t.Errorf("the reverse derivative gives %v, the forward one %v", reverse, want)
			}
			if compiled := nx.Jit(c.f)(c.x); !nx.Item[bool](nx.AllClose(compiled, y, nx.Tolerance(1e-12, 1e-12))) {
				t.Errorf("compiled %v, at once %v", compiled, y)
			}
		})
	}
}
