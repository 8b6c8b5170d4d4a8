// Package fft has discrete Fourier transforms of complex and of real lines.
package fft
