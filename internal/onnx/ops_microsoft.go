package onnx

import (
	"github.com/go-nx/nx/dtype"
	"github.com/go-nx/nx/internal/core"
)

// microsoftDomain is that of the ops that ONNX Runtime's optimiser and its tools for quantisation write.
const microsoftDomain = "com.microsoft"

// microsoftRows are the ops of com.microsoft.
func microsoftRows() []row {
	list := []row{
		unary("Gelu", geluOf), single("FastGelu", fastGelu), pairwise("BiasGelu", biasGelu), single("QuickGelu",
			quickGelu),
		single("BiasSplitGelu", biasSplitGelu), single("BiasAdd", biasAdd), single("BiasSoftmax", biasSoftmax),
		single("FusedMatMul", fusedMatMul), single("TransposeMatMul", fusedMatMul),
		single("FusedMatMulActivation", fusedMatMul), single("FusedGemm", fusedGemm),
		single("GemmFastGelu", gemmFastGelu), single("FusedConv", fusedConv(false)), single("NhwcConv",
			fusedConv(true)),
		single("NhwcFusedConv", fusedConv(true)), single("Inverse", inverseOf), single("Trilu", triangle),
		{op: "Unique", run: uniqueInOrder, sized: true}, single("ExpandDims", expandDims),
		forwarded("Pad", 13), forwarded("GatherND", 13), forwarded("Range", 11), forwarded("GridSample", 16),
		{op: "SkipLayerNormalization", run: skipLayerNorm(false)},
		{op: "SkipSimplifiedLayerNormalization", run: skipLayerNorm(true)},
		{op: "EmbedLayerNormalization", run: embedLayerNorm},
		single("GroupNorm", func(n *node) core.Tensor { return groupNormLast(n, n.in(0)) }),
		{op: "SkipGroupNorm", run: skipGroupNorm},
		{op: "Attention", run: attentionMS}, {op: "QAttention", run: qAttention},
		{op: "MultiHeadAttention", run: multiHeadAttention}, {op: "GroupQueryAttention", run: groupQueryAttention},
		single("RotaryEmbedding", rotaryEmbeddingMS),
		single("MatMulNBits", matMulNBits), single("GatherBlockQuantized", gatherBlockQuantized),
		single("QuantizeLinear", quantizeLinear), single("DequantizeLinear", dequantizeLinear),
		single("MatMulIntegerToFloat", matMulIntegerToFloat), single("DynamicQuantizeMatMul", dynamicQuantizeMatMul),
		{op: "DynamicQuantizeLSTM", run: dynamicQuantizeLSTM},
		single("QGemm", qGemm), single("QLinearConv", qLinearConv), single("QLinearAdd", qLinearAdd),
		single("QLinearMul", qLinearMul), single("QLinearSigmoid", qLinearSigmoid),
		single("QLinearLeakyRelu", qLinearLeakyRelu), single("QLinearSoftmax", qLinearSoftmax),
		single("QLinearConcat", qLinearConcat), single("QLinearWhere", qLinearWhere),
		single("QLinearAveragePool", qLinearAveragePool), single("QLinearGlobalAveragePool", qLinearGlobalAveragePool),
		single("QLinearReduceMean", qLinearReduceMean), single("NhwcMaxPool", nhwcMaxPool),
	}
	for i := range list {
		list[i].domain = microsoftDomain
	}
	return append(list, row{op: "SimplifiedLayerNormalization", run: simplifiedLayerNorm})
}

// refusals are ops that are known and not imported, with the reasons.
var refusals = map[opName]string{
	{microsoftDomain, "MoE"}:                          "it chooses among experts by kernels of its own",
	{microsoftDomain, "QMoE"}:                         "it chooses among experts by kernels of its own",
	{microsoftDomain, "PagedAttention"}:               "its cache is that of a server",
	{microsoftDomain, "BeamSearch"}:                   "it is a search with the model in it; run that in Go",
	{microsoftDomain, "WhisperBeamSearch"}:            "it is a search with the model in it; run that in Go",
	{microsoftDomain, "GreedySearch"}:                 "it is a search with the model in it; run that in Go",
	{microsoftDomain, "Sampling"}:                     "it is a search with the model in it; run that in Go",
	{microsoftDomain, "EPContext"}:                    "it holds a program of another device",
	{microsoftDomain, "Tokenizer"}:                    "it computes with strings",
	{microsoftDomain + ".nchwc", "Conv"}:              nchwcReason,
	{microsoftDomain + ".nchwc", "MaxPool"}:           nchwcReason,
	{microsoftDomain + ".nchwc", "AveragePool"}:       nchwcReason,
	{microsoftDomain + ".nchwc", "GlobalMaxPool"}:     nchwcReason,
	{microsoftDomain + ".nchwc", "GlobalAveragePool"}: nchwcReason,
	{microsoftDomain + ".nchwc", "ReorderInput"}:      nchwcReason,
	{microsoftDomain + ".nchwc", "ReorderOutput"}:     nchwcReason,
	{microsoftDomain + ".nchwc", "Upsample"}:          nchwcReason,
	{mlDomain, "CastMap"}:                             "maps are not arguments",
	{mlDomain, "DictVectorizer"}:                      "maps are not arguments",
}

const nchwcReason = "it is for the blocks of channels of the machine that saved the model; save it optimised at the " +
	"level \"extended\""

// forwarded is the row of an op that is one of the default domain, in a version.
func forwarded(op string, version int64) row {
	return row{op: op, run: func(n *node) []Value {
		r := rowOf("", op, version)
		if r == nil {
			n.fail("the op is not supported")
		}
		m := *n
		m.version, m.row = version, r
		return r.run(&m)
	}}
}

// wide returns 16-bit floats as f32: what sums or exponentiates is computed so.
func wide(t core.Tensor) core.Tensor {
	if t.DType().IsFloat() && t.DType().Bits() < 32 {
		return core.Cast(t, dtype.F32)
	}
	return t
}

// gelu is x·Φ(x).
func geluOf(x core.Tensor) core.Tensor { return sameType(core.Gelu(wide(x)), x.DType()) }

func biasGelu(a, b core.Tensor) core.Tensor {
	return sameType(core.Gelu(core.Add(wide(a), wide(b))), a.DType())
}

// fastGelu is Gelu by tanh, after a bias.
func fastGelu(n *node) core.Tensor {
	x := n.in(0)
	y := wide(x)
	if b, ok := n.opt(1); ok {
		y = core.Add(y, wide(b))
	}
	return sameType(core.GeluTanh(y), x.DType())
}

// quickGelu is x·σ(αx).
func quickGelu(n *node) core.Tensor {
	x := n.in(0)
	y := wide(x)
	return sameType(core.Mul(y, core.Sigmoid(core.Mul(y, n.attrFloat("alpha", 1.702)))), x.DType())
}

// biasSplitGelu is the product of the left half of x + bias and Gelu of the right one.
func biasSplitGelu(n *node) core.Tensor {
	x := n.in(0)
	y := core.Add(wide(x), wide(n.in(1)))
	size := dims(y)[y.Rank()-1]
	if size%2 != 0 {
		n.fail("the last axis has the odd size %d", size)
	}
	halves := core.Split(y, []int{size / 2, size / 2}, core.Axis(-1))
	return sameType(core.Mul(halves[0], core.Gelu(halves[1])), x.DType())
}

func biasAdd(n *node) core.Tensor { return core.Add(core.Add(n.in(0), n.in(1)), n.in(2)) }

// biasSoftmax is the softmax of x + bias over the axes from one on. The bias is that of the axes before, or after.
func biasSoftmax(n *node) core.Tensor {
	x, bias := n.in(0), n.in(1)
	axis := n.axis(n.attrInt("axis", 1), x.Rank())
	if n.attrBool("is_inner_broadcast") && bias.Rank() < x.Rank() {
		shape := dims(bias) // [outer…, softmax axes…] with axes between them to broadcast
		outer := bias.Rank() - (x.Rank() - axis)
		if outer < 0 {
			n.fail("the bias %v does not fit %v", shape, dims(x))
		}
		full := append([]int{}, shape[:outer]...)
		for range x.Rank() - bias.Rank() {
			full = append(full, 1)
		}
		bias = core.Reshape(bias, append(full, shape[outer:]...)...)
	}
	y := core.Add(wide(x), wide(bias))
	shape := dims(y)
	y = core.Softmax(core.Reshape(y, product(shape[:axis]), product(shape[axis:])))
	return sameType(core.Reshape(y, shape...), x.DType())
}

// activated applies the activation that is fused into a node, with its parameters.
func (n *node) activated(y core.Tensor, params []float64) core.Tensor {
	param := func(i int, otherwise float64) float64 {
		if i < len(params) {
			return params[i]
		}
		return otherwise
	}
	switch name := n.attrString("activation", ""); name {
	case "":
		return y
	case "Relu":
		return core.Relu(y)
	case "Sigmoid":
		return core.Sigmoid(y)
	case "Tanh":
		return core.Tanh(y)
	case "LeakyRelu":
		return core.Where(core.Less(y, 0), core.Mul(y, param(0, 0.01)), y)
	case "Clip":
		return core.Clip(y, param(0, -3.4028234663852886e38), param(1, 3.4028234663852886e38))
	case "HardSigmoid":
		return core.Clip(core.Add(core.Mul(y, param(0, 0.2)), param(1, 0.5)), 0, 1)
	case "HardSwish":
		return core.Mul(y, core.Clip(core.Add(core.Mul(y, 1.0/6), 0.5), 0, 1))
	case "Elu":
		return core.Where(core.Greater(y, 0), y, core.Mul(core.Expm1(core.Minimum(y, 0)), param(0, 1)))
	case "Gelu":
		return core.Gelu(y)
	case "Silu", "Swish":
		return core.Silu(y)
	case "Softplus":
		return core.Softplus(y)
	case "QuickGelu":
		return core.Mul(y, core.Sigmoid(core.Mul(y, param(0, 1.702))))
	default:
		n.fail("the activation %q is not supported", name)
	}
	return y
}

// namedParams are parameters of an activation in attributes of their own.
func (n *node) namedParams() []float64 {
	var list []float64
	for _, name := range []string{"activation_alpha", "activation_beta", "activation_gamma"} {
		if n.attr(name) == nil {
			break
		}
		list = append(list, n.attrFloat(name, 0))
	}
	return list
}

// fusedMatMul is alpha times the product of operands that may be transposed: their last axes, and before that the
// first axis to the place of the last but one.
func fusedMatMul(n *node) core.Tensor {
	operand := func(i int, swap, batch string) core.Tensor {
		t := n.in(i)
		r := t.Rank()
		if r < 2 {
			return t
		}
		order := make([]int, r)
		for k := range order {
			order[k] = k
		}
		if n.attrBool(batch) {
			for k := range r - 2 {
				order[k] = k + 1
			}
			order[r-2] = 0
		}
		if n.attrBool(swap) {
			order[r-2], order[r-1] = order[r-1], order[r-2]
		}
		return core.Transpose(t, core.Axis(order...))
	}
	a, b := operand(0, "transA", "transBatchA"), operand(1, "transB", "transBatchB")
	y := core.Dot(wide(a), wide(b))
	if alpha := n.attrFloat("alpha", 1); alpha != 1 {
		y = core.Mul(y, alpha)
	}
	return sameType(n.activated(y, n.namedParams()), a.DType())
}

// gemm is alpha·a·b + beta·c, with a and b transposed if the node says so.
func (n *node) gemm() core.Tensor {
	a, b := n.in(0), n.in(1)
	if a.Rank() != 2 || b.Rank() != 2 {
		n.fail("the operands have the shapes %v and %v, they must be matrices", dims(a), dims(b))
	}
	d := core.DotDims{ContractA: []int{1}, ContractB: []int{0}}
	if n.attrBool("transA") {
		d.ContractA[0] = 0
	}
	if n.attrBool("transB") {
		d.ContractB[0] = 1
	}
	y := core.DotGeneral(a, b, d)
	if alpha := n.attrFloat("alpha", 1); alpha != 1 {
		y = core.Mul(y, alpha)
	}
	if c, ok := n.opt(2); ok {
		if beta := n.attrFloat("beta", 1); beta != 1 {
			c = core.Mul(c, beta)
		}
		y = core.Add(y, c)
	}
	return sameType(y, a.DType())
}

func fusedGemm(n *node) core.Tensor { return n.activated(n.gemm(), n.namedParams()) }

func gemmFastGelu(n *node) core.Tensor {
	x := n.in(0)
	y := core.Dot(wide(x), wide(n.in(1)))
	if b, ok := n.opt(2); ok {
		y = core.Add(y, wide(b))
	}
	return sameType(core.GeluTanh(y), x.DType())
}

// fusedConv is a convolution with a bias, a sum with another tensor, and an activation.
func fusedConv(last bool) func(n *node) core.Tensor {
	return func(n *node) core.Tensor {
		x, w := n.in(0), n.in(1)
		rank := x.Rank()
		if rank < 3 || w.Rank() != rank {
			n.fail("the input has rank %d, the kernel %d", rank, w.Rank())
		}
		spatial := dims(x)[2:]
		if last {
			spatial = dims(x)[1 : rank-1]
		}
		at := n.windowsOf(spatial, dims(w)[2:]).same(spatial)
		opts := []core.ConvOption{core.Strides(at.strides...), core.Dilation(at.dilations...), core.Padding(at.pads...),
			core.FeatureGroups(n.attrInt("group", 1))}
		if last {
			opts = append(opts, channelsLast(rank))
		}
		y := core.Conv(x, w, opts...)
		if b, ok := n.opt(2); ok {
			y = core.Add(y, ofFeatures(b, rank, last))
		}
		if z, ok := n.opt(3); ok {
			y = core.Add(y, z)
		}
		return n.activated(y, n.attrFloats("activation_params"))
	}
}

// triangle keeps the elements on and above a diagonal, or below.
func triangle(n *node) core.Tensor {
	x, k := n.in(0), 0
	if n.has(1) {
		k = n.int(1)
	}
	if n.attrInt("upper", 1) != 0 {
		return core.Triu(x, k)
	}
	return core.Tril(x, k)
}

func expandDims(n *node) core.Tensor {
	x, at := n.in(0), n.int(1)
	return core.ExpandAxis(x, core.Axis(n.axis(at, x.Rank()+1)))
}

// uniqueInOrder returns the different elements of a vector as they come first, for each element its place among them,
// and how often each occurs.
func uniqueInOrder(n *node) []Value {
	x := n.in(0)
	if x.Rank() != 1 {
		n.fail("it takes a vector, got the shape %v", dims(x))
	}
	size := x.DType().Size()
	data := core.Bytes(x)
	at := map[string]int{}
	var first []int
	places := make([]int, x.Size())
	var counts []int
	for i := range places {
		key := string(data[i*size : (i+1)*size])
		k, ok := at[key]
		if !ok {
			k = len(first)
			at[key] = k
			first, counts = append(first, i), append(counts, 0)
		}
		places[i] = k
		counts[k]++
	}
	return tensors(core.Take(x, intsTensor(first)), intsTensor(places), intsTensor(counts))
}

// inverseOf is the inverse of each of a batch of matrices, by elimination with pivots.
func inverseOf(n *node) core.Tensor {
	x := n.in(0)
	shape := dims(x)
	r := x.Rank()
	if r < 2 || shape[r-1] != shape[r-2] {
		n.fail("the matrices are not square: %v", shape)
	}
	size := shape[r-1]
	a := core.Reshape(wide(x), -1, size, size)
	eye := core.BroadcastTo(core.Eye(core.Shape{size, size}, a.DType()), dims(a)...)
	m := core.Concatenate([]core.Tensor{a, eye}, core.Axis(2))
	index := core.Iota(core.Shape{size}, dtype.S32)
	column := func(is core.Tensor) core.Tensor { return core.ExpandAxis(is, core.Axis(-1)) }
	m = core.Fori(size, m, func(k, m core.Tensor) core.Tensor {
		here := core.BroadcastTo(core.Cast(core.Equal(index, k), m.DType()), dims(m)[0], size)
		of := func(is core.Tensor) core.Tensor { // a row of each matrix
			return core.Sum(core.Mul(m, column(is)), core.Axis(1), core.KeepAxes)
		}
		in := core.Slice(m, []any{0, 0, k}, []int{dims(m)[0], size, 1})
		sizes := core.Where(core.Less(index, k), -1, core.Abs(core.Reshape(in, -1, size)))
		there := core.OneHot(core.ArgMax(sizes, core.Axis(1)), size, m.DType())
		mine, other := of(here), of(there)
		m = core.Add(core.Add(m, core.Mul(column(here), core.Sub(other, mine))),
			core.Mul(column(there), core.Sub(mine, other)))
		pivot := core.Slice(other, []any{0, 0, k}, []int{dims(m)[0], 1, 1})
		line := core.Div(other, pivot)
		by := core.Slice(m, []any{0, 0, k}, []int{dims(m)[0], size, 1})
		return core.Where(core.Equal(column(here), 1), line, core.Sub(m, core.Mul(by, line)))
	})
	y := core.Slice(m, []int{0, 0, size}, []int{dims(m)[0], size, size})
	return sameType(core.Reshape(y, shape...), x.DType())
}
