package fuse

import (
	"fmt"

	"github.com/go-nx/nx/internal/cpu/kernel"
	"github.com/go-nx/nx/internal/cpu/program"
	"github.com/go-nx/nx/stablehlo"
)

// bodyLength is the nominal length of the kernel of a body; the caller of the code chooses the real
// one.
const bodyLength = 1 << 20

// bodiesOf fills in the bodies of a call.
func bodiesOf(n *program.Call) error {
	op := n.Op
	captured := Captures(op)
	add := func(b *stablehlo.Block, results []*stablehlo.Value) error {
		k, err := bodyKernel(b, results, captured)
		if err != nil {
			return fmt.Errorf("cpu: %s: %w", op.Name(), err)
		}
		n.Bodies = append(n.Bodies, &program.Body{Kernel: k, Args: len(b.Args), Results: len(results),
			Kind: reducerOf(b)})
		return nil
	}
	switch op.Code {
	case stablehlo.OpSort:
		body := op.Regions[0].Block()
		keys, ok := sortKeys(body)
		if !ok {
			return add(body, body.Terminator().Operands)
		}
		for _, k := range keys {
			if k.Operand < 0 {
				k.Body = len(n.Bodies)
				if err := add(body, []*stablehlo.Value{k.value}); err != nil {
					return err
				}
			}
			n.Keys = append(n.Keys, k.SortKey)
		}
	case stablehlo.OpReduce, stablehlo.OpReduceWindow, stablehlo.OpScatter, stablehlo.OpSelectAndScatter:
		for _, r := range op.Regions {
			if err := add(r.Block(), r.Block().Terminator().Operands); err != nil {
				return err
			}
		}
	}
	return nil
}

// Captures returns the values that the regions of op use and do not define, in the order of their
// first use. They become operands of its step, after its own.
func Captures(op *stablehlo.Op) []*stablehlo.Value { return captures{}.of(op) }

// captures caches the captures of ops: those of an op follow from those of the ops directly inside
// it, so that nested regions are walked once.
type captures map[*stablehlo.Op][]*stablehlo.Value

func (c captures) of(op *stablehlo.Op) []*stablehlo.Value {
	if len(op.Regions) == 0 {
		return nil
	}
	out, ok := c[op]
	if ok {
		return out
	}
	seen := map[*stablehlo.Value]bool{} // or defined inside
	for _, r := range op.Regions {
		for _, b := range r.Blocks {
			for _, a := range b.Args {
				seen[a] = true
			}
			for _, inner := range b.Ops {
				for _, v := range inner.Results {
					seen[v] = true
				}
			}
		}
	}
	add := func(vs []*stablehlo.Value) {
		for _, v := range vs {
			if !seen[v] {
				seen[v] = true
				out = append(out, v)
			}
		}
	}
	for _, r := range op.Regions {
		for _, b := range r.Blocks {
			for _, inner := range b.Ops {
				add(inner.Operands)
				add(c.of(inner))
			}
		}
	}
	c[op] = out
	return out
}

// bodyKernel returns the kernel that applies a region on scalars to vectors: its parameters are the
// region's arguments, then the results, then the captured scalars, which are the same for all
// elements. The results are values of the region, mostly the operands of its terminator; values
// that they do not need are left out. The region may only use element-wise ops.
func bodyKernel(b *stablehlo.Block, results, captures []*stablehlo.Value) (*kernel.Kernel, error) {
	if !isScalarBody(b, captures) {
		return nil, fmt.Errorf("the region must only use element-wise ops on scalars")
	}
	k := &kernel.Kernel{Name: "body", Dims: []int64{bodyLength}}
	e := &exprs{body: &k.Body, scalarOf: map[*stablehlo.Value]kernel.Value{}}
	e.dims = k.Dims
	for _, a := range b.Args {
		k.Params = append(k.Params, kernel.Param{Type: a.Tensor().DType(), Elems: bodyLength})
	}
	for _, v := range results {
		k.Params = append(k.Params, kernel.Param{Type: v.Tensor().DType(), Elems: bodyLength})
	}
	for _, c := range captures {
		k.Params = append(k.Params, kernel.Param{Type: c.Tensor().DType(), Elems: 1})
	}
	load := func(v *stablehlo.Value, param int, stride int64) {
		t := v.Tensor().DType()
		e.scalarOf[v] = k.Body.Add(kernel.Instr{Op: kernel.Load, Type: t,
			At: &kernel.Access{Param: param, Strides: []int64{stride}}})
	}
	needed := neededBy(b, results)
	for i, a := range b.Args {
		if needed[a] {
			load(a, i, 1)
		}
	}
	for i, c := range captures {
		if needed[c] {
			load(c, len(b.Args)+len(results)+i, 0)
		}
	}
	for _, op := range b.Ops {
		if len(op.Results) > 0 && needed[op.Results[0]] {
			if err := e.scalar(op); err != nil {
				return nil, err
			}
		}
	}
	for i, v := range results {
		x := e.scalarOf[v]
		if in := k.Body.Instrs[x]; in.Op == kernel.Load {
			// A result may share the memory of an argument: read that before any is written.
			x = k.Body.Add(kernel.Instr{Op: kernel.Convert, Type: in.Register(), From: in.Register(),
				Args: [3]kernel.Value{x}})
		}
		k.Stores = append(k.Stores, kernel.Store{Value: x, Type: v.Tensor().DType(),
			At: kernel.Access{Param: len(b.Args) + i, Strides: []int64{1}}})
	}
	return k, nil
}

// neededBy returns the values of a block that results depend on.
func neededBy(b *stablehlo.Block, results []*stablehlo.Value) map[*stablehlo.Value]bool {
	needed := map[*stablehlo.Value]bool{}
	for _, v := range results {
		needed[v] = true
	}
	for i := len(b.Ops) - 1; i >= 0; i-- {
		op := b.Ops[i]
		for _, r := range op.Results {
			if !needed[r] {
				continue
			}
			for _, other := range op.Results {
				needed[other] = true
			}
			for x := range op.Walk() {
				for _, v := range x.Operands {
					needed[v] = true
				}
			}
			break
		}
	}
	return needed
}
