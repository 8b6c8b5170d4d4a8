package random

import (
	"encoding/binary"
	"slices"

	"github.com/go-nx/nx/dtype"
	"github.com/go-nx/nx/internal/cpu/kernel"
	"github.com/go-nx/nx/internal/cpu/program"
)

// height is the number of values in a stack.
const height = 3

// stacked returns a kernel that writes one of the values of a stack.
func (b *builder) stacked(s *scope) *program.Kernel {
	buf := b.buffer(height, b.rows, b.cols)
	n := b.elementwise(*s, buf)
	out := n.NumIns()
	n.Kernel.Params[out].Elems = b.rows * b.cols
	n.Ins = append(n.Ins, b.choose(s.stacks), b.index(s))
	n.Slices = []program.Slice{{Param: out, Array: out,
		Starts: []program.Start{{Index: out + 1, Limit: height - 1, Stride: b.rows * b.cols}}}}
	return n
}

// update returns a kernel that changes a part of an array, at an index known when it runs.
func (b *builder) update(s *scope, zero int) program.Node {
	switch b.IntN(4) {
	case 0:
		return b.reduceInto(s, zero)
	case 1:
		n := b.stacked(s)
		s.stacks = append(s.stacks, n.Outs[0])
		return n
	}
	rows, cols := 1+b.Int64N(b.rows), 1+b.Int64N(b.cols)
	array, buf := b.choose(s.values), b.buffer(b.rows, b.cols)
	k := &kernel.Kernel{Name: "update", Dims: []int64{rows, cols}}
	n := &program.Kernel{Operands: program.Operands{Outs: []int{buf}}, Kernel: k}
	load := func(buf int) kernel.Value {
		n.Ins = append(n.Ins, buf)
		return k.Body.Add(kernel.Instr{Op: kernel.Load, Type: dtype.F32,
			At: &kernel.Access{Param: len(n.Ins) - 1, Strides: []int64{b.cols, 1}}})
	}
	v := load([]int{array, b.choose(s.values)}[b.IntN(2)])
	isSliced := b.IntN(2) == 0
	op := []kernel.Op{kernel.Add, kernel.Sub, kernel.Max}[b.IntN(3)]
	v = k.Body.Add(kernel.Instr{Op: op, Type: dtype.F32, Args: [3]kernel.Value{v, load(b.choose(s.values))}})
	v = k.Body.Add(kernel.Instr{Op: kernel.Tanh, Type: dtype.F32, Args: [3]kernel.Value{v}})
	k.Stores = []kernel.Store{{Value: v, Type: dtype.F32,
		At: kernel.Access{Param: 2, Strides: []int64{b.cols, 1}}}}
	all := b.rows * b.cols
	part := (rows-1)*b.cols + cols
	k.Params = []kernel.Param{{Type: dtype.F32, Elems: all}, {Type: dtype.F32, Elems: all},
		{Type: dtype.F32, Elems: part}}
	n.Ins = append(n.Ins, array, b.index(s), b.index(s))
	starts := []program.Start{{Index: 3, Limit: b.rows - rows, Stride: b.cols},
		{Index: 4, Limit: b.cols - cols, Stride: 1}}
	n.Slices = []program.Slice{{Param: 2, Array: 2, Starts: starts}}
	if isSliced {
		k.Params[0].Elems = part
		if b.IntN(3) == 0 { // not the updated part
			n.Ins = append(n.Ins, b.index(s))
			starts = slices.Clone(starts)
			starts[b.IntN(2)].Index = 5
		}
		n.Slices = append(n.Slices, program.Slice{Param: 0, Array: -1, Starts: starts})
	}
	s.values = append(s.values, buf, buf)
	return n
}

// reduceInto returns a kernel that reduces some rows to a part of an array of rows.
func (b *builder) reduceInto(s *scope, zero int) program.Node {
	buf := b.buffer(b.rows)
	n := b.reduction(b.choose(s.values), zero, buf)
	n.Kernel.Dims[0] = 1 + b.Int64N(b.rows)
	n.Kernel.Params[2].Elems = n.Kernel.Dims[0]
	n.Ins = append(n.Ins, b.choose(s.reduced), b.index(s))
	n.Slices = []program.Slice{{Param: 2, Array: 2,
		Starts: []program.Start{{Index: 3, Limit: b.rows - n.Kernel.Dims[0], Stride: 1}}}}
	s.reduced = append(s.reduced, buf)
	return n
}

// index returns a counter of a loop or a constant, which may be out of range.
func (b *builder) index(s *scope) int {
	if len(s.counts) > 0 && b.IntN(2) == 0 {
		return b.choose(s.counts)
	}
	i := b.Int64N(b.rows+8) - 4
	if b.IntN(2) == 0 {
		index := b.typed(dtype.S64)
		b.p.Buffers[index].Data = binary.NativeEndian.AppendUint64(nil, uint64(i))
		return index
	}
	index := b.typed(dtype.S32)
	b.p.Buffers[index].Data = binary.NativeEndian.AppendUint32(nil, uint32(i))
	return index
}
