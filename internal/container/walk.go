package container

import (
	"cmp"
	"fmt"
	"reflect"
	"sort"
	"strconv"
	"strings"
	"unsafe"
)

// Walker visits the leaves of a tree, which have type T.
type Walker[T any] struct {
	Plans *Plans
	Leaf  func(t *T)
	// LeafType is the Go type of the leaf that Leaf was called with: T, or a type defined by it.
	LeafType reflect.Type
	// TooDeep is called, with Op, for a tree deeper than 100 levels; it must panic.
	TooDeep func(op, path string)
	Op      string
	// Statics makes the walk append a key of the static values to Key, and the addresses in it to Pins, which
	// prevents their reuse.
	Statics bool
	Key     []byte
	Pins    []unsafe.Pointer
	Static  func(v reflect.Value) // called for each static value, when not nil
	// Replace makes the walk copy shared containers before it descends, so that Leaf may change the leaves of
	// its argument's tree.
	Replace bool
	path    []pathStep
}

// pathStep is a step from a container to a part of it.
type pathStep struct {
	name string // of a field, or
	key  reflect.Value
	i    int
}

// MaxDepth bounds trees: a pointer cycle would continue for ever.
const MaxDepth = 100

// Path returns the path to the current value, such as Layers[0].W.
func (w *Walker[T]) Path() string { return pathText(w.path) }

// AtRoot reports whether the current value is the root of the tree.
func (w *Walker[T]) AtRoot() bool { return len(w.path) == 0 }

// Reset forgets the key, for the next walk.
func (w *Walker[T]) Reset() {
	clear(w.Pins)
	w.Key, w.Pins, w.path = w.Key[:0], w.Pins[:0], w.path[:0]
}

func pathText(path []pathStep) string {
	var b strings.Builder
	for _, s := range path {
		switch {
		case s.name != "":
			b.WriteString(s.name)
		case s.key.IsValid():
			fmt.Fprintf(&b, "[%v]", s.key)
		case s.i >= 0:
			b.WriteString("[" + strconv.Itoa(s.i) + "]")
		}
	}
	if b.Len() == 0 {
		return "the value"
	}
	return strings.TrimPrefix(b.String(), ".")
}

func (w *Walker[T]) into(s pathStep, p *Plan, at unsafe.Pointer) {
	if len(w.path) >= MaxDepth {
		w.TooDeep(w.Op, pathText(w.path[:4]))
	}
	w.path = append(w.path, s)
	w.Walk(p, at)
	w.path = w.path[:len(w.path)-1]
}

// Walk visits the value of type p.t at an address.
func (w *Walker[T]) Walk(p *Plan, at unsafe.Pointer) {
	if !p.holds && !w.Statics {
		return
	}
	switch p.kind {
	case leafPlan:
		w.LeafType = p.t
		w.Leaf((*T)(at))
	case structPlan:
		for i := range p.fields {
			f := &p.fields[i]
			w.into(pathStep{name: f.name}, f.Plan, unsafe.Add(at, f.offset))
		}
	case arrayPlan:
		w.elements(p.elem, at, p.t.Len())
	case slicePlan:
		w.slice(p, at)
	case mapPlan:
		w.mapping(p, reflect.NewAt(p.t, at).Elem())
	case pointerPlan:
		w.pointer(p, (*unsafe.Pointer)(at))
	case interfacePlan:
		w.dynamic(reflect.NewAt(p.t, at).Elem())
	default:
		w.staticValue(p, at)
	}
}

// staticValue appends a static value to the key.
func (w *Walker[T]) staticValue(p *Plan, at unsafe.Pointer) {
	switch p.kind {
	case bytesPlan:
		w.Key = append(w.Key, unsafe.Slice((*byte)(at), p.t.Size())...)
	case stringPlan:
		s := *(*string)(at)
		w.number(len(s))
		w.Key = append(w.Key, s...)
	case identityPlan:
		w.Address(*(*unsafe.Pointer)(at))
	}
	if w.Static != nil {
		w.Static(reflect.NewAt(p.t, at).Elem())
	}
}

// number appends a number to the key.
func (w *Walker[T]) number(n int) {
	if w.Statics {
		w.Key = append(w.Key, unsafe.Slice((*byte)(unsafe.Pointer(&n)), unsafe.Sizeof(n))...)
	}
}

// Address appends an address to the key.
func (w *Walker[T]) Address(p unsafe.Pointer) {
	w.number(int(uintptr(p)))
	if w.Statics && p != nil {
		w.Pins = append(w.Pins, p)
	}
}

func (w *Walker[T]) elements(elem *Plan, at unsafe.Pointer, n int) {
	if elem.kind == bytesPlan && w.Static == nil {
		w.Key = append(w.Key, unsafe.Slice((*byte)(at), uintptr(n)*elem.t.Size())...)
		return
	}
	for i := range n {
		w.into(pathStep{i: i}, elem, unsafe.Add(at, uintptr(i)*elem.t.Size()))
	}
}

func (w *Walker[T]) slice(p *Plan, at unsafe.Pointer) {
	v := reflect.NewAt(p.t, at).Elem()
	n := v.Len()
	if v.IsNil() {
		n = -1 // nil and empty differ for functions
	}
	w.number(n)
	if n <= 0 {
		return
	}
	if w.Replace {
		c := reflect.MakeSlice(p.t, n, n)
		reflect.Copy(c, v)
		v.Set(c)
	}
	w.elements(p.elem, v.UnsafePointer(), n)
}

func (w *Walker[T]) mapping(p *Plan, m reflect.Value) {
	w.number(m.Len())
	if m.Len() == 0 {
		return
	}
	var c reflect.Value
	if w.Replace {
		c = reflect.MakeMapWithSize(p.t, m.Len())
	}
	for _, e := range sortedEntries(m) {
		if w.Statics {
			key := reflect.New(p.t.Key())
			key.Elem().Set(e.key)
			w.into(pathStep{name: " (key)", i: -1}, p.key, key.UnsafePointer())
		}
		elem := reflect.New(p.t.Elem())
		elem.Elem().Set(e.elem)
		w.into(pathStep{key: e.key}, p.elem, elem.UnsafePointer())
		if w.Replace {
			c.SetMapIndex(e.key, elem.Elem())
		}
	}
	if w.Replace {
		m.Set(c)
	}
}

func (w *Walker[T]) pointer(p *Plan, at *unsafe.Pointer) {
	if *at == nil {
		w.number(0)
		return
	}
	w.number(1)
	if w.Replace {
		c := reflect.New(p.t.Elem())
		c.Elem().Set(reflect.NewAt(p.t.Elem(), *at).Elem())
		*at = c.UnsafePointer()
	}
	w.into(pathStep{i: -1}, p.elem, *at)
}

// dynamic visits the value of an interface.
func (w *Walker[T]) dynamic(v reflect.Value) {
	if v.IsNil() {
		w.number(0)
		return
	}
	p := w.Plans.Of(v.Elem().Type())
	w.Address(reflect.ValueOf(p.t).UnsafePointer())
	if !p.holds && !w.Statics {
		return
	}
	c := reflect.New(p.t)
	c.Elem().Set(v.Elem())
	w.into(pathStep{i: -1}, p, c.UnsafePointer())
	if w.Replace && p.holds {
		v.Set(c.Elem())
	}
}

type entry struct{ key, elem reflect.Value }

// sortedEntries returns the entries of a map in the order of their keys.
func sortedEntries(m reflect.Value) []entry {
	var out []entry
	for it := m.MapRange(); it.Next(); {
		out = append(out, entry{it.Key(), it.Value()})
	}
	sort.SliceStable(out, func(i, j int) bool { return compareKeys(out[i].key, out[j].key) < 0 })
	return out
}

func compareKeys(a, b reflect.Value) int {
	switch {
	case a.CanInt():
		return cmp.Compare(a.Int(), b.Int())
	case a.CanUint():
		return cmp.Compare(a.Uint(), b.Uint())
	case a.CanFloat():
		return cmp.Compare(a.Float(), b.Float())
	case a.Kind() == reflect.String:
		return cmp.Compare(a.String(), b.String())
	}
	return cmp.Compare(fmt.Sprint(a), fmt.Sprint(b))
}
