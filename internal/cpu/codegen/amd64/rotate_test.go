package amd64_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/go-nx/nx/dtype"
	"github.com/go-nx/nx/internal/cpu/codegen/amd64/codetest"
)

// TestRotate rotates integers by two shifts, in either order, and computes similar expressions that are not rotations;
// one of the shifts may have another use.
func TestRotate(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for i := range 120 {
		elem := []dtype.Type{dtype.U32, dtype.S32, dtype.U64, dtype.S64, dtype.U16}[i%5]
		join := []string{"or", "xor", "add", "and"}[r.IntN(4)]
		by := 1 + r.IntN(elem.Bits()-1)
		over := elem.Bits() - by + []int{0, 0, 0, 1}[r.IntN(4)]
		first, second, result := "%3", "%4", "%5"
		if r.IntN(2) == 0 {
			first, second = second, first
		}
		if r.IntN(3) == 0 {
			result = "%6"
		}
		text := fmt.Sprintf(`kernel k [%[2]d]
  over %[1]s[%[2]d], %[1]s[%[2]d]
  %%0 = load p0[1] : %[1]s
  %%1 = const %[3]d : %[1]s
  %%2 = const %[4]d : %[1]s
  %%3 = shl %%0, %%1 : %[1]s
  %%4 = shr_l %%0, %%2 : %[1]s
  %%5 = %[5]s %[6]s, %[7]s : %[1]s
  %%6 = sub %%5, %%3 : %[1]s
  store p1[1] = %[8]s : %[1]s
`, elem, 1+r.IntN(70), by, over, join, first, second, result)
		compareText(t, r, text, 1, codetest.AllWidths)
	}
}
