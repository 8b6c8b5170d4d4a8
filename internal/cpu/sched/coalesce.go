package sched

import (
	"slices"
	"sort"

	"github.com/go-nx/nx/internal/cpu/program"
)

// coalescer lets values share memory where that saves copies: a node's result and an operand that it may replace, the
// state of a loop with its initial and its next value, the result of a branch with its value in each arm. Two sets of
// values can share memory if their lives do not overlap.
type coalescer struct {
	*liveness
	l          *Layout
	interferes map[int][]int // of each root, values that must not share its memory in spite of their lives

	isResult map[int]bool // values that the function returns
}

// shareCandidate is a pair of buffers that should share memory.
type shareCandidate struct {
	kind   candidateKind
	depth  int // block nesting depth
	value  int
	source int
}

// candidateKind orders candidates by the cost of not sharing.
type candidateKind uint8

const (
	candidateUpdate  candidateKind = iota // a copy of an array to change a part of it
	candidateNext                         // a copy of the next state in every trip
	candidateBranch                       // a copy of the result of a branch
	candidateEntry                        // a copy of the initial state
	candidateDonated                      // memory of a result, instead of an argument's
	candidateKernel                       // memory
)

func (l *Layout) coalesce(live *liveness) {
	s := &coalescer{liveness: live, l: l, interferes: map[int][]int{}, isResult: map[int]bool{}}
	for _, r := range live.prog.Main.Results {
		s.isResult[live.value[r]] = true
	}
	wishes := s.candidates(live.prog.Main, 0, nil)
	sort.SliceStable(wishes, func(i, j int) bool {
		a, b := &wishes[i], &wishes[j]
		return a.kind < b.kind || a.kind == b.kind && a.depth > b.depth
	})
	for _, w := range wishes {
		s.checkCancel()
		s.coalesce(w)
	}
	s.donate()
	for b := range l.Root {
		l.Root[b] = s.root(b)
	}
}

// candidates appends the candidates of a block to a list.
func (s *coalescer) candidates(b *program.Block, depth int, list []shareCandidate) []shareCandidate {
	become := func(kind candidateKind, depth int, outs, sources []int) {
		for i, out := range outs {
			list = append(list, shareCandidate{kind, depth, out, sources[i]})
		}
	}
	for _, n := range b.Nodes {
		switch n := n.(type) {
		case *program.Loop:
			list = s.candidates(n.Cond, depth+1, list)
			list = s.candidates(n.Body, depth+1, list)
			become(candidateNext, depth+1, n.Outs, n.Body.Results)
			become(candidateEntry, depth, n.Outs, n.Ins)
		case *program.Branch:
			for _, arm := range n.Arms {
				list = s.candidates(arm, depth+1, list)
				become(candidateBranch, depth+1, n.Outs, arm.Results)
			}
		case *program.RowLoop, *program.ParallelGroup:
			list = s.candidates(&program.Block{Nodes: program.Parts(n)}, depth, list)
			if w, ok := n.(*program.ParallelGroup); ok {
				s.addGroupInterference(w)
			}
		case *program.Kernel:
			list = s.updates(n, candidateKernel, depth, list)
		default:
			list = s.updates(n, candidateUpdate, depth, list)
		}
	}
	return list
}

func (s *coalescer) updates(n program.Node, kind candidateKind, depth int, list []shareCandidate) []shareCandidate {
	if !program.MayReplace(n) { // a kernel with very many operands or results
		return list
	}
	updates := program.Updates(n)
	for o, out := range n.Writes() {
		if s.firstWriter[s.value[out]] != n { // an earlier node has written a part of it
			continue
		}
		for i, in := range n.Reads() {
			if program.Replaces(n, i, o) {
				what := kind
				if updates != nil && updates[o] == i {
					what = candidateUpdate
				}
				if what == candidateKernel && s.isResult[s.value[out]] && s.prog.Buffers[s.value[in]].Donated {
					what = candidateDonated
				}
				list = append(list, shareCandidate{what, depth, out, in})
			} else if program.ReplacesAny(n, i) {
				s.addInterference(s.value[in], s.value[out])
			}
		}
	}
	return list
}

// addGroupInterference separates operands that a node of a parallel group reads until it writes from the results of the
// other nodes.
func (s *coalescer) addGroupInterference(w *program.ParallelGroup) {
	for _, n := range w.Nodes {
		for i, in := range n.Reads() {
			if !program.ReplacesAny(n, i) {
				continue // live to the end of the group
			}
			for _, other := range w.Nodes {
				if other == n {
					continue
				}
				for _, out := range other.Writes() {
					s.addInterference(s.value[in], s.value[out])
				}
			}
		}
	}
}

func (s *coalescer) addInterference(a, b int) {
	s.interferes[a] = append(s.interferes[a], b)
	s.interferes[b] = append(s.interferes[b], a)
}

// root returns the buffer whose memory b uses, and compresses the path.
func (s *coalescer) root(b int) int {
	r := b
	for s.l.Root[r] != r {
		r = s.l.Root[r]
	}
	for b != r {
		b, s.l.Root[b] = s.l.Root[b], r
	}
	return r
}

// coalesce lets the values of a candidate share memory if possible; it reports whether they do.
func (s *coalescer) coalesce(w shareCandidate) bool {
	a, b := s.root(w.value), s.root(w.source)
	if a > b {
		a, b = b, a
	}
	if s.prog.Buffers[b].Donated { // it stays the root
		a, b = b, a
	}
	size := s.prog.Buffers[a].SizeBytes()
	if a == b || s.l.Storage[a] != Temp || s.l.Storage[b] != Temp || size == 0 ||
		size != s.prog.Buffers[b].SizeBytes() ||
		overlap(s.spans[a], s.spans[b]) || s.interfere(a, b) {
		return false
	}
	rowLoops, ok := mergeRowLoops(s.rowLoops[a], s.rowLoops[b])
	if !ok {
		return false
	}
	if len(rowLoops) > 0 {
		s.rowLoops[a] = rowLoops
	}
	s.spans[a], s.spans[b] = union(s.spans[a], s.spans[b]), nil
	if list := s.interferes[b]; len(list) > 0 {
		s.interferes[a] = append(s.interferes[a], list...)
	}
	s.l.Root[b] = a
	return true
}

func (s *coalescer) interfere(a, b int) bool {
	if len(s.interferes[a]) > len(s.interferes[b]) {
		a, b = b, a
	}
	return slices.ContainsFunc(s.interferes[a], func(v int) bool { return s.root(v) == b })
}

// mergeRowLoops returns the fused row loops that use one of two roots. They cannot be merged if the steps of a loop use
// both and one uses its root beyond its rows: another step may have overwritten it.
func mergeRowLoops(a, b []rowLoopUse) ([]rowLoopUse, bool) {
	out := slices.Clone(a)
	for _, m := range b {
		i := slices.IndexFunc(a, func(n rowLoopUse) bool { return n.loop == m.loop })
		if i < 0 {
			out = append(out, m)
		} else if !m.local || !a[i].local {
			return nil, false
		}
	}
	return out, true
}

// overlap reports whether two lists of spans have a position in common.
func overlap(a, b []span) bool {
	if len(a) > len(b) {
		a, b = b, a
	}
	for _, s := range a {
		i := sort.Search(len(b), func(i int) bool { return b[i].to >= s.from })
		if i < len(b) && b[i].from <= s.to {
			return true
		}
	}
	return false
}

// union returns the spans of two lists that do not overlap, and merges adjacent ones. It changes the longer list.
func union(a, b []span) []span {
	if len(a) < len(b) {
		a, b = b, a
	}
	for _, s := range b {
		i := sort.Search(len(a), func(i int) bool { return a[i].from > s.from })
		after, before := i > 0 && a[i-1].to+1 == s.from, i < len(a) && s.to+1 == a[i].from
		switch {
		case after && before:
			a[i-1].to = a[i].to
			a = slices.Delete(a, i, i+1)
		case after:
			a[i-1].to = s.to
		case before:
			a[i].from = s.from
		default:
			a = slices.Insert(a, i, s)
		}
	}
	return a
}
