package nx_test

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/go-nx/nx"
)

// tree is a container with everything in it that may hold tensors.
type tree struct {
	T      nx.Tensor
	Slice  []tree
	Array  [2]nx.Tensor
	Map    map[int]*tree
	Named  map[string]nx.Tensor
	Any    any
	ptr    *nx.Tensor
	nested struct{ A, b nx.Tensor }
	Static string
	Skip   nx.Tensor `nx:"-"`
	Nums   []int
}

// randomTree returns a tree with tensors that hold different numbers.
func randomTree(r *rand.Rand, depth int, next *int) tree {
	leaf := func() nx.Tensor {
		if r.IntN(5) == 0 {
			return nx.Tensor{}
		}
		*next++
		return nx.Add(nx.Zeros(nx.Shape{r.IntN(3)}, nx.F32), *next)
	}
	t := tree{T: leaf(), Static: fmt.Sprint(r.IntN(3)), Skip: leaf(), Nums: []int{r.IntN(3)}}
	t.Array = [2]nx.Tensor{leaf(), leaf()}
	t.nested.A, t.nested.b = leaf(), leaf()
	if r.IntN(2) == 0 {
		p := leaf()
		t.ptr = &p
	}
	if r.IntN(2) == 0 {
		t.Named = map[string]nx.Tensor{"x": leaf(), "a": leaf()}
	}
	if depth == 0 {
		return t
	}
	for range r.IntN(3) {
		t.Slice = append(t.Slice, randomTree(r, depth-1, next))
	}
	if r.IntN(2) == 0 {
		t.Map = map[int]*tree{10: nil}
		for i := range r.IntN(2) {
			c := randomTree(r, depth-1, next)
			t.Map[i] = &c
		}
	}
	switch r.IntN(5) {
	case 0:
		t.Any = randomTree(r, depth-1, next)
	case 1:
		c := randomTree(r, depth-1, next)
		t.Any = &c
	case 2:
		t.Any = []any{leaf(), 3, "x"}
	case 3:
		t.Any = leaf()
	}
	return t
}

// shape describes a container with everything but the contents of tensors; the
// tensors by their headers.
func structure(p any) string {
	var b strings.Builder
	dump(&b, reflect.ValueOf(p))
	return b.String()
}

func dump(b *strings.Builder, v reflect.Value) {
	if !v.IsValid() {
		b.WriteString("nil ")
		return
	}
	switch v.Kind() {
	case reflect.Struct:
		if v.Type() == reflect.TypeFor[nx.Tensor]() {
			fmt.Fprintf(b, "%x ", v.Field(1).Pointer())
			return
		}
		for i := range v.NumField() {
			dump(b, v.Field(i))
		}
	case reflect.Slice, reflect.Array:
		fmt.Fprintf(b, "%d[", v.Len())
		for i := range v.Len() {
			dump(b, v.Index(i))
		}
		b.WriteString("]")
	case reflect.Map:
		keys := v.MapKeys()
		slices.SortFunc(keys, func(a, b reflect.Value) int { return strings.Compare(fmt.Sprint(a), fmt.Sprint(b)) })
		for _, k := range keys {
			fmt.Fprintf(b, "%v:", k)
			dump(b, v.MapIndex(k))
		}
	case reflect.Pointer, reflect.Interface:
		if v.IsNil() {
			b.WriteString("nil ")
			return
		}
		fmt.Fprintf(b, "%s ", v.Elem().Type())
		dump(b, v.Elem())
	default:
		fmt.Fprintf(b, "%v ", v)
	}
}

func TestContainersByChance(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for round := range 100 {
		next := 0
		p := randomTree(r, 2, &next)
		before := structure(p)
		identity := func(x nx.Tensor) nx.Tensor { return x }
		if got := structure(nx.Map(identity, p)); got != before {
			t.Fatalf("round %d: the identity changes\n%s\nto\n%s", round, before, got)
		}
		var paths []string
		i := 0
		for path, x := range nx.Leaves(p) {
			paths = append(paths, path)
			i++
			_ = x
		}
		if sorted := slices.Clone(paths); len(slices.Compact(slices.Sorted(slices.Values(sorted)))) != len(paths) {
			t.Fatalf("round %d: a path occurs twice in %v", round, paths)
		}
		i = 0
		nx.MapLeaves(func(path string, x nx.Tensor) nx.Tensor {
			if path != paths[i] {
				t.Errorf("round %d: path %s, want %s", round, path, paths[i])
			}
			i++
			return x
		}, p)
		double := func(p tree) tree { return nx.Map(func(x nx.Tensor) nx.Tensor { return nx.Mul(x, 2) }, p) }
		want := describeTree(double(p))
		if got := describeTree(nx.Map2(func(a, b nx.Tensor) nx.Tensor { return nx.Add(a, b) }, p, p)); got != want {
			t.Errorf("round %d: p + p is\n%s\nnot\n%s", round, got, want)
		}
		if got := describeTree(nx.Jit(double)(p)); got != want {
			t.Errorf("round %d: compiled\n%s\nat once\n%s", round, got, want)
		}
		total := func(p tree) nx.Tensor {
			s := nx.Zeros(nx.Shape{}, nx.F32)
			for _, x := range nx.Leaves(p) {
				s = nx.Add(s, nx.Sum(nx.Mul(x, x)))
			}
			return s
		}
		if got := describeTree(nx.Grad(total)(p)); got != want { // 2x
			t.Errorf("round %d: the gradient is\n%s\nnot\n%s", round, got, want)
		}
		if got := structure(p); got != before {
			t.Fatalf("round %d: the container changed from\n%s\nto\n%s", round, before, got)
		}
	}
}

// TestWritesStayInside: what a traced function writes does not reach the caller.
func TestWritesStayInside(t *testing.T) {
	type params struct {
		W    *nx.Tensor
		List []nx.Tensor
		Map  map[string]nx.Tensor
	}
	w := held(1)
	p := params{&w, []nx.Tensor{held(1)}, map[string]nx.Tensor{"a": held(1)}}
	before := structure(p)
	spoil := func(p params) nx.Tensor {
		*p.W = nx.Add(*p.W, 1)
		p.List[0] = *p.W
		p.Map["a"] = *p.W
		p.Map["b"] = *p.W
		return *p.W
	}
	nx.Jit(spoil)(p)
	nx.Grad(spoil)(p)
	if got := structure(p); got != before {
		t.Errorf("the caller's container changed from\n%s\nto\n%s", before, got)
	}
	f := nx.Jit(func(x nx.Tensor) []nx.Tensor { return []nx.Tensor{x, nx.Exp(x)} })
	a, b := f(w), f(w)
	a[0] = nx.Tensor{}
	if b[0].IsZero() || f(w)[0].IsZero() {
		t.Error("results of two calls share memory")
	}
}

func TestLeafPaths(t *testing.T) {
	type layer struct{ W, B nx.Tensor }
	type model struct {
		Layers []layer
		Heads  map[string]layer
		Tail   *layer
		x      any
	}
	m := model{Layers: make([]layer, 2), Heads: map[string]layer{"b": {W: held(1)}, "a": {B: held(1)}},
		Tail: &layer{W: held(1)}, x: layer{B: held(1)}}
	m.Layers[1].W = held(1)
	var got []string
	for path := range nx.Leaves(m) {
		got = append(got, path)
	}
	if want := []string{"Layers[1].W", "Heads[a].B", "Heads[b].W", "Tail.W", "x.B"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	for path := range nx.Leaves(held(1)) {
		if path != "the value" {
			t.Errorf("got %q", path)
		}
	}
	for range nx.Leaves(m) {
		break
	}
	z := nx.ZerosLike(m)
	if got := nx.Item[int](z.Layers[1].W); got != 0 || !z.Layers[0].W.IsZero() {
		t.Errorf("got %v", got)
	}
}
