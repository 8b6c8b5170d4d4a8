package nx

import (
	"cmp"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"sync"
	"unsafe"
)

// A container is any tree of structs, slices, arrays, maps, pointers and
// interfaces with tensors as leaves. A field tagged `nx:"-"` is skipped. All
// other leaves are static: part of the type, so to speak.

// plan says how to walk the values of a Go type: where its tensors and its
// static leaves lie.
type plan struct {
	t      reflect.Type
	kind   planKind
	holds  bool // tensors, or an interface, which may hold some
	fields []fieldPlan
	elem   *plan // of a slice, an array, a pointer, a map
	key    *plan // of a map
}

type fieldPlan struct {
	name   string
	offset uintptr
	*plan
}

type planKind uint8

const (
	tensorPlan    planKind = iota
	bytesPlan              // numbers and bools: the bytes are the value
	stringPlan             //
	identityPlan           // functions, channels, pointers without tensors: compared by address
	structPlan             //
	slicePlan              //
	arrayPlan              //
	mapPlan                //
	pointerPlan            //
	interfacePlan          //
)

var tensorType = reflect.TypeFor[Tensor]()

// plans caches the plans of types.
var plans sync.Map // reflect.Type → *plan

func planOf(t reflect.Type) *plan {
	if p, ok := plans.Load(t); ok {
		return p.(*plan)
	}
	made := map[reflect.Type]*plan{}
	p := newPlan(t, made)
	for t, p := range made {
		plans.LoadOrStore(t, p)
	}
	return p
}

// newPlan makes the plan of a type; those under construction are in made, which
// ends the recursion of recursive types.
func newPlan(t reflect.Type, made map[reflect.Type]*plan) *plan {
	if p := made[t]; p != nil {
		return p
	}
	p := &plan{t: t, holds: holdsTensors(t, map[reflect.Type]bool{})}
	made[t] = p
	switch k := t.Kind(); {
	case t == tensorType:
		p.kind = tensorPlan
	case k == reflect.String:
		p.kind = stringPlan
	case k == reflect.Struct:
		p.kind = structPlan
		for i := range t.NumField() {
			f := t.Field(i)
			if f.Tag.Get("nx") != "-" && f.Type.Size() > 0 {
				p.fields = append(p.fields, fieldPlan{"." + f.Name, f.Offset, newPlan(f.Type, made)})
			}
		}
	case k == reflect.Slice:
		p.kind, p.elem = slicePlan, newPlan(t.Elem(), made)
	case k == reflect.Array:
		p.kind, p.elem = arrayPlan, newPlan(t.Elem(), made)
	case k == reflect.Map:
		p.kind, p.elem, p.key = mapPlan, newPlan(t.Elem(), made), newPlan(t.Key(), made)
	case k == reflect.Pointer && p.holds:
		p.kind, p.elem = pointerPlan, newPlan(t.Elem(), made)
	case k == reflect.Interface:
		p.kind = interfacePlan
	case k == reflect.Func, k == reflect.Chan, k == reflect.UnsafePointer, k == reflect.Pointer:
		p.kind = identityPlan
	default:
		p.kind = bytesPlan
	}
	return p
}

// holdsTensors reports whether values of a type may contain tensors.
func holdsTensors(t reflect.Type, seen map[reflect.Type]bool) bool {
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
			if f := t.Field(i); f.Tag.Get("nx") != "-" && holdsTensors(f.Type, seen) {
				return true
			}
		}
	case reflect.Slice, reflect.Array, reflect.Map, reflect.Pointer:
		return holdsTensors(t.Elem(), seen)
	case reflect.Interface:
		return true // what it holds decides
	}
	return false
}

// walker visits the leaves of a container.
type walker struct {
	op   string
	leaf func(t *Tensor)
	// statics makes the walk append what tells static leaves apart to key, and
	// the addresses in it to pins, which keep them from being used again.
	statics bool
	key     []byte
	pins    []unsafe.Pointer
	static  func(v reflect.Value) // called for each static leaf, when not nil
	// replace makes the walk copy what is shared before it descends, so that
	// leaf may change the tensors of the container it is given.
	replace bool
	path    []pathStep
}

// pathStep is a step from a container to a part of it.
type pathStep struct {
	name string // of a field, or
	key  reflect.Value
	i    int
}

// maxDepth bounds containers: a pointer cycle would go on for ever.
const maxDepth = 100

// at returns the path to the current leaf, such as Layers[0].W.
func (w *walker) at() string { return pathText(w.path) }

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

func (w *walker) into(s pathStep, p *plan, at unsafe.Pointer) {
	if len(w.path) >= maxDepth {
		fail(ErrContainer, w.op, "does it point to itself?", "the container is nested more than %d deep, at %s…",
			maxDepth, pathText(w.path[:4]))
	}
	w.path = append(w.path, s)
	w.walk(p, at)
	w.path = w.path[:len(w.path)-1]
}

// walk visits the value of type p.t that lies at an address.
func (w *walker) walk(p *plan, at unsafe.Pointer) {
	if !p.holds && !w.statics {
		return
	}
	switch p.kind {
	case tensorPlan:
		w.leaf((*Tensor)(at))
	case structPlan:
		for i := range p.fields {
			f := &p.fields[i]
			w.into(pathStep{name: f.name}, f.plan, unsafe.Add(at, f.offset))
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
		w.staticLeaf(p, at)
	}
}

// staticLeaf appends a static leaf to the key.
func (w *walker) staticLeaf(p *plan, at unsafe.Pointer) {
	switch p.kind {
	case bytesPlan:
		w.key = append(w.key, unsafe.Slice((*byte)(at), p.t.Size())...)
	case stringPlan:
		s := *(*string)(at)
		w.number(len(s))
		w.key = append(w.key, s...)
	case identityPlan:
		w.address(*(*unsafe.Pointer)(at))
	}
	if w.static != nil {
		w.static(reflect.NewAt(p.t, at).Elem())
	}
}

// number appends a number to the key.
func (w *walker) number(n int) {
	if w.statics {
		w.key = append(w.key, unsafe.Slice((*byte)(unsafe.Pointer(&n)), unsafe.Sizeof(n))...)
	}
}

// address appends an address to the key.
func (w *walker) address(p unsafe.Pointer) {
	w.number(int(uintptr(p)))
	if w.statics && p != nil {
		w.pins = append(w.pins, p)
	}
}

func (w *walker) elements(elem *plan, at unsafe.Pointer, n int) {
	if elem.kind == bytesPlan && w.static == nil {
		w.key = append(w.key, unsafe.Slice((*byte)(at), uintptr(n)*elem.t.Size())...)
		return
	}
	for i := range n {
		w.into(pathStep{i: i}, elem, unsafe.Add(at, uintptr(i)*elem.t.Size()))
	}
}

func (w *walker) slice(p *plan, at unsafe.Pointer) {
	v := reflect.NewAt(p.t, at).Elem()
	n := v.Len()
	if v.IsNil() {
		n = -1 // a function may tell nil from empty
	}
	w.number(n)
	if n <= 0 {
		return
	}
	if w.replace {
		c := reflect.MakeSlice(p.t, n, n)
		reflect.Copy(c, v)
		v.Set(c)
	}
	w.elements(p.elem, v.UnsafePointer(), n)
}

func (w *walker) mapping(p *plan, m reflect.Value) {
	w.number(m.Len())
	if m.Len() == 0 {
		return
	}
	var c reflect.Value
	if w.replace {
		c = reflect.MakeMapWithSize(p.t, m.Len())
	}
	for _, e := range sortedEntries(m) {
		if w.statics {
			key := reflect.New(p.t.Key())
			key.Elem().Set(e.key)
			w.into(pathStep{name: " (key)", i: -1}, p.key, key.UnsafePointer())
		}
		elem := reflect.New(p.t.Elem())
		elem.Elem().Set(e.elem)
		w.into(pathStep{key: e.key}, p.elem, elem.UnsafePointer())
		if w.replace {
			c.SetMapIndex(e.key, elem.Elem())
		}
	}
	if w.replace {
		m.Set(c)
	}
}

func (w *walker) pointer(p *plan, at *unsafe.Pointer) {
	w.number(b2i(*at != nil))
	if *at == nil {
		return
	}
	if w.replace {
		c := reflect.New(p.t.Elem())
		c.Elem().Set(reflect.NewAt(p.t.Elem(), *at).Elem())
		*at = c.UnsafePointer()
	}
	w.into(pathStep{i: -1}, p.elem, *at)
}

// dynamic visits what an interface holds.
func (w *walker) dynamic(v reflect.Value) {
	if v.IsNil() {
		w.number(0)
		return
	}
	p := planOf(v.Elem().Type())
	w.address(reflect.ValueOf(p.t).UnsafePointer())
	if !p.holds && !w.statics {
		return
	}
	c := reflect.New(p.t)
	c.Elem().Set(v.Elem())
	w.into(pathStep{i: -1}, p, c.UnsafePointer())
	if w.replace && p.holds {
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
	slices.SortStableFunc(out, func(a, b entry) int { return compareKeys(a.key, b.key) })
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
