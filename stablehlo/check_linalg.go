package stablehlo

import (
	"slices"

	"github.com/go-nx/nx/dtype"
)

// linalgChecks are contractions, decompositions, transforms and normalisation.
var linalgChecks = checkRows{
	{OpBatchNormGrad, checkBatchNormGrad},
	{OpBatchNormInference, checkBatchNormInference},
	{OpBatchNormTraining, checkBatchNormTraining},
	{OpCholesky, checkCholesky},
	{OpDot, checkDot},
	{OpDotGeneral, checkDotGeneral},
	{OpEinsum, checkEinsum},
	{OpFft, checkFft},
	{OpTriangularSolve, checkTriangularSolve},
	{OpUnaryEinsum, checkUnaryEinsum},
}

func checkBatchNormGrad(c *check) {
	if !c.require(compatibleShape(c.arg(0), c.arg(4)), "batch_norm_grad_c3",
		"grad_output %s must have the shape of operand %s", c.arg(4), c.arg(0)) {
		return
	}
	ids := [...]string{1: "batch_norm_grad_c5", 2: "batch_norm_grad_c4", 3: "batch_norm_grad_c4"}
	if feature, ok := c.batchNorm(ids[:]); ok {
		c.inferBy("batch_norm_grad_c4", c.arg(0), feature, feature)
	}
}

func checkBatchNormInference(c *check) {
	ids := [...]string{1: "batch_norm_inference_c3", 2: "batch_norm_inference_c4", 3: "batch_norm_inference_c5",
		4: "batch_norm_inference_c6"}
	if _, ok := c.batchNorm(ids[:]); ok {
		c.inferBy("batch_norm_inference_c7", c.arg(0))
	}
}

func checkBatchNormTraining(c *check) {
	ids := [...]string{1: "batch_norm_training_c3", 2: "batch_norm_training_c4"}
	if feature, ok := c.batchNorm(ids[:]); ok {
		c.inferBy("batch_norm_training_c5", c.arg(0), feature, feature)
	}
}

// batchNorm checks the constraints that the three ops share: the vector operand i has the length of dimension
// feature_index (constraint ids[i], "" for tensors). It returns the type of a vector of that length.
func (c *check) batchNorm(ids []string) (feature *TensorType, ok bool) {
	operand, d := c.arg(0), c.Int("feature_index", 0)
	if !c.require(0 <= d && d < int64(operand.Rank()), "c1",
		"feature_index must be a dimension of operand, got %d for %s",
		d, operand) {
		return nil, false
	}
	for i := range c.Operands {
		c.require(compatibleElem(c.arg(i).Elem, operand.Elem), "c2",
			"%s must have the element type of operand %s, not %s", c.operandName(i), operand, c.arg(i))
	}
	for i := range c.Results {
		c.require(compatibleElem(c.res(i).Elem, operand.Elem), "c2",
			"%s must have the element type of operand %s, not %s", c.resultName(i), operand, c.res(i))
	}
	s := sizeAt(operand, int(d))
	for i, id := range ids {
		if id != "" {
			c.require(compatibleSize(c.arg(i).Dims[0], s.dim) && compatibleSize(c.arg(i).Dims[0], c.arg(1).Dims[0]), id,
				"%s must have the length of dimension %d of operand %s, not %s", c.operandName(i), d, operand, c.arg(i))
		}
	}
	return tensorOf(operand.Elem, []size{s}), !c.failed
}

func checkCholesky(c *check) {
	a := c.arg(0)
	if !c.require(a.Rank() >= 2, "cholesky_c2", "a must have at least 2 dimensions, not %s", a) {
		return
	}
	c.require(compatibleSize(a.Dims[a.Rank()-2], a.Dims[a.Rank()-1]), "cholesky_c3",
		"the last two dimensions of a must be equal, not %s", a)
	c.inferBy("cholesky_c1", a)
}

// precisionConfig checks that a list of precisions has one for each operand.
func (c *check) precisionConfig(id string) {
	a, ok := c.Attr("precision_config").(ArrayAttr)
	c.require(!ok || len(a) <= 2, id, "precision_config must have a precision for each of two operands, not %d", len(a))
}

func checkDot(c *check) {
	c.precisionConfig("")
	lhs, rhs := c.arg(0), c.arg(1)
	ranks := lhs.Rank() >= 1 && lhs.Rank() <= 2 && rhs.Rank() >= 1 && rhs.Rank() <= 2
	if !c.require(ranks && compatibleSize(lhs.Dims[lhs.Rank()-1], rhs.Dims[0]), "",
		"lhs %s and rhs %s must be vectors or matrices with the last dimension of lhs equal to the first of rhs", lhs, rhs) {
		return
	}
	sizes := append(sizesOf(lhs)[:lhs.Rank()-1], sizesOf(rhs)[1:]...)
	c.inferDot("", sizes)
}

// inferDot infers the shape of a dot. Its element type is that of lhs when the result type is not declared;
// otherwise any type is allowed.
func (c *check) inferDot(id string, sizes []size) {
	if declared := c.res(0); declared != nil {
		c.inferBy(id, tensorOf(declared.Elem, sizes))
		return
	}
	lhs, rhs := c.arg(0), c.arg(1)
	if anyQuantized(lhs) {
		c.fail("", "the operands do not determine the scale of the result %s; give its type", lhs)
		return
	}
	elem := lhs.Elem
	if !anyQuantized(rhs) && !SameType(lhs.Elem, rhs.Elem) {
		c.fail("c13", "lhs %s and rhs %s have different element types; give the type of the result", lhs, rhs)
		return
	}
	c.inferBy(id, tensorOf(elem, sizes))
}

func checkDotGeneral(c *check) {
	lhs, rhs := c.arg(0), c.arg(1)
	d := c.Attr("dot_dimension_numbers").(*DotDims)
	c.precisionConfig("dot_general_c11")
	if !c.dotDims(d) {
		return
	}
	var sizes []size
	for i := range d.LHSBatching {
		s, err := sizeAt(lhs, int(d.LHSBatching[i])).meet(sizeAt(rhs, int(d.RHSBatching[i])))
		if !c.require(err == nil, "dot_general_c9", "batching dimensions %d of lhs %s and %d of rhs %s: %v",
			d.LHSBatching[i],
			lhs, d.RHSBatching[i], rhs, err) {
			return
		}
		sizes = append(sizes, s)
	}
	for i := range d.LHSContracting {
		l, r := d.LHSContracting[i], d.RHSContracting[i]
		c.require(compatibleSize(lhs.Dims[l], rhs.Dims[r]), "dot_general_c10",
			"contracting dimensions %d of lhs %s and %d of rhs %s must be equal", l, lhs, r, rhs)
	}
	sizes = append(sizes, freeSizes(lhs, d.LHSBatching, d.LHSContracting)...)
	sizes = append(sizes, freeSizes(rhs, d.RHSBatching, d.RHSContracting)...)
	if a, ok := c.Attr("precision_config").(ArrayAttr); ok && c.Attr("algorithm") != nil {
		c.require(!slices.ContainsFunc(a, notDefault), "dot_general_c21",
			"precision_config must be DEFAULT with an algorithm")
	}
	if result := c.res(0); result != nil && anyQuantized(lhs, rhs, result) {
		c.zeroZeroPoints("dot_general_c15", rhs)
		q := rhs.Quant()
		c.require(q == nil || !q.IsPerAxis() || !slices.Contains(d.RHSContracting, int64(q.Axis)), "dot_general_c16",
			"the quantised dimension of rhs %s must not be contracted", rhs)
		c.quantDot([5]string{"dot_general_c14", "dot_general_c17", "dot_general_c18", "dot_general_c19",
			"dot_general_c20"},
			lhs, rhs, result)
	}
	if !c.failed {
		c.inferDot("dot_general_c12", sizes)
	}
}

func notDefault(a Attr) bool { e, ok := a.(EnumAttr); return ok && e.Value != "DEFAULT" }

// dotDims checks the dimension numbers by themselves and against the ranks.
func (c *check) dotDims(d *DotDims) bool {
	lb, rb := dimList{"lhs_batching_dimensions", d.LHSBatching}, dimList{"rhs_batching_dimensions", d.RHSBatching}
	lc, rc := dimList{"lhs_contracting_dimensions", d.LHSContracting},
		dimList{"rhs_contracting_dimensions", d.RHSContracting}
	ok := c.require(len(lb.dims) == len(rb.dims), "dot_general_c1",
		"lhs and rhs must have equally many batching dimensions, got %d and %d",
		len(lb.dims), len(rb.dims))
	ok = c.require(len(lc.dims) == len(rc.dims), "dot_general_c2",
		"lhs and rhs must have equally many contracting dimensions, got %d and %d",
		len(lc.dims), len(rc.dims)) && ok
	ok = c.distinct("dot_general_c3", lb, lc) && ok
	ok = c.distinct("dot_general_c4", rb, rc) && ok
	l, r := c.arg(0).Rank(), c.arg(1).Rank()
	ok = c.inRange("dot_general_c5", lb, l, "lhs") && ok
	ok = c.inRange("dot_general_c6", lc, l, "lhs") && ok
	ok = c.inRange("dot_general_c7", rb, r, "rhs") && ok
	return c.inRange("dot_general_c8", rc, r, "rhs") && ok
}

// freeSizes returns the sizes of the dimensions that are in none of the lists.
func freeSizes(t *TensorType, lists ...[]int64) []size {
	var sizes []size
	for i, used := range marked(t.Rank(), lists...) {
		if !used {
			sizes = append(sizes, sizeAt(t, i))
		}
	}
	return sizes
}

func checkFft(c *check) {
	operand, length := c.arg(0), c.Ints("fft_length")
	kind := c.Str("fft_type")
	if !c.require(1 <= len(length) && len(length) <= 3, "fft_c3", "fft_length must have 1 to 3 numbers, not %d",
		len(length)) ||
		!c.require(len(length) <= operand.Rank(), "fft_c1",
			"fft_length must have at most one value per dimension, got %d for operand %s", len(length), operand) {
		return
	}
	from := operand.DType()
	elem := operand.Elem
	switch kind {
	case "RFFT":
		if !c.require(from == dtype.F32 || from == dtype.F64, "fft_c2", "RFFT needs an operand of f32 or f64, not %s",
			operand) {
			return
		}
		elem = Scalar(from.Complex())
	case "IRFFT":
		elem = Scalar(from.Real())
		fallthrough
	default:
		if !c.require(from.IsComplex(), "fft_c2", "%s needs a complex operand, not %s", kind, operand) {
			return
		}
	}
	sizes := sizesOf(operand)
	tail, last := operand.Dims[operand.Rank()-len(length):], len(length)-1
	switch kind {
	case "RFFT":
		if !c.require(compatibleDims(tail, length), "fft_c4", "fft_length %s must be the last dimensions of operand %s",
			listText(length), operand) {
			return
		}
		sizes[len(sizes)-1] = size{halfSpectrum(length[last]), Dynamic}
	case "IRFFT":
		if !c.require(compatibleDims(tail[:last], length[:last]), "fft_c4",
			"fft_length %s must be the last dimensions of the result for operand %s", listText(length), operand) ||
			!c.require(compatibleSize(tail[last], halfSpectrum(length[last])), "fft_c5",
				"the last dimension of operand %s must be %d for fft_length %s", operand, halfSpectrum(length[last]),
				listText(length)) {
			return
		}
		sizes[len(sizes)-1] = size{length[last], Dynamic}
	}
	c.inferBy("fft_c5", tensorOf(elem, sizes))
}

// halfSpectrum returns how many frequencies of n real numbers are independent.
func halfSpectrum(n int64) int64 {
	if n == 0 {
		return 0
	}
	return n/2 + 1
}

func checkTriangularSolve(c *check) {
	a, b := c.arg(0), c.arg(1)
	c.require(compatibleElem(a.Elem, b.Elem), "triangular_solve_c1",
		"a and b must have one element type, not %s and %s",
		a, b)
	rank := a.Rank()
	if !c.require(rank >= 2, "triangular_solve_c2", "a must have at least 2 dimensions, not %s", a) ||
		!c.require(b.Rank() == rank, "triangular_solve_c2", "a and b must have one rank, not %s and %s", a, b) {
		return
	}
	side := rank - 1
	if c.Bool("left_side", false) {
		side = rank - 2
	}
	c.require(compatibleSize(a.Dims[rank-2], a.Dims[rank-1]), "triangular_solve_c3",
		"the last two dimensions of a must be equal, not %s", a)
	c.require(compatibleSize(a.Dims[rank-1], b.Dims[side]), "triangular_solve_c3",
		"dimension %d of b %s must be the size of a %s", side, b, a)
	c.require(compatibleDims(a.Dims[:rank-2], b.Dims[:rank-2]), "triangular_solve_c3",
		"a and b must agree in all but the last two dimensions, not %s and %s", a, b)
	c.require(c.Str("transpose_a") != "TRANSPOSE_INVALID", "", "transpose_a must be %s",
		orList(EnumKeywords("transpose")[1:]))
	c.inferBy("triangular_solve_c4", b)
}
