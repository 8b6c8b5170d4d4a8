package gemm

// A Dim is one dimension of a view: its size and its stride in elements. Strides may be 0 (broadcast) and negative
// (reverse).
type Dim struct{ Size, Stride int }

// Dims is a list of dimensions, outermost first. The empty list is a single element.
type Dims []Dim

// Size returns the number of elements.
func (d Dims) Size() int {
	n := 1
	for _, x := range d {
		n *= x.Size
	}
	return n
}

// affine reports whether element i of the view, in row-major order, has offset i*stride.
//
//go:noinline
func (d Dims) affine() (stride int, ok bool) {
	next, found := 0, false // the required stride of the next outer dimension
	for i := len(d) - 1; i >= 0; i-- {
		x := d[i]
		switch {
		case x.Size == 1:
		case !found:
			stride, next, found = x.Stride, x.Stride*x.Size, true
		case x.Stride != next:
			return 0, false
		default:
			next *= x.Size
		}
	}
	if !found {
		stride = 1
	}
	return stride, true
}

// At returns the offset of element i in row-major order.
//
//go:noinline
func (d Dims) At(i int) int {
	off := 0
	for a := len(d) - 1; a >= 0 && i > 0; a-- {
		off += i % d[a].Size * d[a].Stride
		i /= d[a].Size
	}
	return off
}

// Offsets writes the offsets of elements first, first+1, … to dst.
func (d Dims) Offsets(dst []int, first int) {
	if stride, ok := d.affine(); ok {
		for i := range dst {
			dst[i] = (first + i) * stride
		}
		return
	}
	last := d[len(d)-1]
	outer := d[:len(d)-1]
	for len(dst) > 0 {
		base, j := outer.At(first/last.Size), first%last.Size
		n := min(len(dst), last.Size-j)
		for i := range n {
			dst[i] = base + (j+i)*last.Stride
		}
		dst, first = dst[n:], first+n
	}
}
