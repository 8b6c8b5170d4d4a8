package amd64

import (
	"math"
	"unsafe"

	"github.com/go-nx/nx/dtype"
	asm "github.com/go-nx/nx/internal/cpu/asm/amd64"
	"github.com/go-nx/nx/internal/cpu/kernel"
	"github.com/go-nx/nx/internal/cpu/plan"
)

// argReduce is an arg-reduction (argmax, argmin) of elements and ascending indices that keeps the first of equal
// elements. A lane has the best key, its position and, for floats, its element. The key is an integer in the total
// order of the elements; integers are their own keys. Indices are computed from the positions of the results.
type argReduce struct {
	index    int     // the access of the index
	lastZero bool    // of equal zeros, the result has the sign of a later one
	position operand // the positions of the elements of the next vector
}

// argReduceOf returns a reduction as an arg-reduction, nil if it is not supported as one.
func argReduceOf(k *kernel.Kernel, r *kernel.Reduction, p *plan.Plan) *argReduce {
	if r.ArgMinMax.Op == kernel.Invalid || p.Form != plan.Inner || len(p.Vec.Dims) != 1 ||
		p.Vec.Size > math.MaxInt32 || !p.IsIncreasing(k, r.Values[1]) {
		return nil
	}
	isFirst := func(s kernel.Side) bool { return s == kernel.Left || s == kernel.LowerIndex }
	isFloat := r.Types[0].IsFloat()
	if !isFirst(r.ArgMinMax.Ties.Index) || isFloat && !isFirst(r.ArgMinMax.NaNs.Index) {
		return nil
	}
	return &argReduce{index: p.IndexAccess(k, r.Values[1]), lastZero: isFloat && !isFirst(r.ArgMinMax.Ties.Elem)}
}

// beginArgReduces sets the positions of the first elements of a row.
func (f *rowFunction) beginArgReduces() error {
	for i := range f.reduces {
		if fo := &f.reduces[i]; fo.argReduce != nil {
			e := elemBytes(fo.acc)
			first := f.to(bySize(e, asm.VPBROADCASTD, asm.VPBROADCASTQ), f.argMem(argFirst))
			f.setReg(fo.argReduce.position, f.to(addOps.of(fo.acc), f.iota(e), first))
		}
	}
	return f.emitBlock()
}

// accumulateArgLanes keeps the elements of copy n of the body that are better than those of the lanes. The keys are the
// critical path: one max or min has a lower latency than a comparison and a blend.
func (f *rowFunction) accumulateArgLanes(fo *reduction, n int, keys []operand) {
	vectors := quarterBytes / f.w.VectorBytes()
	e, x := elemBytes(fo.acc), f.values[fo.value]
	for p, key := range keys {
		v := (n*len(keys) + p) % vectors
		lane := fo.regs[v]
		better := f.compareInts(fo.betterOp(), fo.acc, key, lane)
		if f.inTail {
			better = f.andMask(better, f.tailMask(e, p))
			f.setReg(lane, f.blend(fo.acc, better, key, lane))
		} else {
			f.setReg(lane, f.minMaxInt(fo.kind, fo.acc, lane, key))
		}
		next := []operand{fo.argReduce.position}
		if fo.ordered != dtype.Invalid {
			next = []operand{x[p], fo.argReduce.position}
		}
		for j, y := range next {
			reg := fo.regs[(j+1)*vectors+v]
			f.setReg(reg, f.blend(fo.acc, better, y, reg))
		}
		step := f.number(e, uint64(f.w.VectorBytes()/e))
		f.setReg(fo.argReduce.position, f.to(addOps.of(fo.acc), fo.argReduce.position, step))
	}
}

// betterOp returns the comparison of a key that is better than another.
func (fo *reduction) betterOp() kernel.Op {
	if fo.kind == kernel.Max {
		return kernel.GT
	}
	return kernel.LT
}

// combineArgs returns the combiner of arg-reductions: of lanes with equal keys, it keeps the earlier position.
func (f *rowFunction) combineArgs(fo *reduction) func(x, y []operand) []operand {
	last := fo.numLaneValues() - 1
	return func(x, y []operand) []operand {
		better := f.compareInts(fo.betterOp(), fo.acc, y[0], x[0])
		earlier := f.compareInts(kernel.LT, fo.acc, y[last], x[last])
		better = f.orMask(better, f.andMask(f.compareInts(kernel.EQ, fo.acc, y[0], x[0]), earlier))
		return f.each(last+1, func(j int) operand { return f.blend(fo.acc, better, y[j], x[j]) })
	}
}

// elemAndPosition returns the element and the position of a lane.
func elemAndPosition(lane []operand) []operand { return lane[len(lane)-2:] }

// signsAreKnown reports whether the signs of n results are known: a zero may take the sign of a later element.
func (r *reduceRun) signsAreKnown(n int64) bool {
	for i := range r.reduces {
		fo := &r.reduces[i]
		if fo.argReduce == nil || !fo.argReduce.lastZero {
			continue
		}
		elems := unsafe.Slice((*byte)(r.memory(r.resultsAt+fo.at)), int(n)*elemBytes(fo.acc))
		for j := range int(n) {
			if fo.ordered.LoadFloat(elems, j) == 0 {
				return false
			}
		}
	}
	return true
}

// indices returns the indices of n results of an arg-reduction, from result v on.
func (r *reduceRun) indices(i int, elems unsafe.Pointer, v, n int64) unsafe.Pointer {
	fo := &r.reduces[i]
	a, t := &r.Accesses[fo.argReduce.index], r.k.Reduces[i].Types[1]
	e := elemBytes(fo.acc)
	positions := unsafe.Slice((*byte)(r.memory(r.resultsAt+fo.at+reduceBytes)), int(n)*e)
	indices := unsafe.Slice((*byte)(r.memory(r.groupAt+fo.at)), int(n)*t.Size())
	notFound := fo.notFound(elems, int(n))
	for j := range int(n) {
		position := int64(unsigned(e).LoadBits(positions, j))
		if notFound(j) { // no key is better than the start value: the first element is a valid result
			position = r.start
		}
		t.StoreInt(indices, j, a.Offset+r.Seq.Offset(a.Seq, v+int64(j))+a.Inner*position)
	}
	return unsafe.Pointer(&indices[0])
}

// notFound reports for which of n elements the key is still the start value of the lanes. Keys of floats start beyond
// all floats.
func (fo *reduction) notFound(elems unsafe.Pointer, n int) func(i int) bool {
	if fo.ordered != dtype.Invalid {
		return func(int) bool { return false }
	}
	t := kernel.Register(fo.typ)
	all := unsafe.Slice((*byte)(elems), n*t.Size())
	start := fo.laneStart() & (math.MaxUint64 >> (64 - 8*t.Size()))
	return func(i int) bool { return t.LoadBits(all, i) == start }
}
