package ops_test

import (
	"testing"

	"github.com/go-nx/nx/fft"

	"github.com/go-nx/nx"
)

// TestParseval: a Fourier transform keeps the sum of squares, and its inverse undoes it,
// for lengths that are powers of two, smooth, and prime.
func TestParseval(t *testing.T) {
	for _, n := range []int{1, 2, 7, 12, 64, 97, 1000, 1009} {
		x := nx.Sin(nx.Mul(nx.Iota(nx.Shape{n}, nx.F64), 1.3))
		y := fft.FFT(x)
		energy := nx.Div(nx.Sum(nx.Square(nx.Abs(y))), float64(n))
		if !nx.Item[bool](nx.AllClose(energy, nx.Sum(nx.Square(x)), nx.Tolerance(1e-12, 1e-12))) {
			t.Errorf("n = %d: the energies are %v and %v", n, energy, nx.Sum(nx.Square(x)))
		}
		if back := fft.IFFT(y); !nx.Item[bool](nx.AllClose(back, x, nx.Tolerance(1e-12, 1e-12))) {
			t.Errorf("n = %d: the inverse does not undo the transform", n)
		}
		back := fft.IRFFT(fft.RFFT(x), fft.Length(n))
		if !nx.Item[bool](nx.AllClose(back, x, nx.Tolerance(1e-12, 1e-12))) {
			t.Errorf("n = %d: the inverse does not undo the transform of real numbers", n)
		}
	}
}
