package nx

import (
	"unsafe"

	"github.com/go-nx/nx/internal/core"
)

// as reinterprets a value of which the type names [Tensor] as one of which the type names core.Tensor, or back:
// a slice, a function, an iterator. Both tensors are the same struct, so that the values are the same bits.
func as[To, From any](x From) To { return *(*To)(unsafe.Pointer(&x)) }

// Both types are laid out alike.
var _ = core.Tensor(Tensor{})
