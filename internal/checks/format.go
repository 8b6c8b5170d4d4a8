package checks

import (
	"strconv"

	"github.com/go-nx/nx/dtype"
)

// FormatElem returns element i of data as text.
func FormatElem(d dtype.Type, data []byte, i int) string {
	switch {
	case d == dtype.Bool:
		return strconv.FormatBool(data[i] != 0)
	case d.IsUnsigned():
		return strconv.FormatUint(d.LoadUint(data, i), 10)
	case d.IsSigned():
		return strconv.FormatInt(d.LoadInt(data, i), 10)
	case d.IsComplex():
		v := d.LoadComplex(data, i)
		return "[" + formatFloat(d.Real(), real(v)) + ", " + formatFloat(d.Real(), imag(v)) + "]"
	default:
		return formatFloat(d, d.LoadFloat(data, i))
	}
}

// formatFloat returns v, a value of type d, with six decimals when they are
// enough to read it back, else with as many digits as that takes.
func formatFloat(d dtype.Type, v float64) string {
	s := strconv.FormatFloat(v, 'e', 6, 64)
	if back, err := strconv.ParseFloat(s, 64); err == nil && (d.Float64(d.FromFloat64(back)) == v || v != v) {
		return s
	}
	if d == dtype.F64 {
		return strconv.FormatFloat(v, 'g', -1, 64)
	}
	return strconv.FormatFloat(v, 'g', -1, 32)
}
