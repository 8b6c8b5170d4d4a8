package nx

import (
	"github.com/go-nx/nx/internal/core"
	"github.com/go-nx/nx/stablehlo"
)

// Lowered is a function traced for one signature, as a program.
type Lowered core.Lowered

// Lower traces f for arguments of the types of args and returns its program,
// without compiling it: to look at, or to take elsewhere. Arguments are those of
// [Compile]. Tensors that f uses from outside become constants of the program, so
// that it takes the tensors of the arguments alone, in the order of [Leaves], and
// returns those of the results. Of those that [Donate] among them gives away, the program
// says so, as JAX does (jax.buffer_donor).
func Lower[F any](f F, args ...any) (l *Lowered, err error) {
	r0, r1 := core.Lower[F](f, args...)
	return (*Lowered)(r0), r1
}

// Text returns the program as StableHLO.
func (l *Lowered) Text() string {
	return (*core.Lowered)(l).Text()
}

// Module returns a copy of the program.
func (l *Lowered) Module() *stablehlo.Module {
	return (*core.Lowered)(l).Module()
}

// InspectExpr returns the graph of the function under construction up to the
// tensors of a container, as StableHLO text: for looking at it from inside. Of
// data it is their types.
func InspectExpr(p any) string {
	return core.InspectExpr(p)
}
