package eval

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/go-nx/nx/dtype"
)

// Format formats elements of type t in memory as text, separated by spaces.
func Format(t dtype.Type, mem []byte) string {
	var out []string
	for i := range len(mem) / t.Size() {
		switch {
		case t.IsComplex():
			out = append(out, strconv.FormatComplex(t.LoadComplex(mem, i), 'g', -1, 2*t.Real().Bits()))
		case t.IsFloat():
			out = append(out, strconv.FormatFloat(t.LoadFloat(mem, i), 'g', -1, max(t.Bits(), 32)))
		case t.IsSigned():
			out = append(out, strconv.FormatInt(t.LoadInt(mem, i), 10))
		default:
			out = append(out, strconv.FormatUint(t.LoadUint(mem, i), 10))
		}
	}
	return strings.Join(out, " ")
}

// Parse parses numbers as elements of type t.
func Parse(t dtype.Type, text string) ([]byte, error) {
	words := strings.Fields(text)
	mem := make([]byte, len(words)*t.Size())
	for i, w := range words {
		var err error
		switch {
		case t.IsComplex():
			var z complex128
			z, err = strconv.ParseComplex(w, 128)
			t.StoreComplex(mem, i, z)
		case t.IsFloat():
			var x float64
			x, err = strconv.ParseFloat(w, 64)
			t.StoreFloat(mem, i, x)
		case t.IsSigned():
			var x int64
			x, err = strconv.ParseInt(w, 10, t.Bits())
			t.StoreInt(mem, i, x)
		default:
			var x uint64
			x, err = strconv.ParseUint(w, 10, max(t.Bits(), 1))
			t.StoreUint(mem, i, x)
		}
		if err != nil {
			return nil, fmt.Errorf("%q is not a valid %s", w, t)
		}
	}
	return mem, nil
}
