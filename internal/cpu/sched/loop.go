package sched

import "github.com/go-nx/nx/internal/cpu/fuse"

// Exchanges returns the pairs of roots of a loop that exchange their memory
// after each trip: a state and the next value of it, where that is made by the
// body, is no state itself and is the next value of one state only. The next
// values of other states are copied, unless they are in the state's memory.
func (l *Layout) Exchanges(s *fuse.Step) [][2]int {
	body := s.Blocks[1]
	isState, made, uses := map[int]bool{}, map[int]bool{}, map[int]int{}
	for _, st := range s.Outs {
		isState[l.Root[st]] = true
	}
	for i := range body.Steps {
		for _, o := range body.Steps[i].Outs {
			made[l.Root[o]] = true
		}
	}
	for _, r := range body.Results {
		uses[l.Root[r]]++
	}
	var out [][2]int
	for i, b := range body.Results {
		if r := l.Root[b]; made[r] && !isState[r] && uses[r] == 1 {
			out = append(out, [2]int{l.Root[s.Outs[i]], r})
		}
	}
	return out
}
