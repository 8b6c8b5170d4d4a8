package random_test

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/go-nx/nx/cpu"
	"github.com/go-nx/nx/internal/conformance/random"
	"github.com/go-nx/nx/internal/simplify"
	"github.com/go-nx/nx/stablehlo"
)

// TestRandomCalls runs random programs as functions that another calls twice, the second time on results of
// the first where these have the types of arguments: the compiler plans such a function once.
func TestRandomCalls(t *testing.T) {
	t.Setenv("NX_CHECK", "1")
	n := *seeds
	if testing.Short() {
		n = 60
	}
	stay := 0
	for seed := *firstSeed; seed < *firstSeed+n; seed++ {
		p, err := random.New(seed)
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		plain, calls, args, err := calledTwice(p.Module, p.Args)
		if err == nil {
			err = compareAs(plain, calls, args)
		}
		if err != nil {
			t.Errorf("seed %d: %v", seed, err)
			continue
		}
		text, err := cpu.Default().Explain(calls, "main", "simplified")
		if err != nil {
			t.Errorf("seed %d: %v", seed, err)
		}
		if strings.Contains(text, "call @body") {
			stay++
		}
	}
	t.Logf("calls stay in %d of %d programs", stay, n)
	if stay*20 < int(n) {
		t.Errorf("calls stay in %d of %d programs, too few to prove anything", stay, n)
	}
}

// heavy is an unused matmul, which keeps the compiler from inlining calls of a function.
const heavy = `
  %heavy_one = stablehlo.constant dense<1.0> : tensor<f32>
  %heavy = stablehlo.broadcast_in_dim %heavy_one, dims = [] : (tensor<f32>) -> tensor<400x400xf32>
  %heavy_product = stablehlo.dot_general %heavy, %heavy, contracting_dims = [1] x [0] : (tensor<400x400xf32>, tensor<400x400xf32>) -> tensor<400x400xf32>`

// calledTwice returns a program whose @main calls @main of m twice, the same without calls, and arguments for it.
func calledTwice(m *stablehlo.Module, args [][]byte) (plain, calls *stablehlo.Module, doubled [][]byte, err error) {
	f, _ := m.Func("main")
	ins, outs := f.Type().Ins, f.Type().Outs
	var params, first, second, results, types []string
	add := func(prefix string, i int, t stablehlo.Type, data []byte) string {
		name := fmt.Sprintf("%%%s%d", prefix, i)
		params = append(params, name+": "+t.String())
		doubled = append(doubled, data)
		return name
	}
	for i, t := range ins {
		first = append(first, add("a", i, t, args[i]))
	}
	free := make([]int, len(outs)) // results of the first call
	for i := range free {
		free[i] = i
	}
	for i, t := range ins {
		// A result of the first call that is not another argument, or else the argument in another order.
		if at := slices.IndexFunc(free, func(i int) bool { return outs[i].String() == t.String() }); at >= 0 {
			second = append(second, fmt.Sprintf("%%x#%d", free[at]))
			free = slices.Delete(free, at, at+1)
			continue
		}
		size := max(t.(*stablehlo.TensorType).DType().Size(), 1)
		data := slices.Concat(args[i][min(size, len(args[i])):], args[i][:min(size, len(args[i]))])
		second = append(second, add("b", i, t, data))
	}
	for _, call := range []string{"x", "y"} {
		for i, t := range outs {
			results = append(results, fmt.Sprintf("%%%s#%d", call, i))
			types = append(types, t.String())
		}
	}
	list := func(types []stablehlo.Type) string {
		var all []string
		for _, t := range types {
			all = append(all, t.String())
		}
		return "(" + strings.Join(all, ", ") + ")"
	}
	of := " : " + list(ins) + " -> " + list(outs) + "\n"
	count := ":" + strconv.Itoa(len(outs))
	main := "func.func @main(" + strings.Join(params, ", ") + ") -> (" + strings.Join(types, ", ") + ") {\n" +
		"%x" + count + " = call @body(" + strings.Join(first, ", ") + ")" + of +
		"%y" + count + " = call @body(" + strings.Join(second, ", ") + ")" + of +
		"return " + strings.Join(results, ", ") + " : " + strings.Join(types, ", ") + "\n}\n"
	body := strings.Replace(m.Text(stablehlo.PrintOptions{}), "func.func @main(", "func.func private @body(", 1)
	at := strings.Index(body, "func.func private @body(")
	if at < 0 || len(outs) == 0 {
		return nil, nil, nil, errors.New("the program has no @main with results")
	}
	head := at + strings.Index(body[at:], "{\n") + 1
	end := strings.LastIndex(body, "}")
	if plain, err = stablehlo.Parse("plain", []byte(body[:end]+main+body[end:])); err != nil {
		return nil, nil, nil, err
	}
	whole, _ := plain.Func("main")
	if err := simplify.Inline(plain, whole); err != nil {
		return nil, nil, nil, err
	}
	calls, err = stablehlo.Parse("calls", []byte(body[:head]+heavy+body[head:end]+main+body[end:]))
	return plain, calls, doubled, err
}
