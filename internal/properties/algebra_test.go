package properties

import (
	"fmt"
	"math"
	"math/cmplx"
	"slices"
	"strings"
	"testing"

	"github.com/go-nx/nx/fft"

	"github.com/go-nx/nx"
	"pgregory.net/rapid"
)

// TestFFT: Parseval, the inverse, the definition, real transforms, and the theorem of
// convolution, for all lengths up to 40.
func TestFFT(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 40).Draw(t, "n")
		x, y := numbers(t, nx.C128, n), numbers(t, nx.C128, n)
		f := fft.FFT(x)
		tol := 1e-13 * float64(n) * (1 + norm(x)) * (1 + norm(y))
		if a, b := norm(f), norm(x)*math.Sqrt(float64(n)); math.Abs(a-b) > tol {
			t.Fatalf("‖FFT(x)‖ = %v, √n·‖x‖ = %v", a, b)
		}
		near(t, "inverse", fft.IFFT(f), x, tol)
		want, data := make([]complex128, n), nx.Data[complex128](x)
		for k := range want {
			for j, v := range data {
				want[k] += v * cmplx.Rect(1, -2*math.Pi*float64(j*k%n)/float64(n))
			}
		}
		near(t, "definition", f, nx.New(want), tol)
		other := nx.Data[complex128](y)
		for k := range want {
			want[k] = 0
			for j, v := range data {
				want[k] += v * other[(k-j+n)%n]
			}
		}
		near(t, "convolution", fft.IFFT(nx.Mul(f, fft.FFT(y))), nx.New(want), tol)
		re := nx.Real(x)
		near(t, "RFFT", fft.RFFT(re), fft.FFT(re).At(nx.To(n/2+1)), tol)
		near(t, "IRFFT", fft.IRFFT(fft.RFFT(re), fft.Length(n)), re, tol)
		near(t, "f32", nx.Cast(fft.FFT(nx.Cast(x, nx.C64)), nx.C128), f, 4e-7*math.Log2(float64(2*n))*(1+norm(f)))
	})
}

// TestSort: a permutation, in order, stable, with NaN last; TopK is its beginning.
func TestSort(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		values := rapid.SliceOfN(rapid.SampledFrom([]float64{-2, -1, 0, 1, 1.5, 3, math.Inf(1), math.Inf(-1),
			math.NaN()}), 1,
			50).Draw(t, "x")
		d := dtypeOf(t, []nx.DType{nx.F16, nx.BF16, nx.F32, nx.F64})
		x := nx.Cast(nx.New(values), d)
		n := len(values)
		order := nx.Data[int](nx.ArgSort(x))
		sorted := nx.Data[float64](nx.Sort(x))
		seen := make([]bool, n)
		for i, k := range order {
			if seen[k] {
				t.Fatalf("%v is not a permutation", order)
			}
			seen[k] = true
			if v := values[k]; v != sorted[i] && (v == v || sorted[i] == sorted[i]) {
				t.Fatalf("ArgSort and Sort disagree: %v, %v", order, sorted)
			}
			if i == 0 {
				continue
			}
			a, b := sorted[i-1], sorted[i]
			if a > b || a != a && b == b || (a == b || a != a && b != b) && order[i-1] > k {
				t.Fatalf("%v by %v is not in order, or not stable", sorted, order)
			}
		}
		k := rapid.IntRange(1, n).Draw(t, "k")
		top, at := nx.TopK(x, k)
		down := nx.Sort(x, nx.Descending).At(nx.To(k))
		if a, b := fmt.Sprint(nx.Data[float64](top)), fmt.Sprint(nx.Data[float64](down)); a != b {
			t.Fatalf("TopK is %s, the sorted ones begin with %s", a, b)
		}
		if a, b := fmt.Sprint(nx.Data[float64](nx.Take(x, at))), fmt.Sprint(nx.Data[float64](top)); a != b {
			t.Fatalf("the elements of TopK's indices are %s, not %s", a, b)
		}
	})
}

// TestConv: linear in both operands, and equal to sums over all positions.
func TestConv(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := dtypeOf(t, []nx.DType{nx.F32, nx.F64, nx.C128})
		batch, in, out := rapid.IntRange(1, 2).Draw(t, "batch"), rapid.IntRange(1, 3).Draw(t, "in"),
			rapid.IntRange(1, 3).Draw(t, "out")
		n, k := rapid.IntRange(1, 8).Draw(t, "n"), rapid.IntRange(1, 4).Draw(t, "k")
		stride, dilation := rapid.IntRange(1, 3).Draw(t, "stride"), rapid.IntRange(1, 3).Draw(t, "dilation")
		lo, hi := rapid.IntRange(0, 4).Draw(t, "lo"), rapid.IntRange(0, 4).Draw(t, "hi")
		m := (n+lo+hi-(k-1)*dilation-1)/stride + 1
		if n+lo+hi-(k-1)*dilation-1 < 0 {
			t.Skip("no place for the kernel")
		}
		x, y, w := integers(t, d, batch, in, n), integers(t, d, batch, in, n), integers(t, d, out, in, k)
		conv := func(x, w nx.Tensor) nx.Tensor {
			return nx.Conv(x, w, nx.Strides(stride), nx.Dilation(dilation), nx.Padding([2]int{lo, hi}))
		}
		equal(t, "linear in the input", conv(nx.Add(nx.Mul(x, 3), y), w), nx.Add(nx.Mul(conv(x, w), 3), conv(y, w)))
		equal(t, "linear in the kernel", conv(x, nx.Mul(w, -2)), nx.Mul(conv(x, w), -2))
		xs, ws := nx.Data[complex128](x), nx.Data[complex128](w)
		want := make([]complex128, batch*out*m)
		for i := range want {
			b, o, at := i/(out*m), i/m%out, i%m
			for c := range in {
				for tap := range k {
					if p := at*stride + tap*dilation - lo; p >= 0 && p < n {
						want[i] += xs[(b*in+c)*n+p] * ws[(o*in+c)*k+tap]
					}
				}
			}
		}
		equal(t, "definition", conv(x, w), nx.Cast(nx.FromSlice(want, nx.Shape{batch, out, m}), d))
	})
}

// TestCumulative: sums and differences are inverse, either way along any axis.
func TestCumulative(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := shapeOf(t, 1, 3)
		axis := rapid.IntRange(0, len(s)-1).Draw(t, "axis")
		x := integers(t, dtypeOf(t, exact), s...)
		lohi := make([][2]int, len(s))
		lohi[axis] = [2]int{1, 0}
		sums := nx.CumSum(x, nx.Axis(axis))
		equal(t, "Diff of CumSum", nx.Diff(nx.Pad(sums, 0, lohi...), 1, nx.Axis(axis)), x)
		equal(t, "reversed", nx.CumSum(x, nx.Axis(axis), nx.Reversed),
			nx.Reverse(nx.CumSum(nx.Reverse(x, nx.Axis(axis)), nx.Axis(axis)), nx.Axis(axis)))
		last := nx.Take(sums, nx.New([]int{s[axis] - 1}), nx.Axis(axis))
		equal(t, "the last is the sum", last, nx.Cast(nx.Sum(x, nx.Axis(axis), nx.KeepAxes), x.DType()))
		if !x.DType().IsComplex() {
			most := nx.CumMax(x, nx.Axis(axis))
			equal(t, "CumMax of itself", nx.CumMax(most, nx.Axis(axis)), most)
			equal(t, "CumMin", nx.CumMin(x, nx.Axis(axis)), nx.Neg(nx.CumMax(nx.Neg(x), nx.Axis(axis))))
		}
	})
}

// TestRearranging: permutations of axes and elements and their inverses.
func TestRearranging(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := shapeOf(t, 1, 4)
		x := integers(t, dtypeOf(t, exact), s...)
		axis := rapid.IntRange(0, len(s)-1).Draw(t, "axis")
		order := make([]int, len(s))
		for i := range order {
			order[i] = i
		}
		order = rapid.Permutation(order).Draw(t, "order")
		back := make([]int, len(s))
		for i, a := range order {
			back[a] = i
		}
		equal(t, "Transpose and back", nx.Transpose(nx.Transpose(x, nx.Axis(order...)), nx.Axis(back...)), x)
		equal(t, "Reverse twice", nx.Reverse(nx.Reverse(x, nx.Axis(axis)), nx.Axis(axis)), x)
		shift := rapid.IntRange(-9, 9).Draw(t, "shift")
		equal(t, "Roll and back", nx.Roll(nx.Roll(x, shift, nx.Axis(axis)), -shift, nx.Axis(axis)), x)
		equal(t, "Flatten and Reshape", nx.Reshape(nx.Flatten(x), s...), x)
		at := rapid.IntRange(0, s[axis]).Draw(t, "at")
		equal(t, "Split and Concatenate", nx.Concatenate(nx.Split(x, []int{at, s[axis] - at},
			nx.Axis(axis)), nx.Axis(axis)),
			x)
		lohi, crop := make([][2]int, len(s)), make([][2]int, len(s))
		for i := range lohi {
			lohi[i] = [2]int{rapid.IntRange(0, 2).Draw(t, "lo"), rapid.IntRange(0, 2).Draw(t, "hi")}
			crop[i] = [2]int{-lohi[i][0], -lohi[i][1]}
		}
		equal(t, "Pad and crop", nx.Pad(nx.Pad(x, 7, lohi...), 7, crop...), x)
		index := nx.New(rapid.SliceOfN(rapid.IntRange(0, s[axis]-1), 1, 5).Draw(t, "index"))
		taken := nx.Take(x, index, nx.Axis(axis))
		equal(t, "Take by products", nx.Cast(taken, nx.C128), takeByProduct(nx.Cast(x, nx.C128), index, axis))
	})
}

// takeByProduct multiplies by rows of the unit matrix.
func takeByProduct(x, index nx.Tensor, axis int) nx.Tensor {
	n := x.Shape()[axis]
	unit := nx.Cast(nx.Equal(nx.ExpandAxis(index, nx.Axis(-1)), nx.Iota(nx.Shape{n}, nx.S32)), nx.C128)
	r := nx.DotGeneral(unit, x, nx.DotDims{ContractA: []int{1}, ContractB: []int{axis}})
	order := make([]int, 0, x.Rank())
	for i := range x.Rank() - 1 {
		order = append(order, i+1)
	}
	return nx.Transpose(r, nx.Axis(slices.Insert(order, axis, 0)...))
}

// TestEinsum: sums over loops, for up to three operands.
func TestEinsum(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		const letters = "abcde"
		sizes := map[byte]int{}
		for i := range letters {
			sizes[letters[i]] = rapid.IntRange(1, 3).Draw(t, "size")
		}
		d := dtypeOf(t, []nx.DType{nx.S64, nx.F64, nx.C128})
		var words []string
		var ts []nx.Tensor
		for range rapid.IntRange(1, 3).Draw(t, "operands") {
			word := string(rapid.SliceOfN(rapid.SampledFrom([]byte(letters)), 0, 3).Draw(t, "word"))
			shape := nx.Shape{}
			for i := range word {
				shape = append(shape, sizes[word[i]])
			}
			words, ts = append(words, word), append(ts, integers(t, d, shape...))
		}
		var all []byte
		for _, c := range []byte(strings.Join(words, "")) {
			if !slices.Contains(all, c) {
				all = append(all, c)
			}
		}
		out := string(rapid.Permutation(all).Draw(t, "letters")[:rapid.IntRange(0, len(all)).Draw(t, "kept")])
		shape := nx.Shape{}
		for i := range out {
			shape = append(shape, sizes[out[i]])
		}
		want := make([]complex128, shape.Size())
		data := make([][]complex128, len(ts))
		for i, x := range ts {
			data[i] = nx.Data[complex128](x)
		}
		at := map[byte]int{}
		place := func(word string) (p int) {
			for i := range word {
				p = p*sizes[word[i]] + at[word[i]]
			}
			return p
		}
		var loop func(rest []byte)
		loop = func(rest []byte) {
			if len(rest) == 0 {
				p := complex(1, 0)
				for i, w := range words {
					p *= data[i][place(w)]
				}
				want[place(out)] += p
				return
			}
			for k := range sizes[rest[0]] {
				at[rest[0]] = k
				loop(rest[1:])
			}
		}
		loop(all)
		formula := strings.Join(words, ",") + "->" + out
		equal(t, formula, nx.Einsum(formula, ts...), nx.Cast(nx.FromSlice(want, shape), d))
	})
}

// TestScatter: adding ones at random indices counts them, as a histogram and sums of segments do.
func TestScatter(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 6).Draw(t, "n")
		places := rapid.SliceOfN(rapid.IntRange(0, n-1), 1, 40).Draw(t, "places")
		want := make([]int32, n)
		for _, p := range places {
			want[p]++
		}
		index, ones := nx.New(places), nx.Ones(nx.Shape{len(places)}, nx.S32)
		zeros := nx.Zeros(nx.Shape{n}, nx.S32)
		equal(t, "AddGather", nx.AddGather(zeros, nx.ExpandAxis(index, nx.Axis(-1)), ones), nx.New(want))
		equal(t, "SegmentSum", nx.SegmentSum(ones, index, n), nx.New(want))
		counts := nx.Histogram(nx.Cast(index, nx.F64), n, -0.5, float64(n)-0.5)
		equal(t, "Histogram", nx.Cast(counts, nx.S32), nx.New(want))
	})
}
