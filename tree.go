package nx

import (
	"iter"

	"github.com/go-nx/nx/internal/callsite"
	"github.com/go-nx/nx/internal/core"
)

// Map applies f to every tensor of a container; absent ones stay absent.
func Map[P any](f func(Tensor) Tensor, p P) P {
	return core.Map[P](as[func(core.Tensor) core.Tensor](f), p)
}

// Map2 applies f to the pairs of tensors at the same places of two containers;
// where one of the two is absent, so is the result.
func Map2[P any](f func(a, b Tensor) Tensor, p, q P) P {
	return core.Map2[P](as[func(a, b core.Tensor) core.Tensor](f), p, q)
}

// MapLeaves is [Map] of a function that also gets the path of each tensor, such
// as Layers[0].W.
func MapLeaves[P any](f func(path string, t Tensor) Tensor, p P) P {
	return core.MapLeaves[P](as[func(path string, t core.Tensor) core.Tensor](f), p)
}

// Leaves yields the tensors of a container with their paths, such as
// Layers[0].W; absent ones are left out.
func Leaves(p any) iter.Seq2[string, Tensor] {
	return as[iter.Seq2[string, Tensor]](core.Leaves(p))
}

// ZerosLike returns a container of zeros of the same types.
func ZerosLike[P any](p P) P {
	return core.ZerosLike[P](p)
}

// Release frees the memory of the tensors of containers, without waiting for
// the garbage collector. Any later use of them is an error that names the place
// of the release; a tensor released before stays so. Traced tensors hold no
// memory and are left alone.
//
//go:noinline
func Release(trees ...any) {
	by := core.ReleasedAt(callsite.PC())
	for _, p := range trees {
		if t, ok := p.(Tensor); ok {
			core.Tensor(t).Release(by)
		} else {
			core.ReleaseAll(p, by)
		}
	}
}
