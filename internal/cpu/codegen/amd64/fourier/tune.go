package fourier

// maxCallNumbers is the maximum number of complex numbers of a call of a Fourier transform, which takes less
// than 100 µs. Guard.
const maxCallNumbers = 1 << 14
