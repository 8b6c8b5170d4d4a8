package library

import (
	"fmt"
	"unsafe"

	"github.com/go-nx/nx/internal/cpu/codegen"
	"github.com/go-nx/nx/internal/cpu/kernels/monoid"
	"github.com/go-nx/nx/internal/cpu/kernels/move"
	"github.com/go-nx/nx/internal/cpu/program"
	"github.com/go-nx/nx/internal/cpu/rt"
)

// makeSelectAndScatter compiles select_and_scatter: every window first finds the element that select prefers to all
// others, vectorised over windows; then the elements of source are combined into the result there, in order. A chunk
// does both if windows of different chunks have no common element.
func makeSelectAndScatter(call *program.Call, bodies []*codegen.Body) (Func, error) {
	op := call.Op
	in, source := op.Operands[0].Tensor(), op.Operands[1].Tensor()
	if in.Rank() > maxRank {
		return nil, fmt.Errorf("the operand must have at most %[2]d dimensions, got %[1]d", in.Rank(), maxRank)
	}
	s := &selectTask{body: bodies[0], combine: bodies[1], walk: newWindowWalk(op, in.Dims, source.Dims),
		size: in.DType().Size(), sourceSize: source.DType().Size(), perChunk: vectorElems}
	s.total, _ = source.NumElems()
	s.disjoint = s.size == s.sourceSize && areDisjoint(s.walk.windows)
	s.fused = s.disjoint
	if hasNoPadding(s.walk) {
		s.offsets = tapOffsets(s.walk)
	}
	s.elements = newElementCombiner(call.Bodies[1], source.DType())
	if n := imagesOf(s.walk); n > 1 && !s.disjoint {
		windows := max(s.total/n, 1) // of an image
		s.perChunk, s.fused = (vectorElems+windows-1)/windows*windows, true
	}
	return s.exec, nil
}

// imagesOf returns the number of parts without common windows into which the leading dimensions split an array.
func imagesOf(w *windowWalk) int64 {
	n := int64(1)
	for d, x := range w.windows {
		if x != (monoid.Window{Size: 1, Stride: 1, Dilation: x.Dilation, BaseDilation: 1}) {
			break
		}
		n *= w.in[d]
	}
	return n
}

func (s *selectTask) exec(env *rt.Env, ins, outs [][]byte) error {
	move.Repeat(outs[0], ins[2])
	scratch, err := env.WorkerScratch(s.scratchBytes())
	if err != nil {
		return err
	}
	defer env.FreeWorkerScratch(scratch)
	t := selectTasks.get()
	*t = *s
	t.env, t.ins, t.out, t.scratch = env, ins, outs[0], scratch
	defer func() {
		*t = selectTask{}
		selectTasks.put(t)
	}()
	if !s.fused {
		buf, err := env.Scratch(8 * int(s.total))
		if err != nil {
			return err
		}
		defer env.Free(buf)
		t.selected = rt.View[int64](buf)
	}
	env.Run(int((s.total+s.perChunk-1)/s.perChunk), t)
	env.CheckCancel()
	if s.fused {
		return nil
	}
	for first := int64(0); first < s.total; first += vectorElems {
		env.CheckCancel()
		t.combineAt(t.selected[first:min(first+vectorElems, s.total)], first, scratch.Of(rt.Caller))
	}
	return nil
}

var selectTasks freeList[selectTask]

// areDisjoint reports whether every element is in at most one window.
func areDisjoint(windows []monoid.Window) bool {
	for _, w := range windows {
		if (w.Size-1)*w.Dilation >= w.Stride {
			return false
		}
	}
	return true
}

// hasNoPadding reports whether windows have no padding.
func hasNoPadding(w *windowWalk) bool {
	for d, x := range w.windows {
		last := (w.out[d]-1)*int64(x.Stride) + int64(x.Size-1)*int64(x.Dilation) - int64(x.Low)
		if x.BaseDilation != 1 || x.Low > 0 || last >= w.in[d] {
			return false
		}
	}
	return true
}

// tapOffsets returns the offsets of the elements of a window from the first one, in the operand.
func tapOffsets(w *windowWalk) []int64 {
	offsets := []int64{0}
	for d, x := range w.windows {
		var next []int64
		for _, o := range offsets {
			for j := range x.Size {
				next = append(next, o+int64(j)*int64(x.Dilation)*w.steps[d])
			}
		}
		offsets = next
	}
	return offsets
}

// selectTask finds the selected element of every window.
type selectTask struct {
	env           *rt.Env
	body, combine *codegen.Body
	elements      elementCombiner // the loop of combine, if there is one
	walk          *windowWalk
	size          int // of the operand's elements
	sourceSize    int
	total         int64
	perChunk      int64   // windows
	offsets       []int64 // of the elements of a window without padding, else nil
	disjoint      bool    // every element is in at most one window
	fused         bool    // a chunk also combines its selected elements
	ins           [][]byte
	out           []byte
	scratch       rt.WorkerScratch
	selected      []int64 // unless fused
}

// scratchBytes is the scratch memory of a worker: four offsets, two elements and a bool per window.
func (s *selectTask) scratchBytes() int { return vectorElems * (4*8 + 2*max(s.size, s.sourceSize) + 1) }

// Do selects in the windows of a chunk.
func (s *selectTask) Do(worker rt.Worker, chunk int) {
	scratch := s.scratch.Of(worker)
	offsets := rt.View[int64](scratch[:3*8*vectorElems])
	elems := scratch[4*8*vectorElems:]
	end := min(s.total, int64(chunk+1)*s.perChunk)
	for first := int64(chunk) * s.perChunk; first < end; first += vectorElems {
		n := int(min(end-first, vectorElems))
		best, at, base := offsets[:n], offsets[vectorElems:][:n], offsets[2*vectorElems:][:n]
		if !s.fused {
			best = s.selected[first:][:n]
		}
		have, next := elems[:n*s.size], elems[n*s.size:][:n*s.size]
		s.find(first, best, at, base, have, next, elems[2*n*s.size:][:n])
		if s.fused {
			s.combineAt(best, first, scratch)
		}
	}
}

// combineAt combines the elements of source of windows from first on into the result, in order.
func (s *selectTask) combineAt(selected []int64, first int64, scratch []byte) {
	if s.elements != nil {
		at := rt.View[int](scratch[3*8*vectorElems:])[:len(selected)]
		for i, to := range selected {
			at[i] = int(to)
		}
		s.elements(s.out, s.ins[1], at, int(first), 1)
		return
	}
	c := s.combine.Begin(s.ins)
	defer c.End()
	if s.disjoint {
		elems, n := scratch[4*8*vectorElems:], len(selected)*s.size
		have, next := elems[:n], elems[n:][:n]
		gatherElems(have, s.out, zeroElem[:], selected, s.size)
		c.Arg(0, addr(have, 0, s.size))
		c.Arg(1, addr(s.ins[1], first, s.size))
		c.Result(0, addr(next, 0, s.size))
		c.Apply(len(selected))
		scatterElems(s.out, next, selected, s.size)
		return
	}
	for i, to := range selected {
		if to < 0 {
			continue // a window on padding only
		}
		c.Arg(0, addr(s.out, to, s.sourceSize))
		c.Arg(1, addr(s.ins[1], first+int64(i), s.sourceSize))
		c.Result(0, addr(s.out, to, s.sourceSize))
		c.Apply(1)
	}
}

// zeroElem is an element of any type that is 0.
var zeroElem [16]byte

// find sets best to the offsets of the elements that windows from first on select, -1 for windows on padding only.
func (s *selectTask) find(first int64, best, at, base []int64, have, next, keep []byte) {
	c := s.body.Begin(s.ins)
	defer c.End()
	c.Arg(0, unsafe.Pointer(unsafe.SliceData(have)))
	c.Arg(1, unsafe.Pointer(unsafe.SliceData(next)))
	c.Result(0, unsafe.Pointer(unsafe.SliceData(keep)))
	for i := range best {
		best[i] = -1
	}
	if s.offsets != nil {
		s.walk.sourceIndices(base, first, 0)
	}
	for k := range s.walk.volume() {
		s.env.CheckCancel()
		if s.offsets == nil {
			s.walk.sourceIndices(at, first, k)
		} else {
			for i, b := range base {
				at[i] = b + s.offsets[k]
			}
		}
		gatherElems(next, s.ins[0], zeroElem[:], at, s.size)
		c.Apply(len(best))
		replaceSelected(best, at, have, next, keep, s.size)
	}
}

// replaceSelected replaces the selected elements of windows by the next ones, if there was none or select did not keep
// it.
func replaceSelected(best, at []int64, have, next, keep []byte, size int) {
	rt.BySize(size, replaceSelectedOf[uint8], replaceSelectedOf[uint16], replaceSelectedOf[uint32],
		replaceSelectedOf[uint64], replaceSelectedOf[rt.Block16])(best, at, have, next, keep)
}

func replaceSelectedOf[T any](best, at []int64, haveBytes, nextBytes, keep []byte) {
	have, next := rt.View[T](haveBytes)[:len(best)], rt.View[T](nextBytes)[:len(best)]
	at, keep = at[:len(best)], keep[:len(best)]
	for i, b := range best {
		if a := at[i]; a >= 0 && (b < 0 || keep[i] == 0) {
			best[i], have[i] = a, next[i]
		}
	}
}

// scatterElems sets the elements at[i] of dst to those of src; negative offsets are skipped.
func scatterElems(dst, src []byte, at []int64, size int) {
	rt.BySize(size, scatterElemsOf[uint8], scatterElemsOf[uint16], scatterElemsOf[uint32], scatterElemsOf[uint64],
		scatterElemsOf[rt.Block16])(dst, src, at)
}

func scatterElemsOf[T any](dst, src []byte, at []int64) {
	d, s := rt.View[T](dst), rt.View[T](src)
	for i, a := range at {
		if a >= 0 {
			d[a] = s[i]
		}
	}
}
