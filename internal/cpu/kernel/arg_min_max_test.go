package kernel_test

import (
	"strings"
	"testing"

	"github.com/go-nx/nx/internal/cpu/kernel"
)

// ArgMinMaxOf recognises bodies by their semantics, not by their form.
func TestArgMinMaxOf(t *testing.T) {
	const left, right, lesser, greater = kernel.Left, kernel.Right, kernel.LowerIndex, kernel.HigherIndex
	firstNaN := kernel.Ties{Elem: left, Index: left}
	for _, c := range []struct {
		name, body string // the body after its arguments %0 to %3; the last two are its results
		types      string
		want       kernel.ArgMinMax
	}{
		{"JAX", `%4 = gt %0, %2 : f32 → bool
			%5 = ne %0, %0 : f32 → bool
			%6 = or %4, %5 : bool
			%7 = eq %0, %2 : f32 → bool
			%8 = lt %1, %3 : s32 → bool
			%9 = and %7, %8 : bool
			%10 = or %6, %9 : bool
			%11 = select %6, %0, %2 : f32
			%12 = select %10, %1, %3 : s32`, "f32 s32",
			kernel.ArgMinMax{Op: kernel.Max, Ties: kernel.Ties{Elem: right, Index: lesser}, NaNs: firstNaN}},
		{"XLA's builder, which takes the lesser index", `%4 = le %0, %2 : f32 → bool
			%5 = ne %0, %0 : f32 → bool
			%6 = or %4, %5 : bool
			%7 = eq %0, %2 : f32 → bool
			%8 = min %1, %3 : s64
			%9 = select %6, %1, %3 : s64
			%10 = select %6, %0, %2 : f32
			%11 = select %7, %8, %9 : s64`, "f32 s64",
			kernel.ArgMinMax{Op: kernel.Min, Ties: kernel.Ties{Elem: left, Index: lesser}, NaNs: firstNaN}},
		{"the last of equal ones, NaN by not", `%4 = ge %2, %0 : f64 → bool
			%5 = eq %0, %0 : f64 → bool
			%6 = eq %2, %2 : f64 → bool
			%7 = not %6 : bool
			%8 = or %4, %7 : bool
			%9 = and %5, %8 : bool
			%10 = select %9, %2, %0 : f64
			%11 = select %9, %3, %1 : u32`, "f64 u32",
			kernel.ArgMinMax{Op: kernel.Max, Ties: kernel.Ties{Elem: right, Index: right}, NaNs: firstNaN}},
		{"the greater index of integers", `%4 = gt %0, %2 : s8 → bool
			%5 = eq %0, %2 : s8 → bool
			%6 = gt %1, %3 : s32 → bool
			%7 = and %5, %6 : bool
			%8 = or %4, %7 : bool
			%9 = select %8, %0, %2 : s8
			%10 = select %8, %1, %3 : s32`, "s8 s32",
			kernel.ArgMinMax{Op: kernel.Max, Ties: kernel.Ties{Index: greater}}},
		{"none: NaN is lost", `%4 = gt %0, %2 : f32 → bool
			%5 = select %4, %0, %2 : f32
			%6 = select %4, %1, %3 : s32`, "f32 s32", kernel.ArgMinMax{}},
		{"none: an element of one index, another index", `%4 = gt %0, %2 : s32 → bool
			%5 = lt %1, %3 : s32 → bool
			%6 = select %5, %0, %2 : s32
			%7 = select %4, %1, %3 : s32`, "s32 s32", kernel.ArgMinMax{}},
		{"none: a sum", `%4 = add %0, %2 : s32
			%5 = add %1, %3 : s32`, "s32 s32", kernel.ArgMinMax{}},
		{"none: an index that may be NaN", `%4 = gt %0, %2 : s32 → bool
			%5 = select %4, %0, %2 : s32
			%6 = select %4, %1, %3 : f32`, "s32 f32", kernel.ArgMinMax{}},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := reductionOf(t, c.types, c.body)
			if got, ok := kernel.ArgMinMaxOf(&r); got != c.want && ok || ok != (c.want != kernel.ArgMinMax{}) {
				t.Errorf("%+v, %v, want %+v", got, ok, c.want)
			}
		})
	}
}

// reductionOf returns a reduction of two types by a body.
func reductionOf(t *testing.T, types, body string) kernel.Reduction {
	t.Helper()
	elem, index, _ := strings.Cut(types, " ")
	lines := strings.Split(body, "\n")
	result := func(n int) string { return strings.Fields(lines[len(lines)-n])[0] }
	k, err := kernel.Parse(strings.NewReplacer("ELEM", elem, "INDEX", index, "BODY", body, "FIRST",
		result(2), "SECOND", result(1)).
		Replace(`kernel k [4] reduces [4]
	over ELEM[4], INDEX[4], ELEM[1], INDEX[1]
	%0 = load p0[1] : ELEM
	%1 = load p1[1] : INDEX
	reduce %0 from p2[], %1 from p3[]
	%0 = arg 0 : ELEM
	%1 = arg 1 : INDEX
	%2 = arg 2 : ELEM
	%3 = arg 3 : INDEX
	BODY
	store p2[] = FIRST : ELEM
	store p3[] = SECOND : INDEX`))
	if err == nil {
		err = k.Verify()
	}
	if err != nil {
		t.Fatal(err)
	}
	return k.Reduces[0]
}
