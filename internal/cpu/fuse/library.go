package fuse

import (
	"fmt"

	"github.com/go-nx/nx/internal/cpu/kernel"
	"github.com/go-nx/nx/stablehlo"
)

// library plans an op that has an algorithm of its own.
func (p *planner) library(op *stablehlo.Op) ([]Step, error) {
	switch op.Code {
	case stablehlo.OpConstant:
		b := p.buffer(op.Result())
		p.prog.Buffers[b].Data = expand(op.Attr("value").(*stablehlo.ElementsAttr))
		return nil, nil
	case stablehlo.OpOptimizationBarrier:
		for i, v := range op.Operands {
			p.newBuffer(op.Results[i], p.buffer(v))
		}
		return nil, nil
	case stablehlo.OpConcatenate:
		return p.concatenate(op), nil
	case stablehlo.OpPad:
		return p.pad(op), nil
	case stablehlo.OpWhile:
		return p.while(op)
	}
	s := Step{Op: op}
	for _, v := range op.Operands {
		if v.Tensor() == nil {
			continue // tokens order steps; they are in the order already
		}
		s.Ins = append(s.Ins, p.buffer(v))
	}
	switch op.Code {
	case stablehlo.OpIf, stablehlo.OpCase:
		for _, r := range op.Regions {
			b, err := p.block(r.Block(), nil)
			if err != nil {
				return nil, err
			}
			s.Blocks = append(s.Blocks, b)
		}
	default: // the library compiles regions itself
		for _, v := range Captures(op) {
			if v.Tensor() == nil {
				return nil, fmt.Errorf("cpu: %s: its region uses a value of type %s", op.Name(), v.Type())
			}
			s.Ins = append(s.Ins, p.buffer(v))
		}
	}
	for _, v := range op.Results {
		if v.Tensor() == nil {
			if _, ok := v.Type().(stablehlo.TokenType); ok {
				continue
			}
			return nil, fmt.Errorf("cpu: %s: results of type %s are not supported", op.Name(), v.Type())
		}
		s.Outs = append(s.Outs, p.buffer(v))
	}
	return []Step{s}, nil
}

// while gives the loop's state one set of buffers: the arguments of both
// regions and the results.
func (p *planner) while(op *stablehlo.Op) ([]Step, error) {
	s := Step{Op: op}
	for i, v := range op.Operands {
		if v.Tensor() == nil {
			return nil, fmt.Errorf("cpu: stablehlo.while: state of type %s is not supported", v.Type())
		}
		s.Ins = append(s.Ins, p.buffer(v))
		s.Outs = append(s.Outs, p.buffer(op.Results[i]))
	}
	for _, r := range op.Regions {
		b, err := p.block(r.Block(), s.Outs)
		if err != nil {
			return nil, err
		}
		s.Blocks = append(s.Blocks, b)
	}
	return []Step{s}, nil
}

// copyInto returns a kernel step that writes value in, element by element, to
// out at base + Σ stride*index.
func (p *planner) copyInto(in, out *stablehlo.Value, start, stride, from, size []int64) Step {
	it, ot := in.Tensor(), out.Tensor()
	is, os := denseStrides(it.Dims), denseStrides(ot.Dims)
	load := kernel.Access{Param: 0, Strides: make([]int64, len(size))}
	store := kernel.Access{Param: 1, Strides: make([]int64, len(size))}
	for d := range size {
		load.Strides[d] = is[d]
		load.Offset += from[d] * is[d]
		store.Strides[d] = stride[d] * os[d]
		store.Offset += start[d] * os[d]
	}
	t := it.DType()
	k := &kernel.Kernel{Name: "copy", Dims: append([]int64(nil), size...)}
	v := k.Body.Add(kernel.Instr{Op: kernel.Load, Type: t, At: &load})
	k.Stores = []kernel.Store{{Value: v, Type: t, At: store}}
	return Step{Kernel: k, Ins: []int{p.buffer(in)}, Outs: []int{p.buffer(out)}}
}

func denseStrides(dims []int64) []int64 {
	s := make([]int64, len(dims))
	n := int64(1)
	for d := len(dims) - 1; d >= 0; d-- {
		s[d] = n
		n *= dims[d]
	}
	return s
}

func (p *planner) concatenate(op *stablehlo.Op) []Step {
	var steps []Step
	out := op.Result()
	rank := out.Tensor().Rank()
	at := int64(0)
	for _, v := range op.Operands {
		start, stride, zero := make([]int64, rank), make([]int64, rank), make([]int64, rank)
		for d := range stride {
			stride[d] = 1
		}
		axis := op.Int("dimension", 0)
		start[axis] = at
		at += v.Tensor().Dims[axis]
		steps = append(steps, p.copyInto(v, out, start, stride, zero, v.Tensor().Dims))
	}
	return steps
}

func (p *planner) pad(op *stablehlo.Op) []Step {
	in, fill, out := op.Operands[0], op.Operands[1], op.Result()
	t := out.Tensor()
	k := &kernel.Kernel{Name: "fill", Dims: t.Dims}
	v := k.Body.Add(kernel.Instr{Op: kernel.Load, Type: t.DType(),
		At: &kernel.Access{Strides: make([]int64, len(t.Dims))}})
	k.Stores = []kernel.Store{{Value: v, Type: t.DType(), At: kernel.Access{Param: 1, Strides: denseStrides(t.Dims)}}}
	steps := []Step{{Kernel: k, Ins: []int{p.buffer(fill)}, Outs: []int{p.buffer(out)}}}

	low, interior := op.Ints("edge_padding_low"), op.Ints("interior_padding")
	rank := t.Rank()
	start, stride, from, size := make([]int64, rank), make([]int64, rank), make([]int64, rank), make([]int64, rank)
	for d, n := range in.Tensor().Dims {
		stride[d] = interior[d] + 1
		if low[d] < 0 { // the first elements that are left
			from[d] = (-low[d] + stride[d] - 1) / stride[d]
		}
		start[d] = low[d] + from[d]*stride[d]
		if start[d] < t.Dims[d] {
			size[d] = max(min(n-from[d], (t.Dims[d]-start[d]+stride[d]-1)/stride[d]), 0)
		}
		if size[d] == 0 {
			return steps
		}
	}
	return append(steps, p.copyInto(in, out, start, stride, from, size))
}
