package library

import (
	"bytes"
	"math/rand/v2"
	"testing"
)

// Rows of any length are gathered and scattered, those of common lengths by blocks.
func TestGatherRows(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, size := range []int{1, 2, 4, 8, 16} {
		for _, n := range []int{1, 2, 3, 4, 8, 16, 32, 64, 128} {
			const rows = 37
			src := make([]byte, 3*rows*n*size)
			for i := range src {
				src[i] = byte(r.Uint32())
			}
			at := make([]int64, rows)
			for i, place := range r.Perm(3 * rows)[:rows] {
				at[i] = int64(place * n)
			}
			got, back := make([]byte, rows*n*size), make([]byte, len(src))
			gatherRows(got, src, at, n, size)
			scatterRows(back, got, at, n, size)
			want := make([]byte, len(src))
			for i, a := range at {
				row := src[int(a)*size:][:n*size]
				if !bytes.Equal(got[i*n*size:][:n*size], row) {
					t.Fatalf("%d elements of %d bytes: row %d differs", n, size, i)
				}
				copy(want[int(a)*size:], row)
			}
			if !bytes.Equal(back, want) {
				t.Fatalf("%d elements of %d bytes: rows are not scattered to their places", n, size)
			}
		}
	}
}
