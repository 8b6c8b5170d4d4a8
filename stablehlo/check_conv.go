package stablehlo

// convChecks are the checks of convolutions.
var convChecks = checkRows{
	{OpConvolution, checkConvolution},
	{OpDynamicConv, checkDynamicConv},
}

// convRules are the windows of convolution and dynamic_conv, whose constraints
// have the same numbers.
func convRules(op string) windowRules {
	return windowRules{
		strides:       windowRule{"window_strides", op + "_c2", op + "_c3"},
		baseDilations: windowRule{"lhs_dilation", op + "_c5", op + "_c6"},
		dilations:     windowRule{"rhs_dilation", op + "_c7", op + "_c8"},
		reversal:      windowRule{attr: "window_reversal", size: op + "_c9"},
		sizes:         op + "_c25",
	}
}

func checkConvolution(c *check) {
	const op = "convolution"
	d, ok := c.convOperands(op)
	if !ok {
		return
	}
	w, ok := c.convWindows(d, convRules(op))
	if !ok || !c.padWindows(w, op+"_c4") {
		return
	}
	if dims, ok := c.convShape(op, d, w); ok {
		c.inferConv(op, d, dims)
	}
}

func checkDynamicConv(c *check) {
	const op = "dynamic_conv"
	d, ok := c.convOperands(op)
	if !ok {
		return
	}
	padding, n := c.arg(2), len(d.KernelSpatial)
	if padding == nil || !c.require(isPaddingShape(padding.Dims, n), op+"_c4",
		"padding has shape %s, but lhs has %d spatial dimensions: want [%d, 2]", dimsText(padding.Dims), n, n) {
		return
	}
	pairs, known := constInts(c.Operands[2])
	rules := convRules(op)
	rules.excess = !known // JAX exports two strides for one dimension
	w, ok := c.convWindows(d, rules)
	if !ok {
		return
	}
	pad(w, pairs)
	dims, ok := c.convShape(op, d, w)
	if !ok {
		return
	}
	for _, i := range d.OutputSpatial {
		if !known {
			dims[i] = Dynamic
		}
	}
	c.inferConv(op, d, dims)
}

// convOperands checks the parts that do not depend on the window: ranks, dimension numbers, groups, precision
// and element types of the operands.
func (c *check) convOperands(op string) (*ConvDims, bool) {
	lhs, rhs := c.arg(0), c.arg(1)
	d, ok := structOf[*ConvDims](c, "dimension_numbers")
	if !ok || lhs == nil || rhs == nil {
		return nil, false
	}
	n := lhs.Rank()
	if !c.require(n == rhs.Rank(), op+"_c1", "lhs %s and rhs %s differ in rank", lhs, rhs) ||
		!c.require(n >= 2, op+"_c13", "lhs %s needs a batch and a feature dimension", lhs) ||
		!c.require(lhs.Quant() != nil || rhs.Quant() != nil || SameType(lhs.Elem, rhs.Elem), op+"_c27",
			"lhs has elements of type %s, rhs of type %s", lhs.Elem, rhs.Elem) {
		return nil, false
	}
	ok = c.convDims(op, n, d) && c.convGroups(op, d, lhs, rhs)
	c.precisionConfig(op + "_c24")
	return d, ok && !c.failed
}

// convDims checks the dimension numbers of tensors of rank n.
func (c *check) convDims(op string, n int, d *ConvDims) bool {
	sets := []struct {
		tensor, size, set string // the tensor and the numbers of the constraints
		fixed             [2]int64
		spatial           []int64
	}{
		{"input", "_c12", "_c13", [2]int64{d.InputBatch, d.InputFeature}, d.InputSpatial},
		{"kernel", "_c17", "_c18", [2]int64{d.KernelInputFeature, d.KernelOutputFeature}, d.KernelSpatial},
		{"output", "_c19", "_c20", [2]int64{d.OutputBatch, d.OutputFeature}, d.OutputSpatial},
	}
	for _, s := range sets {
		if !c.require(len(s.spatial) == n-2, op+s.size,
			"%s_spatial_dimensions %s has %d values, but tensors of rank %d have %d spatial dimensions",
			s.tensor, dimsText(s.spatial), len(s.spatial), n, n-2) {
			return false
		}
		all := dimList{s.tensor + " dimension numbers", append(s.fixed[:], s.spatial...)}
		if !c.inRange(op+s.set, all, n, "the "+s.tensor) || !c.distinct(op+s.set, all) {
			return false
		}
	}
	return true
}

// convGroups checks that the group counts divide the dimensions that they split.
func (c *check) convGroups(op string, d *ConvDims, lhs, rhs *TensorType) bool {
	features, batches := c.Int("feature_group_count", 1), c.Int("batch_group_count", 1)
	if !c.require(features > 0, op+"_c21", "feature_group_count is %d, but must be at least 1", features) ||
		!c.require(batches > 0, op+"_c22", "batch_group_count is %d, but must be at least 1", batches) ||
		!c.require(features == 1 || batches == 1, op+"_c23",
			"feature_group_count %d and batch_group_count %d cannot both be above 1", features, batches) {
		return false
	}
	inBatch, inFeature := lhs.Dims[d.InputBatch], lhs.Dims[d.InputFeature]
	kernelIn, kernelOut := rhs.Dims[d.KernelInputFeature], rhs.Dims[d.KernelOutputFeature]
	return c.divides(op+"_c10", "batch_group_count", batches, "lhs batch", inBatch) &&
		c.divides(op+"_c11", "feature_group_count", features, "lhs feature", inFeature) &&
		c.require(inFeature == Dynamic || compatibleSize(inFeature/features, kernelIn), op+"_c14",
			"kernel input feature dimension has size %s, but lhs has %s features in %d groups", dimText(kernelIn),
			dimText(inFeature), features) &&
		c.divides(op+"_c15", "batch_group_count", batches, "kernel output feature", kernelOut) &&
		c.divides(op+"_c16", "feature_group_count", features, "kernel output feature", kernelOut)
}

func (c *check) divides(constraint, attr string, n int64, dim string, size int64) bool {
	return c.require(size == Dynamic || size%n == 0, constraint, "%s dimension of size %s is not a multiple of %s %d",
		dim, dimText(size), attr, n)
}

// convWindows reads the window attributes but the padding.
func (c *check) convWindows(d *ConvDims, r windowRules) ([]slidingDim, bool) {
	kernel := make([]int64, len(d.KernelSpatial))
	for i, k := range d.KernelSpatial {
		kernel[i] = c.arg(1).Dims[k]
	}
	if !c.perWindow(r, r.reversal, len(kernel), func(int, int64) {}) {
		return nil, false
	}
	return c.windows(kernel, r)
}

// convShape returns the shape of the result.
func (c *check) convShape(op string, d *ConvDims, w []slidingDim) ([]int64, bool) {
	lhs, rhs := c.arg(0), c.arg(1)
	spatial := make([]size, len(w))
	for i, k := range d.InputSpatial {
		spatial[i] = size{lhs.Dims[k], Dynamic}
	}
	out, ok := c.slide(op+"_c25", spatial, w)
	if !ok {
		return nil, false
	}
	dims := make([]int64, lhs.Rank())
	for i, k := range d.OutputSpatial {
		dims[k] = out[i].dim
	}
	dims[d.OutputBatch] = lhs.Dims[d.InputBatch]
	if dims[d.OutputBatch] != Dynamic {
		dims[d.OutputBatch] /= c.Int("batch_group_count", 1)
	}
	dims[d.OutputFeature] = rhs.Dims[d.KernelOutputFeature]
	return dims, true
}

// inferConv checks the quantisation and infers the result. Its element type may differ from that of the
// operands: int8 is accumulated in int32.
func (c *check) inferConv(op string, d *ConvDims, dims []int64) {
	lhs, rhs := c.arg(0), c.arg(1)
	if out := c.res(0); out != nil && anyQuantized(lhs, rhs, out) {
		q, z := rhs.Quant(), out.Quant()
		if !c.require(q == nil || !q.IsPerAxis() || int64(q.Axis) == d.KernelOutputFeature, op+"_c29",
			"rhs %s must be quantised along its output features, dimension %d", rhs, d.KernelOutputFeature) ||
			!c.require(z == nil || !z.IsPerAxis() || int64(z.Axis) == d.OutputFeature, op+"_c30",
				"the result %s must be quantised along its features, dimension %d", out, d.OutputFeature) {
			return
		}
		c.quantDot([5]string{op + "_c28", op + "_c31", op + "_c32", op + "_c33", op + "_c34"}, lhs, rhs, out)
	}
	sizes := make([]size, len(dims))
	for i, n := range dims {
		sizes[i] = size{n, Dynamic}
	}
	if !c.failed {
		c.inferDot(op+"_c25", sizes)
	}
}
