package eval

import (
	"encoding/binary"
	"fmt"
	"math"
	"math/big"
	"math/bits"

	"github.com/go-nx/nx/dtype"
	"github.com/go-nx/nx/internal/cpu/functions"
	"github.com/go-nx/nx/internal/cpu/kernel"
)

// instr evaluates an instruction on the registers of its operands.
func (e *evaluator) instr(in *kernel.Instr, vals []word) (word, error) {
	var x [3]word
	for i, a := range in.Args[:in.Op.NumArgs()] {
		x[i] = vals[a]
	}
	switch in.Op {
	case kernel.Select:
		if x[0][0] != 0 {
			return x[1], nil
		}
		return x[2], nil
	case kernel.Convert, kernel.Bitcast, kernel.Round, kernel.ReducePrecision:
		return conversion(in, x[0]), nil
	}
	t := in.Register()
	if in.From != dtype.Invalid {
		t = kernel.Register(in.From)
	}
	var v word
	var ok bool
	switch {
	case t == dtype.Bool:
		v, ok = boolInstr(in.Op, x[0][0] != 0, x[1][0] != 0)
	case t.IsInteger():
		v, ok = intInstr(in, t, x[0][0], x[1][0])
	case t.IsFloat():
		if e.flush && in.Op != kernel.Neg && in.Op != kernel.Abs {
			for i := range x {
				x[i] = flush(t, x[i])
			}
		}
		if f := functions.FusedOf(in); e.fused && f != nil {
			vals := make([]word, len(f.Body.Instrs))
			callee := *e
			callee.params = tablesOf(f)
			err := callee.body(&f.Body, vals, x[:1], nil)
			return vals[f.Result], err
		}
		if v, ok = floatInstr(in, t, x); ok && e.flush && in.Type == t {
			v = flush(t, v)
		}
	default:
		v, ok = complexInstr(in, t, x)
	}
	if !ok {
		return v, fmt.Errorf("not defined for %s", t)
	}
	return v, nil
}

// tablesOf returns the tables of an expansion as the parameters that its loads read.
func tablesOf(f *functions.Expansion) [][]byte {
	list := make([][]byte, len(f.Tables))
	for i, words := range f.Tables {
		for _, w := range words {
			list[i] = binary.LittleEndian.AppendUint64(list[i], w)
		}
	}
	return list
}

// flush flushes a subnormal number to zero with its sign.
func flush(t dtype.Type, w word) word {
	if x := w.float(t); math.Abs(x) < t.SmallestNormal() {
		return ofFloat(t, math.Copysign(0, x))
	}
	return w
}

// conversion evaluates conversions and bit casts by package dtype.
func conversion(in *kernel.Instr, x word) word {
	from := in.From
	if in.Op == kernel.Round || in.Op == kernel.ReducePrecision {
		from = in.Type
	}
	narrow := from.IsFloat() && kernel.NeedsRound(from)
	switch in.Op {
	case kernel.Round:
		if narrow {
			return ofF32(float32(from.Float64(from.FromFloat64(float64(x.f32())))))
		}
		return wrapped(from, x[0])
	case kernel.Convert:
		src, dst := make([]byte, 16), make([]byte, in.Type.Size())
		put(src, kernel.Register(from), x)
		if err := dtype.Convert(dst, in.Type, src[:kernel.Register(from).Size()], kernel.Register(from)); err != nil {
			panic(err) // both are valid types of the right lengths
		}
		return get(dst, in.Type)
	}
	mem := make([]byte, 16)
	if from == dtype.BF16 {
		from.StoreBits(mem, 0, x[0]>>16)
	} else if narrow {
		from.StoreBits(mem, 0, from.FromFloat64(float64(x.f32())))
	} else {
		put(mem, from, x)
	}
	if in.Op == kernel.ReducePrecision {
		from.StoreBits(mem, 0, from.ReducePrecision(from.LoadBits(mem, 0), in.ExponentBits, in.MantissaBits))
	}
	if in.Type.Bits() < 8 && in.Type.IsInteger() { // the upper bits of the byte belong to the other type
		return wrapped(in.Type, uint64(mem[0]))
	}
	return get(mem, in.Type)
}

// put writes a register to memory, get reads an element.
func put(mem []byte, t dtype.Type, w word) {
	k := &kernel.Kernel{Params: []kernel.Param{{Type: t, Elems: 1}}}
	e := &evaluator{k: k, params: [][]byte{mem}}
	e.store(&kernel.Access{}, t, w, nil)
}

func get(mem []byte, t dtype.Type) word {
	e := &evaluator{params: [][]byte{mem}}
	return e.load(&kernel.Access{}, t, 0)
}

func boolInstr(op kernel.Op, x, y bool) (word, bool) {
	switch op {
	case kernel.Not, kernel.Clz:
		return ofBool(!x), true
	case kernel.Popcnt:
		return ofBool(x), true
	case kernel.And, kernel.Mul, kernel.Min:
		return ofBool(x && y), true
	case kernel.Or, kernel.Add, kernel.Max:
		return ofBool(x || y), true
	case kernel.Xor, kernel.Sub, kernel.NE:
		return ofBool(x != y), true
	case kernel.EQ:
		return ofBool(x == y), true
	case kernel.LT:
		return ofBool(!x && y), true
	case kernel.LE:
		return ofBool(!x || y), true
	case kernel.GT:
		return ofBool(x && !y), true
	case kernel.GE:
		return ofBool(x || !y), true
	}
	return word{}, false
}

// intInstr computes on extended integers, with arbitrary precision where that is simplest.
func intInstr(in *kernel.Instr, t dtype.Type, x, y uint64) (word, bool) {
	wrap := func(v uint64) (word, bool) { return wrapped(t, v), true }
	boolean := func(b bool) (word, bool) { return ofBool(b), true }
	number := func(v uint64) *big.Int {
		if t.IsSigned() {
			return big.NewInt(int64(v))
		}
		return new(big.Int).SetUint64(v)
	}
	a, b := number(x), number(y)
	back := func(v *big.Int) (word, bool) { // modulo 2^64
		m := new(big.Int).And(v, new(big.Int).SetUint64(math.MaxUint64))
		return wrap(m.Uint64())
	}
	n := in.Type.Bits() // of the elements
	bitsOf := func(v uint64) uint64 { return v << (64 - n) >> (64 - n) }
	count := zeroExtended(t, y)
	switch in.Op {
	case kernel.Neg:
		return back(new(big.Int).Neg(a))
	case kernel.Abs:
		return back(new(big.Int).Abs(a))
	case kernel.Sign:
		return back(big.NewInt(int64(a.Sign())))
	case kernel.Not:
		return wrap(^x)
	case kernel.Popcnt:
		return wrap(uint64(bits.OnesCount64(bitsOf(x))))
	case kernel.Clz:
		return wrap(uint64(bits.LeadingZeros64(bitsOf(x)) - (64 - n)))
	case kernel.Add:
		return back(new(big.Int).Add(a, b))
	case kernel.Sub:
		return back(new(big.Int).Sub(a, b))
	case kernel.Mul:
		return back(new(big.Int).Mul(a, b))
	case kernel.Div:
		if b.Sign() == 0 {
			return wrap(math.MaxUint64)
		}
		return back(new(big.Int).Quo(a, b))
	case kernel.Rem:
		if b.Sign() == 0 {
			return wrap(x)
		}
		return back(new(big.Int).Rem(a, b))
	case kernel.Max:
		if a.Cmp(b) < 0 {
			return wrap(y)
		}
		return wrap(x)
	case kernel.Min:
		if a.Cmp(b) < 0 {
			return wrap(x)
		}
		return wrap(y)
	case kernel.Pow:
		if b.Sign() < 0 {
			switch {
			case a.Cmp(big.NewInt(1)) == 0, a.Cmp(big.NewInt(-1)) == 0 && b.Bit(0) == 0:
				return wrap(1)
			case a.Cmp(big.NewInt(-1)) == 0:
				return wrap(x)
			}
			return wrap(0)
		}
		return back(new(big.Int).Exp(a, b, new(big.Int).Lsh(big.NewInt(1), 64)))
	case kernel.And:
		return wrap(x & y)
	case kernel.Or:
		return wrap(x | y)
	case kernel.Xor:
		return wrap(x ^ y)
	case kernel.Shl:
		if count >= uint64(n) {
			return wrap(0)
		}
		return wrap(x << count)
	case kernel.ShrA:
		signed := int64(x<<(64-n)) >> (64 - n)
		return wrap(uint64(signed >> min(count, uint64(n-1))))
	case kernel.ShrL:
		if count >= uint64(n) {
			return wrap(0)
		}
		return wrap(bitsOf(x) >> count)
	case kernel.MulHi:
		return back(new(big.Int).Rsh(new(big.Int).Mul(a, b), uint(n)))
	case kernel.EQ:
		return boolean(a.Cmp(b) == 0)
	case kernel.NE:
		return boolean(a.Cmp(b) != 0)
	case kernel.LT:
		return boolean(a.Cmp(b) < 0)
	case kernel.LE:
		return boolean(a.Cmp(b) <= 0)
	case kernel.GT:
		return boolean(a.Cmp(b) > 0)
	case kernel.GE:
		return boolean(a.Cmp(b) >= 0)
	}
	return word{}, false
}

// floatInstr computes + − × ÷ √ in float64 and rounds, which gives the correctly rounded F32: 53 bits are more than
// twice 24 plus two.
func floatInstr(in *kernel.Instr, t dtype.Type, w [3]word) (word, bool) {
	x, y := w[0].float(t), w[1].float(t)
	num := func(v float64) (word, bool) { return ofFloat(t, v), true }
	boolean := func(b bool) (word, bool) { return ofBool(b), true }
	sign := func(v float64) float64 { return math.Copysign(1, v) }
	switch in.Op {
	case kernel.Neg:
		return num(-x)
	case kernel.Abs:
		return num(math.Abs(x))
	case kernel.Sign:
		if x == 0 || x != x {
			return num(x)
		}
		return num(sign(x))
	case kernel.Ceil:
		return num(math.Ceil(x))
	case kernel.Floor:
		return num(math.Floor(x))
	case kernel.RoundEven:
		return num(math.RoundToEven(x))
	case kernel.RoundAway:
		return num(math.Round(x))
	case kernel.Sqrt:
		return num(math.Sqrt(x))
	case kernel.IsFinite:
		return boolean(!math.IsInf(x, 0) && x == x)
	case kernel.Add:
		return num(x + y)
	case kernel.Sub:
		return num(x - y)
	case kernel.Mul:
		return num(x * y)
	case kernel.Div:
		return num(x / y)
	case kernel.Rem:
		return num(math.Mod(x, y))
	case kernel.Max:
		switch {
		case x != x || y != y:
			return num(math.NaN())
		case x > y, x == y && sign(x) > sign(y):
			return num(x)
		}
		return num(y)
	case kernel.Min:
		switch {
		case x != x || y != y:
			return num(math.NaN())
		case x < y, x == y && sign(x) < sign(y):
			return num(x)
		}
		return num(y)
	case kernel.FMA:
		z := w[2].float(t)
		if t == dtype.F64 {
			return num(math.FMA(x, y, z))
		}
		return ofF32(fma32(x, y, z)), true
	case kernel.NextAfter:
		return num(in.Type.NextAfter(x, y))
	case kernel.Scale:
		return num(math.Ldexp(x, int(y)))
	case kernel.Complex:
		return word{w[0][0], w[1][0]}, true
	case kernel.EQ:
		return boolean(x == y)
	case kernel.NE:
		return boolean(x != y)
	case kernel.LT:
		return boolean(x < y)
	case kernel.LE:
		return boolean(x <= y)
	case kernel.GT:
		return boolean(x > y)
	case kernel.GE:
		return boolean(x >= y)
	case kernel.TotalLT:
		return boolean(totalOrder(t, w[0][0]) < totalOrder(t, w[1][0]))
	case kernel.TotalLE:
		return boolean(totalOrder(t, w[0][0]) <= totalOrder(t, w[1][0]))
	case kernel.TotalEQ:
		return boolean(w[0] == w[1])
	}
	return function(in, t, w)
}

// fma32 returns x·y + z, rounded once.
func fma32(x, y, z float64) float32 {
	p := x * y // exact
	if sum := p + z; sum == 0 || sum-sum != 0 {
		return float32(sum)
	}
	const exact = 800 // bits of a sum of an f32 and a product of two
	sum := new(big.Float).SetPrec(exact).SetFloat64(p)
	r, _ := sum.Add(sum, new(big.Float).SetFloat64(z)).Float32()
	return r
}

// totalOrder maps the bits of a float to an integer in the order of IEEE 754 totalOrder: magnitudes; negative numbers
// count down from -1.
func totalOrder(t dtype.Type, bits uint64) int64 {
	top := uint64(1) << (t.Bits() - 1)
	if bits&top != 0 {
		return -1 - int64(bits&^top)
	}
	return int64(bits)
}

// function applies an elementary function.
func function(in *kernel.Instr, t dtype.Type, w [3]word) (word, bool) {
	if t == dtype.F32 {
		var d [1]float32
		if f := functions.F32(in); f != nil {
			f(d[:], []float32{w[0].f32()})
			return ofF32(d[0]), true
		}
		if f := functions.F32x2(in); f != nil {
			return ofF32(f(w[0].f32(), w[1].f32())), true
		}
		return word{}, false
	}
	var d [1]float64
	if f := functions.F64(in); f != nil {
		f(d[:], []float64{w[0].f64()})
		return ofF64(d[0]), true
	}
	if f := functions.F64x2(in); f != nil {
		return ofF64(f(w[0].f64(), w[1].f64())), true
	}
	return word{}, false
}

// complexInstr computes on the parts, or by the complex functions.
func complexInstr(in *kernel.Instr, t dtype.Type, w [3]word) (word, bool) {
	z, y := w[0].complex(t), w[1].complex(t)
	parts := func(op kernel.Op) (word, bool) {
		part := kernel.Instr{Op: op, Type: t.Real()}
		re, _ := floatInstr(&part, t.Real(), [3]word{{w[0][0]}, {w[1][0]}})
		im, _ := floatInstr(&part, t.Real(), [3]word{{w[0][1]}, {w[1][1]}})
		return word{re[0], im[0]}, true
	}
	boolean := func(b bool) (word, bool) { return ofBool(b), true }
	less := func(a, b complex128) bool {
		return real(a) < real(b) || real(a) == real(b) && imag(a) < imag(b)
	}
	switch in.Op {
	case kernel.Neg, kernel.Add, kernel.Sub:
		return parts(in.Op)
	case kernel.Real:
		return word{w[0][0]}, true
	case kernel.Imag:
		return word{w[0][1]}, true
	case kernel.Conj:
		im, _ := floatInstr(&kernel.Instr{Op: kernel.Neg, Type: t.Real()}, t.Real(), [3]word{{w[0][1]}})
		return word{w[0][0], im[0]}, true
	case kernel.Abs:
		return ofFloat(t.Real(), functions.Abs(t)(z)), true
	case kernel.Max:
		if less(y, z) {
			return w[0], true
		}
		return w[1], true
	case kernel.Min:
		if less(z, y) {
			return w[0], true
		}
		return w[1], true
	case kernel.EQ:
		return boolean(z == y)
	case kernel.NE:
		return boolean(z != y)
	case kernel.LT:
		return boolean(less(z, y))
	case kernel.LE:
		return boolean(z == y || less(z, y))
	case kernel.GT:
		return boolean(less(y, z))
	case kernel.GE:
		return boolean(z == y || less(y, z))
	}
	if f := functions.Complex(in, t); f != nil {
		return ofComplex(t, f(z)), true
	}
	if f := functions.Complex2(in, t); f != nil {
		return ofComplex(t, f(z, y)), true
	}
	return word{}, false
}
