package kernel

// Op is the operation of an instruction.
type Op uint8

// The operations.
const (
	Invalid Op = iota
	Const      // Bits
	Load       // memory element At, of type Type
	Index      // the integer At of the iteration space: iota
	Arg        // an argument of a Combine body
	Round      // back into the range and precision of Type: wraps integers, rounds floats
	Convert    // From → Type with the semantics of stablehlo.convert
	Bitcast    // From → Type, same width
	Select     // a ? b : c

	ReducePrecision // of elements of type Type, to ExponentBits and MantissaBits

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
	Call   // the function Func of a number
	Square // of complex numbers
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
	Call2     // the function Func of two numbers
	NextAfter // among the numbers of Type
	MulHi

	EQ
	NE
	LT
	LE
	GT
	GE
	TotalLT // total order of floats: -NaN < -Inf < … < -0 < +0 < … < +Inf < +NaN
	TotalLE
	TotalEQ

	FMA // a*b+c with one rounding (f32 in portable: through float64, see docs/rationale.md)
	numOps
)

var opNames = [numOps]string{
	"invalid", "const", "load", "index", "arg", "round", "convert", "bitcast", "select", "reduce_precision",
	"neg", "abs", "sign", "not", "popcnt", "clz", "ceil", "floor", "round_even", "round_away", "sqrt", "rsqrt", "cbrt",
	"exp", "expm1", "log", "log1p", "logistic", "sin", "cos", "tan", "tanh", "is_finite", "real", "imag",
	"erf", "erfc", "erf_inv", "call", "square", "conj",
	"add", "sub", "mul", "div", "rem", "max", "min", "pow", "atan2", "and", "or", "xor", "shl", "shr_a", "shr_l",
	"complex", "call2", "next_after", "mulhi",
	"eq", "ne", "lt", "le", "gt", "ge", "total_lt", "total_le", "total_eq", "fma",
}

// isNarrow reports whether the type of the operation may be an element type that lives
// in a wider register.
func (o Op) isNarrow() bool {
	switch o {
	case Load, Round, Convert, Bitcast, ReducePrecision, Popcnt, Clz, Shl, ShrA, ShrL, MulHi, NextAfter:
		return true
	}
	return false
}

// DependsOnWidth reports whether the operation means something else for narrow elements
// than for those of their register.
func (o Op) DependsOnWidth() bool {
	switch o {
	case Popcnt, Clz, Shl, ShrA, ShrL, MulHi:
		return true
	}
	return false
}

// String returns the name of the operation.
func (o Op) String() string { return opNames[o] }

// IsCompare reports whether the result is a Bool whatever the operands are.
func (o Op) IsCompare() bool { return o >= EQ && o <= TotalEQ || o == IsFinite }

// IsExpensive reports whether computing the operation twice costs more than
// writing and reading back its result.
func (o Op) IsExpensive() bool {
	switch o {
	case Cbrt, Exp, Expm1, Log, Log1p, Logistic, Sin, Cos, Tan, Tanh, Erf, Erfc, ErfInv,
		Call, Call2, Pow, Atan2, Rem, Div, Sqrt, Rsqrt:
		return true
	}
	return false
}

// NumArgs returns the number of operands.
func (o Op) NumArgs() int {
	switch {
	case o == Const || o == Load || o == Index || o == Arg:
		return 0
	case o == Select || o == FMA:
		return 3
	case o >= Add && o <= TotalEQ:
		return 2
	}
	return 1
}
