package amd64

import (
	"math"
	"unsafe"

	asm "github.com/go-nx/nx/internal/cpu/asm/amd64"
	"github.com/go-nx/nx/internal/cpu/kernel"
	"github.com/go-nx/nx/internal/cpu/plan"
)

// pick is a fold of floats and of indices that ascend, of which the first of equal elements is
// kept. A lane has the greatest integer in the order of the elements, the element and its
// position; the indices are computed from the positions of the results.
type pick struct {
	index    int     // the access
	lastZero bool    // of equal elements, another than the first gives the result its sign
	position operand // of the elements of the next vector
}

// pickVectors is how many vectors the lanes of a pick have each.
const pickVectors = 3

// pickOf returns a reduction as a pick, nil if there is no code for it.
func pickOf(k *kernel.Kernel, r *kernel.Reduction, p *plan.Plan) *pick {
	isFirst := func(s kernel.Side) bool { return s == kernel.Left || s == kernel.Lesser }
	if r.Pick.Op == kernel.Invalid || p.Form != plan.Inner || !r.Types[0].IsFloat() || r.Types[1].Size() < 4 ||
		!isFirst(r.Pick.Ties.Index) || !isFirst(r.Pick.NaNs.Index) {
		return nil
	}
	access, in := 0, &k.Body.Instrs[r.Values[1]]
	for i := range k.Body.Instrs[:r.Values[1]] {
		if at := k.Body.Instrs[i].At; at != nil {
			access += 1 + len(at.Guards)
		}
	}
	if in.Op != kernel.Index || len(in.At.Guards) > 0 || len(in.At.Lookups) > 0 {
		return nil
	}
	least, greatest := in.At.Offset, in.At.Offset
	for d, n := range k.Dims {
		reach := in.At.Strides[d] * max(n-1, 0)
		least, greatest = least+min(reach, 0), greatest+max(reach, 0)
	}
	if least < math.MinInt32 || greatest > math.MaxInt32 || least < 0 && !r.Types[1].IsSigned() ||
		p.Vec.Size > math.MaxInt32 || len(p.Vec.Dims) != 1 || p.Accesses[access].Inner <= 0 {
		return nil
	}
	return &pick{index: access, lastZero: !isFirst(r.Pick.Ties.Elem)}
}

// beginPicks sets the positions of the first elements of a row.
func (f *rowFunction) beginPicks() error {
	for i := range f.folds {
		if fo := &f.folds[i]; fo.pick != nil {
			e := elemBytes(fo.acc)
			first := f.to(bySize(e, asm.VPBROADCASTD, asm.VPBROADCASTQ), argMem(argFirst))
			f.change(fo.pick.position, f.to(addOps.of(fo.acc), f.iota(e), first))
		}
	}
	return f.emitBlock()
}

// pickLanes keeps what copy n of the body has computed where it comes before what lanes hold.
func (f *rowFunction) pickLanes(fo *fold, n int, keys []operand) {
	vectors := quarterBytes / f.w.vectorBytes()
	e, x := elemBytes(fo.acc), f.values[fo.value]
	for p, key := range keys {
		v := (n*len(keys) + p) % vectors
		regs := []operand{fo.regs[v], fo.regs[vectors+v], fo.regs[2*vectors+v]}
		better := f.compareInts(fo.before(), fo.acc, key, regs[0])
		if f.tail {
			better = f.andMask(better, f.tailMask(e, p))
		}
		for j, y := range []operand{key, x[p], fo.pick.position} {
			f.change(regs[j], f.blend(fo.acc, better, y, regs[j]))
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

// halvePick folds the lanes of a pick to an element and its position.
func (f *rowFunction) halvePick(fo *fold) []operand {
	return f.halveLanes(fo, pickVectors, func(x, y []operand) []operand {
		better := f.compareInts(fo.before(), fo.acc, y[0], x[0])
		earlier := f.compareInts(kernel.LT, fo.acc, y[2], x[2])
		better = f.orMask(better, f.andMask(f.compareInts(kernel.EQ, fo.acc, y[0], x[0]), earlier))
		return each(pickVectors, func(j int) operand { return f.blend(fo.acc, better, y[j], x[j]) })
	})[1:]
}

// areSigned reports whether the signs of n results are known: a zero may have that of another
// element than the first.
func (r foldRun) areSigned(n int64) bool {
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

// indices returns the indices of n results of a pick from result v on; nil for another fold.
func (r foldRun) indices(i int, v, n int64) unsafe.Pointer {
	fo := &r.folds[i]
	if fo.pick == nil {
		return nil
	}
	a, t := &r.Accesses[fo.pick.index], r.k.Reduces[i].Types[1]
	e := elemBytes(fo.acc)
	positions := unsafe.Slice((*byte)(r.memory(r.resultsAt+fo.at+foldBytes)), int(n)*e)
	indices := unsafe.Slice((*byte)(r.memory(r.groupAt+fo.at)), int(n)*t.Size())
	for j := range int(n) {
		position := int64(integer(e).LoadBits(positions, j))
		t.StoreInt(indices, j, a.Offset+r.Seq.Offset(a.Seq, v+int64(j))+a.Inner*position)
	}
	return unsafe.Pointer(&indices[0])
}
