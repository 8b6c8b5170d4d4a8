package gemm_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/go-nx/nx/internal/cpu/rt"
	"github.com/go-nx/nx/internal/testkit/guard"
)

// TestDequantize converts lines of groups of random integers of 8 and 4 bits, between guard pages.
func TestDequantize(t *testing.T) {
	for name, p := range gemmTests(t) {
		t.Run(name, func(t *testing.T) {
			r := rand.New(rand.NewPCG(1, 2))
			for _, fourBits := range []bool{false, true} {
				for groups := 1; groups <= 8; groups++ {
					lines, n, edge := 1+r.IntN(5), groups*rt.QuantGroup, guard.Edges[r.IntN(2)]
					bytes := n
					if fourBits {
						bytes /= 2
					}
					lds, ldd, lss := bytes+r.IntN(3), n+r.IntN(3), groups+r.IntN(3)
					p.given = p.given[:0]
					src := watched[byte](p, (lines-1)*lds+bytes, edge)
					dst := watched[float32](p, (lines-1)*ldd+n, edge)
					scales := watched[float32](p, (lines-1)*lss+groups, edge)
					for i := range src {
						src[i] = byte(r.Uint32())
					}
					for i := range scales {
						scales[i] = float32(r.NormFloat64())
					}
					what := fmt.Sprintf("4 bits: %t, %d lines of %d groups", fourBits, lines, groups)
					fault := guard.Run(func() {
						p.gemm.Dequantize(fourBits, dst, ldd, src, lds, scales, lss, lines, groups)
					})
					p.check(t, what, fault)
					for i := range lines * n {
						line, at := i/n, i%n
						group, in := at/rt.QuantGroup, at%rt.QuantGroup
						q := float32(0)
						if fourBits {
							b := src[line*lds+group*16+in%16]
							if q = float32(b&15) - 8; in >= 16 {
								q = float32(b>>4) - 8
							}
						} else {
							q = float32(int8(src[line*lds+at]))
						}
						if got, want := dst[line*ldd+at], q*scales[line*lss+group]; got != want {
							t.Fatalf("%s: element %d of line %d is %v, want %v", what, at, line, got, want)
						}
					}
				}
			}
		})
	}
}
