package portable

import (
	"math/bits"

	"github.com/go-nx/nx/dtype"
	"github.com/go-nx/nx/internal/cpu/kernel"
)

// reciprocal returns the factor by which quotient divides by d, 2 ≤ d < 2³².
func reciprocal(d uint64) uint64 { return ^uint64(0)/d + 1 }

// quotient returns x / d, rounded to zero, where |x| < 2³². It is exact: the error of the
// reciprocal, below 2⁻⁶⁴, times x is less than 1/d.
func quotient(x int64, reciprocal uint64) int64 {
	sign := x >> 63
	q, _ := bits.Mul64(reciprocal, uint64((x^sign)-sign))
	return (int64(q) ^ sign) - sign
}

// knownDivisor returns the value of a constant divisor for which [quotient] can divide integers of type t.
func (p *scalarPoint) knownDivisor(t dtype.Type, v kernel.Value) (d int64, ok bool) {
	d, ok = p.constInt(v)
	return d, ok && d >= 2 && t.Bits() <= 32
}

// constInt returns the value of an integer constant.
func (p *scalarPoint) constInt(v kernel.Value) (int64, bool) {
	in := &p.k.Body.Instrs[v]
	if in.Op != kernel.Const || !in.Type.IsInteger() {
		return 0, false
	}
	up := 64 - in.Type.Bits()
	if in.Type.IsSigned() {
		return int64(in.Bits[0]) << up >> up, true
	}
	return int64(in.Bits[0] << up >> up), true
}

// divideCell returns a division or a remainder.
func divideCell[T integer](p *scalarPoint, in *kernel.Instr, d, a, b int) scalarOp {
	c, known := p.knownDivisor(in.Register(), in.Args[1])
	by := reciprocal(uint64(max(c, 2)))
	switch {
	case in.Op == kernel.Div && known:
		return func(f *File) { *cell[T](f, d) = T(quotient(int64(*cell[T](f, a)), by)) }
	case in.Op == kernel.Div:
		return func(f *File) { *cell[T](f, d) = divInt(*cell[T](f, a), *cell[T](f, b)) }
	case known:
		return func(f *File) {
			x := int64(*cell[T](f, a))
			*cell[T](f, d) = T(x - c*quotient(x, by))
		}
	}
	return func(f *File) { *cell[T](f, d) = remInt(*cell[T](f, a), *cell[T](f, b)) }
}

// floor is a floor division or modulo of signed integers, for which StableHLO, which rounds to zero, needs about ten
// ops.
type floor struct {
	isQuotient bool
	args       [2]kernel.Value
}

// findFloors finds the last instructions of such computations.
func (p *scalarPoint) findFloors() {
	for i := range p.k.Body.Instrs {
		if f, ok := p.floorOf(&p.k.Body.Instrs[i]); ok {
			if p.floors == nil {
				p.floors = map[kernel.Value]floor{}
			}
			p.floors[kernel.Value(i)] = f
		}
	}
}

// floorOf recognizes select(differ && r != 0, adjusted, plain) where r = x rem c. With (r < 0) != (c < 0), r + c and r
// it is the modulo; with sign(x) != sign(c), q - 1 and q = x / c it is the quotient.
func (p *scalarPoint) floorOf(in *kernel.Instr) (floor, bool) {
	instrs := p.k.Body.Instrs
	switch in.Type {
	case dtype.S8, dtype.S16, dtype.S32, dtype.S64:
	default:
		return floor{}, false
	}
	if in.Op != kernel.Select || instrs[in.Args[0]].Op != kernel.And {
		return floor{}, false
	}
	plain := &instrs[in.Args[2]]
	if plain.Op != kernel.Rem && plain.Op != kernel.Div || plain.Type != in.Type {
		return floor{}, false
	}
	f := floor{plain.Op == kernel.Div, [2]kernel.Value{plain.Args[0], plain.Args[1]}}
	adjusted := &instrs[in.Args[1]]
	for _, and := range bothOrders(&instrs[in.Args[0]]) {
		r, ok := p.isNotZero(and[1])
		rem := &instrs[r]
		if !ok || rem.Op != kernel.Rem || rem.Type != in.Type || rem.Args[0] != f.args[0] || rem.Args[1] != f.args[1] {
			continue
		}
		if f.isQuotient {
			one, isConst := p.constInt(adjusted.Args[1])
			if adjusted.Op == kernel.Sub && adjusted.Args[0] == in.Args[2] && isConst && one == 1 &&
				p.signsDiffer(and[0], f) {
				return f, true
			}
			continue
		}
		for _, sum := range bothOrders(adjusted) {
			if adjusted.Op == kernel.Add && r == in.Args[2] && sum == [2]kernel.Value{r, f.args[1]} &&
				p.negativesDiffer(and[0], r, f.args[1]) {
				return f, true
			}
		}
	}
	return floor{}, false
}

// bothOrders returns the first two arguments in both orders.
func bothOrders(in *kernel.Instr) [2][2]kernel.Value {
	return [2][2]kernel.Value{{in.Args[0], in.Args[1]}, {in.Args[1], in.Args[0]}}
}

// isNotZero returns x of a value x != 0.
func (p *scalarPoint) isNotZero(v kernel.Value) (x kernel.Value, ok bool) {
	in := &p.k.Body.Instrs[v]
	if in.Op != kernel.NE {
		return 0, false
	}
	zero, ok := p.constInt(in.Args[1])
	return in.Args[0], ok && zero == 0
}

// isNegative reports whether a value is x < 0.
func (p *scalarPoint) isNegative(v, x kernel.Value) bool {
	in := &p.k.Body.Instrs[v]
	zero, ok := p.constInt(in.Args[1])
	return in.Op == kernel.LT && in.Args[0] == x && ok && zero == 0
}

// negativesDiffer reports whether a value is (r < 0) != (c < 0).
func (p *scalarPoint) negativesDiffer(v, r, c kernel.Value) bool {
	instrs := p.k.Body.Instrs
	known, isConst := p.constInt(c)
	if isConst && known >= 0 && p.isNegative(v, r) {
		return true
	}
	if instrs[v].Op != kernel.NE || instrs[instrs[v].Args[0]].Type != dtype.Bool {
		return false
	}
	for _, ne := range bothOrders(&instrs[v]) {
		other := &instrs[ne[1]]
		if p.isNegative(ne[0], r) && (p.isNegative(ne[1], c) ||
			isConst && other.Op == kernel.Const && other.Bits[0]&1 == uint64(b2u(known < 0))) {
			return true
		}
	}
	return false
}

// signsDiffer reports whether a value is sign(x) != sign(c).
func (p *scalarPoint) signsDiffer(v kernel.Value, f floor) bool {
	instrs := p.k.Body.Instrs
	if instrs[v].Op != kernel.NE {
		return false
	}
	isSign := func(v, x kernel.Value) bool { return instrs[v].Op == kernel.Sign && instrs[v].Args[0] == x }
	for _, ne := range bothOrders(&instrs[v]) {
		c, isConst := p.constInt(f.args[1])
		s, known := p.constInt(ne[1])
		if isSign(ne[0], f.args[0]) && (isSign(ne[1], f.args[1]) || isConst && known && s == sign(c)) {
			return true
		}
	}
	return false
}

func sign[T integer](x T) T {
	switch {
	case x > 0:
		return 1
	case x < 0:
		return ^T(0)
	}
	return 0
}

// floorCell returns the operation of a floor.
func floorCell[T int8 | int16 | int32 | int64](p *scalarPoint, t dtype.Type, fl floor, d int) scalarOp {
	a, b := p.at[fl.args[0]], p.at[fl.args[1]]
	c, known := p.knownDivisor(t, fl.args[1])
	by := reciprocal(uint64(max(c, 2)))
	switch {
	case known && fl.isQuotient:
		return func(f *File) {
			x := int64(*cell[T](f, a))
			q := quotient(x, by)
			*cell[T](f, d) = T(q + (x-c*q)>>63)
		}
	case known:
		return func(f *File) {
			x := int64(*cell[T](f, a))
			r := x - c*quotient(x, by)
			*cell[T](f, d) = T(r + r>>63&c)
		}
	case fl.isQuotient:
		return func(f *File) {
			x, y := *cell[T](f, a), *cell[T](f, b)
			q := divInt(x, y)
			if sign(x) != sign(y) && remInt(x, y) != 0 {
				q--
			}
			*cell[T](f, d) = q
		}
	}
	return func(f *File) {
		x, y := *cell[T](f, a), *cell[T](f, b)
		r := remInt(x, y)
		if (r < 0) != (y < 0) && r != 0 {
			r += y
		}
		*cell[T](f, d) = r
	}
}

// floor emits a floor of type t.
func (p *scalarPoint) floor(fl floor, t dtype.Type, d int) {
	switch t {
	case dtype.S8:
		p.emit(floorCell[int8](p, t, fl, d))
	case dtype.S16:
		p.emit(floorCell[int16](p, t, fl, d))
	case dtype.S32:
		p.emit(floorCell[int32](p, t, fl, d))
	case dtype.S64:
		p.emit(floorCell[int64](p, t, fl, d))
	}
}
