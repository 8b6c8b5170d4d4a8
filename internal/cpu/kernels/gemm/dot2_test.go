package gemm

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/go-nx/nx/internal/cpu/kernels/half"
	"github.com/go-nx/nx/internal/cpu/rt"
)

// slowDot2 is the definition of a dot2 step, in plain Go; it packs one line per panel.
type slowDot2 struct{}

func (slowDot2) Tile() (rows, cols, depth int) { return 1, 1, 1 }

func (slowDot2) PackRows(dst, src []float32, ls, ks, lines, depth int) {
	for i := range lines {
		for k := range depth {
			dst[i*depth+k] = src[i*ls+k*ks]
		}
	}
}

func (s slowDot2) PackCols(dst, src []float32, ls, ks, lines, depth int) {
	s.PackRows(dst, src, ls, ks, lines, depth)
}

func (slowDot2) Multiply(c []float32, ldc, rows, cols, depth int, a, b []float32, first bool) {
	for i := range rows {
		for j := range cols {
			sum := float32(0)
			for k := range depth {
				x, y := math.Float32bits(a[i*depth+k]), math.Float32bits(b[j*depth+k])
				for _, shift := range []int{16, 0} {
					sum += float32(math.Float32frombits(x<<shift&^0xffff) * math.Float32frombits(y<<shift&^0xffff))
				}
			}
			if !first {
				sum += c[i*ldc+j]
			}
			c[i*ldc+j] = sum
		}
	}
}

func (slowDot2) Interleave(dst []float32, src []uint16, ks, lines, depth int) {
	for k := range depth {
		for i := range lines {
			dst[i+k*lines] = math.Float32frombits(uint32(src[i+2*k*ks]) | uint32(src[i+(2*k+1)*ks])<<16)
		}
	}
}

func slowRound(dst []uint16, ldd int, src []float32, lds, lines, n int) {
	for i := range lines {
		half.NarrowBF16(dst[i*ldd:][:n], src[i*lds:][:n])
	}
}

// groupedMatrix returns a matrix of given numbers twice, as sums and as operands have them: rows or columns are
// contiguous, or neither. Odd layouts begin at the offset.
func groupedMatrix[T float32 | int32, E uint8 | uint16](offset, batch, rows, cols, layout int,
	next func() (T, E)) (Matrix[T], Matrix[byte]) {
	m := Matrix[T]{Offset: layout % 2 * offset, Batch: Dims{{batch, rows * cols}}}
	switch layout / 2 {
	case 0:
		m.Rows, m.Cols = Dims{{rows, cols}}, Dims{{cols, 1}}
	case 1:
		m.Rows, m.Cols = Dims{{rows, 1}}, Dims{{cols, rows}}
	default: // the halves of the rows interleave
		m.Rows, m.Cols = Dims{{2, cols}, {rows / 2, 2 * cols}}, Dims{{cols, 1}}
	}
	var narrow []E
	for range m.Offset + batch*rows*cols {
		x, e := next()
		m.Data, narrow = append(m.Data, x), append(narrow, e)
	}
	return m, Matrix[byte]{rt.Bytes(narrow), m.Offset, m.Batch, m.Rows, m.Cols}
}

// TestMatMulBF16 compares products of bf16 with those of the same numbers as float32s, to the bit, for operands and
// results of all layouts.
func TestMatMulBF16(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	matrix := func(batch, rows, cols, layout int) (Matrix[float32], Matrix[byte]) {
		return groupedMatrix(3, batch, rows, cols, layout, func() (float32, uint16) {
			half := uint16(math.Float32bits(float32(r.NormFloat64())) >> 16)
			return math.Float32frombits(uint32(half) << 16), half
		})
	}
	env := &rt.Env{Gemm: rt.GemmSteps{BF16: slowDot2{}, RoundBF16: slowRound}}
	for _, size := range [][3]int{{2, 1, 2}, {6, 2, 10}, {6, 301, 10}, {34, 258, 6}, {2, 514, 2}, {40, 7, 30}} {
		for layouts := range 36 {
			la, lb := layouts%6, layouts/6
			if lb/2 == 2 && size[1]%2 != 0 {
				continue // its rows have no halves
			}
			t.Run(fmt.Sprint(size, la, lb), func(t *testing.T) {
				a, x := matrix(2, size[0], size[1], la)
				b, y := matrix(2, size[1], size[2], lb)
				want, narrow := matrix(2, size[0], size[2], r.IntN(6))
				got := Matrix[byte]{rt.Bytes(make([]float32, len(want.Data))), want.Offset, want.Batch, want.Rows,
					want.Cols}
				if err := MatMulBF16(env, got, x, y, Conversion{Size: 4}); err != nil {
					t.Fatal(err)
				}
				toBF16 := Conversion{Size: 2, ToBF16: true, Convert: func(dst, src []byte) {
					half.NarrowBF16(rt.View[uint16](dst), rt.View[float32](src))
				}}
				if err := MatMulBF16(env, narrow, x, y, toBF16); err != nil {
					t.Fatal(err)
				}
				if err := MatMul(nil, want, a, b); err != nil {
					t.Fatal(err)
				}
				first, rounded := want.Offset, rt.View[uint16](narrow.Data)
				sums := want.Data[first:][:2*size[0]*size[2]]
				wantRounded := make([]uint16, len(sums))
				half.NarrowBF16(wantRounded, sums)
				for i, w := range sums {
					if g := rt.View[float32](got.Data)[first+i]; math.Float32bits(g) != math.Float32bits(w) {
						t.Fatalf("element %d is %v, want %v", i, g, w)
					}
					if h := wantRounded[i]; rounded[first+i] != h {
						t.Fatalf("element %d is rounded to %x, want %x", i, rounded[first+i], h)
					}
				}
			})
		}
	}
}
