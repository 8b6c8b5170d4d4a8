package gemm

import (
	"encoding/binary"
	"math/rand/v2"
	"testing"

	"github.com/go-nx/nx/internal/cpu/rt"
)

// slowDot4 is the definition of a dot4 step for signed integers, in plain Go; it packs as slowDot2 does.
type slowDot4 struct{ slowDot2 }

func (slowDot4) Multiply(c []float32, ldc, rows, cols, depth int, a, b []float32, first bool) {
	x, y, sums := rt.View[int8](rt.Bytes(a)), rt.View[int8](rt.Bytes(b)), rt.View[int32](rt.Bytes(c))
	for i := range rows {
		for j := range cols {
			if first {
				sums[i*ldc+j] = 0
			}
			for k := range 4 * depth {
				sums[i*ldc+j] += int32(x[4*i*depth+k]) * int32(y[4*j*depth+k])
			}
		}
	}
}

func (slowDot4) Interleave(dst []float32, src []byte, ks, lines, depth int) {
	out := rt.Bytes(dst)
	for k := range 4 * depth {
		for i := range lines {
			out[4*(i+k/4*lines)+k%4] = src[i+k*ks]
		}
	}
}

// TestMatMulInt8 compares products of 8-bit integers with those of the same numbers as 32-bit integers, for operands
// and results of all layouts.
func TestMatMulInt8(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	pool := rt.NewPool(2)
	defer pool.Close()
	matrix := func(batch, rows, cols, layout int) (Matrix[int32], Matrix[byte]) {
		return groupedMatrix(4, batch, rows, cols, layout, func() (int32, uint8) {
			x := uint8(r.Uint32())
			return int32(int8(x)), x
		})
	}
	for _, env := range []*rt.Env{{}, {Pool: pool, Buffers: rt.NewBuffers(-1)}} {
		for _, size := range [][3]int{{2, 1, 2}, {4, 3, 6}, {20, 64, 40}, {6, 277, 10}, {34, 600, 70}, {2, 0, 4}} {
			for range 12 {
				a, x := matrix(2, size[0], size[1], 2*r.IntN(2)+r.IntN(2))
				if r.IntN(3) == 0 {
					a, x = matrix(2, size[0], size[1], 4+r.IntN(2))
				}
				lb := r.IntN(4)
				if size[1]%2 == 0 {
					lb = r.IntN(6)
				}
				b, y := matrix(2, size[1], size[2], lb)
				want, _ := matrix(2, size[0], size[2], r.IntN(6))
				got := Matrix[byte]{rt.Bytes(make([]int32, len(want.Data))), want.Offset, want.Batch, want.Rows,
					want.Cols}
				if err := MatMulInt8(env, slowDot4{}, got, x, y, Conversion{Size: 4}); err != nil {
					t.Fatal(err)
				}
				if err := MatMul(nil, want, a, b); err != nil {
					t.Fatal(err)
				}
				for i, w := range want.Data[want.Offset:][:2*size[0]*size[2]] {
					g := int32(binary.LittleEndian.Uint32(got.Data[4*(want.Offset+i):]))
					if g != w {
						t.Fatalf("%v: element %d is %d, want %d", size, i, g, w)
					}
				}
			}
		}
	}
}
