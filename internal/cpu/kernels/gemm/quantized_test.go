package gemm

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/go-nx/nx/internal/cpu/kernels/half"
	"github.com/go-nx/nx/internal/cpu/kernels/kit"
	"github.com/go-nx/nx/internal/cpu/rt"
)

// randomQuantized returns a random matrix of integers, and the same one as floats.
func randomQuantized(r *rand.Rand, n, k, group int, fourBits bool) (*QuantizedMatrix, []float32) {
	w := &QuantizedMatrix{Data: make([]byte, n*k), N: n, K: k, Group: group, FourBits: fourBits}
	if group > 0 {
		w.Scales = kit.Fill(r, make([]float32, n*k/group))
	}
	if fourBits {
		w.Data = w.Data[:n*k/2]
	}
	for i := range w.Data {
		w.Data[i] = byte(r.Uint32())
	}
	dense := make([]float32, n*k)
	for i := range dense {
		row, col := i/k, i%k
		q := float32(int8(w.Data[min(i, len(w.Data)-1)]))
		if fourBits {
			b := w.Data[row*k/2+col/32*16+col%16]
			if q = float32(b&15) - 8; col%32 >= 16 {
				q = float32(b>>4) - 8
			}
		}
		dense[i] = q
		if group > 0 {
			dense[i] *= w.Scales[i/group]
		}
	}
	return w, dense
}

// A product with a quantised matrix has the bits of one with its floats, for few rows and for many.
func TestMatMulQuantized(t *testing.T) {
	for _, c := range []struct {
		m, n, k, group int
		fourBits       bool
	}{
		{1, 1, 1, 1, false},
		{1, 40, 300, 300, false},
		{1, 17, 512, 32, false},
		{3, 33, 320, 64, false},
		{8, 100, 96, 96, false},
		{9, 50, 288, 32, false},
		{40, 70, 300, 100, false},
		{1, 40, 544, 32, true},
		{7, 19, 640, 128, true},
		{30, 45, 320, 320, true},
		{2, 33, 300, 0, false},
		{1, 33, 640, 0, true},
		{20, 40, 96, 0, true},
		{0, 5, 32, 32, true},
	} {
		for _, workers := range []int{1, 3} {
			t.Run(fmt.Sprintf("%dx%dx%d of %d, 4 bits %t, by %d", c.m, c.n, c.k, c.group, c.fourBits, workers),
				func(t *testing.T) {
					env, r := kit.NewEnv(t, workers), rand.New(rand.NewPCG(1, 2))
					w, dense := randomQuantized(r, c.n, c.k, c.group, c.fourBits)
					a := oneMatrix(kit.Fill(r, make([]float32, c.m*c.k)), c.m, c.k)
					got := oneMatrix(make([]float32, c.m*c.n), c.m, c.n)
					want := oneMatrix(make([]float32, c.m*c.n), c.m, c.n)
					if err := MatMulQuantized(env, got, a, *w); err != nil {
						t.Fatal(err)
					}
					b := Matrix[float32]{dense, 0, nil, Dims{{c.k, 1}}, Dims{{c.n, c.k}}}
					if err := MatMul(env, want, a, b); err != nil {
						t.Fatal(err)
					}
					if !slices.Equal(got.Data, want.Data) {
						t.Errorf("the bits differ")
					}
				})
		}
	}
}

// Products of few rows with a narrow operand have the bits of converted ones, on both sides and in all orders.
func TestFewRowsConverted(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	from := Conversion{Size: 2, Convert: func(dst, src []byte) {
		half.WidenBF16(rt.View[float32](dst), rt.View[uint16](src))
	}}
	plain := Conversion{Size: 4}
	for _, c := range []struct{ m, n, k int }{{1, 40, 300}, {5, 33, 600}, {8, 16, 20}, {50, 1, 260}, {1, 1, 1}} {
		for _, transposed := range []bool{false, true} {
			env := kit.NewEnv(t, 2)
			narrow := make([]uint16, max(c.m, c.n)*c.k)
			for i := range narrow {
				narrow[i] = uint16(r.Uint32()) & 0x3fff
			}
			wide := make([]float32, len(narrow))
			half.WidenBF16(wide, narrow)
			lines, ks := Dims{{max(c.m, c.n), c.k}}, Dims{{c.k, 1}}
			if transposed {
				lines, ks = Dims{{max(c.m, c.n), 1}}, Dims{{c.k, max(c.m, c.n)}}
			}
			other := kit.Fill(r, make([]float32, min(c.m, c.n)*c.k))
			got := oneMatrix(make([]float32, c.m*c.n), c.m, c.n)
			want := oneMatrix(make([]float32, c.m*c.n), c.m, c.n)
			bytesOf := func(m Matrix[float32], data []byte) Matrix[byte] {
				return Matrix[byte]{data, m.Offset, m.Batch, m.Rows, m.Cols}
			}
			var a, b Matrix[float32]
			var err error
			if c.n == 1 && c.m > 1 {
				a = Matrix[float32]{wide, 0, nil, lines, ks}
				b = Matrix[float32]{other, 0, nil, Dims{{c.k, 1}}, Dims{{1, 1}}}
				err = MatMulConverted[float32](env, bytesOf(got, rt.Bytes(got.Data)), bytesOf(a, rt.Bytes(narrow)),
					bytesOf(b, rt.Bytes(other)), plain, from, plain)
			} else {
				a, b = oneMatrix(other, c.m, c.k), Matrix[float32]{wide, 0, nil, ks, lines}
				err = MatMulConverted[float32](env, bytesOf(got, rt.Bytes(got.Data)), bytesOf(a, rt.Bytes(other)),
					bytesOf(b, rt.Bytes(narrow)), plain, plain, from)
			}
			if err != nil {
				t.Fatal(err)
			}
			if err := MatMul(env, want, a, b); err != nil {
				t.Fatal(err)
			}
			if !slices.Equal(got.Data, want.Data) {
				t.Errorf("%v, transposed %t: the bits differ", c, transposed)
			}
		}
	}
}

func oneMatrix[T any](data []T, m, n int) Matrix[T] {
	return Matrix[T]{data, 0, nil, Dims{{m, n}}, Dims{{n, 1}}}
}
