package load_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/go-nx/nx"
	"github.com/go-nx/nx/encoding/npy"
	"github.com/go-nx/nx/internal/nxtests/kit"
	"github.com/go-nx/nx/internal/testkit"
	"github.com/go-nx/nx/stablehlo"
	"github.com/go-nx/nx/stablehlo/portable"
)

// TestLoadStopped: loading ends with the cause of the context's end at whatever moment
// that comes: while the program is read, verified and expanded, and while weights are.
func TestLoadStopped(t *testing.T) {
	const ops, calls = 2000, 300
	var b strings.Builder
	b.WriteString("func.func @main(%v0: tensor<f32>, %w: tensor<1024xf32> loc(\"w\")) -> tensor<f32> {\n")
	for i := range ops {
		fmt.Fprintf(&b, "  %%v%d = stablehlo.add %%v%d, %%v0 : tensor<f32>\n", i+1, i)
	}
	for i := range calls {
		fmt.Fprintf(&b, "  %%c%d = call @next(%%v%d) : (tensor<f32>) -> tensor<f32>\n", i, i)
	}
	fmt.Fprintf(&b, "  return %%v%d : tensor<f32>\n}\n", ops)
	b.WriteString("func.func private @next(%x: tensor<f32>) -> tensor<f32> {\n" +
		"  %0 = stablehlo.negate %x : tensor<f32>\n  return %0 : tensor<f32>\n}\n")
	m, err := stablehlo.Parse("chain.mlir", []byte(b.String()))
	if err != nil {
		t.Fatal(err)
	}
	var artifact bytes.Buffer
	if err := portable.Write(&artifact, m, portable.WriteOptions{}); err != nil {
		t.Fatal(err)
	}
	text, code := writeText(t, "chain.mlir", b.String()), writeText(t, "chain.bc", artifact.String())
	stored, packed := filepath.Join(t.TempDir(), "w.npz"), filepath.Join(t.TempDir(), "packed.npz")
	array := npy.New(nx.F32, []int{1024}, make([]byte, 4096))
	if err := npy.WriteZipFile(stored, []npy.Entry{{Name: "w", Array: array}}); err != nil {
		t.Fatal(err)
	}
	writePacked(t, packed, "w", array)
	load := func(path string, opts ...nx.LoadOption) func(context.Context) (*nx.Model, error) {
		return func(ctx context.Context) (*nx.Model, error) { return nx.Load(ctx, path, opts...) }
	}
	for _, c := range []struct {
		name string
		load func(context.Context) (*nx.Model, error)
		asks int64 // at least
	}{
		{"text", load(text), 2*ops + calls},
		{"bytecode", load(code), 2*ops + calls},
		{"module", func(ctx context.Context) (*nx.Model, error) { return nx.LoadModule(ctx, m) }, 2*ops + calls},
		{"export of JAX", load(exportOfJAX, nx.Weights("testdata/exports/mlp-0.10.2/weights.safetensors")), 20},
		{"bundle of torch_xla", load("testdata/exports/torch-mlp/model"), 20},
		{"stored archive", load(text, nx.Weights(stored)), 2*ops + calls + 3},
		{"packed archive", load(text, nx.Weights(packed)), 2*ops + calls + 3},
	} {
		t.Run(c.name, func(t *testing.T) {
			all := testkit.NewCountdown(math.MaxInt64)
			if _, err := c.load(all); err != nil {
				t.Fatal(err)
			}
			asked := math.MaxInt64 - all.Left()
			if asked < c.asks {
				t.Errorf("looks at the context %d times, want %d at least", asked, c.asks)
			}
			for i := range int64(12) {
				left := asked - 1 - i // the end, where the weights are
				if i > 5 {
					left = rand.Int64N(asked)
				}
				if _, err := c.load(testkit.NewCountdown(left)); !errors.Is(err, context.Canceled) {
					t.Errorf("stopped at look %d of %d it returns %v", left, asked, err)
				}
			}
			cause := errors.New("enough")
			ctx, cancel := context.WithCancelCause(t.Context())
			cancel(cause)
			if _, err := c.load(ctx); err != cause {
				t.Errorf("with a context that has ended: %v", err)
			}
			if _, err := c.load(t.Context()); err != nil {
				t.Errorf("after it was stopped: %v", err)
			}
		})
	}
	var none context.Context
	if m, err := nx.Load(none, text); err != nil || m == nil {
		t.Errorf("without a context: %v", err)
	}
}

// writePacked writes an archive of one compressed array.
func writePacked(t *testing.T, path, name string, a npy.Array) {
	t.Helper()
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	w := npy.NewZipWriter(f)
	w.Deflate = true
	if err := errors.Join(w.Write(name, a), w.Close(), f.Close()); err != nil {
		t.Fatal(err)
	}
}

// TestModelCallStopped: a first call that is stopped while it specialises the program for
// its sizes or compiles it returns the cause, and the next call compiles it again.
func TestModelCallStopped(t *testing.T) {
	const ops = 300
	var b strings.Builder
	b.WriteString("func.func @main(%v0: tensor<?xf32>) -> tensor<?xf32> {\n")
	for i := range ops {
		fmt.Fprintf(&b, "  %%v%d = stablehlo.add %%v%d, %%v0 : tensor<?xf32>\n", i+1, i)
	}
	fmt.Fprintf(&b, "  return %%v%d : tensor<?xf32>\n}\n", ops)
	path := writeText(t, "chain.mlir", b.String())
	x := kit.Ones(3)
	load := func() *nx.Model {
		m, err := nx.Load(context.Background(), path)
		if err != nil {
			t.Fatal(err)
		}
		return m
	}
	all := testkit.NewCountdown(math.MaxInt64)
	if _, err := load().Call(all, x); err != nil {
		t.Fatal(err)
	}
	asked := math.MaxInt64 - all.Left()
	if asked < 3*ops {
		t.Errorf("it looks at the context %d times", asked)
	}
	for i := range int64(12) {
		m := load()
		if _, err := m.Call(testkit.NewCountdown(asked*i/12), x); !errors.Is(err, context.Canceled) {
			t.Errorf("stopped at look %d of %d: %v", asked*i/12, asked, err)
		}
		if _, err := m.Call(t.Context(), x); err != nil {
			t.Errorf("the call after it: %v", err)
		}
	}
}
