package program

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/go-nx/nx/dtype"
)

// Slice makes a parameter of a kernel a part of its buffer, whose first element is found when the
// kernel runs: the row of an array that a step of a loop reads or writes. To the kernel the part is
// the entire parameter, so that generators do not depend on slices.
type Slice struct {
	Param int // of the kernel
	// Array is, for a result, the operand that it is with the part changed, whose memory it may
	// share; -1 for an operand.
	Array  int
	Starts []Start
}

// Start moves a slice by Stride times an index, a signed integer of 32 or 64 bits, clamped to
// 0…Limit.
type Start struct {
	Index         int // an operand
	Limit, Stride int64
}

// Slice returns the slice of a parameter of the kernel, nil if it is the entire buffer.
func (n *Kernel) Slice(param int) *Slice {
	for i := range n.Slices {
		if n.Slices[i].Param == param {
			return &n.Slices[i]
		}
	}
	return nil
}

func (n *Kernel) updates() []int {
	if n.Slices == nil {
		return nil
	}
	out := slices.Repeat([]int{-1}, len(n.Outs))
	for _, s := range n.Slices {
		if s.Array >= 0 {
			out[s.Param-n.NumIns()] = s.Array
		}
	}
	return out
}

// replaces is [Replaces]: an array whose part is written may be replaced, and its elements that are
// read must be those that are written.
func (n *Kernel) replaces(in, out int) bool {
	part := n.Slice(n.NumIns() + out)
	switch {
	case part != nil && in == part.Array:
		return true
	case in >= n.NumIns():
		return false
	}
	read := n.Slice(in)
	if read == nil || part == nil {
		return read == part && n.Kernel.Replaces(in, n.NumIns()+out)
	}
	return n.Ins[in] == n.Ins[part.Array] && n.sameStarts(read, part) && n.Kernel.Replaces(in, n.NumIns()+out)
}

// sameStarts reports whether two slices of arrays of one type begin at the same element.
func (n *Kernel) sameStarts(s, t *Slice) bool {
	return slices.EqualFunc(s.Starts, t.Starts, func(a, b Start) bool {
		return n.Ins[a.Index] == n.Ins[b.Index] && a.Limit == b.Limit && a.Stride == b.Stride
	})
}

// IsUpdated reports whether buffer i of those that a node reads, then writes, is an array of which
// it updates a part, before or after the update.
func IsUpdated(n Node, i int) bool {
	updates, ins := Updates(n), len(n.Reads())
	if i < ins {
		return slices.Contains(updates, i)
	}
	return updates != nil && updates[i-ins] >= 0
}

// isOnlyUser reports whether s is the only step of a row loop that uses a buffer.
func (p *Program) isOnlyUser(loop *RowLoop, s Node, b int) bool {
	return !slices.ContainsFunc(loop.Steps, func(t Node) bool {
		return t != s && slices.ContainsFunc(slices.Concat(t.Reads(), t.Writes()), func(x int) bool {
			return p.Origin(x) == p.Origin(b)
		})
	})
}

// sliceText returns the slices as text, one per line.
func (n *Kernel) sliceText() string {
	var b strings.Builder
	for _, s := range n.Slices {
		fmt.Fprintf(&b, "slice p%d", s.Param)
		if s.Array >= 0 {
			fmt.Fprintf(&b, " of operand %d", s.Array)
		}
		for _, at := range s.Starts {
			fmt.Fprintf(&b, ", by operand %d to %d of %d", at.Index, at.Limit, at.Stride)
		}
		b.WriteByte('\n')
	}
	return b.String()
}

// slice reads a line of [Kernel.sliceText], without its first word.
func (r *reader) slice(text string) Slice {
	s := Slice{Array: -1}
	head, starts, _ := strings.Cut(text, ", ")
	head, array, isResult := strings.Cut(head, " of operand ")
	_, err := fmt.Sscanf(head, "p%d", &s.Param)
	if isResult {
		s.Array = int(r.number(array))
	}
	for starts != "" && err == nil {
		var start string
		start, starts, _ = strings.Cut(starts, ", ")
		var at Start
		_, err = fmt.Sscanf(start, "by operand %d to %d of %d", &at.Index, &at.Limit, &at.Stride)
		s.Starts = append(s.Starts, at)
	}
	if err != nil {
		r.fail("a slice is not valid: %v at %q", err, text)
	}
	return s
}

// slices checks that the slices of a kernel lie in their buffers.
func (v *verifier) slices(n *Kernel) error {
	if n.Slices != nil && v.inGroup {
		return errors.New("a slice is not supported in a parallel group")
	}
	for i := range n.Slices {
		s := &n.Slices[i]
		if s.Param < 0 || s.Param >= len(n.Kernel.Params) || n.Slice(s.Param) != s {
			return fmt.Errorf("a slice of parameter %d is not valid", s.Param)
		}
		if isResult := s.Param >= n.NumIns(); isResult != (s.Array >= 0) {
			return fmt.Errorf("a slice of parameter %d must not have the array %d", s.Param, s.Array)
		}
		buf := n.Params()[s.Param]
		if s.Array >= 0 {
			if s.Array < n.NumIns() || s.Array >= len(n.Ins) {
				return fmt.Errorf("a slice of operand %d is not valid", s.Array)
			}
			if err := v.sameTypes("a slice", []int{n.Ins[s.Array]}, []int{buf}); err != nil {
				return err
			}
		}
		capacity, _ := v.p.Buffers[buf].Type.NumElems()
		capacity -= n.Kernel.Params[s.Param].Elems
		for _, at := range s.Starts {
			if at.Index < n.NumIns() || at.Index >= len(n.Ins) || !v.isScalar(n.Ins[at.Index], dtype.S32, dtype.S64) {
				return fmt.Errorf("a slice must start at an index, got operand %d", at.Index)
			}
			if at.Limit < 0 || at.Stride < 0 || at.Stride > 0 && at.Limit > capacity/at.Stride {
				return fmt.Errorf("a slice by operand %d leaves b%d", at.Index, buf)
			}
			capacity -= at.Limit * at.Stride
		}
		if capacity < 0 {
			return fmt.Errorf("a slice must not be longer than b%d", buf)
		}
	}
	return nil
}
