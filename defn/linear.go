package defn

import (
	"github.com/go-nx/nx"
	"github.com/go-nx/nx/defn/internal/scalar"
	"github.com/go-nx/nx/linalg"
)

// Norm returns the Euclidean norm: see [linalg.Norm]. The other functions of linear algebra are in package defn/linalg.
func Norm(t Tensor, opts ...ReduceOption) Tensor {
	return scalar.Out[Tensor]("Norm", func() nx.Tensor { return linalg.Norm(scalar.In(t), opts...) })
}
