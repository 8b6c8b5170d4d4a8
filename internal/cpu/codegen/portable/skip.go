package portable

import "github.com/go-nx/nx/internal/cpu/kernel"

// branch is a side of selects whose condition is uniform in a tile.
type branch struct {
	condition kernel.Value // kernel.None if the value is always needed
	side      bool
}

// branches returns, for each value, the branch that all of its uses belong to. Tiles that take the other side skip it:
// computing both sides of an alternating series would take twice the time.
func (c *compiler) branches() []branch {
	always := branch{condition: kernel.None}
	of, read := make([]branch, len(c.instrs)), make([]bool, len(c.instrs))
	need := func(v kernel.Value, by branch) {
		v = c.source(v)
		if read[v] && of[v] != by {
			by = always
		}
		of[v], read[v] = by, true
	}
	for i := range c.k.Stores {
		need(c.k.Stores[i].Value, always)
		for _, l := range c.k.Stores[i].At.Lookups {
			need(l.Index, always)
		}
	}
	for i := range c.k.Reduces {
		for _, v := range c.k.Reduces[i].Values {
			need(v, always)
		}
	}
	for p := len(c.order) - 1; p >= 0; p-- {
		in := &c.instrs[c.order[p]]
		by := of[c.order[p]]
		if !read[c.order[p]] || in.inReduce {
			by, of[c.order[p]] = always, always
		}
		isBranch := in.Op == kernel.Select && by == always && c.level[in.args[0]].uniform
		for j, a := range in.args {
			if isBranch && j > 0 && c.position[c.source(in.args[0])] < c.position[c.source(a)] {
				need(a, branch{c.source(in.args[0]), j == 1})
			} else {
				need(a, by)
			}
		}
	}
	return of
}

// skipUnlessTaken returns a step that runs only if its branch is taken.
func (c *compiler) skipUnlessTaken(s step, b branch) step {
	condition, side := c.refs[b.condition], b.side
	return func(m *machine, n int) {
		if (vec[uint8](m, condition, 1)[0] != 0) == side {
			s(m, n)
		}
	}
}
