package weak_test

import (
	"math"
	"testing"

	"github.com/go-nx/nx/dtype"
	"github.com/go-nx/nx/internal/weak"
)

var (
	boolean       = weak.Number{Kind: dtype.KindBool, Int: 1}
	integer       = weak.Number{Kind: dtype.KindSigned, Int: -300}
	greatest      = weak.Unsigned(math.MaxUint64)
	float         = weak.Number{Kind: dtype.KindFloat, Re: 0.1}
	complexNumber = weak.Number{Kind: dtype.KindComplex, Re: 1, Im: -2}
)

// A number takes the type of the tensor if that has its kind.
func TestPromoteWith(t *testing.T) {
	for _, c := range []struct {
		n           weak.Number
		beside, out dtype.Type
	}{
		{boolean, dtype.S8, dtype.S8}, {integer, dtype.Bool, dtype.U8}, {integer, dtype.BF16, dtype.BF16},
		{float, dtype.S64, dtype.F32}, {float, dtype.F16, dtype.F16}, {float, dtype.C64, dtype.C64},
		{complexNumber, dtype.F32, dtype.C64}, {complexNumber, dtype.F64, dtype.C128}, {greatest, dtype.S8, dtype.S8},
	} {
		if got := c.n.PromoteWith(c.beside); got != c.out {
			t.Errorf("%s with %s is %s, want %s", c.n.Text(), c.beside, got, c.out)
		}
	}
}

// What fits is encoded and read again as it was, rounded once.
func TestFits(t *testing.T) {
	for _, c := range []struct {
		n    weak.Number
		d    dtype.Type
		fits bool
	}{
		{boolean, dtype.Bool, true}, {integer, dtype.S8, false}, {integer, dtype.S16, true},
		{integer, dtype.U64, false},
		{greatest, dtype.U64, true}, {greatest, dtype.S64, false}, {float, dtype.S64, false},
		{complexNumber, dtype.F64, false}, {complexNumber, dtype.C64, true},
		{weak.Number{Kind: dtype.KindFloat, Re: 1e39}, dtype.F32, false},
		{weak.Number{Kind: dtype.KindFloat, Re: math.Inf(1)}, dtype.BF16, true},
	} {
		if got := c.n.Fits(c.d); got != c.fits {
			t.Errorf("%s fits in %s: %v", c.n.Text(), c.d, got)
		}
		if !c.fits {
			continue
		}
		b := make([]byte, 16)
		c.n.Encode(c.d, b)
		if got := weak.Decode(c.d, b); !got.Same(c.n) {
			t.Errorf("%s as %s is %s", c.n.Text(), c.d, got.Text())
		}
	}
}

// Texts distinguish numbers, and a float from an integer.
func TestText(t *testing.T) {
	for want, n := range map[string]weak.Number{
		"true": boolean, "-300": integer, "18446744073709551615": greatest, "0.1": float, "1-2i": complexNumber,
		"2.0": {Kind: dtype.KindFloat, Re: 2}, "NaN": {Kind: dtype.KindFloat, Re: math.NaN()},
	} {
		if got := n.Text(); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
