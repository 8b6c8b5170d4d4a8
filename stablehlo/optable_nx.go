package stablehlo

// nxOps are primitives of this project that neither the specification nor CHLO has. Other compilers do not
// support them.
var nxOps = opRows{
	{OpNxBesselI0e, OpInfo{
		Name:     "nx.bessel_i0e",
		Operands: chloFloatIn, Results: chloFloatOut,
		Traits: Elementwise | SameTypes | Transcendental,
		Doc:    "result[i] = e^-|x| I₀(x) for x = operand[i], the modified Bessel function of order 0.",
	}},
}
