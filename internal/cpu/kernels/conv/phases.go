package conv

import (
	"math"

	"github.com/go-nx/nx/internal/cpu/kernels/gemm"
	"github.com/go-nx/nx/internal/cpu/rt"
)

// A tap of a dilated or padded image often reads a zero between or around the elements. Adding a product with zero
// changes no sum of finite numbers. So a convolution whose taps mostly read zeros is decomposed by phases (polyphase
// decomposition) into convolutions over the other taps, in the same order.

// piece is a convolution of a part of the result, with the offsets of its first result, element of lhs and element of
// the kernel.
type piece struct {
	*Shape
	out, lhs, rhs int
	swapped       bool // lhs and the kernel have swapped roles
}

// pieces returns convolutions that together equal c, nil where they do not save work.
func (c *Shape) pieces() []piece {
	straight := piece{Shape: c}
	other := c.swapOperands()
	all, split, exchanged := c.work(false), c.work(true), other.work(true)
	// An image in the place of a kernel is gathered by input features. A kernel with contiguous output features, such
	// as a weight with features last, would be transposed for that, which takes longer than taps that read zeros.
	transposes := c.RhsOut == 1 && c.RhsIn != 1 && c.Out > 1
	switch {
	case exchanged < split && 4*exchanged <= 3*all && (!transposes || 4*exchanged < all):
		return other.phases()
	case 4*split <= 3*all:
		return straight.phases()
	}
	return nil
}

// work returns the taps of all results, or those of the pieces of c if split is set.
func (c *Shape) work(split bool) float64 {
	work := 1.0
	for i := range c.Spatial {
		a := &c.Spatial[i]
		if !split || a.BaseDilation == 1 {
			work *= float64(a.Out) * float64(a.Kernel)
			continue
		}
		sum := 0.0
		for _, p := range a.phases() {
			sum += float64(p.axis.Out) * float64(p.axis.Kernel)
		}
		work *= sum
	}
	return work
}

// swapOperands returns the convolution with its operands swapped. Tap t reads element i of lhs at result o if
// i·BaseDilation + Low - o·Step = t·Dilation: with the results reversed, the kernel slides over lhs.
func (c *Shape) swapOperands() piece {
	x := &Shape{Groups: c.Groups, Batch: c.Out, In: c.In, Out: c.Batch,
		LhsGroup: c.RhsGroup, LhsBatch: c.RhsOut, LhsFeature: c.RhsIn,
		RhsGroup: c.LhsGroup, RhsOut: c.LhsBatch, RhsIn: c.LhsFeature,
		OutGroup: c.OutGroup, OutBatch: c.OutFeature, OutFeature: c.OutBatch}
	p := piece{Shape: x, swapped: true}
	for _, a := range c.Spatial {
		b := Axis{In: a.Kernel, Kernel: a.In, Out: a.Out,
			InStride: a.KernelStride, KernelStride: a.InStride, OutStride: -a.OutStride,
			Step: a.Step, Low: (a.Out-1)*a.Step - a.Low, Dilation: a.BaseDilation, BaseDilation: a.Dilation}
		p.out += (a.Out - 1) * a.OutStride
		if a.Reversed {
			p.rhs += (a.Kernel - 1) * a.KernelStride
			b.InStride = -a.KernelStride
		}
		x.Spatial = append(x.Spatial, b)
	}
	return p
}

// phases returns a piece as pieces without base dilation. Each has the results, one period apart, that read elements at
// the same taps.
func (p piece) phases() []piece {
	list := []piece{p}
	for i := range p.Spatial {
		var next []piece
		for _, q := range list {
			for _, f := range q.Spatial[i].phases() {
				c := *q.Shape
				c.Spatial = append([]Axis(nil), q.Spatial...)
				c.Spatial[i] = f.axis
				r := piece{&c, q.out + f.out, q.lhs, q.rhs, q.swapped}
				if q.swapped {
					r.lhs += f.taps
				} else {
					r.rhs += f.taps
				}
				next = append(next, r)
			}
		}
		list = next
	}
	return list
}

// phase is an axis with every n-th result and tap, from offsets in their memory.
type phase struct {
	axis      Axis
	out, taps int
}

func (a *Axis) phases() []phase {
	d := a.BaseDilation
	if d == 1 {
		return []phase{{axis: *a}}
	}
	results, taps := d/gcd(d, a.Step), d/gcd(d, a.Dilation) // period of the elements read
	var out []phase
	for o := range min(results, a.Out) {
		t := 0 // first tap that reads an element
		for t < taps && (o*a.Step+t*a.Dilation-a.Low)%d != 0 {
			t++
		}
		b := *a
		b.Out, b.Kernel = rt.CeilDiv(a.Out-o, results), 0
		b.OutStride, b.KernelStride = results*a.OutStride, taps*a.KernelStride
		b.Step, b.Dilation, b.BaseDilation = results*a.Step/d, max(taps*a.Dilation/d, 1), 1
		f := phase{out: o * a.OutStride}
		if t < min(taps, a.Kernel) {
			b.Kernel = rt.CeilDiv(a.Kernel-t, taps)
			b.Low = (a.Low - o*a.Step - t*a.Dilation) / d
			f.taps = t * a.KernelStride
			if a.Reversed {
				f.taps = (a.Kernel - 1 - t - taps*(b.Kernel-1)) * a.KernelStride
			}
		}
		f.axis = b
		out = append(out, f)
	}
	return out
}

func gcd(a, b int) int {
	for b != 0 {
		a, b = b, a%b
	}
	return a
}

// allFinite reports whether no number is infinite or NaN.
func allFinite[T gemm.Accumulator](x []T) bool {
	switch x := any(x).(type) {
	case []float32:
		for _, v := range x {
			if math.Float32bits(v)&0x7f800000 == 0x7f800000 {
				return false
			}
		}
	case []float64:
		for _, v := range x {
			if v-v != 0 {
				return false
			}
		}
	}
	return true
}
