package fuse

import (
	"fmt"
	"strings"
	"testing"

	"github.com/go-nx/nx/stablehlo"
)

// A comparator of canonical floats, as JAX and nx.Sort write it, sorts the operand by its own bits;
// a similar one computes a key.
func TestCanonicalSortKeys(t *testing.T) {
	const comparator = `func.func @main(%arg0: tensor<9xf32>) -> tensor<9xf32> {
  %0 = "stablehlo.sort"(%arg0) <{dimension = 0 : i64, is_stable = true}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %zero = stablehlo.constant dense<0.0> : tensor<f32>
    %nan = stablehlo.constant dense<0x7FC00000> : tensor<f32>
    %1 = stablehlo.compare EQ, %x, %zero, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %2 = stablehlo.select %1, %zero, %x : tensor<i1>, tensor<f32>
    %3 = stablehlo.compare NE, %2, %2, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %4 = stablehlo.select %3, %nan, %2 : tensor<i1>, tensor<f32>
    %5 = stablehlo.compare EQ, %y, %zero, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %6 = stablehlo.select %5, %zero, %y : tensor<i1>, tensor<f32>
    %7 = stablehlo.compare NE, %6, %6, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %8 = stablehlo.select %7, %nan, %6 : tensor<i1>, tensor<f32>
    %9 = stablehlo.compare LT, %4, %8, TOTALORDER : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %9 : tensor<i1>
  }) : (tensor<9xf32>) -> tensor<9xf32>
  return %0 : tensor<9xf32>
}`
	const canonical = "[{0 0 f32 false false}]"
	for name, tt := range map[string]struct {
		replace []string
		want    string
	}{
		"canonical":        {nil, canonical},
		"as JAX writes it": {[]string{"NE, %2, %2", "NE, %x, %x", "NE, %6, %6", "NE, %y, %y"}, canonical},
		"NaN of another value": {[]string{"NE, %2, %2", "NE, %nan, %nan", "NE, %6, %6", "NE, %nan, %nan"},
			"[{-1 0 f32 true false}]"},
		"of halves":          {[]string{"f32", "bf16", "0x7FC00000", "0x7FC0"}, "[{0 0 bf16 false false}]"},
		"descending":         {[]string{"LT, %4", "GT, %4"}, "[{0 0 f32 false true}]"},
		"a zero with a sign": {[]string{"dense<0.0>", "dense<-0.0>"}, canonical},
		"the constant first": {
			[]string{"EQ, %x, %zero", "EQ, %zero, %x", "EQ, %y, %zero", "EQ, %zero, %y"}, canonical},
		"a negative NaN":       {[]string{"0x7FC00000", "0xFFC00000"}, "[{-1 0 f32 true false}]"},
		"a number for NaN":     {[]string{"0x7FC00000", "1.0"}, "[{-1 0 f32 true false}]"},
		"another zero":         {[]string{"dense<0.0>", "dense<1.0>"}, "[{-1 0 f32 true false}]"},
		"not in total order":   {[]string{"TOTALORDER", "FLOAT"}, "[{-1 0 f32 false false}]"},
		"tests in total order": {[]string{", FLOAT", ", TOTALORDER"}, "[{-1 0 f32 true false}]"},
	} {
		text := strings.NewReplacer(tt.replace...).Replace(comparator)
		m, err := stablehlo.Parse("", []byte(text))
		if err != nil {
			t.Fatal(name, err)
		}
		main, _ := m.Func("main")
		sort := main.Body().Ops[0]
		keys, _ := sortKeys(sort.Regions[0].Block())
		got := []string{}
		for _, k := range keys {
			got = append(got, fmt.Sprint(k.SortKey))
		}
		if s := fmt.Sprint(got); s != tt.want {
			t.Errorf("%s: %s, want %s", name, s, tt.want)
		}
	}
}
