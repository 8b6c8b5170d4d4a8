package exec

import (
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/go-nx/nx/internal/cpu/codegen/portable"
	"github.com/go-nx/nx/internal/cpu/rt"
	"github.com/go-nx/nx/internal/testkit/fused"
)

// loopsOfContractions multiplies by operands that no loop changes, that the outer loop changes, and that both change.
const loopsOfContractions = `
func.func @main(%x: tensor<32x48xf32>, %u: tensor<48x48xf32>, %w: tensor<48x48xf32>) -> tensor<32x48xf32> {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %four = stablehlo.constant dense<4> : tensor<i32>
  %r:3 = stablehlo.while(%i = %zero, %h = %x, %v = %w) : tensor<i32>, tensor<32x48xf32>, tensor<48x48xf32>
  cond {
    %c = stablehlo.compare LT, %i, %four : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  } do {
    %s:2 = stablehlo.while(%j = %zero, %g = %h) : tensor<i32>, tensor<32x48xf32>
    cond {
      %c = stablehlo.compare LT, %j, %four : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %c : tensor<i1>
    } do {
      %p = stablehlo.dot_general %g, %v, contracting_dims = [1] x [0] : (tensor<32x48xf32>, tensor<48x48xf32>) -> tensor<32x48xf32>
      %t = stablehlo.tanh %p : tensor<32x48xf32>
      %q = stablehlo.dot_general %t, %u, contracting_dims = [1] x [0] : (tensor<32x48xf32>, tensor<48x48xf32>) -> tensor<32x48xf32>
      %n = stablehlo.tanh %q : tensor<32x48xf32>
      %k = stablehlo.add %j, %one : tensor<i32>
      stablehlo.return %k, %n : tensor<i32>, tensor<32x48xf32>
    }
    %y = stablehlo.dot_general %u, %v, contracting_dims = [1] x [0] : (tensor<48x48xf32>, tensor<48x48xf32>) -> tensor<48x48xf32>
    %z = stablehlo.tanh %y : tensor<48x48xf32>
    %k = stablehlo.add %i, %one : tensor<i32>
    stablehlo.return %k, %s#1, %z : tensor<i32>, tensor<32x48xf32>, tensor<48x48xf32>
  }
  return %r#1 : tensor<32x48xf32>
}`

// unrolledContractions is the same unrolled.
func unrolledContractions() string {
	const small, large = "tensor<32x48xf32>", "tensor<48x48xf32>"
	var b strings.Builder
	fmt.Fprintf(&b, "func.func @main(%%h0: %s, %%u: %s, %%v0: %s) -> %s {\n", small, large, large, small)
	n := 0
	for i := range 4 {
		step := func(by string) {
			fmt.Fprintf(&b, `  %%p%[1]d = stablehlo.dot_general %%h%[1]d, %[3]s, contracting_dims = [1] x [0] : (%[4]s, %[5]s) -> %[4]s
  %%h%[2]d = stablehlo.tanh %%p%[1]d : %[4]s
`, n, n+1, by, small, large)
			n++
		}
		for range 4 {
			step(fmt.Sprintf("%%v%d", i))
			step("%u")
		}
		fmt.Fprintf(&b, `  %%y%[1]d = stablehlo.dot_general %%u, %%v%[1]d, contracting_dims = [1] x [0] : (%[3]s, %[3]s) -> %[3]s
  %%v%[2]d = stablehlo.tanh %%y%[1]d : %[3]s
`, i, i+1, large)
	}
	fmt.Fprintf(&b, "  return %%h%d : %s\n}\n", n, small)
	return b.String()
}

// Contractions in loops keep packed right operands that are invariant, and no others.
func TestContractionsOfLoops(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	args := [][]byte{make([]byte, 4*32*48), make([]byte, 4*48*48), make([]byte, 4*48*48)}
	for _, a := range args {
		for i := range f32s(a) {
			f32s(a)[i] = float32(r.NormFloat64()) / 4
		}
	}
	pool := rt.NewPool(2)
	defer pool.Close()
	run := func(text string) (*Executable, []byte) {
		t.Helper()
		env := &rt.Env{Pool: pool, Buffers: rt.NewBuffers(-1)}
		x, err := Compile(fused.Program(t, text), env, portable.Generator{})
		if err != nil {
			t.Fatal(err)
		}
		var out [][]byte
		for range 2 { // reuses an instance, with other right operands
			for i := range f32s(args[2]) {
				f32s(args[2])[i] = -f32s(args[2])[i]
			}
			if out, err = x.Run(context.Background(), args); err != nil {
				t.Fatal(err)
			}
		}
		if n := env.Buffers.InUse(); n != 0 {
			t.Errorf("%d bytes are kept", n)
		}
		return x, out[0]
	}
	x, got := run(loopsOfContractions)
	if x.numPrepacked != 2 {
		t.Errorf("%d contractions keep their right operand packed, want 2 of 3\n%s", x.numPrepacked, x.prog)
	}
	if _, want := run(unrolledContractions()); !bytes.Equal(got, want) {
		t.Error("the bits differ from those without loops")
	}
}
