package random

import (
	"slices"

	"github.com/go-nx/nx/dtype"
	"github.com/go-nx/nx/stablehlo"
)

// Certainty is the maximum difference of a value between executors that round differently.
type Certainty uint8

// The certainties, each less than the one before.
const (
	Same Certainty = iota // the same bits everywhere; all NaNs are one
	Near                  // up to the propagated rounding errors of other values
	Open                  // a rounding error may decide its value
)

// certainties holds the certainty of values; others are Same, as arguments and constants are.
type certainties map[*stablehlo.Value]Certainty

// Certain returns the certainty of each result of @main.
func Certain(m *stablehlo.Module) []Certainty {
	c := certainties{}
	f, _ := m.Func("main")
	return c.block(f.Body())
}

// block visits the ops of a block and returns the certainties of its results.
func (c certainties) block(b *stablehlo.Block) []Certainty {
	for _, op := range b.Ops {
		c.visit(op)
	}
	return c.all(b.Terminator().Operands)
}

func (c certainties) all(vs []*stablehlo.Value) []Certainty {
	out := make([]Certainty, len(vs))
	for i, v := range vs {
		out[i] = c[v]
	}
	return out
}

func worst(list []Certainty) Certainty { return slices.Max(append(list, Same)) }

// visit finds the certainties of the results of an op from those of its operands.
func (c certainties) visit(op *stablehlo.Op) {
	switch op.Code {
	case stablehlo.OpWhile:
		c.while(op)
		return
	case stablehlo.OpIf, stablehlo.OpCase:
		c.branches(op)
		return
	case stablehlo.OpComposite: // executors use different algorithms
		for _, r := range op.Results {
			c[r] = Open
		}
		return
	case stablehlo.OpOptimizationBarrier:
		for i, r := range op.Results {
			c[r] = c[op.Operands[i]]
		}
		return
	}
	in := worst(c.all(op.Operands))
	out := in
	for _, r := range op.Regions {
		for _, a := range r.Block().Args {
			c[a] = in
		}
		out = max(out, worst(c.block(r.Block())))
	}
	for _, r := range op.Results {
		c.set(r, op, in, out)
	}
}

func (c certainties) set(r *stablehlo.Value, op *stablehlo.Op, in, out Certainty) {
	rounding := roundingOf(op)
	// results reduced together with floats, for instance
	if !isInexact(stablehlo.DType(r.Type())) && in == Same && !crosses(op) {
		rounding = continuous
	}
	switch {
	case in != Same && (rounding == discontinuous || rounding == inexactDiscontinuous ||
		!isInexact(stablehlo.DType(r.Type()))):
		out = Open
	case rounding == inexact || rounding == inexactDiscontinuous:
		out = max(out, Near)
	}
	if out == Near && roundingOf(op) == inexact && reducesAnyExponents(op) {
		out = Open
	}
	if d := stablehlo.DType(r.Type()); out == Near && (perturbation(d) == 0 || driftOf(d, terms(op)) > 1./8) {
		out = Open
	}
	c[r] = out
}

// reducesAnyExponents reports whether the op adds up or multiplies floats of any exponent:
// made of bits or of wide integers. In one order these overflow, in another they do not.
// Of reductions [Perturb] tries several orders.
func reducesAnyExponents(op *stablehlo.Op) bool {
	if op.Code == stablehlo.OpReduce || !slices.Contains(reductionOps, op.Code) &&
		!slices.Contains(linearOps, op.Code) {
		return false
	}
	seen := map[*stablehlo.Value]bool{}
	var any func(v *stablehlo.Value) bool
	any = func(v *stablehlo.Value) bool {
		if seen[v] || !isInexact(stablehlo.DType(v.Type())) {
			return false
		}
		seen[v] = true
		op := v.Op()
		if op == nil { // an argument of a region depends on the operands of the enclosing op
			if op = v.Block().Parent(); op == nil {
				return false
			}
		}
		switch op.Code {
		case stablehlo.OpBitcastConvert:
			return true
		case stablehlo.OpConvert:
			from := stablehlo.DType(op.Operands[0].Type())
			return from.IsInteger() && from.Bits() >= 32 || any(op.Operands[0])
		}
		for x := range op.Walk() {
			if slices.ContainsFunc(x.Operands, any) {
				return true
			}
		}
		return false
	}
	return slices.ContainsFunc(op.Operands, any)
}

// terms returns how many numbers the op may add up for one of its results.
func terms(op *stablehlo.Op) int64 {
	size := func(v *stablehlo.Value) int64 { return max(count(v.Tensor().Dims), 1) }
	switch op.Code {
	case stablehlo.OpReduce:
		return size(op.Operands[0]) / size(op.Results[0])
	case stablehlo.OpReduceWindow, stablehlo.OpSelectAndScatter:
		return count(op.Ints("window_dimensions"))
	case stablehlo.OpScatter:
		return size(op.Operands[len(op.Operands)/2])
	case stablehlo.OpDotGeneral:
		dims, n := op.Attr("dot_dimension_numbers").(*stablehlo.DotDims), int64(1)
		for _, d := range dims.LHSContracting {
			n *= op.Operands[0].Tensor().Dims[d]
		}
		return n
	}
	return 1
}

// driftOf returns the maximum relative error of a sum of n terms.
func driftOf(d dtype.Type, terms int64) float64 {
	if terms <= 1 {
		return 0
	}
	return float64(terms) * d.Real().Epsilon() / 2
}

// branches joins the certainties of the branches.
func (c certainties) branches(op *stablehlo.Op) {
	for _, r := range op.Results {
		c[r] = Same
		if c[op.Operands[0]] != Same {
			c[r] = Open
		}
	}
	for _, region := range op.Regions {
		for i, out := range c.block(region.Block()) {
			c[op.Results[i]] = max(c[op.Results[i]], out)
		}
	}
}

// while finds the certainties that no trip of a loop makes worse.
func (c certainties) while(op *stablehlo.Op) {
	state := c.all(op.Operands)
	for changed := true; changed; {
		changed = false
		for _, r := range op.Regions {
			for i, a := range r.Block().Args {
				c[a] = state[i]
			}
		}
		condition := worst(c.block(op.Regions[0].Block()))
		for i, next := range c.block(op.Regions[1].Block()) {
			if condition != Same {
				next = Open
			}
			if next > state[i] {
				state[i], changed = next, true
			}
		}
	}
	for i, r := range op.Results {
		c[r] = state[i]
	}
}

// isInexact reports whether numbers of a type are rounded.
func isInexact(d dtype.Type) bool { return d.IsFloat() || d.IsComplex() }

// rounding classifies how an op propagates rounding errors, and whether it rounds.
type rounding uint8

const (
	continuous           rounding = iota // the same bits from the same, and nearly the same from nearly the same
	discontinuous                        // the same bits from the same, but anything from nearly the same
	inexact                              // nearly the same from nearly the same
	inexactDiscontinuous                 // nearly the same from the same, but anything from nearly the same
)

// roundingOf returns the rounding of an op on floats or complex numbers, steady of
// others.
func roundingOf(op *stablehlo.Op) rounding {
	d := stablehlo.DType(op.Results[0].Type())
	from := d
	if len(op.Operands) > 0 {
		from = stablehlo.DType(op.Operands[0].Type())
	}
	switch {
	case slices.Contains(reductionOps, op.Code):
		return reductionRounding(op)
	case !isInexact(d) && !isInexact(from):
		return continuous
	case d.IsComplex() || from.IsComplex():
		return complexRounding(op)
	}
	return realRounding(op)
}

var (
	// reductionOps apply a region in an unspecified order.
	reductionOps = []stablehlo.OpCode{stablehlo.OpReduce, stablehlo.OpReduceWindow, stablehlo.OpScatter,
		stablehlo.OpSelectAndScatter}
	// linearOps are sums of products.
	linearOps = []stablehlo.OpCode{stablehlo.OpDotGeneral, stablehlo.OpDot, stablehlo.OpConvolution, stablehlo.OpFft,
		stablehlo.OpTriangularSolve,
		stablehlo.OpCholesky, stablehlo.OpBatchNormInference, stablehlo.OpBatchNormTraining, stablehlo.OpBatchNormGrad}
	// discontinuousOps are step functions, or depend on the bits or the order of numbers.
	discontinuousOps = []stablehlo.OpCode{stablehlo.OpFloor, stablehlo.OpCeil, stablehlo.OpSign,
		stablehlo.OpRoundNearestEven, stablehlo.OpRoundNearestAfz,
		stablehlo.OpRemainder, stablehlo.OpChloNextAfter, stablehlo.OpReducePrecision, stablehlo.OpBitcastConvert,
		stablehlo.OpSort, stablehlo.OpChloTopK}
	smoothUnary = []stablehlo.OpCode{stablehlo.OpTanh, stablehlo.OpLogistic, stablehlo.OpExponential,
		stablehlo.OpChloErf,
		stablehlo.OpExponentialMinusOne, stablehlo.OpChloAtan, stablehlo.OpChloAsinh, stablehlo.OpChloErfc,
		stablehlo.OpCbrt}
	// complexExact are the ops that do not round parts of complex numbers.
	complexExact = []stablehlo.OpCode{stablehlo.OpAdd, stablehlo.OpSubtract, stablehlo.OpNegate,
		stablehlo.OpReal, stablehlo.OpImag,
		stablehlo.OpComplex, stablehlo.OpChloConj}
)

func realRounding(op *stablehlo.Op) rounding {
	switch {
	case slices.Contains(discontinuousOps, op.Code):
		return discontinuous
	case slices.Contains(linearOps, op.Code), slices.Contains(smoothUnary, op.Code):
		return inexact
	case op.Code == stablehlo.OpSqrt:
		return continuous
	case op.Code == stablehlo.OpConvert:
		if to := stablehlo.DType(op.Result().Type()); isNarrow(to) {
			return discontinuous
		}
		return continuous
	case op.Code.Info().Traits&stablehlo.Transcendental != 0:
		return inexactDiscontinuous
	}
	return continuous
}

func complexRounding(op *stablehlo.Op) rounding {
	traits := op.Code.Info().Traits
	switch {
	case slices.Contains(complexExact, op.Code) || op.Code == stablehlo.OpSelect || op.Code == stablehlo.OpConvert:
		return continuous
	case slices.Contains(linearOps, op.Code), op.Code == stablehlo.OpMultiply, op.Code == stablehlo.OpDivide:
		return inexact
	case op.Code == stablehlo.OpMaximum, op.Code == stablehlo.OpMinimum:
		return discontinuous
	case traits&stablehlo.Elementwise != 0:
		return inexactDiscontinuous
	}
	return continuous
}

// crosses reports whether regions of the op make other values of floats.
func crosses(op *stablehlo.Op) bool {
	for _, r := range op.Regions {
		for _, in := range r.Block().Ops {
			for _, v := range in.Operands {
				if len(in.Results) > 0 && isInexact(stablehlo.DType(v.Type())) &&
					!isInexact(stablehlo.DType(in.Result().Type())) {
					return true
				}
			}
		}
	}
	return false
}

// reductionRounding returns the rounding of an op that reduces by a region: order shows
// where that rounds.
func reductionRounding(op *stablehlo.Op) rounding {
	for _, r := range op.Regions {
		for _, in := range r.Block().Ops {
			switch in.Code {
			case stablehlo.OpReturn, stablehlo.OpConstant, stablehlo.OpMaximum, stablehlo.OpMinimum, stablehlo.OpSelect,
				stablehlo.OpCompare:
			default:
				if isInexact(stablehlo.DType(in.Result().Type())) {
					return inexact
				}
			}
		}
	}
	return continuous
}
