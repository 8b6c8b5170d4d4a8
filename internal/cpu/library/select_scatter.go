package library

import (
	"fmt"
	"unsafe"

	"github.com/go-nx/nx/internal/cpu/codegen"
	"github.com/go-nx/nx/internal/cpu/fuse"
	"github.com/go-nx/nx/internal/cpu/rt"
	"github.com/go-nx/nx/stablehlo"
)

func init() { withBodies[stablehlo.OpSelectAndScatter] = makeSelectAndScatter }

// makeSelectAndScatter compiles select_and_scatter: first every window finds
// the element that select keeps against all others, windows being the vector;
// then the elements of source are combined into the result there, in order.
func makeSelectAndScatter(op *stablehlo.Op, g codegen.Generator) (Func, error) {
	in, source := op.Operands[0].Tensor(), op.Operands[1].Tensor()
	if in.Rank() > maxRank {
		return nil, fmt.Errorf("%d dimensions, at most %d are supported", in.Rank(), maxRank)
	}
	captures := fuse.Captures(op)
	choose, err := compileValues(g, op.Regions[0].Block(), op.Regions[0].Block().Terminator().Operands, captures)
	if err != nil {
		return nil, err
	}
	combine, err := compileValues(g, op.Regions[1].Block(), op.Regions[1].Block().Terminator().Operands, captures)
	if err != nil {
		return nil, err
	}
	s := &selectTask{r: choose, walk: newWindowWalk(op, in.Dims, source.Dims), size: in.DType().Size()}
	s.total, _ = source.NumElems()
	size := source.DType().Size()
	return func(env *rt.Env, ins, outs [][]byte) error {
		repeat(outs[0], ins[2])
		buf, err := env.Scratch(8 * int(s.total))
		if err != nil {
			return err
		}
		defer env.Free(buf)
		run := *s
		run.env, run.ins, run.selected = env, ins, rt.View[int64](buf)
		env.Run(int((s.total+vectorElems-1)/vectorElems), &run)
		env.Check()
		c := combine.begin(ins)
		defer c.end()
		for i, to := range run.selected {
			env.Pause(i)
			if to < 0 {
				continue // a window on nothing but padding
			}
			c.arg(0, addr(outs[0], to, size))
			c.arg(1, addr(ins[1], int64(i), size))
			c.result(0, addr(outs[0], to, size))
			c.apply(1)
		}
		return nil
	}, nil
}

// selectTask finds the selected element of every window.
type selectTask struct {
	env      *rt.Env
	r        *region
	walk     *windowWalk
	size     int // of the operand's elements
	total    int64
	ins      [][]byte
	selected []int64
}

func (s *selectTask) Do(_, chunk int) {
	first := int64(chunk) * vectorElems
	count := int(min(s.total-first, vectorElems))
	c := s.r.begin(s.ins)
	defer c.end()
	best := s.selected[first:][:count]
	for i := range best {
		best[i] = -1
	}
	at := make([]int64, count)
	have, next, keep := make([]byte, count*s.size), make([]byte, count*s.size), make([]byte, count)
	c.arg(0, unsafe.Pointer(unsafe.SliceData(have)))
	c.arg(1, unsafe.Pointer(unsafe.SliceData(next)))
	c.result(0, unsafe.Pointer(unsafe.SliceData(keep)))
	zero := make([]byte, s.size)
	for k := range s.walk.volume() {
		s.env.Check()
		s.walk.sources(at, first, k)
		pick(have, s.ins[0], zero, best, s.size)
		pick(next, s.ins[0], zero, at, s.size)
		c.apply(count)
		for i, a := range at {
			if a >= 0 && (best[i] < 0 || keep[i] == 0) {
				best[i] = a
			}
		}
	}
}
