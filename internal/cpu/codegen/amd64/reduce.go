package amd64

import (
	"math"

	"github.com/go-nx/nx/dtype"
	asm "github.com/go-nx/nx/internal/cpu/asm/amd64"
	"github.com/go-nx/nx/internal/cpu/codegen/amd64/target"
	"github.com/go-nx/nx/internal/cpu/kernel"
	"github.com/go-nx/nx/internal/cpu/plan"
)

// Kernels with reductions. While tiles run over the reduced dimensions (plan.Inner), a call reduces the elements of a
// row, or of a part of one, into lanes in memory; the lanes of the current quarter of a tile are in registers. While
// tiles run over the results (plan.Outer), a call accumulates rows into as many elements in memory. In both cases a
// call may take several rows, each a step after the previous one. Initial values, blocks and strides of results are
// handled in Go (run_reduce.go).

// reduceRegs is the number of pointer registers that code with reductions reserves: the last ones.
const reduceRegs = 3

var (
	rowRemaining  = asm.GP(15) // of the row
	tileRemaining = asm.GP(13) // of the tile
	lanesReg      = asm.GP(14) // address of the lanes of the quarter, or of the accumulators of rows
)

// The arguments of code with reductions.
const (
	argRows    = argStrides + 8*maxAccesses // number of rows
	argRow     = argRows + 8                // index of the current row
	argRowFlag = argRow + 8                 // Inner: whether the call ends a row; Outer: whether the row is the first
	argLanes   = argRowFlag + 8             // an address, as the next two
	argStack   = argLanes + 8
	argResults = argStack + 8
	argGroups  = argResults + 8 // on the stack
	argTiles   = argGroups + 8  // in the lanes of sums
	argFirst   = argTiles + 8   // index of the first element
	argStarts  = argFirst + 8   // initial values of accesses that are not in registers
	argSteps   = argStarts + 8*maxAccesses
)

const (
	laneBytes    = plan.LaneBytes
	quarterBytes = laneBytes / plan.LaneParts
	quarterElems = plan.TileElems / plan.LaneParts
)

// reduction is a reduction in the code.
type reduction struct {
	kind  kernel.Op
	value kernel.Value // index in the lowered instructions
	typ   dtype.Type   // type of the results in memory
	// acc is the type of the accumulators: the register type, integers for booleans, the type of the parts of complex
	// numbers. For plan.Inner, the maximum and minimum of floats are those of integers in the same total order, whose
	// latency is lower.
	acc       dtype.Type
	ordered   dtype.Type // the float type that acc represents by total order, or Invalid
	lanes     bool       // accumulates in lanes, of groups of tiles
	regs      []operand  // the lanes of a quarter
	at        int        // byte offset of its results in memory
	lane      int        // byte offset of its lanes in memory
	argReduce *argReduce // nil unless it is an arg-reduction
	body      reduceBody
}

// reductionsOf returns the reductions of a kernel.
func reductionsOf(w target.Width, k *kernel.Kernel, l *lowered, p *plan.Plan, lanes int) ([]reduction, error) {
	if p.Form != plan.Map && p.ReducedSize() == 0 {
		return nil, target.Unsupported("empty reductions")
	}
	var out []reduction
	regions, lane, more := 0, 0, 0
	for i := range k.Reduces {
		r := &k.Reduces[i]
		arg, body := argReduceOf(k, r, p), l.bodies[i]
		switch {
		case r.Kind == kernel.Invalid && arg == nil && (p.Form != plan.Outer || len(r.Types) > maxResults):
			return nil, target.Unsupported("reductions with several operations")
		case body.unsupported != kernel.Invalid:
			return nil, target.Unsupported("reductions with %s", body.unsupported)
		case p.Form == plan.Inner && p.Orders[i] == plan.Pairwise:
			return nil, target.Unsupported("pairwise reductions")
		}
		f := reduction{kind: r.Kind, value: l.reduced[i], typ: r.Types[0], acc: kernel.Register(r.Types[0]),
			lanes: p.Orders[i] == plan.InLanes, argReduce: arg,
			body: body}
		if arg != nil {
			f.kind = r.ArgMinMax.Op
		}
		for _, t := range r.Types {
			if t.IsComplex() && r.Kind == kernel.Invalid {
				return nil, target.Unsupported("reductions of %s", t)
			}
		}
		if f.acc.IsComplex() {
			f.acc = f.acc.Real()
		}
		if f.acc == dtype.Bool {
			f.acc = dtype.U32
			if lanes*8 == w.VectorBytes() {
				f.acc = dtype.U64
			}
		}
		if p.Form == plan.Inner && kernel.Register(f.typ).IsFloat() && (f.kind == kernel.Max || f.kind == kernel.Min) {
			f.ordered, f.acc = f.acc, dtype.S32
			if f.ordered == dtype.F64 {
				f.acc = dtype.S64
			}
		}
		f.at, f.lane = regions*reduceBytes, lane
		regions, lane = regions+f.numRegions(), lane+f.lanesBytes()
		more += f.numResults() - 1
		out = append(out, f)
	}
	maxVectors := 8 // vector registers
	if w == target.V512 {
		maxVectors = 16
	}
	if n := (lane/quarterBytes/plan.LaneParts)*quarterBytes/w.VectorBytes() + more; n > maxVectors {
		return nil, errTooManyReduces
	}
	return out, nil
}

// numResults returns the number of results, lanesBytes the size of the lanes.
func (fo *reduction) numResults() int {
	if fo.argReduce != nil {
		return 2
	}
	return max(len(fo.body.results), 1)
}

// numRegions returns the size of the accumulators in units of reduceBytes.
func (fo *reduction) numRegions() int {
	if fo.typ == dtype.C128 {
		return 2
	}
	return fo.numResults()
}

func (fo *reduction) lanesBytes() int { return fo.numLaneValues() * laneBytes }

// numLaneValues returns the number of values of a lane.
func (fo *reduction) numLaneValues() int {
	switch {
	case fo.typ.IsComplex():
		return 2
	case fo.argReduce == nil:
		return 1
	case fo.ordered == dtype.Invalid:
		return 2
	}
	return 3
}

// reduceBytes is the size of the accumulators of rows of one reduction.
const reduceBytes = 8*plan.TileElems + 64

// reduceInputs returns the vectors that a reduction combines.
func (f *rowFunction) reduceInputs(fo *reduction) []operand {
	x, e := f.values[fo.value], fo.acc.Size()
	switch {
	case fo.ordered != dtype.Invalid:
		if fo.argReduce != nil { // both zeros are equal
			zero := f.float(fo.ordered, 0)
			x = f.each(len(x), func(p int) operand { return f.to(addOps.of(fo.ordered), x[p], zero) })
		}
		keys := f.totalOrder(fo.ordered, x)
		return f.each(len(x), func(p int) operand { // NaN propagates, whatever its sign
			nan := f.compareFloats(kernel.NE, fo.ordered, x[p], x[p])
			return f.blend(fo.acc, nan, f.number(e, ^fo.identity()), keys[p])
		})
	case f.instrs[fo.value].Register() == dtype.Bool:
		return []operand{f.blend(fo.acc, x[0], f.number(e, 1), f.number(e, 0))}
	}
	return x
}

// combine emits the operation of a reduction.
func (f *rowFunction) combine(fo *reduction, x, y operand) operand {
	switch {
	case fo.acc.IsFloat() && fo.kind == kernel.Add:
		return f.to(addOps.of(fo.acc), x, y)
	case fo.acc.IsFloat() && fo.kind == kernel.Mul:
		x = f.to(mulOps.of(fo.acc), x, y)
		if kernel.NeedsRound(fo.typ) { // products of narrow floats are rounded at each step, sums at the end
			return f.round(fo.typ, []operand{x})[0]
		}
		return x
	case fo.acc.IsFloat():
		return f.minMaxAny(fo.kind, fo.acc, x, y)
	case fo.typ == dtype.Bool:
		switch fo.kind {
		case kernel.Or, kernel.Max, kernel.Add:
			return f.or(x, y)
		case kernel.And, kernel.Min, kernel.Mul:
			return f.and(x, y)
		}
		return f.xor(x, y)
	}
	switch fo.kind {
	case kernel.And:
		return f.and(x, y)
	case kernel.Or:
		return f.or(x, y)
	case kernel.Xor:
		return f.xor(x, y)
	case kernel.Max, kernel.Min:
		return f.minMaxInt(fo.kind, fo.acc, x, y)
	case kernel.Add:
		x = f.to(addOps.of(fo.acc), x, y)
	default:
		if elemBytes(fo.acc) == 8 && !f.isWide() {
			return f.mul64(x, y)
		}
		x = f.to(mulOps.of(fo.acc), x, y)
	}
	return f.wrap(fo.typ, x)
}

// identity returns the bits of the identity element of the operation.
func (fo *reduction) identity() uint64 {
	t := fo.acc
	ones := ^uint64(0) >> (64 - 8*elemBytes(t))
	switch {
	case fo.typ == dtype.Bool:
		switch fo.kind {
		case kernel.And, kernel.Min, kernel.Mul:
			return 1
		}
		return 0
	case fo.kind == kernel.Add && t.IsFloat():
		return signBit(elemBytes(t)) // -0
	case fo.kind == kernel.Mul && t.IsFloat():
		return t.FromFloat64(1)
	case fo.kind == kernel.Max && t.IsFloat():
		return t.FromFloat64(math.Inf(-1))
	case fo.kind == kernel.Min && t.IsFloat():
		return t.FromFloat64(math.Inf(1))
	case fo.kind == kernel.Mul:
		return 1
	case fo.kind == kernel.And:
		return ones
	case fo.kind == kernel.Max && t.IsSigned():
		return uint64(int64(-1)<<(t.Bits()-1)) & ones
	case fo.kind == kernel.Min && t.IsSigned():
		return uint64(1)<<(t.Bits()-1) - 1
	case fo.kind == kernel.Min:
		return ^uint64(0) >> (64 - t.Bits())
	}
	return 0
}

// laneStart returns the initial bits of the lanes: sums start from 0, as the plan requires.
func (fo *reduction) laneStart() uint64 {
	if fo.lanes && fo.kind == kernel.Add {
		return 0
	}
	return fo.identity()
}

// setReg sets a carried register to x, the result of the last instruction.
func (f *rowFunction) setReg(reg, x operand) {
	if last := &f.insts[len(f.insts)-1]; last.result() == x.reg && !last.updates && x.class == 0 {
		last.args[0] = reg
		return
	}
	f.emit(asm.VMOVUPS, reg, x)
}
