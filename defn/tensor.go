package defn

import (
	"iter"

	"github.com/go-nx/nx"
	"github.com/go-nx/nx/defn/internal/scalar"
)

// Tensor is a tensor in a definition, of any element type and shape, which [nx.Tensor] has when the translated
// function runs. When the definition itself runs it is a single number.
//
// Arithmetic and comparisons are Go's operators. A constant beside a tensor has the tensor's element type, and a
// static number is converted: Tensor(n).
type Tensor float64

// Predicate is a bool that is computed from tensors, such as the result of a comparison: in the translated function it
// is a tensor of bools. It is another name of bool, which says that a parameter or a field is a predicate; parameters
// of type bool are static unless a predicate is passed.
type Predicate = bool

// Value is a tensor or a predicate.
type Value interface{ Tensor | ~bool }

// At returns a part of a tensor: see [nx.Tensor.At].
func (t Tensor) At(index ...any) Tensor {
	return scalar.Out[Tensor]("Tensor.At", func() nx.Tensor { return scalar.In(t).At(index...) })
}

// DType returns the element type.
func (t Tensor) DType() DType { return F64 }

// Names returns the names of the axes, "" where one has none.
func (t Tensor) Names() []string { return nil }

// Rank returns the number of axes.
func (t Tensor) Rank() int { return 0 }

// Shape returns the sizes of the axes.
func (t Tensor) Shape() Shape { return Shape{} }

// Size returns the number of elements.
func (t Tensor) Size() int { return 1 }

// Slice returns the part of the given sizes from a position: see [nx.Slice].
func Slice(t Tensor, starts []any, sizes []int) Tensor {
	return scalar.Out[Tensor]("Slice", func() nx.Tensor { return nx.Slice(scalar.In(t), starts, sizes) })
}

// New returns a constant of numbers or nested slices of numbers: see [nx.New].
func New(data any, opts ...NewOption) Tensor {
	return scalar.Out[Tensor]("New", func() nx.Tensor { return nx.New(data, opts...) })
}

// Steps counts from 0 to n-1, for loops whose number of steps is computed:
//
//	for i := range Steps(n) {
//		x = x / 2
//	}
func Steps(n Tensor) iter.Seq[Tensor] {
	return func(yield func(Tensor) bool) {
		for i := Tensor(0); i < n; i++ {
			if !yield(i) {
				return
			}
		}
	}
}
