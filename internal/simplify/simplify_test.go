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
	simplify.DeadCode(f.Body())
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
