package fuse

import (
	"math"
	"slices"

	"github.com/go-nx/nx/dtype"
	"github.com/go-nx/nx/internal/cpu/program"
	"github.com/go-nx/nx/stablehlo"
)

// sortKey is a key and the function of the left-hand arguments that computes it.
type sortKey struct {
	program.SortKey
	value *stablehlo.Value
}

// sortKeys recognises a comparator that is a lexicographic comparison of keys:
//
//	less(x, y) = f(x) < f(y), or f(x) > f(y)
//	less(x, y) = f(x) < f(y) or f(x) = f(y) and less'(x, y)
//
// where f is the same function of the left-hand and of the right-hand arguments. ok is false for
// other comparators.
func sortKeys(b *stablehlo.Block) (keys []sortKey, ok bool) {
	p := &sides{block: b, memo: map[[2]*stablehlo.Value]bool{}}
	t := b.Terminator()
	if len(t.Operands) != 1 {
		return nil, false
	}
	return p.keys(t.Operands[0])
}

// sides compares the function of a comparator's left-hand arguments with that of its right-hand
// ones.
type sides struct {
	block *stablehlo.Block
	memo  map[[2]*stablehlo.Value]bool
}

func (p *sides) keys(v *stablehlo.Value) ([]sortKey, bool) {
	op := v.Op()
	switch {
	case op == nil:
		return nil, false
	case op.Code == stablehlo.OpCompare:
		k, ok := p.key(op)
		return []sortKey{k}, ok
	case op.Code != stablehlo.OpOr:
		return nil, false
	}
	for i, first := range op.Operands {
		and := op.Operands[1-i].Op()
		cmp := first.Op()
		if cmp == nil || cmp.Code != stablehlo.OpCompare || and == nil || and.Code != stablehlo.OpAnd {
			continue
		}
		k, ok := p.key(cmp)
		if !ok {
			continue
		}
		for j, tie := range and.Operands {
			eq := tie.Op()
			if eq == nil || eq.Code != stablehlo.OpCompare || eq.Str("comparison_direction") != "EQ" ||
				!sameOperands(eq, cmp) ||
				eq.Str("compare_type") != cmp.Str("compare_type") {
				continue
			}
			if rest, ok := p.keys(and.Operands[1-j]); ok {
				return append([]sortKey{k}, rest...), true
			}
		}
	}
	return nil, false
}

func sameOperands(a, b *stablehlo.Op) bool {
	x, y := a.Operands, b.Operands
	return x[0] == y[0] && x[1] == y[1] || x[0] == y[1] && x[1] == y[0]
}

// key recognises a comparison of one function of both sides.
func (p *sides) key(cmp *stablehlo.Op) (sortKey, bool) {
	k := sortKey{SortKey: program.SortKey{Operand: -1}}
	direction := cmp.Str("comparison_direction")
	x, y := cmp.Operands[0], cmp.Operands[1]
	k.Descending = direction == "GT"
	switch {
	case direction != "LT" && direction != "GT":
		return k, false
	case p.mirrored(x, y):
		k.value = x
	case p.mirrored(y, x):
		k.value, k.Descending = y, !k.Descending
	default:
		return k, false
	}
	k.Type, k.Total = k.value.Tensor().DType(), cmp.Str("compare_type") == "TOTALORDER"
	if x, ok := canonicalOf(k.value); k.Total && ok && x.Block() == p.block && hasBitOrder(k.Type, false) {
		k.value, k.Total = x, false
	}
	if k.value.Block() == p.block {
		k.Operand = k.value.Index() / 2
	}
	return k, hasBitOrder(k.Type, k.Total)
}

// canonicalOf returns the value that v is with one zero for both and one positive NaN for all: the
// total order of such values is the numeric one, with NaNs last. JAX and nx.Sort compare floats
// this way.
func canonicalOf(v *stablehlo.Value) (x *stablehlo.Value, ok bool) {
	zero, nan := false, false
	var tested *stablehlo.Value // the value tested for NaN, if it is not the selected one: JAX tests the element
	for !zero || !nan {
		op := v.Op()
		if op == nil || op.Code != stablehlo.OpSelect {
			return nil, false
		}
		test, to, x := op.Operands[0].Op(), op.Operands[1], op.Operands[2]
		if test == nil || test.Code != stablehlo.OpCompare || test.Str("compare_type") == "TOTALORDER" {
			return nil, false
		}
		a, b := test.Operands[0], test.Operands[1]
		if b == x {
			a, b = b, a
		}
		switch direction := test.Str("comparison_direction"); {
		case direction == "EQ" && a == x && isFloat(b, isZero) && isFloat(to, isZero):
			zero = true
		case direction == "NE" && a == b && isFloat(to, isPositiveNaN):
			if nan = true; a != x {
				tested = a
			}
		default:
			return nil, false
		}
		v = x
	}
	return v, tested == nil || tested == v
}

// isFloat reports whether a value is a constant scalar float for which f holds.
func isFloat(v *stablehlo.Value, f func(t dtype.Type, bits uint64) bool) bool {
	op := v.Op()
	if op == nil || op.Code != stablehlo.OpConstant {
		return false
	}
	a, ok := op.Attr("value").(*stablehlo.ElementsAttr)
	return ok && a.Type.Rank() == 0 && a.Type.DType().IsFloat() && f(a.Type.DType(), a.Type.DType().LoadBits(a.Data, 0))
}

func isZero(t dtype.Type, bits uint64) bool { return t.Float64(bits) == 0 }

func isPositiveNaN(t dtype.Type, bits uint64) bool {
	return math.IsNaN(t.Float64(bits)) && bits>>(t.Bits()-1) == 0
}

// hasBitOrder reports whether a sort can order elements of a type by their bits.
func hasBitOrder(t dtype.Type, total bool) bool {
	switch {
	case t == dtype.Bool || t.IsInteger():
		return true
	case !t.IsFloat() || t.Bits() < 8 || !t.HasNegative():
		return false
	}
	return total || t == dtype.F64 || t == dtype.F32 || t == dtype.F16 || t == dtype.BF16
}

// mirrored reports whether x is computed from the left-hand arguments as y is from the right-hand
// ones.
func (p *sides) mirrored(x, y *stablehlo.Value) bool {
	at := [2]*stablehlo.Value{x, y}
	if same, ok := p.memo[at]; ok {
		return same
	}
	same := p.compare(x, y)
	p.memo[at] = same
	return same
}

func (p *sides) compare(x, y *stablehlo.Value) bool {
	if x.Block() == p.block || y.Block() == p.block {
		return x.Block() == y.Block() && x.Index()%2 == 0 && y.Index() == x.Index()+1
	}
	a, b := x.Op(), y.Op()
	if a == nil || b == nil || a.Block() != p.block || b.Block() != p.block {
		return x == y // from outside
	}
	if a.Code != b.Code || a.Name() != b.Name() || len(a.Operands) != len(b.Operands) || x.Index() != y.Index() ||
		len(a.Regions) > 0 ||
		!stablehlo.SameType(x.Type(), y.Type()) || !slices.EqualFunc(a.Attrs, b.Attrs, sameAttr) {
		return false
	}
	for i := range a.Operands {
		if !p.mirrored(a.Operands[i], b.Operands[i]) {
			return false
		}
	}
	return true
}

func sameAttr(a, b stablehlo.NamedAttr) bool {
	return a.Name == b.Name && stablehlo.SameAttr(a.Value, b.Value)
}
