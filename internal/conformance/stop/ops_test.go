package stop_test

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/go-nx/nx/cpu"
	"github.com/go-nx/nx/internal/conformance"
	"github.com/go-nx/nx/internal/conformance/kit"
	"github.com/go-nx/nx/internal/cpu/library"
	"github.com/go-nx/nx/stablehlo"
	"github.com/go-nx/nx/stablehlo/interp"
)

// longOp is a program without arguments that takes seconds on either executor, most
// of them in one op.
type longOp struct {
	name string
	code stablehlo.OpCode
	text string
}

// mainOf returns the text of a program of some lines. It returns a value, given with its
// type, if its lines have no effect.
func mainOf(lines string, result ...string) string {
	if len(result) == 0 {
		return "func.func @main() {\n" + lines + "\n  return\n}\n"
	}
	return fmt.Sprintf("func.func @main() -> %s {\n%s\n  return %s : %[1]s\n}\n", result[1], lines, result[0])
}

// longOps has a program for every op with its own library function.
var longOps = []longOp{
	{name: "sort by keys", code: stablehlo.OpSort, text: mainOf(`
  %x = stablehlo.iota dim = 0 : tensor<20000000xi32>
  %y = stablehlo.not %x : tensor<20000000xi32>
  %s:2 = "stablehlo.sort"(%y, %x) ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>, %c: tensor<i32>, %d: tensor<i32>):
    %p = stablehlo.compare LT, %a, %b : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  }) {dimension = 0 : i64, is_stable = true} : (tensor<20000000xi32>, tensor<20000000xi32>) -> (tensor<20000000xi32>, tensor<20000000xi32>)`, "%s#0", "tensor<20000000xi32>")},
	{name: "sort by a comparator", code: stablehlo.OpSort, text: mainOf(`
  %z = stablehlo.constant dense<0.0> : tensor<f32>
  %x = stablehlo.iota dim = 0 : tensor<4000000xf32>
  %y = stablehlo.sine %x : tensor<4000000xf32>
  %s = "stablehlo.sort"(%y) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %d = stablehlo.subtract %a, %b : tensor<f32>
    %p = stablehlo.compare LT, %d, %z : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  }) {dimension = 0 : i64, is_stable = true} : (tensor<4000000xf32>) -> tensor<4000000xf32>`,
		"%s", "tensor<4000000xf32>")},
	{name: "reduce_window with a body of its own", code: stablehlo.OpReduceWindow, text: mainOf(`
  %z = stablehlo.constant dense<0.0> : tensor<f32>
  %x = stablehlo.iota dim = 0 : tensor<1000x1000xf32>
  %s = "stablehlo.reduce_window"(%x, %z) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %d = stablehlo.subtract %a, %b : tensor<f32>
    %e = stablehlo.abs %d : tensor<f32>
    stablehlo.return %e : tensor<f32>
  }) {window_dimensions = array<i64: 300, 300>} : (tensor<1000x1000xf32>, tensor<f32>) -> tensor<701x701xf32>`,
		"%s", "tensor<701x701xf32>")},
	{name: "reduce_window element by element", code: stablehlo.OpReduceWindow, text: mainOf(`
  %z = stablehlo.constant dense<0.0> : tensor<f32>
  %x = stablehlo.iota dim = 0 : tensor<1000x1000xf32>
  %s = "stablehlo.reduce_window"(%x, %z) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %e = stablehlo.subtract %a, %b : tensor<f32>
    stablehlo.return %e : tensor<f32>
  }) {window_dimensions = array<i64: 300, 300>} : (tensor<1000x1000xf32>, tensor<f32>) -> tensor<701x701xf32>`,
		"%s", "tensor<701x701xf32>")},
	{name: "reduce_window by scans", code: stablehlo.OpReduceWindow, text: mainOf(`
  %z = stablehlo.constant dense<0.0> : tensor<bf16>
  %x = stablehlo.iota dim = 0 : tensor<60000000xbf16>
  %s = "stablehlo.reduce_window"(%x, %z) ({
  ^bb0(%a: tensor<bf16>, %b: tensor<bf16>):
    %e = stablehlo.add %a, %b : tensor<bf16>
    stablehlo.return %e : tensor<bf16>
  }) {window_dimensions = array<i64: 30000000>} : (tensor<60000000xbf16>, tensor<bf16>) -> tensor<30000001xbf16>`,
		"%s", "tensor<30000001xbf16>")},
	{name: "cumulative sum", code: stablehlo.OpReduceWindow, text: mainOf(`
  %z = stablehlo.constant dense<0.0> : tensor<bf16>
  %x = stablehlo.iota dim = 0 : tensor<60000000xbf16>
  %s = "stablehlo.reduce_window"(%x, %z) ({
  ^bb0(%a: tensor<bf16>, %b: tensor<bf16>):
    %e = stablehlo.add %a, %b : tensor<bf16>
    stablehlo.return %e : tensor<bf16>
  }) {window_dimensions = array<i64: 60000000>, padding = dense<[[59999999, 0]]> : tensor<1x2xi64>} : (tensor<60000000xbf16>, tensor<bf16>) -> tensor<60000000xbf16>`, "%s", "tensor<60000000xbf16>")},
	{name: "select_and_scatter", code: stablehlo.OpSelectAndScatter, text: mainOf(`
  %z = stablehlo.constant dense<0.0> : tensor<f32>
  %x = stablehlo.iota dim = 0 : tensor<1000x1000xf32>
  %u = stablehlo.constant dense<1.0> : tensor<701x701xf32>
  %s = "stablehlo.select_and_scatter"(%x, %u, %z) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %p = stablehlo.compare GE, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  }, {
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %e = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %e : tensor<f32>
  }) {window_dimensions = array<i64: 300, 300>} : (tensor<1000x1000xf32>, tensor<701x701xf32>, tensor<f32>) -> tensor<1000x1000xf32>`, "%s", "tensor<1000x1000xf32>")},
	{name: "fft of a prime length", code: stablehlo.OpFft, text: mainOf(`
  %x = stablehlo.iota dim = 0 : tensor<8388593xf32>
  %y = stablehlo.complex %x, %x : tensor<8388593xcomplex<f32>>
  %s = stablehlo.fft %y, type = FFT, length = [8388593] : (tensor<8388593xcomplex<f32>>) -> tensor<8388593xcomplex<f32>>`, "%s", "tensor<8388593xcomplex<f32>>")},
	{name: "fft of real numbers", code: stablehlo.OpFft, text: mainOf(`
  %x = stablehlo.iota dim = 0 : tensor<16777186xf32>
  %s = stablehlo.fft %x, type = RFFT, length = [16777186] : (tensor<16777186xf32>) -> tensor<8388594xcomplex<f32>>`,
		"%s", "tensor<8388594xcomplex<f32>>")},
	{name: "dot_general", code: stablehlo.OpDotGeneral, text: mainOf(`
  %x = stablehlo.iota dim = 0 : tensor<6000x6000xf32>
  %s = stablehlo.dot_general %x, %x, contracting_dims = [1] x [0] : (tensor<6000x6000xf32>, tensor<6000x6000xf32>) -> tensor<6000x6000xf32>`, "%s", "tensor<6000x6000xf32>")},
	{name: "dot_general of few rows", code: stablehlo.OpDotGeneral, text: mainOf(`
  %x = stablehlo.iota dim = 0 : tensor<2x20000xf32>
  %y = stablehlo.iota dim = 0 : tensor<20000x5000xf32>
  %i = stablehlo.constant dense<0> : tensor<i32>
  %r:2 = stablehlo.while(%k = %i, %a = %x) : tensor<i32>, tensor<2x20000xf32>
  cond { %p = stablehlo.compare GE, %k, %i : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1> }
  do {
    %s = stablehlo.dot_general %a, %y, contracting_dims = [1] x [0] : (tensor<2x20000xf32>, tensor<20000x5000xf32>) -> tensor<2x5000xf32>
    %c = stablehlo.concatenate %s, %s, %s, %s, dim = 1 : (tensor<2x5000xf32>, tensor<2x5000xf32>, tensor<2x5000xf32>, tensor<2x5000xf32>) -> tensor<2x20000xf32>
    stablehlo.return %k, %c : tensor<i32>, tensor<2x20000xf32> }`, "%r#1", "tensor<2x20000xf32>")},
	{name: "ragged_dot", code: stablehlo.OpChloRaggedDot, text: mainOf(`
  %x = stablehlo.iota dim = 0 : tensor<5000x3000xf32>
  %y = stablehlo.iota dim = 1 : tensor<4x3000x3000xf32>
  %g = stablehlo.constant dense<1250> : tensor<4xi32>
  %s = "chlo.ragged_dot"(%x, %y, %g) {ragged_dot_dimension_numbers = #chlo.ragged_dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1], lhs_ragged_dimensions = [0], rhs_group_dimensions = [0]>} : (tensor<5000x3000xf32>, tensor<4x3000x3000xf32>, tensor<4xi32>) -> tensor<5000x3000xf32>`, "%s", "tensor<5000x3000xf32>")},
	{name: "convolution", code: stablehlo.OpConvolution, text: mainOf(`
  %x = stablehlo.iota dim = 1 : tensor<8x256x256x64xf32>
  %k = stablehlo.iota dim = 1 : tensor<5x5x64x128xf32>
  %s = stablehlo.convolution(%x, %k) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<8x256x256x64xf32>, tensor<5x5x64x128xf32>) -> tensor<8x252x252x128xf32>`, "%s", "tensor<8x252x252x128xf32>")},
	{name: "depthwise convolution", code: stablehlo.OpConvolution, text: mainOf(`
  %x = stablehlo.iota dim = 1 : tensor<8x256x256x64xf32>
  %k = stablehlo.iota dim = 1 : tensor<31x31x1x64xf32>
  %s = stablehlo.convolution(%x, %k) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {} {batch_group_count = 1 : i64, feature_group_count = 64 : i64} : (tensor<8x256x256x64xf32>, tensor<31x31x1x64xf32>) -> tensor<8x226x226x64xf32>`, "%s", "tensor<8x226x226x64xf32>")},
	{name: "cholesky", code: stablehlo.OpCholesky, text: mainOf(`
  %x = stablehlo.iota dim = 1 : tensor<7000x7000xf64>
  %s = stablehlo.cholesky %x, lower = true : tensor<7000x7000xf64>`, "%s", "tensor<7000x7000xf64>")},
	{name: "triangular_solve", code: stablehlo.OpTriangularSolve, text: mainOf(`
  %x = stablehlo.iota dim = 1 : tensor<5000x5000xf64>
  %s = "stablehlo.triangular_solve"(%x, %x) {left_side = true, lower = true, unit_diagonal = false, transpose_a = #stablehlo<transpose TRANSPOSE>} : (tensor<5000x5000xf64>, tensor<5000x5000xf64>) -> tensor<5000x5000xf64>`, "%s", "tensor<5000x5000xf64>")},
	{name: "a block, as others in TestStoppingBlocks", code: stablehlo.OpComposite, text: mainOf(`
  %x = stablehlo.iota dim = 1 : tensor<5000x5000xf64>
  %s:3 = stablehlo.composite "nx.lu" %x {decomposition = @lu} : (tensor<5000x5000xf64>) -> (tensor<5000x5000xf64>, tensor<5000xi32>, tensor<5000xi32>)`, "%s#0", "tensor<5000x5000xf64>") + `
func.func private @lu(%x: tensor<5000x5000xf64>) -> (tensor<5000x5000xf64>, tensor<5000xi32>, tensor<5000xi32>) {
  %p = stablehlo.iota dim = 0 : tensor<5000xi32>
  return %x, %p, %p : tensor<5000x5000xf64>, tensor<5000xi32>, tensor<5000xi32>
}
`},
	{name: "gather", code: stablehlo.OpGather, text: mainOf(`
  %x = stablehlo.iota dim = 0 : tensor<50000000xf32>
  %i = stablehlo.iota dim = 0 : tensor<50000000x1xi32>
  %s = "stablehlo.gather"(%x, %i) {dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1>} : (tensor<50000000xf32>, tensor<50000000x1xi32>) -> tensor<50000000xf32>`, "%s", "tensor<50000000xf32>")},
	{name: "scatter", code: stablehlo.OpScatter, text: mainOf(`
  %x = stablehlo.iota dim = 0 : tensor<1000xf32>
  %i = stablehlo.constant dense<7> : tensor<30000000x1xi32>
  %u = stablehlo.iota dim = 0 : tensor<30000000xf32>
  %s = "stablehlo.scatter"(%x, %i, %u) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %d = stablehlo.subtract %a, %b : tensor<f32>
    %e = stablehlo.sine %d : tensor<f32>
    stablehlo.return %e : tensor<f32>
  }) {scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>} : (tensor<1000xf32>, tensor<30000000x1xi32>, tensor<30000000xf32>) -> tensor<1000xf32>`, "%s", "tensor<1000xf32>")},
	{name: "scatter of one window", code: stablehlo.OpScatter, text: mainOf(`
  %x = stablehlo.iota dim = 0 : tensor<20000000x2xf32>
  %i = stablehlo.constant dense<0> : tensor<1xi32>
  %u = stablehlo.iota dim = 0 : tensor<20000000xf32>
  %s = "stablehlo.scatter"(%x, %i, %u) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %d = stablehlo.subtract %a, %b : tensor<f32>
    stablehlo.return %d : tensor<f32>
  }) {scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [0], inserted_window_dims = [1], scatter_dims_to_operand_dims = [1]>} : (tensor<20000000x2xf32>, tensor<1xi32>, tensor<20000000xf32>) -> tensor<20000000x2xf32>`, "%s", "tensor<20000000x2xf32>")},
	{name: "top_k", code: stablehlo.OpChloTopK, text: mainOf(`
  %x = stablehlo.iota dim = 0 : tensor<40000000xf32>
  %s:2 = chlo.top_k(%x, k = 5000) : tensor<40000000xf32> -> (tensor<5000xf32>, tensor<5000xi32>)`,
		"%s#0", "tensor<5000xf32>")},
	{name: "rng", code: stablehlo.OpRng, text: mainOf(`
  %z = stablehlo.constant dense<0.0> : tensor<f32>
  %o = stablehlo.constant dense<1.0> : tensor<f32>
  %n = stablehlo.constant dense<20000000> : tensor<1xi64>
  %s = stablehlo.rng %z, %o, %n, distribution = NORMAL : (tensor<f32>, tensor<f32>, tensor<1xi64>) -> tensor<20000000xf32>`, "%s", "tensor<20000000xf32>")},
	{name: "rng_bit_generator", code: stablehlo.OpRngBitGenerator, text: mainOf(`
  %k = stablehlo.constant dense<[1, 2]> : tensor<2xui64>
  %t, %s = stablehlo.rng_bit_generator %k, algorithm = THREE_FRY : (tensor<2xui64>) -> (tensor<2xui64>, tensor<100000000xui8>)`, "%s", "tensor<100000000xui8>")},
	{name: "reduce with a captured value", code: stablehlo.OpReduce, text: mainOf(`
  %z = stablehlo.constant dense<0.0> : tensor<f32>
  %h = stablehlo.optimization_barrier %z : tensor<f32>
  %x = stablehlo.iota dim = 0 : tensor<30000000xf32>
  %s = stablehlo.reduce(%x init: %z) across dimensions = [0] : (tensor<30000000xf32>, tensor<f32>) -> tensor<f32>
  reducer(%a: tensor<f32>, %b: tensor<f32>) {
    %e = stablehlo.add %a, %b : tensor<f32>
    %m = stablehlo.maximum %e, %h : tensor<f32>
    %t = stablehlo.sine %m : tensor<f32>
    stablehlo.return %t : tensor<f32> }`, "%s", "tensor<f32>")},
	{name: "a check", code: stablehlo.OpCheckExpectEq, text: mainOf(`
  %x = stablehlo.iota dim = 0 : tensor<50000000xf32>
  check.expect_eq %x, %x : tensor<50000000xf32>`)},
	{name: "a check as a call", code: stablehlo.OpCustomCall, text: mainOf(`
  %x = stablehlo.iota dim = 0 : tensor<50000000xf32>
  stablehlo.custom_call @check.expect_close(%x, %x) {has_side_effect = true} : (tensor<50000000xf32>, tensor<50000000xf32>) -> ()`)},
	{name: "interpreter.print", code: stablehlo.OpInterpPrint, text: mainOf(`
  %x = stablehlo.iota dim = 0 : tensor<20000000xf32>
  interpreter.print %x : tensor<20000000xf32>`)},

	// Not of the library, but of control flow and kernels.
	{name: "a loop without end", code: stablehlo.OpWhile, text: mainOf(`
  %i = stablehlo.constant dense<0> : tensor<i32>
  %r = stablehlo.while(%k = %i) : tensor<i32>
  cond { %p = stablehlo.compare GE, %k, %i : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1> }
  do { stablehlo.return %k : tensor<i32> }
  interpreter.print %r : tensor<i32>`)},
	{name: "a kernel over many elements", code: stablehlo.OpSine, text: mainOf(`
  %z = stablehlo.constant dense<0.0> : tensor<f32>
  %x = stablehlo.iota dim = 0 : tensor<64000000xf32>
  %a = stablehlo.sine %x : tensor<64000000xf32>
  %b = stablehlo.tan %a : tensor<64000000xf32>
  %c = stablehlo.cosine %b : tensor<64000000xf32>
  %d = stablehlo.tan %c : tensor<64000000xf32>
  %e = stablehlo.sine %d : tensor<64000000xf32>
  %y = stablehlo.tan %e : tensor<64000000xf32>
  %s = stablehlo.reduce(%y init: %z) applies stablehlo.add across dimensions = [0] : (tensor<64000000xf32>, tensor<f32>) -> tensor<f32>
  interpreter.print %s : tensor<f32>`)},
}

// shortOps are the ops of the library that cannot take long for the memory that they
// touch, with the reason.
var shortOps = map[stablehlo.OpCode]string{
	stablehlo.OpBitcastConvert:           "copies its operand",
	stablehlo.OpDynamicSlice:             "copies a box",
	stablehlo.OpDynamicUpdateSlice:       "copies a box",
	stablehlo.OpInterpProbe:              "copies its operand",
	stablehlo.OpCheckExpectSerializedEq:  "compares as check.expect_eq does",
	stablehlo.OpCheckExpectAlmostEq:      "compares as check.expect_eq does",
	stablehlo.OpCheckExpectClose:         "compares as check.expect_eq does",
	stablehlo.OpCheckExpectEqConst:       "compares as check.expect_eq does",
	stablehlo.OpCheckExpectAlmostEqConst: "compares as check.expect_eq does",
}

// TestLongOpsAreComplete: every op of the library has a program that is stopped in it.
func TestLongOpsAreComplete(t *testing.T) {
	tested := map[stablehlo.OpCode]bool{}
	for _, p := range longOps {
		tested[p.code] = true
	}
	for _, code := range library.Ops() {
		if (shortOps[code] == "") != tested[code] {
			t.Errorf("%s: it has a program to stop: %t; it is called quick: %q", code, tested[code], shortOps[code])
		}
	}
}

// maxWork bounds the processor time that this process takes after a program is cancelled: a second of two
// workers. Other load of the machine does not count.
const maxWork = 2 * time.Second

var (
	stops  = flag.Int("stops", 1, "how often each program of the tests of stopping is stopped")
	stopBy = flag.Duration("stop-by", 100*time.Millisecond, "the latest moment at which a program is stopped")
)

// TestStopping: a program that is cancelled at any point stops within a second, frees its memory and leaves no
// goroutine.
func TestStopping(t *testing.T) {
	if testing.Short() {
		t.Skip("takes half a minute")
	}
	for _, p := range longOps {
		testStopping(t, p)
	}
}

// testStopping stops a program on both executors.
func testStopping(t *testing.T, p longOp) {
	client := cpu.New(2).WithOutput(io.Discard)
	small, err := stablehlo.Parse("",
		[]byte(mainOf("%x = stablehlo.constant dense<1.0> : tensor<f32>\ninterpreter.print %x : tensor<f32>")))
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range []kit.Executor{
		{Name: "interp", Executor: conformance.Interp(interp.WithOutput(io.Discard))},
		{Name: "cpu", Executor: conformance.Compiled(client)}} {
		t.Run(e.Name+"/"+p.name, func(t *testing.T) {
			m, err := stablehlo.Parse(p.name, []byte(p.text))
			if err != nil {
				t.Fatal(err)
			}
			program, err := e.Load(m)
			if err != nil {
				t.Fatal(err)
			}
			runtime.GC()
			inUse, goroutines := client.InUse(), runtime.NumGoroutine()
			for range *stops {
				stopAtRandom(t, func(ctx context.Context) error { _, err := program.Call(ctx, "main"); return err })
			}
			for end := time.Now().Add(time.Minute); client.InUse() > inUse || runtime.NumGoroutine() > goroutines; {
				if time.Now().After(end) {
					t.Fatalf("%d bytes are in use after %d, %d goroutines after %d", client.InUse(), inUse,
						runtime.NumGoroutine(), goroutines)
				}
				runtime.GC() // results of a run that came to its end
				time.Sleep(time.Millisecond)
			}
			again, err := e.Load(small)
			if err == nil {
				_, err = again.Call(context.Background(), "main")
			}
			if err != nil {
				t.Errorf("the next program: %v", err)
			}
		})
	}
}

var errStop = errors.New("told to stop")

// stopAtRandom runs f with a context that ends at a random moment.
func stopAtRandom(t *testing.T, f func(ctx context.Context) error) {
	t.Helper()
	ctx, cancel := context.WithCancelCause(context.Background())
	defer cancel(nil)
	told := make(chan time.Duration, 1) // the work done until then
	after := time.Duration(rand.Int64N(int64(*stopBy)))
	timer := time.AfterFunc(after, func() {
		told <- kit.ProcessTime()
		cancel(errStop)
	})
	err := f(ctx)
	if timer.Stop() { // it ended before
		if err != nil {
			t.Fatal(err)
		}
		return
	}
	if late := kit.ProcessTime() - <-told; late > maxWork {
		t.Errorf("told to stop after %v, it went on for %v of processor time", after, late)
	}
	if err != nil && !errors.Is(err, errStop) && !strings.Contains(err.Error(), errStop.Error()) {
		t.Error(err)
	}
}
