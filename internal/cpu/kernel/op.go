package kernel

import (
	"iter"

	"github.com/go-nx/nx/dtype"
)

// Op is the operation of an instruction.
type Op uint8

// see their table for the meaning of each
const (
	Invalid Op = iota
	Const
	Load
	Index
	Arg
	Round
	Convert
	Bitcast
	Select
	ReducePrecision

	Neg
	Abs
	Sign
	Not
	Popcnt
	Clz
	Ceil
	Floor
	RoundEven
	RoundAway
	Sqrt
	Rsqrt
	Cbrt
	Exp
	Expm1
	Log
	Log1p
	Logistic
	Sin
	Cos
	Tan
	Tanh
	IsFinite
	Real
	Imag
	Erf
	Erfc
	ErfInv
	Call
	Square
	Conj

	Add
	Sub
	Mul
	Div
	Rem
	Max
	Min
	Pow
	Atan2
	And
	Or
	Xor
	Shl
	ShrA
	ShrL
	Complex
	Call2
	NextAfter
	MulHi
	Scale

	EQ
	NE
	LT
	LE
	GT
	GE
	TotalLT
	TotalLE
	TotalEQ

	FMA
	numOps
)

// kinds is a set of register types.
type kinds uint8

const (
	onBool kinds = 1 << iota
	onInts
	onFloats
	onComplex

	onNumbers = onInts | onFloats | onComplex
	onAny     = onBool | onNumbers
	onReal    = onBool | onInts | onFloats
)

// has reports whether the set contains a register type.
func (k kinds) has(t dtype.Type) bool {
	switch {
	case t == dtype.Bool:
		return k&onBool != 0
	case t.IsInteger():
		return k&onInts != 0
	case t.IsFloat():
		return k&onFloats != 0
	}
	return k&onComplex != 0
}

// field is a set of attributes that an operation has in addition to its type and operands.
type field uint8

const (
	hasBits field = 1 << iota
	hasAt
	hasArg
	hasFrom // always set, even if it is the type of the result
	hasFunc
	hasPrecision
	isFunction   // not a field: on floats its bits are those of package functions
	inExpansions // not a field: it occurs only in expansions of functions
)

// width is how the meaning of an operation depends on elements narrower than their register.
type width uint8

const (
	wide    width = iota // not at all: its type is a register's
	toWidth              // its result is an element of that type
	ofWidth              // it depends on that number of bits
)

// result is the type of an operation on registers of type T.
type result uint8

const (
	sameType      result = iota
	boolType             // a bool
	realPartType         // T for real numbers, the type of the parts for complex ones
	complexOfType        // the complex type with parts of type T
	anyType              // given by the instruction
)

// cost is the cost class of an operation.
type cost uint8

const (
	cheap     cost = iota
	expensive      // computing it twice costs more than writing and reading back the result
)

// row describes an operation.
type row struct {
	name    string
	args    int
	on      kinds // types of the operands' registers; of the result's if there are no operands
	result  result
	width   width
	fields  field
	cost    cost
	meaning string // to the bit
}

// Meanings shared by several operations.
const (
	elementary = "the function; its bits are those of package functions, the same in every tier"
	onNaN      = "; with NaN it is false"
)

var rows = [numOps]row{
	Const: {"const", 0, onAny, sameType, wide, hasBits, cheap, "the number"},
	Load: {"load", 0, onAny, anyType, toWidth, hasAt, cheap,
		"the element in memory; narrow integers are extended, narrow floats are exact"},
	Index: {"index", 0, onNumbers, sameType, wide, hasAt, cheap,
		"the integer of an access without a parameter: wraps around, rounds to nearest even"},
	Arg: {"arg", 0, onAny, sameType, wide, hasArg, cheap, "an argument of a reduction's body: the accumulators, then the next elements"},
	Round: {"round", 1, onInts | onFloats, sameType, toWidth, 0, cheap,
		"the element of a narrower type: integers wrap around, floats round to nearest even and overflow as their type does"},
	Convert: {"convert", 1, onAny, anyType, toWidth, hasFrom, cheap,
		"as dtype.Convert: to integers it truncates, saturates, NaN is 0; to floats it rounds once to nearest even"},
	Bitcast: {"bitcast", 1, onAny, anyType, toWidth, hasFrom, cheap, "the element with the same bits"},
	Select: {"select", 3, onAny, sameType, wide, 0, cheap,
		"the second operand where the first is true, else the third"},
	ReducePrecision: {"reduce_precision", 1, onFloats, sameType, toWidth, hasPrecision, cheap,
		"rounded to fewer bits of exponent and mantissa, as dtype.ReducePrecision"},

	Neg: {"neg", 1, onNumbers, sameType, wide, 0, cheap,
		"integers: 0-x, wrapping around; floats: the sign is flipped, also of NaN"},
	Abs: {"abs", 1, onNumbers, realPartType, wide, 0, cheap,
		"the minimum integer stays; -0 becomes +0; complex numbers: functions"},
	Sign:   {"sign", 1, onNumbers, sameType, wide, 0, cheap, "-1, 0 or 1; ±0 and NaN stay; complex numbers: x/|x|"},
	Not:    {"not", 1, onBool | onInts, sameType, wide, 0, cheap, "bitwise complement"},
	Popcnt: {"popcnt", 1, onBool | onInts, sameType, ofWidth, 0, cheap, "number of bits that are set"},
	Clz: {"clz", 1, onBool | onInts, sameType, ofWidth, 0, cheap,
		"number of zeros above the highest bit that is set"},
	Ceil:  {"ceil", 1, onFloats, sameType, wide, 0, cheap, "to an integer, up; keeps the sign of zeros"},
	Floor: {"floor", 1, onFloats, sameType, wide, 0, cheap, "to an integer, down; keeps the sign of zeros"},
	RoundEven: {"round_even", 1, onFloats, sameType, wide, 0, cheap,
		"to the nearest integer, ties to even; keeps the sign of zeros"},
	RoundAway: {"round_away", 1, onFloats, sameType, wide, 0, cheap,
		"to the nearest integer, ties away from 0; keeps the sign of zeros"},
	Sqrt: {"sqrt", 1, onFloats | onComplex, sameType, wide, 0, expensive,
		"rounded once to nearest even; complex numbers: functions"},
	Rsqrt:    {"rsqrt", 1, onFloats | onComplex, sameType, wide, isFunction, expensive, elementary},
	Cbrt:     {"cbrt", 1, onFloats | onComplex, sameType, wide, isFunction, expensive, elementary},
	Exp:      {"exp", 1, onFloats | onComplex, sameType, wide, isFunction, expensive, elementary},
	Expm1:    {"expm1", 1, onFloats | onComplex, sameType, wide, isFunction, expensive, elementary},
	Log:      {"log", 1, onFloats | onComplex, sameType, wide, isFunction, expensive, elementary},
	Log1p:    {"log1p", 1, onFloats | onComplex, sameType, wide, isFunction, expensive, elementary},
	Logistic: {"logistic", 1, onFloats | onComplex, sameType, wide, isFunction, expensive, elementary},
	Sin:      {"sin", 1, onFloats | onComplex, sameType, wide, isFunction, expensive, elementary},
	Cos:      {"cos", 1, onFloats | onComplex, sameType, wide, isFunction, expensive, elementary},
	Tan:      {"tan", 1, onFloats | onComplex, sameType, wide, isFunction, expensive, elementary},
	Tanh:     {"tanh", 1, onFloats | onComplex, sameType, wide, isFunction, expensive, elementary},
	IsFinite: {"is_finite", 1, onFloats, boolType, wide, 0, cheap, "neither infinite nor NaN"},
	Real:     {"real", 1, onComplex, realPartType, wide, 0, cheap, "the real part"},
	Imag:     {"imag", 1, onComplex, realPartType, wide, 0, cheap, "the imaginary part"},
	Erf:      {"erf", 1, onFloats, sameType, wide, isFunction, expensive, elementary},
	Erfc:     {"erfc", 1, onFloats, sameType, wide, isFunction, expensive, elementary},
	ErfInv:   {"erf_inv", 1, onFloats, sameType, wide, isFunction, expensive, elementary},
	Call:     {"call", 1, onFloats | onComplex, sameType, wide, hasFunc | isFunction, expensive, elementary},
	Square:   {"square", 1, onComplex, sameType, wide, isFunction, cheap, elementary},
	Conj:     {"conj", 1, onComplex, sameType, wide, 0, cheap, "the sign of the imaginary part is flipped"},

	Add: {"add", 2, onAny, sameType, wide, 0, cheap,
		"integers wrap around, floats round once to nearest even; on bools: logical or"},
	Sub: {"sub", 2, onAny, sameType, wide, 0, cheap, "as add; on bools: logical xor"},
	Mul: {"mul", 2, onAny, sameType, wide, 0, cheap,
		"as add, never fused with an addition; on bools: logical and; complex numbers: functions"},
	Div: {"div", 2, onNumbers, sameType, wide, 0, expensive,
		"integers truncate, x/0 is -1 (all bits), the minimum by -1 is itself; floats round once; complex numbers: functions"},
	Rem: {"rem", 2, onInts | onFloats, sameType, wide, 0, expensive,
		"has the sign of x and is exact; on integers x rem 0 is x"},
	Max: {"max", 2, onAny, sameType, wide, 0, cheap, "NaN wins, +0 is above -0; complex numbers: x where y < x, else y"},
	Min: {"min", 2, onAny, sameType, wide, 0, cheap, "NaN wins, -0 is below +0; complex numbers: x where x < y, else y"},
	Pow: {"pow", 2, onNumbers, sameType, wide, isFunction, expensive,
		"integers wrap around, a negative exponent gives 0 except for the bases 1 and -1; else functions"},
	Atan2: {"atan2", 2, onFloats | onComplex, sameType, wide, isFunction, expensive, elementary},
	And:   {"and", 2, onBool | onInts, sameType, wide, 0, cheap, "bitwise"},
	Or:    {"or", 2, onBool | onInts, sameType, wide, 0, cheap, "bit by bit"},
	Xor:   {"xor", 2, onBool | onInts, sameType, wide, 0, cheap, "bit by bit"},
	Shl:   {"shl", 2, onInts, sameType, ofWidth, 0, cheap, "0 for counts (unsigned) of the width or more"},
	ShrA: {"shr_a", 2, onInts, sameType, ofWidth, 0, cheap,
		"shifts in the sign; only the sign for counts (unsigned) of the width or more"},
	ShrL: {"shr_l", 2, onInts, sameType, ofWidth, 0, cheap,
		"shifts in 0; 0 for counts (unsigned) of the width or more"},
	Complex: {"complex", 2, onFloats, complexOfType, wide, 0, cheap, "the number with a real and an imaginary part"},
	Call2:   {"call2", 2, onFloats, sameType, wide, hasFunc | isFunction, expensive, elementary},
	NextAfter: {"next_after", 2, onFloats, sameType, toWidth, 0, cheap,
		"the neighbour of x, among the elements of the type, towards y"},
	MulHi: {"mulhi", 2, onInts, sameType, ofWidth, 0, cheap, "the upper half of the exact product"},
	Scale: {"scale", 2, onFloats, sameType, wide, inExpansions, cheap,
		"x·2ⁿ of an integer n from -250 to 250, in f64 from -1100 to 1100, rounded once; " +
			"x is 0, infinite, NaN or of magnitude 2^-100 to 2^100, unless n is 0. Only in expansions of functions"},

	EQ: {"eq", 2, onAny, boolType, wide, 0, cheap, "x = y" + onNaN},
	NE: {"ne", 2, onAny, boolType, wide, 0, cheap, "not x = y; with NaN it is true"},
	LT: {"lt", 2, onAny, boolType, wide, 0, cheap,
		"x < y, complex numbers by real parts, then by imaginary parts" + onNaN},
	LE: {"le", 2, onAny, boolType, wide, 0, cheap, "x < y or x = y" + onNaN},
	GT: {"gt", 2, onAny, boolType, wide, 0, cheap, "y < x"},
	GE: {"ge", 2, onAny, boolType, wide, 0, cheap, "y < x or x = y"},
	TotalLT: {"total_lt", 2, onFloats, boolType, wide, 0, cheap,
		"in the order -NaN < -Inf < … < -0 < +0 < … < +Inf < +NaN"},
	TotalLE: {"total_le", 2, onFloats, boolType, wide, 0, cheap, "total_lt or total_eq"},
	TotalEQ: {"total_eq", 2, onFloats, boolType, wide, 0, cheap, "the same bits"},

	FMA: {"fma", 3, onFloats, sameType, wide, 0, cheap,
		"x·y + z, rounded once. Only in expansions of elementary functions and in the inner step of a contraction"},
}

// String returns the name of the operation.
func (o Op) String() string {
	if o == Invalid || o >= numOps {
		return "invalid"
	}
	return rows[o].name
}

// NumArgs returns the number of operands, without those of its access.
func (o Op) NumArgs() int { return rows[o].args }

// IsCompare reports whether the result is a Bool for operands of any type.
func (o Op) IsCompare() bool { return rows[o].result == boolType }

// neverBailsOut are the expensive operations that machine code computes for all F32 inputs.
var neverBailsOut = [numOps]bool{Sqrt: true, Rsqrt: true, Exp: true, Expm1: true, Log: true, Log1p: true,
	Logistic: true, Tanh: true, Div: true}

// MayBailOut reports whether machine code may leave some elements of the instruction to another
// tier (the slow path), and with them the rest of the chunk of a reduction.
func (in *Instr) MayBailOut() bool {
	switch {
	case in.Type.IsComplex() || in.From.IsComplex():
		return true
	case !in.Op.IsExpensive():
		return false
	}
	return in.Register() != dtype.F32 || !neverBailsOut[in.Op]
}

// IsExpensive reports whether computing the operation twice costs more than writing and reading
// back its result.
func (o Op) IsExpensive() bool { return rows[o].cost == expensive }

// IsElementary reports whether the operation on floats is a function whose bits are those of
// package functions.
func (o Op) IsElementary() bool { return rows[o].fields&isFunction != 0 }

// InExpansions reports whether the operation occurs only in expansions of functions: it is
// undefined for some operands, which do not occur there.
func (o Op) InExpansions() bool { return rows[o].fields&inExpansions != 0 }

// DependsOnWidth reports whether the operation on narrow elements differs from that on their
// register.
func (o Op) DependsOnWidth() bool { return rows[o].width == ofWidth }

// IsClosedOn reports whether the result for elements of type t is an element of t: it needs no
// rounding though it lives in a wider register.
func (o Op) IsClosedOn(t dtype.Type) bool {
	switch o {
	case Max, Min, And, Or, Xor, Select:
		return true
	case Neg, Abs, Sign, Ceil, Floor, RoundEven, RoundAway:
		// Other narrow floats have no -0, or not all of these integers.
		return t == dtype.BF16 || t == dtype.F16
	}
	return o.IsCompare()
}

// OpNamed returns the operation of a name, Invalid if there is none.
func OpNamed(name string) Op {
	for o := Invalid + 1; o < numOps; o++ {
		if rows[o].name == name {
			return o
		}
	}
	return Invalid
}

// Ops returns all operations.
func Ops() iter.Seq[Op] {
	return func(yield func(Op) bool) {
		for o := Invalid + 1; o < numOps; o++ {
			if !yield(o) {
				return
			}
		}
	}
}
