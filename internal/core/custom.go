package core

import (
	"reflect"

	"github.com/go-nx/nx/internal/autodiff"
	"github.com/go-nx/nx/stablehlo"
)

// CustomJVP implements nx.CustomJVP.
func CustomJVP[P, R any](f func(P) R, rule func(p P, r R, dp P) R) func(P) R {
	const op = "CustomJVP"
	notNil(op, f == nil || rule == nil)
	return func(p P) R {
		list := leaves(op, p)
		ins := presentTensors(list)
		var r R
		var outs []*Spec
		primal := traceRule(op, specsOf(ins), func(args []Tensor) []Tensor {
			r = f(fill(op, p, args))
			return presentTensors(leaves(op, r))
		})
		outs = primal.specs()
		var dirs []*Spec
		for _, t := range ins {
			if t.p.spec.hasDerivative() {
				dirs = append(dirs, t.p.spec)
			}
		}
		n, k := len(ins), len(ins)+len(outs)
		derivative := traceRule(op, concatSpecs(specsOf(ins), outs, dirs), func(args []Tensor) []Tensor {
			dr := rule(fill(op, p, args[:n]), fill(op, r, args[n:k]), fillFloats(op, p, args[k:]))
			return directions(op, "derivative", r, dr)
		})
		c := &customRule{op: op, ins: ins, outs: outs, base: baseName(reflect.ValueOf(f))}
		decomposition := c.add("", primal, n, len(outs))
		jvp := c.add("_jvp", derivative, k+len(dirs), -1)
		return fill(op, r, c.apply(autodiff.CustomJVP, decomposition, attr(autodiff.RuleJVP, jvp)))
	}
}

// CustomVJP implements nx.CustomVJP.
func CustomVJP[P, S, R any](forward func(P) (R, S), backward func(saved S, dr R) P) func(P) R {
	const op = "CustomVJP"
	notNil(op, forward == nil || backward == nil)
	return func(p P) R {
		ins := presentTensors(leaves(op, p))
		var r R
		var s S
		primal := traceRule(op, specsOf(ins), func(args []Tensor) []Tensor {
			r, s = forward(fill(op, p, args))
			return append(presentTensors(leaves(op, r)), presentTensors(leaves(op, s))...)
		})
		all := primal.specs()
		m := len(presentTensors(leaves(op, r)))
		outs, saved := all[:m], all[m:]
		var cts []*Spec
		for _, o := range outs {
			if o.hasDerivative() {
				cts = append(cts, o)
			}
		}
		pull := traceRule(op, concatSpecs(saved, cts), func(args []Tensor) []Tensor {
			dp := backward(fill(op, s, args[:len(saved)]), fillFloats(op, r, args[len(saved):]))
			return directions(op, "cotangent", p, dp)
		})
		c := &customRule{op: op, ins: ins, outs: outs, base: baseName(reflect.ValueOf(forward))}
		decomposition := c.add("", primal, len(ins), m)
		first := c.add("_forward", primal, len(ins), -1)
		second := c.add("_backward", pull, len(saved)+len(cts), -1)
		return fill(op, r,
			c.apply(autodiff.CustomVJP, decomposition,
				attr(autodiff.RuleForward, first), attr(autodiff.RuleBackward, second)))
	}
}

// traceRule traces a function of tensors that is called as a part of the trace.
func traceRule(op string, args []*Spec, f func(args []Tensor) []Tensor) *body {
	b := &body{op: op, tr: newTrace(op)}
	defer b.abandon()
	in := make([]Tensor, len(args))
	for i, s := range args {
		in[i] = b.tr.arg(s)
	}
	defer stage(b.tr, false)()
	b.out = f(in)
	b.tr.finish(b.tr.values(op, b.out))
	return b
}

func concatSpecs(lists ...[]*Spec) []*Spec {
	var out []*Spec
	for _, l := range lists {
		out = append(out, l...)
	}
	return out
}

// customRule makes a composite of traced functions, each of which takes arguments
// of its own and then all tensors that any of them captured.
type customRule struct {
	op, base string
	ins      []Tensor
	outs     []*Spec
	parts    []rulePart
	captured []Tensor
	places   map[any]int // of the captured tensors
}

type rulePart struct {
	suffix string
	b      *body
	args   int // the number of its own arguments
	keep   int // the number of its results, -1 for all
}

// add adds a function and returns its number.
func (c *customRule) add(suffix string, b *body, args, keep int) int {
	for _, t := range b.captured() {
		if c.places == nil {
			c.places = map[any]int{}
		}
		if _, ok := c.places[t.identity()]; !ok {
			c.places[t.identity()] = len(c.captured)
			c.captured = append(c.captured, t)
		}
	}
	c.parts = append(c.parts, rulePart{suffix, b, args, keep})
	return len(c.parts) - 1
}

// identity identifies a captured tensor.
func (t Tensor) identity() any {
	if t.p.buf != nil {
		return t.p.buf
	}
	return t.p.val
}

// attr is an attribute that names a function by its number.
func attr(name string, part int) stablehlo.NamedAttr {
	return stablehlo.NamedAttr{Name: name, Value: stablehlo.IntAttr{Value: int64(part)}}
}

// apply applies the composite of a name, decomposed into a part. Attributes name
// parts by number.
func (c *customRule) apply(name string, decomposition int, attrs ...stablehlo.NamedAttr) []Tensor {
	names := make([]string, len(c.parts))
	var uses []*stablehlo.Module
	for i, p := range c.parts {
		var m *stablehlo.Module
		names[i], m = asCallee(c.module(p), c.base+p.suffix)
		uses = append(uses, m)
	}
	for i, a := range attrs {
		attrs[i].Value = stablehlo.SymbolAttr{Name: names[a.Value.(stablehlo.IntAttr).Value]}
	}
	attrs = append(attrs, stablehlo.NamedAttr{Name: autodiff.RuleOperands,
		Value: stablehlo.IntAttr{Value: int64(len(c.ins)), Type: stablehlo.Scalar(S64)}})
	call := call{op: c.op, ins: append(c.ins[:len(c.ins):len(c.ins)], c.captured...), outs: c.outs, uses: uses,
		emit: func(e *emitter, in []*stablehlo.Value) []*stablehlo.Value {
			return e.composite(name, names[decomposition], in, c.outs, attrs...)
		}}
	if traceFor(call.ins) == nil {
		call.key = names[decomposition]
	}
	return apply(&call)
}

// module returns a module with a part as @main, which takes all captured tensors.
func (c *customRule) module(p rulePart) *stablehlo.Module {
	t := newTrace(c.op)
	t.fn.use(p.b.tr.fn.module)
	types := p.b.tr.fn.f.Type()
	var args []*stablehlo.Value
	for _, ty := range types.Ins[:p.args] {
		args = append(args, t.block.AddArg(ty))
	}
	captured := make([]*stablehlo.Value, len(c.captured))
	for i, x := range c.captured {
		captured[i] = t.block.AddArg(x.p.spec.tensorType())
	}
	for _, x := range p.b.captured() {
		args = append(args, captured[c.places[x.identity()]])
	}
	results := graft(t.block, p.b.tr.fn.f, args)
	if p.keep >= 0 {
		results = results[:p.keep]
	}
	t.finish(results)
	return t.fn.module
}
