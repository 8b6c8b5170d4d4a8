package compiler

import (
	"math"
	"unsafe"

	"github.com/go-nx/nx/dtype"
	asm "github.com/go-nx/nx/internal/cpu/asm/amd64"
	"github.com/go-nx/nx/internal/cpu/codegen/amd64/regalloc"
	"github.com/go-nx/nx/internal/cpu/kernel"
	"github.com/go-nx/nx/internal/cpu/plan"
)

// ArgReduce is an arg-reduction (argmax, argmin) of elements and ascending indices that keeps the first of equal
// elements. A lane has the best key, its position and, for floats, its element. The key is an integer in the total
// order of the elements; integers are their own keys. Indices are computed from the positions of the results.
type ArgReduce struct {
	Index    int              // the access of the index
	LastZero bool             // of equal zeros, the result has the sign of a later one
	position regalloc.Operand // the positions of the elements of the next vector
}

// argReduceOf returns a reduction as an arg-reduction, nil if it is not supported as one.
func argReduceOf(k *kernel.Kernel, r *kernel.Reduction, p *plan.Plan) *ArgReduce {
	if r.ArgMinMax.Op == kernel.Invalid || p.Form != plan.Inner || len(p.Vec.Dims) != 1 ||
		p.Vec.Size > math.MaxInt32 || !p.IsIncreasing(k, r.Values[1]) {
		return nil
	}
	isFirst := func(s kernel.Side) bool { return s == kernel.Left || s == kernel.LowerIndex }
	isFloat := r.Types[0].IsFloat()
	if !isFirst(r.ArgMinMax.Ties.Index) || isFloat && !isFirst(r.ArgMinMax.NaNs.Index) {
		return nil
	}
	return &ArgReduce{Index: p.IndexAccess(k, r.Values[1]), LastZero: isFloat && !isFirst(r.ArgMinMax.Ties.Elem)}
}

// beginArgReduces sets the positions of the first elements of a row.
func (f *RowEmitter) beginArgReduces() error {
	for i := range f.Reduces {
		if fo := &f.Reduces[i]; fo.ArgReduce != nil {
			e := ElemBytes(fo.Acc)
			first := f.To(ByLane(e, asm.VPBROADCASTD, asm.VPBROADCASTQ), f.ArgMem(ArgFirst))
			f.setReg(fo.ArgReduce.position, f.To(addOps.of(fo.Acc), f.iota(e), first))
		}
	}
	return f.EmitBlock()
}

// accumulateArgLanes keeps the elements of copy n of the body that are better than those of the lanes. The keys are the
// critical path: one max or min has a lower latency than a comparison and a blend.
func (f *RowEmitter) accumulateArgLanes(fo *Reduction, n int, keys []regalloc.Operand) {
	vectors := quarterBytes / f.Width.VectorBytes()
	e, x := ElemBytes(fo.Acc), f.Values[fo.value]
	for p, key := range keys {
		v := (n*len(keys) + p) % vectors
		lane := fo.Regs[v]
		better := f.compareInts(fo.betterOp(), fo.Acc, key, lane)
		if f.inTail {
			better = f.andMask(better, f.tailMask(e, p))
			f.setReg(lane, f.Blend(fo.Acc, better, key, lane))
		} else {
			f.setReg(lane, f.minMaxInt(fo.Kind, fo.Acc, lane, key))
		}
		next := []regalloc.Operand{fo.ArgReduce.position}
		if fo.Ordered != dtype.Invalid {
			next = []regalloc.Operand{x[p], fo.ArgReduce.position}
		}
		for j, y := range next {
			reg := fo.Regs[(j+1)*vectors+v]
			f.setReg(reg, f.Blend(fo.Acc, better, y, reg))
		}
		step := f.Number(e, uint64(f.Width.VectorBytes()/e))
		f.setReg(fo.ArgReduce.position, f.To(addOps.of(fo.Acc), fo.ArgReduce.position, step))
	}
}

// betterOp returns the comparison of a key that is better than another.
func (fo *Reduction) betterOp() kernel.Op {
	if fo.Kind == kernel.Max {
		return kernel.GT
	}
	return kernel.LT
}

// combineArgs returns the combiner of arg-reductions: of lanes with equal keys, it keeps the earlier position.
func (f *RowEmitter) combineArgs(fo *Reduction) func(x, y []regalloc.Operand) []regalloc.Operand {
	last := fo.NumLaneValues() - 1
	return func(x, y []regalloc.Operand) []regalloc.Operand {
		better := f.compareInts(fo.betterOp(), fo.Acc, y[0], x[0])
		earlier := f.compareInts(kernel.LT, fo.Acc, y[last], x[last])
		better = f.OrMask(better, f.andMask(f.compareInts(kernel.EQ, fo.Acc, y[0], x[0]), earlier))
		return f.Each(last+1, func(j int) regalloc.Operand { return f.Blend(fo.Acc, better, y[j], x[j]) })
	}
}

// elemAndPosition returns the element and the position of a lane.
func elemAndPosition(lane []regalloc.Operand) []regalloc.Operand { return lane[len(lane)-2:] }

// NotFound reports for which of n elements the key is still the start value of the lanes. Keys of floats start beyond
// all floats.
func (fo *Reduction) NotFound(elems unsafe.Pointer, n int) func(i int) bool {
	if fo.Ordered != dtype.Invalid {
		return func(int) bool { return false }
	}
	t := kernel.Register(fo.Type)
	all := unsafe.Slice((*byte)(elems), n*t.Size())
	start := fo.laneStart() & (math.MaxUint64 >> (64 - 8*t.Size()))
	return func(i int) bool { return t.LoadBits(all, i) == start }
}
