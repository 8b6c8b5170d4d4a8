package cpu

import (
	"errors"
	"strings"
	"testing"

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
	c := New(1)
	s, err := c.newStages(ctx, m, nil)
	if err != nil {
		t.Fatal(err)
	}
	s.target.Own["static shapes"] = func(stablehlo.Func) error { panic(broken) }
	err = s.start("main")
	var internal *InternalError
	if !errors.As(err, &internal) || !errors.Is(err, broken) || internal.Stage != "static shapes" ||
		internal.Func != "main" {
		t.Fatalf("%v", err)
	}
	for _, part := range []string{"static shapes of @main: an illegal state", "TestInternalError"} {
		if !strings.Contains(err.Error(), part) {
			t.Errorf("%q is not in: %v", part, err)
		}
	}
	if _, err := c.Compile(ctx, m); err != nil {
		t.Error(err)
	}
}
