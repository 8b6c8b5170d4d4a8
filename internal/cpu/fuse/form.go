package fuse

import (
	"slices"

	"github.com/go-nx/nx/stablehlo"
)

// form is an affine function of the point of an iteration space: how one coordinate of a value
// depends on the loop indices. Forms belong to an iterSpace, which keeps their coefficients in step
// with its dimensions.
type form struct {
	c int64
	k []int64 // a coefficient per dimension of the space
}

func (f *form) equal(g *form) bool { return f == g || f.c == g.c && slices.Equal(f.k, g.k) }

// view is the coordinates of an element of a value, per dimension, as functions of the point of the
// iteration space.
type view []*form

func (v view) equal(w view) bool { return slices.EqualFunc(v, w, (*form).equal) }

// iterSpace is an iteration space under construction. Its dimensions may be split while expressions
// over it are built.
type iterSpace struct {
	dims        []int64
	reduced     int // number of the last dims that are reduced
	forms       []*form
	spareForms  []form  // allocated in batches
	spareCoeffs []int64 // coefficients of these
}

// newForm returns the constant form.
//
//go:noinline
func (n *iterSpace) newForm(c int64) *form {
	const many = 16
	dims := len(n.dims)
	if len(n.spareForms) == 0 {
		n.spareForms = make([]form, many)
	}
	if len(n.spareCoeffs) < dims {
		n.spareCoeffs = make([]int64, many*dims)
	}
	f := &n.spareForms[0]
	f.c, f.k = c, n.spareCoeffs[:dims:dims]
	n.spareForms, n.spareCoeffs = n.spareForms[1:], n.spareCoeffs[dims:]
	n.forms = append(n.forms, f)
	return f
}

// scaled returns f*by + plus.
func (n *iterSpace) scaled(f *form, by, plus int64) *form {
	g := n.newForm(f.c*by + plus)
	for d, k := range f.k {
		g.k[d] = k * by
	}
	return g
}

// shifted returns the view of a value that lies at start in a larger one.
func (n *iterSpace) shifted(v view, start []int64) view {
	out := slices.Clone(v)
	for d, f := range v {
		if start[d] != 0 {
			out[d] = n.scaled(f, 1, start[d])
		}
	}
	return out
}

// split replaces dimension d by two, the inner one of size q.
func (n *iterSpace) split(d int, q int64) {
	if d >= len(n.dims)-n.reduced {
		n.reduced++
	}
	outer := n.dims[d] / q
	n.dims[d] = q
	n.dims = slices.Insert(n.dims, d, outer)
	for _, f := range n.forms {
		f.k = slices.Insert(f.k, d, f.k[d]*q)
	}
}

// divMod returns forms of f/q and f mod q for a form with values in [0, size), splitting dimensions
// where that makes them affine; ok is false when they are not.
func (n *iterSpace) divMod(f *form, q int64) (div, mod *form, ok bool) {
	for d := 0; d < len(n.dims); d++ {
		k := f.k[d]
		if k < 0 {
			return nil, nil, false
		}
		if k == 0 || k%q == 0 || n.dims[d] == 1 {
			continue
		}
		// Steps of k inside a period of q: this dimension must end at the period or be cut there.
		if q%k != 0 {
			return nil, nil, false
		}
		inner := q / k
		if n.dims[d] <= inner {
			continue
		}
		if n.dims[d]%inner != 0 {
			return nil, nil, false
		}
		n.split(d, inner)
		d++ // the inner part stays below q
	}
	div, mod = n.newForm(f.c/q), n.newForm(f.c%q)
	hi := mod.c
	for d, k := range f.k {
		switch {
		case k%q == 0:
			div.k[d] = k / q
		default:
			mod.k[d] = k
			hi += k * (n.dims[d] - 1)
		}
	}
	return div, mod, hi < q // no carry from the low part
}

// viewOf maps a view of the result of an op that rearranges elements dimension by dimension to the
// view of its operand; nil for other ops.
func (n *iterSpace) viewOf(op *stablehlo.Op, at view) view {
	in := op.Operands[0].Tensor()
	switch op.Code {
	case stablehlo.OpBroadcastInDim:
		dims := op.Ints("broadcast_dimensions")
		from := make(view, len(dims))
		for j, d := range dims {
			if in.Dims[j] == 1 {
				from[j] = n.newForm(0)
			} else {
				from[j] = at[d]
			}
		}
		return from
	case stablehlo.OpBroadcast:
		return at[len(at)-in.Rank():]
	case stablehlo.OpTranspose:
		from := make(view, len(at))
		for i, d := range op.Ints("permutation") {
			from[d] = at[i]
		}
		return from
	case stablehlo.OpSlice:
		from := make(view, len(at))
		start, stride := op.Ints("start_indices"), op.Ints("strides")
		for d := range at {
			from[d] = n.scaled(at[d], stride[d], start[d])
		}
		return from
	case stablehlo.OpReverse:
		from := append(view{}, at...)
		for _, d := range op.Ints("dimensions") {
			from[d] = n.scaled(at[d], -1, in.Dims[d]-1)
		}
		return from
	}
	return nil
}

// reshapeView maps a view of a value of shape to into the view of the value of shape from that it
// is a reshape of.
func (n *iterSpace) reshapeView(v view, to, from []int64) (view, bool) {
	out := make(view, 0, len(from))
	i, j := 0, 0
	for i < len(to) || j < len(from) {
		// The smallest runs of dimensions with equal products.
		i0, j0 := i, j
		p, q := int64(1), int64(1)
		for {
			if i < len(to) && (p < q || p == q && i == i0) {
				p *= to[i]
				i++
			} else if j < len(from) && (q < p || p == q && j == j0) {
				q *= from[j]
				j++
			} else {
				break
			}
			if p == q && i > i0 && j > j0 {
				break
			}
		}
		if p != q {
			return nil, false
		}
		// The row-major position in the run.
		lin := n.newForm(0)
		stride := int64(1)
		for a := i - 1; a >= i0; a-- {
			lin.c += v[a].c * stride
			for d, k := range v[a].k {
				lin.k[d] += k * stride
			}
			stride *= to[a]
		}
		inner := make(view, j-j0)
		for b := j - 1; b > j0; b-- {
			if from[b] == 1 {
				inner[b-j0] = n.newForm(0)
				continue
			}
			div, mod, ok := n.divMod(lin, from[b])
			if !ok {
				return nil, false
			}
			inner[b-j0], lin = mod, div
		}
		if j > j0 {
			inner[0] = lin
		}
		out = append(out, inner...)
	}
	return out, true
}
