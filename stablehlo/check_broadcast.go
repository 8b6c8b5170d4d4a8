package stablehlo

import (
	"fmt"

	"github.com/go-nx/nx/dtype"
)

// broadcastChecks are the CHLO ops that broadcast their operands to one shape.
var broadcastChecks = checkRows{
	{OpChloBroadcastAdd, checkBroadcast},
	{OpChloBroadcastAnd, checkBroadcast},
	{OpChloBroadcastAtan2, checkBroadcast},
	{OpChloBroadcastCompare, checkBroadcastCompare},
	{OpChloBroadcastComplex, checkBroadcastComplex},
	{OpChloBroadcastDivide, checkBroadcast},
	{OpChloBroadcastMaximum, checkBroadcast},
	{OpChloBroadcastMinimum, checkBroadcast},
	{OpChloBroadcastMultiply, checkBroadcast},
	{OpChloBroadcastNextAfter, checkBroadcast},
	{OpChloBroadcastOr, checkBroadcast},
	{OpChloBroadcastPolygamma, checkBroadcast},
	{OpChloBroadcastPower, checkBroadcast},
	{OpChloBroadcastRemainder, checkBroadcast},
	{OpChloBroadcastSelect, checkBroadcastSelect},
	{OpChloBroadcastShiftLeft, checkBroadcast},
	{OpChloBroadcastShiftRightArithmetic, checkBroadcast},
	{OpChloBroadcastShiftRightLogical, checkBroadcast},
	{OpChloBroadcastSubtract, checkBroadcast},
	{OpChloBroadcastXor, checkBroadcast},
	{OpChloBroadcastZeta, checkBroadcast},
}

func checkBroadcast(c *check) { c.broadcastPair(elemOf(c.Operands[0].typ)) }

func checkBroadcastCompare(c *check) { c.broadcastPair(Scalar(dtype.Bool)) }

func checkBroadcastComplex(c *check) {
	elem := DType(c.Operands[0].typ).Complex()
	if c.require(elem.IsValid(), "", "lhs must be f32 or f64, not %s", c.Operands[0].typ) {
		c.broadcastPair(Scalar(elem))
	}
}

func checkBroadcastSelect(c *check) {
	onTrue, onFalse := c.Operands[1].typ, c.Operands[2].typ
	if c.require(compatibleElem(elemOf(onTrue), elemOf(onFalse)), "",
		"on_true and on_false must have one element type, not %s and %s", onTrue, onFalse) {
		c.broadcast(elemOf(onTrue), valueTypes(c.Operands))
	}
}

// broadcastPair infers the type of lhs and rhs broadcast to each other, with
// elements of type elem.
func (c *check) broadcastPair(elem Type) {
	lhs, rhs := c.Operands[0].typ, c.Operands[1].typ
	if !c.require(compatibleElem(elemOf(lhs), elemOf(rhs)), "", "lhs and rhs must have one element type, not %s and %s",
		lhs, rhs) {
		return
	}
	l, r := c.arg(0), c.arg(1)
	if c.Attr("broadcast_dimensions") == nil || l == nil || r == nil {
		c.broadcast(elem, []Type{lhs, rhs})
		return
	}
	small, large := l, r
	if l.Rank() > r.Rank() {
		small, large = r, l
	}
	dims := dimList{"broadcast_dimensions", c.Ints("broadcast_dimensions")}
	if !c.require(len(dims.dims) == small.Rank(), "",
		"broadcast_dimensions %s must have a number for each dimension of %s", listText(dims.dims), small) ||
		!c.inRange("", dims, large.Rank(), large.String()) || !c.distinct("", dims) {
		return
	}
	sizes := sizesOf(large)
	for i, d := range dims.dims {
		s, err := sizeAt(small, i).broadcast(sizes[d])
		if err != nil {
			c.fail("", "%s and %s cannot be broadcast along dimension %d: %v", lhs, rhs, d, err)
			return
		}
		sizes[d] = s
	}
	c.infer(tensorOf(elem, sizes))
}

// broadcast infers the type of operands broadcast to each other from the last
// dimension on.
func (c *check) broadcast(elem Type, operands []Type) {
	var sizes []size
	for _, t := range operands {
		t, ok := t.(*TensorType)
		if !ok {
			c.infer(&UnrankedTensorType{Elem: elem})
			return
		}
		next := sizesOf(t)
		if len(next) > len(sizes) {
			sizes, next = next, sizes
		}
		shift := len(sizes) - len(next)
		for i, s := range next {
			b, err := s.broadcast(sizes[shift+i])
			if err != nil {
				c.fail("", "operands cannot be broadcast to %s: %v", t, err)
				return
			}
			sizes[shift+i] = b
		}
	}
	c.infer(tensorOf(elem, sizes))
}

// broadcast returns the size of a dimension of sizes s and t after broadcasting.
func (s size) broadcast(t size) (size, error) {
	switch {
	case s.dim == 1:
		return t, nil
	case t.dim == 1:
		return s, nil
	case s.dim == Dynamic && t.dim == Dynamic:
		return s.join(t) // either may be 1
	}
	b, err := s.meet(t)
	if err != nil {
		return size{}, fmt.Errorf("neither is 1: %w", err)
	}
	return b, nil
}
