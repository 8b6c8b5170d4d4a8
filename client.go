package nx

import (
	"os"

	"github.com/go-nx/nx/backend"
	"github.com/go-nx/nx/cpu"
	_ "github.com/go-nx/nx/stablehlo/interp" // registers itself: NX_BACKEND=interp is in every program
)

// defaultClient returns the client that runs everything that names no other: that of
// the environment variable NX_BACKEND, if it is set, of those that the program
// imports, and cpu otherwise. This is the one place where the package knows a compiler.
func defaultClient() backend.Client {
	name := os.Getenv("NX_BACKEND")
	if name == "" {
		return cpu.Default()
	}
	c, err := backend.Open(name)
	if err != nil {
		fail(ErrDevice, "NX_BACKEND", "import the package of the backend, or leave the variable unset", "%v", err)
	}
	return c
}
