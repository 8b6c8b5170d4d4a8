package amd64_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/go-nx/nx/dtype"
	"github.com/go-nx/nx/internal/cpu/codegen/amd64/codetest"
	"github.com/go-nx/nx/internal/cpu/kernel"
)

// TestNegatedFactors fuses sums with negated products. The negated factor may have other uses, be a constant, or be
// negated twice.
func TestNegatedFactors(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	for i := range 160 {
		elem := []dtype.Type{dtype.F32, dtype.F64, dtype.F16, dtype.BF16}[i%4]
		register := kernel.Register(elem)
		factor := []string{"%0", "%1", "%2", "%3"}[r.IntN(4)]
		other := []string{"%0", "%1", "%2", "%3", "%4"}[r.IntN(5)]
		sum := []string{"%0", "%1", "%2", "%4"}[r.IntN(4)]
		result := []string{"%5", "%6", "%7"}[r.IntN(3)]
		text := fmt.Sprintf(`kernel k [%[2]d]
  over %[1]s[%[2]d], %[1]s[%[2]d], %[1]s[%[2]d]
  %%0 = load p0[1] : %[1]s
  %%1 = load p1[1] : %[1]s
  %%2 = const 2.5 : %[3]s
  %%3 = neg %%0 : %[3]s
  %%4 = neg %[4]s : %[3]s
  %%5 = fma %%4, %[5]s, %[6]s : %[3]s
  %%6 = mul %%5, %%4 : %[3]s
  %%7 = fma %%3, %%5, %%4 : %[3]s
  %%8 = round %[7]s : %[1]s
  store p2[1] = %%8 : %[1]s
`, elem, 1+r.IntN(70), register, factor, other, sum, result)
		if elem == register {
			text = strings.Replace(text, "  %8 = round "+result+" : "+elem.String()+"\n", "", 1)
			text = strings.Replace(text, "= %8", "= "+result, 1)
		}
		compareText(t, r, text, 1, codetest.AllWidths)
	}
}
