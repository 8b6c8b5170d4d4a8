package simplify_test

import (
	"testing"

	"github.com/go-nx/nx/internal/simplify"
	"github.com/go-nx/nx/stablehlo"
)

const program = `
func.func @main(%x: tensor<f32>) -> tensor<f32> {
  %a = call @twice(%x) : (tensor<f32>) -> tensor<f32>
  %unused = stablehlo.add %a, %a : tensor<f32>
  %b = call @twice(%a) : (tensor<f32>) -> tensor<f32>
  return %b : tensor<f32>
}
func.func private @twice(%x: tensor<f32>) -> tensor<f32> {
  %0 = call @id(%x) : (tensor<f32>) -> tensor<f32>
  %1 = stablehlo.add %0, %x : tensor<f32>
  return %1 : tensor<f32>
}
func.func private @id(%x: tensor<f32>) -> tensor<f32> {
  return %x : tensor<f32>
}
`

func TestInline(t *testing.T) {
	m, err := stablehlo.Parse("test", []byte(program))
	if err != nil {
		t.Fatal(err)
	}
	f, _ := m.Func("main")
	if err := simplify.Inline(m, f); err != nil {
		t.Fatal(err)
	}
	simplify.DeadCode(f.Body(), f.Effects())
	if n := len(f.Body().Ops); n != 3 {
		t.Fatalf("%d ops are left, want 2 additions and the return:\n%s", n, m)
	}
	twice, _ := m.Func("twice")
	if n := len(twice.Body().Ops); n != 3 {
		t.Fatalf("the callee has changed:\n%s", m)
	}
}

func TestInlineRefusesRecursion(t *testing.T) {
	m, err := stablehlo.Parse("test", []byte(`
func.func @main(%x: tensor<f32>) -> tensor<f32> {
  %0 = call @main(%x) : (tensor<f32>) -> tensor<f32>
  return %0 : tensor<f32>
}`))
	if err != nil {
		t.Fatal(err)
	}
	f, _ := m.Func("main")
	if err := simplify.Inline(m, f); err == nil {
		t.Fatal("recursion was not refused")
	}
}

func TestDeadCodeInLoops(t *testing.T) {
	// %b only uses itself, %c is used by the condition, %d by the result.
	m, err := stablehlo.Parse("test", []byte(`
func.func @main(%x: tensor<f32>) -> tensor<f32> {
  %l = stablehlo.constant dense<9.0> : tensor<f32>
  %e = stablehlo.exponential %x : tensor<f32>
  %0:4 = stablehlo.while(%a = %x, %b = %e, %c = %x, %d = %x) : tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>
  cond {
    %p = stablehlo.compare LT, %c, %l : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  } do {
    %1 = stablehlo.add %a, %d : tensor<f32>
    %2 = stablehlo.add %b, %a : tensor<f32>
    %3 = stablehlo.add %c, %l : tensor<f32>
    %4 = stablehlo.add %d, %d : tensor<f32>
    stablehlo.return %1, %2, %3, %4 : tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>
  }
  %5 = stablehlo.negate %0#3 : tensor<f32>
  return %5 : tensor<f32>
}`))
	if err != nil {
		t.Fatal(err)
	}
	f, _ := m.Func("main")
	simplify.DeadCode(f.Body(), f.Effects())
	if err := m.Verify(); err != nil {
		t.Fatalf("%v\n%s", err, m)
	}
	loop := f.Body().Ops[1]
	if len(f.Body().Ops) != 4 || len(loop.Operands) != 2 || len(loop.Regions[1].Block().Ops) != 3 {
		t.Fatalf("the loop should keep %%c and %%d and the exponential should be gone:\n%s", m)
	}
}
