package container_test

import (
	"fmt"
	"reflect"
	"slices"
	"testing"
	"unsafe"

	"github.com/go-nx/nx/internal/container"
)

// leaf is the type of the leaves of these trees.
type leaf struct{ n int }

type tree struct {
	A      leaf
	Skip   leaf `walk:"-"`
	Name   string
	List   []leaf
	Named  map[string]*leaf
	Any    any
	Deeper *tree
}

var plans = container.NewPlans(reflect.TypeFor[leaf](), "walk")

func walk(w *container.Walker[leaf], t *tree) {
	w.Plans = plans
	w.Walk(plans.Of(reflect.TypeFor[tree]()), unsafe.Pointer(t))
}

func newTree() *tree {
	return &tree{A: leaf{1}, Skip: leaf{9}, Name: "x", List: []leaf{{2}, {3}},
		Named: map[string]*leaf{"z": {5}, "b": {4}}, Any: [1]leaf{{6}}, Deeper: &tree{A: leaf{7}}}
}

// Leaves come in the order of fields and keys, each with its path.
func TestLeaves(t *testing.T) {
	var got []string
	w := &container.Walker[leaf]{}
	w.Leaf = func(x *leaf) { got = append(got, fmt.Sprintf("%s=%d", w.Path(), x.n)) }
	walk(w, newTree())
	want := []string{"A=1", "List[0]=2", "List[1]=3", "Named[b]=4", "Named[z]=5", "Any[0]=6", "Deeper.A=7"}
	if !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

// A walk that replaces leaves copies their containers first.
func TestReplace(t *testing.T) {
	old := newTree()
	changed := *old
	walk(&container.Walker[leaf]{Replace: true, Leaf: func(x *leaf) { x.n *= 10 }}, &changed)
	if !reflect.DeepEqual(old, newTree()) {
		t.Errorf("the tree itself changed: %+v", old)
	}
	got := []int{changed.A.n, changed.Skip.n, changed.List[1].n, changed.Named["b"].n, changed.Any.([1]leaf)[0].n,
		changed.Deeper.A.n}
	if want := []int{10, 9, 30, 40, 60, 70}; !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}

// Trees with the same static values have the same key, whatever their leaves are.
func TestStaticValues(t *testing.T) {
	key := func(change func(t *tree)) string {
		x := newTree()
		change(x)
		w := &container.Walker[leaf]{Statics: true, Leaf: func(*leaf) {}}
		walk(w, x)
		return string(w.Key)
	}
	same := key(func(*tree) {})
	for _, c := range []struct {
		name   string
		change func(t *tree)
		equal  bool
	}{
		{"another leaf", func(t *tree) { t.List[0].n = 8 }, true},
		{"a field left out", func(t *tree) { t.Skip.n = 8 }, true},
		{"another text", func(t *tree) { t.Name = "y" }, false},
		{"a longer list", func(t *tree) { t.List = append(t.List, leaf{}) }, false},
		{"another key", func(t *tree) { t.Named["c"] = &leaf{} }, false},
		{"no pointer", func(t *tree) { t.Deeper = nil }, false},
		{"another type", func(t *tree) { t.Any = leaf{} }, false},
	} {
		if got := key(c.change) == same; got != c.equal {
			t.Errorf("%s: the key is the same: %v", c.name, got)
		}
	}
}

// A tree that contains itself ends the walk.
func TestTooDeep(t *testing.T) {
	x := newTree()
	x.Deeper = x
	defer func() {
		if r := recover(); r != "f: Deeper.Deeper" {
			t.Errorf("%v", r)
		}
	}()
	walk(&container.Walker[leaf]{Op: "f", Leaf: func(*leaf) {},
		TooDeep: func(op, path string) { panic(op + ": " + path) }}, x)
}
