package fuse

import (
	"fmt"

	"github.com/go-nx/nx/internal/cpu/kernel"
	"github.com/go-nx/nx/internal/cpu/program"
	"github.com/go-nx/nx/stablehlo"
)

// nodes returns the nodes of an op that is not part of a kernel.
func (p *planner) nodes(op *stablehlo.Op) ([]program.Node, error) {
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
	case stablehlo.OpCall:
		return p.expandCall(op)
	case stablehlo.OpDotGeneral, stablehlo.OpConvolution:
		d := p.contractionOf(op)
		if d == nil {
			return nil, fmt.Errorf("cpu: %s: the dimension numbers are missing", op.Name())
		}
		return []program.Node{p.contract(d, op)}, nil
	case stablehlo.OpSelectAndScatter:
		if nodes, err := p.selectAndScatter(op); nodes != nil || err != nil {
			return nodes, err
		}
	}
	var arms []*program.Block
	var at program.Operands
	for _, v := range op.Operands {
		if v.Tensor() == nil {
			continue // tokens order nodes; the nodes are in that order already
		}
		at.Ins = append(at.Ins, p.buffer(v))
	}
	isBranch := op.Code == stablehlo.OpIf || op.Code == stablehlo.OpCase
	if isBranch {
		for _, r := range op.Regions {
			b, err := p.block(r.Block(), nil)
			if err != nil {
				return nil, err
			}
			arms = append(arms, b)
		}
	} else { // the library compiles regions itself
		for _, v := range Captures(op) {
			if v.Tensor() == nil {
				return nil, fmt.Errorf("cpu: %s: a region must only use tensors from outside, got %s",
					op.Name(), v.Type())
			}
			at.Ins = append(at.Ins, p.buffer(v))
		}
	}
	for _, v := range op.Results {
		if v.Tensor() == nil {
			if _, ok := v.Type().(stablehlo.TokenType); ok {
				continue
			}
			return nil, fmt.Errorf("cpu: %s: results of type %s are not supported", op.Name(), v.Type())
		}
		at.Outs = append(at.Outs, p.buffer(v))
	}
	if isBranch {
		return []program.Node{&program.Branch{Operands: at, Arms: arms}}, nil
	}
	n := &program.Call{Operands: at, Op: op, Effects: effectsOf(op)}
	return []program.Node{n}, bodiesOf(n)
}

// effectsOf returns the effects of an op.
func effectsOf(op *stablehlo.Op) program.Effects {
	e := program.Effects{Ordered: op.Code.Info().Traits&stablehlo.SideEffects != 0 && op.Code != stablehlo.OpCall}
	switch op.Code {
	case stablehlo.OpDynamicSlice, stablehlo.OpGather:
		e.Gathers = true
	case stablehlo.OpDynamicUpdateSlice:
		e.Updates = []int{0}
	case stablehlo.OpScatter:
		for i := range op.Results {
			e.Updates = append(e.Updates, i)
		}
	}
	return e
}

// while plans a loop. Its state has one set of buffers: the arguments of both regions and the
// results.
func (p *planner) while(op *stablehlo.Op) ([]program.Node, error) {
	s := &program.Loop{}
	for i, v := range op.Operands {
		if v.Tensor() == nil {
			return nil, fmt.Errorf("cpu: stablehlo.while: state of type %s is not supported", v.Type())
		}
		s.Ins = append(s.Ins, p.buffer(v))
		s.Outs = append(s.Outs, p.buffer(op.Results[i]))
	}
	p.loops++
	defer func() { p.loops-- }()
	var err error
	if s.Cond, err = p.block(op.Regions[0].Block(), s.Outs); err != nil {
		return nil, err
	}
	if s.Body, err = p.block(op.Regions[1].Block(), s.Outs); err != nil {
		return nil, err
	}
	return []program.Node{s}, nil
}

// copyInto returns a kernel that copies the values of in, element by element, to out at base + Σ
// stride*index.
func (p *planner) copyInto(in, out *stablehlo.Value, start, stride, from, size []int64) program.Node {
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
	return p.prog.NewKernel(k, []int{p.buffer(in)}, []int{p.buffer(out)})
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

func (p *planner) concatenate(op *stablehlo.Op) []program.Node {
	var nodes []program.Node
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
		if _, ok := p.uses.parts[v.Op()]; ok {
			continue // computed in place
		}
		nodes = append(nodes, p.copyInto(v, out, start, stride, zero, v.Tensor().Dims))
	}
	return nodes
}

// fill returns a kernel that sets every element of out to a number.
func (p *planner) fill(number, out *stablehlo.Value) program.Node {
	t := out.Tensor()
	k := &kernel.Kernel{Name: "fill", Dims: t.Dims}
	v := k.Body.Add(kernel.Instr{Op: kernel.Load, Type: t.DType(),
		At: &kernel.Access{Strides: make([]int64, len(t.Dims))}})
	k.Stores = []kernel.Store{{Value: v, Type: t.DType(), At: kernel.Access{Param: 1, Strides: denseStrides(t.Dims)}}}
	return p.prog.NewKernel(k, []int{p.buffer(number)}, []int{p.buffer(out)})
}

func (p *planner) pad(op *stablehlo.Op) []program.Node {
	in, out := op.Operands[0], op.Result()
	t := out.Tensor()
	nodes := []program.Node{p.fill(op.Operands[1], out)}

	low, interior := op.Ints("edge_padding_low"), op.Ints("interior_padding")
	rank := t.Rank()
	start, stride, from, size := make([]int64, rank), make([]int64, rank), make([]int64, rank), make([]int64, rank)
	for d, n := range in.Tensor().Dims {
		stride[d] = interior[d] + 1
		if low[d] < 0 { // the first elements that remain
			from[d] = (-low[d] + stride[d] - 1) / stride[d]
		}
		start[d] = low[d] + from[d]*stride[d]
		if start[d] < t.Dims[d] {
			size[d] = max(min(n-from[d], (t.Dims[d]-start[d]+stride[d]-1)/stride[d]), 0)
		}
		if size[d] == 0 {
			return nodes
		}
	}
	return append(nodes, p.copyInto(in, out, start, stride, from, size))
}
