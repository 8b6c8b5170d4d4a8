package gemm

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/go-nx/nx/internal/cpu/rt"
)

// fromBytes and toBytes are conversions of 8-bit integers.
func fromBytes(dst, src []byte) {
	for i, v := range src {
		rt.View[float32](dst)[i] = float32(int8(v))
	}
}

func toBytes(dst, src []byte) {
	for i, v := range rt.View[float32](src) {
		dst[i] = byte(int64(v))
	}
}

// bytesOf converts a matrix with integer elements from -128 to 127.
func bytesOf(m Matrix[float32]) Matrix[byte] {
	out := Matrix[byte]{Data: make([]byte, len(m.Data)), Offset: m.Offset, Batch: m.Batch, Rows: m.Rows, Cols: m.Cols}
	toBytes(out.Data, rt.Bytes(m.Data))
	return out
}

// TestMatMulConverted compares products of bytes, converted a block at a time, with those of the same numbers converted
// before, for operands and results of all layouts.
func TestMatMulConverted(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	widen, narrow := Conversion{Size: 1, Convert: fromBytes}, Conversion{Size: 1, Convert: toBytes}
	pool := rt.NewPool(2)
	defer pool.Close()
	// matrix returns random numbers: rows or columns are contiguous, or neither.
	matrix := func(batch, rows, cols, layout int) Matrix[float32] {
		m := Matrix[float32]{Offset: 3, Batch: Dims{{batch, rows * cols}}}
		switch layout {
		case 0:
			m.Rows, m.Cols = Dims{{rows, cols}}, Dims{{cols, 1}}
		case 1:
			m.Rows, m.Cols = Dims{{rows, 1}}, Dims{{cols, rows}}
		default: // the halves of both interleave
			m.Rows, m.Cols = Dims{{2, cols}, {rows / 2, 2 * cols}}, Dims{{2, 1}, {cols / 2, 2}}
		}
		for range 3 + batch*rows*cols {
			m.Data = append(m.Data, float32(r.IntN(256)-128))
		}
		return m
	}
	for _, size := range [][3]int{{2, 2, 2}, {6, 300, 10}, {130, 40, 260}, {34, 520, 6}} {
		for layouts := range 27 {
			la, lb, lc := layouts%3, layouts/3%3, layouts/9
			t.Run(fmt.Sprint(size, la, lb, lc), func(t *testing.T) {
				a, b := matrix(2, size[0], size[1], la), matrix(2, size[1], size[2], lb)
				want := matrix(2, size[0], size[2], lc)
				got := bytesOf(want)
				if err := MatMul(nil, want, a, b); err != nil {
					t.Fatal(err)
				}
				env := &rt.Env{Pool: pool}
				if err := MatMulConverted[float32](env, got, bytesOf(a), bytesOf(b), narrow, widen, widen); err != nil {
					t.Fatal(err)
				}
				if !bytes.Equal(got.Data[3:], bytesOf(want).Data[3:]) {
					t.Error("the numbers differ")
				}
				mixed := matrix(2, size[0], size[2], lc)
				plain := Matrix[byte]{rt.Bytes(mixed.Data), 3, mixed.Batch, mixed.Rows, mixed.Cols}
				right := Matrix[byte]{rt.Bytes(b.Data), 3, b.Batch, b.Rows, b.Cols}
				if err := MatMulConverted[float32](env, plain, bytesOf(a), right, Conversion{Size: 4}, widen,
					Conversion{Size: 4}); err != nil {
					t.Fatal(err)
				}
				if !bytes.Equal(plain.Data[12:], rt.Bytes(want.Data)[12:]) {
					t.Error("the numbers of operands of two types differ")
				}
			})
		}
	}
}
