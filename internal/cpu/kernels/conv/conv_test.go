package conv

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/go-nx/nx/internal/cpu/kernels/gemm"
	"github.com/go-nx/nx/internal/cpu/kernels/kit"
	"github.com/go-nx/nx/internal/cpu/kernels/monoid"
	"github.com/go-nx/nx/internal/cpu/rt"
)

// testCase is a convolution in terms of a framework. The layouts name dimensions: b batch, f features, o and i the
// kernel's features, digits the spatial ones.
type testCase struct {
	batch, in, out             int // in and out of all groups
	spatial, kernel            []int
	steps, low, high           []int
	dilation, base             []int
	reversed                   []bool
	featureGroups, batchGroups int
	lhs, rhs, result           string
}

func ones(n int) []int { return kit.Count(n, func(int) int { return 1 }) }

func (c *testCase) defaults() {
	n := len(c.spatial)
	for _, p := range []*[]int{&c.steps, &c.dilation, &c.base} {
		if *p == nil {
			*p = ones(n)
		}
	}
	if c.low == nil {
		c.low, c.high = make([]int, n), make([]int, n)
	}
	if c.reversed == nil {
		c.reversed = make([]bool, n)
	}
	c.featureGroups, c.batchGroups = max(1, c.featureGroups), max(1, c.batchGroups)
}

func (c *testCase) outSize(x int) int {
	w := monoid.Window{Size: c.kernel[x], Stride: c.steps[x], Dilation: c.dilation[x], BaseDilation: c.base[x],
		Low: c.low[x], High: c.high[x]}
	return w.Out(c.spatial[x])
}

// strides returns the strides and total size of a dense array in a layout.
func layoutStrides(layout string, sizes map[rune]int) (map[rune]int, int) {
	strides, total := map[rune]int{}, 1
	for i := len(layout) - 1; i >= 0; i-- {
		strides[rune(layout[i])] = total
		total *= sizes[rune(layout[i])]
	}
	return strides, total
}

// conv translates the case, and returns the sizes of the three arrays.
func (c *testCase) conv() (v *Shape, lhs, rhs, out int) {
	sl := map[rune]int{'b': c.batch, 'f': c.in}
	sr := map[rune]int{'i': c.in / c.featureGroups, 'o': c.out}
	so := map[rune]int{'b': c.batch / c.batchGroups, 'f': c.out}
	for x := range c.spatial {
		d := rune('0' + x)
		sl[d], sr[d], so[d] = c.spatial[x], c.kernel[x], c.outSize(x)
	}
	l, nl := layoutStrides(c.lhs, sl)
	r, nr := layoutStrides(c.rhs, sr)
	o, no := layoutStrides(c.result, so)
	groups := c.featureGroups * c.batchGroups
	v = &Shape{Groups: groups, Batch: so['b'], In: sr['i'], Out: c.out / groups,
		LhsBatch: l['b'], LhsFeature: l['f'], LhsGroup: sr['i'] * l['f'],
		RhsIn: r['i'], RhsOut: r['o'], RhsGroup: c.out / groups * r['o'],
		OutBatch: o['b'], OutFeature: o['f'], OutGroup: c.out / groups * o['f']}
	if c.batchGroups > 1 {
		v.LhsGroup = so['b'] * l['b']
	}
	for x := range c.spatial {
		d := rune('0' + x)
		v.Spatial = append(v.Spatial, Axis{c.spatial[x], c.kernel[x], so[d], l[d], r[d], o[d],
			c.steps[x], c.low[x], c.dilation[x], c.base[x], c.reversed[x]})
	}
	return v, nl, nr, no
}

// naiveConv is the definition.
func naiveConv(c *testCase, lhs, rhs []float64) []float64 {
	v, _, _, n := c.conv()
	out := make([]float64, n)
	for g := range v.Groups {
		for b := range v.Batch {
			for o := range v.Out {
				var walk func(x, at int, visit func(at int, coords []int), coords []int)
				walk = func(x, at int, visit func(int, []int), coords []int) {
					if x == len(v.Spatial) {
						visit(at, coords)
						return
					}
					for i := range v.Spatial[x].Out {
						walk(x+1, at+i*v.Spatial[x].OutStride, visit, append(coords, i))
					}
				}
				walk(0, g*v.OutGroup+b*v.OutBatch+o*v.OutFeature, func(at int, coords []int) {
					var sum float64
					var taps func(x, l, r int)
					taps = func(x, l, r int) {
						if x == len(v.Spatial) {
							for i := range v.In {
								sum += lhs[l+i*v.LhsFeature] * rhs[r+i*v.RhsIn]
							}
							return
						}
						a := v.Spatial[x]
						for k := range a.Kernel {
							q := coords[x]*a.Step + k*a.Dilation - a.Low
							if q < 0 || q%a.BaseDilation != 0 || q/a.BaseDilation >= a.In {
								continue
							}
							kk := k
							if a.Reversed {
								kk = a.Kernel - 1 - k
							}
							taps(x+1, l+q/a.BaseDilation*a.InStride, r+kk*a.KernelStride)
						}
					}
					taps(0, g*v.LhsGroup+b*v.LhsBatch, g*v.RhsGroup+o*v.RhsOut)
					out[at] = sum
				}, nil)
			}
		}
	}
	return out
}

func checkConv(t *testing.T, c testCase) {
	t.Helper()
	c.defaults()
	r := rand.New(rand.NewPCG(1, 2))
	v, nl, nr, no := c.conv()
	lhs, rhs := kit.Fill(r, make([]float64, nl)), kit.Fill(r, make([]float64, nr))
	want := naiveConv(&c, lhs, rhs)
	env := kit.NewEnv(t, 2)
	for size := 1 << 10; size < 1<<20; size += size / 8 { // scratch memory has arbitrary contents
		dirty, err := env.Scratch(size)
		if err != nil {
			t.Fatal(err)
		}
		for i := range dirty {
			dirty[i] = 0xff
		}
		env.Free(dirty)
	}
	got := kit.Fill(r, make([]float64, no))
	by := New[float64](env.Gemm, v)
	if err := by.Run(env, View[float64]{got, 0}, View[float64]{lhs, 0}, View[float64]{rhs, 0}); err != nil {
		t.Fatal(err)
	}
	for i := range want {
		if d := math.Abs(got[i] - want[i]); !(d <= 1e-12*(1+math.Abs(want[i]))) { // NaN, too
			t.Fatalf("%+v: element %d is %v, want %v", c, i, got[i], want[i])
		}
	}
	kit.CheckFreed(t, env)
}

func TestConvolve(t *testing.T) {
	cases := map[string]testCase{
		"same": {batch: 2, in: 3, out: 5, spatial: []int{7, 8}, kernel: []int{3, 3},
			low: []int{1, 1}, high: []int{1, 1}},
		"features": {batch: 2, in: 40, out: 70, spatial: []int{9, 11}, kernel: []int{3, 3},
			low: []int{1, 1}, high: []int{1, 1}},
		"strided": {batch: 2, in: 8, out: 5, spatial: []int{17, 30}, kernel: []int{5, 3}, steps: []int{2, 3},
			low: []int{1, 0}, high: []int{0, 2}},
		"dilated": {batch: 2, in: 3, out: 5, spatial: []int{17, 30}, kernel: []int{3, 3}, dilation: []int{2, 3},
			low: []int{4, 1}, high: []int{4, 2}},
		"base": {batch: 2, in: 3, out: 5, spatial: []int{7, 9}, kernel: []int{3, 3}, base: []int{2, 3},
			low: []int{2, 1}, high: []int{2, 3}},
		"all": {batch: 2, in: 6, out: 5, spatial: []int{7, 13}, kernel: []int{3, 4}, base: []int{2, 1},
			dilation: []int{1, 2}, steps: []int{2, 1}, low: []int{-1, 3}, high: []int{5, -2}},
		"phases": {batch: 2, in: 5, out: 4, spatial: []int{6, 5}, kernel: []int{5, 4}, base: []int{3, 4},
			dilation: []int{2, 6}, steps: []int{2, 3}, low: []int{4, -3}, high: []int{3, 9},
			reversed: []bool{true, false}},
		"phases without taps": {batch: 1, in: 3, out: 2, spatial: []int{6, 6}, kernel: []int{1, 2}, base: []int{3, 2},
			dilation: []int{1, 2}, low: []int{1, 0}, high: []int{2, 1}},
		"transposed depthwise": {batch: 2, in: 4, out: 4, spatial: []int{5, 6}, kernel: []int{3, 4}, base: []int{2, 3},
			low: []int{2, 3}, high: []int{2, 3}, featureGroups: 4, reversed: []bool{false, true}},
		"mostly padding": {batch: 3, in: 4, out: 5, spatial: []int{3, 2}, kernel: []int{9, 8}, low: []int{8, 7},
			high: []int{8, 7}, reversed: []bool{false, true}},
		"mostly padding in groups": {batch: 4, in: 6, out: 6, spatial: []int{3, 3}, kernel: []int{7, 9},
			low: []int{6, 3}, high: []int{7, 8}, dilation: []int{2, 1}, base: []int{1, 3}, steps: []int{1, 2},
			featureGroups: 3},
		"padding of batch groups": {batch: 6, in: 4, out: 9, spatial: []int{2, 3}, kernel: []int{6, 9},
			low: []int{5, 8}, high: []int{5, 8}, base: []int{2, 1}, batchGroups: 3},
		"reversed": {batch: 1, in: 3, out: 5, spatial: []int{7, 9}, kernel: []int{3, 2},
			reversed: []bool{true, false}},
		"pointwise": {batch: 2, in: 30, out: 50, spatial: []int{7, 9}, kernel: []int{1, 1}, steps: []int{2, 1}},
		"shifted": {batch: 2, in: 3, out: 5, spatial: []int{7, 9}, kernel: []int{1, 1},
			low: []int{1, -1}, high: []int{0, 2}},
		"groups": {batch: 2, in: 6, out: 9, spatial: []int{7, 9}, kernel: []int{3, 2}, featureGroups: 3},
		"depthwise": {batch: 2, in: 6, out: 6, spatial: []int{7, 9}, kernel: []int{3, 2}, low: []int{1, 1},
			high: []int{1, 1}, featureGroups: 6},
		"depthwise strided": {batch: 2, in: 4, out: 4, spatial: []int{17, 19}, kernel: []int{3, 5}, low: []int{1, 2},
			high: []int{1, 2}, steps: []int{2, 2},
			dilation: []int{1, 2}, featureGroups: 4, reversed: []bool{true, true}},
		"depthwise multiplied": {batch: 2, in: 4, out: 12, spatial: []int{7, 9}, kernel: []int{3, 2}, featureGroups: 4},
		"batch groups":         {batch: 6, in: 4, out: 9, spatial: []int{7, 9}, kernel: []int{3, 2}, batchGroups: 3},
		"one group each":       {batch: 4, in: 1, out: 4, spatial: []int{7, 9}, kernel: []int{3, 2}, batchGroups: 4},
		"kernel gradient":      {batch: 3, in: 32, out: 16, spatial: []int{14, 14}, kernel: []int{12, 12}},
		"padded kernel gradient": {batch: 3, in: 7, out: 16, spatial: []int{14, 14}, kernel: []int{14, 13},
			low: []int{1, 1}, high: []int{1, 1}},
		"kernel gradient of one feature": {batch: 1, in: 32, out: 17, spatial: []int{16, 15}, kernel: []int{14, 13},
			low: []int{1, 1}, high: []int{1, 1}},
		"kernel gradient in groups": {batch: 5, in: 24, out: 32, spatial: []int{14, 13}, kernel: []int{13, 10},
			featureGroups: 2},
		"line": {batch: 2, in: 4, out: 3, spatial: []int{50}, kernel: []int{7},
			low: []int{3}, high: []int{3}},
		"volume": {batch: 2, in: 2, out: 3, spatial: []int{4, 5, 6}, kernel: []int{2, 3, 2},
			steps: []int{1, 2, 1}},
		"no space":          {batch: 5, in: 7, out: 3},
		"nothing":           {batch: 2, in: 3, out: 5, spatial: []int{2, 2}, kernel: []int{3, 3}},
		"no input features": {batch: 2, in: 0, out: 5, spatial: []int{4, 4}, kernel: []int{3, 3}},
		"all padding": {batch: 1, in: 2, out: 3, spatial: []int{0}, kernel: []int{2}, low: []int{2},
			high: []int{2}},
		"one": {batch: 1, in: 1, out: 1, spatial: []int{30, 30}, kernel: []int{5, 5}},
	}
	layouts := []string{"b#f #io b#f", "bf# oi# bf#", "b#f #oi bf#", "#bf i#o f#b", "fb# #io b#f"}
	for name, c := range cases {
		for _, layout := range layouts {
			digits := "0123"[:len(c.spatial)]
			c := c
			fmt.Sscan(strings.ReplaceAll(layout, "#", digits), &c.lhs, &c.rhs, &c.result)
			t.Run(name+" "+layout, func(t *testing.T) { checkConv(t, c) })
		}
	}
}

// TestSplitSums: long sums are split in the same way for any number of workers, who share the splits.
func TestSplitSums(t *testing.T) {
	for _, c := range []testCase{
		{batch: 16, in: 16, out: 32, spatial: []int{16, 16}, kernel: []int{14, 14}},
		{batch: 1, in: 32, out: 16, spatial: []int{30, 30}, kernel: []int{28, 28}},
		{batch: 3, in: 64, out: 24, spatial: []int{12, 10}, kernel: []int{10, 9}, featureGroups: 2},
		{batch: 7, in: 16, out: 40, spatial: []int{500}, kernel: []int{496}},
	} {
		c.lhs, c.rhs, c.result = "f01b", "i01o", "01bf"
		if len(c.spatial) == 1 {
			c.lhs, c.rhs, c.result = "f0b", "i0o", "0bf"
		}
		c.defaults()
		v, nl, nr, no := c.conv()
		if w := newLargeKernelConv(gemm.StepIn[float32](rt.GemmSteps{}), v); w == nil || w.splits < 4 {
			t.Fatalf("%+v: sums are not cut", c)
		}
		r := rand.New(rand.NewPCG(1, 2))
		lhs, rhs := View[float32]{kit.Fill(r, make([]float32, nl)), 0},
			View[float32]{kit.Fill(r, make([]float32, nr)), 0}
		var want []float32
		for _, workers := range []int{1, 2, 5} {
			env, got := kit.NewEnv(t, workers), make([]float32, no)
			if err := New[float32](env.Gemm, v).Run(env, View[float32]{got, 0}, lhs, rhs); err != nil {
				t.Fatal(err)
			}
			if want == nil {
				want = got
			}
			if !slices.Equal(got, want) {
				t.Errorf("%+v: %d workers get other bits", c, workers)
			}
			kit.CheckFreed(t, env)
		}
	}
}

// TestPieces counts the taps of convolutions with mostly zero taps.
func TestPieces(t *testing.T) {
	for name, c := range map[string]testCase{
		"transposed": {spatial: []int{14, 14}, kernel: []int{4, 4}, base: []int{2, 2},
			low: []int{2, 2}, high: []int{2, 2}},
		"mostly padding":  {spatial: []int{3, 3}, kernel: []int{14, 14}, low: []int{13, 13}, high: []int{13, 13}},
		"padded and wide": {spatial: []int{3}, kernel: []int{20}, base: []int{5}, low: []int{19}, high: []int{19}},
	} {
		c.batch, c.in, c.out, c.lhs, c.rhs, c.result = 1, 1, 1, "b01f", "01io", "b01f"
		c.defaults()
		v, _, _, _ := c.conv()
		all, met, taps := 1, 1, 0
		for i := range v.Spatial {
			a := &v.Spatial[i]
			n := 0
			for o := range a.Out {
				for k := range a.Kernel {
					if a.at(o, k) >= 0 {
						n++
					}
				}
			}
			all, met = all*a.Out*a.Kernel, met*n
		}
		for _, p := range v.pieces() {
			n := 1
			for _, a := range p.Spatial {
				n *= a.Out * a.Kernel
			}
			taps += n
		}
		if taps < met || taps > all/3 {
			t.Errorf("%s: %d taps of %d, of which %d meet elements", name, taps, all, met)
		}
	}
}

// TestPiecesOfNonFinite checks that taps in no piece count if they are not zero: an infinite element of the kernel
// times zero padding is NaN.
func TestPiecesOfNonFinite(t *testing.T) {
	for _, c := range []Shape{
		{Spatial: []Axis{{In: 3, Kernel: 2, Out: 4, Low: 0, Dilation: 1, BaseDilation: 2}}},
		{Spatial: []Axis{{In: 2, Kernel: 9, Out: 10, Low: 8, Dilation: 1, BaseDilation: 1}}},
	} {
		a := &c.Spatial[0]
		a.InStride, a.KernelStride, a.OutStride, a.Step = 1, 1, 1, 1
		c.Groups, c.Batch, c.In, c.Out = 1, 1, 1, 1
		if c.pieces() == nil {
			t.Fatalf("%+v has no pieces", c)
		}
		for _, bad := range []float32{float32(math.Inf(1)), float32(math.NaN())} {
			x, k, y := []float32{1, 2, 3}[:a.In], make([]float32, a.Kernel), make([]float32, a.Out)
			k[1] = bad
			by := New[float32](rt.GemmSteps{}, &c)
			if err := by.Run(nil, View[float32]{y, 0}, View[float32]{x, 0}, View[float32]{k, 0}); err != nil {
				t.Fatal(err)
			}
			for o, v := range y {
				if isNumber := o*a.Step+1-a.Low >= 0 && a.at(o, 1) >= 0 && bad == bad; !isNumber && v == v {
					t.Errorf("%+v: result %d is %v, want NaN", c, o, v)
				}
			}
		}
	}
}

func BenchmarkConvolve(b *testing.B) {
	env := kit.NewEnv(b, 0)
	one := []int{1, 1}
	for name, c := range map[string]testCase{
		"3x3": {batch: 32, in: 8, out: 16, spatial: []int{28, 28}, kernel: []int{3, 3}, low: one, high: one,
			lhs: "b01f", rhs: "01io", result: "b01f"},
		"3x3-nchw": {batch: 32, in: 8, out: 16, spatial: []int{28, 28}, kernel: []int{3, 3}, low: one, high: one,
			lhs: "bf01", rhs: "oi01", result: "bf01"},
		"resnet": {batch: 8, in: 128, out: 128, spatial: []int{28, 28}, kernel: []int{3, 3}, low: one, high: one,
			lhs: "b01f", rhs: "01io", result: "b01f"},
		"first": {batch: 64, in: 1, out: 16, spatial: []int{28, 28}, kernel: []int{3, 3}, low: one, high: one,
			lhs: "b01f", rhs: "01io", result: "b01f"},
		"gradient": {batch: 8, in: 32, out: 16, spatial: []int{30, 30}, kernel: []int{28, 28}, lhs: "f01b",
			rhs: "i01o", result: "01bf"},
		"depthwise": {batch: 8, in: 64, out: 64, spatial: []int{28, 28}, kernel: []int{3, 3}, low: one, high: one,
			featureGroups: 64, lhs: "b01f", rhs: "01io", result: "b01f"},
	} {
		b.Run(name, func(b *testing.B) {
			c.defaults()
			r := rand.New(rand.NewPCG(1, 2))
			v, nl, nr, no := c.conv()
			lhs, rhs := View[float32]{kit.Fill(r, make([]float32, nl)), 0},
				View[float32]{kit.Fill(r, make([]float32, nr)), 0}
			out := View[float32]{make([]float32, no), 0}
			taps := v.In
			for _, a := range v.Spatial {
				taps *= a.Kernel
			}
			by := New[float32](env.Gemm, v)
			kit.Bench(b, 2*no*taps, "GF/s", func() error { return by.Run(env, out, lhs, rhs) })
		})
	}
}
