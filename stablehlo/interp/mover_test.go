package interp

import (
	"context"
	"math/rand/v2"
	"testing"
)

// TestMover compares boxes of random shapes and steps with the definition.
func TestMover(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 2))
	for range 2000 {
		rank, size := rnd.IntN(5), 1+rnd.IntN(9)
		dims, dst, src := make([]int64, rank), make([]int, rank), make([]int, rank)
		to, from, room := 0, 0, 1
		for d := range dims {
			dims[d] = int64(rnd.IntN(4))
			src[d] = rnd.IntN(7) - 3
			if src[d] < 0 {
				from -= src[d] * 3
			}
		}
		for d := rank - 1; d >= 0; d-- { // different elements must have different offsets
			dst[d] = room + rnd.IntN(3)
			room = dst[d] * int(max(dims[d], 1))
			if rnd.IntN(4) == 0 {
				to += dst[d] * int(max(dims[d]-1, 0))
				dst[d] = -dst[d]
			}
		}
		in, out := make([]byte, 64*size), make([]byte, (room+1)*size)
		for i := range in {
			in[i] = byte(rnd.Uint32())
		}
		want := make([]byte, len(out))
		a, b := newCounter(dims, dst), newCounter(dims, src)
		for range numElems(dims) {
			copy(want[(to+a.at)*size:][:size], in[(from+b.at)*size:])
			a.next()
			b.next()
		}
		if err := newMover(dims, size, dst, src).run(&frame{ctx: context.Background(), proc: &process{}}, out, in,
			to, from, size); err != nil {
			t.Fatal(err)
		}
		if string(out) != string(want) {
			t.Fatalf("shape %v, steps %v from %d and %v from %d, size %d:\ngot  %v\nwant %v", dims, dst,
				to, src, from, size, out, want)
		}
	}
}
