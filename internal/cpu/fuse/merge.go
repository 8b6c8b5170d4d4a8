package fuse

import (
	"slices"

	"github.com/go-nx/nx/stablehlo"
)

// maxSearch bounds the clusters, and maxEdges the reads, that are looked at to prove
// that merging makes no cycle.
const (
	maxSearch = 64
	maxEdges  = 512
)

// merge joins clusters over the same iteration space whose kernels would read
// the same memory: a producer with its consumer, and consumers of one value.
func (p *planner) merge(clusters []*cluster, b *stablehlo.Block) {
	for i := len(clusters) - 1; i >= 0; i-- { // in program order
		h := clusters[i].find()
		for _, g := range sortedClusters(h.after) {
			g, h = g.find(), h.find()
			if g != h && g.red == nil && p.mergeable(g, h) && !startsFolds(g, h) && !p.reaches(h, g, true) {
				p.mergeInto(g, h)
			}
		}
	}
	readers := map[*stablehlo.Value][]*cluster{}
	for i := len(clusters) - 1; i >= 0; i-- {
		for _, v := range clusters[i].reads {
			readers[v] = append(readers[v], clusters[i])
		}
	}
	for i := len(clusters) - 1; i >= 0; i-- {
		for _, v := range clusters[i].reads {
			for _, other := range readers[v][:min(len(readers[v]), 8)] {
				g, h := other.find(), clusters[i].find()
				if g != h && v.Tensor() != nil && slices.Equal(v.Tensor().Dims, h.dims) && p.mergeable(g, h) &&
					!p.reaches(h, g, false) && !p.reaches(g, h, false) {
					p.mergeInto(g, h)
				}
			}
		}
	}
}

// mergeable reports whether one kernel can hold the roots of both.
func (p *planner) mergeable(g, h *cluster) bool {
	return !p.isForced(g) && !p.isForced(h) && g.lib == nil && h.lib == nil && g.size+h.size <= maxCluster && slices.Equal(g.dims, h.dims) &&
		(g.red == nil || h.red == nil || slices.Equal(g.red, h.red))
}

// startsFolds reports whether a result of g is the initial value of a reduction
// of h: it must be in memory before the kernel runs.
func startsFolds(g, h *cluster) bool {
	for _, r := range h.roots {
		if r.Code != stablehlo.OpReduce {
			continue
		}
		for _, v := range r.Operands[len(r.Operands)/2:] {
			if v.Op() != nil && g.isRoot(v.Op()) {
				return true
			}
		}
	}
	return false
}

// isForced reports whether a root of the cluster must be read from memory by
// every other op: its kernel is its own.
func (p *planner) isForced(g *cluster) bool {
	return slices.ContainsFunc(g.roots, func(op *stablehlo.Op) bool { return p.forced[op] })
}

// reaches reports whether h reads results of g, through other clusters alone
// when indirect is set. It says yes when the answer is far away.
func (p *planner) reaches(h, g *cluster, indirect bool) bool {
	p.pause()
	p.search++
	seen, edges, work := 1, 0, append(p.work[:0], h)
	defer func() { p.work = work }()
	h.seen = p.search
	for len(work) > 0 {
		x := work[len(work)-1]
		work = work[:len(work)-1]
		for _, y := range x.after {
			y = y.find()
			if edges++; edges > maxEdges || y == g && !(indirect && x == h) {
				return true
			}
			if y == g || y.seen == p.search {
				continue
			}
			if seen++; seen > maxSearch {
				return true
			}
			y.seen = p.search
			work = append(work, y)
		}
	}
	return false
}

func (p *planner) mergeInto(g, h *cluster) {
	h.roots = append(append([]*stablehlo.Op(nil), g.roots...), h.roots...)
	h.size += g.size
	if h.red == nil {
		h.red = g.red
	}
	g.into = h
	p.search++
	after := slices.Concat(h.after, g.after)
	h.after = slices.DeleteFunc(after, func(x *cluster) bool {
		x = x.find()
		again := x == h || x.seen == p.search
		x.seen = p.search
		return again
	})
}
