//go:build !amd64 && !arm64

package target

import "github.com/go-nx/nx/internal/cpu/rt"

// translator returns nil: this processor runs no machine code.
func translator() *rt.Translator { return nil }
