// Package refmath computes real and complex functions of float64 numbers as a reference: slow, plain, and correctly
// rounded except for arguments whose exact result lies within about 2^-40 ulp of the middle of two floats.
//
// Every function follows one plan. Zeros, infinities and NaNs come first, as in C99 (Annexes F and G). Other arguments
// are computed by the textbook formula with numbers of type wide (106 bits and an exponent without practical limits, so
// that no intermediate value overflows, underflows or needs scaling) and rounded once at the end.
//
// Read dd.go (double-double arithmetic), wide.go (the exponent), then exp.go, log.go, trig.go and atan.go (the four
// kernels); all others compose those.
//
// Sources: T. J. Dekker, "A floating-point technique for extending the available precision", 1971,
// doi:10.1007/BF01397083; M. Joldes, J.-M. Muller, V. Popescu, "Tight and rigorous error bounds for basic building
// blocks of double-word arithmetic", 2017, doi:10.1145/3121432; W. Kahan, "Branch cuts for complex elementary
// functions", 1987.
package refmath
