package fuse

import (
	"slices"

	"github.com/go-nx/nx/internal/cpu/program"
)

// makeParallelGroups groups the nodes of a block that may run in parallel: successive independent
// nodes, and at the end of the block the kernels whose values are only results of the block, such
// as the updates of an optimiser.
func (p *planner) makeParallelGroups(nodes []program.Node, results []int) []program.Node {
	nodes, last := p.splitUpdates(nodes, results)
	var out []program.Node
	w := &groupBuilder{p: p, out: &out, written: map[int]bool{}, read: map[int]bool{}}
	for _, n := range slices.Concat(nodes, last) {
		w.add(n)
	}
	w.end()
	return out
}

// groupBuilder collects nodes until one depends on another.
type groupBuilder struct {
	p             *planner
	out           *[]program.Node
	group         []program.Node
	written, read map[int]bool // origins
}

func (w *groupBuilder) add(n program.Node) {
	if !w.p.mayGroup(n) {
		w.end()
		*w.out = append(*w.out, n)
		return
	}
	uses := func(bufs []int, by map[int]bool) bool {
		return slices.ContainsFunc(bufs, func(b int) bool { return by[w.p.prog.Origin(b)] })
	}
	if len(w.group) == maxGroup || uses(n.Reads(), w.written) || uses(n.Writes(), w.written) ||
		uses(n.Writes(), w.read) {
		w.end()
	}
	w.group = append(w.group, n)
	for _, b := range n.Reads() {
		w.read[w.p.prog.Origin(b)] = true
	}
	for _, b := range n.Writes() {
		w.written[w.p.prog.Origin(b)] = true
	}
}

// end closes the group; a single node stays as it is.
func (w *groupBuilder) end() {
	if len(w.group) > 1 {
		*w.out = append(*w.out, &program.ParallelGroup{Nodes: w.group})
	} else {
		*w.out = append(*w.out, w.group...)
	}
	w.group = nil
	clear(w.written)
	clear(w.read)
}

// mayGroup reports whether a node gains from running in parallel with others.
func (p *planner) mayGroup(n program.Node) bool {
	switch n := n.(type) {
	case *program.Kernel:
		points := n.Kernel.NumElems()
		return points >= minGroupPoints && points <= maxGroupPoints && n.Slices == nil
	case *program.Contraction:
		work, rows, cols := n.Work(), program.Size(n.Out.Rows), program.Size(n.Out.Cols)
		return work >= minGroupWork && work <= maxGroupWork && rows > 1 && cols > 1 && program.IsPlainGemm(p.prog, n)
	}
	return false
}

// splitUpdates separates the kernels of a block, without reductions, whose values no node reads.
func (p *planner) splitUpdates(nodes []program.Node, results []int) (others, updates []program.Node) {
	read, writers := map[int]bool{}, map[int]int{}
	var walk func(nodes []program.Node)
	walk = func(nodes []program.Node) {
		for _, n := range nodes {
			for _, b := range n.Reads() {
				read[p.prog.Origin(b)] = true
			}
			for _, b := range n.Writes() {
				writers[p.prog.Origin(b)]++
			}
			for _, inner := range n.Blocks() {
				walk(inner.Nodes)
				for _, r := range inner.Results {
					read[p.prog.Origin(r)] = true
				}
			}
		}
	}
	walk(nodes)
	returned := map[int]bool{}
	for _, r := range results {
		returned[p.prog.Origin(r)] = true
	}
	for _, n := range nodes {
		k, ok := n.(*program.Kernel)
		isUpdate := ok && p.mayGroup(n) && len(k.Kernel.Reduces) == 0 && !slices.ContainsFunc(k.Outs, func(b int) bool {
			return read[b] || writers[b] > 1 || !returned[b]
		})
		if isUpdate {
			updates = append(updates, n)
		} else {
			others = append(others, n)
		}
	}
	if len(updates) < 2 {
		return nodes, nil
	}
	return others, updates
}
