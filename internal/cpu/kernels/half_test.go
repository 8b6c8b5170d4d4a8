package kernels

import (
	"math"
	"testing"
)

// float16 decodes by the definition of the format.
func float16(h uint16) float64 {
	sign := 1.0
	if h>>15 == 1 {
		sign = -1
	}
	exp, frac := int(h>>10&31), float64(h&0x3ff)
	switch exp {
	case 0:
		return sign * math.Ldexp(frac, -24)
	case 31:
		if frac != 0 {
			return math.NaN()
		}
		return math.Inf(int(sign))
	}
	return sign * math.Ldexp(1024+frac, exp-25)
}

func TestHalvesExhaustively(t *testing.T) {
	var f [1]float32
	var back [1]uint16
	for h := range 1 << 16 {
		in := []uint16{uint16(h)}
		WidenF16(f[:], in)
		if want := float16(uint16(h)); math.Float64bits(float64(f[0])) != math.Float64bits(want) && want == want || (want != want) != (f[0] != f[0]) {
			t.Fatalf("f16 %#x widened to %v, want %v", h, f[0], want)
		}
		NarrowF16(back[:], f[:])
		if back[0] != in[0] && (f[0] == f[0] || back[0] != in[0]|0x200) {
			t.Fatalf("f16 %#x came back as %#x", h, back[0])
		}
		WidenBF16(f[:], in)
		NarrowBF16(back[:], f[:])
		if back[0] != in[0] && (f[0] == f[0] || back[0] != in[0]|0x40) {
			t.Fatalf("bf16 %#x came back as %#x", h, back[0])
		}
	}
}

// Values just below, at and above the middle between neighbours round to the
// nearest, ties to even.
func TestHalvesRound(t *testing.T) {
	check := func(name string, widen func([]float32, []uint16), narrow func([]uint16, []float32), inf uint16) {
		var lo, hi [1]float32
		var got [1]uint16
		for h := range inf {
			widen(lo[:], []uint16{h})
			widen(hi[:], []uint16{h + 1})
			mid := float32((float64(lo[0]) + float64(hi[0])) / 2)
			if h+1 == inf {
				mid = lo[0] + (lo[0]-prev(widen, h))/2
			}
			even := h + h&1
			for _, c := range []struct {
				x    float32
				want uint16
			}{{math.Nextafter32(mid, 0), h}, {mid, even}, {math.Nextafter32(mid, float32(math.Inf(1))), h + 1}} {
				narrow(got[:], []float32{c.x})
				if got[0] != c.want {
					t.Fatalf("%s: %v becomes %#x, want %#x", name, c.x, got[0], c.want)
				}
				narrow(got[:], []float32{-c.x})
				if got[0] != c.want|0x8000 {
					t.Fatalf("%s: %v becomes %#x, want %#x", name, -c.x, got[0], c.want|0x8000)
				}
			}
		}
	}
	check("f16", WidenF16, NarrowF16, 0x7c00)
	check("bf16", WidenBF16, NarrowBF16, 0x7f80)
}

func prev(widen func([]float32, []uint16), h uint16) float32 {
	var x [1]float32
	widen(x[:], []uint16{h - 1})
	return x[0]
}
