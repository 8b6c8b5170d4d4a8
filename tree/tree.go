package tree

import (
	"iter"
	"reflect"

	"github.com/go-nx/nx"
	"github.com/go-nx/nx/internal/core"
)

// Ravel returns the elements of the tensors of a container as one vector, and the function that
// converts such a vector back to a container. Vectorised axes stay: the vector has those of all the
// tensors.
//
// Shapes: […]… → [n], n elements in all. DTypes: the vector has the promoted element type; the
// tensors get theirs back. Gradient: forward and reverse. Accuracy: exact where the types are
// equal, else rounded once.
func Ravel[P any](p P) (nx.Tensor, func(nx.Tensor) P) {
	r0, r1 := core.Ravel[P](p)
	return nx.Tensor(r0), core.Retype[func(nx.Tensor) P](r1)
}

// Map applies f to every tensor of a container; absent ones stay absent, as None does in JAX. If
// all are absent, nothing would happen, which is an error that names them: a struct that was
// declared, and not filled. A container without any, such as an empty slice, is returned as it is.
func Map[P any](f func(nx.Tensor) nx.Tensor, p P) P {
	return core.Map[P](core.Retype[func(core.Tensor) core.Tensor](f), p)
}

// Map2 applies f to the pairs of tensors at the same positions of two containers; if one of the two
// is absent, so is the result. As in [Map], not all of a container may be absent.
func Map2[P any](f func(a, b nx.Tensor) nx.Tensor, p, q P) P {
	return core.Map2[P](core.Retype[func(a, b core.Tensor) core.Tensor](f), p, q)
}

// MapLeaves is [Map] of a function that also gets the path of each tensor, such
// as Layers[0].W. It is not called for absent ones, of which there are no types: parameters are made
// before they are mapped.
func MapLeaves[P any](f func(path string, t nx.Tensor) nx.Tensor, p P) P {
	return core.MapLeaves[P](core.Retype[func(path string, t core.Tensor) core.Tensor](f), p)
}

// Leaves yields the tensors of a container with their paths, such as
// Layers[0].W; absent ones are left out.
func Leaves(p any) iter.Seq2[string, nx.Tensor] {
	return core.Retype[iter.Seq2[string, nx.Tensor]](core.Leaves(p))
}

// Types yields the paths of the tensors of a container with the Go types of their fields: nx.Tensor, or a type that is
// defined by it (type Buffer nx.Tensor), which says more about a tensor than its element type does. Absent tensors are
// left out.
func Types(p any) iter.Seq2[string, reflect.Type] {
	return core.Types(p)
}

// Combine returns the tensors of p, and those of q where p has none: the inverse of a partition, which leaves each
// tensor absent in one of two containers. Both have the same form.
//
// Errors: [nx.ErrContainer] for containers of different forms.
func Combine[P any](p, q P) P {
	return core.Combine[P](p, q)
}

// ZerosLike returns a container of zeros of the same types; absent tensors stay absent, as in [Map].
func ZerosLike[P any](p P) P {
	return core.ZerosLikeTree[P](p)
}
