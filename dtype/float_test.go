package dtype

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// narrow describes the float types of at most 16 bits a second time, in other
// terms than formats: by the numbers that their definitions state.
var narrow = []struct {
	t                 Type
	exp, man, bias    int
	max, minNormal    float64
	minSubnormal      float64
	nan, inf          []uint64 // patterns with the sign clear
	signed            bool
	negZero, overflow uint64 // patterns of what -0 and a huge number become
}{
	{F4E2M1FN, 2, 1, 1, 6, 1, 0.5, nil, nil, true, 0x8, 0x7},
	{F6E2M3FN, 2, 3, 1, 7.5, 1, 0.125, nil, nil, true, 0x20, 0x1f},
	{F6E3M2FN, 3, 2, 3, 28, 0.25, 0.0625, nil, nil, true, 0x20, 0x1f},
	{F8E3M4, 3, 4, 3, 15.5, 0.25, 1.0 / 64, upTo(0x71, 0x7f), []uint64{0x70}, true, 0x80, 0x70},
	{F8E4M3, 4, 3, 7, 240, 1.0 / 64, 1.0 / 512, upTo(0x79, 0x7f), []uint64{0x78}, true, 0x80, 0x78},
	{F8E4M3FN, 4, 3, 7, 448, 1.0 / 64, 1.0 / 512, []uint64{0x7f}, nil, true, 0x80, 0x7f},
	{F8E4M3FNUZ, 4, 3, 8, 240, 1.0 / 128, 1.0 / 1024, []uint64{0x80}, nil, true, 0, 0x80},
	{F8E4M3B11FNUZ, 4, 3, 11, 30, 1.0 / 1024, 1.0 / 8192, []uint64{0x80}, nil, true, 0, 0x80},
	{F8E5M2, 5, 2, 15, 57344, 1.0 / 16384, 1.0 / 65536, upTo(0x7d, 0x7f), []uint64{0x7c}, true, 0x80, 0x7c},
	{F8E5M2FNUZ, 5, 2, 16, 57344, 1.0 / 32768, 1.0 / 131072, []uint64{0x80}, nil, true, 0, 0x80},
	{F8E8M0FNU, 8, 0, 127, 0x1p127, 0x1p-127, 0x1p-127, []uint64{0xff}, nil, false, 0, 0xff},
	{BF16, 8, 7, 127, 0x1.fep127, 0x1p-126, 0x1p-133, upTo(0x7f81, 0x7fff), []uint64{0x7f80}, true, 0x8000, 0x7f80},
	{F16, 5, 10, 15, 65504, 0x1p-14, 0x1p-24, upTo(0x7c01, 0x7fff), []uint64{0x7c00}, true, 0x8000, 0x7c00},
}

func upTo(lo, hi uint64) []uint64 {
	var s []uint64
	for ; lo <= hi; lo++ {
		s = append(s, lo)
	}
	return s
}

func TestDecodeEveryPattern(t *testing.T) {
	for _, n := range narrow {
		t.Run(n.t.String(), func(t *testing.T) {
			signBit := uint64(1) << (n.t.Bits() - 1)
			if !n.signed {
				signBit = 0
			}
			for bits := range uint64(1) << n.t.Bits() {
				got := n.t.Float64(bits)
				mag, sign := bits&^signBit, 1.0
				if bits&signBit != 0 {
					sign = -1
				}
				var want float64
				switch {
				case slices.Contains(n.nan, bits), signBit != 0 && n.nan != nil && n.nan[0] != signBit &&
					slices.Contains(n.nan, mag):
					want = math.NaN()
				case slices.Contains(n.inf, mag):
					want = math.Inf(int(sign))
				case !n.signed:
					want = math.Ldexp(1, int(bits)-n.bias)
				case mag>>n.man == 0:
					want = math.Copysign(math.Ldexp(float64(mag), 1-n.bias-n.man), sign)
				default:
					frac := mag % (1 << n.man)
					want = sign * math.Ldexp(1+math.Ldexp(float64(frac), -n.man), int(mag>>n.man)-n.bias)
				}
				if !same(got, want) {
					t.Fatalf("Float64(%#x) = %v, want %v", bits, got, want)
				}
				if back := n.t.FromFloat64(got); back != bits &&
					!(got != got && n.t.Float64(back) != n.t.Float64(back)) {
					t.Fatalf("FromFloat64(%v) = %#x, want %#x", got, back, bits)
				}
			}
		})
	}
}

// same reports whether a and b are the same number, signs of zeros counted, or
// both NaN.
func same(a, b float64) bool {
	return a == b && math.Signbit(a) == math.Signbit(b) || a != a && b != b
}

// TestEncodeRoundsToNearest checks each number, each midpoint of two neighbours, and the adjacent float64s.
// The number after the largest one, which has no bit pattern, takes part in the rounding.
func TestEncodeRoundsToNearest(t *testing.T) {
	for _, n := range narrow {
		t.Run(n.t.String(), func(t *testing.T) {
			ascending := positives(n.t)
			last := len(ascending) - 1
			next := ascending[last] + (ascending[last] - ascending[last-1])
			if !n.signed {
				next = 2 * ascending[last]
			}
			for i, lo := range ascending {
				hi, hiBits := next, n.overflow
				if i < last {
					hi, hiBits = ascending[i+1], patternOf(t, n.t, ascending[i+1])
				}
				loBits := patternOf(t, n.t, lo)
				middle := lo + (hi-lo)/2
				tie := loBits
				if n.signed && loBits&1 != 0 || !n.signed {
					tie = hiBits
				}
				check := func(v float64, want uint64) {
					if got := n.t.FromFloat64(v); got != want {
						t.Fatalf("FromFloat64(%b) = %#x, want %#x (%v, between %v and %v)", v, got, want, v, lo, hi)
					}
					if !n.signed {
						return
					}
					if want == 0 {
						want = n.negZero
					} else if !slices.Contains(n.nan, want) || n.t == F8E4M3FN {
						want |= 1 << (n.t.Bits() - 1)
					}
					if got := n.t.FromFloat64(-v); got != want {
						t.Fatalf("FromFloat64(%b) = %#x, want %#x (%v)", -v, got, want, -v)
					}
				}
				check(lo, loBits)
				check(math.Nextafter(lo, hi), loBits)
				check(math.Nextafter(middle, lo), loBits)
				check(middle, tie)
				check(math.Nextafter(middle, hi), hiBits)
				check(math.Nextafter(hi, lo), hiBits)
			}
			for _, v := range []float64{next, 1e30 * next, math.MaxFloat64, math.Inf(1)} {
				if got := n.t.FromFloat64(v); got != n.overflow {
					t.Errorf("FromFloat64(%v) = %#x, want %#x", v, got, n.overflow)
				}
			}
			smallest := patternOf(t, n.t, ascending[0])
			for _, v := range []float64{math.SmallestNonzeroFloat64, 0x1p-1030, 0x1p-1022, 0x1p-300} {
				if got := n.t.FromFloat64(v); got != smallest {
					t.Errorf("FromFloat64(%v) = %#x, want %#x", v, got, smallest)
				}
			}
		})
	}
}

// positives returns the finite numbers of t that are not negative, ascending.
func positives(t Type) []float64 {
	var vs []float64
	for bits := range uint64(1) << t.Bits() {
		if v := t.Float64(bits); !math.Signbit(v) && v <= math.MaxFloat64 {
			vs = append(vs, v)
		}
	}
	slices.Sort(vs)
	return vs
}

// patternOf returns the pattern whose value is v, found through the decoder.
func patternOf(t *testing.T, typ Type, v float64) uint64 {
	lo, hi := uint64(0), uint64(1)<<typ.Bits()-1
	if typ != F8E8M0FNU {
		hi >>= 1
	}
	for lo < hi { // the numbers that are not negative ascend with their patterns
		mid := (lo + hi) / 2
		if m := typ.Float64(mid); m < v {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	if typ.Float64(lo) != v {
		t.Fatalf("%v has no pattern for %v", typ, v)
	}
	return lo
}

func TestNaN(t *testing.T) {
	quiet := math.Float64frombits(0x7ff8_0000_0000_0000)
	payload := math.Float64frombits(0xfff1_2340_0000_0001) // signalling, negative
	tests := []struct {
		t              Type
		quiet, payload uint64
	}{
		{F4E2M1FN, 0x8, 0x8},
		{F6E2M3FN, 0x20, 0x20},
		{F6E3M2FN, 0x20, 0x20},
		{F8E3M4, 0x78, 0xf9},
		{F8E4M3, 0x7c, 0xfc},
		{F8E4M3FN, 0x7f, 0xff},
		{F8E4M3FNUZ, 0x80, 0x80},
		{F8E4M3B11FNUZ, 0x80, 0x80},
		{F8E5M2, 0x7e, 0xfe},
		{F8E5M2FNUZ, 0x80, 0x80},
		{F8E8M0FNU, 0xff, 0xff},
		{BF16, 0x7fc0, 0xffc9},
		{F16, 0x7e00, 0xfe48},
		{F32, 0x7fc0_0000, 0xffc9_1a00},
		{F64, 0x7ff8_0000_0000_0000, 0xfff1_2340_0000_0001},
	}
	for _, tt := range tests {
		if got := tt.t.FromFloat64(quiet); got != tt.quiet {
			t.Errorf("%v: NaN = %#x, want %#x", tt.t, got, tt.quiet)
		}
		if got := tt.t.FromFloat64(payload); got != tt.payload {
			t.Errorf("%v: NaN with payload = %#x, want %#x", tt.t, got, tt.payload)
		}
		if tt.t.HasNaN() && !math.IsNaN(tt.t.Float64(tt.payload)) {
			t.Errorf("%v: Float64(%#x) = %v, want NaN", tt.t, tt.payload, tt.t.Float64(tt.payload))
		}
	}
	if b := math.Float64bits(F16.Float64(0xfe48)); b != 0xfff9_2000_0000_0000 {
		t.Errorf("the f16 NaN 0xfe48 decodes to %#x", b)
	}
}

// TestGenericCodecAgreesWithTheFastPaths compares the table-driven code with
// the float32 arithmetic of the language.
func TestGenericCodecAgreesWithTheFastPaths(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for range 200_000 {
		v := math.Float64frombits(rng.Uint64())
		if rng.IntN(4) > 0 { // most float64s are out of the range of float32
			v = math.Ldexp(rng.Float64()-0.5, rng.IntN(300)-160)
		}
		if math.IsNaN(v) {
			continue
		}
		want := math.Float32bits(float32(v))
		if got := formats[F32].encode(v); got != uint64(want) {
			t.Fatalf("encode(%b) = %#x, want %#x", v, got, want)
		}
		if got := formats[F32].decode(uint64(want)); got != float64(float32(v)) {
			t.Fatalf("decode(%#x) = %v, want %v", want, got, float32(v))
		}
		s := float64(float32(v))
		if fast, slow := BF16.FromFloat64(s), formats[BF16].encode(s); fast != slow {
			t.Fatalf("bf16 of %b: fast %#x, generic %#x", s, fast, slow)
		}
	}
}

func TestLimits(t *testing.T) {
	for _, n := range narrow {
		lowest := n.minNormal
		if n.signed {
			lowest = -n.max
		}
		if n.t.MaxFinite() != n.max || n.t.MinFinite() != lowest {
			t.Errorf("%v: finite range [%v, %v], want [%v, %v]", n.t, n.t.MinFinite(), n.t.MaxFinite(), lowest, n.max)
		}
		if n.t.SmallestNormal() != n.minNormal || n.t.SmallestSubnormal() != n.minSubnormal {
			t.Errorf("%v: smallest %v, %v, want %v, %v", n.t, n.t.SmallestNormal(), n.t.SmallestSubnormal(),
				n.minNormal, n.minSubnormal)
		}
		if n.t.HasInf() != (n.inf != nil) || n.t.HasNaN() != (n.nan != nil) || n.t.HasNegative() != n.signed ||
			n.t.HasNegativeZero() != (n.negZero != 0) {
			t.Errorf("%v: has infinity %v, NaN %v, negative numbers %v, -0 %v", n.t, n.t.HasInf(), n.t.HasNaN(),
				n.t.HasNegative(), n.t.HasNegativeZero())
		}
		if n.t.ExponentBits() != n.exp || n.t.MantissaBits() != n.man || n.t.Bias() != n.bias {
			t.Errorf("%v: e%dm%d bias %d", n.t, n.t.ExponentBits(), n.t.MantissaBits(), n.t.Bias())
		}
	}
	if F32.MaxFinite() != math.MaxFloat32 || F32.SmallestSubnormal() != math.SmallestNonzeroFloat32 ||
		F32.Epsilon() != 0x1p-23 {
		t.Errorf("f32: %v %v %v", F32.MaxFinite(), F32.SmallestSubnormal(), F32.Epsilon())
	}
	if F64.MaxFinite() != math.MaxFloat64 || F64.SmallestSubnormal() != math.SmallestNonzeroFloat64 ||
		F64.SmallestNormal() != 0x1p-1022 {
		t.Errorf("f64: %v %v %v", F64.MaxFinite(), F64.SmallestSubnormal(), F64.SmallestNormal())
	}
	ints := map[Type]struct {
		lo int64
		hi uint64
	}{
		Bool: {0, 1}, U2: {0, 3}, U4: {0, 15}, U8: {0, 255}, U16: {0, 65535}, U32: {0, 1<<32 - 1}, U64: {0, 1<<64 - 1},
		S2: {-2, 1}, S4: {-8, 7}, S8: {-128, 127}, S16: {-32768, 32767}, S32: {-1 << 31, 1<<31 - 1},
		S64: {-1 << 63, 1<<63 - 1},
	}
	for typ, want := range ints {
		if typ.MinInt() != want.lo || typ.MaxInt() != want.hi {
			t.Errorf("%v: [%d, %d], want [%d, %d]", typ, typ.MinInt(), typ.MaxInt(), want.lo, want.hi)
		}
	}
}

func ExampleType_FromFloat64() {
	fmt.Printf("%#x\n", BF16.FromFloat64(3.14159))
	fmt.Println(BF16.Float64(BF16.FromFloat64(3.14159)))
	fmt.Println(F8E4M3FN.Float64(F8E4M3FN.FromFloat64(1000)), F8E5M2.Float64(F8E5M2.FromFloat64(1e6)))
	// Output:
	// 0x4049
	// 3.140625
	// NaN +Inf
}
