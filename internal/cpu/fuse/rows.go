package fuse

import (
	"slices"

	"github.com/go-nx/nx/internal/cpu/program"
)

const (
	// maxNest bounds the kernels of a row nest.
	maxNest = 16

	// minReduced is the number of elements a row from which folding it is a pass of
	// its own.
	minReduced = 64
)

// nestRows makes row nests of kernels around reductions along rows: of those that follow
// each other, but for a few nodes that need nothing of them and run before.
func (p *planner) nestRows(nodes []program.Node) []program.Node {
	var out []program.Node
	next := 0 // the first node that is in no nest
	for i := range nodes {
		rows, ok := rowsOf(nodes[i])
		if i < next || !ok {
			continue
		}
		r := &nestMaker{p: p, rows: rows, kernels: []program.Node{nodes[i]}}
		from, to := i, i+1
		for j := to; r.goesOn(j-to) && j < len(nodes); j++ {
			if hasRows(nodes[j], rows) && r.extend(append(slices.Clone(r.kernels), nodes[j]), nodes[to:j], r.kernels) {
				to = j + 1
			}
		}
		for j := from - 1; r.goesOn(from-1-j) && j >= next; j-- {
			if hasRows(nodes[j], rows) &&
				r.extend(append([]program.Node{nodes[j]}, r.kernels...), slices.Concat(nodes[j+1:from], r.before), nodes[j:j+1]) {
				from = j
			}
		}
		if len(r.kernels) > 1 {
			out = append(out, nodes[next:from]...)
			for _, n := range nodes[from:to] {
				if !slices.Contains(r.kernels, n) {
					out = append(out, n)
				}
			}
			out = append(out, p.nest(r.kernels, rows))
			next = to
		}
	}
	return append(out, nodes[next:]...)
}

// maxBefore bounds the nodes in a row that are moved before a nest.
const maxBefore = 4

// nestMaker collects the kernels of a nest.
type nestMaker struct {
	p       *planner
	rows    []int64
	kernels []program.Node // in order
	before  []program.Node // between them, to run before
}

// goesOn reports whether to look for more kernels, so many nodes away.
func (r *nestMaker) goesOn(away int) bool { return len(r.kernels) < maxNest && away <= maxBefore }

// extend takes kernels, where they can be a nest and the nodes moved can run before the
// nodes over, which they come after.
func (r *nestMaker) extend(kernels, moved, over []program.Node) bool {
	if r.p.nest(kernels, r.rows) == nil {
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
	r.kernels = kernels
	return true
}

// independent reports whether two nodes, without nodes inside, may change places.
func (p *planner) independent(m, n program.Node) bool {
	switch m.(type) {
	case *program.Kernel, *program.Contract, *program.Call:
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

// rowsOf returns the rows of a kernel that folds along them.
func rowsOf(n program.Node) ([]int64, bool) {
	node, ok := n.(*program.Kernel)
	if !ok {
		return nil, false
	}
	k := node.Kernel
	if k.NumReduced == 0 || k.NumReduced == len(k.Dims) {
		return nil, false
	}
	rows, count, folded := k.Dims[:len(k.Dims)-k.NumReduced], int64(1), int64(1)
	for d, n := range k.Dims {
		if d < len(rows) {
			count *= n
		} else {
			folded *= n
		}
	}
	return rows, count > 1 && folded >= minReduced
}

// nest returns the nest of the nodes, nil unless these are kernels over its rows and what
// they write is read row by row.
func (p *planner) nest(nodes []program.Node, rows []int64) *program.RowNest {
	nest := &program.RowNest{Rows: rows}
	written := map[int]bool{}
	for _, n := range nodes {
		if !hasRows(n, rows) {
			return nil
		}
		node := n.(*program.Kernel)
		nest.Kernels = append(nest.Kernels, node)
		for _, o := range node.Outs {
			written[p.prog.Origin(o)] = true
		}
	}
	for _, k := range nest.Kernels {
		for i, b := range k.Params() {
			if written[p.prog.Origin(b)] && !p.prog.RowLocal(k, i, rows) {
				return nil
			}
		}
	}
	for _, k := range nest.Kernels { // what they hand on has one name
		for i, b := range k.Ins {
			if o := p.prog.Origin(b); written[o] {
				k.Ins[i] = o
			}
		}
	}
	return nest
}

// hasRows reports whether a node is a kernel over so many rows.
func hasRows(n program.Node, rows []int64) bool {
	node, ok := n.(*program.Kernel)
	if !ok {
		return false
	}
	k := node.Kernel
	return len(k.Dims) >= len(rows) && slices.Equal(k.Dims[:len(rows)], rows) &&
		(k.NumReduced == 0 || len(k.Dims)-k.NumReduced == len(rows))
}
