// Package lapack factors batches of matrices, as the routines of LAPACK and mostly by its algorithms: Cholesky, LU, QR,
// Hessenberg and Schur forms, eigenvalues and singular values. Blocks are multiplied by package gemm.
//
// Results never depend on the number of workers. The only error is that of scratch memory.
package lapack
