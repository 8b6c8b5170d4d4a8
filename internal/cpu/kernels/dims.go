package kernels

// A Dim is one dimension of a view: its size and the distance, in elements,
// between neighbours along it. Strides may be 0 (broadcast) and negative (reverse).
type Dim struct{ Size, Stride int }

// Dims is a list of dimensions, the outermost first. The empty list is a single
// element.
type Dims []Dim

// RowMajor returns the dimensions of a dense array.
func RowMajor(sizes ...int) Dims {
	d := make(Dims, len(sizes))
	stride := 1
	for i := len(sizes) - 1; i >= 0; i-- {
		d[i] = Dim{sizes[i], stride}
		stride *= sizes[i]
	}
	return d
}

// Size returns the number of elements.
func (d Dims) Size() int {
	n := 1
	for _, x := range d {
		n *= x.Size
	}
	return n
}

// affine reports whether element i of the view, in row-major order, lies at offset
// i*stride.
func (d Dims) affine() (stride int, ok bool) {
	next, found := 0, false // the stride that the next outer dimension must have
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

// at returns the offset of element i in row-major order.
func (d Dims) at(i int) int {
	off := 0
	for a := len(d) - 1; a >= 0 && i > 0; a-- {
		off += i % d[a].Size * d[a].Stride
		i /= d[a].Size
	}
	return off
}

// offsets writes the offsets of elements first, first+1, … to dst.
func (d Dims) offsets(dst []int, first int) {
	if stride, ok := d.affine(); ok {
		for i := range dst {
			dst[i] = (first + i) * stride
		}
		return
	}
	last := d[len(d)-1]
	outer := d[:len(d)-1]
	for len(dst) > 0 {
		base, j := outer.at(first/last.Size), first%last.Size
		n := min(len(dst), last.Size-j)
		for i := range n {
			dst[i] = base + (j+i)*last.Stride
		}
		dst, first = dst[n:], first+n
	}
}

// collapse merges neighbouring dimensions that one stride covers and drops those
// of size 1.
func (d Dims) collapse() Dims {
	var out Dims
	for _, x := range d {
		if x.Size == 1 {
			continue
		}
		if n := len(out); n > 0 && out[n-1].Stride == x.Size*x.Stride {
			out[n-1] = Dim{out[n-1].Size * x.Size, x.Stride}
			continue
		}
		out = append(out, x)
	}
	return out
}
