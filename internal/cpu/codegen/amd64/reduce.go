package amd64

import (
	"math"

	"github.com/go-nx/nx/dtype"
	asm "github.com/go-nx/nx/internal/cpu/asm/amd64"
	"github.com/go-nx/nx/internal/cpu/kernel"
	"github.com/go-nx/nx/internal/cpu/plan"
)

// Kernels with folds. While tiles run over what is reduced, a call folds the elements of a row,
// or of a part of one, into lanes in memory; those of the quarter of a tile that is being read
// are in registers. While tiles run over the results, a call folds rows into as many elements
// in memory. In both, a call may take several rows, each a step further on.
// How initial values, blocks and strides of results are dealt with is Go's (run_reduce.go).

// reduceRegs is how many of the pointers code with folds needs for itself: the last ones.
const reduceRegs = 3

var (
	rowRemaining  = asm.GP(15) // of the row
	tileRemaining = asm.GP(13) // of the tile
	lanesReg      = asm.GP(14) // the lanes of the quarter, or the elements that rows are folded into
)

// The arguments of code with folds.
const (
	argRows    = argStrides + 8*maxAccesses // to be folded
	argRow     = argRows + 8                // the number of the current one
	argRowFlag = argRow + 8                 // whether a row ends with the call; over results, whether it is the first
	argLanes   = argRowFlag + 8             // an address, as the next two
	argStack   = argLanes + 8
	argResults = argStack + 8
	argGroups  = argResults + 8 // on the stack
	argTiles   = argGroups + 8  // in the lanes of sums
	argFirst   = argTiles + 8   // the point of the first element
	argStarts  = argFirst + 8   // what accesses begin with that are not in registers
	argSteps   = argStarts + 8*maxAccesses
)

const (
	laneBytes    = plan.LaneBytes
	quarterBytes = laneBytes / plan.LaneParts
	quarterElems = plan.TileElems / plan.LaneParts

	// maxRowsPerCall bounds the rows of a call.
	maxRowsPerCall = 512
)

// reduction is a reduction in the code.
type reduction struct {
	kind  kernel.Op
	value kernel.Value // in the list of lowered instructions
	typ   dtype.Type   // of the results in memory
	// acc is the type of what is combined: the register's, integers for truths, that of the parts of
	// complex numbers. Where tiles run over what is reduced, the greatest and the least of floats are
	// found among integers in the same order, since an operation on those does not wait long for the
	// one before.
	acc       dtype.Type
	ordered   dtype.Type // the floats that acc stands for in this way, or Invalid
	lanes     bool       // in lanes, of groups of tiles
	regs      []operand  // the lanes of a quarter
	at        int        // of its results in memory, in bytes
	lane      int        // where its lanes in memory begin
	argReduce *argReduce // nil for a fold by one operation, and for one with a body
	body      reduceBody
}

// reductionsOf returns the folds of a kernel.
func reductionsOf(w Width, k *kernel.Kernel, l *lowered, p *plan.Plan, lanes int) ([]reduction, error) {
	if p.Form != plan.Map && p.ReducedSize() == 0 {
		return nil, unsupported("folds of nothing")
	}
	var out []reduction
	regions, lane, more := 0, 0, 0
	for i := range k.Reduces {
		r := &k.Reduces[i]
		arg, body := argReduceOf(k, r, p), l.bodies[i]
		switch {
		case r.Kind == kernel.Invalid && arg == nil && (p.Form != plan.Outer || len(r.Types) > maxResults):
			return nil, unsupported("folds by several operations")
		case body.unsupported != kernel.Invalid:
			return nil, unsupported("folds by %s", body.unsupported)
		case p.Form == plan.Inner && p.Orders[i] == plan.Pairwise:
			return nil, unsupported("folds of neighbours")
		}
		f := reduction{kind: r.Kind, value: l.reduced[i], typ: r.Types[0], acc: kernel.Register(r.Types[0]),
			lanes: p.Orders[i] == plan.InLanes, argReduce: arg,
			body: body}
		if arg != nil {
			f.kind = r.ArgMinMax.Op
		}
		for _, t := range r.Types {
			if t.IsComplex() && r.Kind == kernel.Invalid {
				return nil, unsupported("folds of %s", t)
			}
		}
		if f.acc.IsComplex() {
			f.acc = f.acc.Real()
		}
		if f.acc == dtype.Bool {
			f.acc = dtype.U32
			if lanes*8 == w.vectorBytes() {
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
	maxVectors := 8 // of the registers
	if w == V512 {
		maxVectors = 16
	}
	if n := (lane/quarterBytes/plan.LaneParts)*quarterBytes/w.vectorBytes() + more; n > maxVectors {
		return nil, errTooManyReduces
	}
	return out, nil
}

// numResults returns how many results a fold has, laneRoom how many bytes of lanes.
func (fo *reduction) numResults() int {
	if fo.argReduce != nil {
		return 2
	}
	return max(len(fo.body.results), 1)
}

// numRegions returns how many times foldBytes the elements of a fold take.
func (fo *reduction) numRegions() int {
	if fo.typ == dtype.C128 {
		return 2
	}
	return fo.numResults()
}

func (fo *reduction) lanesBytes() int { return fo.numLaneValues() * laneBytes }

// numLaneValues returns how many values a lane has.
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

// reduceBytes is the memory of the elements that rows are folded into, of one fold.
const reduceBytes = 8*plan.TileElems + 64

// reduceInputs returns the vectors of what a fold folds.
func (f *rowFunction) reduceInputs(fo *reduction) []operand {
	x, e := f.values[fo.value], fo.acc.Size()
	switch {
	case fo.ordered != dtype.Invalid:
		if fo.argReduce != nil { // both zeros are alike
			zero := f.float(fo.ordered, 0)
			x = f.each(len(x), func(p int) operand { return f.to(addOps.of(fo.ordered), x[p], zero) })
		}
		keys := f.totalOrder(fo.ordered, x)
		return f.each(len(x), func(p int) operand { // NaN comes first, whatever its sign
			nan := f.compareFloats(kernel.NE, fo.ordered, x[p], x[p])
			return f.blend(fo.acc, nan, f.number(e, ^fo.identity()), keys[p])
		})
	case f.instrs[fo.value].Register() == dtype.Bool:
		return []operand{f.blend(fo.acc, x[0], f.number(e, 1), f.number(e, 0))}
	}
	return x
}

// combine writes the operation of a fold.
func (f *rowFunction) combine(fo *reduction, x, y operand) operand {
	switch {
	case fo.acc.IsFloat() && fo.kind == kernel.Add:
		return f.to(addOps.of(fo.acc), x, y)
	case fo.acc.IsFloat() && fo.kind == kernel.Mul:
		x = f.to(mulOps.of(fo.acc), x, y)
		if kernel.NeedsRound(fo.typ) { // products of narrow floats are rounded each, sums at the end
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

// identity returns the bits of what changes no element that it is combined with.
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

// laneStart returns the bits that the lanes of a fold start from: sums add zeros, as the plan says.
func (fo *reduction) laneStart() uint64 {
	if fo.lanes && fo.kind == kernel.Add {
		return 0
	}
	return fo.identity()
}

// setReg makes a carried register what x is, which the last instruction has written.
func (f *rowFunction) setReg(reg, x operand) {
	if last := &f.insts[len(f.insts)-1]; last.result() == x.reg && !last.updates && x.class == 0 {
		last.args[0] = reg
		return
	}
	f.emit(asm.VMOVUPS, reg, x)
}
