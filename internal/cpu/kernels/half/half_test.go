package half

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/go-nx/nx/dtype"
	"github.com/go-nx/nx/internal/cpu/kernels/kit"
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
		if want := float16(uint16(h)); math.Float64bits(float64(f[0])) != math.Float64bits(want) && want == want ||
			(want != want) != (f[0] != f[0]) {
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

// Values just below, at and above the midpoint of neighbours round to nearest, ties to even.
func TestHalvesRound(t *testing.T) {
	check := func(name string, widen func([]float32, []uint16), narrow func([]uint16, []float32),
		round func(dst, src []float32), inf uint16) {
		var lo, hi, rounded, wide [1]float32
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
				for _, sign := range []uint16{0, 0x8000} {
					x, want := c.x, c.want|sign
					if sign != 0 {
						x = -x
					}
					if narrow(got[:], []float32{x}); got[0] != want {
						t.Fatalf("%s: %v becomes %#x, want %#x", name, x, got[0], want)
					}
					widen(wide[:], []uint16{want})
					if round(rounded[:], []float32{x}); math.Float32bits(rounded[0]) != math.Float32bits(wide[0]) {
						t.Fatalf("%s: %v rounds to %v, want %v", name, x, rounded[0], wide[0])
					}
				}
			}
		}
	}
	check("f16", WidenF16, NarrowF16, RoundF16, 0x7c00)
	check("bf16", WidenBF16, NarrowBF16, RoundBF16, 0x7f80)
}

func prev(widen func([]float32, []uint16), h uint16) float32 {
	var x [1]float32
	widen(x[:], []uint16{h - 1})
	return x[0]
}

// Every bit, those of NaNs included, equals package dtype's.
func TestHalvesLikeDType(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, c := range []struct {
		t      dtype.Type
		narrow func([]uint16, []float32)
		round  func(dst, src []float32)
	}{{dtype.F16, NarrowF16, RoundF16}, {dtype.BF16, NarrowBF16, RoundBF16}} {
		for i := range uint32(1 << 17) {
			x := math.Float32frombits(i<<15 | r.Uint32N(1<<15)) // all signs, exponents and tops of mantissas
			var half [1]uint16
			var rounded [1]float32
			c.narrow(half[:], []float32{x})
			c.round(rounded[:], []float32{x})
			bits := c.t.FromFloat64(float64(x))
			if uint64(half[0]) != bits {
				t.Fatalf("%v: %#x becomes %#x, want %#x", c.t, math.Float32bits(x), half[0], bits)
			}
			if want := float32(c.t.Float64(bits)); math.Float32bits(rounded[0]) != math.Float32bits(want) {
				t.Fatalf("%v: %#x rounds to %#x, want %#x", c.t, math.Float32bits(x), math.Float32bits(rounded[0]),
					math.Float32bits(want))
			}
		}
	}
	var wide [1]float32
	for h := range 1 << 16 {
		WidenF16(wide[:], []uint16{uint16(h)})
		if want := float32(dtype.F16.Float64(uint64(h))); math.Float32bits(wide[0]) != math.Float32bits(want) {
			t.Fatalf("f16 %#x widened to %#x, want %#x", h, math.Float32bits(wide[0]), math.Float32bits(want))
		}
	}
}

func BenchmarkHalves(b *testing.B) {
	const n = 1 << 20
	x, y, h := make([]float32, n), make([]float32, n), make([]uint16, n)
	r := rand.New(rand.NewPCG(1, 2))
	for i := range x {
		x[i] = float32(r.NormFloat64())
	}
	for _, c := range []struct {
		name   string
		widen  func([]float32, []uint16)
		narrow func([]uint16, []float32)
		round  func(dst, src []float32)
	}{{"f16", WidenF16, NarrowF16, RoundF16}, {"bf16", WidenBF16, NarrowBF16, RoundBF16}} {
		b.Run(c.name+"/narrow", func(b *testing.B) {
			kit.Bench(b, n, "G/s", func() error { c.narrow(h, x); return nil })
		})
		b.Run(c.name+"/widen", func(b *testing.B) {
			kit.Bench(b, n, "G/s", func() error { c.widen(y, h); return nil })
		})
		b.Run(c.name+"/round", func(b *testing.B) {
			kit.Bench(b, n, "G/s", func() error { c.round(y, x); return nil })
		})
	}
}
