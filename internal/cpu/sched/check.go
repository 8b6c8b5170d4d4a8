package sched

import (
	"fmt"
	"maps"
	"slices"

	"github.com/go-nx/nx/internal/cpu/program"
)

// Check proves a layout correct without the planner's lives: it runs the program on memory that holds, instead of
// numbers, the buffer that was written there last. Every read must find its buffer; a write invalidates all overlapping
// memory. Loops run three trips, after which the state repeats; both sides of a branch run.
func Check(prog *program.Program, l *Layout) error {
	c := &checker{prog: prog, l: l, mem: map[int]int{}, current: map[int]int{}}
	for b := range prog.Buffers {
		if r := l.Root[b]; l.Root[r] != r {
			return fmt.Errorf("buffer %d: its root %d is not a root", b, r)
		}
		if prog.Buffers[b].Data != nil {
			c.mem[c.home(b)] = c.value(b)
		}
	}
	for _, a := range prog.Main.Args {
		c.mem[c.home(a)] = c.value(a)
	}
	return c.block(prog.Main)
}

// checker is the state of a checked program. A location is named by the root whose memory it initially was.
type checker struct {
	prog    *program.Program
	l       *Layout
	mem     map[int]int // of each location, the value it holds
	current map[int]int // the current location of roots that have swapped memory
}

// value is the buffer that b is an alias of.
func (c *checker) value(b int) int {
	for c.prog.Buffers[b].Alias >= 0 {
		b = c.prog.Buffers[b].Alias
	}
	return b
}

// home returns the location of a buffer.
func (c *checker) home(b int) int { return c.at(c.l.Root[b]) }

// at returns the location of a root.
func (c *checker) at(r int) int {
	if at, ok := c.current[r]; ok {
		return at
	}
	return r
}

func (c *checker) read(b int, by string) error {
	if v, ok := c.mem[c.home(b)]; !ok || v != c.value(b) {
		return fmt.Errorf("%s reads buffer %d (%s), but its memory holds %s", by, b, c.prog.Buffers[b].Name,
			c.holds(c.home(b)))
	}
	return nil
}

func (c *checker) holds(location int) string {
	v, ok := c.mem[location]
	if !ok {
		return "no valid value"
	}
	return fmt.Sprintf("buffer %d (%s)", v, c.prog.Buffers[v].Name)
}

// write puts a buffer into its memory.
func (c *checker) write(b int, by string) error {
	at := c.home(b)
	if p := c.l.Storage[at]; p == Arg && !c.prog.Buffers[at].Donated || p == Constant {
		return fmt.Errorf("%s writes buffer %d to the memory of an argument or constant", by, b)
	}
	for other := range c.mem {
		if other != at && c.overlap(at, other) {
			delete(c.mem, other)
		}
	}
	c.mem[at] = c.value(b)
	return nil
}

// overlap reports whether two locations share bytes.
func (c *checker) overlap(a, b int) bool {
	if a == b {
		return true
	}
	if c.l.Storage[a] != Temp || c.l.Storage[b] != Temp {
		return false
	}
	return c.l.Offset[a] < c.l.Offset[b]+c.prog.Buffers[b].SizeBytes() &&
		c.l.Offset[b] < c.l.Offset[a]+c.prog.Buffers[a].SizeBytes()
}

func (c *checker) block(b *program.Block) error {
	for i, n := range b.Nodes {
		if err := c.node(n, fmt.Sprintf("node %d %s", i, n.Name())); err != nil {
			return err
		}
	}
	for _, r := range b.Results {
		if err := c.read(r, "the block's results"); err != nil {
			return err
		}
	}
	return nil
}

// rowLoop checks that the steps of a fused row loop may run row by row: memory that one writes is used by another in
// the same rows only.
func (c *checker) rowLoop(n *program.RowLoop, by string) error {
	rows := n.NumRows()
	for i, k := range n.Steps {
		if err := c.node(k, by+": "+k.Name()); err != nil {
			return err
		}
		for o, out := range k.Writes() {
			for j, t := range n.Steps {
				for p, other := range slices.Concat(t.Reads(), t.Writes()) {
					if i == j || !c.overlap(c.home(out), c.home(other)) || c.prog.Buffers[other].SizeBytes() == 0 {
						continue
					}
					if c.home(out) != c.home(other) || !c.prog.RowLocal(k, len(k.Reads())+o, rows) ||
						!c.prog.RowLocal(t, p, rows) {
						return fmt.Errorf("%s: steps %d and %d must share memory in the same rows only: buffers %d and %d",
							by, i, j, out, other)
					}
				}
			}
		}
	}
	return nil
}

// group checks nodes that run in parallel: none writes to memory that another uses.
func (c *checker) group(w *program.ParallelGroup, by string) error {
	for _, n := range w.Nodes {
		for _, out := range n.Writes() {
			for _, m := range w.Nodes {
				if m == n {
					continue
				}
				for _, b := range slices.Concat(m.Reads(), m.Writes()) {
					if c.overlap(c.home(out), c.home(b)) && c.prog.Buffers[out].SizeBytes() > 0 &&
						c.prog.Buffers[b].SizeBytes() > 0 {
						return fmt.Errorf("%s: %s writes buffer %d to memory of buffer %d, which %s uses in parallel",
							by, n.Name(), out, b, m.Name())
					}
				}
			}
		}
	}
	for _, n := range w.Nodes {
		if err := c.node(n, by+": "+n.Name()); err != nil {
			return err
		}
	}
	return nil
}

func (c *checker) node(n program.Node, by string) error {
	ins, outs := n.Reads(), n.Writes()
	for _, in := range ins {
		if err := c.read(in, by); err != nil {
			return err
		}
	}
	switch n := n.(type) {
	case *program.Loop:
		return c.loop(n, by)
	case *program.Branch:
		return c.branch(n, by)
	case *program.RowLoop:
		return c.rowLoop(n, by)
	case *program.ParallelGroup:
		return c.group(n, by)
	}
	for i, out := range outs {
		for j, in := range ins {
			inPlace := program.Replaces(n, j, i) && c.home(in) == c.home(out)
			if c.overlap(c.home(in), c.home(out)) && !inPlace && c.prog.Buffers[in].SizeBytes() > 0 {
				return fmt.Errorf("%s: result %d overlaps operand %d", by, i, j)
			}
		}
		for j := range i {
			if c.overlap(c.home(outs[j]), c.home(out)) && c.prog.Buffers[out].SizeBytes() > 0 {
				return fmt.Errorf("%s: results %d and %d overlap", by, j, i)
			}
		}
	}
	for _, out := range outs {
		if err := c.write(out, by); err != nil {
			return err
		}
	}
	return nil
}

// move performs simultaneous copies of full buffers.
func (c *checker) move(moves []Move, outs []int, by string) error {
	for _, m := range moves {
		from, to := c.at(m.From), c.at(m.To)
		for _, n := range moves {
			other := c.at(n.To)
			if m != n && c.overlap(to, other) || other != from && c.overlap(other, from) {
				return fmt.Errorf("%s: copies overlap: from buffer %d to %d, and to %d", by, m.From, m.To, n.To)
			}
		}
	}
	for _, out := range outs {
		if err := c.write(out, by); err != nil {
			return err
		}
	}
	return nil
}

func (c *checker) loop(s *program.Loop, by string) error {
	if err := c.move(c.l.Entry(c.prog, s), s.Outs, by+": entry"); err != nil {
		return err
	}
	cond, body := s.Cond, s.Body
	rotations, copies := c.l.Next(c.prog, s)
	homes := maps.Clone(c.current)
	trips := 3
	for _, cycle := range rotations {
		trips = max(trips, len(cycle)+2) // until every buffer has been at every location
	}
	for range trips {
		if err := c.block(cond); err != nil {
			return fmt.Errorf("%s: condition: %w", by, err)
		}
		if err := c.block(body); err != nil {
			return fmt.Errorf("%s: body: %w", by, err)
		}
		if err := c.next(s, rotations, copies, by); err != nil {
			return err
		}
	}
	if err := c.block(cond); err != nil {
		return fmt.Errorf("%s: condition: %w", by, err)
	}
	var kept []int // a state without uses may have been overwritten
	for _, st := range s.Outs {
		if v, ok := c.mem[c.home(st)]; ok && v == c.value(st) {
			kept = append(kept, st)
		}
		delete(c.mem, c.home(st))
	}
	c.current = homes // the state is copied home
	for _, cycle := range rotations {
		for _, r := range cycle {
			delete(c.mem, c.at(r))
		}
	}
	for _, st := range kept {
		if err := c.write(st, by); err != nil {
			return err
		}
	}
	return nil
}

// next makes the next values the state of a loop: after the rotations, each must be in the state's location, or be
// copied there.
func (c *checker) next(s *program.Loop, rotations [][]int, copies []Move, by string) error {
	from := make([]int, len(s.Outs))
	for i, r := range s.Body.Results {
		from[i] = c.home(r)
	}
	copied := map[int]int{} // to the memory of a root, from a location
	for _, m := range copies {
		copied[m.To] = c.at(m.From)
	}
	for _, cycle := range rotations {
		first := c.at(cycle[0])
		for i, r := range cycle {
			if i+1 < len(cycle) {
				c.current[r] = c.at(cycle[i+1])
			} else {
				c.current[r] = first
			}
		}
	}
	for i, st := range s.Outs {
		if at, ok := copied[c.l.Root[st]]; c.home(st) != from[i] && (!ok || at != from[i]) &&
			c.prog.Buffers[st].SizeBytes() > 0 {
			return fmt.Errorf("%s: the next value of state %d must become the state", by, i)
		}
		if err := c.write(st, by); err != nil {
			return err
		}
	}
	return nil
}

// branch runs every branch from the same memory; locations that differ afterwards are invalid.
func (c *checker) branch(s *program.Branch, by string) error {
	before := maps.Clone(c.mem)
	var after map[int]int
	for i, b := range s.Arms {
		c.mem = maps.Clone(before)
		in := fmt.Sprintf("%s: branch %d", by, i)
		if err := c.block(b); err != nil {
			return fmt.Errorf("%s: %w", in, err)
		}
		if err := c.move(c.l.Leave(c.prog, s, i), s.Outs, in); err != nil {
			return err
		}
		if after == nil {
			after = c.mem
			continue
		}
		maps.DeleteFunc(after, func(location, v int) bool { return c.mem[location] != v })
	}
	c.mem = after
	return nil
}
