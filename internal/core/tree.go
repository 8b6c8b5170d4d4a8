package core

import (
	"fmt"
	"iter"
	"reflect"
	"slices"
	"strings"
	"unsafe"
)

// Map implements tree.Map.
func Map[P any](f func(Tensor) Tensor, p P) P {
	notNil("tree.Map", f == nil)
	requirePresent("tree.Map", p)
	return replace("tree.Map", p, func(t Tensor) Tensor {
		if t.p == nil {
			return t
		}
		return f(t)
	})
}

// requirePresent refuses a container all of whose tensors are absent: nothing would happen. One without a place for a
// tensor, such as an empty slice, is complete.
func requirePresent(op string, p any) {
	paths, present := []string{}, false
	eachLeaf(op, p, func(path string, t Tensor) {
		if present = present || t.p != nil; !present {
			paths = append(paths, path)
		}
	})
	if !present && len(paths) > 0 {
		failAllAbsent(op, paths)
	}
}

func failAllAbsent(op string, paths []string) {
	text := strings.Join(paths[:min(len(paths), 4)], ", ")
	if n := len(paths) - 4; n > 0 {
		text += fmt.Sprintf(" and %d more", n)
	}
	fail(ErrAbsent, op, "make them first: a struct declared without values has zero Tensors",
		"all tensors of the container are absent: %s", text)
}

// Map2 implements tree.Map2.
func Map2[P any](f func(a, b Tensor) Tensor, p, q P) P {
	notNil("tree.Map2", f == nil)
	other := sameStructure("tree.Map2", p, q)
	requirePresent("tree.Map2", p)
	requirePresent("tree.Map2", q)
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
	requirePresent("tree.MapLeaves", p)
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

// Types implements tree.Types.
func Types(p any) iter.Seq2[string, reflect.Type] {
	return func(yield func(string, reflect.Type) bool) {
		if _, ok := asTensor(p); ok || p == nil {
			if ok {
				yield("the value", reflect.TypeOf(p))
			}
			return
		}
		stop := false
		w := newWalker("tree.Types")
		w.Leaf = func(t *Tensor) {
			if t.p != nil && !stop {
				stop = !yield(w.Path(), w.LeafType)
			}
		}
		v := addressable(reflect.ValueOf(p))
		w.Walk(planOf(v.Type()), v.Addr().UnsafePointer())
	}
}

// Combine implements tree.Combine.
func Combine[P any](p, q P) P {
	const op = "tree.Combine"
	others := leaves(op, q)
	i := 0
	p = replace(op, p, func(old Tensor) Tensor {
		if i >= len(others) {
			fail(ErrContainer, op, "take two containers of the same form",
				"the second has fewer tensors than the first")
		}
		i++
		if old.p != nil {
			return old
		}
		return others[i-1]
	})
	if i < len(others) {
		fail(ErrContainer, op, "take two containers of the same form", "the second has more tensors than the first")
	}
	return p
}

// Ravel implements tree.Ravel.
func Ravel[P any](p P) (Tensor, func(Tensor) P) {
	const op = "tree.Ravel"
	requirePresent(op, p)
	list := presentTensors(leaves(op, p))
	if len(list) == 0 {
		fail(ErrArgument, op, "", "the container must hold a tensor")
	}
	defer calledAs(op, list...)
	list = BroadcastVectors(list...)
	specs := specsOf(list)
	d := specs[0].DType
	total := 0
	for i, s := range specs {
		d = promoted(&Spec{DType: d}, s.strong())
		total += s.Shape.Size()
		list[i] = Flatten(list[i])
	}
	for i, t := range list {
		list[i] = cast(t, d)
	}
	return Concatenate(list), func(v Tensor) P {
		if s := v.must(op); len(s.Shape) != 1 || s.Shape[0] != total {
			failOn(ErrShape, op, []Tensor{v}, "", "the vector has not the %d elements of the container", total)
		}
		from := 0
		parts := make([]Tensor, len(specs))
		for i, s := range specs {
			to := from + s.Shape.Size()
			parts[i] = cast(Reshape(v.At(Range(from, to)), s.Shape...).named(s), s.DType)
			from = to
		}
		return fill(op, p, parts)
	}
}

// ZerosLikeTree implements tree.ZerosLike.
func ZerosLikeTree[P any](p P) P {
	requirePresent("tree.ZerosLike", p)
	return replace("tree.ZerosLike", p, func(t Tensor) Tensor {
		if t.p == nil {
			return t
		}
		return FullLike(t, 0)
	})
}
