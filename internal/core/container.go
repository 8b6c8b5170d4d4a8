package core

import (
	"reflect"
	"unsafe"

	"github.com/go-nx/nx/internal/container"
)

// A container is any tree of structs, slices, arrays, maps, pointers and interfaces with tensors as
// leaves. A field tagged `nx:"-"` is skipped. All other values in it are static: they are part of
// the signature.

var (
	tensorType = reflect.TypeFor[Tensor]()
	plans      = container.NewPlans(tensorType, "nx")
)

// asTensor returns the tensor that a value of Go is: of this package, or of package nx.
func asTensor(v any) (Tensor, bool) {
	if t, ok := v.(Tensor); ok {
		return t, true
	}
	if t := reflect.TypeOf(v); t == nil || !plans.IsLeaf(t) {
		return Tensor{}, false
	}
	return reflect.ValueOf(v).Convert(tensorType).Interface().(Tensor), true
}

func planOf(t reflect.Type) *container.Plan { return plans.Of(t) }

// walker visits the tensors of a container.
type walker = container.Walker[Tensor]

func newWalker(op string) *walker { return &walker{Plans: plans, Op: op, TooDeep: tooDeep} }

func tooDeep(op, path string) {
	fail(ErrContainer, op, "does it point to itself?", "the container is nested more than %d deep, at %s…",
		container.MaxDepth, path)
}

// leaves returns the tensors of a container in order, absent ones included.
func leaves(op string, p any) []Tensor {
	var out []Tensor
	eachLeaf(op, p, func(_ string, t Tensor) { out = append(out, t) })
	return out
}

// eachLeaf calls leaf for the tensors of a container with their paths.
func eachLeaf(op string, p any, leaf func(path string, t Tensor)) {
	if t, ok := asTensor(p); ok {
		leaf("the value", t)
		return
	}
	if p == nil {
		return
	}
	w := newWalker(op)
	w.Leaf = func(t *Tensor) { leaf(w.Path(), *t) }
	v := addressable(reflect.ValueOf(p))
	w.Walk(planOf(v.Type()), v.Addr().UnsafePointer())
}

// addressable returns a copy of v that can be changed.
func addressable(v reflect.Value) reflect.Value {
	c := reflect.New(v.Type()).Elem()
	c.Set(v)
	return c
}

// replace returns a copy of a container with other leaves, taken in order. Memory of p that holds
// tensors is not shared.
func replace[P any](op string, p P, next func(old Tensor) Tensor) P {
	replaceAt(op, planOf(reflect.TypeFor[P]()), unsafe.Pointer(&p), next)
	return p
}

// replaceAt replaces the leaves of the value at an address.
func replaceAt(op string, p *container.Plan, at unsafe.Pointer, next func(old Tensor) Tensor) {
	w := newWalker(op)
	w.Replace, w.Leaf = true, func(t *Tensor) { *t = next(*t) }
	w.Walk(p, at)
}

// Retype reinterprets a value of which the type names nx.Tensor as one of which the type names [Tensor], or back: a
// slice, a function, an iterator. Both tensors are the same struct, so that the values are the same bits.
func Retype[To, From any](x From) To { return *(*To)(unsafe.Pointer(&x)) }

// fill returns a container with other tensors, in order, for those present.
func fill[P any](op string, p P, with []Tensor) P {
	return replace(op, p, func(old Tensor) Tensor {
		if old.p == nil {
			return old
		}
		t := with[0]
		with = with[1:]
		return t
	})
}
