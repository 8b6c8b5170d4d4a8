package portable

import (
	"slices"

	"github.com/go-nx/nx/dtype"
	"github.com/go-nx/nx/internal/cpu/kernel"
	"github.com/go-nx/nx/internal/cpu/plan"
)

// fuseSquares fuses (x∘y)·(x∘y), where ∘ is an addition, subtraction or multiplication of floats without other uses:
// variances are sums of such squares.
func (c *compiler) fuseSquares(uses []int) {
	for i := range c.instrs {
		in := &c.instrs[i]
		if !canPair(in) || in.Op != kernel.Mul || in.args[0] != in.args[1] || c.level[i].uniform {
			continue
		}
		v := in.args[0]
		first := &c.instrs[v]
		if uses[v] != 2 || !canPair(first) || first.Type != in.Type || c.level[first.args[0]].uniform {
			continue
		}
		x, y := first.args[0], first.args[1]
		in.args = []kernel.Value{x, y}
		in.inReduce = first.Op == kernel.Sub && c.level[y].uniform && c.isSummed(kernel.Value(i), uses)
		in.fused = func(_ *compiler, dst ref, refs []ref) step {
			if in.Type == dtype.F64 {
				return binary(dst, refs[x], refs[y], squares[float64](first.Op))
			}
			return binary(dst, refs[x], refs[y], squares[float32](first.Op))
		}
	}
}

// isSummed reports whether the only use of a value is a sum over tiles, which then computes it.
func (c *compiler) isSummed(v kernel.Value, uses []int) bool {
	if c.Form != plan.Inner || uses[v] != 1 {
		return false
	}
	return slices.ContainsFunc(c.k.Reduces, func(r kernel.Reduction) bool {
		return r.Kind == kernel.Add && r.Values[0] == v
	})
}

// squares returns the loop of (x∘y)²; y may be one element.
func squares[T float](op kernel.Op) func(d, x, y []T) {
	switch op {
	case kernel.Add:
		return func(d, x, y []T) {
			d = d[:len(x)]
			if len(y) == 1 {
				for i, v := range x {
					v += y[0]
					d[i] = v * v
				}
				return
			}
			y = y[:len(x)]
			for i, v := range x {
				v += y[i]
				d[i] = v * v
			}
		}
	case kernel.Sub:
		return func(d, x, y []T) {
			d = d[:len(x)]
			if len(y) == 1 {
				for i, v := range x {
					v -= y[0]
					d[i] = v * v
				}
				return
			}
			y = y[:len(x)]
			for i, v := range x {
				v -= y[i]
				d[i] = v * v
			}
		}
	}
	return func(d, x, y []T) {
		d = d[:len(x)]
		if len(y) == 1 {
			for i, v := range x {
				v = T(v * y[0])
				d[i] = v * v
			}
			return
		}
		y = y[:len(x)]
		for i, v := range x {
			v = T(v * y[i])
			d[i] = v * v
		}
	}
}

// fuseAffine fuses (x − u)·v·y + z, or with a division by v. u and v are uniform in a tile, or vary as x does: a
// normalisation with its weights, along rows or columns.
func (c *compiler) fuseAffine(uses []int) {
	for i := range c.instrs {
		outer := &c.instrs[i]
		if outer.pair != [2]kernel.Op{kernel.Mul, kernel.Add} {
			continue
		}
		for j, a := range outer.args[:2] {
			inner := &c.instrs[a]
			if inner.pair[0] != kernel.Sub || uses[a] != 1 || inner.Type != outer.Type {
				continue
			}
			by := inner.pair[1]
			if by != kernel.Mul && by != kernel.Div {
				continue
			}
			x, u, v, y, z := inner.args[0], inner.args[1], inner.args[2], outer.args[1-j], outer.args[2]
			varies := func(v kernel.Value) bool { return !c.level[v].uniform }
			if varies(u) != varies(v) || !varies(x) || !varies(y) || !varies(z) {
				continue
			}
			outer.args = []kernel.Value{x, u, v, y, z}
			outer.fused = func(_ *compiler, dst ref, refs []ref) step {
				if outer.Type == dtype.F64 {
					return affineStep(dst, refs[x], refs[u], refs[v], refs[y], refs[z], affine[float64](by))
				}
				return affineStep(dst, refs[x], refs[u], refs[v], refs[y], refs[z], affine[float32](by))
			}
			break
		}
	}
}

func affineStep[T float](dst, x, u, v, y, z ref, loop func(d, x, u, v, y, z []T)) step {
	return func(m *machine, n int) {
		loop(vec[T](m, dst, n), vec[T](m, x, n), vec[T](m, u, n), vec[T](m, v, n), vec[T](m, y, n), vec[T](m, z, n))
	}
}

// affine returns the loop of (x − u)·v·y + z, with Div of (x − u)/v·y + z. Each operation is rounded; u and v may be
// one element.
func affine[T float](by kernel.Op) func(d, x, u, v, y, z []T) {
	if by == kernel.Div {
		return func(d, x, u, v, y, z []T) {
			d, y, z = d[:len(x)], y[:len(x)], z[:len(x)]
			if len(u) == 1 {
				u, v := u[0], v[0]
				for i, e := range x {
					d[i] = T(T(e-u)/v*y[i]) + z[i]
				}
				return
			}
			u, v = u[:len(x)], v[:len(x)]
			for i, e := range x {
				d[i] = T(T(e-u[i])/v[i]*y[i]) + z[i]
			}
		}
	}
	return func(d, x, u, v, y, z []T) {
		d, y, z = d[:len(x)], y[:len(x)], z[:len(x)]
		if len(u) == 1 {
			u, v := u[0], v[0]
			for i, e := range x {
				d[i] = T(T(T(e-u)*v)*y[i]) + z[i]
			}
			return
		}
		u, v = u[:len(x)], v[:len(x)]
		for i, e := range x {
			d[i] = T(T(T(e-u[i])*v[i])*y[i]) + z[i]
		}
	}
}
