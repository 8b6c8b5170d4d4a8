package portable

import (
	"unsafe"

	"github.com/go-nx/nx/dtype"
	"github.com/go-nx/nx/internal/cpu/kernel"
	"github.com/go-nx/nx/internal/cpu/plan"
)

// Loads whose place is not an affine function of the point alone: with lookups, with
// guards, or with both.

// lookUp places such a load.
func (c *compiler) lookUp(v kernel.Value, in *kernel.Instr, acc int) step {
	varying := false
	for _, l := range in.At.Lookups {
		varying = varying || !c.refs[l.Index].uniform
	}
	switch {
	case len(in.At.Guards) == 0 && !varying: // a slice: affine from another base
		a := &c.Accesses[acc]
		reg := c.newPointer()
		if kernel.NeedsRound(in.Type) || a.Kind == plan.Strided {
			reg = c.takeReg(in.Type, c.level[v])
		}
		c.refs[v] = ref{reg, a.Kind == plan.Uniform}
		return c.moved(acc, c.loadStep(acc, reg, in.Type, in.Register()))
	}
	reg := c.takeReg(in.Type, c.level[v])
	c.refs[v] = ref{reg, c.level[v].uniform}
	if varying || c.level[v].uniform {
		return c.pointwise(in, acc, c.refs[v])
	}
	return c.guarded(in, acc, c.refs[v])
}

// moved returns a step during which access i starts where its lookups, the same for all
// points of a tile, say.
func (c *compiler) moved(i int, s step) step {
	by := c.lookups(c.Accesses[i].Access)
	return func(m *machine, n int) {
		d := int64(0)
		for _, l := range by {
			d += l(m, 0)
		}
		m.base[i] += d
		s(m, n)
		m.base[i] -= d
	}
}

// lookups returns, for each lookup of an access, how many elements it adds at element j
// of a tile.
func (c *compiler) lookups(a *kernel.Access) []func(m *machine, j int) int64 {
	var out []func(m *machine, j int) int64
	for _, l := range a.Lookups {
		r, stride, limit := c.refs[l.Index], l.Stride, l.Limit
		switch c.k.Body.Instrs[l.Index].Register() {
		case dtype.S8:
			out = append(out, lookup[int8](r, stride, limit))
		case dtype.S16:
			out = append(out, lookup[int16](r, stride, limit))
		case dtype.S32:
			out = append(out, lookup[int32](r, stride, limit))
		case dtype.S64:
			out = append(out, lookup[int64](r, stride, limit))
		case dtype.U8:
			out = append(out, lookup[uint8](r, stride, limit))
		case dtype.U16:
			out = append(out, lookup[uint16](r, stride, limit))
		case dtype.U32:
			out = append(out, lookup[uint32](r, stride, limit))
		default:
			out = append(out, lookup[uint64](r, stride, limit))
		}
	}
	return out
}

func lookup[T integer](r ref, stride, limit int64) func(m *machine, j int) int64 {
	return func(m *machine, j int) int64 {
		if r.uniform {
			j = 0
		}
		var zero T
		x := at(m.regs[r.reg], int64(j), int(unsafe.Sizeof(zero)))
		return clamp(*(*T)(x), limit) * stride
	}
}

// clamp returns x from 0 to limit.
func clamp[T integer](x T, limit int64) int64 {
	switch {
	case x < 0:
		return 0
	case uint64(x) > uint64(limit):
		return limit
	}
	return int64(x)
}

// pointwise returns the step that finds the place of each element of a tile: it fills
// the register from the places that are inside, and else with what stands for them.
func (c *compiler) pointwise(in *kernel.Instr, acc int, dst ref) step {
	var (
		a      = in.At
		mem    = in.Type
		size   = mem.Size()
		reg    = in.Register()
		width  = reg.Size()
		by     = c.lookups(a)
		widen  = widenLoop(mem, reg)
		fill   ref
		forms  = make([]func(m *machine, n int, visit func(j int, v int64)), 1+len(a.Guards))
		direct = mem == reg
	)
	if len(a.Guards) > 0 {
		fill = c.refs[a.Fill]
	}
	for g := range forms {
		forms[g] = c.values(acc + g)
	}
	return func(m *machine, n int) {
		if dst.uniform {
			n = 1
		}
		if len(m.places) < plan.TileElems {
			m.places = make([]int64, plan.TileElems)
		}
		places := m.places[:n]
		forms[0](m, n, func(j int, v int64) { places[j] = v })
		for _, l := range by {
			for j := range places {
				places[j] += l(m, j)
			}
		}
		for g := range a.Guards {
			limit := a.Guards[g].Size
			forms[1+g](m, n, func(j int, v int64) {
				if v < 0 || v >= limit {
					places[j] = -1
				}
			})
		}
		p, d := m.params[a.Param], m.regs[dst.reg]
		for j, i := range places {
			to := at(d, int64(j), width)
			switch {
			case i < 0:
				from := at(m.regs[fill.reg], int64(j), width)
				if fill.uniform {
					from = m.regs[fill.reg]
				}
				copyElem(to, from, width)
			case direct:
				copyElem(to, at(p, i, size), size)
			default:
				widen(to, at(p, i, size), 1)
			}
		}
	}
}

// copyElem copies an element of size bytes.
func copyElem(to, from unsafe.Pointer, size int) {
	switch size {
	case 1:
		*(*uint8)(to) = *(*uint8)(from)
	case 2:
		*(*uint16)(to) = *(*uint16)(from)
	case 4:
		*(*uint32)(to) = *(*uint32)(from)
	case 8:
		*(*uint64)(to) = *(*uint64)(from)
	default:
		*(*complex128)(to) = *(*complex128)(from)
	}
}

// values returns a function that visits the values of access i at the elements of a tile.
func (c *compiler) values(i int) func(m *machine, n int, visit func(j int, v int64)) {
	a := &c.Accesses[i]
	if a.Kind == plan.Uniform || c.Rows {
		inner := a.Inner
		if a.Kind == plan.Uniform {
			inner = 0
		}
		return func(m *machine, n int, visit func(j int, v int64)) {
			v := m.base[i]
			for j := range n {
				visit(j, v)
				v += inner
			}
		}
	}
	code := c.Code
	return func(m *machine, n int, visit func(j int, v int64)) {
		code.walk(m, i, n, func(j int, off, stride int64, run int) {
			for k := range run {
				visit(j+k, off+int64(k)*stride)
			}
		})
	}
}
