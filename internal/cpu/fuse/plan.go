package fuse

import (
	"fmt"
	"slices"

	"github.com/go-nx/nx/stablehlo"
)

const (
	// maxGroup bounds the ops of a group, so that building kernels is linear in
	// the ops of a program.
	maxGroup = 128

	// maxShared bounds the groups that compute a view of a view, each for itself:
	// chains of views with many readers would otherwise be computed over and over.
	maxShared = 64
)

// Build plans a function whose calls are inlined and whose shapes are static. Pause, of
// which there may be one, is called for every op, often more than once; it ends the
// planning by a panic.
func Build(f stablehlo.Func, pause ...func()) (*Program, error) {
	p := &planner{prog: &Program{}, buf: map[*stablehlo.Value]int{}, kernels: map[*stablehlo.Op]bool{}, captures: captures{}, pause: func() {}}
	if len(pause) > 0 {
		p.pause = pause[0]
	}
	main, err := p.block(f.Body(), nil)
	if err != nil {
		return nil, err
	}
	p.prog.Main = main
	return p.prog, nil
}

// planner plans a block and, with the same buffers, those inside it.
type planner struct {
	pause    func()
	prog     *Program
	buf      map[*stablehlo.Value]int // the buffers of the values in memory
	groups   map[*stablehlo.Op][]*group
	forced   map[*stablehlo.Op]bool // ops whose result must be in memory though they could be inlined
	kernels  map[*stablehlo.Op]bool // what isKernel said of ops
	captures captures
	made     []*stablehlo.Value // the values of the buffers, in order
	search   int                // the number of the search among groups
	work     []*group           // its memory
}

// group is a set of ops whose results are computed by one kernel, with those
// inlined into it.
type group struct {
	id    int
	roots []*stablehlo.Op // in program order
	size  int             // ops, inlined ones included
	dims  []int64         // the common shape of the roots (of their inputs for reductions)
	red   []int64         // the reduced dimensions, nil when no root reduces
	lib   *stablehlo.Op   // the op of a step without kernel
	after []*group        // the groups whose results this one reads
	into  *group          // the group this one was merged into
	reads []*stablehlo.Value
	seen  int // the last search that came here
}

// find returns the group that g is part of by now.
func (g *group) find() *group {
	last := g
	for last.into != nil {
		last = last.into
	}
	for g != last { // shorten the way
		g, g.into = g.into, last
	}
	return last
}

// buffer returns the buffer of a value in memory.
func (p *planner) buffer(v *stablehlo.Value) int {
	if b, ok := p.buf[v]; ok {
		return b
	}
	return p.newBuffer(v, -1)
}

func (p *planner) newBuffer(v *stablehlo.Value, alias int) int {
	p.prog.Buffers = append(p.prog.Buffers, Buffer{Type: v.Tensor(), Alias: alias, Name: v.Name()})
	p.buf[v] = len(p.prog.Buffers) - 1
	p.made = append(p.made, v)
	return p.buf[v]
}

// block plans the ops of b. Args are the buffers of its arguments, made when nil.
func (p *planner) block(b *stablehlo.Block, args []int) (*Block, error) {
	out := &Block{}
	for i, a := range b.Args {
		if a.Tensor() == nil {
			return nil, fmt.Errorf("cpu: argument %d is of type %s: only tensors are supported", i, a.Type())
		}
		if args != nil {
			p.buf[a] = args[i]
		}
		out.Args = append(out.Args, p.buffer(a))
	}
	// Regions are planned with a planner of their own for the group tables.
	groups, forced := p.groups, p.forced
	defer func() { p.groups, p.forced = groups, forced }()
	p.forced = map[*stablehlo.Op]bool{}
	mark := len(p.made)
	for {
		steps, again, err := p.try(b)
		if err != nil {
			return nil, err
		}
		if !again {
			for i := range steps {
				p.prog.setParams(&steps[i])
			}
			out.Steps, out.Groups = steps, p.rowGroups(steps)
			break
		}
		for _, v := range p.made[mark:] {
			delete(p.buf, v)
		}
		p.made, p.prog.Buffers = p.made[:mark], p.prog.Buffers[:mark]
	}
	if t := b.Terminator(); t != nil {
		for _, v := range t.Operands {
			out.Results = append(out.Results, p.buffer(v))
		}
	}
	return out, nil
}

// isKernel is the function of that name, which looks at whole regions, remembered.
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
	case isElementwise(op), isView(op):
		return true
	}
	switch op.Code {
	case stablehlo.OpIota:
		return true
	case stablehlo.OpConstant:
		return isSplat(op)
	case stablehlo.OpReduce:
		return isScalarBody(op.Regions[0].Block(), nil)
	}
	return false
}

func isSplat(op *stablehlo.Op) bool {
	a, ok := op.Attr("value").(*stablehlo.ElementsAttr)
	return ok && (a.Splat || a.Len() == 1)
}

// isFree reports whether computing the op again costs nothing to speak of.
func isFree(op *stablehlo.Op) bool {
	return isView(op) || op.Code == stablehlo.OpIota || op.Code == stablehlo.OpConstant
}

// inlined reports whether the value of op is computed where it is used in
// kernels of group g rather than read from memory.
func (p *planner) inlined(op *stablehlo.Op, g *group) bool {
	groups, ok := p.groups[op]
	if !ok || op.Code == stablehlo.OpReduce || !p.isKernel(op) {
		return false
	}
	if len(groups) == 1 && groups[0].isRoot(op) {
		return groups[0].find() == g
	}
	return true
}

func (g *group) isRoot(op *stablehlo.Op) bool {
	for _, r := range g.roots {
		if r == op {
			return true
		}
	}
	return false
}

// assign puts every op of the block into groups, last op first: an op whose
// consumers all belong to one group joins it; one that costs nothing joins all
// of them; any other is in memory and starts a group.
func (p *planner) assign(b *stablehlo.Block) []*group {
	p.groups = map[*stablehlo.Op][]*group{}
	consumers := map[*stablehlo.Op][]*stablehlo.Op{}
	escapes := map[*stablehlo.Op]bool{} // read from memory, wherever their consumers are
	for _, op := range b.Ops {
		for i, v := range op.Operands {
			if d := v.Op(); d != nil && d.Block() == b {
				if list := consumers[d]; len(list) == 0 || list[len(list)-1] != op {
					consumers[d] = append(list, op)
				}
				if op.Code == stablehlo.OpReduce && i >= len(op.Operands)/2 {
					escapes[d] = true // an initial value
				}
			}
		}
		for _, v := range p.captures.of(op) {
			if d := v.Op(); d != nil && d.Block() == b {
				escapes[d] = true // used in a region
			}
		}
	}
	seen := newSightings()
	var groups []*group
	start := func(op *stablehlo.Op) *group {
		seen.root(op)
		g := &group{id: len(groups), roots: []*stablehlo.Op{op}, size: 1}
		groups = append(groups, g)
		return g
	}
	for i := len(b.Ops) - 1; i >= 0; i-- {
		p.pause()
		op := b.Ops[i]
		if op == b.Terminator() {
			continue
		}
		if !p.isKernel(op) {
			g := start(op)
			g.lib = op
			p.groups[op] = []*group{g}
			continue
		}
		if op.Code == stablehlo.OpReduce {
			g := start(op)
			g.dims, g.red = op.Operands[0].Tensor().Dims, append([]int64{}, op.Ints("dimensions")...) // not nil, though it may be empty
			p.groups[op] = []*group{g}
			continue
		}
		set, memory := p.consumerGroups(op, consumers[op], b)
		memory = memory || escapes[op] || p.forced[op] || !seen.add(op, consumers[op], p.groups) && !isFree(op)
		if !memory && len(set) == 0 {
			continue // dead
		}
		if memory || len(set) > 1 && !isFree(op) || set[0].size >= maxGroup {
			g := start(op)
			if op.Result() != nil && op.Result().Tensor() != nil {
				g.dims = op.Result().Tensor().Dims
			}
			p.groups[op] = []*group{g}
			continue
		}
		for _, g := range set {
			g.size++
		}
		p.groups[op] = set
	}
	return groups
}

// consumerGroups returns the groups that the consumers of op belong to, and
// whether op must be in memory for one of them.
func (p *planner) consumerGroups(op *stablehlo.Op, consumers []*stablehlo.Op, b *stablehlo.Block) (set []*group, memory bool) {
	p.search++
	for _, c := range consumers {
		if c == b.Terminator() || !p.isKernel(c) {
			return nil, true
		}
		if isView(c) && len(p.groups[c]) > maxShared && len(op.Operands) > 0 {
			return nil, true
		}
		if c.Code == stablehlo.OpBroadcastInDim && !isFree(op) {
			n, _ := op.Result().Tensor().NumElems()
			m, _ := c.Result().Tensor().NumElems()
			if n > 1 && m >= 4*n {
				return nil, true // do not compute an element many times
			}
		}
		for _, g := range p.groups[c] {
			if g.seen != p.search {
				g.seen = p.search
				set = append(set, g)
			}
		}
	}
	return set, false
}

// try plans the block once; again is true when a value turned out to be needed
// in memory and planning must start over.
func (p *planner) try(b *stablehlo.Block) (steps []Step, again bool, err error) {
	groups := p.assign(b)
	p.edges(groups)
	p.merge(groups, b)
	order := p.order(groups, b)
	known := len(p.forced)
	for _, g := range order {
		p.pause()
		switch {
		case g.lib != nil:
			s, err := p.library(g.lib)
			if err != nil {
				return nil, false, err
			}
			steps = append(steps, s...)
		default:
			s, need, err := p.kernel(g)
			if err != nil {
				return nil, false, err
			}
			if need != nil { // a reshape that is no affine map: from memory to memory
				p.forced[need.Op()] = true
				if d := need.Op().Operands[0].Op(); d != nil {
					p.forced[d] = true
				}
				again = true
			}
			steps = append(steps, s...)
		}
	}
	if again && len(p.forced) == known {
		return nil, false, fmt.Errorf("cpu: planning does not end: a reshape stays without a place in memory")
	}
	return steps, again, nil
}

// edges finds which groups read the results of which.
func (p *planner) edges(groups []*group) {
	for _, g := range groups {
		p.pause()
		seen := map[*stablehlo.Op]bool{}
		args := map[*stablehlo.Value]bool{}
		var visit func(v *stablehlo.Value)
		visit = func(v *stablehlo.Value) {
			d := v.Op()
			if d == nil || p.groups[d] == nil {
				if !args[v] {
					args[v] = true
					g.reads = append(g.reads, v)
				}
				return
			}
			if seen[d] {
				return
			}
			seen[d] = true
			in := p.groups[d]
			if len(in) == 1 && in[0].isRoot(d) {
				if in[0] != g {
					g.after = append(g.after, in[0])
					g.reads = append(g.reads, v)
				}
				return
			}
			for _, o := range d.Operands {
				visit(o)
			}
		}
		for _, r := range g.roots {
			for _, o := range r.Operands {
				visit(o)
			}
			for _, o := range p.captures.of(r) {
				visit(o)
			}
		}
	}
	var last *group // side effects keep their order
	for i := len(groups) - 1; i >= 0; i-- {
		if g := groups[i]; g.lib != nil && g.lib.Code.Info().Traits&stablehlo.SideEffects != 0 {
			if last != nil {
				g.after = append(g.after, last)
			}
			last = g
		}
	}
}

// order returns the groups that are left after merging, each after those it
// reads; otherwise in program order.
func (p *planner) order(groups []*group, b *stablehlo.Block) []*group {
	var out []*group
	state := map[*group]bool{}
	var visit func(g *group)
	visit = func(g *group) {
		g = g.find()
		if state[g] {
			return
		}
		state[g] = true
		for _, h := range sortedGroups(g.after) {
			visit(h)
		}
		out = append(out, g)
	}
	for i := len(groups) - 1; i >= 0; i-- {
		visit(groups[i])
	}
	return out
}

// sortedGroups returns the groups of a list in program order.
func sortedGroups(list []*group) []*group {
	out := slices.Clone(list)
	slices.SortFunc(out, func(g, h *group) int { return h.id - g.id })
	return out
}
