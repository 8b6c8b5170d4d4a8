package autodiff

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"

	"github.com/go-nx/nx/stablehlo"
)

// repeatedCalls returns the functions of a module that are not inlined: those called more than
// once. Each is differentiated once per choice of arguments and results, and its calls become calls
// of the derivative. Functions whose derivative depends on the call are excluded: see [callable].
func repeatedCalls(m *stablehlo.Module) map[string]bool {
	calls, funcs := map[string]int{}, map[string]stablehlo.Func{}
	for f := range m.Funcs() {
		funcs[f.Name()] = f
		for op := range f.Walk() {
			if op.Code == stablehlo.OpCall {
				calls[op.Str("callee")]++
			}
		}
	}
	repeated, known := map[string]bool{}, map[string]bool{}
	for name, n := range calls {
		if n > 1 && callable(funcs, name, known) {
			repeated[name] = true
		}
	}
	return repeated
}

// callable reports whether all calls of a function can share its derivative: it has a body and
// static shapes, its effects can be repeated, and it has no bits of floats, which are tracked
// across calls.
func callable(funcs map[string]stablehlo.Func, name string, known map[string]bool) bool {
	if is, ok := known[name]; ok {
		return is
	}
	known[name] = false // while it is visited: recursion
	f, ok := funcs[name]
	if !ok || f.IsDeclaration() || !areStatic(f.Args()) {
		return false
	}
	for op := range f.Walk() {
		if !areStatic(op.Results) || op.Code == stablehlo.OpBitcastConvert || op.Attr(OnceAttr) != nil ||
			op.Code == stablehlo.OpCustomCall && !stablehlo.IsIdentityCall(op) || cannotRepeat(op) ||
			op.Code == stablehlo.OpCall && !callable(funcs, op.Str("callee"), known) ||
			op.Code == stablehlo.OpComposite && !callable(funcs, op.Str("decomposition"), known) ||
			!areCallable(funcs, rulesOf(op), known) {
			return false
		}
	}
	known[name] = true
	return true
}

func areCallable(funcs map[string]stablehlo.Func, names []string, known map[string]bool) bool {
	return !slices.ContainsFunc(names, func(name string) bool { return !callable(funcs, name, known) })
}

// rulesOf returns the names of the functions in the rules of a composite.
func rulesOf(op *stablehlo.Op) (names []string) {
	dict, _ := op.Attr("composite_attributes").(stablehlo.DictAttr)
	for _, a := range dict {
		if s, ok := a.Value.(stablehlo.SymbolAttr); ok {
			names = append(names, s.Name)
		}
	}
	return names
}

func areStatic(vs []value) bool {
	for _, v := range vs {
		if t, ok := v.Type().(*stablehlo.TensorType); !ok || !t.IsStatic() {
			return false
		}
	}
	return true
}

// stays reports whether op is not expanded before the program is differentiated: it has a rule, or
// calls a function that is not inlined. Calls in regions are expanded, since the analysis of loops
// reads the ops of a step.
func (c *callees) stays(op *stablehlo.Op, inRegion bool) bool {
	return hasRule(op) || op.Code == stablehlo.OpCall && !inRegion && c.repeated[op.Str("callee")]
}

// derivedCall is the derivative of a function by some of its arguments, for some of its results.
type derivedCall struct {
	body *stablehlo.Block // of the function itself, analysed for the choice

	// Forward mode: the function takes the arguments and the tangents of the chosen ones, and
	// returns the results and the tangents of those at positions moved. Reverse mode: it takes the
	// arguments and returns the results, then the residuals.
	forward stablehlo.Func
	moved   []int
	// backward takes the residuals and cotangents, and returns the cotangents of the arguments.
	backward  stablehlo.Func
	residuals []Residual
}

// jvpCall calls the derivative of the function. In reverse mode one function computes the results
// and the residuals for the other one, which pulls cotangents back.
func jvpCall(t *tracer, op *stablehlo.Op) {
	name := op.Str("callee")
	var varied []int
	for i, v := range op.Operands {
		if t.tangent[v] != nil {
			varied = append(varied, i)
		}
	}
	active := t.active(op.Results) // before the results are renamed
	in := t.tangents(at(op.Operands, varied))
	n := len(op.Results)
	if t.pullbacks == nil {
		d := t.derive(name, "jvp", varied, active)
		outs := t.call(d.forward, append(slices.Clone(op.Operands), in...))
		t.replace(op.Results, outs[:n])
		for k, i := range d.moved {
			t.set(outs[i], outs[n+k])
		}
		return
	}
	d := t.derive(name, "vjp", varied, active)
	outs := t.call(d.forward, op.Operands)
	t.replace(op.Results, outs[:n])
	standIns := t.standIn(in, typesOf(at(op.Results, active)), func(tr *transposer, _ *stablehlo.Op, cts []value) {
		var grads []value
		for i := range cts {
			cts[i] = tr.clean(cts[i])
		}
		if slices.Contains(cts, nil) { // zeros, which a call could multiply by infinities
			all := spread(make([]value, n), active, cts)
			t.analyse(d.body, varied, active)
			grads, _ = t.pullBlock(tr.emitter, d.body, op.Operands, varied, all, nil, nil)
		} else {
			args := make([]value, len(d.residuals), len(d.residuals)+len(cts))
			for i, r := range d.residuals {
				if r.IsResult {
					args[i] = outs[r.Index]
				} else {
					args[i] = op.Operands[r.Index]
				}
			}
			grads = tr.call(d.backward, append(args, cts...))
		}
		for k, g := range grads {
			tr.accumulate(in[k], g)
		}
	})
	for k, i := range active {
		t.set(outs[i], standIns[k])
	}
}

// call appends a call of a function.
func (e emitter) call(f stablehlo.Func, args []value) []value {
	op := stablehlo.NewOp(stablehlo.OpCall, args, f.Type().Outs)
	op.SetAttr("callee", stablehlo.SymbolAttr{Name: f.Name()})
	op.Loc = e.B.Loc
	return e.B.Block().Append(op).Results
}

// derive returns the derivative of a function in a mode, which is computed once.
func (t *tracer) derive(name, mode string, varied, active []int) *derivedCall {
	key := fmt.Sprint(name, mode, varied, active)
	if d := t.derived[key]; d != nil {
		return d
	}
	defer t.enter(name)()
	d := &derivedCall{body: t.body(name)}
	p := &program{body: copyBlock(d.body), callees: t.callees}
	p.ret = p.body.Terminator()
	if mode == "jvp" {
		t.deriveForward(d, p, name, varied, active)
	} else {
		t.deriveReverse(d, p, name, varied, active)
	}
	t.derived[key] = d
	return d
}

func (t *tracer) deriveForward(d *derivedCall, p *program, name string, varied, active []int) {
	args := at(p.body.Args, varied)
	ops := p.open(args, at(p.ret.Operands, active))
	inner := newTracer(p.body, p.idle, t.callees)
	for _, a := range args {
		inner.set(a, p.body.AddArg(a.Type()))
	}
	inner.run(ops)
	outs := p.results(inner)
	for _, i := range active {
		if tangent := inner.tangent[outs[i]]; tangent != nil {
			d.moved, outs = append(d.moved, i), append(outs, tangent)
		}
	}
	p.finish(outs)
	d.forward = t.addFunc(name+".jvp", p.body.Args, p.body.Ops[:len(p.body.Ops)-1], outs)
}

func (t *tracer) deriveReverse(d *derivedCall, p *program, name string, varied, active []int) {
	n := len(p.body.Args)
	results, grads := p.pull(varied, active, func(_ emitter, r value) value { return p.body.AddArg(r.Type()) })
	p.finish(append(slices.Clone(results), grads...))
	c := partitionBlock(p.body, n, len(results))
	d.residuals = c.residuals
	d.forward = t.addFunc(name+".forward", p.body.Args[:n], c.first, c.extra)
	d.backward = t.addFunc(name+".backward", c.args, c.second, c.grads)
}

// addFunc adds a function of copies of some ops to the module. Its name describes its computation,
// so that equal functions of two modules may be merged.
func (t *tracer) addFunc(name string, args []value, ops []*stablehlo.Op, results []value) stablehlo.Func {
	f := writeFunc(t.effects, name, args, ops, results)
	f.SetAttr("sym_visibility", stablehlo.StringAttr("private"))
	sum := sha256.Sum256([]byte(f.String()))
	name += "_" + hex.EncodeToString(sum[:8])
	if old, ok := t.module.Func(name); ok {
		return old
	}
	f.SetAttr("sym_name", stablehlo.StringAttr(name))
	t.module.Body().Append(f.Op)
	return f
}
