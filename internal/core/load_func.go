package core

import (
	"context"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/go-nx/nx/internal/model"
)

// LoadFunc implements nx.LoadFunc.
func LoadFunc[F any](m *Model) (f F, err error) {
	defer Catch(&err)
	m.must("LoadFunc")
	t := reflect.TypeFor[F]()
	if t.Kind() != reflect.Func || t.IsVariadic() {
		return f, fmt.Errorf("nx.LoadFunc: the type must be a function with a fixed number of arguments, got %s", t)
	}
	b := &binding{m: m, t: t, in: groups(m.params(m.inputs)), out: groups(m.outputParams()),
		convention: conventionOf(t)}
	if n := t.NumIn() - b.firstArg(); n != b.in.count {
		return f, fmt.Errorf("nx.LoadFunc: %s takes %s, but the program %s: %s", t,
			plural(n, "argument", "arguments"), plural(b.in.count, "argument", "arguments"), parameterList(m.Inputs()))
	}
	outs := b.numResults(t)
	if b.whole = outs == 1; !b.whole && outs != b.out.count {
		return f, fmt.Errorf("nx.LoadFunc: %s returns %s, but the program %s: %s", t,
			plural(outs, "result", "results"), plural(b.out.count, "result", "results"), parameterList(m.Outputs()))
	}
	for i := range outs {
		if err := b.checkResult(i); err != nil {
			return f, err
		}
	}
	return reflect.MakeFunc(t, b.call).Interface().(F), nil
}

// binding is a Go function for a program.
type binding struct {
	m       *Model
	t       reflect.Type
	in, out grouped
	convention
	whole bool // one result takes all of the program's
}

// grouped are parameters by the argument or result of the exported function that
// they are parts of.
type grouped struct {
	count int
	group []int    // of each
	rest  []string // its path in that, as words
}

// groups numbers the arguments of the exported function in their order: those of
// its tree, or the first words of names.
func groups(params []model.Param) grouped {
	g := grouped{group: make([]int, len(params)), rest: make([]string, len(params))}
	seen := map[string]int{}
	for i := range params {
		name := params[i].Tree
		if name == "" {
			name = params[i].Name
		}
		first, rest, _ := strings.Cut(model.Key(name), ".")
		n, ok := seen[first]
		if !ok {
			n = g.count
			seen[first] = n
			g.count++
		}
		g.group[i], g.rest[i] = n, plainKey(rest)
	}
	return g
}

// plainKey drops case and underscores of a name.
func plainKey(key string) string { return strings.ReplaceAll(strings.ToLower(model.Key(key)), "_", "") }

func (m *Model) outputParams() []model.Param {
	out := append([]model.Param(nil), m.program.Out...)
	for i := range out {
		out[i].Name = out[i].Label("out", i)
	}
	return out
}

// find returns the parameter at a path of an argument or result; -1 when there is
// none.
func (g *grouped) find(group int, path string) int {
	key, only := plainKey(path), -1
	count := 0
	for i := range g.group {
		if g.group[i] != group {
			continue
		}
		if g.rest[i] == key {
			return i
		}
		only, count = i, count+1
	}
	if key == plainKey(theValue) && count == 1 {
		return only
	}
	return -1
}

// theValue is the path of a tensor that is not in a container.
const theValue = "the value"

// checkResult requires that the program gives each tensor of a result.
func (b *binding) checkResult(i int) (err error) {
	defer Catch(&err)
	zero := reflect.New(b.t.Out(i)).Elem()
	eachLeaf("LoadFunc", zero.Interface(), func(path string, _ Tensor) {
		if b.result(i, path) < 0 {
			fail(ErrContainer, "LoadFunc", "", "the program has no result for %s of %s: it gives %s", path,
				b.t.Out(i), parameterList(b.m.Outputs()))
		}
	})
	return nil
}

// result returns the place of the result of the program for a path.
func (b *binding) result(i int, path string) int {
	if !b.whole || b.out.count == 1 {
		return b.out.find(i, path)
	}
	// One container holds all results, each under its own name.
	for k := range b.out.group {
		p := b.m.program.Out[k]
		name := p.Tree
		if name == "" {
			_, name, _ = strings.Cut(model.Key(p.Name), ".")
		}
		if plainKey(name) == plainKey(path) {
			return k
		}
	}
	return -1
}

func (b *binding) call(args []reflect.Value) (results []reflect.Value) {
	for i := range b.t.NumOut() {
		results = append(results, reflect.New(b.t.Out(i)).Elem())
	}
	err := b.run(args, results)
	switch {
	case b.hasError:
		if err != nil {
			results[len(results)-1].Set(reflect.ValueOf(&err).Elem())
		}
	case err != nil:
		if e, ok := err.(*Error); ok {
			panic(e)
		}
		fail(ErrRun, "Load", "", "%v", err)
	}
	return results
}

func (b *binding) run(args, results []reflect.Value) (err error) {
	defer Catch(&err)
	ctx := background
	if b.hasContext {
		if c, ok := args[0].Interface().(context.Context); ok {
			ctx = c
		}
		args = args[1:]
	}
	inputs := make([]Tensor, len(b.m.inputs))
	for i, a := range args {
		eachLeaf("LoadFunc", a.Interface(), func(path string, t Tensor) {
			k := b.in.find(i, path)
			if k < 0 {
				fail(ErrContainer, "LoadFunc", "", "the program has no input for %s of argument %d (%s): it takes %s",
					path, i, a.Type(), parameterList(b.m.Inputs()))
			}
			inputs[k] = t
		})
	}
	out, err := b.m.Call(ctx, inputs...)
	if err != nil {
		return err
	}
	for i := range b.numResults(b.t) {
		b.fill(i, results[i], out)
	}
	return nil
}

// fill sets the tensors of a result.
func (b *binding) fill(i int, v reflect.Value, out []Tensor) {
	switch {
	case isTensorList(v.Type()):
		*(*[]Tensor)(v.Addr().UnsafePointer()) = slices.Clone(out)
		return
	case isTensorMap(v.Type()):
		named := map[string]Tensor{}
		for k, p := range b.m.Outputs() {
			named[p.Name] = out[k]
		}
		*(*map[string]Tensor)(v.Addr().UnsafePointer()) = named
		return
	}
	w := newWalker("LoadFunc")
	w.Replace = true
	w.Leaf = func(t *Tensor) {
		path := w.Path()
		if plans.IsLeaf(v.Type()) {
			path = theValue
		}
		*t = out[b.result(i, path)]
	}
	w.Walk(planOf(v.Type()), v.Addr().UnsafePointer())
}

// isTensorList reports whether a type is []Tensor.
func isTensorList(t reflect.Type) bool {
	return t.Name() == "" && t.Kind() == reflect.Slice && plans.IsLeaf(t.Elem())
}
