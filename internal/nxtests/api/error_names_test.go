package api_test

import (
	"errors"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/go-nx/nx"
	"github.com/go-nx/nx/internal/nxtests/kit"
)

// TestErrorsNameTheFunction calls each function with tensors that do not go together, by names,
// shapes, types and vectorised axes: its errors have the name that was called, not that of a
// function it is made of.
func TestErrorsNameTheFunction(t *testing.T) {
	matrix := nx.Reshape(nx.Iota(nx.Shape{12}, nx.F32), 3, 4)
	square := nx.Reshape(nx.Iota(nx.Shape{16}, nx.F32), 4, 4)
	pool := func() []nx.Tensor {
		return []nx.Tensor{
			nx.Rename(square, "r", "c"), nx.Rename(square, "c", "r"), nx.Rename(square, "r", ""), matrix,
			nx.Transpose(matrix),
			nx.Greater(square, 3), nx.Cast(square, nx.C64), nx.Cast(square, nx.S32), nx.Cast(square, nx.F8E5M2),
			nx.Iota(nx.Shape{5}, nx.S32), nx.New(2), {}, nx.Vectorize(square, "v"),
			nx.Rename(nx.Vectorize(matrix, "v"), "c"), nx.Zeros(nx.Shape{0, 4}, nx.F32),
		}
	}
	// These call functions of others: of the user, of a mesh.
	ofOthers := slices.Concat(notEveryOp["they run on a mesh"], notEveryOp["they take functions"])
	tensor, list := reflect.TypeFor[nx.Tensor](), reflect.TypeFor[[]nx.Tensor]()
	for name, forms := range reachable {
		typ := reflect.TypeOf(forms[0])
		if strings.Contains(name, ".") || slices.Contains(ofOthers, name) {
			continue
		}
		var tensors []int // which arguments are such
		others := map[int][]reflect.Value{}
		params := typ.NumIn()
		if typ.IsVariadic() && typ.In(params-1) != list {
			params-- // options
		}
		known := true
		for i := range params {
			switch in := typ.In(i); in {
			case tensor, list:
				tensors = append(tensors, i)
			default:
				others[i] = argumentsOf(in)
				known = known && others[i] != nil
			}
		}
		if len(tensors) == 0 || !known {
			continue
		}
		said := map[string]bool{}
		pool := pool() // some functions take their operands away
		draws := len(pool)
		if len(tensors) > 1 || slices.ContainsFunc(tensors, func(i int) bool { return typ.In(i) == list }) {
			draws *= len(pool)
		}
		if len(others) > 0 {
			draws *= 2
		}
		for draw := range draws {
			args := make([]reflect.Value, params)
			at := draw
			pick := func() nx.Tensor {
				x := pool[at%len(pool)]
				at /= len(pool)
				return x
			}
			for i := range args {
				switch {
				case others[i] != nil:
					args[i] = others[i][draw%len(others[i])]
				case typ.In(i) == list:
					args[i] = reflect.ValueOf([]nx.Tensor{pick(), pick()})
				default:
					args[i] = reflect.ValueOf(pick())
				}
			}
			call := func() {
				if typ.IsVariadic() && params == typ.NumIn() {
					reflect.ValueOf(forms[0]).CallSlice(args)
				} else {
					reflect.ValueOf(forms[0]).Call(args)
				}
			}
			err := kit.Caught(call)
			var e *nx.Error
			if errors.As(err, &e) && e.Op != name && !said[e.Op] {
				said[e.Op] = true
				t.Errorf("%s: the error names %q: %v", name, e.Op, strings.SplitN(e.Error(), "\n", 3))
			}
		}
	}
}

// argumentsOf returns arguments of a type other than tensors, nil of one that has none.
func argumentsOf(t reflect.Type) []reflect.Value {
	var values []any
	switch t {
	case reflect.TypeFor[nx.DType]():
		values = []any{nx.S32, nx.F32}
	case reflect.TypeFor[[]int]():
		values = []any{[]int{2}, []int{2, 2}, []int{-1, 7}}
	case reflect.TypeFor[[][]int](), reflect.TypeFor[[2]int]():
		return []reflect.Value{reflect.Zero(t)}
	case reflect.TypeFor[string]():
		values = []any{"ij,jk->ik", "ij,ij,i", "a"}
	case reflect.TypeFor[nx.DotDims]():
		values = []any{nx.DotDims{ContractA: []int{1}, ContractB: []int{0}}, nx.DotDims{BatchA: []int{0}}}
	default:
		switch t.Kind() {
		case reflect.Int:
			values = []any{0, 1, 3, -2}
		case reflect.Float64:
			values = []any{0.5, -2.0}
		case reflect.Bool:
			values = []any{true, false}
		}
	}
	var out []reflect.Value
	for _, v := range values {
		out = append(out, reflect.ValueOf(v))
	}
	slices.Reverse(out)
	return out
}
