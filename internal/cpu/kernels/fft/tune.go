package fft

// minSixStep is the length from which a Fourier transform is one of rows and columns of a matrix, which stay in cache.
// See "Why are Fourier transforms vectorised over lines?" in docs/rationale/kernels.md.
const minSixStep = 1 << 14
