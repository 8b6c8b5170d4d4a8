package wire

import (
	"bytes"
	"math"
	"slices"
	"testing"
)

// Encoded values are decoded, and no bytes are left.
func TestReadsWhatIsWritten(t *testing.T) {
	var w Writer
	w.Number(math.MinInt64)
	w.Int(-3)
	w.Unsigned(math.MaxUint64)
	w.Flag(true)
	w.Flag(false)
	w.Bytes([]byte{1, 2})
	w.Text("x")
	w.Numbers([]int64{5, -6})
	w.Ints(nil)
	w.Ints([]int{7})
	r := NewReader(w.B)
	if n := r.Number(); n != math.MinInt64 {
		t.Error(n)
	}
	if n := r.Int(); n != -3 {
		t.Error(n)
	}
	if n := r.Unsigned(); n != math.MaxUint64 {
		t.Error(n)
	}
	if !r.Flag() || r.Flag() {
		t.Error("flags")
	}
	if b := r.Bytes(); !bytes.Equal(b, []byte{1, 2}) {
		t.Error(b)
	}
	if s := r.Text(); s != "x" {
		t.Error(s)
	}
	if l := r.Numbers(); !slices.Equal(l, []int64{5, -6}) {
		t.Error(l)
	}
	if l := r.Ints(); l != nil {
		t.Error(l)
	}
	if l := r.Ints(); !slices.Equal(l, []int{7}) {
		t.Error(l)
	}
	if err := r.End(); err != nil {
		t.Error(err)
	}
}

// Mistakes are errors, and values after an error are zero.
func TestRefusesDamage(t *testing.T) {
	for name, read := range map[string]func(r *Reader){
		"no number":     func(r *Reader) { r.b = nil; r.Number() },
		"half a number": func(r *Reader) { r.b = []byte{0x80}; r.Unsigned() },
		"a long number": func(r *Reader) { r.b = bytes.Repeat([]byte{0xff}, 11); r.Number() },
		"no flag":       func(r *Reader) { r.b = []byte{2}; r.Flag() },
		"a long list":   func(r *Reader) { r.Numbers() }, // of 100, and 2 bytes follow
		"long bytes":    func(r *Reader) { r.Bytes() },
		"a negative list": func(r *Reader) {
			r.b = []byte{1}
			r.Ints()
		},
		"a great number":  func(r *Reader) { r.Below(100) },
		"bytes left over": func(r *Reader) { r.Number() },
	} {
		w := Writer{}
		w.Int(100)
		r := NewReader(append(w.B, 1, 2))
		read(r)
		if r.End() == nil {
			t.Errorf("%s: no error", name)
		}
		if r.Number() != 0 || r.Flag() || r.Bytes() != nil && len(r.Bytes()) != 0 || r.Text() != "" ||
			r.Numbers() != nil {
			t.Errorf("%s: something is read after an error", name)
		}
	}
}
