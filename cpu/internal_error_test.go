package cpu

import (
	"errors"
	"strings"
	"testing"

	"github.com/go-nx/nx/internal/lazy"
	"github.com/go-nx/nx/stablehlo"
)

// TestInternalError: a panic of a pass is an error with its name and position, and the client
// remains usable.
func TestInternalError(t *testing.T) {
	text := `func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {
		%0 = stablehlo.sine %x : tensor<2xf32>
		return %0 : tensor<2xf32>
	}`
	m, err := stablehlo.Parse("sine", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	broken := errors.New("an illegal state")
	before := passes.Get(listPasses)
	withPasses := func(list []pass) {
		passes = lazy.Value[[]pass]{}
		passes.Get(func() []pass { return list })
	}
	defer withPasses(before)
	faulty := func(*stages, stablehlo.Func) error { panic(broken) }
	withPasses(append(before[:len(before):len(before)], pass{"faulty pass", faulty}))
	c := New(1)
	_, err = c.Compile(ctx, m)
	var internal *InternalError
	if !errors.As(err, &internal) || !errors.Is(err, broken) || internal.Stage != "faulty pass" ||
		internal.Func != "main" {
		t.Fatalf("%v", err)
	}
	for _, part := range []string{"faulty pass of @main: an illegal state", "TestInternalError"} {
		if !strings.Contains(err.Error(), part) {
			t.Errorf("%q is not in: %v", part, err)
		}
	}
	withPasses(before)
	if _, err := c.Compile(ctx, m); err != nil {
		t.Error(err)
	}
}
