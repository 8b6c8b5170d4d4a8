package gemm_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/go-nx/nx/dtype"
	"github.com/go-nx/nx/internal/cpu/rt"
	"github.com/go-nx/nx/internal/testkit/guard"
)

// quantValue is element i of a line, by its form.
func quantValue(of rt.QuantKind, line []byte, i int) float64 {
	group, in := line[i/rt.QuantGroup*of.GroupBytes():], i%rt.QuantGroup
	switch of {
	case rt.Quant8:
		return float64(int8(group[in]))
	case rt.Quant4:
		if in >= 16 {
			return float64(group[in-16]>>4) - 8
		}
		return float64(group[in]&15) - 8
	case rt.QuantBF16:
		return dtype.BF16.LoadFloat(group, in)
	}
	return dtype.F16.LoadFloat(group, in)
}

// TestQuantDot multiplies rows by lines of all forms, between guard pages: sums differ from those in float64 by
// rounding, those of all widths are equal, and a sum does not depend on the rows and lines beside it.
func TestQuantDot(t *testing.T) {
	first := map[string][]float32{}
	for name, p := range gemmTests(t) {
		t.Run(name, func(t *testing.T) {
			r := rand.New(rand.NewPCG(1, 2))
			for _, of := range rt.QuantKinds() {
				for rows := 1; rows <= 6; rows++ {
					for _, scaled := range []bool{false, true} {
						groups, lines, edge := 1+r.IntN(6), 1+r.IntN(4), guard.Edges[r.IntN(2)]
						k, bytes := groups*rt.QuantGroup, groups*of.GroupBytes()
						ldx, step, lds, lss := k+r.IntN(3), bytes+r.IntN(2), lines+r.IntN(3), groups+r.IntN(2)
						p.given = p.given[:0]
						x := watched[float32](p, (rows-1)*ldx+k, edge)
						data := watched[byte](p, (lines-1)*step+bytes, edge)
						sums := watched[float32](p, (rows-1)*lds+lines, edge)
						scales := watched[float32](p, (lines-1)*lss+groups, edge)
						for i := range x {
							x[i] = float32(r.NormFloat64())
						}
						for i := range scales {
							scales[i] = float32(r.NormFloat64())
						}
						for i := range data {
							data[i] = byte(r.Uint32())
							if of >= rt.QuantBF16 {
								data[i] &= 0xbf // finite
							}
						}
						if !scaled {
							scales = nil
						}
						what := fmt.Sprintf("form %d, %d rows, %d lines of %d groups, scales %t",
							of, rows, lines, groups, scaled)
						fault := guard.Run(func() {
							p.gemm.QuantDot(of, sums, lds, x, ldx, rows, data, step, scales, lss, lines, groups)
						})
						p.check(t, what, fault)
						var got []float32
						for i := range rows {
							for j := range lines {
								want, size := 0.0, 0.0
								for c := range k {
									v := quantValue(of, data[j*step:], c) * float64(x[i*ldx+c])
									if scaled {
										v *= float64(scales[j*lss+c/rt.QuantGroup])
									}
									want, size = want+v, size+math.Abs(v)
								}
								sum := sums[i*lds+j]
								if d := math.Abs(float64(sum) - want); !(d <= size*1e-6) {
									t.Fatalf("%s: sum %d, %d is %v, want %v", what, i, j, sum, want)
								}
								got = append(got, sum)
							}
						}
						one := watched[float32](p, 1, edge)
						last := lines - 1
						var ownScales []float32
						if scaled {
							ownScales = scales[last*lss:]
						}
						p.gemm.QuantDot(of, one, 1, x[(rows-1)*ldx:], ldx, 1, data[last*step:], step, ownScales, lss, 1,
							groups)
						if end := got[len(got)-1]; one[0] != end {
							t.Fatalf("%s: the last sum is %v by itself, %v beside others", what, one[0], end)
						}
						if want := first[what]; want == nil {
							first[what] = got
						} else if !slices.Equal(got, want) {
							t.Fatalf("%s: the sums are %v, those of another width %v", what, got, want)
						}
					}
				}
			}
		})
	}
}
