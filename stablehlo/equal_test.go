package stablehlo_test

import (
	"strings"
	"testing"

	"github.com/go-nx/nx/stablehlo"
)

func TestDiff(t *testing.T) {
	const base = `func.func @f(%x: tensor<2xf32>, %y: tensor<2xf32>) -> tensor<2xf32> {
  %0 = stablehlo.subtract %x, %y {a = 1} : tensor<2xf32> loc("here")
  %1 = stablehlo.custom_call @g(%0) : (tensor<2xf32>) -> tensor<2xf32>
  return %1 : tensor<2xf32>
}`
	tests := []struct{ name, old, new, want string }{
		{"equal", "return", "return", ""},
		{"names", "%0", "%other", ""},
		{"locations", `loc("here")`, "", ""},
		{"default", "@g(%0)", "@g(%0) {has_side_effect = false}", ""},
		{"not the default", "@g(%0)", "@g(%0) {has_side_effect = true}", "attribute has_side_effect is missing"},
		{"op", "subtract", "add", "differ"},
		{"operands", "%x, %y {", "%y, %x {", "operands 0 differ"},
		{"attribute", "a = 1", "a = 2", "attributes a differ: 1 : i64 and 2 : i64"},
		{"type", "tensor<2xf32>", "tensor<3xf32>", "attributes function_type differ"},
		{"function", "@f", "@h", "attributes sym_name differ"},
		{"more ops", "  return", "  stablehlo.optimization_barrier()\n  return", "blocks differ"},
	}
	a, err := stablehlo.Parse("", []byte(base))
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			b, err := stablehlo.Parse("", []byte(strings.ReplaceAll(base, test.old, test.new)))
			if err != nil {
				t.Fatal(err)
			}
			for _, d := range []string{stablehlo.Diff(a, b, false), stablehlo.Diff(b, a, false)} {
				if (d == "") != (test.want == "") || stablehlo.Equal(a, b) != (d == "") {
					t.Errorf("got %q, want %q", d, test.want)
				}
			}
			if d := stablehlo.Diff(a, b, false); !strings.Contains(d, test.want) {
				t.Errorf("got %q, want %q", d, test.want)
			}
			if test.name == "locations" && stablehlo.Diff(a, b, true) == "" {
				t.Error("locations do not count when asked for")
			}
		})
	}
}
