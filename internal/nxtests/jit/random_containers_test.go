package jit_test

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/go-nx/nx"
	"github.com/go-nx/nx/internal/nxtests/kit"
	"github.com/go-nx/nx/tree"
)

// anyTree is a container with everything in it that may hold tensors.
type anyTree struct {
	T      nx.Tensor
	Slice  []anyTree
	Array  [2]nx.Tensor
	Map    map[int]*anyTree
	Named  map[string]nx.Tensor
	Any    any
	ptr    *nx.Tensor
	nested struct{ A, b nx.Tensor }
	Static string
	Skip   nx.Tensor `nx:"-"`
	Nums   []int
}

// randomTree returns a tree with tensors that hold different numbers.
func randomTree(r *rand.Rand, depth int, next *int) anyTree {
	leaf := func() nx.Tensor {
		if r.IntN(5) == 0 {
			return nx.Tensor{}
		}
		*next++
		return nx.Add(nx.Zeros(nx.Shape{r.IntN(3)}, nx.F32), *next)
	}
	t := anyTree{T: leaf(), Static: fmt.Sprint(r.IntN(3)), Skip: leaf(), Nums: []int{r.IntN(3)}}
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
		t.Map = map[int]*anyTree{10: nil}
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
		if got := structure(tree.Map(identity, p)); got != before {
			t.Fatalf("round %d: the identity changes\n%s\nto\n%s", round, before, got)
		}
		var paths []string
		i := 0
		for path, x := range tree.Leaves(p) {
			paths = append(paths, path)
			i++
			_ = x
		}
		if sorted := slices.Clone(paths); len(slices.Compact(slices.Sorted(slices.Values(sorted)))) != len(paths) {
			t.Fatalf("round %d: a path occurs twice in %v", round, paths)
		}
		i = 0
		tree.MapLeaves(func(path string, x nx.Tensor) nx.Tensor {
			if path != paths[i] {
				t.Errorf("round %d: path %s, want %s", round, path, paths[i])
			}
			i++
			return x
		}, p)
		double := func(p anyTree) anyTree { return tree.Map(func(x nx.Tensor) nx.Tensor { return nx.Mul(x, 2) }, p) }
		want := kit.DescribeTree(double(p))
		sum := tree.Map2(func(a, b nx.Tensor) nx.Tensor { return nx.Add(a, b) }, p, p)
		if got := kit.DescribeTree(sum); got != want {
			t.Errorf("round %d: p + p is\n%s\nnot\n%s", round, got, want)
		}
		if got := kit.DescribeTree(nx.Jit(double)(p)); got != want {
			t.Errorf("round %d: compiled\n%s\nat once\n%s", round, got, want)
		}
		total := func(p anyTree) nx.Tensor {
			s := nx.Zeros(nx.Shape{}, nx.F32)
			for _, x := range tree.Leaves(p) {
				s = nx.Add(s, nx.Sum(nx.Mul(x, x)))
			}
			return s
		}
		if got := kit.DescribeTree(nx.Grad(total)(p)); got != want { // 2x
			t.Errorf("round %d: the gradient is\n%s\nnot\n%s", round, got, want)
		}
		if got := structure(p); got != before {
			t.Fatalf("round %d: the container changed from\n%s\nto\n%s", round, before, got)
		}
	}
}
