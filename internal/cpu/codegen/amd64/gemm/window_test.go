package gemm_test

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"unsafe"

	"github.com/go-nx/nx/internal/cpu/codegen/amd64/codetest"
	"github.com/go-nx/nx/internal/cpu/kernels/conv"
	"github.com/go-nx/nx/internal/cpu/rt"
	"github.com/go-nx/nx/internal/testkit/guard"
)

// windowsBy multiplies windows with a step and compares each element with its definition: with packed columns,
// depthwise with packed columns, and with unpacked columns.
func windowsBy[T float32 | float64](t *testing.T, p *gemmTest, step rt.GemmStep[T], r *rand.Rand, cols int) {
	t.Helper()
	form := r.IntN(3)
	w := &rt.Windows{Lines: 1 + r.IntN(3), Points: 1 + r.IntN(min(30, 1+800/cols)), Cols: cols, Depthwise: form == 1}
	_, tileCols, _ := step.Tile()
	panels := (cols + tileCols - 1) / tileCols * tileCols
	lanes := 1
	if w.Depthwise {
		lanes = panels
	}
	k, edge := 1+r.IntN(20), guard.Edges[r.IntN(2)]
	w.PointStride, w.OutPointStride = r.IntN(4), cols+r.IntN(3)
	w.LineStride, w.OutLineStride = r.IntN(30), w.Points*w.OutPointStride+r.IntN(5)
	p.given = p.given[:0]
	a := watched[T](p, (w.Lines-1)*w.LineStride+(w.Points-1)*w.PointStride+100+lanes, edge)
	if form == 2 {
		w.RightLineStride = r.IntN(3) * cols
	}
	b := watched[T](p, (w.Lines-1)*w.RightLineStride+k*cols, edge)
	c := watched[T](p, (w.Lines-1)*w.OutLineStride+(w.Points-1)*w.OutPointStride+cols, edge)
	for _, x := range [][]T{a, b, c} {
		for i := range x {
			x[i] = codetest.Number[T](r)
		}
	}
	w.Offsets = watched[int](p, k, guard.AtEnd)
	for i := range w.Offsets {
		w.Offsets[i] = r.IntN(100)
	}
	w.Offsets[r.IntN(k)] = 100
	rows, right := r.Perm(k), b
	if form == 2 {
		w.RightOffsets = watched[int](p, k, guard.AtEnd)
	} else {
		right = watched[T](p, k*panels, edge)
	}
	first := r.IntN(2) == 0
	want := append([]T(nil), c...)
	for line := range w.Lines {
		for point := range w.Points {
			for j := range cols {
				var sum T
				for l, at := range w.Offsets {
					if at += line*w.LineStride + point*w.PointStride; w.Depthwise {
						at += j
					}
					row := l
					if form == 2 {
						row = rows[l]
						w.RightOffsets[l] = row * cols
					}
					sum = fma(a[at], b[line*w.RightLineStride+row*cols+j], sum)
				}
				to := &want[line*w.OutLineStride+point*w.OutPointStride+j]
				if *to += sum; first {
					*to = sum
				}
			}
		}
	}
	fault := guard.Run(func() {
		if form < 2 {
			step.PackCols(right, b, 1, cols, cols, k)
		}
		step.MultiplyWindows(w, c, a, right, first)
	})
	what := fmt.Sprintf("%+v, %s", *w, edge)
	p.check(t, what, fault)
	codetest.SameNumbers(t, what, c, want)
}

// TestWindows multiplies windows of lines of any length by any number of columns, between guard pages: each element has
// the bits of the sum in the order of k, at both widths.
func TestWindows(t *testing.T) {
	for name, p := range gemmTests(t) {
		t.Run(name, func(t *testing.T) {
			r := rand.New(rand.NewPCG(1, 2))
			for cols := 1; cols <= 100; cols++ {
				if p.emulated && cols%7 != 1 {
					continue
				}
				windowsBy(t, p, p.gemm.F32, r, cols)
				windowsBy(t, p, p.gemm.F64, r, cols)
			}
		})
	}
}

// randomConv returns a random convolution with operands and a result. The features of depthwise ones are contiguous.
// Those that skip padding have sums of one block.
func randomConv[T float32 | float64](r *rand.Rand) (c *conv.Shape, lhs, rhs, out conv.View[T]) {
	some := func(n int) int { return 1 + r.IntN(n) }
	c = &conv.Shape{Groups: 1, Batch: some(3), In: some(12), Out: some(60)}
	axes := some(3)
	switch r.IntN(4) {
	case 0:
		c.Groups, c.In, c.Out = some(4), some(5), some(9)
	case 1:
		c.Groups, c.In, c.Out = some(70), 1, 1
	case 2:
		c.In = 40 + r.IntN(40) // more than a block of terms
	}
	large := r.IntN(4) == 0 // kernels almost as large as the image, as in gradients
	if axes == 3 {
		c.In, c.Out = min(c.In, 6), min(c.Out, 6)
	}
	depthwise := c.In == 1 && c.Out == 1 && c.Groups > 1
	for range axes {
		a := conv.Axis{In: 3 + some(18/axes), Kernel: some(4), Step: some(2), Dilation: some(2),
			BaseDilation: 1, Low: r.IntN(4) - 1, Reversed: r.IntN(3) == 0}
		if large {
			a.Kernel = a.In
		}
		if a.Dilation == 2 {
			a.In += 6 // otherwise the kernel and the image would be swapped
		}
		if c.In <= 4 && r.IntN(4) == 0 {
			a.BaseDilation = 2
		}
		padded := (a.In-1)*a.BaseDilation + 1 + a.Low + r.IntN(3)
		a.Out = max(0, (padded-(a.Kernel-1)*a.Dilation-1+a.Step)/a.Step)
		c.Spatial = append(c.Spatial, a)
	}
	axis := func(i int) *conv.Axis { return &c.Spatial[i%axes] }
	// place sets strides, with features last or first.
	place := func(last bool, features, batch *int, featureSize, batchSize int, size, stride func(i int) *int) int {
		next := 1
		if last {
			*features, next = 1, featureSize
		}
		for i := axes - 1; i >= 0; i-- {
			*stride(i) = next
			next *= *size(i)
		}
		if !last {
			*features = next
			next *= featureSize
		}
		*batch = next
		return next * batchSize
	}
	n := place(depthwise || r.IntN(2) == 0, &c.LhsFeature, &c.LhsBatch, c.Groups*c.In, c.Batch,
		func(i int) *int { return &axis(i).In }, func(i int) *int { return &axis(i).InStride })
	m := place(depthwise || r.IntN(3) > 0, &c.OutFeature, &c.OutBatch, c.Groups*c.Out, c.Batch,
		func(i int) *int { return &axis(i).Out }, func(i int) *int { return &axis(i).OutStride })
	k := place(r.IntN(2) == 0, &c.RhsOut, &c.RhsIn, c.Groups*c.Out, c.In,
		func(i int) *int { return &axis(i).Kernel }, func(i int) *int { return &axis(i).KernelStride })
	c.LhsGroup, c.OutGroup, c.RhsGroup = c.In*c.LhsFeature, c.Out*c.OutFeature, c.Out*c.RhsOut
	for _, x := range []*conv.View[T]{&lhs, &rhs} {
		x.Data, x.Offset = make([]T, 3+max(n, k)), 3
		for i := range x.Data {
			x.Data[i] = T(r.NormFloat64())
		}
	}
	out.Data = make([]T, m)
	return c, lhs, rhs, out
}

// defined computes a convolution by its definition: over all elements of the kernel and the features of each, 256 terms
// at a time, with the zeros of padding. If padding may be skipped, it reports for each element whether it is the sum of
// one block.
func defined[T float32 | float64](c *conv.Shape, lhs, rhs conv.View[T], n int) []T {
	out := make([]T, n)
	taps := 1
	for _, a := range c.Spatial {
		taps *= a.Kernel
	}
	var results func(axis, at int, place []int, group, batch, feature int)
	results = func(axis, at int, place []int, group, batch, feature int) {
		if axis < len(c.Spatial) {
			for o := range c.Spatial[axis].Out {
				results(axis+1, at+o*c.Spatial[axis].OutStride, append(place, o), group, batch, feature)
			}
			return
		}
		var total, sum T
		for k := range taps * c.In {
			x, y := lhs.Offset+group*c.LhsGroup+batch*c.LhsBatch+k%c.In*c.LhsFeature, rhs.Offset+group*c.RhsGroup+
				feature*c.RhsOut+k%c.In*c.RhsIn
			inBounds := true
			rest := k / c.In
			for i := len(place) - 1; i >= 0; i-- {
				a := &c.Spatial[i]
				tap := rest % a.Kernel
				rest /= a.Kernel
				q := place[i]*a.Step + tap*a.Dilation - a.Low
				inBounds = inBounds && q >= 0 && q%a.BaseDilation == 0 && q/a.BaseDilation < a.In
				x += q / a.BaseDilation * a.InStride
				if a.Reversed {
					tap = a.Kernel - 1 - tap
				}
				y += tap * a.KernelStride
			}
			var left T
			if inBounds {
				left = lhs.Data[x]
			}
			if k%256 == 0 {
				total, sum = total+sum, 0
			}
			sum = fma(left, rhs.Data[y], sum)
		}
		if taps*c.In > 256 {
			sum += total
		}
		out[at] = sum
	}
	for group := range c.Groups {
		for batch := range c.Batch {
			for feature := range c.Out {
				results(0, group*c.OutGroup+batch*c.OutBatch+feature*c.OutFeature, nil, group, batch, feature)
			}
		}
	}
	return out
}

// TestConvolutionsOfTiers computes random convolutions with any number of workers at both widths: each element has the
// bits of the definition, except a few long sums.
func TestConvolutionsOfTiers(t *testing.T) {
	eachTier(t, 100, func(env *rt.Env, r *rand.Rand) {
		convolutionOfTier[float32](t, env, r)
		convolutionOfTier[float64](t, env, r)
	})
}

func convolutionOfTier[T float32 | float64](t *testing.T, env *rt.Env, r *rand.Rand) {
	t.Helper()
	c, lhs, rhs, out := randomConv[T](r)
	if err := conv.New[T](env.Gemm, c).Run(env, out, lhs, rhs); err != nil {
		t.Fatalf("%+v: %v", c, err)
	}
	what := fmt.Sprintf("%d workers, %+v", env.Workers(), c)
	want := defined(c, lhs, rhs, len(out.Data))
	results, taps := c.Batch, c.In
	for _, a := range c.Spatial {
		results, taps = results*a.Out, taps*a.Kernel
	}
	const smallKernel, smallWork = 1 << 16, 1 << 19
	if size := int(unsafe.Sizeof(want[0])); results > 2*taps || c.Groups*c.Out*taps*size <= smallKernel &&
		c.Groups*c.Out*taps*results < smallWork {
		codetest.SameNumbers(t, what, out.Data, want)
		return
	}
	// A few long sums may follow the layout of the kernel, and be split: in the same way for any number of workers.
	serial := out
	serial.Data = make([]T, len(out.Data))
	one := &rt.Env{Gemm: env.Gemm}
	if err := conv.New[T](env.Gemm, c).Run(one, serial, lhs, rhs); err != nil {
		t.Fatal(err)
	}
	codetest.SameNumbers(t, what+", next to one worker", out.Data, serial.Data)
	bound := 1e-6 * float64(taps)
	if unsafe.Sizeof(want[0]) == 8 {
		bound = 1e-15 * float64(taps)
	}
	for i, x := range out.Data {
		if d := float64(x - want[i]); !(d >= -bound && d <= bound) {
			t.Fatalf("%s: element %d is %v, want %v", what, i, x, want[i])
		}
	}
}
