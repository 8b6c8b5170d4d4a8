package neon

import (
	"github.com/go-nx/nx/internal/cpu/asm/amd64"
	"github.com/go-nx/nx/internal/cpu/asm/arm64"
)

// Floats. Scalar instructions of AVX keep the other lanes of an operand. The nodes for that are removed where only the
// lowest lane is read: lowOf finds the value without it.

// product says how an instruction multiplies and adds: ±(x·y) + z.
type product struct {
	order          int // 213 or 231: the operands that are x, y and z
	bytes          int
	negatesProduct bool
	alternates     bool // the third operand is negated in even lanes
	scalar         bool
}

var products = map[amd64.Op]product{
	amd64.VFMADD213PS: {order: 213, bytes: 4}, amd64.VFMADD213PD: {order: 213, bytes: 8},
	amd64.VFMADD231PS: {order: 231, bytes: 4}, amd64.VFMADD231PD: {order: 231, bytes: 8},
	amd64.VFMADD231SS: {order: 231, bytes: 4, scalar: true}, amd64.VFMADD231SD: {order: 231, bytes: 8, scalar: true},
	amd64.VFNMADD213PS:   {order: 213, bytes: 4, negatesProduct: true},
	amd64.VFNMADD213PD:   {order: 213, bytes: 8, negatesProduct: true},
	amd64.VFNMADD231PS:   {order: 231, bytes: 4, negatesProduct: true},
	amd64.VFNMADD231PD:   {order: 231, bytes: 8, negatesProduct: true},
	amd64.VFMADDSUB213PS: {order: 213, bytes: 4, alternates: true},
	amd64.VFMADDSUB213PD: {order: 213, bytes: 8, alternates: true},
}

func init() {
	for op, p := range products {
		define(map[amd64.Op]translate{op: func(t *translator, in *inst) error { return fused(t, in, p) }})
	}
	binary := func(op amd64.Op, f func(t *translator, x, y value) value) {
		define(map[amd64.Op]translate{op: func(t *translator, in *inst) error {
			return t.binary(in, func(x, y value) value { return f(t, x, y) })
		}})
	}
	for bytes, op := range map[int]amd64.Op{4: amd64.VMULPS, 8: amd64.VMULPD} {
		binary(op, func(t *translator, x, y value) value { return t.product(x, y, bytes) })
	}
	for bytes, op := range map[int]amd64.Op{4: amd64.VMINPS, 8: amd64.VMINPD} {
		binary(op, func(t *translator, x, y value) value {
			return t.choose(t.to(arm64.FCMGT, vectorClass(bytes), y, x), x, y)
		})
	}
	for bytes, op := range map[int]amd64.Op{4: amd64.VMAXPS, 8: amd64.VMAXPD} {
		binary(op, func(t *translator, x, y value) value {
			return t.choose(t.to(arm64.FCMGT, vectorClass(bytes), x, y), x, y)
		})
	}
	for bytes, op := range map[int]amd64.Op{4: amd64.VSQRTPS, 8: amd64.VSQRTPD} {
		define(map[amd64.Op]translate{op: func(t *translator, in *inst) error {
			return t.unary(in, func(x value) value { return t.to(arm64.FSQRT, vectorClass(bytes), x) })
		}})
	}
	for bytes, op := range map[int]amd64.Op{4: amd64.VCMPPS, 8: amd64.VCMPPD} {
		define(map[amd64.Op]translate{op: func(t *translator, in *inst) error {
			return t.binary(in, func(x, y value) value { return t.compare(x, y, bytes, int(in.Args[3].Val)) })
		}})
	}
	for bytes, op := range map[int]amd64.Op{4: amd64.VROUNDPS, 8: amd64.VROUNDPD} {
		define(map[amd64.Op]translate{op: func(t *translator, in *inst) error {
			round := roundings[in.Args[2].Val&7]
			return t.unary(in, func(x value) value { return t.to(round, vectorClass(bytes), x) })
		}})
	}
	for op, bytes := range map[amd64.Op]int{amd64.VUCOMISS: 4, amd64.VUCOMISD: 8} {
		define(map[amd64.Op]translate{op: func(t *translator, in *inst) error {
			y, err := t.vector(in, in.Args[1], bytes)
			if err != nil {
				return err
			}
			x := t.lowOf(t.get(in.Args[0].Reg)[0], bytes)
			t.emit(arm64.FCMP, use(x, scalarClass(bytes)), use(t.lowOf(y[0], bytes), scalarClass(bytes)))
			t.flags = floats
			return nil
		}})
	}
	define(map[amd64.Op]translate{
		amd64.VADDSS: func(t *translator, in *inst) error {
			return t.scalar(in, 4, func(x, y value) value { return t.to(arm64.FADD, arm64.ClassS, x, y) })
		},
		amd64.VMULSD: func(t *translator, in *inst) error {
			return t.scalar(in, 8, func(x, y value) value { return t.product(x, y, 8) })
		},
	})
}

// roundings are the instructions for the modes of VROUNDPS: to even, down, up, to zero, or as the control register
// says.
var roundings = [8]arm64.Op{arm64.FRINTN, arm64.FRINTM, arm64.FRINTP, arm64.FRINTZ, arm64.FRINTX, arm64.FRINTX,
	arm64.FRINTX, arm64.FRINTX}

// scalar translates an instruction that computes the lowest lane, and takes the others from its first operand.
func (t *translator) scalar(in *inst, bytes int, f func(x, y value) value) error {
	x := t.get(in.Args[1].Reg)[0]
	y, err := t.vector(in, in.Args[2], bytes)
	if err != nil {
		return err
	}
	t.merge(in.Args[0].Reg, x, f(t.lowOf(x, bytes), t.lowOf(y[0], bytes)), bytes)
	return nil
}

// product multiplies, by an element if one operand has equal lanes.
func (t *builder) product(x, y value, bytes int) value {
	c := vectorClass(bytes)
	if s, ok := t.scalars[x]; ok && s.bytes == bytes {
		x, y = y, x
	}
	if s, ok := t.scalars[y]; ok && s.bytes == bytes {
		return t.do(arm64.FMUL, c, use(x, c), lane(s.v, elementClass(bytes), 0))
	}
	return t.to(arm64.FMUL, c, x, y)
}

// addProduct adds or subtracts a product.
func (t *builder) addProduct(op arm64.Op, sum, x, y value, bytes int) value {
	c := vectorClass(bytes)
	if s, ok := t.scalars[x]; ok && s.bytes == bytes {
		x, y = y, x
	}
	if s, ok := t.scalars[y]; ok && s.bytes == bytes {
		return t.update(op, c, sum, use(x, c), lane(s.v, elementClass(bytes), 0))
	}
	return t.update(op, c, sum, use(x, c), use(y, c))
}

// negateEven negates the even lanes.
func (t *builder) negateEven(v value, bytes int) value {
	return t.to(arm64.EOR, arm64.Class16B, v, t.splat(2*bytes, 1<<(8*bytes-1)))
}

// fused translates fused multiply-adds.
func fused(t *translator, in *inst, p product) error {
	d := in.Args[0].Reg
	bytes := width(d)
	if p.scalar {
		bytes = p.bytes
	}
	third, err := t.vector(in, in.Args[2], bytes)
	if err != nil {
		return err
	}
	first, second := t.get(d), t.get(in.Args[1].Reg)
	x, y, z := second, third, first
	if p.order == 213 {
		y, z = first, third
	}
	if p.scalar {
		v := t.to(arm64.FMADD, scalarClass(bytes), t.lowOf(x[0], bytes), t.lowOf(y[0], bytes), t.lowOf(z[0], bytes))
		t.merge(d, first[0], v, bytes)
		return nil
	}
	t.setEach(d, func(h int) value {
		sum := z[h]
		if p.alternates {
			sum = t.negateEven(sum, p.bytes)
		}
		op := arm64.FMLA
		if p.negatesProduct {
			op = arm64.FMLS
		}
		return t.addProduct(op, sum, x[h], y[h], p.bytes)
	})
	return nil
}

// compare returns a mask of the lanes for which a predicate of VCMPPS holds.
func (t *builder) compare(x, y value, bytes, predicate int) value {
	c := vectorClass(bytes)
	not := func(v value) value { return t.to(arm64.NOT, arm64.Class16B, v) }
	isNumber := func() value {
		v := t.to(arm64.FCMEQ, c, x, x)
		if x != y {
			v = t.to(arm64.AND, arm64.Class16B, v, t.to(arm64.FCMEQ, c, y, y))
		}
		return v
	}
	var v value
	switch predicate & 0xf {
	case 0: // equal
		v = t.to(arm64.FCMEQ, c, x, y)
	case 1: // less
		v = t.to(arm64.FCMGT, c, y, x)
	case 2: // less or equal
		v = t.to(arm64.FCMGE, c, y, x)
	case 3: // unordered
		v = not(isNumber())
	case 4: // not equal
		v = not(t.to(arm64.FCMEQ, c, x, y))
	case 5: // not less
		v = not(t.to(arm64.FCMGT, c, y, x))
	case 6: // not less or equal
		v = not(t.to(arm64.FCMGE, c, y, x))
	case 7: // ordered
		v = isNumber()
	case 8: // equal or unordered
		v = not(t.to(arm64.ORR, arm64.Class16B, t.to(arm64.FCMGT, c, x, y), t.to(arm64.FCMGT, c, y, x)))
	case 9: // not greater or equal
		v = not(t.to(arm64.FCMGE, c, x, y))
	case 10: // not greater
		v = not(t.to(arm64.FCMGT, c, x, y))
	case 11: // never
		v = t.zero()
	case 12: // less or greater
		v = t.to(arm64.ORR, arm64.Class16B, t.to(arm64.FCMGT, c, x, y), t.to(arm64.FCMGT, c, y, x))
	case 13: // greater or equal
		v = t.to(arm64.FCMGE, c, x, y)
	case 14: // greater
		v = t.to(arm64.FCMGT, c, x, y)
	default: // always
		v = t.splat(1, 0xff)
	}
	t.masks[v] = bytes
	return v
}
