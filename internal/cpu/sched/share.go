package sched

import (
	"slices"
	"sort"

	"github.com/go-nx/nx/internal/cpu/program"
)

// sharer lets values share memory where that saves copying: a node that replaces one
// of its operands and that operand, the state of a loop with its initial and its next
// value, the result of a branch and what it is in each of them. Two sets of values
// share when none is needed while another is.
type sharer struct {
	*liveness
	l     *Layout
	apart map[int][]int // of each root, values that must lie elsewhere though their lives allow it

	isResult map[int]bool // the values that the function returns
}

// wish is a pair of buffers that had better share memory.
type wish struct {
	what   wishKind
	depth  int // of blocks around it
	value  int
	source int
}

// wishKind orders wishes by what it costs when they are not granted.
type wishKind uint8

const (
	wishUpdate  wishKind = iota // copying an array to change a part of it
	wishNext                    // copying the next state in every trip
	wishBranch                  // copying the result of a branch
	wishEntry                   // copying the initial state
	wishDonated                 // memory of a result, where there is that of an argument
	wishKernel                  // memory
)

func (l *Layout) share(live *liveness) {
	s := &sharer{liveness: live, l: l, apart: map[int][]int{}, isResult: map[int]bool{}}
	for _, r := range live.prog.Main.Results {
		s.isResult[live.value[r]] = true
	}
	wishes := s.wishes(live.prog.Main, 0, nil)
	sort.SliceStable(wishes, func(i, j int) bool {
		a, b := &wishes[i], &wishes[j]
		return a.what < b.what || a.what == b.what && a.depth > b.depth
	})
	for _, w := range wishes {
		s.pause()
		s.grant(w)
	}
	s.donate()
	for b := range l.Root {
		l.Root[b] = s.root(b)
	}
}

// wishes appends those of a block to a list.
func (s *sharer) wishes(b *program.Block, depth int, list []wish) []wish {
	become := func(kind wishKind, depth int, outs, sources []int) {
		for i, out := range outs {
			list = append(list, wish{kind, depth, out, sources[i]})
		}
	}
	for _, n := range b.Nodes {
		switch n := n.(type) {
		case *program.Loop:
			list = s.wishes(n.Cond, depth+1, list)
			list = s.wishes(n.Body, depth+1, list)
			become(wishNext, depth+1, n.Outs, n.Body.Results)
			become(wishEntry, depth, n.Outs, n.Ins)
		case *program.Branch:
			for _, arm := range n.Arms {
				list = s.wishes(arm, depth+1, list)
				become(wishBranch, depth+1, n.Outs, arm.Results)
			}
		case *program.RowNest, *program.Wave:
			list = s.wishes(&program.Block{Nodes: program.Parts(n)}, depth, list)
			if w, ok := n.(*program.Wave); ok {
				s.waveApart(w)
			}
		case *program.Kernel:
			list = s.updates(n, wishKernel, depth, list)
		default:
			list = s.updates(n, wishUpdate, depth, list)
		}
	}
	return list
}

func (s *sharer) updates(n program.Node, kind wishKind, depth int, list []wish) []wish {
	if !program.MayReplace(n) { // a kernel with very many operands, or results
		return list
	}
	updates := program.Updates(n)
	for o, out := range n.Writes() {
		if s.first[s.value[out]] != n { // a node before has written a part of it
			continue
		}
		for i, in := range n.Reads() {
			if program.Replaces(n, i, o) {
				what := kind
				if updates != nil && updates[o] == i {
					what = wishUpdate
				}
				if what == wishKernel && s.isResult[s.value[out]] && s.prog.Buffers[s.value[in]].Donated {
					what = wishDonated
				}
				list = append(list, wish{what, depth, out, in})
			} else if program.ReplacesAny(n, i) {
				s.keepApart(s.value[in], s.value[out])
			}
		}
	}
	return list
}

// waveApart keeps what a node of a wave reads up to where it writes from what others write.
func (s *sharer) waveApart(w *program.Wave) {
	for _, n := range w.Nodes {
		for i, in := range n.Reads() {
			if !program.ReplacesAny(n, i) {
				continue // needed to the end of the wave
			}
			for _, other := range w.Nodes {
				if other == n {
					continue
				}
				for _, out := range other.Writes() {
					s.keepApart(s.value[in], s.value[out])
				}
			}
		}
	}
}

func (s *sharer) keepApart(a, b int) {
	s.apart[a] = append(s.apart[a], b)
	s.apart[b] = append(s.apart[b], a)
}

// root returns the buffer whose memory b uses; what lies between points there
// from then on.
func (s *sharer) root(b int) int {
	r := b
	for s.l.Root[r] != r {
		r = s.l.Root[r]
	}
	for b != r {
		b, s.l.Root[b] = s.l.Root[b], r
	}
	return r
}

// grant lets the values of a wish share memory if they can; it reports whether they do now.
func (s *sharer) grant(w wish) bool {
	a, b := s.root(w.value), s.root(w.source)
	if a > b {
		a, b = b, a
	}
	if s.prog.Buffers[b].Donated { // it stays the root; the needs of two overlap
		a, b = b, a
	}
	size := s.prog.Buffers[a].SizeBytes()
	if a == b || s.l.Place[a] != Temp || s.l.Place[b] != Temp || size == 0 || size != s.prog.Buffers[b].SizeBytes() ||
		overlap(s.spans[a], s.spans[b]) || s.mustBeApart(a, b) {
		return false
	}
	nests, ok := joinNests(s.nests[a], s.nests[b])
	if !ok {
		return false
	}
	if len(nests) > 0 {
		s.nests[a] = nests
	}
	s.spans[a], s.spans[b] = union(s.spans[a], s.spans[b]), nil
	if list := s.apart[b]; len(list) > 0 {
		s.apart[a] = append(s.apart[a], list...)
	}
	s.l.Root[b] = a
	return true
}

func (s *sharer) mustBeApart(a, b int) bool {
	if len(s.apart[a]) > len(s.apart[b]) {
		a, b = b, a
	}
	return slices.ContainsFunc(s.apart[a], func(v int) bool { return s.root(v) == b })
}

// joinNests returns the nests that use one of two roots. They cannot be one where the
// kernels of a nest use both and one uses its beyond its rows: another kernel may have
// written that already.
func joinNests(a, b []membership) ([]membership, bool) {
	out := slices.Clone(a)
	for _, m := range b {
		i := slices.IndexFunc(a, func(n membership) bool { return n.nest == m.nest })
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

// union returns the spans of two lists that do not overlap; those that touch become one.
// It changes the longer list.
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
