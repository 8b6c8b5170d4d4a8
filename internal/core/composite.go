package core

import (
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/go-nx/nx/dtype"
	"github.com/go-nx/nx/internal/blocks"
	"github.com/go-nx/nx/stablehlo"
)

// Attribute is nx.Attribute.
type Attribute struct {
	name  string
	value stablehlo.Attr
}

// Attr implements nx.Attr.
func Attr[T bool | int | float64 | string](name string, value T) Attribute {
	a := Attribute{name: name}
	switch v := any(value).(type) {
	case bool:
		a.value = stablehlo.BoolAttr(v)
	case int:
		a.value = stablehlo.I64(int64(v))
	case float64:
		a.value = stablehlo.FloatAttr{Value: v, Type: stablehlo.Scalar(dtype.F64)}
	case string:
		a.value = stablehlo.StringAttr(v)
	}
	return a
}

// Composite implements nx.Composite.
func Composite[F any](name string, f F, attrs ...Attribute) F {
	const op = "Composite"
	t, v := reflect.TypeFor[F](), reflect.ValueOf(f)
	dict := make(stablehlo.DictAttr, len(attrs))
	for i, a := range attrs {
		dict[i] = stablehlo.Named(a.name, a.value)
	}
	if strings.HasPrefix(name, "nx.") {
		return reflect.MakeFunc(t, knownBlock(op, name, t, v, dict)).Interface().(F)
	}
	requireFunction(op, t, v)
	if !isBlockName(name) {
		fail(ErrArgument, op, `as in "my_library.attention"`,
			"the name must be words of letters, digits and _ joined by dots, got %q", name)
	}
	c := newCallable(t, v)
	return reflect.MakeFunc(t, func(in []reflect.Value) (out []reflect.Value) {
		if c.hasError {
			defer c.recoverError(&out)
		}
		args := in[c.firstArg():]
		fn := c.trace(op, args)
		fn.asCallee(baseName(v))
		ins := c.tensors(op, args)
		call := call{op: op, ins: append(ins[:len(ins):len(ins)], fn.captured...), outs: fn.outs,
			uses: []*stablehlo.Module{fn.callee},
			emit: func(e *emitter, in []*stablehlo.Value) []*stablehlo.Value {
				return e.composite(name, fn.name, in, fn.outs, dict...)
			}}
		if traceFor(call.ins) == nil {
			call.key = fmt.Sprint(name, dict, fn.callee)
		}
		return c.returns(op, fn, apply(&call))
	}).Interface().(F)
}

// isBlockName reports whether a name is a namespace and more, as StableHLO has it.
func isBlockName(name string) bool {
	parts := strings.Split(name, ".")
	return len(parts) > 1 && !slices.ContainsFunc(parts, func(p string) bool {
		for i, r := range p {
			letter := 'a' <= r|0x20 && r|0x20 <= 'z' && r < 0x80
			if !letter && (i == 0 || r != '_' && (r < '0' || r > '9')) {
				return true
			}
		}
		return p == ""
	})
}

// knownBlock returns the call of one of the blocks that this module has.
func knownBlock(op, name string, t reflect.Type, f reflect.Value,
	attrs stablehlo.DictAttr) func(in []reflect.Value) []reflect.Value {
	names := blocks.Names()
	switch {
	case !slices.Contains(names, name):
		fail(ErrArgument, op, `give it a name of your own, as "my_library.attention"`+nearest(name, names),
			"the name must be that of a block of this module (%s), got %q", strings.Join(names, ", "), name)
	case t.Kind() != reflect.Func || !f.IsNil():
		fail(ErrArgument, op, "the function is nil for a block of this module",
			"the block %s is built in and cannot be redefined", name)
	}
	for i := range t.NumIn() + t.NumOut() {
		var x reflect.Type
		if i < t.NumIn() {
			x = t.In(i)
		} else {
			x = t.Out(i - t.NumIn())
		}
		if !plans.IsLeaf(x) {
			fail(ErrArgument, op, "", "%s takes and returns tensors, not a %s", name, x)
		}
	}
	key := attrs.String()
	return func(in []reflect.Value) []reflect.Value {
		c := call{op: name, key: key, ins: make([]Tensor, len(in))}
		types := make([]stablehlo.Type, len(in))
		for i, x := range in {
			c.ins[i] = tensorOf(x)
			c.ins[i].must(name)
		}
		vectors := c.batchVectors()
		for i, x := range c.ins {
			types[i] = x.p.spec.tensorType()
		}
		b, err := blocks.Decompose(name, attrs, types)
		if err != nil {
			failOn(ErrDType, name, c.ins, "", "%v", err)
		}
		if t.NumOut() != len(b.Outs) {
			fail(ErrArgument, op, "", "%s has %d results, not %d", name, len(b.Outs), t.NumOut())
		}
		c.uses = []*stablehlo.Module{b.Module}
		for _, o := range b.Outs {
			c.outs = append(c.outs, specOf(o.(*stablehlo.TensorType)))
		}
		c.emit = func(e *emitter, in []*stablehlo.Value) []*stablehlo.Value {
			return e.composite(name, b.Name, in, c.outs, attrs...)
		}
		out := make([]reflect.Value, len(b.Outs))
		for i, r := range apply(&c) {
			s := *r.p.spec
			s.Shape, s.Vectors = s.Shape[len(vectors):], vectors
			out[i] = reflect.ValueOf(r.as(name, intern(s))).Convert(t.Out(i))
		}
		return out
	}
}
