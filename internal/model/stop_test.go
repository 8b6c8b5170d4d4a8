package model_test

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

	"github.com/go-nx/nx/internal/model"
	"github.com/go-nx/nx/internal/testkit"
	"github.com/go-nx/nx/stablehlo"
	"github.com/go-nx/nx/stablehlo/portable"
)

// TestStopping: reading a program of any form ends with the cause of the context's end at any moment, and
// checks the context in proportion to the ops.
func TestStopping(t *testing.T) {
	const ops = 3000
	var b strings.Builder
	b.WriteString("func.func @main(%v0: tensor<f32>) -> tensor<f32> {\n")
	for i := range ops {
		fmt.Fprintf(&b, "  %%v%d = stablehlo.add %%v%d, %%v0 : tensor<f32>\n", i+1, i)
	}
	fmt.Fprintf(&b, "  return %%v%d : tensor<f32>\n}\n", ops)
	text := []byte(b.String())
	m, err := stablehlo.Parse("chain", text)
	if err != nil {
		t.Fatal(err)
	}
	var artifact bytes.Buffer
	if err := portable.Write(&artifact, m, portable.WriteOptions{}); err != nil {
		t.Fatal(err)
	}
	export, err := os.ReadFile(filepath.Join("testdata", "static.jaxexport"))
	if err != nil {
		t.Fatal(err)
	}
	dir := bundle(t, func(map[string]any) {})
	for _, c := range []struct {
		name string
		open func(ctx context.Context) (*model.Program, error)
		asks int64 // at least
	}{
		{"text", func(ctx context.Context) (*model.Program, error) { return model.Read(ctx, "chain", text) },
			ops / 512},
		{"bytecode", func(ctx context.Context) (*model.Program, error) {
			return model.Read(ctx, "chain",
				artifact.Bytes())
		},
			ops / 128},
		{"export of JAX", func(ctx context.Context) (*model.Program, error) {
			return model.Read(ctx, "export", export)
		}, 1},
		{"bundle of torch_xla", func(ctx context.Context) (*model.Program, error) { return model.Open(ctx, dir) }, 1},
		{"stream", func(ctx context.Context) (*model.Program, error) {
			return model.ReadFrom(ctx, "chain", bytes.NewReader(text), 1<<30)
		}, ops / 512},
	} {
		t.Run(c.name, func(t *testing.T) {
			all := testkit.NewCountdown(math.MaxInt64)
			if _, err := c.open(all); err != nil {
				t.Fatal(err)
			}
			asked := math.MaxInt64 - all.Left()
			if asked < c.asks {
				t.Fatalf("looks at the context %d times, want %d at least", asked, c.asks)
			}
			for range 10 {
				if _, err := c.open(testkit.NewCountdown(rand.Int64N(asked))); !errors.Is(err, context.Canceled) {
					t.Errorf("stopped on the way it returns %v", err)
				}
			}
			cause := errors.New("enough")
			ctx, cancel := context.WithCancelCause(context.Background())
			cancel(cause)
			if _, err := c.open(ctx); !errors.Is(err, cause) {
				t.Errorf("of a context that has ended: %v", err)
			}
			if _, err := c.open(context.Background()); err != nil {
				t.Errorf("after it was stopped: %v", err)
			}
		})
	}
}
