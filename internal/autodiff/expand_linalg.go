package autodiff

import (
	"slices"
	"strings"

	"github.com/go-nx/nx/stablehlo"
)

// term is an operand of an einsum with the names of its dimensions.
type term struct {
	x     value
	names []rune
}

// expandEinsum writes einsum as sums and a dot_general.
func expandEinsum(e emitter, op *stablehlo.Op) []value {
	config := strings.ReplaceAll(op.Str("einsum_config"), " ", "")
	left, out, ok := strings.Cut(config, "->")
	if !ok {
		fail("no derivative of %s without \"->\" in %q", op.Name(), config)
	}
	names := strings.Split(strings.TrimPrefix(left, ","), ",")
	if len(names) != len(op.Operands) {
		fail("%s: %q does not name its operands", op.Name(), config)
	}
	result := einsumNames(out, len(sizes(op.Result())))
	terms := make([]term, len(names))
	for i, n := range names {
		terms[i] = e.diagonal(term{op.Operands[i], einsumNames(n, len(sizes(op.Operands[i])))})
	}
	if len(terms) == 1 {
		terms = append(terms, term{e.scalar(dtypeOf(op.Result()), 1), nil})
	}
	for i := range terms {
		terms[i] = e.squeeze(terms[i], terms[1-i])
	}
	for i := range terms {
		// What only this operand has is summed at once.
		terms[i] = e.sumNames(terms[i], func(name rune) bool {
			return !slices.Contains(result, name) && !slices.Contains(terms[1-i].names, name)
		})
	}
	x, y := terms[0], terms[1]
	dims := &stablehlo.DotDims{}
	var batch, rest []rune
	for i, name := range x.names {
		j := slices.Index(y.names, name)
		switch {
		case j < 0:
			rest = append(rest, name)
		case slices.Contains(result, name):
			batch = append(batch, name)
			dims.LHSBatching = append(dims.LHSBatching, int64(i))
			dims.RHSBatching = append(dims.RHSBatching, int64(j))
		default:
			dims.LHSContracting = append(dims.LHSContracting, int64(i))
			dims.RHSContracting = append(dims.RHSContracting, int64(j))
		}
	}
	for _, name := range y.names {
		if !slices.Contains(x.names, name) {
			rest = append(rest, name)
		}
	}
	have := append(batch, rest...)
	z := e.dot(x.x, y.x, dims)
	perm := make([]int64, len(result))
	for i, name := range result {
		perm[i] = int64(slices.Index(have, name))
		if perm[i] < 0 {
			fail("%s: %q is in no operand of %q", op.Name(), string(name), config)
		}
	}
	return []value{e.transpose(z, perm...)}
}

// einsumNames returns the name of each dimension; those that "..." stands for
// are numbered from the last, negatively.
func einsumNames(text string, rank int) []rune {
	before, after, dots := strings.Cut(text, "...")
	names := []rune(before)
	if n := rank - len(names) - len([]rune(after)); dots {
		for i := range max(n, 0) {
			names = append(names, rune(i-n))
		}
	}
	names = append(names, []rune(after)...)
	if len(names) != rank {
		fail("einsum: %q names no tensor of %d dimensions", text, rank)
	}
	return names
}

// diagonal takes the diagonal where a name occurs twice.
func (e emitter) diagonal(t term) term {
	for i := 0; i < len(t.names); i++ {
		j := slices.Index(t.names[i+1:], t.names[i])
		if j < 0 {
			continue
		}
		j += i + 1
		dims := sizes(t.x)
		d := indexType(dims[i])
		equal := e.compare("EQ", e.iota(d, dims, i), e.iota(d, dims, j))
		t = term{e.sumOver(e.keep(equal, t.x), int64(j)), slices.Delete(slices.Clone(t.names), j, j+1)}
		i--
	}
	return t
}

// squeeze drops dimensions of size 1 that are broadcast against the other term.
func (e emitter) squeeze(t, other term) term {
	var names []rune
	var dims []int64
	for i, n := range sizes(t.x) {
		j := slices.Index(other.names, t.names[i])
		if n == 1 && j >= 0 && sizes(other.x)[j] != 1 {
			continue
		}
		names, dims = append(names, t.names[i]), append(dims, n)
	}
	return term{e.reshape(t.x, dims...), names}
}

// sumNames adds up the dimensions whose name drop holds for.
func (e emitter) sumNames(t term, drop func(rune) bool) term {
	var over []int64
	var names []rune
	for i, name := range t.names {
		if drop(name) {
			over = append(over, int64(i))
		} else {
			names = append(names, name)
		}
	}
	return term{e.sumOver(t.x, over...), names}
}

// norm is the normalisation of x over all dimensions but one.
type norm struct {
	emitter
	dims    []int64
	feature int64
	epsilon float64
}

func (e emitter) norm(op *stablehlo.Op) norm {
	n := norm{emitter: e, dims: sizes(op.Operands[0]), feature: op.Int("feature_index", 0)}
	if a, ok := op.Attr("epsilon").(stablehlo.FloatAttr); ok {
		n.epsilon = a.Value
	}
	return n
}

// spread gives a vector of features the shape of the operand.
func (n norm) spread(v value) value { return n.broadcast(v, n.dims, n.feature) }

// perFeature adds up all dimensions but that of the features.
func (n norm) perFeature(x value) value {
	return n.sumOver(x, except(len(n.dims), []int64{n.feature})...)
}

// count is the number of elements of each feature.
func (n norm) count() float64 {
	return float64(product(n.dims)) / max(1, float64(n.dims[n.feature]))
}

// deviation returns √(variance + ε) for each element.
func (n norm) deviation(variance value) value {
	return n.spread(n.do(stablehlo.OpSqrt, n.plus(n.epsilon, variance)))
}

func (n norm) normalise(x, scale, offset, mean, variance value) value {
	y := n.div(n.sub(x, n.spread(mean)), n.deviation(variance))
	return n.add(n.mul(y, n.spread(scale)), n.spread(offset))
}

func expandBatchNormInference(e emitter, op *stablehlo.Op) []value {
	in := op.Operands
	return []value{e.norm(op).normalise(in[0], in[1], in[2], in[3], in[4])}
}

func expandBatchNormTraining(e emitter, op *stablehlo.Op) []value {
	n, x := e.norm(op), op.Operands[0]
	mean := n.scale(1/n.count(), n.perFeature(x))
	variance := n.scale(1/n.count(), n.perFeature(n.square(n.sub(x, n.spread(mean)))))
	return []value{n.normalise(x, op.Operands[1], op.Operands[2], mean, variance), mean, variance}
}

func expandBatchNormGrad(e emitter, op *stablehlo.Op) []value {
	n := e.norm(op)
	x, scale, mean, variance, grad := op.Operands[0], op.Operands[1], op.Operands[2], op.Operands[3], op.Operands[4]
	centered, deviation := n.sub(x, n.spread(mean)), n.deviation(variance)
	sum := n.perFeature(grad)
	slope := n.perFeature(n.mul(grad, centered))
	// scale/σ · (grad - (Σ grad + centered·Σ(grad·centered)/σ²)/count)
	shared := n.add(n.spread(sum), n.div(n.mul(n.spread(slope), centered), n.square(deviation)))
	gradX := n.mul(n.div(n.spread(scale), deviation), n.sub(grad, n.scale(1/n.count(), shared)))
	return []value{gradX, n.perFeature(n.mul(grad, n.div(centered, deviation))), sum}
}

// expandRaggedDot gives each group its own copy of the ragged operand, with
// zeros outside of the group.
func expandRaggedDot(e emitter, op *stablehlo.Op) []value {
	d, ok := op.Attr("ragged_dot_dimension_numbers").(*stablehlo.RaggedDotDims)
	x, y, groups := op.Operands[0], op.Operands[1], op.Operands[2]
	if !ok || len(d.LHSRagged) != 1 || len(sizes(groups)) != 1 {
		fail("no derivative of chlo.ragged_dot with these dimension numbers")
	}
	ragged := d.LHSRagged[0]
	dims := &stablehlo.DotDims{LHSBatching: d.LHSBatching, RHSBatching: d.RHSBatching,
		LHSContracting: d.LHSContracting, RHSContracting: d.RHSContracting}
	if slices.Contains(d.LHSBatching, ragged) {
		return []value{e.dot(x, y, dims, precisionOf(op, false)...)}
	}
	// x as [group, …] with the rows of each group.
	g := sizes(groups)[0]
	count := dtypeOf(groups)
	n := sizes(x)[ragged]
	square := []int64{g, g}
	before := e.compare("GE", e.iota(count, square, 0), e.iota(count, square, 1))
	ends := e.sumOver(e.keep(before, e.broadcast(groups, square, 1)), 1)
	starts := e.sub(ends, groups)
	grid := []int64{g, n}
	at := e.iota(count, grid, 1)
	mine := e.do(stablehlo.OpAnd, e.compare("GE", at, e.broadcast(starts, grid, 0)), e.compare("LT", at, e.broadcast(ends, grid, 0)))
	shape := append([]int64{g}, sizes(x)...)
	one := func(v []int64) []int64 {
		out := make([]int64, len(v))
		for i, a := range v {
			out[i] = a + 1
		}
		return out
	}
	parts := e.broadcast(x, shape, one(upTo(len(sizes(x))))...)
	parts = e.keep(e.broadcast(mine, shape, 0, ragged+1), parts)
	dims.LHSBatching, dims.LHSContracting = one(d.LHSBatching), one(d.LHSContracting)
	if slices.Contains(d.LHSContracting, ragged) {
		// One product a group, the group in front.
		z := e.dot(parts, y, dims, precisionOf(op, false)...)
		nb := len(d.LHSBatching)
		perm := slices.Insert(slices.Delete(upTo(len(sizes(z))), nb, nb+1), 0, int64(nb))
		return []value{e.transpose(z, perm...)}
	}
	dims.LHSContracting = append([]int64{0}, dims.LHSContracting...)
	dims.RHSContracting = append(slices.Clone(d.RHSGroup), dims.RHSContracting...)
	return []value{e.dot(parts, y, dims, precisionOf(op, false)...)}
}
