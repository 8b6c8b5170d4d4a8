package kernel

// Op is the operation of an instruction.
type Op uint8

// The operations.
const (
	Invalid Op = iota
	Const      // Imm
	Load       // memory element At, converted from From to the register type
	Index      // the integer At of the iteration space: iota
	Arg        // argument Imm[0] of a Combine body
	Round      // back into the range and precision of From: wraps integers, rounds floats
	Convert    // From → Type with the semantics of stablehlo.convert; rounded to the type in Imm[0] when that is set
	Bitcast    // From → Type, same width
	Select     // a ? b : c
	// BitcastNarrow reinterprets elements of type From as elements of the type
	// in Imm[0], one of which lives in a wider register.
	BitcastNarrow
	ReducePrecision // of elements of type From, to Imm[0] exponent and Imm[1] mantissa bits

	Neg
	Abs
	Sign
	Not
	Popcnt
	Clz
	RotL // of U32 and U64, by Imm[1] bits: what a compiler makes of two shifts
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
	Call   // the function Name of a number
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
	Call2     // the function Name of two numbers
	NextAfter // in the element type Imm[0]
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

	Pair // (a∘b)•c of F32 and F64, the operations in Imm: what a compiler makes of two; • is Neg for c−(a∘b)
	FMA  // a*b+c with one rounding (f32 in portable: through float64, see docs/rationale.md)
	numOps
)

var opNames = [numOps]string{
	"invalid", "const", "load", "index", "arg", "round", "convert", "bitcast", "select", "bitcast_narrow", "reduce_precision",
	"neg", "abs", "sign", "not", "popcnt", "clz", "rotl", "ceil", "floor", "round_even", "round_away", "sqrt", "rsqrt", "cbrt",
	"exp", "expm1", "log", "log1p", "logistic", "sin", "cos", "tan", "tanh", "is_finite", "real", "imag",
	"erf", "erfc", "erf_inv", "call", "square", "conj",
	"add", "sub", "mul", "div", "rem", "max", "min", "pow", "atan2", "and", "or", "xor", "shl", "shr_a", "shr_l",
	"complex", "call2", "next_after", "mulhi",
	"eq", "ne", "lt", "le", "gt", "ge", "total_lt", "total_le", "total_eq", "pair", "fma",
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
	case o == Select || o == Pair || o == FMA:
		return 3
	case o >= Add && o <= TotalEQ:
		return 2
	}
	return 1
}
