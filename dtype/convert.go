package dtype

import "fmt"

// Convert converts the elements in src, of type from, to type to and writes
// them to dst. The buffers hold the same number of elements and do not overlap.
//
// The rules are those of StableHLO's convert; where the specification is open, those of its reference
// interpreter:
//
//   - to Bool: whether the value is not zero (NaN is not);
//   - from Bool: 0 or 1;
//   - integer to integer: modulo 2 to the width of to;
//   - integer to float: rounded once, to nearest even, also from 64 bits;
//   - float to integer: truncated; values outside the range of to become
//     the nearest limit, NaN becomes 0;
//   - float to float: rounded once, see [Type.FromFloat64];
//   - to complex: the imaginary part is 0;
//   - from complex to another kind: as the real part, the imaginary part is
//     dropped (also to Bool).
//
// Between equal types the bytes are copied, NaN payloads included.
func Convert(dst []byte, to Type, src []byte, from Type) error {
	if !to.IsValid() || !from.IsValid() {
		return fmt.Errorf("dtype: cannot convert %s to %s: both must be element types", from, to)
	}
	n := len(src) / from.Size()
	if n*from.Size() != len(src) || n != len(dst)/to.Size() || n*to.Size() != len(dst) {
		return fmt.Errorf(
			"dtype: cannot convert %s to %s: %d source bytes and %d destination bytes are not the same number of elements",
			from, to, len(src), len(dst))
	}
	switch {
	case from == to:
		copy(dst, src)
	case from.IsComplex():
		convertComplex(dst, to, src, from, n)
	case from.IsFloat():
		convertFloat(dst, to, src, from, n)
	default:
		convertInt(dst, to, src, from, n)
	}
	return nil
}

func convertComplex(dst []byte, to Type, src []byte, from Type, n int) {
	for i := range n {
		v := from.LoadComplex(src, i)
		if to.IsComplex() {
			to.StoreComplex(dst, i, v)
		} else {
			to.storeFromFloat(dst, i, real(v))
		}
	}
}

func convertFloat(dst []byte, to Type, src []byte, from Type, n int) {
	for i := range n {
		to.storeFromFloat(dst, i, from.LoadFloat(src, i))
	}
}

func convertInt(dst []byte, to Type, src []byte, from Type, n int) {
	if to.IsInteger() || to == Bool {
		for i := range n {
			to.StoreInt(dst, i, from.LoadInt(src, i))
		}
		return
	}
	for i := range n {
		v := from.LoadInt(src, i)
		var x float64
		switch {
		case from == U64:
			x = uintToFloat(uint64(v), to.Real())
		case v < 0:
			x = -uintToFloat(-uint64(v), to.Real())
		default:
			x = uintToFloat(uint64(v), to.Real())
		}
		to.storeFromFloat(dst, i, x)
	}
}

// uintToFloat returns a float64 that rounds to the real float type t as v does.
//
// If v has more than 53 bits, rounding it to float64 and then to t could turn a value near the midpoint of two
// numbers of t into a tie. A sticky lowest bit, which is set whenever a lower bit was cut off, prevents that:
// the value stays on its side of every midpoint, since t is narrower by at least two bits.
func uintToFloat(v uint64, t Type) float64 {
	if t == F64 || v < 1<<53 {
		return float64(v)
	}
	const cut = 11 // 64 - 53
	top := v >> cut
	if v&(1<<cut-1) != 0 {
		top |= 1
	}
	return float64(top) * (1 << cut)
}

// storeFromFloat sets element i to v, converted to t by the rules of [Convert].
func (t Type) storeFromFloat(b []byte, i int, v float64) {
	switch t.Kind() {
	case KindFloat:
		t.StoreFloat(b, i, v)
	case KindComplex:
		t.StoreComplex(b, i, complex(v, 0))
	case KindBool:
		b[i] = 0
		if v != 0 {
			b[i] = 1
		}
	default:
		t.StoreUint(b, i, t.saturate(v))
	}
}

// saturate returns v truncated and clamped to the range of the integer type t; NaN is 0. Negative numbers are
// returned in two's complement.
func (t Type) saturate(v float64) uint64 {
	lo, hi := t.MinInt(), t.MaxInt()
	switch {
	case v != v:
		return 0
	case v <= float64(lo):
		return uint64(lo)
	case v >= float64(hi): // for 64 bits float64(hi) is 2^63 or 2^64, one above hi
		return hi
	case v < 0:
		return uint64(int64(v))
	}
	return uint64(v)
}
