package autodiff

import (
	"slices"

	"github.com/go-nx/nx/dtype"
	"github.com/go-nx/nx/internal/emit"
	"github.com/go-nx/nx/stablehlo"
)

// checkpoints store the states of a loop of unknown length in a buffer of fixed size. It has levels
// of K rows each. While the loop runs, level 0 holds every s-th state; when it is full, every
// second row is dropped and s doubles. The reverse loop fills each further level with the states
// between two rows of the one before, K times as dense, until the spacing is one step. So each step
// is recomputed once per level, and for n steps there are at most 1+⌈log_K n⌉ levels.
type checkpoints struct {
	emitter
	op   *stablehlo.Op
	kept []int // the state elements that are stored
	// steps holds the ops that compute the stored elements of the next state.
	steps map[*stablehlo.Op]bool
	k     int64
	depth int64
}

// maxSteps bounds the number of steps of a loop.
const maxSteps = 1 << 36

// checkpoint runs the loop with checkpoints.
func (t *tracer) checkpoint(op *stablehlo.Op, step *backStep, bound int64) history {
	c := &checkpoints{emitter: t.emitter, op: op}
	c.kept, c.steps = closure(step.body, step.needed)
	if bound < 0 || bound > maxSteps {
		bound = maxSteps
	}
	c.size(bytesOf(at(step.body.Args, c.kept)), bound)
	n, body := len(op.Operands), step.body
	state := append(slices.Clone(op.Operands), c.count(0), c.count(1))
	for _, i := range c.kept {
		a := emit.TensorOf(body.Args[i])
		state = append(state, t.Zeros(a.WithDims(append([]int64{c.k * c.depth}, a.Dims...)...)))
	}
	// The loop holds the ops of the body from now on; the reverse loop needs a copy.
	copied := copyBlock(body)
	t.repeatBlock(copied)
	results := t.while(state,
		func(e emitter, args []value) value { return e.adopt(op.Regions[0].Block(), args[:n])[0] },
		func(e emitter, args []value) []value {
			count, spacing, rows := args[n], args[n+1], args[n+2:]
			spacing, rows = c.thin(e, count, spacing, rows)
			rows = c.store(e, rows, at(args, c.kept), e.Div(count, spacing), e.multiple(count, spacing))
			return slices.Concat(e.adopt(body, args[:n]), []value{e.Plus(1, count), spacing}, rows)
		})
	count, spacing, rows := results[n], results[n+1], results[n+2:]
	c.steps = stepsOf(copied, c.kept)
	back := func(e emitter, step *backStep, cts []value) []value {
		state := slices.Concat([]value{e.Plus(-1, count)}, cts, rows)
		m := 1 + len(cts)
		return e.while(state, notNegative, func(e emitter, args []value) []value {
			at, cts, rows := args[0], args[1:m], args[m:]
			rows, index := c.refine(e, copied, rows, at, count, spacing)
			var needed []value
			for _, i := range step.needed {
				needed = append(needed, e.Row(rows[slices.Index(c.kept, i)], index))
			}
			return slices.Concat([]value{e.Plus(-1, at)}, step.emit(e, needed, cts, nil), rows)
		})[1:m]
	}
	return history{results[:n], back}
}

// count returns a constant number of steps.
func (e emitter) count(n int64) value { return e.Scalar(dtype.S64, float64(n)) }

// multiple reports whether x is a multiple of y.
func (e emitter) multiple(x, y value) value {
	return e.Compare("EQ", e.Do(stablehlo.OpRemainder, x, y), e.Fill(x, 0))
}

// size sets the number of rows per level, fewer for larger states, and the number of levels for
// bound steps. Numbers of rows are powers of 2, so that the spacing of a level divides that of the
// one before.
func (c *checkpoints) size(stateBytes, bound int64) {
	for _, k := range []int64{32, 8, 4} {
		c.k, c.depth = k, 1
		for reach := k; reach < bound; reach *= k {
			c.depth++
		}
		c.depth++ // the spacing of level 0 is up to twice the smallest possible one
		if c.k*c.depth*stateBytes <= maxStackedBytes {
			return
		}
	}
}

// thin drops every second row of level 0 when it is full.
func (c *checkpoints) thin(e emitter, count, spacing value, rows []value) (value, []value) {
	if len(rows) == 0 {
		return spacing, rows
	}
	full := e.Compare("EQ", count, e.Mul(spacing, e.count(c.k)))
	out := e.choice(full,
		func(e emitter) []value {
			out := []value{e.Mul(spacing, e.count(2))}
			for _, r := range rows {
				out = append(out, e.DynamicUpdate(r, e.SliceDim(r, 0, 0, c.k, 2), e.RowIndex(r, e.count(0))))
			}
			return out
		},
		func(e emitter) []value { return append([]value{spacing}, rows...) })
	return out[0], out[1:]
}

// store writes a state to a row if when is true.
func (c *checkpoints) store(e emitter, rows, state []value, row, when value) []value {
	out := make([]value, len(rows))
	for i, r := range rows {
		out[i] = e.SetRow(r, e.Select(when, state[i], e.Row(r, row)), row)
	}
	return out
}

// refine fills the levels that do not hold the state before step at, and returns the rows and the
// index of that state.
func (c *checkpoints) refine(e emitter, body *stablehlo.Block, rows []value, at, count,
	spacing value) (filled []value, index value) {
	// The base row of a level, its spacing and that of the level before.
	state := append([]value{e.count(0), spacing, e.count(maxSteps * 4)}, rows...)
	indexIn := func(e emitter, base, spacing, before value) value {
		return e.Add(base, e.Div(e.Do(stablehlo.OpRemainder, at, before), spacing))
	}
	more := func(e emitter, args []value) value { return e.Compare("GT", args[1], e.Fill(args[1], 1)) }
	out := e.while(state, more, func(e emitter, args []value) []value {
		base, spacing, before, rows := args[0], args[1], args[2], args[3:]
		from := indexIn(e, base, spacing, before)
		base = e.Plus(float64(c.k), base)
		next := e.Do(stablehlo.OpMaximum, e.Div(spacing, e.count(c.k)), e.count(1))
		// Steps first to last of the level; only first if the others are stored.
		first := e.Sub(at, e.Do(stablehlo.OpRemainder, at, spacing))
		entered := e.Do(stablehlo.OpOr, e.multiple(e.Plus(1, at), spacing), e.Compare("EQ", e.Plus(1, at), count))
		last := e.Select(entered, e.Sub(at, e.Do(stablehlo.OpRemainder, at, next)), first)
		state := make([]value, len(rows))
		filled := make([]value, len(rows))
		for i, r := range rows {
			state[i] = e.Row(r, from)
			filled[i] = e.SetRow(r, state[i], base)
		}
		k := 1 + len(state)
		out := e.while(slices.Concat([]value{first}, state, filled),
			func(e emitter, args []value) value { return e.Compare("LT", args[0], last) },
			func(e emitter, args []value) []value {
				state := c.step(e, body, args[1:k])
				now := e.Plus(1, args[0])
				row := e.Add(base, e.Div(e.Sub(now, first), next))
				return slices.Concat([]value{now}, state, c.store(e, args[k:], state, row, e.multiple(now, next)))
			})
		return slices.Concat([]value{base, next, spacing}, out[k:])
	})
	return out[3:], indexIn(e, out[0], out[1], out[2])
}

// step appends a copy of the ops that compute the stored elements of the next state from those of
// this one.
func (c *checkpoints) step(e emitter, body *stablehlo.Block, state []value) []value {
	m := map[value]value{}
	for k, i := range c.kept {
		m[body.Args[i]] = state[k]
	}
	for _, op := range body.Ops {
		if c.steps[op] {
			e.B.Block().Append(op.Clone(m))
		}
	}
	out := make([]value, len(c.kept))
	for k, i := range c.kept {
		v := body.Terminator().Operands[i]
		if w, ok := m[v]; ok {
			v = w
		}
		out[k] = v
	}
	return out
}

// closure returns the state elements on which the given ones depend through any number of steps,
// and the ops that compute them.
func closure(body *stablehlo.Block, elements []int) ([]int, map[*stablehlo.Op]bool) {
	for {
		steps := stepsOf(body, elements)
		used := map[value]bool{}
		for _, i := range elements {
			used[body.Terminator().Operands[i]] = true
		}
		for op := range steps {
			for x := range op.Walk() {
				for _, v := range x.Operands {
					used[v] = true
				}
			}
		}
		var all []int
		for i, a := range body.Args {
			if used[a] || slices.Contains(elements, i) {
				all = append(all, i)
			}
		}
		if len(all) == len(elements) {
			return elements, steps
		}
		elements = all
	}
}

// stepsOf returns the ops of a body that compute some elements of the next state.
func stepsOf(body *stablehlo.Block, elements []int) map[*stablehlo.Op]bool {
	used := map[value]bool{}
	for _, i := range elements {
		used[body.Terminator().Operands[i]] = true
	}
	steps := map[*stablehlo.Op]bool{}
	for _, op := range slices.Backward(body.Ops[:len(body.Ops)-1]) {
		if slices.ContainsFunc(op.Results, func(r value) bool { return used[r] }) {
			steps[op] = true
			for x := range op.Walk() {
				for _, v := range x.Operands {
					used[v] = true
				}
			}
		}
	}
	return steps
}

// copyBlock returns a detached copy of a block.
func copyBlock(b *stablehlo.Block) *stablehlo.Block {
	c := newScratch(typesOf(b.Args)...)
	m := map[value]value{}
	for i, a := range b.Args {
		m[a] = c.Args[i]
	}
	for _, op := range b.Ops {
		c.Append(op.Clone(m))
	}
	return c
}
