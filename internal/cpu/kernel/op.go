package kernel

import (
	"iter"

	"github.com/go-nx/nx/dtype"
)

// Op is the operation of an instruction.
type Op uint8

// The operations. Their table says what each means.
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

// kinds is a set of kinds of register types.
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

// has reports whether a register type is of one of the kinds.
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

// field is a set of what an operation has beside its type and operands.
type field uint8

const (
	hasBits field = 1 << iota
	hasAt
	hasArg
	hasFrom // always written, though it may be the type of the result
	hasFunc
	hasPrecision
	isFunction   // not a field: on floats its bits are those of package functions
	inExpansions // nor this: it stands in expansions of functions alone, whose operands it is for
)

// width says how the meaning of an operation depends on elements that are narrower than
// their register.
type width uint8

const (
	wide    width = iota // not at all: its type is a register's
	toWidth              // it makes elements of that type
	ofWidth              // it looks at that many bits
)

// result says what type an operation on registers of type T has.
type result uint8

const (
	sameType      result = iota
	boolType             // a truth value
	realPartType         // T for real numbers, the type of the parts for complex ones
	complexOfType        // the complex type whose parts are T
	anyType              // told by the instruction
)

// cost says what computing an operation costs.
type cost uint8

const (
	cheap     cost = iota
	expensive      // computing it twice costs more than to write and read back the result
)

// row is what an operation is.
type row struct {
	name    string
	args    int
	on      kinds // types of the operands' registers, of the result's where it has none
	result  result
	width   width
	fields  field
	cost    cost
	meaning string // to the bit
}

// The meanings that several operations share.
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
	Arg: {"arg", 0, onAny, sameType, wide, hasArg, cheap, "of a fold's body: the accumulators, then the next elements"},
	Round: {"round", 1, onInts | onFloats, sameType, toWidth, 0, cheap,
		"the element of a narrower type: integers wrap around, floats round to nearest even and overflow as their type does"},
	Convert: {"convert", 1, onAny, anyType, toWidth, hasFrom, cheap,
		"as dtype.Convert: to integers it truncates, saturates, NaN is 0; to floats it rounds once to nearest even"},
	Bitcast: {"bitcast", 1, onAny, anyType, toWidth, hasFrom, cheap, "the element with the same bits"},
	Select:  {"select", 3, onAny, sameType, wide, 0, cheap, "the second operand where the first is true, else the third"},
	ReducePrecision: {"reduce_precision", 1, onFloats, sameType, toWidth, hasPrecision, cheap,
		"rounded to fewer bits of exponent and mantissa, as dtype.ReducePrecision"},

	Neg: {"neg", 1, onNumbers, sameType, wide, 0, cheap,
		"0-x of integers, wrapping around; the other sign of floats, NaN too"},
	Abs: {"abs", 1, onNumbers, realPartType, wide, 0, cheap,
		"the least integer stays; -0 becomes +0; complex numbers: functions"},
	Sign:   {"sign", 1, onNumbers, sameType, wide, 0, cheap, "-1, 0 or 1; ±0 and NaN stay; complex numbers: x/|x|"},
	Not:    {"not", 1, onBool | onInts, sameType, wide, 0, cheap, "all bits the other way round"},
	Popcnt: {"popcnt", 1, onBool | onInts, sameType, ofWidth, 0, cheap, "how many bits are set"},
	Clz: {"clz", 1, onBool | onInts, sameType, ofWidth, 0, cheap,
		"how many zeros are above the first bit that is set"},
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
	Conj:     {"conj", 1, onComplex, sameType, wide, 0, cheap, "the other sign of the imaginary part"},

	Add: {"add", 2, onAny, sameType, wide, 0, cheap,
		"integers wrap around, floats round once to nearest even, of truths it is or"},
	Sub: {"sub", 2, onAny, sameType, wide, 0, cheap, "as add; of truths it is xor"},
	Mul: {"mul", 2, onAny, sameType, wide, 0, cheap,
		"as add, never joined with an addition; of truths it is and; complex numbers: functions"},
	Div: {"div", 2, onNumbers, sameType, wide, 0, expensive,
		"integers truncate, x/0 is -1 (all bits), the least by -1 is itself; floats round once; complex numbers: functions"},
	Rem: {"rem", 2, onInts | onFloats, sameType, wide, 0, expensive,
		"has the sign of x and is exact; of integers x rem 0 is x"},
	Max: {"max", 2, onAny, sameType, wide, 0, cheap, "NaN wins, +0 is above -0; complex numbers: x where y < x, else y"},
	Min: {"min", 2, onAny, sameType, wide, 0, cheap, "NaN wins, -0 is below +0; complex numbers: x where x < y, else y"},
	Pow: {"pow", 2, onNumbers, sameType, wide, isFunction, expensive,
		"of integers wraps around, with a negative exponent it is 0 but for the bases 1 and -1; else functions"},
	Atan2: {"atan2", 2, onFloats | onComplex, sameType, wide, isFunction, expensive, elementary},
	And:   {"and", 2, onBool | onInts, sameType, wide, 0, cheap, "bit by bit"},
	Or:    {"or", 2, onBool | onInts, sameType, wide, 0, cheap, "bit by bit"},
	Xor:   {"xor", 2, onBool | onInts, sameType, wide, 0, cheap, "bit by bit"},
	Shl:   {"shl", 2, onInts, sameType, ofWidth, 0, cheap, "0 for counts (unsigned) of the width or more"},
	ShrA: {"shr_a", 2, onInts, sameType, ofWidth, 0, cheap,
		"brings in the sign, nothing else for counts (unsigned) of the width or more"},
	ShrL: {"shr_l", 2, onInts, sameType, ofWidth, 0, cheap,
		"brings in 0, nothing else for counts (unsigned) of the width or more"},
	Complex: {"complex", 2, onFloats, complexOfType, wide, 0, cheap, "of a real and an imaginary part"},
	Call2:   {"call2", 2, onFloats, sameType, wide, hasFunc | isFunction, expensive, elementary},
	NextAfter: {"next_after", 2, onFloats, sameType, toWidth, 0, cheap,
		"the neighbour of x, among the elements of the type, on the way to y"},
	MulHi: {"mulhi", 2, onInts, sameType, ofWidth, 0, cheap, "the upper half of the exact product"},
	Scale: {"scale", 2, onFloats, sameType, wide, inExpansions, cheap, "x·2ⁿ of an integer n from -250 to 250, in f64 " +
		"from -1100 to 1100, rounded once; x is 0, infinite, NaN or of magnitude 2^-100 to 2^100, unless n is 0. In expansions " +
		"of functions alone"},

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
		"x·y + z, rounded once. It stands in expansions of elementary functions and in the inner step of a contraction alone"},
}

// String returns the name of the operation.
func (o Op) String() string {
	if o == Invalid || o >= numOps {
		return "invalid"
	}
	return rows[o].name
}

// NumArgs returns the number of operands, those of its access not counted.
func (o Op) NumArgs() int { return rows[o].args }

// IsCompare reports whether the result is a Bool whatever the operands are.
func (o Op) IsCompare() bool { return rows[o].result == boolType }

// neverBailsOut are the expensive operations that machine code computes of all numbers of F32.
var neverBailsOut = map[Op]bool{Sqrt: true, Rsqrt: true, Exp: true, Expm1: true, Log: true, Log1p: true, Logistic: true,
	Tanh: true, Div: true}

// MayBailOut reports whether machine code may leave some elements of the instruction to another
// tier, and with them what else is computed in the same piece of a fold.
func (in *Instr) MayBailOut() bool {
	switch {
	case in.Type.IsComplex() || in.From.IsComplex():
		return true
	case !in.Op.IsExpensive():
		return false
	}
	return in.Register() != dtype.F32 || !neverBailsOut[in.Op]
}

// IsExpensive reports whether computing the operation twice costs more than
// writing and reading back its result.
func (o Op) IsExpensive() bool { return rows[o].cost == expensive }

// IsElementary reports whether the operation on floats is a function whose bits are those of
// package functions.
func (o Op) IsElementary() bool { return rows[o].fields&isFunction != 0 }

// InExpansions reports whether the operation stands in expansions of functions alone: it has no meaning for
// some operands, which they do not have.
func (o Op) InExpansions() bool { return rows[o].fields&inExpansions != 0 }

// DependsOnWidth reports whether the operation means something else for narrow elements
// than for those of their register.
func (o Op) DependsOnWidth() bool { return rows[o].width == ofWidth }

// IsClosedOn reports whether the result for elements of type t is one of them as well, so that
// it needs no rounding though it lives in a wider register.
func (o Op) IsClosedOn(t dtype.Type) bool {
	switch o {
	case Max, Min, And, Or, Xor, Select:
		return true
	case Neg, Abs, Sign, Ceil, Floor, RoundEven, RoundAway: // other narrow floats lack -0, or integers that these have
		return t == dtype.BF16 || t == dtype.F16
	}
	return o.IsCompare()
}

// OpNamed returns the operation of a name, Invalid when there is none.
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
