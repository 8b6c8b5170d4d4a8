package portable

import (
	"slices"

	"github.com/go-nx/nx/internal/cpu/kernel"
)

// space is a list of dimensions walked in row-major order.
type space struct {
	dims []int64
	size int64
}

// access is a kernel.Access split over the two spaces of the loop nest.
type access struct {
	at    *kernel.Access
	seq   []int64 // strides over the sequential space
	vec   []int64 // strides over the vector space
	inner int64   // the stride of the innermost vector dimension
	kind  accessKind
}

type accessKind uint8

const (
	strided    accessKind = iota
	uniform               // one element for the whole tile
	contiguous            // neighbours in memory are neighbours in the tile
)

// minRow is the length from which the innermost dimension is a row of its own:
// tiles do not cross its end, so that broadcast and contiguous operands need
// no copying.
const minRow = 128

// smallReduced is the size below which a reduction prefers to have its
// outputs, not its inputs, in the vector.
const smallReduced = 64

// layout chooses which dimensions tiles run over (vec) and which are looped
// over around them (seq), merges the dimensions of each that all accesses walk
// alike, and classifies the accesses.
func (c *compiler) layout() {
	k := c.k
	np := len(k.Dims) - k.NumReduced
	var all []*kernel.Access
	for i := range k.Body.Instrs {
		if a := k.Body.Instrs[i].At; a != nil {
			all = append(all, a)
		}
	}
	for i := range k.Stores {
		all = append(all, &k.Stores[i].At)
	}
	outputs := len(all) // from here on accesses have strides over the kept dimensions only
	for i := range k.Reduces {
		for j := range k.Reduces[i].At {
			all = append(all, &k.Reduces[i].At[j])
		}
	}
	stride := func(a, d int) int64 {
		if d < len(all[a].Strides) {
			return all[a].Strides[d]
		}
		return 0
	}
	kept := mergeDims(k.Dims[:np], len(all), stride)
	folded := mergeDims(k.Dims[np:], outputs, func(a, d int) int64 { return stride(a, np+d) })

	var vec, seq []mergedDim
	switch {
	case len(k.Reduces) == 0:
		c.form, vec = formMap, kept
	case c.foldsInner(kept, folded, outputs):
		c.form, vec, seq = formInner, folded, kept
	default:
		c.form, vec, seq = formOuter, kept, folded
	}
	if len(vec) == 0 { // a scalar
		vec = []mergedDim{{size: 1, strides: make([]int64, len(all))}}
	}
	c.vec, c.seq = spaceOf(vec), spaceOf(seq)
	c.rows = len(vec) == 1 || vec[len(vec)-1].size >= minRow

	c.accesses = make([]access, len(all))
	for i, a := range all {
		c.accesses[i] = newAccess(a, column(vec, i), column(seq, i), c.vec.dims, c.rows)
	}
	c.numLoads = outputs - len(k.Stores)
	c.numElementwise = outputs
}

// foldsInner reports whether the reduced dimensions should be the vector.
func (c *compiler) foldsInner(kept, folded []mergedDim, loads int) bool {
	nk, nf := spaceOf(kept).size, spaceOf(folded).size
	if len(folded) == 0 || len(kept) == 0 {
		return len(kept) == 0
	}
	if nf < smallReduced {
		return nk < nf
	}
	keptUnit, foldedUnit := 0, 0
	for a := range loads {
		if kept[len(kept)-1].strides[a] == 1 {
			keptUnit++
		}
		if folded[len(folded)-1].strides[a] == 1 {
			foldedUnit++
		}
	}
	return foldedUnit >= keptUnit || nk < smallReduced
}

// mergedDim is a run of kernel dimensions walked as one.
type mergedDim struct {
	size    int64
	strides []int64 // by access
}

// mergeDims drops dimensions of size 1 and merges neighbours that every access
// walks as one.
func mergeDims(dims []int64, numAccesses int, stride func(a, d int) int64) []mergedDim {
	var out []mergedDim
	for d, size := range dims {
		if size == 1 {
			continue
		}
		s := make([]int64, numAccesses)
		for a := range s {
			s[a] = stride(a, d)
		}
		if len(out) > 0 {
			prev := &out[len(out)-1]
			fits := true
			for a := range s {
				if prev.strides[a] != s[a]*size {
					fits = false
					break
				}
			}
			if fits {
				prev.size *= size
				prev.strides = s
				continue
			}
		}
		out = append(out, mergedDim{size, s})
	}
	return out
}

func spaceOf(dims []mergedDim) space {
	s := space{size: 1}
	for _, d := range dims {
		s.dims = append(s.dims, d.size)
		s.size *= d.size
	}
	return s
}

// column returns the strides of access a; zeros beyond those it has.
func column(dims []mergedDim, a int) []int64 {
	out := make([]int64, len(dims))
	for d := range dims {
		if a < len(dims[d].strides) {
			out[d] = dims[d].strides[a]
		}
	}
	return out
}

func newAccess(at *kernel.Access, vec, seq, dims []int64, rows bool) access {
	a := access{at: at, vec: vec, seq: seq, inner: vec[len(vec)-1]}
	switch {
	case !slices.ContainsFunc(vec, func(s int64) bool { return s != 0 }):
		a.kind = uniform
	case rows && a.inner == 0:
		a.kind = uniform
	case rows && a.inner == 1, isLinear(vec, dims):
		a.kind = contiguous
	}
	return a
}

// isLinear reports whether the strides are those of a dense row-major array.
func isLinear(strides, dims []int64) bool {
	n := int64(1)
	for d := len(dims) - 1; d >= 0; d-- {
		if strides[d] != n {
			return false
		}
		n *= dims[d]
	}
	return true
}

func offset(strides, dims []int64, linear int64) int64 {
	if len(dims) == 1 {
		return strides[0] * linear
	}
	off := int64(0)
	for d := len(dims) - 1; d >= 0 && linear != 0; d-- {
		q := linear / dims[d]
		off += strides[d] * (linear - q*dims[d])
		linear = q
	}
	return off
}

// tileLen returns how many elements the tile at v may have, at most up to end.
func (c *Code) tileLen(v, end int64) int64 {
	n := min(end-v, tileElems)
	if c.rows {
		row := c.vec.dims[len(c.vec.dims)-1]
		n = min(n, row-v%row)
	}
	return n
}
