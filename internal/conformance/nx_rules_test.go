package conformance_test

import (
	"slices"

	"github.com/go-nx/nx"
)

// nxRule is a difference between Nx and this module that is meant. It applies by the
// kind of the difference, whatever the call: a result is brought from one side's form
// to the other's, and must be equal then; what raises in Nx may have a value here.
type nxRule struct {
	name, reason string
	maps         func(c *recorded, want, got nx.Tensor) (nx.Tensor, nx.Tensor, bool)
	other        func(c *recorded, want, got any) (any, any, bool)
	accepts      func(c *recorded, got any) bool
}

func (r nxRule) mapsTensor(c *recorded, want, got nx.Tensor) (any, any, bool) {
	if r.maps == nil || got.IsZero() {
		return nil, nil, false
	}
	return mapsResult(r.maps(c, want, got))
}

func mapsResult(w, g nx.Tensor, ok bool) (any, any, bool) { return w, g, ok }

func (r nxRule) mapsOther(c *recorded, want, got any) (any, any, bool) {
	if r.other == nil {
		return nil, nil, false
	}
	return r.other(c, want, got)
}

// nxRules are all that is meant to differ.
var nxRules = []nxRule{
	{name: "compiler", reason: "what Nx refuses when it runs does not compile in Go: an option or an operand of another type"},
	{name: "bool", reason: "truth values are bools, not u8",
		maps: func(_ *recorded, want, got nx.Tensor) (nx.Tensor, nx.Tensor, bool) {
			return nx.Cast(want, nx.Bool), got, want.DType() == nx.U8 && got.DType() == nx.Bool
		}},
	{name: "number", reason: "a Go number keeps its precision and gives way to a tensor's type; two of them are s64, f64 or c128",
		maps: func(c *recorded, want, got nx.Tensor) (nx.Tensor, nx.Tensor, bool) {
			w, g := want.DType(), got.DType()
			if w == g || numberKind(w) != numberKind(g) || !c.hasNumber() {
				return want, got, false
			}
			if g.Bits() > w.Bits() {
				return want, nx.Cast(got, w), true
			}
			return nx.Cast(want, g), got, true
		}},
}

// numberKind tells integers, floats and complex numbers apart.
func numberKind(d nx.DType) int {
	switch {
	case d.IsComplex():
		return 2
	case d.IsFloat():
		return 1
	}
	return 0
}

// hasNumber reports whether a plain number is among the arguments.
func (c *recorded) hasNumber() bool { return slices.ContainsFunc(c.Args, containsNumber) }

func containsNumber(v any) bool {
	switch v := v.(type) {
	case int64, uint64, float64, complex128, bool:
		return true
	case []any:
		return slices.ContainsFunc(v, containsNumber)
	case tuple:
		return slices.ContainsFunc(v, containsNumber)
	}
	return false
}
