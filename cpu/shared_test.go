package cpu

import (
	"bytes"
	"strconv"
	"strings"
	"testing"

	"github.com/go-nx/nx/backend"
	"github.com/go-nx/nx/dtype"
	"github.com/go-nx/nx/internal/simplify"
	"github.com/go-nx/nx/stablehlo"
)

// sharedBodies are functions with enough multiplications for their calls to stay.
const sharedBodies = `
func.func private @layer(%x: tensor<64x256xf32>, %w: tensor<256x256xf32>) -> tensor<64x256xf32> {
  %0 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<64x256xf32>, tensor<256x256xf32>) -> tensor<64x256xf32>
  %1 = stablehlo.tanh %0 : tensor<64x256xf32>
  %2 = stablehlo.dot_general %1, %w, contracting_dims = [1] x [1] : (tensor<64x256xf32>, tensor<256x256xf32>) -> tensor<64x256xf32>
  %3 = stablehlo.add %2, %x : tensor<64x256xf32>
  return %3 : tensor<64x256xf32>
}
func.func private @twice(%x: tensor<64x256xf32>, %w: tensor<256x256xf32>) -> tensor<64x256xf32> {
  %0 = call @layer(%x, %w) : (tensor<64x256xf32>, tensor<256x256xf32>) -> tensor<64x256xf32>
  %1 = call @layer(%0, %w) : (tensor<64x256xf32>, tensor<256x256xf32>) -> tensor<64x256xf32>
  return %1 : tensor<64x256xf32>
}
func.func private @several(%x: tensor<64x256xf32>, %w: tensor<256x256xf32>) -> (tensor<64x256xf32>, tensor<16384xf32>, tensor<64x256xf32>, tensor<2xf32>, tensor<64xf32>) {
  %0 = call @twice(%x, %w) : (tensor<64x256xf32>, tensor<256x256xf32>) -> tensor<64x256xf32>
  %1 = call @twice(%0, %w) : (tensor<64x256xf32>, tensor<256x256xf32>) -> tensor<64x256xf32>
  %v = stablehlo.reshape %x : (tensor<64x256xf32>) -> tensor<16384xf32>
  %c = stablehlo.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %s = stablehlo.reduce(%1 init: %zero) applies stablehlo.maximum across dimensions = [1] : (tensor<64x256xf32>, tensor<f32>) -> tensor<64xf32>
  return %1, %v, %1, %c, %s : tensor<64x256xf32>, tensor<16384xf32>, tensor<64x256xf32>, tensor<2xf32>, tensor<64xf32>
}
func.func private @write(%a: tensor<2x64x256xf32>, %x: tensor<64x256xf32>, %w: tensor<256x256xf32>, %i: tensor<i32>) -> (tensor<2x64x256xf32>, tensor<64x256xf32>) {
  %0:5 = call @several(%x, %w) : (tensor<64x256xf32>, tensor<256x256xf32>) -> (tensor<64x256xf32>, tensor<16384xf32>, tensor<64x256xf32>, tensor<2xf32>, tensor<64xf32>)
  %z = stablehlo.constant dense<0> : tensor<i32>
  %e = stablehlo.exponential %0#0 : tensor<64x256xf32>
  %r = stablehlo.reshape %e : (tensor<64x256xf32>) -> tensor<1x64x256xf32>
  %b = stablehlo.dynamic_update_slice %a, %r, %i, %z, %z : (tensor<2x64x256xf32>, tensor<1x64x256xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<2x64x256xf32>
  return %b, %0#0 : tensor<2x64x256xf32>, tensor<64x256xf32>
}
func.func private @bad(%x: tensor<64x256xf32>, %w: tensor<256x256xf32>) -> tensor<64x256xf32> {
  %0 = call @layer(%x, %w) : (tensor<64x256xf32>, tensor<256x256xf32>) -> tensor<64x256xf32>
  %1 = call @bad(%0, %w) : (tensor<64x256xf32>, tensor<256x256xf32>) -> tensor<64x256xf32>
  return %1 : tensor<64x256xf32>
}
`

const (
	callLayer   = " : (tensor<64x256xf32>, tensor<256x256xf32>) -> tensor<64x256xf32>\n"
	callSeveral = " : (tensor<64x256xf32>, tensor<256x256xf32>) -> (tensor<64x256xf32>, tensor<16384xf32>, " +
		"tensor<64x256xf32>, tensor<2xf32>, tensor<64xf32>)\n"
	callWrite = " : (tensor<2x64x256xf32>, tensor<64x256xf32>, tensor<256x256xf32>, tensor<i32>) -> " +
		"(tensor<2x64x256xf32>, tensor<64x256xf32>)\n"
)

// TestSharedCalls compares programs with calls, some of which stay, with the same programs without
// calls.
func TestSharedCalls(t *testing.T) {
	t.Setenv("NX_CHECK", "1")
	tests := []struct {
		name, body, results, types string
		stay                       int // calls in the text after all passes
	}{
		{"one call", "%0 = call @layer(%x, %w)" + callLayer, "%0", "tensor<64x256xf32>", 0},
		{"a chain", "%0 = call @layer(%x, %w)" + callLayer + "%1 = call @layer(%0, %w)" + callLayer +
			"%2 = call @layer(%1, %u)" + callLayer, "%2, %0", "tensor<64x256xf32>, tensor<64x256xf32>", 3},
		{"calls in calls", "%0 = call @twice(%x, %w)" + callLayer + "%1 = call @twice(%0, %u)" + callLayer, "%1",
			"tensor<64x256xf32>", 4},
		{"a function that is called once holds the calls", "%0 = call @twice(%x, %w)" + callLayer, "%0",
			"tensor<64x256xf32>", 2},
		{"results that are views, constants, or one twice",
			"%0:5 = call @several(%x, %w)" + callSeveral + "%1:5 = call @several(%0#2, %u)" + callSeveral,
			"%1#0, %1#1, %1#2, %1#3, %0#4, %1#4, %0#1",
			"tensor<64x256xf32>, tensor<16384xf32>, tensor<64x256xf32>, tensor<2xf32>, tensor<64xf32>, tensor<64xf32>, " +
				"tensor<16384xf32>", 6},
		{"equal calls", "%0 = call @layer(%x, %w)" + callLayer + "%1 = call @layer(%x, %w)" + callLayer +
			"%2 = stablehlo.add %0, %1 : tensor<64x256xf32>\n", "%2", "tensor<64x256xf32>", 1},
		{"an unused result", "%0 = call @layer(%x, %w)" + callLayer +
			"%1 = call @layer(%x, %u)" + callLayer, "%1", "tensor<64x256xf32>", 1},
		{"a constant operand", "%c = stablehlo.constant dense<0.5> : tensor<256x256xf32>\n" +
			"%0 = call @layer(%x, %c)" + callLayer + "%1 = call @layer(%0, %w)" + callLayer +
			"%2 = call @layer(%1, %w)" + callLayer, "%2", "tensor<64x256xf32>", 2},
		{"ops on both sides", "%e = stablehlo.exponential %x : tensor<64x256xf32>\n%0 = call @layer(%e, %w)" + callLayer +
			"%n = stablehlo.negate %0 : tensor<64x256xf32>\n%v = stablehlo.transpose %u, dims = [1, 0] : " +
			"(tensor<256x256xf32>) -> tensor<256x256xf32>\n%1 = call @layer(%n, %w)" + callLayer +
			"%2 = call @layer(%1, %v)" + callLayer + "%3 = stablehlo.tanh %2 : tensor<64x256xf32>\n", "%3",
			"tensor<64x256xf32>", 2},
		{"updates of slices", "%0:2 = call @write(%a, %x, %w, %i)" + callWrite +
			"%1:2 = call @write(%0#0, %0#1, %u, %j)" + callWrite +
			"%s = stablehlo.reshape %1#1 : (tensor<64x256xf32>) -> tensor<1x64x256xf32>\n" +
			"%z = stablehlo.constant dense<0> : tensor<i32>\n" +
			"%b = stablehlo.dynamic_update_slice %1#0, %s, %j, %z, %z : (tensor<2x64x256xf32>, tensor<1x64x256xf32>, " +
			"tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<2x64x256xf32>\n", "%1#0, %b",
			"tensor<2x64x256xf32>, tensor<2x64x256xf32>", 6},
		{"in a loop", "%z = stablehlo.constant dense<0> : tensor<i32>\n" +
			"%r:2 = stablehlo.while(%k = %z, %y = %x) : tensor<i32>, tensor<64x256xf32>\n cond {\n" +
			"%c = stablehlo.compare LT, %k, %j : (tensor<i32>, tensor<i32>) -> tensor<i1>\nstablehlo.return %c : tensor<i1>\n} do {\n" +
			"%0 = call @layer(%y, %w)" + callLayer + "%1 = call @layer(%0, %u)" + callLayer +
			"%n = stablehlo.add %k, %j : tensor<i32>\nstablehlo.return %n, %1 : tensor<i32>, tensor<64x256xf32>\n}\n",
			"%r#1", "tensor<64x256xf32>", 0},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			m := sharedModule(t, tt.body, tt.results, tt.types)
			text, err := New(2).Explain(m, "main", "simplified")
			if err != nil {
				t.Fatal(err)
			}
			if n := strings.Count(text, "call @"); n != tt.stay {
				t.Errorf("%d calls stay, %d are expected:\n%s", n, tt.stay, text)
			}
			plain := m.Clone()
			f, _ := plain.Func("main")
			if err := simplify.Inline(plain, f); err != nil {
				t.Fatal(err)
			}
			got, want := runShared(t, m), runShared(t, plain)
			for i := range want {
				if !bytes.Equal(got[i], want[i]) {
					t.Errorf("result %d has other bits than without calls", i)
				}
			}
		})
	}
	m := sharedModule(t, "%0 = call @bad(%x, %w)"+callLayer, "%0", "tensor<64x256xf32>")
	if _, err := New(1).Compile(ctx, m); err == nil || !strings.Contains(err.Error(), "recursion") {
		t.Errorf("a function that calls itself: %v", err)
	}
}

// TestSharedGrowth: exponentially nested calls are rejected before they fill memory.
func TestSharedGrowth(t *testing.T) {
	var text strings.Builder
	name := "layer"
	for i := range 60 {
		text.WriteString(strings.NewReplacer("@twice", "@twice"+strconv.Itoa(i), "@layer", "@"+name).Replace(`
func.func private @twice(%x: tensor<64x256xf32>, %w: tensor<256x256xf32>) -> tensor<64x256xf32> {
  %0 = call @layer(%x, %w) : (tensor<64x256xf32>, tensor<256x256xf32>) -> tensor<64x256xf32>
  %1 = call @layer(%0, %w) : (tensor<64x256xf32>, tensor<256x256xf32>) -> tensor<64x256xf32>
  return %1 : tensor<64x256xf32>
}`))
		name = "twice" + strconv.Itoa(i)
	}
	m := sharedModule(t, "%0 = call @"+name+"(%x, %w)"+callLayer, "%0", "tensor<64x256xf32>", text.String())
	if _, err := New(1).Compile(ctx, m); err == nil || !strings.Contains(err.Error(), "calls must take at most") {
		t.Errorf("2^60 calls: %v", err)
	}
}

// TestSharedEffects: calls of functions with effects do not stay.
func TestSharedEffects(t *testing.T) {
	m := sharedModule(t, "%0 = call @told(%x, %w)"+callLayer+"%1 = call @told(%0, %w)"+callLayer, "%1",
		"tensor<64x256xf32>", `func.func private @told(%x: tensor<64x256xf32>, %w: tensor<256x256xf32>) -> tensor<64x256xf32> {
  %0 = call @layer(%x, %w) : (tensor<64x256xf32>, tensor<256x256xf32>) -> tensor<64x256xf32>
  %1 = call @layer(%0, %w) : (tensor<64x256xf32>, tensor<256x256xf32>) -> tensor<64x256xf32>
  stablehlo.custom_call @unknown(%1) {has_side_effect = true} : (tensor<64x256xf32>) -> ()
  return %1 : tensor<64x256xf32>
}`)
	f, _ := m.Func("main")
	s := simplify.FindShared(m, f)
	if len(s.Funcs) != 1 || s.Funcs[0].Name() != "layer" {
		t.Errorf("shared are %d functions, expected is @layer", len(s.Funcs))
	}
}

func sharedModule(t *testing.T, body, results, types string, more ...string) *stablehlo.Module {
	t.Helper()
	m, err := stablehlo.Parse("shared", []byte(`func.func @main(%x: tensor<64x256xf32>, %w: tensor<256x256xf32>, `+
		`%u: tensor<256x256xf32>, %a: tensor<2x64x256xf32>, %i: tensor<i32>, %j: tensor<i32>) -> (`+types+") {\n"+body+
		"return "+results+" : "+types+"\n}\n"+sharedBodies+strings.Join(more, "\n")))
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// runShared returns the results of @main for fixed arguments.
func runShared(t *testing.T, m *stablehlo.Module) [][]byte {
	t.Helper()
	c := New(2)
	x, err := c.Compile(ctx, m)
	if err != nil {
		t.Fatal(err)
	}
	f, _ := m.Func("main")
	var args []backend.Buffer
	for i, a := range f.Args() {
		tt := a.Tensor()
		n, _ := tt.NumElems()
		data := make([]byte, n*4)
		for j := range int(n) {
			if tt.DType() == dtype.S32 {
				dtype.S32.StoreInt(data, j, int64(i-4)) // 0 and 1
			} else {
				dtype.F32.StoreFloat(data, j, float64((j*7919+i*31)%1001-500)/8000)
			}
		}
		b, err := c.Put(ctx, backend.Type{DType: tt.DType(), Dims: tt.Dims}, data, c.Devices()[0])
		if err != nil {
			t.Fatal(err)
		}
		args = append(args, b)
	}
	out, err := x.Execute(ctx, args)
	if err != nil {
		t.Fatal(err)
	}
	var data [][]byte
	for _, b := range out {
		d := make([]byte, b.Type().SizeBytes())
		if err := b.Read(ctx, d); err != nil {
			t.Fatal(err)
		}
		data = append(data, d)
	}
	return data
}
