package nn

import (
	"github.com/go-nx/nx"
	"github.com/go-nx/nx/diag"
)

// positive checks a size given to a constructor.
func positive(op, name string, n int) {
	if n < 1 {
		panic(diag.New(nx.ErrArgument, op, "", "%s must be at least 1, got %d", name, n))
	}
}
