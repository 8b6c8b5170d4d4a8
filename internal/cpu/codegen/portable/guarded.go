package portable

import (
	"unsafe"

	"github.com/go-nx/nx/internal/cpu/kernel"
)

// guarded returns the step of a load with guards whose lookups, if any, are the same for all
// points: along the innermost dimension of the tile the elements that are read are a run,
// and what stands for the others is before and after it.
func (c *compiler) guarded(in *kernel.Instr, acc int, dst ref) step {
	var (
		a     = in.At
		mem   = in.Type
		size  = mem.Size()
		width = in.Register().Size()
		inner = c.Accesses[acc].Inner
		widen = widenLoop(mem, in.Register())
		by    = c.lookups(a)
		fill  = c.refs[a.Fill]
		same  = mem == in.Register()
	)
	if c.level[a.Fill].uniform {
		fill.uniform = true
	}
	// run does n elements from element j of the tile on; at holds where the access and each
	// of its guards start.
	run := func(m *machine, j, n int, at0 int64, guard func(g int) int64) {
		lo, hi := 0, n
		for g := range a.Guards {
			from, to := inside(guard(g), c.Accesses[acc+1+g].Inner, a.Guards[g].Size, n)
			lo, hi = max(lo, from), min(hi, to)
		}
		lo = min(lo, n)
		hi = max(lo, hi)
		d := unsafe.Add(m.regs[dst.reg], j*width)
		rest := m.regs[fill.reg]
		if !fill.uniform {
			rest = unsafe.Add(rest, j*width)
		}
		fillElems(d, rest, lo, width, fill.uniform)
		if !fill.uniform {
			rest = unsafe.Add(rest, hi*width)
		}
		fillElems(unsafe.Add(d, hi*width), rest, n-hi, width, fill.uniform)
		if lo == hi {
			return
		}
		d = unsafe.Add(d, lo*width)
		p := at(m.params[a.Param], at0+int64(lo)*inner, size)
		copyRun(d, p, hi-lo, size, width, int(inner), same, widen)
	}
	return func(m *machine, n int) {
		moved := int64(0)
		for _, l := range by {
			moved += l(m, 0)
		}
		if c.Rows {
			run(m, 0, n, m.base[acc]+moved, func(g int) int64 { return m.base[acc+1+g] })
			return
		}
		dims := c.Vec.Dims
		last := dims[len(dims)-1]
		for j := 0; j < n; {
			v := m.start + int64(j)
			k := int(min(last-v%last, int64(n-j)))
			place := func(i int) int64 {
				strides := c.Accesses[i].Vec
				return m.base[i] + c.Vec.Offset(strides, v) - c.Vec.Offset(strides, m.start)
			}
			run(m, j, k, place(acc)+moved, func(g int) int64 { return place(acc + 1 + g) })
			j += k
		}
	}
}

// inside returns which of n elements, the i-th of which has the value first + i·step, have
// one of at least 0 and less than size: those from lo to hi-1, if any.
func inside(first, step, size int64, n int) (lo, hi int) {
	switch {
	case step == 0:
		if first < 0 || first >= size {
			return n, n
		}
		return 0, n
	case step < 0: // the other way round
		last := first + step*int64(n-1)
		from, to := inside(last, -step, size, n)
		return n - to, n - from
	}
	from := min(max((step-1-first)/step, 0), int64(n))
	if first >= 0 {
		from = 0
	}
	to := int64(0)
	if size > first {
		to = min((size-first+step-1)/step, int64(n))
	}
	return int(from), int(max(to, from))
}

// fillElems writes n elements of size bytes: those of src, or one of them n times.
func fillElems(dst, src unsafe.Pointer, n, size int, uniform bool) {
	if n == 0 || !uniform {
		copyElems(dst, src, n, size, false)
		return
	}
	switch size {
	case 1:
		fill(unsafe.Slice((*uint8)(dst), n), *(*uint8)(src))
	case 2:
		fill(unsafe.Slice((*uint16)(dst), n), *(*uint16)(src))
	case 4:
		fill(unsafe.Slice((*uint32)(dst), n), *(*uint32)(src))
	case 8:
		fill(unsafe.Slice((*uint64)(dst), n), *(*uint64)(src))
	default:
		fill(unsafe.Slice((*complex128)(dst), n), *(*complex128)(src))
	}
}
