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

// nestRows makes row nests of the runs of kernels around reductions along rows.
func (p *planner) nestRows(nodes []program.Node) []program.Node {
	var out []program.Node
	next := 0 // the first node that is in no nest
	for i := range nodes {
		rows, ok := rowsOf(nodes[i])
		if i < next || !ok {
			continue
		}
		from, to := i, i+1
		for to < len(nodes) && to-from < maxNest && p.nest(nodes[from:to+1], rows) != nil {
			to++
		}
		for from > next && to-from < maxNest && p.nest(nodes[from-1:to], rows) != nil {
			from--
		}
		if to-from > 1 {
			out = append(append(out, nodes[next:from]...), p.nest(nodes[from:to], rows))
			next = to
		}
	}
	return append(out, nodes[next:]...)
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
		node, ok := n.(*program.Kernel)
		if !ok {
			return nil
		}
		k := node.Kernel
		if len(k.Dims) < len(rows) || !slices.Equal(k.Dims[:len(rows)], rows) ||
			k.NumReduced > 0 && len(k.Dims)-k.NumReduced != len(rows) {
			return nil
		}
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
