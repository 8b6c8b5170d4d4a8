package cpu_test

import (
	"fmt"
	"math/rand/v2"
	"testing"
)

// TestBatchesOfSmallMatmuls compares multiplications of many small matrices with the interpreter: of every
// kind of element, with any dimension of the operands innermost, of few terms and of many, with one row or
// column and with several.
func TestBatchesOfSmallMatmuls(t *testing.T) {
	r := rand.New(rand.NewPCG(11, 12))
	rounds := 60
	if testing.Short() {
		rounds = 15
	}
	for _, elem := range []string{"f32", "f64", "bf16", "f16", "i8", "i32", "ui64", "complex<f32>"} {
		for range rounds {
			some := func() int { return []int{1, 1, 2, 3, 1 + r.IntN(9)}[r.IntN(5)] }
			batch, m, n, k := 60+r.IntN(20), some(), some(), 1+some()
			operand := func(rows, cols int) (dims [3]int, at [3]int) {
				at = [3]int(r.Perm(3)) // of the batch, the rows and the columns
				dims[at[0]], dims[at[1]], dims[at[2]] = batch, rows, cols
				return dims, at
			}
			x, xAt := operand(m, k)
			y, yAt := operand(k, n)
			typ := func(d [3]int) string { return fmt.Sprintf("tensor<%dx%dx%dx%s>", d[0], d[1], d[2], elem) }
			out := typ([3]int{batch, m, n})
			text := fmt.Sprintf(`func.func @main(%%x: %[1]s, %%y: %[2]s) -> %[3]s {
  %%0 = stablehlo.dot_general %%x, %%y, batching_dims = [%[4]d] x [%[5]d], contracting_dims = [%[6]d] x [%[7]d]
    : (%[1]s, %[2]s) -> %[3]s
  return %%0 : %[3]s
}`, typ(x), typ(y), out, xAt[0], yAt[0], xAt[2], yAt[1])
			if err := compareIndexed(text, r); err != nil {
				t.Errorf("%v\n%s", err, text)
			}
		}
	}
}
