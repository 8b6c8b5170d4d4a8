package autodiff

import (
	"slices"

	"github.com/go-nx/nx/internal/emit"
	"github.com/go-nx/nx/stablehlo"
)

// The reverse step of a loop repeats the step from its state, except for contractions whose results are saved too: to
// repeat these takes longer than to write and read them.

const (
	// minSavedTerms is the minimum number of products per element of a contraction that is saved.
	minSavedTerms = 16

	// maxSavedRatio bounds the bytes of saved contractions by those of the saved states.
	maxSavedRatio = 4
)

// saveContractions replaces contractions of the reverse step by additional arguments of its block, for a loop of trips
// steps, or at most so many if that is not exact. copies holds the ops of the block that repeat those of the body.
func (t *tracer) saveContractions(s *backStep, copies map[value]value, trips int64, exact bool) {
	if trips <= 0 {
		return
	}
	original := map[value]value{}
	for _, op := range s.body.Ops {
		if terms := termsOf(op); terms >= minSavedTerms && copies[op.Result()] != nil {
			original[copies[op.Result()]] = op.Result()
		}
	}
	if len(original) == 0 {
		return
	}
	free := s.free(trips, exact)
	live := map[value]bool{}
	isLive := func(v value) bool { return live[v] }
	use := func(op *stablehlo.Op) {
		for x := range op.Walk() {
			for _, v := range x.Operands {
				live[s.renames.Of(v)] = true
			}
		}
	}
	for _, op := range slices.Backward(s.block.Ops) {
		if v := original[resultOf(op)]; v != nil && live[op.Result()] && bytesOf([]value{v}) <= free {
			free -= bytesOf([]value{v})
			s.saved = append(s.saved, v)
			s.renames[op.Result()] = s.block.AddArg(v.Type())
			continue // its operands need not be live
		}
		if op == s.block.Terminator() || t.effects.Has(op) || slices.ContainsFunc(op.Results, isLive) {
			use(op)
		}
	}
}

// free returns the bytes that each of at most trips steps may save besides its state.
func (s *backStep) free(trips int64, exact bool) int64 {
	all := maxStackedBytes / max(trips, 1)
	if exact {
		return max(all, maxSavedRatio*s.stateBytes())
	}
	return all - s.stateBytes() - bytesOf(s.saved)
}

// resultOf returns the result of an op that has one, else nil.
func resultOf(op *stablehlo.Op) value {
	if len(op.Results) != 1 {
		return nil
	}
	return op.Result()
}

// termsOf returns the number of products per element of a contraction; 0 for other ops.
func termsOf(op *stablehlo.Op) int64 {
	switch op.Code {
	case stablehlo.OpDotGeneral:
		n, sizes := int64(1), emit.Sizes(op.Operands[0])
		if dims, ok := op.Attr("dot_dimension_numbers").(*stablehlo.DotDims); ok {
			for _, d := range dims.LHSContracting {
				n *= sizes[d]
			}
			return n
		}
	case stablehlo.OpConvolution:
		weights := emit.Sizes(op.Operands[1])
		dims, ok := op.Attr("dimension_numbers").(*stablehlo.ConvDims)
		if ok && weights[dims.KernelOutputFeature] > 0 {
			return product(weights) / weights[dims.KernelOutputFeature]
		}
	}
	return 0
}
