package portable_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/go-nx/nx/dtype"
	"github.com/go-nx/nx/internal/cpu/kernel"
	"github.com/go-nx/nx/internal/cpu/kernel/random"
	"github.com/go-nx/nx/internal/cpu/plan"
)

// jaxArgMax is an arg max as JAX writes it: of equal elements it takes the lesser index, or the greater one.
const jaxArgMax = `kernel pick [DIMS] reduces [FOLDED]
  over TYPE[TOTAL], TYPE[1], INDEX[1], TYPE[KEPT], INDEX[KEPT]
  %0 = load p0[STRIDES] : TYPE
  %1 = index [0, STEP] : INDEX
  reduce argKEPT_ONE %0 from p1[], %1 from p2[]
    %0 = arg 0 : TYPE
    %1 = arg 1 : INDEX
    %2 = arg 2 : TYPE
    %3 = arg 3 : INDEX
    %4 = WINS %0, %2 : TYPE → bool
    %5 = NAN %0, %0 : TYPE → bool
    %6 = or %4, %5 : bool
    %7 = eq %0, %2 : TYPE → bool
    %8 = ORDER %1, %3 : INDEX → bool
    %9 = and %7, %8 : bool
    %10 = or %6, %9 : bool
    %11 = select %6, %0, %2 : TYPE
    %12 = select %10, %1, %3 : INDEX
    store p3[1] = %11 : TYPE
    store p4[1] = %12 : INDEX`

// Arg reductions give the bits of their bodies for every type, where many elements are equal or NaN, along both axes,
// in one block and in many, for ascending and descending indices.
func TestArgReductions(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, typ := range []dtype.Type{dtype.Bool, dtype.S8, dtype.S16, dtype.S32, dtype.S64, dtype.U8, dtype.U16,
		dtype.U32, dtype.U64, dtype.F32, dtype.F64} {
		for form := range 16 {
			for _, index := range []dtype.Type{dtype.S32, dtype.S64, dtype.U32} {
				compareArgReduce(t, r, typ, index, 7, 5, form)
			}
			compareArgReduce(t, r, typ, dtype.S32, 2, 1500, form)
			compareArgReduce(t, r, typ, dtype.S32, 70, 20, form)
		}
	}
	for _, typ := range []dtype.Type{dtype.S32, dtype.F32} {
		compareArgReduce(t, r, typ, dtype.S32, 2, 70_000, 0)
		compareArgReduce(t, r, typ, dtype.S32, 1500, 100, 1)
	}
}

// compareArgReduce compares an arg reduction. The bits of form say which axis it reduces, whether it takes the min or
// the max, whether the index descends, and whether the greater index is kept.
func compareArgReduce(t *testing.T, r *rand.Rand, typ, index dtype.Type, rows, cols, form int) {
	t.Helper()
	strides, step := fmt.Sprintf("%d, 1", cols), "1"
	if form&1 != 0 {
		rows, cols, strides = cols, rows, fmt.Sprintf("1, %d", cols)
	}
	if form&4 != 0 && index != dtype.U32 {
		step = "-1"
	}
	nan := "ne"
	if !typ.IsFloat() {
		nan = "gt" // of a value and itself: a simplified ne
	}
	text := strings.NewReplacer("KEPT_ONE", []string{"max", "min"}[form>>1&1], "ORDER", []string{"lt", "gt"}[form>>3&1],
		"DIMS", fmt.Sprintf("%d %d", rows, cols), "FOLDED", fmt.Sprint(cols),
		"KEPT", fmt.Sprint(rows),
		"TOTAL", fmt.Sprint(rows*cols), "STRIDES", strides, "TYPE", typ.String(),
		"INDEX", index.String(), "WINS", []string{"gt", "lt"}[form>>1&1], "NAN", nan, "STEP", step).Replace(jaxArgMax)
	k, err := kernel.Parse(strings.ReplaceAll(text, "bool → bool", "bool"))
	if err == nil {
		err = k.Verify()
	}
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	params := random.Params(r, k)
	for i := range rows * cols {
		storeFew(r, typ, params[0], i)
	}
	if compareOn(t, k, plan.Of(k), params, nil); t.Failed() {
		t.FailNow()
	}
}

// storeFew stores one of few values, so that many are equal.
func storeFew(r *rand.Rand, t dtype.Type, b []byte, i int) {
	switch {
	case t == dtype.Bool:
		t.StoreInt(b, i, r.Int64N(2))
	case !t.IsFloat():
		t.StoreInt(b, i, r.Int64N(4))
	case r.IntN(200) == 0:
		t.StoreFloat(b, i, math.NaN())
	default:
		t.StoreFloat(b, i, []float64{math.Copysign(0, -1), 0, -1, -0.5}[r.IntN(4)])
	}
}
