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
// How initial values, blocks and strides of results are dealt with is Go's (run_fold.go).

// foldRegs is how many of the pointers code with folds needs for itself: the last ones.
const foldRegs = 3

var (
	elemsLeft = asm.GP(15) // of the row
	tileLeft  = asm.GP(13) // of the tile
	lanesAt   = asm.GP(14) // the lanes of the quarter, or the elements that rows are folded into
)

// The arguments of code with folds.
const (
	argRows    = argStrides + 8*maxAccesses // to be folded
	argRow     = argRows + 8                // the number of the current one
	argCollect = argRow + 8                 // whether a row ends with the call; over results, whether it is the first
	argLanes   = argCollect + 8             // an address, as the next two
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

	// rowsACall bounds the rows of a call.
	rowsACall = 512
)

// fold is a reduction in the code.
type fold struct {
	kind  kernel.Op
	value kernel.Value // in the list of lowered instructions
	typ   dtype.Type   // of the results in memory
	// acc is the type of what is combined: the register's, integers for truths, that of the parts of
	// complex numbers. Where tiles run over what is reduced, the greatest and the least of floats are
	// found among integers in the same order, since an operation on those does not wait long for the
	// one before.
	acc     dtype.Type
	ordered dtype.Type // the floats that acc stands for in this way, or Invalid
	lanes   bool       // in lanes, of groups of tiles
	regs    []operand  // the lanes of a quarter
	at      int        // of its results in memory, in bytes
	lane    int        // where its lanes in memory begin
	pick    *pick      // nil for a fold by one operation, and for one with a body
	body    foldBody
}

// foldsOf returns the folds of a kernel.
func foldsOf(w Width, k *kernel.Kernel, l *lowered, p *plan.Plan, lanes int) ([]fold, error) {
	if p.Form != plan.Map && p.NumFolded() == 0 {
		return nil, lacks("folds of nothing")
	}
	var out []fold
	regions, lane, more := 0, 0, 0
	for i := range k.Reduces {
		r := &k.Reduces[i]
		picked, body := pickOf(k, r, p), l.bodies[i]
		switch {
		case r.Kind == kernel.Invalid && picked == nil && (p.Form != plan.Outer || len(r.Types) > maxResults):
			return nil, lacks("folds by several operations")
		case body.lacks != kernel.Invalid:
			return nil, lacks("folds by %s", body.lacks)
		case p.Form == plan.Inner && p.Folds[i] == plan.InPairs:
			return nil, lacks("folds of neighbours")
		}
		f := fold{kind: r.Kind, value: l.folded[i], typ: r.Types[0], acc: kernel.Register(r.Types[0]),
			lanes: p.Folds[i] == plan.InLanes, pick: picked,
			body: body}
		if picked != nil {
			f.kind = r.Pick.Op
		}
		for _, t := range r.Types {
			if t.IsComplex() && r.Kind == kernel.Invalid {
				return nil, lacks("folds of %s", t)
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
		f.at, f.lane = regions*foldBytes, lane
		regions, lane = regions+f.numRegions(), lane+f.laneRoom()
		more += f.numResults() - 1
		out = append(out, f)
	}
	most := 8 // of the registers
	if w == V512 {
		most = 16
	}
	if n := (lane/quarterBytes/plan.LaneParts)*quarterBytes/w.vectorBytes() + more; n > most {
		return nil, errFolds
	}
	return out, nil
}

// numResults returns how many results a fold has, laneRoom how many bytes of lanes.
func (fo *fold) numResults() int {
	if fo.pick != nil {
		return 2
	}
	return max(len(fo.body.results), 1)
}

// numRegions returns how many times foldBytes the elements of a fold take.
func (fo *fold) numRegions() int {
	if fo.typ == dtype.C128 {
		return 2
	}
	return fo.numResults()
}

func (fo *fold) laneRoom() int { return fo.laneVectors() * laneBytes }

// laneVectors returns how many values a lane has.
func (fo *fold) laneVectors() int {
	switch {
	case fo.typ.IsComplex():
		return 2
	case fo.pick == nil:
		return 1
	case fo.ordered == dtype.Invalid:
		return 2
	}
	return 3
}

// foldBytes is the memory of the elements that rows are folded into, of one fold.
const foldBytes = 8*plan.TileElems + 64

// folded returns the vectors of what a fold folds.
func (f *rowFunction) folded(fo *fold) []operand {
	x, e := f.values[fo.value], fo.acc.Size()
	switch {
	case fo.ordered != dtype.Invalid:
		if fo.pick != nil { // both zeros are alike
			zero := f.float(fo.ordered, 0)
			x = f.each(len(x), func(p int) operand { return f.to(addOps.of(fo.ordered), x[p], zero) })
		}
		numbers := f.totalOrder(fo.ordered, x)
		return f.each(len(x), func(p int) operand { // NaN comes first, whatever its sign
			nan := f.compareFloats(kernel.NE, fo.ordered, x[p], x[p])
			return f.blend(fo.acc, nan, f.number(e, ^fo.identity()), numbers[p])
		})
	case f.instrs[fo.value].Register() == dtype.Bool:
		return []operand{f.blend(fo.acc, x[0], f.number(e, 1), f.number(e, 0))}
	}
	return x
}

// combine writes the operation of a fold.
func (f *rowFunction) combine(fo *fold, x, y operand) operand {
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
		return f.extremeOfAny(fo.kind, fo.acc, x, y)
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
		return f.extremeInt(fo.kind, fo.acc, x, y)
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
func (fo *fold) identity() uint64 {
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

// start returns the bits that the lanes of a fold start from: sums add zeros, as the plan says.
func (fo *fold) start() uint64 {
	if fo.lanes && fo.kind == kernel.Add {
		return 0
	}
	return fo.identity()
}

// change makes a carried register what x is, which the last instruction has written.
func (f *rowFunction) change(reg, x operand) {
	if last := &f.insts[len(f.insts)-1]; last.result() == x.reg && !last.updates && x.class == 0 {
		last.args[0] = reg
		return
	}
	f.emit(asm.VMOVUPS, reg, x)
}
