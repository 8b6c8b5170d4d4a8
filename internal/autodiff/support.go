package autodiff

import (
	"github.com/go-nx/nx/internal/emit"
	"github.com/go-nx/nx/stablehlo"
)

// The cotangent of an operand of a select is zero where the select takes the other operand. The
// values of a program at those elements are often infinite or NaN, such as log(x) under a select on
// x > 0, and zero times that is NaN. So the transposer tracks where a cotangent may differ from
// zero and whether it is tainted, that is multiplied by factors that may be infinite or NaN. Before
// it leaves the elementwise ops, the zeros are restored.

// selectPath is the conjunction of the predicates of selects on a cotangent's path. It is nil for
// everywhere, and two paths with the same fields are equal.
type selectPath struct {
	pred  value       // in the shape of the cotangent
	holds bool        // whether pred is true or false on the path
	outer *selectPath // the rest of the path
	depth int
}

// support is where a cotangent may be nonzero.
type support struct {
	path    *selectPath
	tainted bool
}

// accumulateSelected adds ct to the cotangent of an operand of a select.
func (t *transposer) accumulateSelected(x, pred value, holds bool, ct value) {
	if !t.depends[x] {
		return
	}
	var c value
	if holds {
		c = t.Keep(pred, ct)
	} else {
		c = t.Select(pred, t.Fill(ct, 0), ct)
	}
	if emit.TensorOf(ct).IsStatic() { // else a scalar pred cannot be broadcast to a mask
		k := t.supports[ct]
		k.path = t.within(k.path, t.Like(pred, ct), holds)
		t.supports[c] = k
	}
	t.accumulate(x, c)
}

// within returns the part of a path where pred is true, or false.
func (t *transposer) within(outer *selectPath, pred value, holds bool) *selectPath {
	p := selectPath{pred, holds, outer, 1}
	if outer != nil {
		p.depth += outer.depth
	}
	if t.paths[p] == nil {
		t.paths[p] = &p
	}
	return t.paths[p]
}

// same records that c, computed from ct, is zero where ct is.
func (t *transposer) same(ct, c value) value {
	t.supports[c] = t.supports[ct]
	return c
}

// scaled records that c is ct multiplied or divided by a factor.
func (t *transposer) scaled(ct, factor, c value) value {
	k := t.supports[ct]
	k.tainted = k.path != nil && (k.tainted || !isConstant(factor))
	t.supports[c] = k
	return c
}

// isConstant reports whether x is a constant, possibly broadcast or reshaped.
func isConstant(x value) bool {
	for op := x.Op(); op != nil; op = op.Operands[0].Op() {
		switch op.Code {
		case stablehlo.OpConstant:
			return true
		case stablehlo.OpBroadcastInDim, stablehlo.OpReshape, stablehlo.OpConvert:
		default:
			return false
		}
	}
	return false
}

// sumTracked returns x + y, where nil is zero, and records where it may differ from zero.
func (t *transposer) sumTracked(x, y value) value {
	if x == nil {
		return y
	}
	a, b := t.supports[x], t.supports[y]
	if a.path == b.path {
		s := t.Sum(x, y)
		t.supports[s] = support{a.path, a.tainted || b.tainted}
		return s
	}
	s := t.Sum(t.clean(x), t.clean(y))
	t.supports[s] = support{path: common(a.path, b.path)}
	return s
}

// common returns the smallest path that contains two others.
func common(p, q *selectPath) *selectPath {
	for p != q {
		if p == nil || q == nil {
			return nil
		}
		if p.depth < q.depth {
			p, q = q, p
		}
		p = p.outer
	}
	return p
}

// clean restores the zeros of a tainted cotangent; nil is zero.
func (t *transposer) clean(c value) value {
	k := t.supports[c]
	if !k.tainted {
		return c
	}
	clean := t.Keep(t.mask(k.path), c)
	t.supports[clean] = support{path: k.path}
	return clean
}

// mask returns a mask that is true on a path only.
func (t *transposer) mask(p *selectPath) value {
	if m := t.masks[p]; m != nil {
		return m
	}
	m := p.pred
	if !p.holds {
		m = t.Do(stablehlo.OpNot, m)
	}
	if p.outer != nil {
		m = t.Do(stablehlo.OpAnd, m, t.mask(p.outer))
	}
	t.masks[p] = m
	return m
}

// tracksSupport reports whether the transpose of a linear op records its support.
func tracksSupport(op *stablehlo.Op) bool {
	if op == nil {
		return false
	}
	switch op.Code {
	case stablehlo.OpAdd, stablehlo.OpSubtract, stablehlo.OpNegate, stablehlo.OpMultiply, stablehlo.OpDivide,
		stablehlo.OpSelect, stablehlo.OpConvert:
		return true
	}
	return false
}
