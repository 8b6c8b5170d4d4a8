package core

import (
	"iter"
	"reflect"
	"slices"
	"unsafe"

	"github.com/go-nx/nx/internal/container"
)

// A container is any tree of structs, slices, arrays, maps, pointers and
// interfaces with tensors as leaves. A field tagged `nx:"-"` is skipped. All
// other values in it are static: part of the type, so to speak.

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

// replace returns a copy of a container with other leaves, taken in order.
// Nothing that p points to is shared where it holds tensors.
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

// Map implements tree.Map.
func Map[P any](f func(Tensor) Tensor, p P) P {
	notNil("tree.Map", f == nil)
	return replace("tree.Map", p, func(t Tensor) Tensor {
		if t.p == nil {
			return t
		}
		return f(t)
	})
}

// Map2 implements tree.Map2.
func Map2[P any](f func(a, b Tensor) Tensor, p, q P) P {
	notNil("tree.Map2", f == nil)
	other := sameStructure("tree.Map2", p, q)
	i := -1
	return replace("tree.Map2", p, func(a Tensor) Tensor {
		i++
		if a.p == nil || other[i].p == nil {
			return Tensor{}
		}
		return f(a, other[i])
	})
}

// sameStructure returns the tensors of q, which has one wherever p has.
func sameStructure(op string, p, q any) []Tensor {
	out := leaves(op, q)
	_, one := asTensor(p)
	if _, other := asTensor(q); one && other {
		return out
	}
	var a, b []string
	eachLeaf(op, p, func(path string, _ Tensor) { a = append(a, path) })
	eachLeaf(op, q, func(path string, _ Tensor) { b = append(b, path) })
	const hint = "slices have equal lengths and maps equal keys"
	for i := range min(len(a), len(b)) {
		if a[i] != b[i] {
			fail(ErrContainer, op, hint,
				"the containers differ in structure: the one has a tensor at %s where the other has one at %s", a[i], b[i])
		}
	}
	if n := min(len(a), len(b)); len(a) != len(b) {
		fail(ErrContainer, op, hint, "the containers have %s and %s: only one has a tensor at %s",
			plural(len(a), "tensor", "tensors"), plural(len(b), "tensor", "tensors"), slices.Concat(a[n:], b[n:])[0])
	}
	return out
}

// MapLeaves implements tree.MapLeaves.
func MapLeaves[P any](f func(path string, t Tensor) Tensor, p P) P {
	notNil("tree.MapLeaves", f == nil)
	w := newWalker("tree.MapLeaves")
	w.Replace = true
	w.Leaf = func(t *Tensor) {
		if t.p != nil {
			*t = f(w.Path(), *t)
		}
	}
	w.Walk(planOf(reflect.TypeFor[P]()), unsafe.Pointer(&p))
	return p
}

// Leaves implements tree.Leaves.
func Leaves(p any) iter.Seq2[string, Tensor] {
	return func(yield func(string, Tensor) bool) {
		stop := false
		eachLeaf("tree.Leaves", p, func(path string, t Tensor) {
			if t.p != nil && !stop {
				stop = !yield(path, t)
			}
		})
	}
}

// ZerosLikeTree implements tree.ZerosLike.
func ZerosLikeTree[P any](p P) P {
	return replace("tree.ZerosLike", p, func(t Tensor) Tensor {
		if t.p == nil {
			return t
		}
		return FullLike(t, 0)
	})
}

// ReleasedAt returns the Invalidation by the caller of an exported function, which is called at pc.
func ReleasedAt(pc uintptr) *Invalidation {
	if by := lastReleased.Load(); by != nil && by.pcs[0] == pc { // which takes less than walking one frame
		return by
	}
	return released()
}

// ReleaseAll releases the tensors of a container.
func ReleaseAll(p any, by *Invalidation) {
	eachLeaf("Release", p, func(_ string, t Tensor) { t.Release(by) })
}

// Release releases one tensor; it allocates nothing.
func (t Tensor) Release(by *Invalidation) {
	if t.p == nil || t.p.tr != nil || !t.p.validity().invalidate(by) {
		return
	}
	if t.p.buf != nil {
		t.p.buf.buf.Release()
	} else {
		t.p.rec.release()
	}
}

// Retype reinterprets a value of which the type names nx.Tensor as one of which the type names [Tensor], or back: a
// slice, a function, an iterator. Both tensors are the same struct, so that the values are the same bits.
func Retype[To, From any](x From) To { return *(*To)(unsafe.Pointer(&x)) }
