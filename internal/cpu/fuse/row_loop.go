package fuse

import (
	"slices"

	"github.com/go-nx/nx/internal/cpu/kernel"
	"github.com/go-nx/nx/internal/cpu/program"
)

// makeRowLoops makes fused row loops of kernels around reductions along rows, and of contractions
// with the kernels before and after them that work row by row: of successive steps, except for a
// few nodes between them that do not depend on them and run before.
func (p *planner) makeRowLoops(nodes []program.Node) []program.Node {
	var out []program.Node
	next := 0 // the first node that is in no row loop
	for i := range nodes {
		rows, ok := p.rowsOf(nodes[i])
		if i < next || !ok {
			continue
		}
		r := &rowLoopBuilder{p: p, rows: rows, steps: []program.Node{nodes[i]}}
		from, to := i, i+1
		for j := to; r.maySearch(j-to) && j < len(nodes); j++ {
			if n := r.asStep(nodes[j]); n != nil && (r.extendWithContractions(n, nodes[to:j]) ||
				r.extend(append(slices.Clone(r.steps), n), nodes[to:j], r.steps)) {
				nodes[j], to = n, j+1
			}
		}
		for j := from - 1; r.maySearch(from-1-j) && j >= next; j-- {
			if n := r.asStep(nodes[j]); n != nil &&
				r.extend(append([]program.Node{n}, r.steps...),
					slices.Concat(nodes[j+1:from], r.before), nodes[j:j+1]) {
				nodes[j], from = n, j
			}
		}
		if len(r.steps) > 1 {
			out = append(out, nodes[next:from]...)
			var before []program.Node
			for _, n := range nodes[from:to] {
				if !slices.Contains(r.steps, n) {
					before = append(before, n)
				}
			}
			out = append(append(out, p.makeRowLoops(before)...), p.rowLoop(r.steps, rows))
			next = to
		}
	}
	return append(out, nodes[next:]...)
}

// rowLoopBuilder collects the steps of a row loop.
type rowLoopBuilder struct {
	p      *planner
	rows   []int64
	steps  []program.Node // in order
	before []program.Node // nodes between the steps, to run before
}

// maySearch reports whether to look for more steps at a distance.
func (r *rowLoopBuilder) maySearch(distance int) bool {
	return len(r.steps) < maxRowSteps && distance <= maxBefore
}

func isContraction(n program.Node) bool { _, ok := n.(*program.Contraction); return ok }

// asStep returns a node as a step; nil if it cannot be one. If a dimension must be split for it
// to have the rows, and it shares values with the steps, it returns a copy.
func (r *rowLoopBuilder) asStep(n program.Node) program.Node {
	if r.hasRows(n) {
		if !r.mayJoin(n) {
			return nil
		}
		return n
	}
	k, ok := n.(*program.Kernel)
	if !ok || !r.sharesValues(n) {
		return nil
	}
	split := program.SplitToRows(k.Kernel, program.Points(r.rows))
	if split == nil {
		return nil
	}
	c := *k
	c.Kernel = split
	if !r.hasRows(&c) {
		return nil
	}
	return &c
}

// hasRows reports whether a node can be a step. Kernels with transposed blocks may
// only be steps together with contractions.
func (r *rowLoopBuilder) hasRows(n program.Node) bool {
	k, ok := n.(*program.Kernel)
	if ok && r.p.planOf(k).Transpose != nil {
		return slices.ContainsFunc(r.steps, isContraction) && r.p.hasRows(n, r.rows)
	}
	return r.p.hasRows(n, r.rows)
}

// mayJoin reports whether a node may be a step. With contractions it must read values of the
// steps or the reverse: other contractions are faster in blocks of columns, and independent
// nodes are faster in parallel.
func (r *rowLoopBuilder) mayJoin(n program.Node) bool {
	return !isContraction(n) && !slices.ContainsFunc(r.steps, isContraction) || r.sharesValues(n)
}

// sharesValues reports whether a node reads a result of a step, or the reverse.
func (r *rowLoopBuilder) sharesValues(n program.Node) bool {
	reads := func(n program.Node, from program.Node) bool {
		return slices.ContainsFunc(n.Reads(),
			func(b int) bool { return slices.Contains(from.Writes(), r.p.prog.Origin(b)) })
	}
	return slices.ContainsFunc(r.steps, func(s program.Node) bool { return reads(n, s) || reads(s, n) })
}

// extendWithContractions adds a node and, before it, the skipped contractions that it reads row by
// row; there must be some.
func (r *rowLoopBuilder) extendWithContractions(n program.Node, skipped []program.Node) bool {
	var contractions, moved []program.Node
	for _, s := range skipped {
		c, ok := s.(*program.Contraction)
		reads := ok && slices.ContainsFunc(n.Reads(), func(b int) bool { return r.p.prog.Origin(b) == c.Outs[0] })
		if reads && r.p.hasRows(s, r.rows) {
			contractions = append(contractions, s)
			continue
		}
		for _, p := range contractions {
			if !r.p.independent(s, p) {
				return false
			}
		}
		moved = append(moved, s)
	}
	return len(contractions) > 0 && r.extend(slices.Concat(r.steps, contractions, []program.Node{n}), moved, r.steps)
}

// extend sets the steps if they can be a row loop and the nodes moved can run before the nodes
// over, which they come after.
func (r *rowLoopBuilder) extend(steps, moved, over []program.Node) bool {
	if r.p.rowLoop(steps, r.rows) == nil {
		return false
	}
	for _, m := range moved {
		for _, k := range over {
			if !r.p.independent(m, k) {
				return false
			}
		}
	}
	for _, m := range moved {
		if !slices.Contains(r.before, m) {
			r.before = append(r.before, m)
		}
	}
	r.steps = steps
	return true
}

// independent reports whether two nodes, without nodes inside, may be swapped.
func (p *planner) independent(m, n program.Node) bool {
	switch m.(type) {
	case *program.Kernel, *program.Contraction, *program.Call, *program.RowLoop:
	default:
		return false
	}
	meet := func(a, b []int) bool {
		return slices.ContainsFunc(a, func(x int) bool {
			return slices.ContainsFunc(b, func(y int) bool { return p.prog.Origin(x) == p.prog.Origin(y) })
		})
	}
	return !meet(m.Reads(), n.Writes()) && !meet(m.Writes(), n.Writes()) && !meet(m.Writes(), n.Reads())
}

// rowsOf returns the rows of a kernel that reduces along them, or of a contraction.
func (p *planner) rowsOf(n program.Node) ([]int64, bool) {
	switch n := n.(type) {
	case *program.Contraction:
		rows := n.RowSizes()
		return rows, p.hasRows(n, rows)
	case *program.Kernel:
		k := n.Kernel
		if k.NumReduced == 0 || k.NumReduced == len(k.Dims) {
			return nil, false
		}
		rows, reduced := k.Dims[:len(k.Dims)-k.NumReduced], k.Dims[len(k.Dims)-k.NumReduced:]
		return rows, program.Points(rows) > 1 && program.Points(reduced) >= minReducedRow && p.hasRows(n, rows)
	}
	return nil, false
}

// rowLoop returns the row loop of the nodes, nil unless these have its rows and read each other's
// results row by row.
func (p *planner) rowLoop(nodes []program.Node, rows []int64) *program.RowLoop {
	loop := &program.RowLoop{Rows: rows, Steps: nodes}
	count, columns := loop.NumRows(), int64(0)
	written := map[int]bool{}
	for _, n := range nodes {
		for _, o := range n.Writes() {
			written[p.prog.Origin(o)] = true
		}
		if c, ok := n.(*program.Contraction); ok {
			columns += columnBytes(c)
		}
	}
	if columns > maxPackedColumns {
		return nil
	}
	for _, n := range nodes {
		for i, b := range slices.Concat(n.Reads(), n.Writes()) {
			if written[p.prog.Origin(b)] && !p.prog.RowLocal(n, i, count) {
				return nil
			}
		}
	}
	for _, n := range nodes { // shared values have one name
		for i, b := range n.Reads() {
			if o := p.prog.Origin(b); written[o] {
				n.Reads()[i] = o
			}
		}
	}
	return loop
}

// columnBytes returns the bytes of the columns of a contraction that each worker packs.
func columnBytes(c *program.Contraction) int64 {
	return depth(c) * columns(c) * int64(c.Acc.Size())
}

// depth returns the number of products in a sum of a contraction, columns the number of sums in a
// row of its result or, with windows, at a position.
func depth(c *program.Contraction) int64 {
	taps := int64(1)
	for _, w := range c.Windows {
		taps *= w.Taps
	}
	return program.Size(c.Left.Cols) * taps
}

func columns(c *program.Contraction) int64 {
	if len(c.Windows) > 0 {
		return program.Size(c.Out.Batch) * program.Size(c.Out.Cols)
	}
	return program.Size(c.Out.Cols)
}

// hasRows reports whether a node can be a step over rows: a kernel that is planned row by row, or a
// contraction with enough rows to pack its columns once per worker.
func (p *planner) hasRows(n program.Node, rows []int64) bool {
	count := program.Points(rows)
	switch n := n.(type) {
	case *program.Kernel:
		if _, ok := program.RowDims(n.Kernel, count); !ok || count == 0 || isShortReduction(n.Kernel) {
			return false
		}
		_, ok := p.planOf(n).Untransposed().RowsPerChunk(count)
		return ok
	case *program.Contraction:
		return count >= minRowLoopRows && program.IsRowContraction(p.prog, n, count) &&
			columnBytes(n) <= maxPackedColumns &&
			(len(n.Windows) > 0 || program.Size(n.Out.Rows) >= minRowLoopRows/2) && columns(n) >= minRowLoopSize &&
			depth(n) >= minRowLoopSize
	}
	return false
}

// isShortReduction reports whether a kernel reduces few elements: all results of it at once are
// faster than some rows at a time.
func isShortReduction(k *kernel.Kernel) bool {
	return k.NumReduced > 0 && program.Points(k.Dims[len(k.Dims)-k.NumReduced:]) < minReducedRow
}

// makeLocal finds the values that only the steps of one row loop use. first is the first buffer
// that was made for the block: of the values that blocks inside use, only those before theirs can
// belong to row loops here, so that nested blocks are not walked again at every level.
func (p *planner) makeLocal(b *program.Block, first int) {
	users, outside := map[int]program.Node{}, map[int]bool{} // the last node that uses a buffer
	use := func(bufs []int, n program.Node) {
		for _, x := range bufs {
			o := p.prog.Origin(x)
			if last := users[o]; x != o || last != nil && last != n {
				outside[o] = true
			}
			users[o] = n
		}
	}
	escape := func(bufs []int) {
		for _, x := range bufs {
			outside[p.prog.Origin(x)] = true
		}
	}
	escape(b.Args)
	escape(b.Results)
	for _, n := range b.Nodes {
		use(n.Reads(), n)
		use(n.Writes(), n)
		for _, inner := range n.Blocks() {
			escape(p.captured[inner])
		}
	}
	for o := range users {
		if o < first {
			outside[o] = true
		}
	}
	for o := range outside {
		if o < first {
			p.captured[b] = append(p.captured[b], o)
		}
	}
	for _, n := range b.Nodes {
		loop, ok := n.(*program.RowLoop)
		if !ok {
			continue
		}
		for _, o := range loop.Writes() {
			buf := &p.prog.Buffers[o]
			buf.Local = !outside[o] && buf.Data == nil && buf.SizeBytes() > 0 && p.isDefinedIn(loop, o)
		}
	}
}

// isDefinedIn reports whether a row loop writes all of a buffer before it reads it: a buffer that
// is written in part would have to keep the rest.
func (p *planner) isDefinedIn(loop *program.RowLoop, b int) bool {
	writers := 0
	for _, s := range loop.Steps {
		if slices.Contains(s.Reads(), b) && writers == 0 {
			return false
		}
		if slices.Contains(s.Writes(), b) {
			writers++
		}
	}
	return writers == 1
}
