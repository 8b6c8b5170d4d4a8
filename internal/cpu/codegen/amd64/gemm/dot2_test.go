package gemm_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/go-nx/nx/internal/cpu/codegen/amd64/codetest"
	algorithms "github.com/go-nx/nx/internal/cpu/kernels/gemm"
	"github.com/go-nx/nx/internal/cpu/rt"
	"github.com/go-nx/nx/internal/testkit/guard"
)

// bf16 returns a bf16 that is 0 or normal, as all its products are; rarely a special one.
func bf16(r *rand.Rand) uint16 {
	special := []uint16{0, 0x8000, 0x7f80, 0xff80, 0x7fc0, 0x7f7f}
	if r.IntN(40) == 0 {
		return special[r.IntN(len(special))]
	}
	return uint16(math.Float32bits(float32(r.NormFloat64())+0x1p-9) >> 16)
}

func bf16ToF32(half uint16) float32 { return math.Float32frombits(uint32(half) << 16) }

// dot2Element returns an element of two of them.
func dot2Element(r *rand.Rand) float32 {
	return math.Float32frombits(uint32(bf16(r)) | uint32(bf16(r))<<16)
}

// addDot2 adds the products of two elements to a sum, those of the lower halves first.
func addDot2(x, y, sum float32) float32 {
	a, b := math.Float32bits(x), math.Float32bits(y)
	sum = fma(bf16ToF32(uint16(a)), bf16ToF32(uint16(b)), sum)
	return fma(bf16ToF32(uint16(a>>16)), bf16ToF32(uint16(b>>16)), sum)
}

// dot2Tests calls test with each set of steps that has bf16 products.
func dot2Tests(t *testing.T, test func(t *testing.T, p *gemmTest)) {
	for name, p := range gemmTests(t) {
		if p.gemm.BF16 == nil {
			continue // a width of 256 bits, or a processor without the instruction: the emulator covers the code
		}
		t.Run(name, func(t *testing.T) { test(t, p) })
	}
}

// TestDot2Tails is [TestGemmTails] for pairs of bf16.
func TestDot2Tails(t *testing.T) {
	dot2Tests(t, func(t *testing.T, p *gemmTest) {
		r := rand.New(rand.NewPCG(1, 2))
		for m := 1; m <= 40; m++ {
			for n := 1; n <= 60; n++ {
				if edge, k := guard.Edges[r.IntN(2)], 1+r.IntN(40); !p.emulated || r.IntN(20) == 0 {
					multiplyElems(t, p, rt.BlockStep[float32](p.gemm.BF16), r, m, n, k, edge, dot2Element, addDot2)
				}
			}
		}
	})
}

// TestInterleave interleaves lines of all lengths from 1 to 70, between guard pages.
func TestInterleave(t *testing.T) {
	dot2Tests(t, func(t *testing.T, p *gemmTest) {
		r := rand.New(rand.NewPCG(1, 2))
		for lines := 1; lines <= 70; lines++ {
			depth, ks, edge := 1+r.IntN(5), lines+r.IntN(3), guard.Edges[r.IntN(2)]
			p.given = p.given[:0]
			src, dst := watched[uint16](p, (2*depth-1)*ks+lines, edge), watched[float32](p, depth*lines, edge)
			for i := range src {
				src[i] = bf16(r)
			}
			fault := guard.Run(func() { p.gemm.BF16.Interleave(dst, src, ks, lines, depth) })
			p.check(t, fmt.Sprintf("%d lines, %d deep", lines, depth), fault)
			for i, x := range dst {
				at := i/lines*2*ks + i%lines
				if want := uint32(src[at]) | uint32(src[at+ks])<<16; math.Float32bits(x) != want {
					t.Fatalf("%d lines: element %d is %x, want %x", lines, i, math.Float32bits(x), want)
				}
			}
		}
	})
}

// TestBF16Gemm computes random products of bf16 of any layout, with any number of workers: they have the bits of
// float32 products, and the same order of sums.
func TestBF16Gemm(t *testing.T) {
	eachTier(t, 60, func(env *rt.Env, r *rand.Rand) {
		if env.Gemm.BF16 == nil {
			return
		}
		batch, m, n, k := 1+r.IntN(3), 1+r.IntN(150), 1+r.IntN(150), 1+r.IntN(700)
		orders := []string{"brc", "bcr", "rbc", "crb"}
		a, b := matrixOf[float32](r, batch, m, k, orders[r.IntN(4)]),
			matrixOf[float32](r, batch, k, n, orders[r.IntN(4)])
		c := matrixOf[float32](r, batch, m, n, orders[r.IntN(4)])
		if r.IntN(2) == 0 { // all pairs start at an even index
			a.Offset, b.Offset = 2, 2
		}
		narrow := func(x algorithms.Matrix[float32]) algorithms.Matrix[byte] {
			halves := make([]uint16, len(x.Data))
			for i := range halves {
				halves[i] = bf16(r)
				x.Data[i] = bf16ToF32(halves[i])
			}
			return algorithms.Matrix[byte]{Data: rt.Bytes(halves), Offset: x.Offset, Batch: x.Batch, Rows: x.Rows,
				Cols: x.Cols}
		}
		x, y := narrow(a), narrow(b)
		got := c
		got.Data = append([]float32(nil), c.Data...)
		to := algorithms.Matrix[byte]{Data: rt.Bytes(got.Data), Offset: c.Offset, Batch: c.Batch, Rows: c.Rows,
			Cols: c.Cols}
		if err := algorithms.MatMulBF16(env, to, x, y, algorithms.Conversion{Size: 4}); err != nil {
			t.Fatal(err)
		}
		if err := algorithms.MatMul(env, c, a, b); err != nil {
			t.Fatal(err)
		}
		codetest.SameNumbers(t, fmt.Sprintf("%d × %d × %d × %d", batch, m, n, k), got.Data, c.Data)
	})
}
