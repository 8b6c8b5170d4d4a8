package sched

import (
	"cmp"
	"slices"
	"sort"

	"github.com/go-nx/nx/internal/cpu/fuse"
	"github.com/go-nx/nx/stablehlo"
)

// sharer lets values share memory where that saves copying: a step that replaces one
// of its operands and that operand, the state of a loop with its initial and its next
// value, the result of a branch and what it is in each of them. Two sets of values
// share when none is needed while another is.
type sharer struct {
	*liveness
	l     *Layout
	apart map[int][]int // of each root, values that must lie elsewhere though their lives allow it
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
	wishUpdate wishKind = iota // copying an array to change a part of it
	wishNext                   // copying the next state in every trip
	wishBranch                 // copying the result of a branch
	wishEntry                  // copying the initial state
	wishKernel                 // memory
)

func (l *Layout) share(live *liveness) {
	s := &sharer{liveness: live, l: l, apart: map[int][]int{}}
	wishes := s.wishes(live.prog.Main, 0, nil)
	slices.SortStableFunc(wishes, func(a, b wish) int { return cmp.Or(cmp.Compare(a.what, b.what), cmp.Compare(b.depth, a.depth)) })
	for _, w := range wishes {
		s.grant(w)
	}
	for b := range l.Root {
		l.Root[b] = s.root(b)
	}
}

// wishes appends those of a block to a list.
func (s *sharer) wishes(b *fuse.Block, depth int, list []wish) []wish {
	for i := range b.Steps {
		st := &b.Steps[i]
		for j, inner := range st.Blocks {
			list = s.wishes(inner, depth+1, list)
			if isLoop(st) && j == 0 {
				continue
			}
			for k, out := range st.Outs {
				kind := wishBranch
				if isLoop(st) {
					kind = wishNext
				}
				list = append(list, wish{kind, depth + 1, out, inner.Results[k]})
			}
		}
		switch {
		case isLoop(st):
			for k, out := range st.Outs {
				list = append(list, wish{wishEntry, depth, out, st.Ins[k]})
			}
		case len(st.Blocks) == 0:
			list = s.updates(st, depth, list)
		}
	}
	return list
}

func (s *sharer) updates(st *fuse.Step, depth int, list []wish) []wish {
	kind := wishUpdate
	if st.Kernel != nil {
		kind = wishKernel
	}
	for o, out := range st.Outs {
		if s.first[s.value[out]] != st { // a step before has written a part of it
			continue
		}
		for i, in := range st.Ins {
			if Replaces(st, i, o) {
				list = append(list, wish{kind, depth, out, in})
			} else if replacesAny(st, i) {
				s.keepApart(s.value[in], s.value[out])
			}
		}
	}
	return list
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

// grant lets the values of a wish share memory if they can.
func (s *sharer) grant(w wish) {
	a, b := s.root(w.value), s.root(w.source)
	if a > b {
		a, b = b, a
	}
	size := s.prog.Buffers[a].SizeBytes()
	if a == b || s.l.Place[a] != Temp || s.l.Place[b] != Temp || size == 0 || size != s.prog.Buffers[b].SizeBytes() ||
		overlap(s.spans[a], s.spans[b]) || s.mustBeApart(a, b) {
		return
	}
	groups, ok := joinGroups(s.groups[a], s.groups[b])
	if !ok {
		return
	}
	if len(groups) > 0 {
		s.groups[a] = groups
	}
	s.spans[a], s.spans[b] = union(s.spans[a], s.spans[b]), nil
	if list := s.apart[b]; len(list) > 0 {
		s.apart[a] = append(s.apart[a], list...)
	}
	s.l.Root[b] = a
}

func (s *sharer) mustBeApart(a, b int) bool {
	if len(s.apart[a]) > len(s.apart[b]) {
		a, b = b, a
	}
	return slices.ContainsFunc(s.apart[a], func(v int) bool { return s.root(v) == b })
}

// joinGroups returns the groups that use one of two roots. They cannot be one where
// the steps of a group use both and one uses its beyond its rows: another step may have written
// that already.
func joinGroups(a, b []membership) ([]membership, bool) {
	out := slices.Clone(a)
	for _, m := range b {
		i := slices.IndexFunc(a, func(n membership) bool { return n.group == m.group })
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

// Replaces reports whether a step, run from its beginning to its end, reads no
// element of operand in after it has written the element of result out in the
// same place: the two may share their memory.
func Replaces(s *fuse.Step, in, out int) bool {
	switch {
	case s.Kernel != nil:
		return len(s.Outs) == 1 && s.Kernel.Replaces(in)
	case s.Op.Code == stablehlo.OpDynamicUpdateSlice:
		return in == 0
	case s.Op.Code == stablehlo.OpScatter:
		return in == out
	}
	return false
}

// replacesAny reports whether operand in may share the memory of a result.
func replacesAny(s *fuse.Step, in int) bool {
	if s.Kernel != nil {
		return Replaces(s, in, 0)
	}
	return in < len(s.Outs) && Replaces(s, in, in)
}
