package portable

import (
	"unsafe"

	"github.com/go-nx/nx/internal/cpu/kernel"
	"github.com/go-nx/nx/internal/cpu/rt"
)

// guarded returns the step of a load with guards whose lookups, if any, are uniform: along the innermost dimension of
// the tile, the elements in bounds are a contiguous run with padding on both sides.
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
	// run loads n elements from element j of the tile on; at0 and guard have the offsets of the access and of each
	// guard.
	run := func(m *machine, j, n int, at0 int64, guard func(g int) int64) {
		lo, hi := 0, n
		for g := range a.Guards {
			from, to := kernel.Inside(guard(g), c.Accesses[acc+1+g].Inner, a.Guards[g].Size, int64(n))
			lo, hi = max(lo, int(from)), min(hi, int(to))
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
		if c.RowTiles {
			run(m, 0, n, m.base[acc]+moved, func(g int) int64 { return m.base[acc+1+g] })
			return
		}
		dims := c.Vec.Dims
		last := dims[len(dims)-1]
		for j := 0; j < n; {
			v := m.start + int64(j)
			k := int(min(last-v%last, int64(n-j)))
			offset := func(i int) int64 {
				strides := c.Accesses[i].Vec
				return m.base[i] + c.Vec.Offset(strides, v) - c.Vec.Offset(strides, m.start)
			}
			run(m, j, k, offset(acc)+moved, func(g int) int64 { return offset(acc + 1 + g) })
			j += k
		}
	}
}

// fillElems writes n elements of size bytes: those of src, or one of them n times.
func fillElems(dst, src unsafe.Pointer, n, size int, uniform bool) {
	if n == 0 || !uniform {
		copyElems(dst, src, n, size, false)
		return
	}
	switch size {
	case 1:
		rt.Fill(unsafe.Slice((*uint8)(dst), n), *(*uint8)(src))
	case 2:
		rt.Fill(unsafe.Slice((*uint16)(dst), n), *(*uint16)(src))
	case 4:
		rt.Fill(unsafe.Slice((*uint32)(dst), n), *(*uint32)(src))
	case 8:
		rt.Fill(unsafe.Slice((*uint64)(dst), n), *(*uint64)(src))
	default:
		rt.Fill(unsafe.Slice((*complex128)(dst), n), *(*complex128)(src))
	}
}
