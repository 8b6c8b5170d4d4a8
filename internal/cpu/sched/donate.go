package sched

import (
	"fmt"
	"slices"
	"strings"

	"github.com/go-nx/nx/internal/cpu/program"
)

// donate lets results that share no argument's memory take that of donated arguments: of the same size, and read for
// the last time before the result is written.
func (s *coalescer) donate() {
	taken := map[int]bool{} // roots of results
	for _, r := range s.prog.Main.Results {
		taken[s.root(s.value[r])] = true
	}
	free := map[int64][]int{} // donated arguments by size
	for _, a := range s.prog.Main.Args {
		if b := &s.prog.Buffers[a]; b.Donated && !taken[a] {
			free[b.SizeBytes()] = append(free[b.SizeBytes()], a)
		}
	}
	for _, r := range s.prog.Main.Results {
		s.checkCancel()
		root := s.root(s.value[r])
		if s.prog.Buffers[root].Donated {
			continue
		}
		size := s.prog.Buffers[root].SizeBytes()
		i := slices.IndexFunc(free[size], func(a int) bool {
			return s.coalesce(shareCandidate{kind: candidateDonated, value: root, source: a})
		})
		if i >= 0 {
			free[size] = slices.Delete(free[size], i, i+1)
		}
	}
}

// takes finds the results in the memory of donated arguments, at most one for each.
func (l *Layout) takes(prog *program.Program) []int {
	free := map[int]int{} // index of a donated argument
	for i, a := range prog.Main.Args {
		if prog.Buffers[a].Donated {
			free[a] = i
		}
	}
	out := make([]int, len(prog.Main.Results))
	for i, r := range prog.Main.Results {
		root := l.Root[r]
		arg, ok := free[root]
		if !ok {
			arg = -1
		}
		out[i] = arg
		delete(free, root)
	}
	return out
}

// Changed reports, for each argument, whether a run changes its memory or returns a result in it, which donation
// allows.
func (l *Layout) Changed(prog *program.Program) []bool {
	out := make([]bool, len(prog.Main.Args))
	number := map[int]int{}
	for i, a := range prog.Main.Args {
		number[a] = i
	}
	for b, root := range l.Root {
		if i, ok := number[root]; ok && prog.Origin(b) != root {
			out[i] = true
		}
	}
	for _, arg := range l.Takes {
		if arg >= 0 {
			out[arg] = true
		}
	}
	return out
}

// writeTakes writes the results in the memory of arguments, and their sizes.
func (l *Layout) writeTakes(b *strings.Builder, p *program.Program) {
	var all, taken int64
	for i, arg := range l.Takes {
		n := p.Buffers[p.Main.Results[i]].SizeBytes()
		all += n
		if arg >= 0 {
			taken += n
			fmt.Fprintf(b, "result %d takes the memory of argument %d, %d bytes\n", i, arg, n)
		}
	}
	if taken > 0 {
		fmt.Fprintf(b, "%d bytes of results, %d of them in the memory of arguments\n", all, taken)
	}
}
