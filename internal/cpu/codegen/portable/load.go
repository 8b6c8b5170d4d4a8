package portable

import (
	"unsafe"

	"github.com/go-nx/nx/dtype"
	"github.com/go-nx/nx/internal/cpu/kernels/half"
	"github.com/go-nx/nx/internal/cpu/plan"
	"github.com/go-nx/nx/internal/cpu/rt"
)

// loadStep returns the step that fills register reg from access i. A direct load only sets the pointer of the register.
func (c *compiler) loadStep(i, reg int, mem, typ dtype.Type) step {
	a := &c.Accesses[i]
	size := mem.Size()
	if mem == typ && a.Kind != plan.Strided {
		p := a.Param
		return func(m *machine, n int) { m.regs[reg] = at(m.params[p], m.base[i], size) }
	}
	if mem == typ {
		return c.gatherStep(i, reg, size)
	}
	raw := func(m *machine, n int) unsafe.Pointer { return at(m.params[a.Param], m.base[i], size) }
	var gather step
	if a.Kind == plan.Strided {
		tmp := c.newReg(typ, false) // registers are at least as wide as memory elements
		gather = c.gatherStep(i, tmp, size)
		raw = func(m *machine, n int) unsafe.Pointer { return m.regs[tmp] }
	}
	one := a.Kind == plan.Broadcast
	widen := widenLoop(mem, typ)
	return func(m *machine, n int) {
		if gather != nil {
			gather(m, n)
		}
		if one {
			n = 1
		}
		widen(m.regs[reg], raw(m, n), n)
	}
}

// gatherStep copies the elements of a strided access into a register.
func (c *compiler) gatherStep(i, reg, size int) step {
	return rt.BySize(size, gather[uint8], gather[uint16], gather[uint32], gather[uint64], gather[complex128])(
		c.Code, i, reg)
}

func gather[T any](c *Code, i, reg int) step {
	a := &c.Accesses[i]
	var z T
	size := int(unsafe.Sizeof(z))
	if c.RowTiles {
		inner := int(a.Inner) * size
		return func(m *machine, n int) {
			d := unsafe.Slice((*T)(m.regs[reg]), n)
			p := at(m.params[a.Param], m.base[i], size)
			for j := range d { // the pointer must stay in bounds
				d[j] = *(*T)(unsafe.Add(p, j*inner))
			}
		}
	}
	w := c.WalkOf(i)
	return func(m *machine, n int) {
		d := unsafe.Slice((*T)(m.regs[reg]), n)
		p := m.params[a.Param]
		m.walk(w, m.base[i], n, func(j int, off, stride int64, run int) {
			q, d := at(p, off, size), d[j:j+run]
			switch stride {
			case 0:
				rt.Fill(d, *(*T)(q))
			case 1:
				copy(d, unsafe.Slice((*T)(q), run))
			default:
				for k := range d {
					d[k] = *(*T)(unsafe.Add(q, k*int(stride)*size))
				}
			}
		})
	}
}

// walk calls visit for each run along the innermost dimension of the tile that starts at m.start, with its position in
// the tile, the element offset, the stride and the length.
func (c *Code) walk(m *machine, i, n int, visit func(j int, off, stride int64, run int)) {
	m.walk(plan.Walk{Dims: c.Vec.Dims, Strides: c.Accesses[i].Vec}, m.base[i], n, visit)
}

// walk is Code.walk for an access whose first element is off.
func (m *machine) walk(w plan.Walk, off int64, n int, visit func(j int, off, stride int64, run int)) {
	dims := w.Dims
	last := len(dims) - 1
	inner := w.Strides[last]
	idx := m.index[:len(dims)]
	v := m.start
	for d := last; d >= 0; d-- {
		q := v / dims[d]
		idx[d] = v - q*dims[d]
		v = q
	}
	for j := 0; j < n; {
		run := int(min(int64(n-j), dims[last]-idx[last]))
		visit(j, off, inner, run)
		j += run
		off += int64(run) * inner
		idx[last] += int64(run)
		for d := last; d > 0 && idx[d] == dims[d]; d-- {
			idx[d] = 0
			idx[d-1]++
			off += w.Strides[d-1] - w.Strides[d]*dims[d]
		}
	}
}

// indexStep fills a register with the integers of an Index access.
//
//go:noinline
func indexStep[T integer | float | cplx](c *Code, i, reg int, conv func(int64) T) step {
	a := &c.Accesses[i]
	if a.Kind == plan.Broadcast {
		return func(m *machine, n int) { *(*T)(m.regs[reg]) = conv(m.base[i]) }
	}
	if c.RowTiles {
		return func(m *machine, n int) {
			d := unsafe.Slice((*T)(m.regs[reg]), n)
			v := m.base[i]
			for j := range d {
				d[j] = conv(v)
				v += a.Inner
			}
		}
	}
	return func(m *machine, n int) {
		d := unsafe.Slice((*T)(m.regs[reg]), n)
		c.walk(m, i, n, func(j int, off, stride int64, run int) {
			for k := range run {
				d[j+k] = conv(off)
				off += stride
			}
		})
	}
}

// storeStep writes a register to access i as elements of type mem.
func (c *compiler) storeStep(i int, r ref, mem, typ dtype.Type) step {
	if at := c.Accesses[i].Access; len(at.Lookups) > 0 {
		return c.offsetByLookups(i, c.affineStore(i, r, mem, typ))
	}
	return c.affineStore(i, r, mem, typ)
}

func (c *compiler) affineStore(i int, r ref, mem, typ dtype.Type) step {
	narrow := c.narrowStep(r, mem, typ)
	put := rt.BySize(mem.Size(), scatter[uint8], scatter[uint16], scatter[uint32], scatter[uint64],
		scatter[complex128])(c.Code, i, narrow.ref)
	if narrow.step == nil {
		return put
	}
	return func(m *machine, n int) {
		narrow.step(m, n)
		put(m, n)
	}
}

func scatter[T any](c *Code, i int, r ref) step {
	a := &c.Accesses[i]
	var z T
	size := int(unsafe.Sizeof(z))
	if a.Kind == plan.Contiguous || a.Kind == plan.Broadcast || c.RowTiles {
		inner := int(a.Inner) * size
		return func(m *machine, n int) {
			p := at(m.params[a.Param], m.base[i], size)
			s := vec[T](m, r, n)
			switch {
			case a.Kind == plan.Contiguous && r.uniform:
				rt.Fill(unsafe.Slice((*T)(p), n), s[0])
			case a.Kind == plan.Contiguous:
				copy(unsafe.Slice((*T)(p), n), s)
			case r.uniform:
				for j := range n {
					*(*T)(unsafe.Add(p, j*inner)) = s[0]
				}
			default:
				for j := range s {
					*(*T)(unsafe.Add(p, j*inner)) = s[j]
				}
			}
		}
	}
	return func(m *machine, n int) {
		s := vec[T](m, r, n)
		p := m.params[a.Param]
		c.walk(m, i, n, func(j int, off, stride int64, run int) {
			q := at(p, off, size)
			for k := range run {
				v := s[0]
				if !r.uniform {
					v = s[j+k]
				}
				*(*T)(unsafe.Add(q, k*int(stride)*size)) = v
			}
		})
	}
}

type narrowed struct {
	ref  ref
	step step
}

// narrowStep returns the register with the elements of r in their memory format, and the step that fills it if it is
// not r.
func (c *compiler) narrowStep(r ref, mem, typ dtype.Type) narrowed {
	if mem == typ || mem.Size() == typ.Size() && !mem.IsFloat() {
		return narrowed{ref: r}
	}
	reg := c.newReg(typ, r.uniform)
	loop := narrowLoop(mem)
	return narrowed{ref{reg, r.uniform}, func(m *machine, n int) {
		if r.uniform {
			n = 1
		}
		loop(m.regs[reg], m.regs[r.reg], n)
	}}
}

// widenLoop converts memory elements to register elements.
func widenLoop(mem, typ dtype.Type) func(dst, src unsafe.Pointer, n int) {
	switch {
	case mem == dtype.F16:
		return onSlices(half.WidenF16)
	case mem == dtype.BF16:
		return onSlices(half.WidenBF16)
	case mem.IsFloat() && mem != typ:
		numbers := new([256]float32) // of the one-byte elements
		for b := range numbers {
			numbers[b] = float32(mem.LoadFloat([]byte{byte(b)}, 0))
		}
		return onSlices(func(d []float32, s []byte) {
			for i, b := range s[:len(d)] {
				d[i] = numbers[b]
			}
		})
	}
	size := mem.Size() // sub-byte integers are extended to one byte, as in their register
	return func(dst, src unsafe.Pointer, n int) {
		copy(unsafe.Slice((*byte)(dst), n*size), unsafe.Slice((*byte)(src), n*size))
	}
}

// narrowLoop converts rounded register elements to the narrower float type mem.
func narrowLoop(mem dtype.Type) func(dst, src unsafe.Pointer, n int) {
	switch mem {
	case dtype.F16:
		return onSlices(half.NarrowF16)
	case dtype.BF16:
		return onSlices(half.NarrowBF16)
	}
	return onSlices(func(d []byte, s []float32) {
		for i, x := range s {
			mem.StoreFloat(d, i, float64(x))
		}
	})
}

// onSlices converts a loop over slices to one over n elements at two addresses.
func onSlices[D, S any](loop func(dst []D, src []S)) func(dst, src unsafe.Pointer, n int) {
	return func(dst, src unsafe.Pointer, n int) { loop(unsafe.Slice((*D)(dst), n), unsafe.Slice((*S)(src), n)) }
}
