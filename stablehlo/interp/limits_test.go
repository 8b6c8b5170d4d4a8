package interp

import (
	"context"
	"fmt"
	"runtime"
	"runtime/debug"
	"strings"
	"testing"

	"github.com/go-nx/nx/internal/processes"
	"github.com/go-nx/nx/stablehlo"
)

// TestContextEndsOps runs ops that take long under a context that has ended:
// each must notice in the middle of its work.
func TestContextEndsOps(t *testing.T) {
	const square = "%x = stablehlo.constant dense<1.0> : tensor<200x200xf64>\n"
	const line = "%x = stablehlo.iota dim = 0 : tensor<8192xf32>\n%z = stablehlo.constant dense<0.0> : tensor<f32>\n"
	const add = `({
		^bb0(%a: tensor<f32>, %b: tensor<f32>):
			%s = stablehlo.add %a, %b : tensor<f32>
			stablehlo.return %s : tensor<f32>
		})`
	const greater = `({
		^bb0(%a: tensor<f32>, %b: tensor<f32>):
			%s = stablehlo.compare GT, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
			stablehlo.return %s : tensor<i1>
		})`
	cases := []struct{ name, text string }{
		{"unary", line + "%y = stablehlo.sine %x : tensor<8192xf32>"},
		{"binary", line + "%y = chlo.zeta %x, %x : tensor<8192xf32>, tensor<8192xf32> -> tensor<8192xf32>"},
		{"clamp",
			line + "%y = stablehlo.clamp %z, %x, %z : (tensor<f32>, tensor<8192xf32>, tensor<f32>) -> tensor<8192xf32>"},
		{"reduce_precision", line + "%y = stablehlo.reduce_precision %x, format = e5m2 : tensor<8192xf32>"},
		{"dot", square + "%y = stablehlo.dot %x, %x : (tensor<200x200xf64>, tensor<200x200xf64>) -> tensor<200x200xf64>"},
		{"cholesky", square + "%y = stablehlo.cholesky %x, lower = true : tensor<200x200xf64>"},
		{"triangular_solve",
			square + `%y = "stablehlo.triangular_solve"(%x, %x) <{left_side = true, lower = true, transpose_a = #stablehlo<transpose NO_TRANSPOSE>, unit_diagonal = false}>
			: (tensor<200x200xf64>, tensor<200x200xf64>) -> tensor<200x200xf64>`},
		{"fft of many factors",
			line +
				"%c = stablehlo.complex %x, %x : tensor<8192xcomplex<f32>>\n%y = stablehlo.fft %c, type = FFT, length = [8192] : (tensor<8192xcomplex<f32>>) -> tensor<8192xcomplex<f32>>"},
		{"fft of a prime",
			"%c = stablehlo.constant dense<(1.0, 2.0)> : tensor<8191xcomplex<f32>>\n%y = stablehlo.fft %c, type = IFFT, length = [8191] : (tensor<8191xcomplex<f32>>) -> tensor<8191xcomplex<f32>>"},
		{"rng",
			"%z = stablehlo.constant dense<1.0> : tensor<f32>\n%n = stablehlo.constant dense<8192> : tensor<1xi64>\n%y = stablehlo.rng %z, %z, %n, distribution = NORMAL : (tensor<f32>, tensor<f32>, tensor<1xi64>) -> tensor<8192xf32>"},
		{"three_fry",
			"%k = stablehlo.constant dense<1> : tensor<2xui64>\n%s, %y = stablehlo.rng_bit_generator %k, algorithm = THREE_FRY : (tensor<2xui64>) -> (tensor<2xui64>, tensor<8192xui32>)"},
		{"philox",
			"%k = stablehlo.constant dense<1> : tensor<2xui64>\n%s, %y = stablehlo.rng_bit_generator %k, algorithm = PHILOX : (tensor<2xui64>) -> (tensor<2xui64>, tensor<8192xui32>)"},
		{"reduce",
			line +
				"%y = stablehlo.reduce(%x init: %z) applies stablehlo.add across dimensions = [0] : (tensor<8192xf32>, tensor<f32>) -> tensor<f32>"},
		{"reduce_window of padding", `%x = stablehlo.constant dense<1.0> : tensor<2xf32>
			%z = stablehlo.constant dense<0.0> : tensor<f32>
			%y = "stablehlo.reduce_window"(%x, %z) <{window_dimensions = array<i64: 9000>, padding = dense<9000> : tensor<1x2xi64>}> ` + add + " : (tensor<2xf32>, tensor<f32>) -> tensor<9003xf32>"},
		{"select_and_scatter of padding", `%x = stablehlo.constant dense<1.0> : tensor<2xf32>
			%y = stablehlo.constant dense<1.0> : tensor<9003xf32>
			%z = stablehlo.constant dense<0.0> : tensor<f32>
			%r = "stablehlo.select_and_scatter"(%x, %y, %z) <{window_dimensions = array<i64: 9000>, padding = dense<9000> : tensor<1x2xi64>}> ` + greater + ", " + add + " : (tensor<2xf32>, tensor<9003xf32>, tensor<f32>) -> tensor<2xf32>"},
		{"sort", line + `%y = "stablehlo.sort"(%x) <{dimension = 0 : i64}> ` + greater +
			" : (tensor<8192xf32>) -> tensor<8192xf32>"},
		{"top_k", line + "%y, %i = chlo.top_k(%x, k = 5) : tensor<8192xf32> -> (tensor<5xf32>, tensor<5xi32>)"},
		{"map", line + `%y = "stablehlo.map"(%x, %x) <{dimensions = array<i64: 0>}> ` + add +
			" : (tensor<8192xf32>, tensor<8192xf32>) -> tensor<8192xf32>"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			text := "func.func @main() {\n" + strings.ReplaceAll(c.text, "}), ({", "}, {") + "\nreturn\n}"
			it := prepare(t, &stablehlo.Source{Name: "p.mlir", Text: []byte(text)})
			_, err := it.Call(ended(), "main")
			wantFault(t, err, Canceled, "")
		})
	}
}

func ended() context.Context {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	return ctx
}

// TestContextEndsCalls checks that calls count together: each of these is
// short, but there are 2^60.
func TestContextEndsCalls(t *testing.T) {
	var b strings.Builder
	for i := range 60 {
		fmt.Fprintf(&b, "func.func @f%d() { func.call @f%d() : () -> () func.call @f%[2]d() : () -> () return }\n", i, i+1)
	}
	b.WriteString("func.func @f60() { return }")
	it := prepare(t, &stablehlo.Source{Name: "p.mlir", Text: []byte(b.String())})
	_, err := it.Call(ended(), "f0")
	wantFault(t, err, Canceled, "")
}

// TestParallelLimits checks that run_parallel cannot start more and more processes.
func TestParallelLimits(t *testing.T) {
	for _, c := range []struct {
		name, text string
		kind       FaultKind
		want       string
	}{
		{"inside itself", `func.func @main() {
			"interpreter.run_parallel"() <{programs = [[@main], [@main]]}> : () -> ()
			return
		}`, NoParallel, "nested"},
		{"too many", `func.func private @p() { return }
		func.func @main() {
			"interpreter.run_parallel"() <{programs = [[` + strings.Repeat("@p, ", processes.Max) + `@p]]}> : () -> ()
			return
		}`, TooLarge, "got 10001"},
		{"deep in all of them", `func.func private @p() { func.call @p() : () -> () return }
		func.func @main() {
			"interpreter.run_parallel"() <{programs = [[` + strings.Repeat("@p, ", 999) + `@p]]}> : () -> ()
			return
		}`, TooDeep, "more than 100 nested blocks"},
	} {
		t.Run(c.name, func(t *testing.T) {
			it := prepare(t, &stablehlo.Source{Name: "p.mlir", Text: []byte(c.text)})
			_, err := it.Call(context.Background(), "main")
			wantFault(t, err, c.kind, c.want)
		})
	}
}

// TestMemoryLimit runs programs with enough memory and with less.
func TestMemoryLimit(t *testing.T) {
	const size = 1 << 20 // bytes of a value
	chain := "%v0 = stablehlo.constant dense<1.0> : tensor<262144xf32>\n"
	uses := ""
	for i := range 20 {
		chain += fmt.Sprintf("%%v%d = stablehlo.negate %%v%d : tensor<262144xf32>\n", i+1, i)
		uses += fmt.Sprintf("%%w%d = stablehlo.slice %%v%d [0:1] : (tensor<262144xf32>) -> tensor<1xf32>\n", i, i)
	}
	it := prepare(t, &stablehlo.Source{Name: "p.mlir", Text: []byte(
		"func.func @lets_go() {\n" + chain + "return }\nfunc.func @keeps() {\n" + chain + uses + "return }")})
	runtime.GC()
	defer debug.SetMemoryLimit(debug.SetMemoryLimit(heapBytes() + 5*size))
	if _, err := it.Call(context.Background(), "lets_go"); err != nil {
		t.Errorf("values that are read no more must be let go: %v", err)
	}
	_, err := it.Call(context.Background(), "keeps")
	wantFault(t, err, TooLarge, "bytes are needed, but")
}
