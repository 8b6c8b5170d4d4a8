package amd64

import (
	"math"
	"unsafe"

	"github.com/go-nx/nx/dtype"
	asm "github.com/go-nx/nx/internal/cpu/asm/amd64"
	"github.com/go-nx/nx/internal/cpu/kernel"
	"github.com/go-nx/nx/internal/cpu/plan"
)

// pick is a fold of elements and of indices that ascend, of which the first of equal elements is
// kept. A lane has the greatest key, for floats the element, and its position; the key is an
// integer in the order of the elements, and integers are their own. Indices are computed from the
// positions of the results.
type pick struct {
	index    int     // the access
	lastZero bool    // of equal elements, another than the first gives the result its sign
	position operand // of the elements of the next vector
}

// pickOf returns a reduction as a pick, nil if there is no code for it.
func pickOf(k *kernel.Kernel, r *kernel.Reduction, p *plan.Plan) *pick {
	if r.Pick.Op == kernel.Invalid || p.Form != plan.Inner || len(p.Vec.Dims) != 1 ||
		p.Vec.Size > math.MaxInt32 || !p.Grows(k, r.Values[1]) {
		return nil
	}
	isFirst := func(s kernel.Side) bool { return s == kernel.Left || s == kernel.Lesser }
	isFloat := r.Types[0].IsFloat()
	if !isFirst(r.Pick.Ties.Index) || isFloat && !isFirst(r.Pick.NaNs.Index) {
		return nil
	}
	return &pick{index: p.IndexAccess(k, r.Values[1]), lastZero: isFloat && !isFirst(r.Pick.Ties.Elem)}
}

// beginPicks sets the positions of the first elements of a row.
func (f *rowFunction) beginPicks() error {
	for i := range f.folds {
		if fo := &f.folds[i]; fo.pick != nil {
			e := elemBytes(fo.acc)
			first := f.to(bySize(e, asm.VPBROADCASTD, asm.VPBROADCASTQ), f.argMem(argFirst))
			f.change(fo.pick.position, f.to(addOps.of(fo.acc), f.iota(e), first))
		}
	}
	return f.emitBlock()
}

// pickLanes keeps what copy n of the body has computed where it comes before what lanes hold. The next
// vector waits for the key of this one, which comes from one instruction: comparing takes several cycles.
func (f *rowFunction) pickLanes(fo *fold, n int, keys []operand) {
	vectors := quarterBytes / f.w.vectorBytes()
	e, x := elemBytes(fo.acc), f.values[fo.value]
	for p, key := range keys {
		v := (n*len(keys) + p) % vectors
		lane := fo.regs[v]
		better := f.compareInts(fo.before(), fo.acc, key, lane)
		if f.tail {
			better = f.andMask(better, f.tailMask(e, p))
			f.change(lane, f.blend(fo.acc, better, key, lane))
		} else {
			f.change(lane, f.extremeInt(fo.kind, fo.acc, lane, key))
		}
		next := []operand{fo.pick.position}
		if fo.ordered != dtype.Invalid {
			next = []operand{x[p], fo.pick.position}
		}
		for j, y := range next {
			reg := fo.regs[(j+1)*vectors+v]
			f.change(reg, f.blend(fo.acc, better, y, reg))
		}
		step := f.number(e, uint64(f.w.vectorBytes()/e))
		f.change(fo.pick.position, f.to(addOps.of(fo.acc), fo.pick.position, step))
	}
}

// before returns the comparison of a key that comes before another.
func (fo *fold) before() kernel.Op {
	if fo.kind == kernel.Max {
		return kernel.GT
	}
	return kernel.LT
}

// combinePicks returns the operation of picks: of lanes with the same key, that with the earlier position
// is kept.
func (f *rowFunction) combinePicks(fo *fold) func(x, y []operand) []operand {
	last := fo.laneVectors() - 1
	return func(x, y []operand) []operand {
		better := f.compareInts(fo.before(), fo.acc, y[0], x[0])
		earlier := f.compareInts(kernel.LT, fo.acc, y[last], x[last])
		better = f.orMask(better, f.andMask(f.compareInts(kernel.EQ, fo.acc, y[0], x[0]), earlier))
		return f.each(last+1, func(j int) operand { return f.blend(fo.acc, better, y[j], x[j]) })
	}
}

// picked returns the element and its position of a lane.
func picked(lane []operand) []operand { return lane[len(lane)-2:] }

// areSigned reports whether the signs of n results are known: a zero may have that of another
// element than the first.
func (r *foldRun) areSigned(n int64) bool {
	for i := range r.folds {
		fo := &r.folds[i]
		if fo.pick == nil || !fo.pick.lastZero {
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

// indices returns the indices of n elements that a pick has found, from result v on.
func (r *foldRun) indices(i int, elems unsafe.Pointer, v, n int64) unsafe.Pointer {
	fo := &r.folds[i]
	a, t := &r.Accesses[fo.pick.index], r.k.Reduces[i].Types[1]
	e := elemBytes(fo.acc)
	positions := unsafe.Slice((*byte)(r.memory(r.resultsAt+fo.at+foldBytes)), int(n)*e)
	indices := unsafe.Slice((*byte)(r.memory(r.groupAt+fo.at)), int(n)*t.Size())
	nothing := fo.nothing(elems, int(n))
	for j := range int(n) {
		position := int64(integer(e).LoadBits(positions, j))
		if nothing(j) { // comes before what lanes start from: the first is as good as any
			position = r.start
		}
		t.StoreInt(indices, j, a.Offset+r.Seq.Offset(a.Seq, v+int64(j))+a.Inner*position)
	}
	return unsafe.Pointer(&indices[0])
}

// nothing tells which of n elements a pick has found nowhere, since none comes before what lanes
// start from. Those of floats start from what comes after all floats.
func (fo *fold) nothing(elems unsafe.Pointer, n int) func(i int) bool {
	if fo.ordered != dtype.Invalid {
		return func(int) bool { return false }
	}
	t := kernel.Register(fo.typ)
	all := unsafe.Slice((*byte)(elems), n*t.Size())
	start := fo.start() & (math.MaxUint64 >> (64 - 8*t.Size()))
	return func(i int) bool { return t.LoadBits(all, i) == start }
}
