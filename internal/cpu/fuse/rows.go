package fuse

import (
	"slices"
	"sort"
)

// Group is a run of kernels, the steps From to To-1 of a block, that share rows: the
// first dimensions of their iteration spaces. What one of them writes, the others read
// in the same row alone, so they may run part by part, some rows through all of them
// while these are in cache: the passes of a softmax or a layer normalisation.
type Group struct {
	From, To int
	Rows     []int64
}

const (
	// maxRun bounds the kernels of a group.
	maxRun = 16

	// minReduced is the number of elements a row from which folding it is a pass of
	// its own.
	minReduced = 64
)

// rowGroups finds the runs of kernels around reductions along rows.
func (p *planner) rowGroups(steps []Step) []Group {
	var out []Group
	next := 0 // the first step that is in no group
	for i := range steps {
		rows, ok := rowsOf(&steps[i])
		if i < next || !ok {
			continue
		}
		g := Group{i, i + 1, rows}
		for g.To < len(steps) && g.To-g.From < maxRun && p.sharesRows(steps, Group{g.From, g.To + 1, rows}) {
			g.To++
		}
		for g.From > next && g.To-g.From < maxRun && p.sharesRows(steps, Group{g.From - 1, g.To, rows}) {
			g.From--
		}
		if g.To-g.From > 1 {
			out = append(out, g)
			next = g.To
		}
	}
	return out
}

// rowsOf returns the rows of a kernel that folds along them.
func rowsOf(s *Step) ([]int64, bool) {
	k := s.Kernel
	if k == nil || k.NumReduced == 0 || k.NumReduced == len(k.Dims) {
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

// sharesRows reports whether the steps of g are kernels over its rows and what they
// write is read row by row.
func (p *planner) sharesRows(steps []Step, g Group) bool {
	written := map[int]bool{}
	for i := g.From; i < g.To; i++ {
		s := &steps[i]
		k := s.Kernel
		if k == nil || len(k.Dims) < len(g.Rows) || !slices.Equal(k.Dims[:len(g.Rows)], g.Rows) ||
			k.NumReduced > 0 && len(k.Dims)-k.NumReduced != len(g.Rows) {
			return false
		}
		for _, o := range s.Outs {
			written[p.prog.origin(o)] = true
		}
	}
	for i := g.From; i < g.To; i++ {
		s := &steps[i]
		for j, b := range s.Params() {
			if written[p.prog.origin(b)] && !p.prog.RowLocal(s, j, g.Rows) {
				return false
			}
		}
	}
	return true
}

// Params returns the buffers of a kernel's parameters.
func (s *Step) Params() []int { return slices.Concat(s.Ins, s.Outs) }

// RowLocal reports whether the step's kernel stays in the row of each point in
// parameter i.
func (p *Program) RowLocal(s *Step, i int, rows []int64) bool {
	n, _ := p.Buffers[s.Params()[i]].Type.NumElems()
	return s.Kernel.RowLocal(i, rows, n)
}

// origin returns the buffer that b is a view of.
func (p *Program) origin(b int) int {
	for p.Buffers[b].Alias >= 0 {
		b = p.Buffers[b].Alias
	}
	return b
}

// Group returns the group that step i belongs to, nil for none.
func (b *Block) Group(i int) *Group {
	g := sort.Search(len(b.Groups), func(g int) bool { return b.Groups[g].To > i })
	if g == len(b.Groups) || b.Groups[g].From > i {
		return nil
	}
	return &b.Groups[g]
}
