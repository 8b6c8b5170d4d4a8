package interp

// rowMajor returns the steps, in elements, from one index to the next along
// each dimension of a row-major tensor.
//
//go:noinline
func rowMajor(dims []int64) []int {
	steps := make([]int, len(dims))
	n := 1
	for d := len(dims) - 1; d >= 0; d-- {
		steps[d] = n
		n *= int(dims[d])
	}
	return steps
}

// mover copies a box of elements between two buffers whose elements are at linear functions of the index:
// element i of the box is number from + Σ i[d]*step[d] of its buffer. Steps may be negative or 0. A mover can
// run many times without allocation.
type mover struct {
	size     int // bytes copied at once
	n        int // how many times along the innermost dimension
	dst, src int // bytes from one to the next
	outer    []axis
	empty    bool
}

// axis is one dimension that a mover counts through.
type axis struct {
	n, i     int
	dst, src int // steps in bytes
}

// newMover returns a mover of a box of elements of size bytes.
func newMover(dims []int64, size int, dstSteps, srcSteps []int) *mover {
	m := &mover{size: size, n: 1}
	var axes []axis // innermost first
	for d := len(dims) - 1; d >= 0; d-- {
		n := int(dims[d])
		if n == 0 {
			m.empty = true
		}
		if n == 1 {
			continue
		}
		a := axis{n: n, dst: dstSteps[d] * size, src: srcSteps[d] * size}
		if len(axes) == 0 && a.dst == m.size && a.src == m.size {
			m.size *= n // contiguous on both sides: one copy
			continue
		}
		if k := len(axes); k > 0 && a.dst == axes[k-1].n*axes[k-1].dst && a.src == axes[k-1].n*axes[k-1].src {
			axes[k-1].n *= n // continues the dimension inside it
			continue
		}
		axes = append(axes, a)
	}
	if len(axes) > 0 {
		m.n, m.dst, m.src = axes[0].n, axes[0].dst, axes[0].src
		m.outer = axes[1:]
	}
	return m
}

// run copies the box whose first elements are numbers dstFrom and srcFrom of
// buffers of elements of size bytes. It ends early when the frame's context does.
func (m *mover) run(f *frame, dst, src []byte, dstFrom, srcFrom, size int) error {
	if m.empty {
		return nil
	}
	d, s := dstFrom*size, srcFrom*size
	for {
		for from := 0; from < m.n; from += atOnce {
			n := min(atOnce, m.n-from)
			if err := f.tickN(n * m.size / 16); err != nil {
				return err
			}
			m.row(dst, src, d+from*m.dst, s+from*m.src, n)
		}
		k := 0
		for ; k < len(m.outer); k++ {
			a := &m.outer[k]
			a.i++
			d += a.dst
			s += a.src
			if a.i < a.n {
				break
			}
			d -= a.n * a.dst
			s -= a.n * a.src
			a.i = 0
		}
		if k == len(m.outer) {
			return nil
		}
	}
}

// row copies n elements of the innermost dimension.
func (m *mover) row(dst, src []byte, d, s, n int) {
	switch m.size {
	case 1:
		for range n {
			dst[d] = src[s]
			d += m.dst
			s += m.src
		}
	case 4:
		for range n {
			copy(dst[d:d+4], src[s:s+4])
			d += m.dst
			s += m.src
		}
	case 8:
		for range n {
			copy(dst[d:d+8], src[s:s+8])
			d += m.dst
			s += m.src
		}
	default:
		for range n {
			copy(dst[d:d+m.size], src[s:s+m.size])
			d += m.dst
			s += m.src
		}
	}
}

// fill sets all elements of a buffer to one.
func fill(dst, elem []byte) {
	if len(dst) == 0 || len(elem) == 0 {
		return
	}
	for n := copy(dst, elem); n < len(dst); n *= 2 {
		copy(dst[n:], dst[:n])
	}
}
