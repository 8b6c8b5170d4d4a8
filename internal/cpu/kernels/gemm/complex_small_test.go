package gemm

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/go-nx/nx/internal/cpu/kernels/kit"
)

// TestSmallComplex compares the bits of products of few columns and terms with those by blocks.
func TestSmallComplex(t *testing.T) {
	testSmallComplex[float32](t, func(re, im float64) complex64 { return complex(float32(re), float32(im)) })
	testSmallComplex[float64](t, pairOf)
}

func testSmallComplex[T float32 | float64, Z complex64 | complex128](t *testing.T, of func(re, im float64) Z) {
	r := rand.New(rand.NewPCG(5, 6))
	env := kit.NewEnv(t, 2)
	for _, s := range [][4]int{{1, 2, 1, 1}, {1, 512, 2, 2}, {3, 40, 4, 4}, {2, 9, 1, 13}, {1, 9000, 2, 2},
		{5, 7, 3, 5}, {1, 40, 16, 1}, {0, 8, 2, 2}} {
		for _, layout := range []string{"brc", "bcr", "rcb"} {
			random := func(batch, rows, cols int) Matrix[Z] {
				return randomComplexMatrix(r, batch, rows, cols, layout, of)
			}
			a, b, c := random(s[0], s[1], s[3]), random(s[0], s[3], s[2]), random(s[0], s[1], s[2])
			want := c
			want.Data = slices.Clone(c.Data)
			g := newComplexProduct[T](env, &want, &a, &b)
			if err := g.run(env); err != nil {
				t.Fatal(err)
			}
			g.release()
			if !multiplySmallComplex[T](env, &c, &a, &b) {
				t.Fatalf("%v %s: by blocks", s, layout)
			}
			if !slices.Equal(c.Data, want.Data) {
				t.Errorf("%v %s: another sum than by blocks", s, layout)
			}
		}
	}
}
