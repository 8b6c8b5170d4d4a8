package amd64_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/go-nx/nx/dtype"
	"github.com/go-nx/nx/internal/cpu/codegen/amd64"
	"github.com/go-nx/nx/internal/cpu/kernel"
)

// TestDivideByPowers divides integers of all types by powers of two, in code that has no division
// for those of 8 bytes.
func TestDivideByPowers(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for _, elem := range []dtype.Type{
		dtype.S8, dtype.S16, dtype.S32, dtype.S64, dtype.U8, dtype.U16, dtype.U32, dtype.U64} {
		top := elem.Bits()
		if elem.IsSigned() {
			top--
		}
		for k := 1; k < top; k++ {
			text := fmt.Sprintf(`kernel k [300]
  over %[1]s[300], %[1]s[300], %[1]s[300]
  %%0 = load p0[1] : %[1]s
  %%1 = const %[2]d : %[1]s
  %%2 = div %%0, %%1 : %[1]s
  %%3 = rem %%0, %%1 : %[1]s
  store p1[1] = %%2 : %[1]s
  store p2[1] = %%3 : %[1]s
`, elem, uint64(1)<<k)
			divided, err := kernel.Parse(text)
			if err != nil {
				t.Fatalf("%v\n%s", err, text)
			}
			for _, w := range widths(t) {
				if err := compare(t, r, divided, w, amd64.Generator{Generator: rest, Width: w}.NewScratch()); err != nil {
					t.Fatalf("%v\n%s", err, text)
				}
			}
		}
	}
}
