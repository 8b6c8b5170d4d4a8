package nx

import (
	"fmt"
	"iter"
	"reflect"
	"sort"
	"strings"
	"sync"
	"unsafe"

	"github.com/go-nx/nx/diag"
)

// A container is any tree of structs, slices, arrays, maps and pointers with
// tensors as leaves. A field tagged `nx:"-"` is skipped. All other leaves are
// static: part of the type, so to speak.

var tensorType = reflect.TypeFor[Tensor]()

// maxDepth bounds containers: a pointer cycle would go on for ever.
const maxDepth = 100

// holdsTensors caches which types can contain tensors.
var holdsTensors sync.Map // reflect.Type → bool

func mayHold(t reflect.Type) bool {
	if v, ok := holdsTensors.Load(t); ok {
		return v.(bool)
	}
	r := holds(t, map[reflect.Type]bool{})
	holdsTensors.Store(t, r)
	return r
}

func holds(t reflect.Type, seen map[reflect.Type]bool) bool {
	if t == tensorType {
		return true
	}
	if seen[t] {
		return false
	}
	seen[t] = true
	switch t.Kind() {
	case reflect.Struct:
		for i := range t.NumField() {
			if f := t.Field(i); f.Tag.Get("nx") != "-" && holds(f.Type, seen) {
				return true
			}
		}
	case reflect.Slice, reflect.Array, reflect.Map, reflect.Pointer:
		return holds(t.Elem(), seen)
	case reflect.Interface:
		return true // what it holds decides
	}
	return false
}

// walker visits a container.
type walker struct {
	op     string
	leaf   func(path string, t Tensor)
	static func(path string, v reflect.Value) // nil to ignore static leaves
	path   []string
}

func (w *walker) at() string {
	if len(w.path) == 0 {
		return "the value"
	}
	return strings.TrimPrefix(strings.Join(w.path, ""), ".")
}

func (w *walker) walk(v reflect.Value) {
	if len(w.path) > maxDepth {
		fail(ErrContainer, w.op, "does it point to itself?", "the container is nested more than %d deep at %s", maxDepth, w.at()[:40])
	}
	if v.Type() == tensorType {
		w.leaf(w.at(), *(*Tensor)(addressOf(v)))
		return
	}
	if !mayHold(v.Type()) {
		if w.static != nil {
			w.static(w.at(), v)
		}
		return
	}
	switch v.Kind() {
	case reflect.Struct:
		for i := range v.NumField() {
			f := v.Type().Field(i)
			if f.Tag.Get("nx") != "-" {
				w.in("."+f.Name, field(v, i))
			}
		}
	case reflect.Slice, reflect.Array:
		if w.static != nil && v.Kind() == reflect.Slice {
			w.static(w.at()+" (length)", reflect.ValueOf(v.Len()))
		}
		for i := range v.Len() {
			w.in(fmt.Sprintf("[%d]", i), v.Index(i))
		}
	case reflect.Map:
		for _, k := range sortedKeys(v) {
			if w.static != nil {
				w.static(w.at()+" (key)", k)
			}
			w.in(fmt.Sprintf("[%v]", k), v.MapIndex(k))
		}
	case reflect.Pointer, reflect.Interface:
		if w.static != nil {
			w.static(w.at()+" (nil)", reflect.ValueOf(v.IsNil()))
		}
		if !v.IsNil() {
			w.in("", v.Elem())
		}
	}
}

func (w *walker) in(name string, v reflect.Value) {
	w.path = append(w.path, name)
	w.walk(v)
	w.path = w.path[:len(w.path)-1]
}

// field returns field i of a struct so that it can be read and set, exported
// or not. The struct is copied when it is not addressable.
func field(v reflect.Value, i int) reflect.Value {
	if !v.CanAddr() {
		c := reflect.New(v.Type()).Elem()
		c.Set(v)
		v = c
	}
	f := v.Field(i)
	return reflect.NewAt(f.Type(), unsafe.Pointer(f.UnsafeAddr())).Elem()
}

// addressOf returns a pointer to the value of v.
func addressOf(v reflect.Value) unsafe.Pointer {
	if v.CanAddr() {
		return unsafe.Pointer(v.UnsafeAddr())
	}
	c := reflect.New(v.Type())
	c.Elem().Set(v)
	return c.UnsafePointer()
}

func sortedKeys(m reflect.Value) []reflect.Value {
	keys := m.MapKeys()
	sort.Slice(keys, func(i, j int) bool {
		a, b := keys[i], keys[j]
		switch {
		case a.CanInt():
			return a.Int() < b.Int()
		case a.CanUint():
			return a.Uint() < b.Uint()
		case a.CanFloat():
			return a.Float() < b.Float()
		}
		return fmt.Sprint(a) < fmt.Sprint(b)
	})
	return keys
}

// leaves returns the tensors of a container in order, absent ones included.
func leaves(op string, p any) []Tensor {
	var out []Tensor
	eachLeaf(op, p, func(_ string, t Tensor) { out = append(out, t) })
	return out
}

func eachLeaf(op string, p any, leaf func(path string, t Tensor)) {
	if t, ok := p.(Tensor); ok {
		leaf("the value", t)
		return
	}
	if v := reflect.ValueOf(p); v.IsValid() {
		(&walker{op: op, leaf: leaf}).walk(v)
	}
}

// replace returns a copy of a container with other leaves, taken in order.
// Nothing that p points to is shared where it holds tensors.
func replace[P any](p P, next func(old Tensor) Tensor) P {
	if t, ok := any(p).(Tensor); ok {
		return any(next(t)).(P)
	}
	v := reflect.New(reflect.TypeFor[P]()).Elem()
	v.Set(reflect.ValueOf(&p).Elem())
	replaceIn(v, next)
	return v.Interface().(P)
}

// replaceIn replaces the leaves of an addressable value.
func replaceIn(v reflect.Value, next func(old Tensor) Tensor) {
	if v.Type() == tensorType {
		p := (*Tensor)(unsafe.Pointer(v.UnsafeAddr()))
		*p = next(*p)
		return
	}
	if !mayHold(v.Type()) {
		return
	}
	switch v.Kind() {
	case reflect.Struct:
		for i := range v.NumField() {
			if v.Type().Field(i).Tag.Get("nx") != "-" {
				replaceIn(field(v, i), next)
			}
		}
	case reflect.Array:
		for i := range v.Len() {
			replaceIn(v.Index(i), next)
		}
	case reflect.Slice:
		if v.IsNil() {
			return
		}
		c := reflect.MakeSlice(v.Type(), v.Len(), v.Len())
		reflect.Copy(c, v)
		for i := range c.Len() {
			replaceIn(c.Index(i), next)
		}
		v.Set(c)
	case reflect.Map:
		if v.IsNil() {
			return
		}
		c := reflect.MakeMapWithSize(v.Type(), v.Len())
		for _, k := range sortedKeys(v) {
			e := reflect.New(v.Type().Elem()).Elem()
			e.Set(v.MapIndex(k))
			replaceIn(e, next)
			c.SetMapIndex(k, e)
		}
		v.Set(c)
	case reflect.Pointer, reflect.Interface:
		if v.IsNil() {
			return
		}
		e := reflect.New(v.Elem().Type())
		e.Elem().Set(v.Elem())
		replaceIn(e.Elem(), next)
		if v.Kind() == reflect.Pointer {
			v.Set(e)
		} else {
			v.Set(e.Elem())
		}
	}
}

// staticsOf returns the static leaves of a container as a cache key. A leaf
// that cannot be compared is an error by its path.
func staticsOf(op string, p reflect.Value) string {
	var b strings.Builder
	w := &walker{op: op, leaf: func(string, Tensor) {}}
	w.static = func(path string, v reflect.Value) {
		switch v.Kind() {
		case reflect.Func, reflect.Chan, reflect.UnsafePointer, reflect.Pointer:
			fmt.Fprintf(&b, "%s=%x;", path, v.Pointer())
			return
		case reflect.Slice, reflect.Map:
			fail(ErrContainer, op, `tag the field nx:"-" when it does not matter, or pass a tensor`, "%s is a %s, which cannot be part of a cache key", path, v.Type())
		}
		fmt.Fprintf(&b, "%s=%#v;", path, readable(v))
	}
	if p.Type() != tensorType {
		w.walk(p)
	}
	return b.String()
}

// readable returns the value of v, exported or not.
func readable(v reflect.Value) any {
	if v.CanInterface() {
		return v.Interface()
	}
	return reflect.NewAt(v.Type(), addressOf(v)).Elem().Interface()
}

// Map applies f to every tensor of a container; absent ones stay absent.
func Map[P any](f func(Tensor) Tensor, p P) P {
	return replace(p, func(t Tensor) Tensor {
		if t.p == nil {
			return t
		}
		return f(t)
	})
}

// Map2 applies f to the pairs of tensors at the same places of two containers.
func Map2[P any](f func(a, b Tensor) Tensor, p, q P) P {
	other := leaves("Map2", q)
	if n := len(leaves("Map2", p)); n != len(other) {
		panic(newError(ErrContainer, "Map2", nil, "", "the containers have %d and %d tensors", n, len(other)))
	}
	i := -1
	return replace(p, func(a Tensor) Tensor {
		i++
		if a.p == nil || other[i].p == nil {
			return Tensor{}
		}
		return f(a, other[i])
	})
}

// ZerosLike returns a container of zeros of the same types.
func ZerosLike[P any](p P) P { return Map(func(t Tensor) Tensor { return FullLike(t, 0) }, p) }

// Release frees the memory of the tensors of containers, without waiting for
// the garbage collector. Any later use of them is an error that names the place
// of the release; a tensor released before stays so.
func Release(trees ...any) {
	gone := &taken{"released", diag.Stack()}
	for _, p := range trees {
		eachLeaf("Release", p, func(_ string, t Tensor) {
			if t.p != nil && t.p.buf != nil && t.p.buf.giveUp(gone) {
				t.p.buf.buf.Release()
			}
		})
	}
}

// Leaves yields the tensors of a container with their paths, such as
// Layers[0].W; absent ones are left out.
func Leaves(p any) iter.Seq2[string, Tensor] {
	return func(yield func(string, Tensor) bool) {
		stop := false
		eachLeaf("Leaves", p, func(path string, t Tensor) {
			if t.p != nil && !stop {
				stop = !yield(path, t)
			}
		})
	}
}

// MapLeaves is [Map] of a function that also gets the path of each tensor.
func MapLeaves[P any](f func(path string, t Tensor) Tensor, p P) P {
	var paths []string
	eachLeaf("MapLeaves", p, func(path string, _ Tensor) { paths = append(paths, path) })
	i := -1
	return replace(p, func(t Tensor) Tensor {
		if i++; t.p == nil {
			return t
		}
		return f(paths[i], t)
	})
}
