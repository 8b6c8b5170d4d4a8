package compiler

import (
	"math"

	"github.com/go-nx/nx/dtype"
	asm "github.com/go-nx/nx/internal/cpu/asm/amd64"
	"github.com/go-nx/nx/internal/cpu/codegen/amd64/regalloc"
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
	ArgRows    = ArgStrides + 8*MaxAccesses // number of rows
	ArgRow     = ArgRows + 8                // index of the current row
	ArgRowFlag = ArgRow + 8                 // Inner: whether the call ends a row; Outer: whether the row is the first
	ArgLanes   = ArgRowFlag + 8             // an address, as the next two
	ArgStack   = ArgLanes + 8
	ArgResults = ArgStack + 8
	ArgGroups  = ArgResults + 8 // on the stack
	ArgTiles   = ArgGroups + 8  // in the lanes of sums
	ArgFirst   = ArgTiles + 8   // index of the first element
	ArgStarts  = ArgFirst + 8   // initial values of accesses that are not in registers
	ArgSteps   = ArgStarts + 8*MaxAccesses
)

// The sizes of lanes: LaneBytes is that of the lanes of one value, in quarters.
const (
	LaneBytes    = plan.LaneBytes
	quarterBytes = LaneBytes / plan.LaneParts
	quarterElems = plan.TileElems / plan.LaneParts
)

// Reduction is a reduction in the code.
type Reduction struct {
	Kind  kernel.Op
	value kernel.Value // index in the lowered instructions
	Type  dtype.Type   // type of the results in memory
	// Acc is the type of the accumulators: the register type, integers for booleans, the type of the parts of complex
	// numbers. For plan.Inner, the maximum and minimum of floats are those of integers in the same total order, whose
	// latency is lower.
	Acc       dtype.Type
	Ordered   dtype.Type         // the float type that acc represents by total order, or Invalid
	Lanes     bool               // accumulates in lanes, of groups of tiles
	Regs      []regalloc.Operand // the lanes of a quarter
	At        int                // byte offset of its results in memory
	Lane      int                // byte offset of its lanes in memory
	ArgReduce *ArgReduce         // nil unless it is an arg-reduction
	Body      ReduceBody
}

// reductionsOf returns the reductions of a kernel.
func reductionsOf(w target.Width, k *kernel.Kernel, l *Lowered, p *plan.Plan, lanes int) ([]Reduction, error) {
	if p.Form != plan.Map && p.ReducedSize() == 0 {
		return nil, target.Unsupported("empty reductions")
	}
	var out []Reduction
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
		f := Reduction{Kind: r.Kind, value: l.reduced[i], Type: r.Types[0], Acc: kernel.Register(r.Types[0]),
			Lanes: p.Orders[i] == plan.InLanes, ArgReduce: arg,
			Body: body}
		if arg != nil {
			f.Kind = r.ArgMinMax.Op
		}
		for _, t := range r.Types {
			if t.IsComplex() && r.Kind == kernel.Invalid {
				return nil, target.Unsupported("reductions of %s", t)
			}
		}
		if f.Acc.IsComplex() {
			f.Acc = f.Acc.Real()
		}
		if f.Acc == dtype.Bool {
			f.Acc = dtype.U32
			if lanes*8 == w.VectorBytes() {
				f.Acc = dtype.U64
			}
		}
		if p.Form == plan.Inner && kernel.Register(f.Type).IsFloat() && (f.Kind == kernel.Max || f.Kind == kernel.Min) {
			f.Ordered, f.Acc = f.Acc, dtype.S32
			if f.Ordered == dtype.F64 {
				f.Acc = dtype.S64
			}
		}
		f.At, f.Lane = regions*ReduceBytes, lane
		regions, lane = regions+f.NumRegions(), lane+f.LanesBytes()
		more += f.NumResults() - 1
		out = append(out, f)
	}
	maxVectors := 8 // vector registers
	if w == target.V512 {
		maxVectors = 16
	}
	if n := (lane/quarterBytes/plan.LaneParts)*quarterBytes/w.VectorBytes() + more; n > maxVectors {
		return nil, ErrTooManyReduces
	}
	return out, nil
}

// NumResults returns the number of results.
func (fo *Reduction) NumResults() int {
	if fo.ArgReduce != nil {
		return 2
	}
	return max(len(fo.Body.Results), 1)
}

// NumRegions returns the size of the accumulators in units of ReduceBytes.
func (fo *Reduction) NumRegions() int {
	if fo.Type == dtype.C128 {
		return 2
	}
	return fo.NumResults()
}

// LanesBytes returns the size of the lanes.
func (fo *Reduction) LanesBytes() int { return fo.NumLaneValues() * LaneBytes }

// NumLaneValues returns the number of values of a lane.
func (fo *Reduction) NumLaneValues() int {
	switch {
	case fo.Type.IsComplex():
		return 2
	case fo.ArgReduce == nil:
		return 1
	case fo.Ordered == dtype.Invalid:
		return 2
	}
	return 3
}

// ReduceBytes is the size of the accumulators of rows of one reduction.
const ReduceBytes = 8*plan.TileElems + 64

// reduceInputs returns the vectors that a reduction combines.
func (f *RowEmitter) reduceInputs(fo *Reduction) []regalloc.Operand {
	x, e := f.Values[fo.value], fo.Acc.Size()
	switch {
	case fo.Ordered != dtype.Invalid:
		if fo.ArgReduce != nil { // both zeros are equal
			zero := f.float(fo.Ordered, 0)
			x = f.Each(len(x), func(p int) regalloc.Operand { return f.To(addOps.of(fo.Ordered), x[p], zero) })
		}
		keys := f.totalOrder(fo.Ordered, x)
		return f.Each(len(x), func(p int) regalloc.Operand { // NaN propagates, whatever its sign
			nan := f.compareFloats(kernel.NE, fo.Ordered, x[p], x[p])
			return f.Blend(fo.Acc, nan, f.Number(e, ^fo.Identity()), keys[p])
		})
	case f.Instrs[fo.value].Register() == dtype.Bool:
		return []regalloc.Operand{f.Blend(fo.Acc, x[0], f.Number(e, 1), f.Number(e, 0))}
	}
	return x
}

// Combine emits the operation of a reduction.
func (f *RowEmitter) Combine(fo *Reduction, x, y regalloc.Operand) regalloc.Operand {
	switch {
	case fo.Acc.IsFloat() && fo.Kind == kernel.Add:
		return f.To(addOps.of(fo.Acc), x, y)
	case fo.Acc.IsFloat() && fo.Kind == kernel.Mul:
		x = f.To(mulOps.of(fo.Acc), x, y)
		if kernel.NeedsRound(fo.Type) { // products of narrow floats are rounded at each step, sums at the end
			return f.round(fo.Type, []regalloc.Operand{x})[0]
		}
		return x
	case fo.Acc.IsFloat():
		return f.MinMaxAny(fo.Kind, fo.Acc, x, y)
	case fo.Type == dtype.Bool:
		switch fo.Kind {
		case kernel.Or, kernel.Max, kernel.Add:
			return f.or(x, y)
		case kernel.And, kernel.Min, kernel.Mul:
			return f.and(x, y)
		}
		return f.xor(x, y)
	}
	switch fo.Kind {
	case kernel.And:
		return f.and(x, y)
	case kernel.Or:
		return f.or(x, y)
	case kernel.Xor:
		return f.xor(x, y)
	case kernel.Max, kernel.Min:
		return f.minMaxInt(fo.Kind, fo.Acc, x, y)
	case kernel.Add:
		x = f.To(addOps.of(fo.Acc), x, y)
	default:
		if ElemBytes(fo.Acc) == 8 && !f.IsWide() {
			return f.mul64(x, y)
		}
		x = f.To(mulOps.of(fo.Acc), x, y)
	}
	return f.wrap(fo.Type, x)
}

// Identity returns the bits of the identity element of the operation.
func (fo *Reduction) Identity() uint64 {
	t := fo.Acc
	ones := ^uint64(0) >> (64 - 8*ElemBytes(t))
	switch {
	case fo.Type == dtype.Bool:
		switch fo.Kind {
		case kernel.And, kernel.Min, kernel.Mul:
			return 1
		}
		return 0
	case fo.Kind == kernel.Add && t.IsFloat():
		return signBit(ElemBytes(t)) // -0
	case fo.Kind == kernel.Mul && t.IsFloat():
		return t.FromFloat64(1)
	case fo.Kind == kernel.Max && t.IsFloat():
		return t.FromFloat64(math.Inf(-1))
	case fo.Kind == kernel.Min && t.IsFloat():
		return t.FromFloat64(math.Inf(1))
	case fo.Kind == kernel.Mul:
		return 1
	case fo.Kind == kernel.And:
		return ones
	case fo.Kind == kernel.Max && t.IsSigned():
		return uint64(int64(-1)<<(t.Bits()-1)) & ones
	case fo.Kind == kernel.Min && t.IsSigned():
		return uint64(1)<<(t.Bits()-1) - 1
	case fo.Kind == kernel.Min:
		return ^uint64(0) >> (64 - t.Bits())
	}
	return 0
}

// laneStart returns the initial bits of the lanes: sums start from 0, as the plan requires.
func (fo *Reduction) laneStart() uint64 {
	if fo.Lanes && fo.Kind == kernel.Add {
		return 0
	}
	return fo.Identity()
}

// setReg sets a carried register to x, the result of the last instruction.
func (f *RowEmitter) setReg(reg, x regalloc.Operand) {
	if last := &f.Insts[len(f.Insts)-1]; last.Result() == x.Reg && !last.Updates && x.Class == 0 {
		last.Args[0] = reg
		return
	}
	f.Emit(asm.VMOVUPS, reg, x)
}

// Narrows reports whether the finalizer narrows the reduced elements from 4 bytes to the type.
func (fo *Reduction) Narrows() bool {
	t := kernel.Register(fo.Type)
	return fo.ArgReduce == nil && t.IsInteger() && t.Size() < 4 && fo.Elem() == 4
}

// ErrTooManyReduces is ErrUnsupported for a kernel whose reductions can be split.
var ErrTooManyReduces = target.Unsupported("too many reductions at once")
