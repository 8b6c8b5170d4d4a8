package simplify

import (
	"testing"

	"github.com/go-nx/nx/internal/emit"
	"github.com/go-nx/nx/internal/testkit/rewrites"
	"github.com/go-nx/nx/stablehlo"
)

// TestUsesReturn: a value that is used again after it was dead counts its operands again, so that
// it can be dropped as often; sums of a value and itself doubled the work each time.
func TestUsesReturn(t *testing.T) {
	f, _ := rewrites.Parse(t, `func.func @main(%0: tensor<f32>) -> tensor<f32> { return %0 : tensor<f32> }`).Func("main")
	b := f.Body()
	last := b.Args[0]
	var sums []*stablehlo.Op
	e := emit.Detached()
	for range 64 {
		last = e.Add(last, last)
		sums = append(sums, last.Op())
	}
	u := uses{of: map[*stablehlo.Value]int{}, gone: map[*stablehlo.Op]bool{}}
	for _, op := range sums {
		u.add(op)
	}
	for range 3 {
		user := e.Do(stablehlo.OpTanh, last).Op()
		u.add(user)
		if u.of[last] != 1 || u.of[b.Args[0]] != 2 {
			t.Fatalf("%d uses of the sum, %d of the argument", u.of[last], u.of[b.Args[0]])
		}
		u.drop(user)
		for _, op := range sums {
			if n := u.of[op.Results[0]]; n != 0 {
				t.Fatalf("%d uses are left of an unused result", n)
			}
		}
	}
}
