package sched

import (
	"fmt"
	"maps"

	"github.com/go-nx/nx/internal/cpu/fuse"
	"github.com/go-nx/nx/stablehlo"
)

// Check proves a layout right without the planner's knowledge of lives: it runs
// the program on memory that holds, instead of numbers, which buffer was
// written there last. Every read must find the buffer that it wants; a write
// makes all that overlaps it unreadable. Loops run three trips, after which
// nothing new can happen; both sides of a branch are run.
func Check(prog *fuse.Program, l *Layout) error {
	c := &checker{prog: prog, l: l, mem: map[int]int{}, region: map[int]int{}}
	for b := range prog.Buffers {
		if r := l.Root[b]; l.Root[r] != r {
			return fmt.Errorf("buffer %d: its root %d is none", b, r)
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

// checker is the memory while a program is checked. A region is named by the
// root whose memory it was in the beginning.
type checker struct {
	prog   *fuse.Program
	l      *Layout
	mem    map[int]int // of each region, the value it holds
	region map[int]int // of roots that have exchanged their memory, where they are now
}

// value is the buffer that b is another name of.
func (c *checker) value(b int) int {
	for c.prog.Buffers[b].Alias >= 0 {
		b = c.prog.Buffers[b].Alias
	}
	return b
}

// home returns the region where a buffer is.
func (c *checker) home(b int) int {
	r := c.l.Root[b]
	if at, ok := c.region[r]; ok {
		return at
	}
	return r
}

func (c *checker) read(b int, by string) error {
	if v, ok := c.mem[c.home(b)]; !ok || v != c.value(b) {
		return fmt.Errorf("%s reads buffer %d (%s), but its memory holds %s", by, b, c.prog.Buffers[b].Name, c.holds(c.home(b)))
	}
	return nil
}

func (c *checker) holds(region int) string {
	v, ok := c.mem[region]
	if !ok {
		return "nothing of use"
	}
	return fmt.Sprintf("buffer %d (%s)", v, c.prog.Buffers[v].Name)
}

// write puts a buffer into its memory.
func (c *checker) write(b int, by string) error {
	at := c.home(b)
	if p := c.l.Place[at]; p == Arg || p == Constant {
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

// overlap reports whether two regions share bytes.
func (c *checker) overlap(a, b int) bool {
	if a == b {
		return true
	}
	if c.l.Place[a] != Temp || c.l.Place[b] != Temp {
		return false
	}
	return c.l.Offset[a] < c.l.Offset[b]+c.prog.Buffers[b].SizeBytes() && c.l.Offset[b] < c.l.Offset[a]+c.prog.Buffers[a].SizeBytes()
}

func (c *checker) block(b *fuse.Block) error {
	for i := range b.Steps {
		if err := c.step(&b.Steps[i], fmt.Sprintf("step %d %s", i, b.Steps[i].Name())); err != nil {
			return err
		}
	}
	for _, g := range b.Groups {
		if err := c.group(b, g); err != nil {
			return err
		}
	}
	for _, r := range b.Results {
		if err := c.read(r, "the end of the block"); err != nil {
			return err
		}
	}
	return nil
}

// group checks that the steps of a group may run row by row: whatever one of them
// writes, no other has in another place of the same memory.
func (c *checker) group(b *fuse.Block, g fuse.Group) error {
	for i := g.From; i < g.To; i++ {
		s := &b.Steps[i]
		for o, out := range s.Outs {
			for j := g.From; j < g.To; j++ {
				t := &b.Steps[j]
				for k, other := range t.Params() {
					if i == j || !c.overlap(c.home(out), c.home(other)) || c.prog.Buffers[other].SizeBytes() == 0 {
						continue
					}
					if c.home(out) != c.home(other) || !c.prog.RowLocal(s, len(s.Ins)+o, g.Rows) || !c.prog.RowLocal(t, k, g.Rows) {
						return fmt.Errorf("steps %d and %d of a group share memory beyond their rows: buffers %d and %d", i, j, out, other)
					}
				}
			}
		}
	}
	return nil
}

func (c *checker) step(s *fuse.Step, by string) error {
	for _, in := range s.Ins {
		if err := c.read(in, by); err != nil {
			return err
		}
	}
	switch {
	case s.Op != nil && s.Op.Code == stablehlo.OpWhile:
		return c.while(s, by)
	case len(s.Blocks) > 0:
		return c.branch(s, by)
	}
	for i, out := range s.Outs {
		for j, in := range s.Ins {
			inPlace := len(s.Outs) == 1 && replaces(s, j) && c.home(in) == c.home(out)
			if c.overlap(c.home(in), c.home(out)) && !inPlace && c.prog.Buffers[in].SizeBytes() > 0 {
				return fmt.Errorf("%s: its result %d is in the memory of its operand %d", by, i, j)
			}
		}
		for j := range i {
			if c.overlap(c.home(s.Outs[j]), c.home(out)) && c.prog.Buffers[out].SizeBytes() > 0 {
				return fmt.Errorf("%s: its results %d and %d share memory", by, j, i)
			}
		}
	}
	for _, out := range s.Outs {
		if err := c.write(out, by); err != nil {
			return err
		}
	}
	return nil
}

func (c *checker) while(s *fuse.Step, by string) error {
	for i, st := range s.Outs {
		for j, in := range s.Ins[i+1:] { // initial values are copied one after another
			if c.overlap(c.home(st), c.home(in)) {
				return fmt.Errorf("%s: state %d is copied over initial value %d", by, i, i+1+j)
			}
		}
		if err := c.write(st, by); err != nil {
			return err
		}
	}
	cond, body := s.Blocks[0], s.Blocks[1]
	exchanges := c.l.Exchanges(s)
	homes := maps.Clone(c.region)
	for range 3 {
		if err := c.block(cond); err != nil {
			return fmt.Errorf("%s: condition: %w", by, err)
		}
		if err := c.block(body); err != nil {
			return fmt.Errorf("%s: body: %w", by, err)
		}
		c.next(s, exchanges)
	}
	if err := c.block(cond); err != nil {
		return fmt.Errorf("%s: condition: %w", by, err)
	}
	held := make([]int, len(exchanges)) // after an odd number of trips the state is copied home
	for i, p := range exchanges {
		held[i] = c.mem[c.home(p[0])]
	}
	c.region = homes
	for i, p := range exchanges {
		c.mem[c.home(p[0])] = held[i]
		delete(c.mem, c.home(p[1]))
	}
	for _, st := range s.Outs {
		if err := c.read(st, by+": the result"); err != nil {
			return err
		}
	}
	return nil
}

// next moves the next values of a loop's state to the state.
func (c *checker) next(s *fuse.Step, exchanges [][2]int) {
	exchanged := map[int]bool{}
	for _, p := range exchanges {
		a, b := c.home(p[0]), c.home(p[1])
		c.region[p[0]], c.region[p[1]] = b, a
		delete(c.mem, a)
		exchanged[p[0]] = true
	}
	for _, st := range s.Outs {
		at := c.home(st)
		if !exchanged[c.l.Root[st]] {
			for other := range c.mem {
				if other != at && c.overlap(at, other) {
					delete(c.mem, other)
				}
			}
		}
		c.mem[at] = c.value(st)
	}
}

// branch runs every branch from the same memory; what they leave differently
// is of no use afterwards.
func (c *checker) branch(s *fuse.Step, by string) error {
	before := maps.Clone(c.mem)
	var after map[int]int
	for i, b := range s.Blocks {
		c.mem = maps.Clone(before)
		if err := c.block(b); err != nil {
			return fmt.Errorf("%s: branch %d: %w", by, i, err)
		}
		for j, out := range s.Outs {
			for _, r := range b.Results[j+1:] { // results are copied one after another
				if c.overlap(c.home(out), c.home(r)) {
					return fmt.Errorf("%s: branch %d: result %d is copied over a later one", by, i, j)
				}
			}
			if err := c.write(out, by); err != nil {
				return err
			}
		}
		if after == nil {
			after = c.mem
			continue
		}
		maps.DeleteFunc(after, func(region, v int) bool { return c.mem[region] != v })
	}
	c.mem = after
	return nil
}
