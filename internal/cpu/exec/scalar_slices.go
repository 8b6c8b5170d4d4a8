package exec

import (
	"maps"

	"github.com/go-nx/nx/internal/cpu/codegen"
	"github.com/go-nx/nx/internal/cpu/program"
)

// slicedKernel is a kernel in tiles fused with the preceding slices that only it reads. It reads these parts of arrays
// in place: copying them would take longer than the kernel.
type slicedKernel struct {
	kernel  *program.Kernel
	windows map[int]codegen.Window // of its parameters
	nodes   int
}

// slicedKernel returns the fused kernel that starts at node i of a block, or nil.
func (l *scalarLoop) slicedKernel(b *program.Block, uses uses, i int) *slicedKernel {
	sliced := map[int]codegen.Window{} // by the value of the slice
	at, keepsMemory := i, true
	for ; at < len(b.Nodes); at++ {
		s, isCall := b.Nodes[at].(*program.Call)
		if !isCall {
			break
		}
		w, ok := l.windowOf(s)
		if !ok || w.Store || w.Runs > 0 {
			return nil
		}
		sliced[l.x.prog.Origin(s.Outs[0])] = w
	}
	if at == len(b.Nodes) {
		return nil
	}
	k, isKernel := b.Nodes[at].(*program.Kernel)
	if !isKernel {
		return nil
	}
	if can, _ := l.x.gen.IsScalar(k.Kernel); can && k.Slices == nil {
		return nil
	}
	// A slice is fused if its array keeps its memory beyond the kernel.
	for _, n := range b.Nodes[i:at] {
		keepsMemory = keepsMemory && uses.last[l.x.prog.Origin(n.Reads()[0])] > at
	}
	e := &slicedKernel{kernel: k, windows: map[int]codegen.Window{}, nodes: at + 1 - i}
	for p, in := range k.Ins[:k.NumIns()] { // after them are the start indices of its slices, read from memory
		if w, ok := sliced[l.x.prog.Origin(in)]; ok && uses.count[l.x.prog.Origin(in)] == 1 {
			e.windows[p] = w
		}
	}
	if !keepsMemory || len(e.windows) != at-i {
		return nil
	}
	if len(e.windows) == 0 {
		return nil
	}
	maps.Copy(e.windows, l.x.windowsOf(k))
	return e
}

// uses has, for the values that a block uses, the number of uses and the last node, which is the number of nodes for a
// result.
type uses struct{ count, last map[int]int }

func (l *scalarLoop) usesOf(b *program.Block) uses {
	u := uses{map[int]int{}, map[int]int{}}
	use := func(bufs []int, at int) {
		for _, buf := range bufs {
			v := l.x.prog.Origin(buf)
			u.count[v]++
			u.last[v] = at
		}
	}
	var node func(n program.Node, at int)
	node = func(n program.Node, at int) {
		use(n.Reads(), at)
		for _, inner := range n.Blocks() {
			for _, n := range inner.Nodes {
				node(n, at)
			}
			use(inner.Results, at)
		}
	}
	for i, n := range b.Nodes {
		node(n, i)
	}
	use(b.Results, len(b.Nodes))
	return u
}
