package fuse

import (
	"fmt"
	"slices"

	"github.com/go-nx/nx/dtype"
	"github.com/go-nx/nx/internal/cpu/kernel"
	"github.com/go-nx/nx/internal/cpu/program"
	"github.com/go-nx/nx/stablehlo"
)

// kernel builds the kernel of a cluster, nil if it needs none. need is a value that must be in
// memory for it, if there is one.
func (p *planner) kernel(g *cluster) (n *program.Kernel, need *stablehlo.Value, err error) {
	// in program order
	slices.SortFunc(g.roots, func(a, b *stablehlo.Op) int { return p.clusters[b][0].id - p.clusters[a][0].id })
	if len(g.roots) == 1 && p.planWithoutKernel(g.roots[0]) {
		return nil, nil, nil
	}
	k := &kernel.Kernel{}
	e := &exprs{p: p, cluster: g, body: &k.Body, memo: map[*stablehlo.Value][]memo{}, param: map[int]int{}}
	full := e.space(g)
	var outs []output
	for _, r := range g.roots {
		if r.Code == stablehlo.OpReduce {
			reductions, need, err := e.reductions(r, full)
			if need != nil || err != nil {
				return nil, need, err
			}
			first := len(k.Reduces)
			k.Reduces = append(k.Reduces, reductions...)
			kept := slices.Clone(full)
			for i := len(full) - 1; i >= 0; i-- {
				if slices.Contains(r.Ints("dimensions"), int64(i)) {
					kept = slices.Delete(kept, i, i+1)
				}
			}
			for i, v := range r.Results {
				outs = append(outs, output{v, e.access(-1, v.Tensor().Dims, kept), min(first+i, len(k.Reduces)-1)})
				e.accesses[len(e.accesses)-1].kept = true
			}
			continue
		}
		if !p.isRead(r, g) {
			continue
		}
		for _, v := range r.Results {
			x, ok := e.value(v, full)
			if !ok {
				return nil, e.need, nil
			}
			k.Stores = append(k.Stores, kernel.Store{Value: x, Type: v.Tensor().DType()})
			to, at := v, full
			if part, ok := p.uses.parts[r]; ok {
				to, at = part.of, e.shifted(full, part.start)
			}
			outs = append(outs, output{to, e.access(-1, to.Tensor().Dims, at), -1})
		}
	}
	e.finish()
	stores := 0
	var written []int
	for _, o := range outs {
		b := p.buffer(o.v)
		if i := slices.Index(written, b); i >= 0 { // parts of one value
			o.at.Param = len(e.ins) + i
		} else {
			o.at.Param = len(e.ins) + len(written)
			written = append(written, b)
		}
		if o.reduction >= 0 {
			k.Reduces[o.reduction].At = append(k.Reduces[o.reduction].At, *o.at)
		} else {
			k.Stores[stores].At = *o.at
			stores++
		}
	}
	for v := range e.memo {
		if op := v.Op(); op != nil && len(written) > 0 {
			b := &p.prog.Buffers[written[0]]
			b.Locs = program.AddLoc(b.Locs, op.Loc)
		}
	}
	k.Dims, k.NumReduced = e.dims, e.reduced
	k.Name = g.roots[len(g.roots)-1].Name()
	k.Flush = mayFlush(&k.Body)
	return p.prog.NewKernel(k, e.ins, written), nil, nil
}

// mayFlush reports whether subnormal numbers may count as 0 in a kernel: if it applies an
// elementary function to floats of at most 32 bits, and has no wider ones.
func mayFlush(b *kernel.Body) bool {
	flush := false
	for i := range b.Instrs {
		in := &b.Instrs[i]
		switch t := in.Register(); {
		case t == dtype.F64 || t == dtype.C128:
			return false
		case in.Op.IsElementary() && (t == dtype.F32 || t == dtype.C64):
			flush = true
		}
	}
	return flush
}

// output is a value that a kernel writes.
type output struct {
	v         *stablehlo.Value
	at        *kernel.Access
	reduction int // the reduction it is a result of, or -1
}

// planWithoutKernel plans a value that needs no computation: constants, and reshapes of values in
// memory.
func (p *planner) planWithoutKernel(op *stablehlo.Op) bool {
	switch op.Code {
	case stablehlo.OpConstant:
		a := op.Attr("value").(*stablehlo.ElementsAttr)
		if a.Len() > maxConstant {
			return false
		}
		b := p.buffer(op.Result())
		p.prog.Buffers[b].Data = expand(a)
		return true
	case stablehlo.OpReshape, stablehlo.OpOptimizationBarrier:
		for _, v := range op.Operands {
			if d := v.Op(); d != nil && p.inlined(d, nil) {
				return false
			}
		}
		for i, v := range op.Operands {
			b := p.buffer(v)
			if _, ok := p.buf[op.Results[i]]; !ok {
				p.newBuffer(op.Results[i], b)
			}
		}
		return true
	}
	return false
}

// expand returns the elements of a constant, a splat repeated; it is never nil.
func expand(a *stablehlo.ElementsAttr) []byte {
	if !a.Splat && a.Data != nil {
		return a.Data
	}
	out := make([]byte, 0, a.Len()*len(a.Data))
	for range a.Len() {
		out = append(out, a.Data...)
	}
	return out
}

// space lays out the iteration space of a cluster, kept dimensions before reduced ones, and returns
// the view of a value of the cluster's shape.
func (e *exprs) space(g *cluster) view {
	var order []int
	for d := range g.dims {
		if !slices.Contains(g.red, int64(d)) {
			order = append(order, d)
		}
	}
	for d := range g.dims {
		if slices.Contains(g.red, int64(d)) {
			order = append(order, d)
		}
	}
	for _, d := range order {
		e.dims = append(e.dims, g.dims[d])
	}
	e.reduced = len(g.red)
	full := make(view, len(g.dims))
	for pos, d := range order {
		full[d] = e.newForm(0)
		full[d].k[pos] = 1
	}
	return full
}

// reductions builds the reductions of a reduce op, without the accesses of their results: one of
// all operands, or one per operand if the body reduces each by itself.
func (e *exprs) reductions(op *stablehlo.Op, full view) ([]kernel.Reduction, *stablehlo.Value, error) {
	n := len(op.Operands) / 2
	red := kernel.Reduction{}
	for i, v := range op.Operands[:n] {
		x, ok := e.value(v, full)
		if !ok {
			return nil, e.need, nil
		}
		red.Values = append(red.Values, x)
		red.Types = append(red.Types, v.Tensor().DType())
		init := e.access(e.paramOf(e.p.buffer(op.Operands[n+i])), nil, nil)
		red.Inits = append(red.Inits, kernel.Access{Param: init.Param})
	}
	body := op.Regions[0].Block()
	if kinds := reducersOf(body); kinds != nil {
		var out []kernel.Reduction
		for i, kind := range kinds {
			combine, result := kernel.ReduceBy(kind, red.Types[i])
			out = append(out, kernel.Reduction{Values: red.Values[i : i+1 : i+1], Types: red.Types[i : i+1 : i+1],
				Inits: red.Inits[i : i+1 : i+1],
				Kind:  kind, Combine: combine, Results: []kernel.Value{result}})
		}
		return out, nil, nil
	}
	sub := &exprs{p: e.p, cluster: e.cluster, body: &red.Combine}
	args := make([]kernel.Value, 2*n)
	for i := range args {
		args[i] = red.Combine.Add(kernel.Instr{Op: kernel.Arg, Type: kernel.Register(red.Types[i%n]), Arg: i})
	}
	out, err := sub.scalars(body, args)
	if err != nil {
		return nil, nil, fmt.Errorf("cpu: %s: %w", op.Name(), err)
	}
	red.Results = out
	red.ArgMinMax, _ = kernel.ArgMinMaxOf(&red)
	return []kernel.Reduction{red}, nil, nil
}
