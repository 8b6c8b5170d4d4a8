package fuse

import (
	"slices"

	"github.com/go-nx/nx/stablehlo"
)

// viewPaths are the chains of views through which ops are seen from the iteration space of their
// kernel: 0 is the space itself, any other number a view op seen through another path.
type viewPaths struct {
	of      map[*stablehlo.Op][]int // at most maxViewPaths
	tooMany map[*stablehlo.Op]bool
	number  map[viewPath]int
}

type viewPath struct {
	view *stablehlo.Op
	of   int
}

func newViewPaths(ops int) *viewPaths {
	return &viewPaths{make(map[*stablehlo.Op][]int, ops), map[*stablehlo.Op]bool{}, map[viewPath]int{}}
}

// root records an op that is computed once per point of the space.
func (s *viewPaths) root(op *stablehlo.Op) {
	s.of[op] = []int{0}
	delete(s.tooMany, op)
}

// add records the paths from an op to its consumers; false means that there are too many.
func (s *viewPaths) add(op *stablehlo.Op, consumers []*stablehlo.Op, clusters map[*stablehlo.Op][]*cluster) bool {
	if len(op.Operands) == 0 { // a constant, an iota
		return true
	}
	var all []int
	for _, c := range consumers {
		if clusters[c] == nil {
			continue // dead
		}
		if s.tooMany[c] {
			s.tooMany[op] = true
			return false
		}
		for _, seen := range s.of[c] {
			if isView(c) || isLookup(c) {
				at := viewPath{c, seen}
				n, ok := s.number[at]
				if !ok {
					n = len(s.number) + 1
					s.number[at] = n
				}
				seen = n
			}
			if slices.Contains(all, seen) {
				continue
			}
			if all = append(all, seen); len(all) > maxViewPaths {
				s.tooMany[op] = true
				return false
			}
		}
	}
	s.of[op] = all
	return true
}
