// Package refmath computes real and complex functions of float64 numbers to be
// compared with: slow, plain, and correctly rounded but for arguments whose
// exact result lies within about 2^-40 ulp of the middle of two floats.
//
// Every function follows one plan. Zeros, infinities and NaNs are settled
// first, as C99 (Annexes F and G) has them. What is left is computed by the
// textbook formula with numbers of type wide (106 bits and an exponent
// without practical limits, so that nothing overflows, underflows or needs
// scaling on the way) and rounded once at the end.
//
// Read dd.go (double-double arithmetic), wide.go (the exponent), then exp.go,
// log.go, trig.go and atan.go (the four kernels); all else composes those.
//
// Sources: T. J. Dekker, "A floating-point technique for extending the
// available precision", 1971, doi:10.1007/BF01397083; M. Joldes, J.-M. Muller,
// V. Popescu, "Tight and rigorous error bounds for basic building blocks of
// double-word arithmetic", 2017, doi:10.1145/3121432; W. Kahan, "Branch cuts for
// complex elementary functions", 1987.
package refmath
