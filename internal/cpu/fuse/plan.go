package fuse

import (
	"fmt"
	"slices"

	"github.com/go-nx/nx/internal/cost"
	"github.com/go-nx/nx/internal/cpu/kernel"
	"github.com/go-nx/nx/internal/cpu/plan"
	"github.com/go-nx/nx/internal/cpu/program"
	"github.com/go-nx/nx/stablehlo"
)

// Rematerialised is the attribute of ops that recompute a value which the program does not keep:
// their kernel is not merged with one before a contraction that is before it.
const Rematerialised = "nx.rematerialised"

// Build plans a function whose calls are inlined or shared, and whose shapes are static. It calls
// checkCancel, if given, for every op, often more than once; checkCancel ends the planning by a panic.
func Build(f stablehlo.Func, checkCancel ...func()) (*program.Program, error) {
	p := newPlanner(&stablehlo.Module{Op: f.Op.Parent()}, func() {})
	if len(checkCancel) > 0 {
		p.checkCancel = checkCancel[0]
	}
	main, err := p.block(f.Body(), nil)
	if err != nil {
		return nil, err
	}
	p.prog.Main = main
	for i, a := range main.Args {
		p.prog.Buffers[a].Donated = f.Donated(i)
	}
	return p.prog, nil
}

// newPlanner returns the planner of a function of a module.
func newPlanner(m *stablehlo.Module, checkCancel func()) *planner {
	return &planner{prog: &program.Program{}, buf: map[*stablehlo.Value]int{}, kernels: map[*stablehlo.Op]bool{},
		captures: captures{}, contractions: map[*stablehlo.Op]*contraction{},
		indices: map[*stablehlo.Op][]*stablehlo.Value{}, plans: map[*kernel.Kernel]*plan.Plan{},
		captured: map[*program.Block][]int{}, module: m, templates: map[string]*template{},
		shared: map[*kernel.Kernel]bool{}, checkCancel: checkCancel}
}

// planner plans a block and, with the same buffers, those inside it.
type planner struct {
	checkCancel  func()
	prog         *program.Program
	buf          map[*stablehlo.Value]int // the buffers of the values in memory
	clusters     map[*stablehlo.Op][]*cluster
	uses         *blockUses             // of the block being planned
	forced       map[*stablehlo.Op]bool // ops whose result must be in memory though they could be inlined
	kernels      map[*stablehlo.Op]bool // cached isKernel
	captures     captures
	loops        int // number of loops around the block
	contractions map[*stablehlo.Op]*contraction
	indices      map[*stablehlo.Op][]*stablehlo.Value // cached indexOf
	// Of finished blocks, the buffers of enclosing blocks that they use.
	captured   map[*program.Block][]int
	plans      map[*kernel.Kernel]*plan.Plan
	values     []*stablehlo.Value // the values of the buffers, in order
	search     int                // the number of the search among clusters
	schedule   []*cluster         // the clusters in an order in which they can run, nil for merged ones
	dependents []*cluster         // those that move in it

	module    *stablehlo.Module // of the functions that calls name
	templates map[string]*template
	shared    map[*kernel.Kernel]bool // those of templates
	callNodes int                     // nodes of calls
}

// cluster is a set of ops whose results are computed by one kernel, with those inlined into it; or
// one op that is a node of another kind.
type cluster struct {
	id             int
	roots          []*stablehlo.Op
	size           int           // number of ops, inlined ones included
	dims           []int64       // the common shape of the roots (of their inputs for reductions)
	red            []int64       // the reduced dimensions, nil when no root reduces
	lib            *stablehlo.Op // the op of another node
	computes       bool          // whether it does more than rearrange and look up
	rematerialised bool          // whether it has an op with the attribute Rematerialised
	forced         bool          // whether every other op reads a root from memory: it has its own kernel
	after          []*cluster    // the clusters whose results this one reads
	into           *cluster      // the cluster this one was merged into
	reads          []*stablehlo.Value
	open           map[*stablehlo.Op]bool // the ops that its ops need and that are in no cluster yet
	seen           int                    // the last search that visited it
	position       int                    // in the schedule
}

// add counts an op, with the values it needs as sources, as part of the cluster.
func (g *cluster) add(op *stablehlo.Op, sources []*stablehlo.Value) {
	g.size++
	g.computes = g.computes || !isFree(op) && !isLookup(op)
	g.rematerialised = g.rematerialised || op.Attr(Rematerialised) != nil
	if g.open == nil {
		g.open = map[*stablehlo.Op]bool{}
	}
	delete(g.open, op)
	for _, v := range sources {
		if d := v.Op(); d != nil && len(d.Operands) > 0 && d.Block() == op.Block() {
			g.open[d] = true
		}
	}
}

// isFull reports whether the cluster ends before op: if it has become too large, or is large and
// only needs op, so that one value lies in memory between two kernels.
func (g *cluster) isFull(op *stablehlo.Op) bool {
	return g.size >= maxCluster || g.size >= minCutSize && len(g.open) == 1 && g.open[op]
}

// find returns the cluster that g has been merged into.
func (g *cluster) find() *cluster {
	last := g
	for last.into != nil {
		last = last.into
	}
	for g != last { // path compression
		g, g.into = g.into, last
	}
	return last
}

// buffer returns the buffer of a value in memory.
//
//go:noinline
func (p *planner) buffer(v *stablehlo.Value) int {
	if b, ok := p.buf[v]; ok {
		return b
	}
	return p.newBuffer(v, -1)
}

// newBuffer makes a buffer for a value: a view of alias, if that is not negative.
func (p *planner) newBuffer(v *stablehlo.Value, alias int) int {
	if alias >= 0 {
		alias = p.prog.Origin(alias)
	}
	b := program.Buffer{Type: v.Tensor(), Alias: alias, Name: v.Name()}
	if op := v.Op(); op != nil {
		b.Locs = program.AddLoc(nil, op.Loc)
	}
	p.prog.Buffers = append(p.prog.Buffers, b)
	p.buf[v] = len(p.prog.Buffers) - 1
	p.values = append(p.values, v)
	return p.buf[v]
}

// block plans the ops of b. args are the buffers of its arguments, made when nil.
func (p *planner) block(b *stablehlo.Block, args []int) (*program.Block, error) {
	first := len(p.prog.Buffers)
	out, err := p.planNodes(b, args)
	if err != nil {
		return nil, err
	}
	out.Nodes = p.makeRowLoops(out.Nodes)
	p.fusePrologues(out, first)
	p.fuseUpdates(out, first)
	p.makeLocal(out, first)
	if p.loops == 0 { // in a loop, workers would be dispatched at every trip
		out.Nodes = p.makeParallelGroups(out.Nodes, out.Results)
	}
	return out, nil
}

// planNodes plans the ops of b as nodes that are not part of another node.
func (p *planner) planNodes(b *stablehlo.Block, args []int) (*program.Block, error) {
	out := &program.Block{}
	for i, a := range b.Args {
		if a.Tensor() == nil {
			return nil, fmt.Errorf("cpu: argument %d must be a tensor, got %s", i, a.Type())
		}
		if args != nil {
			p.buf[a] = args[i]
		}
		out.Args = append(out.Args, p.buffer(a))
	}
	// Regions have their own cluster tables.
	clusters, forced, uses := p.clusters, p.forced, p.uses
	defer func() { p.clusters, p.forced, p.uses = clusters, forced, uses }()
	p.findUses(b)
	p.forced = map[*stablehlo.Op]bool{}
	mark := len(p.values)
	for {
		nodes, retry, err := p.try(b)
		if err != nil {
			return nil, err
		}
		if !retry {
			out.Nodes = nodes
			break
		}
		for _, v := range p.values[mark:] {
			delete(p.buf, v)
		}
		p.values, p.prog.Buffers = p.values[:mark], p.prog.Buffers[:mark]
	}
	if t := b.Terminator(); t != nil {
		for _, v := range t.Operands {
			out.Results = append(out.Results, p.buffer(v))
		}
	}
	return out, nil
}

// isKernel is the function isKernel, which inspects entire regions, cached.
func (p *planner) isKernel(op *stablehlo.Op) bool {
	if len(op.Regions) == 0 {
		return isKernel(op)
	}
	is, ok := p.kernels[op]
	if !ok {
		is = isKernel(op)
		p.kernels[op] = is
	}
	return is
}

// isKernel reports whether the op becomes part of a kernel.
func isKernel(op *stablehlo.Op) bool {
	switch {
	case isElementwise(op), isView(op), isLookup(op):
		return true
	}
	switch op.Code {
	case stablehlo.OpIota:
		return true
	case stablehlo.OpConstant:
		return isSplat(op)
	case stablehlo.OpReduce:
		return isScalarBody(op.Regions[0].Block(), nil)
	case stablehlo.OpPad: // with interior padding, indices are not affine functions of points
		return !slices.ContainsFunc(op.Ints("interior_padding"), func(n int64) bool { return n != 0 })
	}
	return false
}

// readsMemory reports whether the operands of an op must be in memory: padding reads them inside
// its guards, lookups at indices.
func (p *planner) readsMemory(op *stablehlo.Op) bool {
	return op.Code == stablehlo.OpPad || isLookup(op) || !p.isKernel(op)
}

// readsFrom reports whether op reads the result of d, one of its sources, from memory.
func (p *planner) readsFrom(d, op *stablehlo.Op) bool {
	return p.readsMemory(op) && (p.indexOf(op) == nil || op.Operands[0].Op() == d)
}

func isSplat(op *stablehlo.Op) bool {
	a, ok := op.Attr("value").(*stablehlo.ElementsAttr)
	return ok && (a.Splat || a.Len() == 1)
}

// isFree reports whether recomputing the op costs next to nothing.
func isFree(op *stablehlo.Op) bool {
	return isView(op) || op.Code == stablehlo.OpIota || op.Code == stablehlo.OpConstant
}

// inlined reports whether kernels of cluster g compute the value of op where it is used, rather
// than read it from memory.
func (p *planner) inlined(op *stablehlo.Op, g *cluster) bool {
	clusters, ok := p.clusters[op]
	if !ok || op.Code == stablehlo.OpReduce || !p.isKernel(op) {
		return false
	}
	if len(clusters) == 1 && clusters[0].isRoot(op) {
		return clusters[0].find() == g
	}
	return true
}

func (g *cluster) isRoot(op *stablehlo.Op) bool {
	for _, r := range g.roots {
		if r == op {
			return true
		}
	}
	return false
}

// assign puts every op of the block into clusters, last op first: an op whose consumers all belong
// to one cluster joins it; a free op joins all of them; any other is in memory and starts a
// cluster.
func (p *planner) assign(b *stablehlo.Block) []*cluster {
	p.clusters = make(map[*stablehlo.Op][]*cluster, len(b.Ops))
	paths := newViewPaths(len(b.Ops))
	var clusters []*cluster
	start := func(op *stablehlo.Op) *cluster {
		paths.root(op)
		g := &cluster{id: len(clusters), roots: []*stablehlo.Op{op}}
		clusters = append(clusters, g)
		return g
	}
	for i := len(b.Ops) - 1; i >= 0; i-- {
		p.checkCancel()
		op := b.Ops[i]
		if op == b.Terminator() {
			continue
		}
		if !p.isKernel(op) {
			if p.uses.splitConcats[op] {
				continue
			}
			g := start(op)
			g.lib = op
			p.clusters[op] = []*cluster{g}
			continue
		}
		if op.Code == stablehlo.OpReduce {
			g := start(op)
			g.add(op, p.sources(op))
			// not nil, though it may be empty
			g.dims, g.red = op.Operands[0].Tensor().Dims, append([]int64{}, op.Ints("dimensions")...)
			p.clusters[op] = []*cluster{g}
			continue
		}
		set, memory := p.consumerClusters(op, b)
		memory = memory || p.uses.escapes[op] || p.forced[op] || !paths.add(op, p.uses.consumers[op], p.clusters) &&
			!isFree(op) || op.Code == stablehlo.OpPad && len(paths.of[op]) > maxPadViewPaths ||
			p.costsMoreThanMemory(op, len(paths.of[op]))
		if !memory && len(set) == 0 {
			continue // dead
		}
		if isLookup(op) {
			if memory || !p.mayFuseLookup(op, set) {
				set = []*cluster{start(op)}
				if gathersElements(op) {
					set[0].dims = op.Result().Tensor().Dims
				} else {
					set[0].lib = op
				}
			}
			for _, g := range set {
				g.add(op, p.sources(op))
			}
			p.clusters[op] = set
			continue
		}
		recomputable := len(set) == 1 || isFree(op) || len(set) <= cost.MaxKernels && p.isRecomputable(op)
		if memory || !recomputable || set[0].isFull(op) {
			g := start(op)
			g.add(op, op.Operands)
			if op.Result() != nil && op.Result().Tensor() != nil {
				g.dims = op.Result().Tensor().Dims
			}
			p.clusters[op] = []*cluster{g}
			continue
		}
		for _, g := range set {
			g.add(op, op.Operands)
		}
		p.clusters[op] = set
	}
	return clusters
}

// consumerClusters returns the clusters that the consumers of op belong to, and whether op must be
// in memory for one of them.
func (p *planner) consumerClusters(op *stablehlo.Op, b *stablehlo.Block) (set []*cluster, memory bool) {
	p.search++
	for _, c := range p.uses.consumers[op] {
		if c == b.Terminator() || p.readsFrom(op, c) {
			return nil, true
		}
		if isView(c) && len(p.clusters[c]) > maxShared && len(op.Operands) > 0 {
			return nil, true
		}
		if c.Code == stablehlo.OpBroadcastInDim && !isFree(op) && !isIndexMask(op) {
			n, _ := op.Result().Tensor().NumElems()
			m, _ := c.Result().Tensor().NumElems()
			if n > 1 && m >= 4*n {
				return nil, true // do not compute an element many times
			}
		}
		for _, g := range p.clusters[c] {
			if g.seen != p.search {
				g.seen = p.search
				set = append(set, g)
			}
		}
	}
	return set, false
}

// try plans the block once; retry is true when a value turned out to be needed in memory and
// planning must start over.
func (p *planner) try(b *stablehlo.Block) (nodes []program.Node, retry bool, err error) {
	clusters := p.assign(b)
	p.edges(clusters)
	p.merge(clusters, b)
	order := p.order(clusters, b)
	known := len(p.forced)
	for _, g := range order {
		p.checkCancel()
		switch {
		case g.lib != nil:
			list, err := p.nodes(g.lib)
			if err != nil {
				return nil, false, err
			}
			nodes = append(nodes, list...)
		default:
			n, need, err := p.kernel(g)
			if err != nil {
				return nil, false, err
			}
			if need != nil { // a reshape that is not an affine map: from memory to memory
				p.forced[need.Op()] = true
				if d := need.Op().Operands[0].Op(); d != nil {
					p.forced[d] = true
				}
				retry = true
			}
			if n != nil {
				nodes = append(nodes, n)
			}
		}
	}
	if retry && len(p.forced) == known {
		return nil, false, fmt.Errorf("cpu: internal error: planning does not converge: a reshape has no buffer")
	}
	return nodes, retry, nil
}

// edges finds which clusters read the results of which.
func (p *planner) edges(clusters []*cluster) {
	seen := make(map[*stablehlo.Op]*cluster, len(p.clusters)) // the last cluster that visited it
	args := map[*stablehlo.Value]*cluster{}
	for _, g := range clusters {
		p.checkCancel()
		var visit func(v *stablehlo.Value)
		visit = func(v *stablehlo.Value) {
			d := v.Op()
			if d == nil || p.clusters[d] == nil {
				if args[v] != g {
					args[v] = g
					g.reads = append(g.reads, v)
				}
				return
			}
			if seen[d] == g {
				return
			}
			seen[d] = g
			in := p.clusters[d]
			if len(in) == 1 && in[0].isRoot(d) {
				if in[0] != g {
					g.after = append(g.after, in[0])
					g.reads = append(g.reads, v)
				}
				return
			}
			for _, o := range p.sources(d) {
				visit(o)
			}
		}
		for _, r := range g.roots {
			for _, o := range p.sources(r) {
				visit(o)
			}
			for _, o := range p.captures.of(r) {
				visit(o)
			}
		}
	}
	var last *cluster // side effects keep their order
	for i := len(clusters) - 1; i >= 0; i-- {
		if g := clusters[i]; g.lib != nil && effectsOf(g.lib).Ordered {
			if last != nil {
				g.after = append(g.after, last)
			}
			last = g
		}
	}
}

// order returns the clusters after merging, each after those it reads; otherwise in program order.
func (p *planner) order(clusters []*cluster, b *stablehlo.Block) []*cluster {
	var out []*cluster
	state := make(map[*cluster]bool, len(clusters))
	var visit func(g *cluster)
	visit = func(g *cluster) {
		g = g.find()
		if state[g] {
			return
		}
		state[g] = true
		for _, h := range sortedClusters(g.after) {
			visit(h)
		}
		out = append(out, g)
	}
	for i := len(clusters) - 1; i >= 0; i-- {
		visit(clusters[i])
	}
	return out
}

// sortedClusters returns the clusters of a list in program order.
func sortedClusters(list []*cluster) []*cluster {
	if len(list) < 2 {
		return list
	}
	out := slices.Clone(list)
	slices.SortFunc(out, func(g, h *cluster) int { return h.id - g.id })
	return out
}
