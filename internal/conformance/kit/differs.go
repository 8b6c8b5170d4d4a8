package kit

import (
	"bytes"
	"fmt"

	"github.com/go-nx/nx/dtype"
	"github.com/go-nx/nx/stablehlo"
	"github.com/go-nx/nx/stablehlo/interp"
)

// PartsOf returns the type and the count of the numbers of a tensor, two for each complex one.
func PartsOf(t *stablehlo.TensorType, data []byte) (real dtype.Type, n int) {
	real = t.DType().Real()
	return real, len(data) / real.Size()
}

// Differs reports where results that are exact differ; all NaNs are one.
func Differs(want *interp.Tensor, got []byte) string {
	if bytes.Equal(got, want.Data) {
		return ""
	}
	real, n := PartsOf(want.Type, want.Data)
	if len(got) != len(want.Data) {
		return fmt.Sprintf("%d bytes, want %d", len(got), len(want.Data))
	}
	for i := range n {
		a, b := real.LoadBits(got, i), real.LoadBits(want.Data, i)
		if a == b {
			continue
		}
		if !real.IsFloat() {
			return fmt.Sprintf("element %d is %d, want %d", i, real.LoadInt(got, i), real.LoadInt(want.Data, i))
		}
		if x, y := real.LoadFloat(got, i), real.LoadFloat(want.Data, i); x == x || y == y {
			return fmt.Sprintf("element %d is %v, want exactly %v", i, x, y)
		}
	}
	return ""
}
