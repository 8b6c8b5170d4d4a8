package nxterm

import (
	"math"
	"testing"
)

// TestBigIntegers reads integers of more digits than they need, and some that are too large.
func TestBigIntegers(t *testing.T) {
	max := []byte{0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x7f}
	min := []byte{0, 0, 0, 0, 0, 0, 0, 0x80}
	for _, c := range []struct {
		sign   byte
		digits []byte
		want   any
	}{
		{0, nil, int64(0)},
		{1, []byte{0, 0}, int64(0)},
		{0, []byte{1, 2}, int64(513)},
		{1, []byte{1, 2, 0, 0, 0, 0, 0, 0, 0, 0}, int64(-513)},
		{0, max, int64(math.MaxInt64)},
		{1, max, int64(-math.MaxInt64)},
		{1, min, int64(math.MinInt64)},
		{0, min, nil},
		{1, append(min[:7:7], 0x81), nil},
		{0, []byte{0, 0, 0, 0, 0, 0, 0, 0, 1}, nil},
	} {
		d := &decoder{b: append([]byte{byte(len(c.digits)), c.sign}, c.digits...)}
		got, err := d.big()
		if got != c.want || (err != nil) != (c.want == nil) {
			t.Errorf("%d, % x: %v, %v, want %v", c.sign, c.digits, got, err, c.want)
		}
	}
}
