package model

import (
	"context"
	"encoding/binary"
	"fmt"
	"slices"
	"strings"

	"github.com/go-nx/nx/stablehlo"
	"github.com/go-nx/nx/stablehlo/portable"
)

// The file of jax.export.export(…)(…).serialize(): a FlatBuffer around a portable
// artifact (jax/_src/export/serialization.fbs). These are the slots of its root.
const (
	jaxFunctionName = 1
	jaxInTree       = 2
	jaxInAvals      = 3
	jaxOutTree      = 4
	jaxOutAvals     = 5
	jaxPlatforms    = 9
	jaxModule       = 13
	jaxConvention   = 14
	jaxKept         = 15
	jaxUniqueAvals  = 19
	jaxInAvalsIdxs  = 22
	jaxOutAvalsIdxs = 23
)

// The calling conventions of modules that are understood: before 9, dimensions were
// arguments.
const (
	oldestConvention = 9
	newestConvention = 10
)

// isJAX reports whether data look like an export of JAX: a FlatBuffer whose field
// of the module starts as bytecode does.
func isJAX(data []byte) (ok bool) {
	defer func() {
		if _, bad := recover().(flatError); bad {
			ok = false
		}
	}()
	f := flat{data}
	return portable.IsBytecode(f.table(f.forward(0)).bytes(jaxModule))
}

// maxTree limits how deep trees of arguments are nested, and how many leaves they have.
const (
	maxTree   = 100
	maxLeaves = 1 << 20
)

// readJAX reads an export of JAX.
func readJAX(ctx context.Context, path string, data []byte) (p *Program, err error) {
	defer func() {
		switch e := recover().(type) {
		case nil:
		case flatError:
			err = fmt.Errorf("%s: an export of JAX: %w", path, e)
		default:
			panic(e)
		}
	}()
	f := flat{data}
	root := f.table(f.forward(0))
	if v := root.uint16(jaxConvention); v < oldestConvention || v > newestConvention {
		return nil, fmt.Errorf("%s: an export of JAX with calling convention %d; those that are read are %d to %d: "+
			"export it with another version of JAX", path, v, oldestConvention, newestConvention)
	}
	m, err := portable.ReadContext(ctx, path, root.bytes(jaxModule))
	if err != nil {
		return nil, err
	}
	p = &Program{Path: path, Form: JAXExport, Function: root.string(jaxFunctionName), Module: m}
	main, ok := m.Func(entry)
	if !ok || main.IsDeclaration() {
		return nil, fmt.Errorf("%s: an export of JAX whose module has no function @%s", path, entry)
	}
	platforms := root.strings(jaxPlatforms)
	if err := fixConstants(main, platforms); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	ins := leaves(root, jaxInTree)
	for i := range ins {
		// The tree is a pair of the arguments by position and those by name.
		if rest, ok := strings.CutPrefix(ins[i], "[0]"); ok {
			ins[i] = rest
		} else {
			ins[i] = strings.TrimPrefix(ins[i], "[1]")
		}
	}
	p.In = params(main.Type().Ins)
	kept := make([]int, 0, len(p.In))
	off, n := root.vector(jaxKept, 2)
	for i := range n {
		kept = append(kept, int(binary.LittleEndian.Uint16(root.at(off+2*i, 2))))
	}
	first := slices.IndexFunc(p.In, func(q Param) bool { return !isToken(q.Type) })
	if first < 0 {
		first = len(p.In)
	}
	if n != len(p.In)-first {
		return nil, fmt.Errorf("%s: an export of JAX that keeps %d arguments of a module with %d", path, n, len(p.In)-first)
	}
	shapes := avals(root, jaxInAvals, jaxInAvalsIdxs)
	for i, k := range kept {
		q := &p.In[first+i]
		if k >= len(ins) {
			return nil, fmt.Errorf("%s: an export of JAX that keeps argument %d of %d", path, k, len(ins))
		}
		q.Tree = ins[k]
		if k < len(shapes) {
			q.Dims = shapes[k]
		}
	}
	for k, name := range ins {
		if !slices.Contains(kept, k) {
			p.Unused = append(p.Unused, name)
		}
	}
	p.Out = params(main.Type().Outs)
	outs, outShapes := leaves(root, jaxOutTree), avals(root, jaxOutAvals, jaxOutAvalsIdxs)
	firstOut := len(p.Out) - len(outs) // tokens come first
	for i, name := range outs {
		if firstOut < 0 {
			break
		}
		p.Out[firstOut+i].Tree = name
		if i < len(outShapes) {
			p.Out[firstOut+i].Dims = outShapes[i]
		}
	}
	return p, nil
}

func isToken(t stablehlo.Type) bool { _, ok := t.(stablehlo.TokenType); return ok }

// leaves returns the paths of the leaves of a tree: ['w1'], [0].
func leaves(root flatTable, slot int) (paths []string) {
	tree, ok := root.sub(slot)
	if !ok {
		return nil
	}
	var walk func(t flatTable, path string, depth int)
	walk = func(t flatTable, path string, depth int) {
		if depth > maxTree || len(paths) > maxLeaves {
			panic(flatError{t.off, "a tree that is too deep or too large"})
		}
		const leaf, dict = 0, 4
		kind := t.byte(0)
		if kind == leaf {
			paths = append(paths, path)
			return
		}
		children := t.tables(1)
		names := t.strings(2)
		for i, c := range children {
			key := fmt.Sprintf("[%d]", i)
			if kind == dict && i < len(names) {
				key = "['" + names[i] + "']"
			}
			walk(c, path+key, depth+1)
		}
	}
	walk(tree, "", 0)
	return paths
}

// avals returns the shapes of arguments or results, sizes as text: "b", "3".
func avals(root flatTable, slot, indexSlot int) (shapes [][]string) {
	list := root.tables(slot)
	if off, n := root.vector(indexSlot, 4); n > 0 {
		unique := root.tables(jaxUniqueAvals)
		list = nil
		for i := range n {
			k := root.u32(off + 4*i)
			if k >= len(unique) {
				panic(flatError{off, fmt.Sprintf("shape %d of %d", k, len(unique))})
			}
			list = append(list, unique[k])
		}
	}
	for _, t := range list {
		shapes = append(shapes, t.strings(1))
	}
	return shapes
}

// fixConstants returns the arguments that the caller of an export supplies: the index of the platform in the
// list of the module's platforms.
func fixConstants(f stablehlo.Func, platforms []string) error {
	attrs, _ := f.Attr("arg_attrs").(stablehlo.ArrayAttr)
	types := f.Type()
	var drop []int
	body := f.Body()
	for i, v := range body.Args {
		if i >= len(attrs) {
			break
		}
		d, _ := attrs[i].(stablehlo.DictAttr)
		switch name := d.Get("jax.global_constant"); name {
		case nil:
			continue
		case stablehlo.StringAttr("_platform_index"):
			index := max(0, slices.Index(platforms, "cpu"))
			t, ok := v.Type().(*stablehlo.TensorType)
			if !ok || t.Rank() != 0 || !t.DType().IsInteger() {
				return fmt.Errorf("the index of the platform has type %s", v.Type())
			}
			a, err := stablehlo.Full(t, float64(index))
			if err != nil {
				return err
			}
			op := stablehlo.NewOp(stablehlo.OpConstant, nil, []stablehlo.Type{t},
				stablehlo.NamedAttr{Name: "value", Value: a})
			body.SetOps(slices.Concat([]*stablehlo.Op{op}, body.Ops))
			f.Replace(map[*stablehlo.Value]*stablehlo.Value{v: op.Result()})
			drop = append(drop, i)
		default:
			return fmt.Errorf("argument %d is the constant %s, which is not supported: export without it", i, name)
		}
	}
	if len(drop) == 0 {
		return nil
	}
	dropped := func(i int) bool { return slices.Contains(drop, i) }
	body.DropArgs(func(v *stablehlo.Value) bool { return dropped(v.Index()) })
	types = &stablehlo.FuncType{Ins: without(types.Ins, dropped), Outs: types.Outs}
	f.SetAttr("function_type", stablehlo.TypeAttr{Type: types})
	f.SetAttr("arg_attrs", stablehlo.ArrayAttr(without(attrs, dropped)))
	return nil
}

func without[T any](list []T, drop func(int) bool) (out []T) {
	for i, x := range list {
		if !drop(i) {
			out = append(out, x)
		}
	}
	return out
}
