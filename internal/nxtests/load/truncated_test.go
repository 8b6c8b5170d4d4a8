package load_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/go-nx/nx"
	"github.com/go-nx/nx/encoding/safetensors"
	"github.com/go-nx/nx/internal/mapped"
)

const truncatedSize = 1 << 21 // elements: 8 MiB

// truncatedPrograms read all of their weights, ones, in different ways: kernels, products, loops and functions of the
// library. Each returns a number.
var truncatedPrograms = map[string]string{
	"kernel": `  %e = stablehlo.multiply %w, %x : tensor<2097152xf32>
  %r = stablehlo.reduce(%e init: %z) applies stablehlo.add across dimensions = [0] : (tensor<2097152xf32>, tensor<f32>) -> tensor<f32>`,
	"product": `  %m = stablehlo.reshape %w : (tensor<2097152xf32>) -> tensor<1024x2048xf32>
  %t = stablehlo.slice %x [0:16384] : (tensor<2097152xf32>) -> tensor<16384xf32>
  %y = stablehlo.reshape %t : (tensor<16384xf32>) -> tensor<2048x8xf32>
  %p = stablehlo.dot_general %m, %y, contracting_dims = [1] x [0] : (tensor<1024x2048xf32>, tensor<2048x8xf32>) -> tensor<1024x8xf32>
  %big = stablehlo.constant dense<1.0e6> : tensor<f32>
  %r = stablehlo.reduce(%p init: %big) applies stablehlo.minimum across dimensions = [0, 1] : (tensor<1024x8xf32>, tensor<f32>) -> tensor<f32>`,
	"sort": `  %e = "stablehlo.sort"(%w) <{dimension = 0 : i64, is_stable = true}> ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %c = stablehlo.compare LT, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
      stablehlo.return %c : tensor<i1>
  }) : (tensor<2097152xf32>) -> tensor<2097152xf32>
  %s = stablehlo.slice %e [0:1] : (tensor<2097152xf32>) -> tensor<1xf32>
  %r = stablehlo.reshape %s : (tensor<1xf32>) -> tensor<f32>`,
	"loop": `  %n = stablehlo.constant dense<3> : tensor<i32>
  %i0 = stablehlo.constant dense<0> : tensor<i32>
  %o = stablehlo.constant dense<1> : tensor<i32>
  %one = stablehlo.constant dense<1.0> : tensor<f32>
  %l:2 = stablehlo.while(%i = %i0, %s = %one) : tensor<i32>, tensor<f32>
   cond {
    %c = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  } do {
    %e = stablehlo.multiply %w, %x : tensor<2097152xf32>
    %t = stablehlo.reduce(%e init: %s) applies stablehlo.minimum across dimensions = [0] : (tensor<2097152xf32>, tensor<f32>) -> tensor<f32>
    %j = stablehlo.add %i, %o : tensor<i32>
    stablehlo.return %j, %t : tensor<i32>, tensor<f32>
  }
  %r = stablehlo.add %l#1, %z : tensor<f32>`,
}

// TestTruncatedWeights: weights that are truncated while they are mapped are an error with the name of the file, its
// sizes and what to do, before a call and in the middle of it, whatever reads them; no call returns numbers that were
// computed from the zeros beyond the end. A process for each tier does the work, as a fault might end it.
func TestTruncatedWeights(t *testing.T) {
	if dir := os.Getenv("NX_TEST_TRUNCATED"); dir != "" {
		for name, text := range truncatedPrograms {
			if err := truncateWeights(dir, name, text); err != nil {
				fmt.Printf("%s: %v\n", name, err)
			}
		}
		return
	}
	if _, err := mapped.Open(os.Args[0]); errors.Is(err, errors.ErrUnsupported) {
		t.Skip("skipped: files cannot be mapped here")
	}
	for _, tier := range []string{"", "portable"} {
		c := exec.Command(os.Args[0], "-test.run=^TestTruncatedWeights$")
		c.Env = append(os.Environ(), "NX_TEST_TRUNCATED="+t.TempDir(), "NX_CPU="+tier)
		if out, err := c.CombinedOutput(); err != nil || string(bytes.TrimSpace(out)) != "PASS" {
			t.Errorf("NX_CPU=%s: %v\n%s", tier, err, out)
		}
	}
}

func truncateWeights(dir, name, body string) error {
	program := filepath.Join(dir, name+".mlir")
	text := "func.func @main(%w: tensor<2097152xf32> loc(\"w\"), %x: tensor<2097152xf32> loc(\"x\")) -> tensor<f32> {\n" +
		"  %z = stablehlo.constant dense<0.0> : tensor<f32>\n" + body + "\n  return %r : tensor<f32>\n}\n"
	if err := os.WriteFile(program, []byte(text), 0o666); err != nil {
		return err
	}
	weights := filepath.Join(dir, name+".safetensors")
	ones := nx.Bytes(nx.Ones(nx.Shape{truncatedSize}, nx.F32))
	x := nx.Add(nx.Ones(nx.Shape{truncatedSize}, nx.F32), 0)
	load := func() (*nx.Model, int64, error) {
		w := safetensors.Info{Name: "w", DType: nx.F32, Shape: []int{truncatedSize}}
		if err := safetensors.WriteFile(weights, []safetensors.Tensor{{Info: w, Data: ones}}, nil); err != nil {
			return nil, 0, err
		}
		info, err := os.Stat(weights)
		if err != nil {
			return nil, 0, err
		}
		m, err := nx.Load(context.Background(), program, nx.Weights(weights))
		return m, info.Size(), err
	}
	call := func(m *nx.Model) (float64, error) {
		out, err := m.Call(context.Background(), x)
		if err != nil {
			return 0, err
		}
		return nx.Item[float64](nx.Cast(out[0], nx.F64)), nil
	}
	want := 0.0
	for round := range 7 {
		m, size, err := load()
		if err != nil {
			return err
		}
		got, err := call(m)
		if err != nil {
			return err
		}
		if round == 0 {
			want = got
		}
		to := []int64{4096, size - 100, 0, size / 2}[round%4]
		truncated := make(chan error, 1)
		truncate := func() { truncated <- os.Truncate(weights, to) }
		if round < 4 { // between calls
			truncate()
		} else { // while calls go on
			time.AfterFunc(time.Duration(round)*time.Millisecond, truncate)
		}
		for end := time.Now().Add(20 * time.Second); err == nil; {
			if got, err = call(m); err == nil && got != want {
				return fmt.Errorf("got %v, want %v", got, want)
			}
			if err == nil && (round < 4 || time.Now().After(end)) {
				return fmt.Errorf("no error of a file of %d bytes, truncated to %d", size, to)
			}
		}
		sizes := fmt.Sprintf("truncated to %d bytes while its %d bytes were mapped", to, size)
		for _, part := range []string{weights, sizes, "load it again"} {
			if !strings.Contains(err.Error(), part) {
				return fmt.Errorf("got %v, want %s in it", err, part)
			}
		}
		if err := <-truncated; err != nil {
			return err
		}
		if again, err := call(m); err == nil {
			return fmt.Errorf("the next call returns %v", again)
		}
	}
	return nil
}
