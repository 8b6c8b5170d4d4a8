package library

import (
	"fmt"
	"unsafe"

	"github.com/go-nx/nx/internal/cpu/codegen"
	"github.com/go-nx/nx/internal/cpu/program"
	"github.com/go-nx/nx/internal/cpu/rt"
	"github.com/go-nx/nx/stablehlo"
)

func init() { withBodies[stablehlo.OpSelectAndScatter] = makeSelectAndScatter }

// makeSelectAndScatter compiles select_and_scatter: first every window finds
// the element that select keeps against all others, windows being the vector;
// then the elements of source are combined into the result there, in order.
func makeSelectAndScatter(call *program.Call, bodies []*codegen.Body) (Func, error) {
	op := call.Op
	in, source := op.Operands[0].Tensor(), op.Operands[1].Tensor()
	if in.Rank() > maxRank {
		return nil, fmt.Errorf("%d dimensions, at most %d are supported", in.Rank(), maxRank)
	}
	choose, combine := bodies[0], bodies[1]
	s := &selectTask{body: choose, walk: newWindowWalk(op, in.Dims, source.Dims), size: in.DType().Size()}
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
		c := combine.Begin(ins)
		defer c.End()
		for i, to := range run.selected {
			env.Pause(i)
			if to < 0 {
				continue // a window on nothing but padding
			}
			c.Arg(0, addr(outs[0], to, size))
			c.Arg(1, addr(ins[1], int64(i), size))
			c.Result(0, addr(outs[0], to, size))
			c.Apply(1)
		}
		return nil
	}, nil
}

// selectTask finds the selected element of every window.
type selectTask struct {
	env      *rt.Env
	body     *codegen.Body
	walk     *windowWalk
	size     int // of the operand's elements
	total    int64
	ins      [][]byte
	selected []int64
}

func (s *selectTask) Do(_, chunk int) {
	first := int64(chunk) * vectorElems
	count := int(min(s.total-first, vectorElems))
	c := s.body.Begin(s.ins)
	defer c.End()
	best := s.selected[first:][:count]
	for i := range best {
		best[i] = -1
	}
	at := make([]int64, count)
	have, next, keep := make([]byte, count*s.size), make([]byte, count*s.size), make([]byte, count)
	c.Arg(0, unsafe.Pointer(unsafe.SliceData(have)))
	c.Arg(1, unsafe.Pointer(unsafe.SliceData(next)))
	c.Result(0, unsafe.Pointer(unsafe.SliceData(keep)))
	zero := make([]byte, s.size)
	for k := range s.walk.volume() {
		s.env.Check()
		s.walk.sources(at, first, k)
		pick(have, s.ins[0], zero, best, s.size)
		pick(next, s.ins[0], zero, at, s.size)
		c.Apply(count)
		for i, a := range at {
			if a >= 0 && (best[i] < 0 || keep[i] == 0) {
				best[i] = a
			}
		}
	}
}
