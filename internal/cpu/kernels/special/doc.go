// Package special has elementary and special functions, of slices and of single numbers, real and complex, and the
// coefficients that tiers need to compute the same bits with vectors.
//
// Products are rounded before they are added (T(a*b) + c), since some architectures would fuse them.
package special
