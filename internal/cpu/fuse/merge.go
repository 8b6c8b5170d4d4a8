package fuse

import (
	"slices"

	"github.com/go-nx/nx/stablehlo"
)

// merge joins clusters over the same iteration space whose kernels would read the same memory: a
// producer with its consumer, and consumers of one value.
func (p *planner) merge(clusters []*cluster, b *stablehlo.Block) {
	p.schedule = p.schedule[:0]
	for i := len(clusters) - 1; i >= 0; i-- { // in program order
		clusters[i].position = len(p.schedule)
		clusters[i].forced = slices.ContainsFunc(clusters[i].roots, func(op *stablehlo.Op) bool { return p.forced[op] })
		p.schedule = append(p.schedule, clusters[i])
	}
	for i := len(clusters) - 1; i >= 0; i-- {
		h := clusters[i].find()
		for _, g := range sortedClusters(h.after) {
			g, h = g.find(), h.find()
			if g != h && g.red == nil && p.mergeable(g, h) && !initialisesReduction(g, h) && !p.reads(g, h) {
				p.mergeInto(g, h, true)
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
				if g.position > h.position {
					g, h = h, g
				}
				if g != h && v.Tensor() != nil && slices.Equal(v.Tensor().Dims, h.dims) && p.mergeable(g, h) {
					p.mergeInto(g, h, false)
				}
			}
		}
	}
}

// mergeable reports whether one kernel can hold the roots of both.
func (p *planner) mergeable(g, h *cluster) bool {
	return !g.forced && !h.forced && g.lib == nil && h.lib == nil && g.size+h.size <= maxCluster &&
		slices.Equal(g.dims, h.dims) &&
		(g.red == nil || h.red == nil || slices.Equal(g.red, h.red)) && !p.undoesRematerialisation(g, h)
}

// undoesRematerialisation reports whether h, after g, rematerialises values: in one kernel with g
// they would stay alive while the contractions between them are computed.
func (p *planner) undoesRematerialisation(g, h *cluster) bool {
	if !h.rematerialised || g.rematerialised {
		return false
	}
	return slices.ContainsFunc(p.schedule[g.position+1:h.position], func(x *cluster) bool {
		return x != nil && x.lib != nil && isContractionOp(x.lib)
	})
}

// initialisesReduction reports whether a result of g is the initial value of a reduction of h: it
// must be in memory before the kernel runs.
func initialisesReduction(g, h *cluster) bool {
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

// reads reports whether the kernel of h reads a result of g from memory: to pad it, or to
// gather from it. Too many such reads to inspect count as one.
func (p *planner) reads(g, h *cluster) bool {
	edges := 0
	for _, r := range g.roots {
		for _, c := range p.memoryReaders(r) {
			if edges++; edges > maxBetween ||
				slices.ContainsFunc(p.clusters[c], func(x *cluster) bool { return x.find() == h }) {
				return true
			}
		}
	}
	return false
}

// memoryReaders returns the consumers of an op that read its result from memory.
func (p *planner) memoryReaders(op *stablehlo.Op) []*stablehlo.Op {
	list, ok := p.uses.readers[op]
	if !ok {
		for _, c := range p.uses.consumers[op] {
			if p.readsFrom(op, c) {
				list = append(list, c)
			}
		}
		p.uses.readers[op] = list
	}
	return list
}

// mergeInto joins g with h, which comes after it, unless h reads results of g through other
// clusters, or directly if reads is not set. It declines if there are too many clusters between
// them to tell. Clusters that depend on g are then scheduled after both.
func (p *planner) mergeInto(g, h *cluster, reads bool) {
	p.checkCancel()
	between := p.schedule[g.position+1 : h.position]
	if len(between) > maxBetween {
		return
	}
	p.search++
	g.seen = p.search // marks all clusters that depend on it
	edges := 0
	dependent := func(x *cluster) (is, known bool) {
		for _, y := range x.after {
			if edges++; edges > maxEdges {
				return true, false
			}
			if y = y.find(); y.seen == p.search && !(x == h && reads && y == g) {
				return true, true
			}
		}
		return false, true
	}
	for _, x := range between {
		if x == nil {
			continue
		}
		is, known := dependent(x)
		switch {
		case !known:
			return
		case is:
			x.seen = p.search
		}
	}
	if is, _ := dependent(h); is {
		return
	}
	p.moveAfter(g, h)
	h.roots = append(h.roots, g.roots...)
	h.size += g.size
	h.rematerialised = h.rematerialised || g.rematerialised
	if h.red == nil {
		h.red = g.red
	}
	g.into = h
	p.search++
	kept := h.after[:0]
	for _, list := range [][]*cluster{h.after, g.after} {
		for _, x := range list {
			if x = x.find(); x != h && x.seen != p.search {
				x.seen = p.search
				kept = append(kept, x)
			}
		}
	}
	h.after = kept
}

// moveAfter puts h in the position of g, and the dependents of g that were found behind it.
func (p *planner) moveAfter(g, h *cluster) {
	from, to := g.position, h.position
	put := func(x *cluster) {
		p.schedule[from], x.position = x, from
		from++
	}
	p.dependents = p.dependents[:0]
	for _, x := range p.schedule[from+1 : to] {
		switch {
		case x == nil:
		case x.seen == p.search:
			p.dependents = append(p.dependents, x)
		default:
			put(x)
		}
	}
	put(h)
	for _, x := range p.dependents {
		put(x)
	}
	clear(p.schedule[from : to+1])
}
