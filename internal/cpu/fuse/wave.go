package fuse

import (
	"slices"

	"github.com/go-nx/nx/internal/cpu/program"
)

const (
	// minWavePoints and maxWavePoints bound the points of a kernel of a wave: fewer are
	// computed sooner than workers told, more keep all workers busy alone.
	minWavePoints, maxWavePoints = 1 << 11, 1 << 18

	// minWaveWork and maxWaveWork bound the multiplications of a product of a wave.
	minWaveWork, maxWaveWork = 1 << 16, 1 << 27

	// maxWave bounds the nodes of a wave.
	maxWave = 64
)

// makeWaves lets nodes of a block run at the same time that need nothing of each other: runs
// of such nodes, and at the end of the block the kernels whose values only the block
// returns, as the updates of an optimiser are.
func (p *planner) makeWaves(nodes []program.Node, results []int) []program.Node {
	nodes, last := p.splitUpdates(nodes, results)
	var out []program.Node
	w := &waveMaker{p: p, out: &out, written: map[int]bool{}, read: map[int]bool{}}
	for _, n := range slices.Concat(nodes, last) {
		w.add(n)
	}
	w.end()
	return out
}

// waveMaker collects nodes until one needs another.
type waveMaker struct {
	p             *planner
	out           *[]program.Node
	wave          []program.Node
	written, read map[int]bool // origins
}

func (w *waveMaker) add(n program.Node) {
	if !w.p.mayWave(n) {
		w.end()
		*w.out = append(*w.out, n)
		return
	}
	uses := func(bufs []int, by map[int]bool) bool {
		return slices.ContainsFunc(bufs, func(b int) bool { return by[w.p.prog.Origin(b)] })
	}
	if len(w.wave) == maxWave || uses(n.Reads(), w.written) || uses(n.Writes(), w.written) || uses(n.Writes(), w.read) {
		w.end()
	}
	w.wave = append(w.wave, n)
	for _, b := range n.Reads() {
		w.read[w.p.prog.Origin(b)] = true
	}
	for _, b := range n.Writes() {
		w.written[w.p.prog.Origin(b)] = true
	}
}

// end closes the wave; a single node is none.
func (w *waveMaker) end() {
	if len(w.wave) > 1 {
		*w.out = append(*w.out, &program.Wave{Nodes: w.wave})
	} else {
		*w.out = append(*w.out, w.wave...)
	}
	w.wave = nil
	clear(w.written)
	clear(w.read)
}

// mayWave reports whether a node gains from running beside others.
func (p *planner) mayWave(n program.Node) bool {
	switch n := n.(type) {
	case *program.Kernel:
		points := n.Kernel.NumElems()
		return points >= minWavePoints && points <= maxWavePoints && n.Slices == nil
	case *program.Contract:
		work, rows, cols := n.Work(), program.Size(n.Out.Rows), program.Size(n.Out.Cols)
		return work >= minWaveWork && work <= maxWaveWork && rows > 1 && cols > 1 && program.IsPlainProduct(p.prog, n)
	}
	return false
}

// splitUpdates separates the kernels of a block, without folds, whose values no node reads.
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
		isUpdate := ok && p.mayWave(n) && len(k.Kernel.Reduces) == 0 && !slices.ContainsFunc(k.Outs, func(b int) bool {
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
