package nx

import (
	"github.com/go-nx/nx/backend"
	"github.com/go-nx/nx/cpu"
)

// defaultClient returns the client that runs everything that names no other.
// This is the one place where the package knows a compiler.
func defaultClient() backend.Client { return cpu.Default() }
