package fuse

import (
	"slices"

	"github.com/go-nx/nx/dtype"
	"github.com/go-nx/nx/internal/cpu/kernel"
	"github.com/go-nx/nx/internal/cpu/program"
	"github.com/go-nx/nx/stablehlo"
)

// updater redirects the results of kernels into the arrays that later updates change, and their
// loads of slices to the arrays of these slices.
type updater struct {
	p         *planner
	nodes     []program.Node
	readers   map[int]int // number of reads of each buffer that is not a view
	writers   map[int]int
	definedBy map[int]program.Node // the node that writes a buffer
}

// fuseUpdates fuses updates of slices into the kernels that compute the slices, so that these are
// written once, in place. first is the first buffer that was made for the block.
func (p *planner) fuseUpdates(b *program.Block, first int) {
	isUpdate := func(n program.Node) bool { return isCallOf(n, stablehlo.OpDynamicUpdateSlice) }
	if !slices.ContainsFunc(b.Nodes, isUpdate) {
		return
	}
	u := &updater{p, b.Nodes, p.readers(b), map[int]int{}, map[int]program.Node{}}
	for _, n := range b.Nodes {
		for _, w := range n.Writes() {
			u.writers[w]++
			u.definedBy[w] = n
		}
	}
	for i, n := range u.nodes {
		if n != nil && isUpdate(n) && p.prog.Origin(n.Reads()[1]) >= first {
			u.fuse(i)
		}
	}
	b.Nodes = slices.DeleteFunc(u.nodes, func(n program.Node) bool { return n == nil })
}

func isCallOf(n program.Node, code stablehlo.OpCode) bool {
	c, ok := n.(*program.Call)
	return ok && c.Op.Code == code
}

// fuse fuses the update at node i into the kernel that computes the slice, if that is possible.
func (u *updater) fuse(i int) {
	call := u.nodes[i].(*program.Call)
	at, k := u.kernelOf(call, i)
	if k == nil {
		return
	}
	e := &updateFusion{p: u.p, call: call, node: u.nodes[at], k: k, part: u.p.prog.Origin(call.Ins[1])}
	e.isDead = u.readers[e.part] == 1
	removed := []program.Node{e.node}
	for _, in := range k.Ins[:k.NumIns()] {
		n := u.definedBy[u.p.prog.Origin(in)]
		if slices.Contains(removed, n) {
			continue
		}
		if param := u.sliceFor(n, e); param >= 0 {
			removed, e.sliced = append(removed, n), append(e.sliced, param)
		}
	}
	if !e.apply() {
		return
	}
	for j := at; len(removed) > 0; j-- {
		if g := slices.Index(removed, u.nodes[j]); g >= 0 {
			removed, u.nodes[j] = slices.Delete(removed, g, g+1), nil
		}
	}
	u.nodes[i], u.definedBy[u.p.prog.Origin(call.Outs[0])] = e.node, e.node
}

// kernelOf returns the kernel that computes the slice that an update at node i writes, and the index
// of its node, which may be the row loop around it; nil if no such kernel can be moved there.
func (u *updater) kernelOf(call *program.Call, i int) (at int, k *program.Kernel) {
	part := u.p.prog.Origin(call.Ins[1])
	n := u.definedBy[part]
	if n == nil || u.writers[part] != 1 {
		return 0, nil
	}
	k, _ = n.(*program.Kernel)
	if loop, ok := n.(*program.RowLoop); ok {
		writes := func(n program.Node) bool { return slices.Contains(n.Writes(), part) }
		k, _ = loop.Steps[slices.IndexFunc(loop.Steps, writes)].(*program.Kernel)
	}
	if k == nil || k.Kernel.NumElems() < minLookup {
		return 0, nil
	}
	for at = i - 1; u.nodes[at] != n; at-- {
		m := u.nodes[at]
		if m != nil && (len(m.Blocks()) > 0 || !u.p.independent(n, m) || u.changes(m, n.Reads())) {
			return 0, nil
		}
	}
	return at, k
}

// changes reports whether a node updates a part of one of the buffers: it would have to copy it, if
// it were read afterwards.
func (u *updater) changes(n program.Node, bufs []int) bool {
	return slices.ContainsFunc(program.Updates(n), func(in int) bool {
		return in >= 0 && slices.ContainsFunc(bufs, func(b int) bool {
			return u.p.prog.Origin(b) == u.p.prog.Origin(n.Reads()[in])
		})
	})
}

// sliceFor returns the parameter of an updateFusion's kernel that a node slices only for it from
// the part that the kernel is to write, if the kernel reads the very element that it writes; -1 for
// none.
func (u *updater) sliceFor(n program.Node, e *updateFusion) int {
	if !isCallOf(n, stablehlo.OpDynamicSlice) || !e.isDead {
		return -1
	}
	s := n.(*program.Call)
	buf := u.p.prog.Origin(s.Outs[0])
	param := slices.IndexFunc(e.k.Ins, func(b int) bool { return u.p.prog.Origin(b) == buf })
	out := slices.Index(e.k.Outs, e.part)
	if u.readers[buf] != 1 || u.writers[buf] != 1 || param < 0 || param >= e.k.NumIns() ||
		u.p.prog.Origin(s.Ins[0]) != u.p.prog.Origin(e.call.Ins[0]) || !slices.Equal(s.Ins[1:], e.call.Ins[2:]) ||
		!slices.Equal(s.Op.Result().Tensor().Dims, e.call.Op.Operands[1].Tensor().Dims) ||
		!e.k.Kernel.Replaces(param, e.k.NumIns()+out) {
		return -1
	}
	return param
}

// updateFusion is a kernel that is to write the part of an array that an update writes.
type updateFusion struct {
	p      *planner
	call   *program.Call
	node   program.Node // the kernel or the row loop around it
	k      *program.Kernel
	part   int   // the buffer of the part
	isDead bool  // the update is its only reader
	sliced []int // parameters that are this part of the array before the update
}

// apply makes the kernel write into the array, instead of the part or as well. It changes nothing
// unless it returns true.
func (e *updateFusion) apply() bool {
	n, k := e.k, e.k.Kernel
	out := n.NumIns() + slices.Index(n.Outs, e.part)
	w := updateWindowOf(e.call)
	if !w.hasSliceIndices || n.Slice(out) != nil || !w.fits(k, out) || !e.doesNotAlias() {
		return false
	}
	if _, inRowLoop := e.node.(*program.RowLoop); inRowLoop && !w.isOneRun() { // its loops may change otherwise
		return false
	}
	for _, param := range e.sliced {
		if !w.fits(k, param) {
			return false
		}
	}
	k = e.p.ownKernel(n)
	if !e.isDead {
		if out = e.storeTwice(out); out < 0 {
			return false
		}
		n.Outs = append(n.Outs[:len(n.Outs):len(n.Outs)], e.call.Outs[0])
	} else {
		n.Outs[out-n.NumIns()] = e.call.Outs[0]
	}
	n.Slices = append(n.Slices, program.Slice{Param: out, Array: len(n.Ins)})
	n.Ins = append(n.Ins[:len(n.Ins):len(n.Ins)], e.call.Ins[0])
	var starts []program.Start
	for d, stride := range denseStrides(w.array) {
		if limit := w.array[d] - w.part[d]; limit > 0 { // otherwise it starts at 0 for any index
			starts = append(starts, program.Start{Index: len(n.Ins), Limit: limit, Stride: stride})
			n.Ins = append(n.Ins, e.call.Ins[2+d])
		}
	}
	n.Slices[len(n.Slices)-1].Starts = starts
	w.retarget(k, out)
	for _, param := range e.sliced {
		n.Ins[param] = e.call.Ins[0]
		n.Slices = append(n.Slices, program.Slice{Param: param, Array: -1, Starts: starts})
		w.retarget(k, param)
	}
	delete(e.p.plans, k)
	return true
}

// doesNotAlias reports whether the kernel neither reads the array elsewhere than in the part, which
// would force a copy, nor computes an operand of the update.
func (e *updateFusion) doesNotAlias() bool {
	array := e.p.prog.Origin(e.call.Ins[0])
	for _, b := range e.node.Reads() {
		if e.p.prog.Origin(b) == array {
			return false
		}
	}
	return !slices.ContainsFunc(e.call.Ins, func(b int) bool {
		o := e.p.prog.Origin(b)
		return o != e.part && slices.Contains(e.node.Writes(), o)
	})
}

// storeTwice adds a second store of the values stored to a parameter, and returns its parameter; -1
// if the parameter is the result of a reduction.
func (e *updateFusion) storeTwice(out int) int {
	k := e.k.Kernel
	i := slices.IndexFunc(k.Stores, func(st kernel.Store) bool { return st.At.Param == out })
	if i < 0 {
		return -1
	}
	st := k.Stores[i]
	st.At.Param = len(k.Params)
	k.Stores, k.Params = append(k.Stores, st), append(k.Params, k.Params[out])
	return st.At.Param
}

// updateWindow is the layout, in the array, of the part that an update writes.
type updateWindow struct {
	array, part     []int64 // dimensions
	runs            []run   // outermost first
	hasSliceIndices bool    // its indices are supported by slices of kernels
}

// run is elements of the part with one stride, both in the part and in the array.
type run struct{ size, stride, arrayStride int64 }

func updateWindowOf(call *program.Call) *updateWindow {
	w := &updateWindow{array: call.Op.Operands[0].Tensor().Dims, part: call.Op.Operands[1].Tensor().Dims}
	w.hasSliceIndices = numPoints(w.part) > 0 &&
		!slices.ContainsFunc(call.Op.Operands[2:], func(v *stablehlo.Value) bool {
			return v.Tensor().DType() != dtype.S32 && v.Tensor().DType() != dtype.S64
		})
	partStrides, arrayStrides := denseStrides(w.part), denseStrides(w.array)
	for d, n := range w.part {
		last := len(w.runs) - 1
		switch {
		case n == 1:
		case last >= 0 && w.runs[last].arrayStride == arrayStrides[d]*n:
			w.runs[last] = run{w.runs[last].size * n, partStrides[d], arrayStrides[d]}
		default:
			w.runs = append(w.runs, run{n, partStrides[d], arrayStrides[d]})
		}
	}
	return w
}

// isOneRun reports whether the part is one run of neighbours in the array.
func (w *updateWindow) isOneRun() bool {
	return len(w.runs) == 0 || len(w.runs) == 1 && w.runs[0].arrayStride == 1
}

// fits reports whether all accesses of a kernel to a parameter, which is the part by itself, can be
// to the array instead.
func (w *updateWindow) fits(k *kernel.Kernel, param int) bool {
	ok := true
	k.Accesses(func(a *kernel.Access, _ dtype.Type, dims []int64) {
		if a.Param == param {
			_, inArray := w.strides(a, dims)
			ok = ok && inArray
		}
	})
	return ok
}

// retarget makes the accesses to a parameter accesses to the array.
func (w *updateWindow) retarget(k *kernel.Kernel, param int) {
	k.Accesses(func(a *kernel.Access, _ dtype.Type, dims []int64) {
		if a.Param == param {
			a.Strides, _ = w.strides(a, dims)
		}
	})
	elems := int64(1)
	for _, r := range w.runs {
		elems += (r.size - 1) * r.arrayStride
	}
	k.Params[param].Elems = elems
}

// strides returns the strides, in the array, of an access to the part by itself; each dimension
// must go along one run.
func (w *updateWindow) strides(a *kernel.Access, dims []int64) (out []int64, ok bool) {
	if !a.IsAffine() || a.Offset != 0 {
		return nil, false
	}
	reach := make([]int64, len(w.runs))
	for d, step := range a.Strides {
		if dims[d] == 1 || step == 0 {
			out = append(out, 0)
			continue
		}
		i := slices.IndexFunc(w.runs, func(r run) bool { return r.stride <= step && step < r.stride*r.size })
		if i < 0 || step%w.runs[i].stride != 0 {
			return nil, false
		}
		steps := step / w.runs[i].stride
		if reach[i] += (dims[d] - 1) * steps; reach[i] >= w.runs[i].size {
			return nil, false
		}
		out = append(out, steps*w.runs[i].arrayStride)
	}
	return out, true
}
