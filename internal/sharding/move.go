package sharding

// Split copies the part of a tensor that a device has. Dims and local are the dimensions of
// the tensor and of the part, size the bytes of an element.
func (m *Manual) Split(part, whole []byte, s Spec, dims, local []int64, size, device int) {
	m.walk(s, dims, local, size, device, func(p, w, n int) { copy(part[p:p+n], whole[w:w+n]) })
}

// Join copies a part to where it is in the tensor. Of devices that have the same part, one
// does it: [Manual.Owns] reports which.
func (m *Manual) Join(whole, part []byte, s Spec, dims, local []int64, size, device int) {
	m.walk(s, dims, local, size, device, func(p, w, n int) { copy(whole[w:w+n], part[p:p+n]) })
}

// Owns reports whether a device is the first of those with the same part.
func (m *Manual) Owns(s Spec, device int) bool {
	for _, a := range m.Mesh {
		if !s.Uses(a.Name) && m.Mesh.At(device, a.Name) != 0 {
			return false
		}
	}
	return true
}

// Parts returns into how many different parts a tensor is cut.
func (m *Manual) Parts(s Spec) int {
	n := 1
	for _, a := range m.Mesh {
		if s.Uses(a.Name) {
			n *= a.Size
		}
	}
	return n
}

// Part returns which of the different parts of a tensor a device has.
func (m *Manual) Part(s Spec, device int) int {
	part := 0
	for _, a := range m.Mesh {
		if s.Uses(a.Name) {
			part = part*a.Size + m.Mesh.At(device, a.Name)
		}
	}
	return part
}

// walk iterates over the runs of elements that are contiguous in both the shard and the full tensor.
func (m *Manual) walk(s Spec, dims, local []int64, size, device int, f func(part, whole, n int)) {
	start := make([]int64, len(dims))
	for d, axes := range s {
		at := 0
		for _, a := range axes {
			at = at*m.Mesh.Size(a) + m.Mesh.At(device, a)
		}
		start[d] = int64(at) * local[d]
	}
	row, inner := size, len(dims) // dimensions from inner on are not split
	for inner > 0 && local[inner-1] == dims[inner-1] {
		inner--
		row *= int(dims[inner])
	}
	if inner > 0 {
		inner--
		row *= int(local[inner])
	}
	if row == 0 {
		return
	}
	part := 0
	var rows func(d int, whole int64)
	rows = func(d int, whole int64) {
		if d == inner {
			if d < len(dims) {
				whole = whole*dims[d] + start[d]
			}
			for k := d + 1; k < len(dims); k++ {
				whole *= dims[k]
			}
			f(part, int(whole)*size, row)
			part += row
			return
		}
		for i := range local[d] {
			rows(d+1, whole*dims[d]+start[d]+i)
		}
	}
	rows(0, 0)
}
