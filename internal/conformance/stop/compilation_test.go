package stop_test

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/go-nx/nx/cpu"
	"github.com/go-nx/nx/internal/autodiff"
	"github.com/go-nx/nx/internal/growth"
	"github.com/go-nx/nx/internal/testkit"
	"github.com/go-nx/nx/stablehlo"
)

// TestStoppingCompilation: reading, verifying and compiling a program of any family ends with the cause of the
// context's end at any moment, each stage checks the context in proportion to its ops, and the next
// compilation is not affected.
func TestStoppingCompilation(t *testing.T) {
	client := cpu.New(1)
	for _, f := range growth.Families {
		t.Run(f.Name, func(t *testing.T) {
			n := max(f.Size/8, 2)
			text := []byte(f.Text(n))
			m, err := stablehlo.Parse(f.Name, text)
			if err != nil {
				t.Fatal(err)
			}
			ops := 0
			for range m.Walk() {
				ops++
			}
			for _, stage := range []struct {
				name string
				run  func(ctx context.Context) error
				asks int // at least, for each op
			}{
				{"parse", func(ctx context.Context) error {
					_, err := stablehlo.ParseContext(ctx, f.Name, text)
					return err
				}, 0},
				{"verify", m.VerifyContext, 1},
				{"derive", func(ctx context.Context) error {
					_, _, err := autodiff.Gradient(ctx, m, "main", nil)
					return err
				}, 1},
				{"compile", func(ctx context.Context) error { _, err := client.Compile(ctx, m); return err }, 2},
			} {
				if stage.name == "derive" && !f.Gradient {
					continue
				}
				all := testkit.NewCountdown(math.MaxInt64)
				if err := stage.run(all); err != nil {
					t.Fatal(err)
				}
				asked := math.MaxInt64 - all.Left()
				if asked < int64(stage.asks*ops) {
					t.Errorf("%s of %d ops looks at the context %d times", stage.name, ops, asked)
				}
				for range 10 {
					if err := stage.run(testkit.NewCountdown(rand.Int64N(asked))); !errors.Is(err, context.Canceled) {
						t.Errorf("%s: stopped on the way it returns %v", stage.name, err)
					}
				}
				if err := stage.run(context.Background()); err != nil {
					t.Errorf("%s after it was stopped: %v", stage.name, err)
				}
			}
		})
	}
}

// TestStoppingLongCompilation: a compilation of many seconds ends within one.
func TestStoppingLongCompilation(t *testing.T) {
	if testing.Short() {
		t.Skip("takes some seconds")
	}
	client := cpu.New(1)
	for _, f := range growth.Families {
		if f.Name != "distant uses" && f.Name != "wide" {
			continue
		}
		m, err := stablehlo.Parse(f.Name, []byte(f.Text(50*f.Size)))
		if err != nil {
			t.Fatal(err)
		}
		t.Run(f.Name, func(t *testing.T) {
			for range *stops {
				stopAtRandom(t, func(ctx context.Context) error { _, err := client.Compile(ctx, m); return err })
			}
		})
	}
}
