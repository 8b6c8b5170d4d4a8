package command

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/go-nx/nx/internal/cost"
	"github.com/go-nx/nx/stablehlo"
)

// The work of an op by the formulas of (*cost.Coster).arithmetic, computed by hand.
func TestCost(t *testing.T) {
	reducer := `({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %s = stablehlo.add %a, %b : tensor<f32>
      stablehlo.return %s : tensor<f32>
    })`
	tests := []struct {
		name, args, body string
		want             cost.Cost
	}{
		{"add", "%x: tensor<4x5xf32>", "%0 = stablehlo.add %x, %x : tensor<4x5xf32>",
			cost.Cost{Flops: 20, Bytes: 3 * 80}},
		{"integer add", "%x: tensor<4x5xi32>", "%0 = stablehlo.add %x, %x : tensor<4x5xi32>", cost.Cost{Bytes: 3 * 80}},
		{"complex multiply", "%x: tensor<2xcomplex<f32>>", "%0 = stablehlo.multiply %x, %x : tensor<2xcomplex<f32>>",
			cost.Cost{Flops: 12, Bytes: 48}},
		{"tanh", "%x: tensor<7xf64>", "%0 = stablehlo.tanh %x : tensor<7xf64>",
			cost.Cost{Transcendentals: 7, Bytes: 112}},
		{"reshape", "%x: tensor<4xf32>", "%0 = stablehlo.reshape %x : (tensor<4xf32>) -> tensor<2x2xf32>", cost.Cost{}},
		{"slice reads what it takes", "%x: tensor<1000xf32>",
			"%0 = stablehlo.slice %x [0:4] : (tensor<1000xf32>) -> tensor<4xf32>", cost.Cost{Bytes: 32}},
		{"dot_general", "%x: tensor<8x2x3xf32>, %y: tensor<8x3x5xf32>",
			"%0 = stablehlo.dot_general %x, %y, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<8x2x3xf32>, tensor<8x3x5xf32>) -> tensor<8x2x5xf32>",
			cost.Cost{Flops: 2 * 80 * 3, Bytes: 4 * (48 + 120 + 80)}},
		{"convolution", "%x: tensor<1x8x8x3xf32>, %k: tensor<3x3x3x16xf32>",
			"%0 = stablehlo.convolution(%x, %k) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x8x8x3xf32>, tensor<3x3x3x16xf32>) -> tensor<1x6x6x16xf32>",
			cost.Cost{Flops: 2 * 576 * 27, Bytes: 4 * (192 + 432 + 576)}},
		{"reduce", "%x: tensor<4x5xf32>, %i: tensor<f32>",
			`%0 = "stablehlo.reduce"(%x, %i) <{dimensions = array<i64: 1>}> ` + reducer +
				" : (tensor<4x5xf32>, tensor<f32>) -> tensor<4xf32>",
			cost.Cost{Flops: 16, Bytes: 4 * (20 + 1 + 4)}},
		{"reduce_window", "%x: tensor<6xf32>, %i: tensor<f32>",
			`%0 = "stablehlo.reduce_window"(%x, %i) <{window_dimensions = array<i64: 3>}> ` + reducer +
				" : (tensor<6xf32>, tensor<f32>) -> tensor<4xf32>",
			cost.Cost{Flops: 8, Bytes: 4 * (6 + 1 + 4)}},
		{"sort", "%x: tensor<3x5xf32>", `%0 = "stablehlo.sort"(%x) <{dimension = 1 : i64}> ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %s = stablehlo.compare LT, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
      stablehlo.return %s : tensor<i1>
    }) : (tensor<3x5xf32>) -> tensor<3x5xf32>`, cost.Cost{Flops: 15 * 3, Bytes: 120}},
		{"fft", "%x: tensor<2x8xcomplex<f32>>",
			"%0 = stablehlo.fft %x, type = FFT, length = [8] : (tensor<2x8xcomplex<f32>>) -> tensor<2x8xcomplex<f32>>",
			cost.Cost{Flops: 5 * 16 * 3, Bytes: 256}},
		{"dynamic dimension", "%x: tensor<?x5xf32>", "%0 = stablehlo.add %x, %x : tensor<?x5xf32>",
			cost.Cost{Flops: 5, Bytes: 60, Unknown: 1}},
		{"call", "%x: tensor<2xf32>", "%0 = func.call @twice(%x) : (tensor<2xf32>) -> tensor<2xf32>",
			cost.Cost{Flops: 4, Bytes: 48}},
		{"loop", "%x: tensor<f32>", `%0 = stablehlo.while(%a = %x) : tensor<f32>
    cond {
      %c = stablehlo.compare LT, %a, %a : (tensor<f32>, tensor<f32>) -> tensor<i1>
      stablehlo.return %c : tensor<i1>
    } do {
      %b = stablehlo.add %a, %a : tensor<f32>
      stablehlo.return %b : tensor<f32>
    }`, cost.Cost{Flops: 2, Bytes: 9 + 12, Loops: 1}},
		{"branches", "%p: tensor<i1>, %x: tensor<f32>", `%0 = "stablehlo.if"(%p) ({
      stablehlo.return %x : tensor<f32>
    }, {
      %b = stablehlo.add %x, %x : tensor<f32>
      stablehlo.return %b : tensor<f32>
    }) : (tensor<i1>) -> tensor<f32>`, cost.Cost{Flops: 1, Bytes: 12}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			m, err := stablehlo.Parse(tt.name, fmt.Appendf(nil, `
func.func @f(%s) {
    %s
    return
}
func.func private @twice(%%x: tensor<2xf32>) -> tensor<2xf32> {
    %%0 = stablehlo.add %%x, %%x : tensor<2xf32>
    %%1 = stablehlo.add %%0, %%0 : tensor<2xf32>
    return %%1 : tensor<2xf32>
}`, tt.args, tt.body))
			if err == nil {
				err = m.Verify()
			}
			if err != nil {
				t.Fatal(err)
			}
			if got := cost.New(m).Function("f"); got != tt.want {
				t.Errorf("got %+v, want %+v", got, tt.want)
			}
		})
	}
}

const inspected = `module @model {
  func.func public @main(%x: tensor<2x3xf32>) -> tensor<2xf32> {
    %c = stablehlo.constant dense<[1.0, 2.0, 3.0]> : tensor<3xf32>
    %0 = stablehlo.dot_general %x, %c, contracting_dims = [1] x [0] : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2xf32>
    %1 = func.call @scale(%0) : (tensor<2xf32>) -> tensor<2xf32>
    return %1 : tensor<2xf32>
  }
  func.func private @scale(%x: tensor<2xf32>) -> tensor<2xf32> {
    %0 = stablehlo.add %x, %x : tensor<2xf32>
    return %0 : tensor<2xf32>
  }
}
`

func TestInspect(t *testing.T) {
	path := file(t, "model.mlir", inspected)
	want := path + `: module @model

public @main
  arg0     tensor<2x3xf32>
  out0     tensor<2xf32>
  work     4 ops, 14 flops, 0 transcendentals, 68 B moved

private @scale
  arg0     tensor<2xf32>
  out0     tensor<2xf32>
  work     2 ops, 2 flops, 0 transcendentals, 24 B moved

ops
       2  func.return
       1  func.call
       1  stablehlo.add
       1  stablehlo.constant
       1  stablehlo.dot_general

largest constants
        12 B  tensor<3xf32>  line 3
`
	if o := nx("inspect", path); o != (outcome{exitOK, want, ""}) {
		t.Errorf("got\n%s%s\nwant\n%s", o.stdout, o.stderr, want)
	}

	var got summary
	o := nx("inspect", "--json", path)
	if err := json.Unmarshal([]byte(o.stdout), &got); err != nil || o.code != exitOK {
		t.Fatalf("status %d, error %v, %s", o.code, err, o.stdout)
	}
	if got.Module != "model" || len(got.Functions) != 2 || got.Functions[0].Flops != 14 || !got.Functions[1].Private ||
		len(got.Ops) != 5 || len(got.Constants) != 1 {
		t.Errorf("got %+v", got)
	}
	if !strings.Contains(o.stdout, `"flops":14`) {
		t.Errorf("got %s", o.stdout)
	}
}

func TestWork(t *testing.T) {
	tests := []struct {
		summary functionSummary
		want    string
	}{
		{functionSummary{Ops: 1, Cost: cost.Cost{Loops: 1, Unknown: 1}},
			"1 op, 0 flops, 0 transcendentals, 0 B moved; one iteration of 1 loop; 1 op of unknown work"},
		{functionSummary{Ops: 2, Cost: cost.Cost{Loops: 2, Unknown: 2}},
			"2 ops, 0 flops, 0 transcendentals, 0 B moved; one iteration of 2 loops; 2 ops of unknown work"},
	}
	for _, tt := range tests {
		if got := tt.summary.work(); got != tt.want {
			t.Errorf("got %q, want %q", got, tt.want)
		}
	}
}

func TestScaled(t *testing.T) {
	tests := []struct {
		got, want string
	}{
		{decimal(0), "0"}, {decimal(999), "999"}, {decimal(1000), "1.00 k"}, {decimal(12_345_678), "12.35 M"},
		{decimal(1e30), "1000000000000.00 E"},
		{binaryBytes(0), "0 B"}, {binaryBytes(1023), "1023 B"}, {binaryBytes(1536), "1.5 KiB"},
		{binaryBytes(1 << 30), "1.0 GiB"},
	}
	for _, tt := range tests {
		if tt.got != tt.want {
			t.Errorf("got %q, want %q", tt.got, tt.want)
		}
	}
}
