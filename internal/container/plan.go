// Package container walks trees of Go values: structs, slices, arrays, maps, pointers and interfaces with
// leaves of one type. A field with the tag "-" is skipped. All other values in a tree are static: part of
// its type, so to speak.
package container

import (
	"reflect"
	"sync"
)

// Plan describes how to walk the values of a Go type: the positions of its leaves and static values.
type Plan struct {
	t      reflect.Type
	kind   planKind
	holds  bool // leaves, or an interface, which may hold some
	fields []fieldPlan
	elem   *Plan // of a slice, an array, a pointer, a map
	key    *Plan // of a map
}

type fieldPlan struct {
	name   string
	offset uintptr
	*Plan
}

type planKind uint8

const (
	leafPlan      planKind = iota
	bytesPlan              // numbers and bools: the bytes are the value
	stringPlan             //
	identityPlan           // functions, channels, pointers without leaves: compared by address
	structPlan             //
	slicePlan              //
	arrayPlan              //
	mapPlan                //
	pointerPlan            //
	interfacePlan          //
)

// Plans makes the plans of types, each once. It is safe for concurrent use.
type Plans struct {
	leaf  reflect.Type
	tag   string
	plans sync.Map // reflect.Type → *Plan
}

// NewPlans returns the plans of trees whose leaves have a type; tag is the key of the tag by which fields
// are skipped.
func NewPlans(leaf reflect.Type, tag string) *Plans { return &Plans{leaf: leaf, tag: tag} }

// IsLeaf reports whether values of a type are leaves: the type is that of the leaves, or defined by it.
func (ps *Plans) IsLeaf(t reflect.Type) bool {
	return t == ps.leaf || t.Kind() == ps.leaf.Kind() && t.ConvertibleTo(ps.leaf)
}

// Of returns the plan of a type.
func (ps *Plans) Of(t reflect.Type) *Plan {
	if p, ok := ps.plans.Load(t); ok {
		return p.(*Plan)
	}
	plans := map[reflect.Type]*Plan{}
	p := ps.newPlan(t, plans)
	for t, p := range plans {
		ps.plans.LoadOrStore(t, p)
	}
	return p
}

// newPlan makes the plan of a type; those under construction are in made, which
// ends the recursion of recursive types.
func (ps *Plans) newPlan(t reflect.Type, made map[reflect.Type]*Plan) *Plan {
	if p := made[t]; p != nil {
		return p
	}
	p := &Plan{t: t, holds: ps.holdsLeaves(t, map[reflect.Type]bool{})}
	made[t] = p
	switch k := t.Kind(); {
	case ps.IsLeaf(t):
		p.kind = leafPlan
	case k == reflect.String:
		p.kind = stringPlan
	case k == reflect.Struct:
		p.kind = structPlan
		for i := range t.NumField() {
			f := t.Field(i)
			if f.Tag.Get(ps.tag) != "-" && f.Type.Size() > 0 {
				p.fields = append(p.fields, fieldPlan{"." + f.Name, f.Offset, ps.newPlan(f.Type, made)})
			}
		}
	case k == reflect.Slice:
		p.kind, p.elem = slicePlan, ps.newPlan(t.Elem(), made)
	case k == reflect.Array:
		p.kind, p.elem = arrayPlan, ps.newPlan(t.Elem(), made)
	case k == reflect.Map:
		p.kind, p.elem, p.key = mapPlan, ps.newPlan(t.Elem(), made), ps.newPlan(t.Key(), made)
	case k == reflect.Pointer && p.holds:
		p.kind, p.elem = pointerPlan, ps.newPlan(t.Elem(), made)
	case k == reflect.Interface:
		p.kind = interfacePlan
	case k == reflect.Func, k == reflect.Chan, k == reflect.UnsafePointer, k == reflect.Pointer:
		p.kind = identityPlan
	default:
		p.kind = bytesPlan
	}
	return p
}

// holdsLeaves reports whether values of a type may contain leaves.
func (ps *Plans) holdsLeaves(t reflect.Type, seen map[reflect.Type]bool) bool {
	if ps.IsLeaf(t) {
		return true
	}
	if seen[t] {
		return false
	}
	seen[t] = true
	switch t.Kind() {
	case reflect.Struct:
		for i := range t.NumField() {
			if f := t.Field(i); f.Tag.Get(ps.tag) != "-" && ps.holdsLeaves(f.Type, seen) {
				return true
			}
		}
	case reflect.Slice, reflect.Array, reflect.Map, reflect.Pointer:
		return ps.holdsLeaves(t.Elem(), seen)
	case reflect.Interface:
		return true // depends on its dynamic value
	}
	return false
}

// IsLeaf reports whether values are leaves.
func (p *Plan) IsLeaf() bool { return p.kind == leafPlan }

// IsLeaves reports whether values are slices of leaves.
func (p *Plan) IsLeaves() bool { return p.kind == slicePlan && p.elem.kind == leafPlan }
