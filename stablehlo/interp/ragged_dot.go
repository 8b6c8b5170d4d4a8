package interp

import (
	"slices"

	"github.com/go-nx/nx/stablehlo"
)

// raggedDot is a contraction whose left operand has one dimension that is split into groups. Rows or terms
// after the last group are ignored.
type raggedDot struct {
	contraction
	groups  int
	grouped bool      // the right operand has a group dimension, the first of right
	ends    [][]int64 // the end of each group, for each index of the dimensions before the ragged one
	// ragged and before hold, for element i of the split dimensions (left or sum), the index along the ragged
	// dimension and, if the group sizes depend on them, along those before it.
	ragged, before []int
	perBatch       int // rows of ends for each batch index; 0 when all share them

	numBatch, numLeft, numRight, numSum int // elements of the dimensions of each kind
}

func evalRaggedDot(f *frame, s *step, args []Value) ([]Value, error) {
	a, ok := s.op.Attr("ragged_dot_dimension_numbers").(*stablehlo.RaggedDotDims)
	if !ok || len(a.LHSRagged) != 1 {
		return nil, faultf(Unsupported, "ragged_dot needs dimension numbers")
	}
	x, y, sizes := args[0].(*Tensor), args[1].(*Tensor), args[2].(*Tensor)
	t, ragged := s.op.Result().Tensor(), a.LHSRagged[0]
	dims := &stablehlo.DotDims{LHSBatching: a.LHSBatching, RHSBatching: a.RHSBatching,
		LHSContracting: a.LHSContracting, RHSContracting: a.RHSContracting}
	c, err := newContraction(x.dims(), y.dims(), dims)
	if err != nil {
		return nil, err
	}
	if slices.Contains(a.LHSBatching, ragged) { // each batch has its own matrices anyway
		return c.eval(f, t, x, y)
	}
	r := &raggedDot{contraction: *c, groups: int(sizes.dims()[sizes.Type.Rank()-1])}
	// The kind of dimensions that contains the ragged one, and its position there.
	cut, at := r.sum, slices.Index(a.LHSContracting, ragged)
	contracting := at >= 0
	if !contracting {
		cut, at = r.left, 0
		for d := range ragged {
			if !slices.Contains(a.LHSBatching, d) && !slices.Contains(a.LHSContracting, d) {
				at++
			}
		}
		if err := r.dropGroups(a, y.dims()); err != nil {
			return nil, err
		}
	}
	if err := r.readGroups(sizes, cut, at); err != nil {
		return nil, err
	}
	out := r.dims()
	if contracting {
		out = append([]int64{int64(r.groups)}, out...)
	}
	result, err := makeTensor(t, out...)
	if err != nil {
		return nil, err
	}
	if x, y, err = r.pack(f, x, y); err != nil {
		return nil, err
	}
	switch kindOf(result.Type.DType()) {
	case asFloat32:
		err = raggedDotPacked[float32](f, r, result, x, y, contracting)
	case asFloat64:
		err = raggedDotPacked[float64](f, r, result, x, y, contracting)
	case asComplex64:
		err = raggedDotPacked[complex64](f, r, result, x, y, contracting)
	case asComplex128:
		err = raggedDotPacked[complex128](f, r, result, x, y, contracting)
	default:
		err = raggedDotPacked[int64](f, r, result, x, y, contracting)
	}
	return []Value{result}, err
}

// dropGroups takes the group dimension of the right operand from the free
// ones and puts it in front of them, under the label of the batch.
func (r *raggedDot) dropGroups(a *stablehlo.RaggedDotDims, y []int64) error {
	if len(a.RHSGroup) != 1 || y[a.RHSGroup[0]] != int64(r.groups) {
		return faultf(BadShape, "a right operand of shape %v does not fit %d groups", y, r.groups)
	}
	step := rowMajor(y)[a.RHSGroup[0]]
	i := 0
	for d := range y {
		if int64(d) == a.RHSGroup[0] {
			break
		}
		if !slices.Contains(a.RHSBatching, int64(d)) && !slices.Contains(a.RHSContracting, int64(d)) {
			i++
		}
	}
	r.right = slices.Delete(slices.Clone(r.right), i, i+1)
	r.right, r.grouped = append([]label{{int64(r.groups), 0, step}}, r.right...), true
	return nil
}

// readGroups reads the sizes of the groups along dimension at of cut.
func (r *raggedDot) readGroups(sizes *Tensor, cut []label, at int) error {
	flat := ints(sizes)
	for row := range slices.Chunk(flat, max(r.groups, 1)) {
		ends, sum := make([]int64, len(row)), int64(0)
		for g, n := range row {
			if n < 0 {
				return faultf(BadShape, "the size of a group must not be negative, got %d", n)
			}
			sum = min(sum+n, cut[at].n) // clamped to the end
			ends[g] = sum
		}
		r.ends = append(r.ends, ends)
	}
	before := numElems(labelDims(cut[:at]))
	if sizes.Type.Rank() > 1 {
		r.perBatch = before
		if want := numElems(labelDims(r.batch)) * before; want != len(r.ends) && r.groups > 0 {
			return faultf(BadShape, "group sizes of shape %v do not fit %d batch positions", sizes.dims(), want)
		}
	}
	after := numElems(labelDims(cut[at+1:]))
	n := int(cut[at].n)
	for i := range before * n * after {
		r.ragged = append(r.ragged, i/after%n)
		r.before = append(r.before, i/after/n)
	}
	return nil
}

// group returns the group of element i of the cut dimensions, or -1.
func (r *raggedDot) group(batch, i int) int {
	if r.groups == 0 {
		return -1
	}
	row := 0
	if r.perBatch > 0 {
		row = batch*r.perBatch + r.before[i]
	}
	for g, end := range r.ends[row] {
		if int64(r.ragged[i]) < end {
			return g
		}
	}
	return -1
}

// pack returns the operands with the dimensions of the sums last.
func (r *raggedDot) pack(f *frame, x, y *Tensor) (_, _ *Tensor, err error) {
	size := func(ls []label) int { return numElems(labelDims(ls)) }
	r.numBatch, r.numLeft, r.numRight, r.numSum = size(r.batch), size(r.left), size(r.right), size(r.sum)
	if x, err = pack(f, x, slices.Concat(r.batch, r.left, r.sum), func(l label) int { return l.x }); err != nil {
		return nil, nil, err
	}
	y, err = pack(f, y, slices.Concat(r.batch, r.right, r.sum), func(l label) int { return l.y })
	return x, y, err
}

// raggedDotPacked computes the result of packed operands: each left row with the right matrix of
// its group, or each term of a sum into the result of its group.
func raggedDotPacked[T number](f *frame, r *raggedDot, result, x, y *Tensor, contracting bool) error {
	if err := checkMemoryFor[T](x, y, result); err != nil {
		return err
	}
	xs, err := load[T](f, x)
	if err != nil {
		return err
	}
	ys, err := load[T](f, y)
	if err != nil {
		return err
	}
	out := make([]T, result.numElems())
	nb, nm, nn, nk := r.numBatch, r.numLeft, r.numRight, r.numSum
	for b := range nb {
		for m := range nm {
			if err := f.tickN(nn * nk / 64); err != nil {
				return err
			}
			row, cols := xs[(b*nm+m)*nk:][:nk], ys[b*nn*nk:][:nn*nk]
			if contracting {
				for k, v := range row {
					g := r.group(b, k)
					if g < 0 {
						continue
					}
					to := out[((g*nb+b)*nm+m)*nn:][:nn]
					for n := range to {
						to[n] += T(v * cols[n*nk+k])
					}
				}
				continue
			}
			g, n := r.group(b, m), nn/max(r.groups, 1)
			if g < 0 {
				continue
			}
			for j, to := 0, out[(b*nm+m)*n:][:n]; j < n; j++ {
				to[j] = dot1(row, cols[(g*n+j)*nk:])
			}
		}
	}
	return store(f, result, out)
}

// dims returns the shape of the result without a group dimension.
func (r *raggedDot) dims() []int64 {
	right := r.right
	if r.grouped {
		right = right[1:]
	}
	return labelDims(slices.Concat(r.batch, r.left, right))
}
