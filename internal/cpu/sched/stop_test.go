package sched_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/go-nx/nx/internal/cpu/sched"
	"github.com/go-nx/nx/internal/testkit/fused"
)

// TestAssignChecksCancel: the layout checks for cancellation in proportion to the buffers, in every phase, and ends by
// its panic.
func TestAssignChecksCancel(t *testing.T) {
	const loops = 300
	var b strings.Builder
	b.WriteString("func.func @main(%v0: tensor<80xf32>, %n: tensor<i32>) -> tensor<80xf32> {\n")
	for i := range loops {
		fmt.Fprintf(&b, `  %%v%d = stablehlo.while(%%x = %%v%d) : tensor<80xf32>
  cond { %%p = stablehlo.compare LT, %%n, %%n : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %%p : tensor<i1> }
  do { %%y = stablehlo.sine %%x : tensor<80xf32>
    stablehlo.return %%y : tensor<80xf32> }
`, i+1, i)
	}
	fmt.Fprintf(&b, "  return %%v%d : tensor<80xf32>\n}\n", loops)
	p := fused.Program(t, b.String())
	checks := 0
	sched.Assign(p, func() { checks++ })
	if checks < 4*loops {
		t.Errorf("checks %d times for %d loops", checks, loops)
	}
	type stop struct{}
	for _, at := range []int{1, checks / 3, checks / 2, checks} {
		n := 0
		func() {
			defer func() {
				if _, ok := recover().(stop); !ok || n != at {
					t.Errorf("cancelled at check %d, but checks %d times", at, n)
				}
			}()
			sched.Assign(p, func() {
				if n++; n == at {
					panic(stop{})
				}
			})
		}()
	}
}
