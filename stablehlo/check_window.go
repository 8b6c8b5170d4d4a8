package stablehlo

import "math/bits"

// slidingDim reports how a window moves over one dimension of a tensor.
type slidingDim struct {
	size, stride           int64
	low, high              int64 // padding
	baseDilation, dilation int64
}

// maxExtent bounds sizes and padding so that the sum of three fits an int64.
const maxExtent = 1 << 61

// positions returns the number of window positions along a dimension of that size, Dynamic when a size is
// dynamic; ok is false when a size exceeds the int64 range.
func (w slidingDim) positions(base int64) (n int64, ok bool) {
	if base == Dynamic || w.size == Dynamic {
		return Dynamic, true
	}
	extent, ok1 := dilated(base, w.baseDilation)
	window, ok2 := dilated(w.size, w.dilation)
	if !ok1 || !ok2 || !isExtent(w.low) || !isExtent(w.high) {
		return 0, false
	}
	padded := w.low + extent + w.high
	if padded <= 0 || window > padded {
		return 0, true
	}
	return (padded-window)/w.stride + 1, true
}

func isExtent(n int64) bool { return -maxExtent < n && n < maxExtent }

// dilated returns the extent of n elements with a dilation.
func dilated(n, by int64) (int64, bool) {
	if n == 0 {
		return 0, true
	}
	hi, lo := bits.Mul64(uint64(n-1), uint64(by))
	if hi != 0 || lo >= maxExtent {
		return 0, false
	}
	return int64(lo) + 1, true
}

// windowRule names an attribute that holds one number per window dimension, with the constraints on their
// number and values (at least 1).
type windowRule struct{ attr, size, value string }

// windowRules are the attributes of an op with windows; an op without one of
// them leaves its rule empty.
type windowRules struct {
	strides, baseDilations, dilations windowRule
	reversal                          windowRule // of any values
	sizes                             string     // constraint on the window sizes, which are positive
	excess                            bool       // values beyond those of the window are ignored
}

// windowSizes reads window_dimensions, whose constraints are the same of each op
// that has it: one positive size for each dimension.
func (c *check) windowSizes(op string, rank int) ([]int64, bool) {
	sizes := c.Ints("window_dimensions")
	ok := c.require(len(sizes) == rank, op+"_c4", "window_dimensions %s has %d values, but the input has rank %d",
		dimsText(sizes), len(sizes), rank)
	for i, n := range sizes {
		ok = ok && c.require(n > 0, op+"_c5", "window_dimensions[%d] is %d, but must be at least 1", i, n)
	}
	return sizes, ok
}

// windows reads the attributes of a window of these sizes, except the padding: see padWindows.
func (c *check) windows(sizes []int64, r windowRules) ([]slidingDim, bool) {
	w := make([]slidingDim, len(sizes))
	for i, n := range sizes {
		w[i].size = n
		if n != Dynamic && n <= 0 {
			c.fail(r.sizes, "window dimension %d has size %d, but a window has at least one element", i, n)
			return nil, false
		}
	}
	ok := c.perWindow(r, r.strides, len(w), func(i int, v int64) { w[i].stride = v }) &&
		c.perWindow(r, r.baseDilations, len(w), func(i int, v int64) { w[i].baseDilation = v }) &&
		c.perWindow(r, r.dilations, len(w), func(i int, v int64) { w[i].dilation = v })
	return w, ok
}

// perWindow returns the next number of an attribute; 1 when the attribute is absent.
func (c *check) perWindow(rules windowRules, r windowRule, n int, set func(i int, v int64)) bool {
	if r.attr == "" || c.Attr(r.attr) == nil {
		for i := range n {
			set(i, 1)
		}
		return true
	}
	list := c.Ints(r.attr)
	if rules.excess && len(list) > n {
		list = list[:n]
	}
	if !c.require(len(list) == n, r.size, "%s has %d values, but the window has %d dimensions", r.attr, len(list), n) {
		return false
	}
	for i, v := range list {
		if r.value != "" && !c.require(v > 0, r.value, "%s[%d] is %d, but must be at least 1", r.attr, i, v) {
			return false
		}
		set(i, v)
	}
	return true
}

// padWindows reads the attribute padding; absent means no padding.
func (c *check) padWindows(w []slidingDim, constraint string) bool {
	attr := c.Attr("padding")
	if attr == nil {
		return true
	}
	a, ok := attr.(*ElementsAttr)
	if !ok || a.Type == nil {
		c.fail(constraint, "padding must be a tensor of integers")
		return false
	}
	if !c.require(isPaddingShape(a.Type.Dims, len(w)), constraint,
		"padding has shape %s, but the window has %d dimensions: want [%d, 2]", dimsText(a.Type.Dims), len(w), len(w)) {
		return false
	}
	pad(w, a.Int64s())
	return true
}

func isPaddingShape(dims []int64, n int) bool {
	return len(dims) == 2 && dims[0] == int64(n) && dims[1] == 2
}

// pad sets the padding from pairs of low and high.
func pad(w []slidingDim, pairs []int64) {
	for i := range w {
		if 2*i+1 < len(pairs) {
			w[i].low, w[i].high = pairs[2*i], pairs[2*i+1]
		}
	}
}

// slide returns the result shape of windows moved over a shape of equal rank.
func (c *check) slide(constraint string, shape []size, w []slidingDim) ([]size, bool) {
	out := make([]size, len(shape))
	for i, s := range shape {
		dim, ok1 := w[i].positions(s.dim)
		bound, ok2 := w[i].positions(s.bound)
		if !c.require(ok1 && ok2, constraint, "dimension %d of size %s, dilated and padded, does not fit in 64 bits",
			i, dimText(s.known())) {
			return nil, false
		}
		out[i] = size{dim, bound}
	}
	return out, true
}
