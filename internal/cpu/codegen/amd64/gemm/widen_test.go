package gemm_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/go-nx/nx/dtype"
	"github.com/go-nx/nx/internal/cpu/kernels/half"
	"github.com/go-nx/nx/internal/cpu/rt"
	"github.com/go-nx/nx/internal/testkit/guard"
)

// TestWiden converts lines of all lengths from 1 to 40 with random bits, between guard pages.
func TestWiden(t *testing.T) {
	types := map[rt.Narrow]dtype.Type{rt.NarrowBF16: dtype.BF16, rt.NarrowF16: dtype.F16, rt.NarrowS8: dtype.S8,
		rt.NarrowU8: dtype.U8}
	for name, p := range gemmTests(t) {
		t.Run(name, func(t *testing.T) {
			r := rand.New(rand.NewPCG(1, 2))
			for _, of := range rt.Narrows() {
				for n := 1; n <= 40; n++ {
					lines, lds, ldd, edge := 1+r.IntN(4), n+r.IntN(3), n+r.IntN(3), guard.Edges[r.IntN(2)]
					p.given = p.given[:0]
					src := watched[byte](p, ((lines-1)*lds+n)*of.Size(), edge)
					dst := watched[float32](p, (lines-1)*ldd+n, edge)
					for i := range src {
						src[i] = byte(r.Uint32())
					}
					what := fmt.Sprintf("%s, %d lines of %d", types[of], lines, n)
					fault := guard.Run(func() { p.gemm.Widen(of, dst, ldd, src, lds, lines, n) })
					p.check(t, what, fault)
					for i := range lines * n {
						at, line := i%n, i/n
						got := dst[line*ldd+at]
						want := make([]byte, 4)
						elem := src[(line*lds+at)*of.Size():][:of.Size()]
						if err := dtype.Convert(want, dtype.F32, elem, types[of]); err != nil {
							t.Fatal(err)
						}
						if x := rt.View[float32](want)[0]; math.Float32bits(got) != math.Float32bits(x) &&
							(got == got || x == x) {
							t.Fatalf("%s: %x is %v, want %v", what, elem, got, x)
						}
					}
				}
			}
		})
	}
}

// TestNarrow rounds lines of all lengths from 1 to 70 to bf16, between guard pages: random bits, and midpoints, to the
// bits of plain Go.
func TestNarrow(t *testing.T) {
	for name, p := range gemmTests(t) {
		t.Run(name, func(t *testing.T) {
			r := rand.New(rand.NewPCG(1, 2))
			for n := 1; n <= 70; n++ {
				lines, lds, ldd, edge := 1+r.IntN(4), n+r.IntN(3), n+r.IntN(3), guard.Edges[r.IntN(2)]
				p.given = p.given[:0]
				src, dst := watched[float32](p, (lines-1)*lds+n, edge), watched[uint16](p, (lines-1)*ldd+n, edge)
				for i := range src {
					bits := r.Uint32()
					switch r.IntN(4) {
					case 0:
						bits = bits&0xffff0000 | 0x8000
					case 1:
						bits |= 0x7f800000 // infinity, or NaN
					case 2:
						bits &= 0x807fffff // subnormal
					}
					src[i] = math.Float32frombits(bits)
				}
				fault := guard.Run(func() { p.gemm.RoundBF16(dst, ldd, src, lds, lines, n) })
				p.check(t, fmt.Sprintf("%d lines of %d", lines, n), fault)
				for i := range lines {
					want := make([]uint16, n)
					half.NarrowBF16(want, src[i*lds:][:n])
					if got := dst[i*ldd:][:n]; !slices.Equal(got, want) {
						t.Fatalf("%d lines of %d: line %d is %x, want %x", lines, n, i, got, want)
					}
				}
			}
		})
	}
}
