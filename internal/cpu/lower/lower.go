// Package lower has the lowerings that only package cpu asks for: ops that could be calls of an algorithm are
// written as elementwise ops, reductions and loops, which kernels compute together with the ops around them. Other
// compilers have better code for the ops as they are.
package lower

// Profits says which ops gain from that in the code of a tier.
type Profits struct {
	RandomBits bool // random bit generators
	Windows    bool // windows with padding or of many elements, and reductions of few rows
	Dots       SmallDots
}

// Plain returns what plain Go gains: it has loops of its own for random bits and windows, and is slower at short sums
// than machine code.
func Plain() Profits { return Profits{Dots: SmallDots{Terms: 3}} }

// Vectors returns what machine code gains.
func Vectors() Profits {
	return Profits{RandomBits: true, Windows: true, Dots: SmallDots{Terms: 4, Vectors: true}}
}
