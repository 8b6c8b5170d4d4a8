package lapack

import (
	"fmt"
	"math/rand/v2"
	"testing"
)

// TestRowDots: products of rows and a vector, shorter and longer than a block, match loops in f64.
func TestRowDots(t *testing.T) {
	testRowDots[float32](t, 2e-6)
	testRowDots[float64](t, 4e-15)
	testRowDots[complex64](t, 4e-6)
	testRowDots[complex128](t, 8e-15)
}

func testRowDots[T field](t *testing.T, limit float64) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, n := range []int{0, 1, 5, 255, 256, 257, 600} {
		for _, count := range []int{0, 1, 3, 64} {
			t.Run(fmt.Sprintf("%T %dx%d", *new(T), count, n), func(t *testing.T) {
				stride := n + 3
				a, x, y := randomField[T](r, count*stride), randomField[T](r, n), randomField[T](r, n)
				sums, old, scratch := randomField[T](r, count), append([]T(nil), y...), make([]T, max(n, count))
				rowDots(nil, sums, a, stride, x, scratch)
				subtractVecMat(nil, y, a, stride, sums, scratch)
				for i, got := range sums {
					re, im := parts64(got)
					for k, v := range x {
						p, q := wide(a[i*stride+k]), wide(v)
						re, im = re-real(p*q), im-imag(p*q)
					}
					if d := wide(scalar[T](re, im)); real(d*conjugated(d)) > limit*limit*float64(n*n) {
						t.Fatalf("sum %d is off by %v", i, d)
					}
				}
				for k, got := range y {
					d := wide(got) - wide(old[k])
					for i, s := range sums {
						d += wide(a[i*stride+k]) * wide(s)
					}
					if size := real(d * conjugated(d)); size > limit*limit*float64((count+1)*(count+1)*(n+1)) {
						t.Fatalf("element %d is off by %v", k, d)
					}
				}
			})
		}
	}
}

func wide[T field](x T) complex128 { return complex(parts64(x)) }
