package exec

import (
	"fmt"
	"testing"

	"github.com/go-nx/nx/internal/cpu/codegen/portable"
	"github.com/go-nx/nx/internal/cpu/program"
	"github.com/go-nx/nx/internal/cpu/rt"
	"github.com/go-nx/nx/internal/testkit/fused"
)

// TestStreams: results that leave the caches before they are read are stored non-temporally; those in the memory of an
// operand or of a worker are not.
func TestStreams(t *testing.T) {
	rows := `
func.func @main(%%x: tensor<%[1]dx1024xf32>) -> tensor<%[1]dx1024xf32> {
  %%zero = stablehlo.constant dense<0.0> : tensor<f32>
  %%e = stablehlo.exponential %%x : tensor<%[1]dx1024xf32>
  %%l = stablehlo.reduce(%%e init: %%zero) applies stablehlo.add across dimensions = [1]
    : (tensor<%[1]dx1024xf32>, tensor<f32>) -> tensor<%[1]dxf32>
  %%b = stablehlo.broadcast_in_dim %%l, dims = [0] : (tensor<%[1]dxf32>) -> tensor<%[1]dx1024xf32>
  %%r = stablehlo.divide %%e, %%b : tensor<%[1]dx1024xf32>
  return %%r : tensor<%[1]dx1024xf32>
}`
	transposed := `
func.func @main(%%x: tensor<%[1]dx1024xf32>) -> tensor<1024x%[1]dxf32> {
  %%t = stablehlo.transpose %%x, dims = [1, 0] : (tensor<%[1]dx1024xf32>) -> tensor<1024x%[1]dxf32>
  return %%t : tensor<1024x%[1]dxf32>
}`
	before := trafficBeyondCache
	t.Cleanup(func() { trafficBeyondCache = before })
	for _, c := range []struct {
		text  string
		rows  int
		cache int64
		want  int
	}{{rows, 4096, 0, 1}, {rows, 1024, 0, 0}, {rows, 4096, 64 << 20, 0}, {transposed, 4096, 64 << 20, 1}} {
		trafficBeyondCache = max(minStreamedTraffic, c.cache)
		p, x := compiledText(t, fmt.Sprintf(c.text, c.rows))
		streamed := 0
		for s, plan := range x.plans {
			for i := plan.Stores; i < plan.Results; i++ {
				if plan.Accesses[i].Streamed {
					streamed++
					if b := s.Params()[plan.Accesses[i].Param]; p.Buffers[b].Local {
						t.Errorf("%d rows: b%d is streamed to the memory of a worker", c.rows, b)
					}
				}
			}
		}
		if streamed != c.want {
			t.Errorf("%d rows: %d results are streamed, want %d\n%s", c.rows, streamed, c.want, p)
		}
	}
}

// TestStreamsNotInPlace: a result in the memory of an operand is in the caches already.
func TestStreamsNotInPlace(t *testing.T) {
	p, x := compiledText(t, `
func.func @main(%x: tensor<1024x4096xf32>, %y: tensor<4096x1024xf32>) -> tensor<1024x4096xf32> {
  %p = stablehlo.transpose %y, dims = [1, 0] : (tensor<4096x1024xf32>) -> tensor<1024x4096xf32>
  %s = "stablehlo.sort"(%p) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %c = stablehlo.compare LT, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  }) {dimension = 1 : i64} : (tensor<1024x4096xf32>) -> tensor<1024x4096xf32>
  %r = stablehlo.add %s, %x : tensor<1024x4096xf32>
  %t = stablehlo.exponential %r : tensor<1024x4096xf32>
  %u = "stablehlo.sort"(%t) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %c = stablehlo.compare LT, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  }) {dimension = 1 : i64} : (tensor<1024x4096xf32>) -> tensor<1024x4096xf32>
  return %u : tensor<1024x4096xf32>
}`)
	inPlace := 0
	for s, plan := range x.plans {
		for i := plan.Stores; i < plan.Results; i++ {
			b := s.Params()[plan.Accesses[i].Param]
			for _, in := range s.Reads() {
				if x.layout.Root[in] == x.layout.Root[b] {
					inPlace++
					if plan.Accesses[i].Streamed {
						t.Errorf("b%d is streamed over an operand\n%s", b, p)
					}
				}
			}
		}
	}
	if inPlace == 0 {
		t.Errorf("no kernel writes over an operand\n%s", p)
	}
}

// compiledText compiles a program of one function.
func compiledText(t *testing.T, text string) (*program.Program, *Executable) {
	t.Helper()
	p := fused.Program(t, text)
	pool := rt.NewPool(1)
	t.Cleanup(pool.Close)
	x, err := Compile(p, &rt.Env{Pool: pool}, portable.Generator{})
	if err != nil {
		t.Fatal(err)
	}
	return p, x
}
