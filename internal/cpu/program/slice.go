package program

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/go-nx/nx/dtype"
)

// Slice says that a parameter of a kernel is a part of its buffer, whose first element is found
// when the kernel runs: the row of an array that a step of a loop reads or writes. To the
// kernel the part is all there is, so that no generator has to know.
type Slice struct {
	Param int // of the kernel
	// Array is, of a result, the operand that it is with the part changed, whose memory it may
	// share; -1 of an operand.
	Array  int
	Starts []Start
}

// Start moves a slice: by as many elements as Stride times an index, a number of 32 or 64 bits
// with a sign, brought into the range from 0 to Limit.
type Start struct {
	Index         int // operand
	Limit, Stride int64
}

// Slice returns that of a parameter of the kernel, nil where it is the whole buffer.
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

// replaces is [Replaces]: an array whose part is written may be replaced, and what is read of it
// must be the element that is written.
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

// IsUpdated reports whether one of the buffers that a node reads, then those that it writes, is an array
// of which it changes a part, before or after that.
func IsUpdated(n Node, i int) bool {
	updates, ins := Updates(n), len(n.Reads())
	if i < ins {
		return slices.Contains(updates, i)
	}
	return updates != nil && updates[i-ins] >= 0
}

// isOnlyUser reports whether no other step of a nest than s uses a buffer.
func (p *Program) isOnlyUser(nest *RowLoop, s Node, b int) bool {
	return !slices.ContainsFunc(nest.Steps, func(t Node) bool {
		return t != s && slices.ContainsFunc(slices.Concat(t.Reads(), t.Writes()), func(x int) bool {
			return p.Origin(x) == p.Origin(b)
		})
	})
}

// sliceText returns the slices as text, a line each.
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
		r.fail("a slice: %v at %q", err, text)
	}
	return s
}

// slices checks that the slices of a kernel lie in their buffers.
func (v *verifier) slices(n *Kernel) error {
	if n.Slices != nil && v.inGroup {
		return errors.New("a slice in a wave")
	}
	for i := range n.Slices {
		s := &n.Slices[i]
		if s.Param < 0 || s.Param >= len(n.Kernel.Params) || n.Slice(s.Param) != s {
			return fmt.Errorf("a slice of parameter %d", s.Param)
		}
		if isResult := s.Param >= n.NumIns(); isResult != (s.Array >= 0) {
			return fmt.Errorf("a slice of parameter %d with the array %d", s.Param, s.Array)
		}
		buf := n.Params()[s.Param]
		if s.Array >= 0 {
			if s.Array < n.NumIns() || s.Array >= len(n.Ins) {
				return fmt.Errorf("a slice of operand %d", s.Array)
			}
			if err := v.sameTypes("a slice", []int{n.Ins[s.Array]}, []int{buf}); err != nil {
				return err
			}
		}
		capacity, _ := v.p.Buffers[buf].Type.NumElems()
		capacity -= n.Kernel.Params[s.Param].Elems
		for _, at := range s.Starts {
			if at.Index < n.NumIns() || at.Index >= len(n.Ins) || !v.isScalar(n.Ins[at.Index], dtype.S32, dtype.S64) {
				return fmt.Errorf("a slice at operand %d, which is no index", at.Index)
			}
			if at.Limit < 0 || at.Stride < 0 || at.Stride > 0 && at.Limit > capacity/at.Stride {
				return fmt.Errorf("a slice by operand %d leaves b%d", at.Index, buf)
			}
			capacity -= at.Limit * at.Stride
		}
		if capacity < 0 {
			return fmt.Errorf("a slice longer than b%d", buf)
		}
	}
	return nil
}
