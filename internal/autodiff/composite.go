package autodiff

import (
	"fmt"
	"slices"

	"github.com/go-nx/nx/internal/blocks"
	"github.com/go-nx/nx/internal/emit"
	"github.com/go-nx/nx/internal/lazy"
	"github.com/go-nx/nx/internal/simplify"
	"github.com/go-nx/nx/stablehlo"
)

// The composites with their own derivatives. All others are differentiated as their decomposition.
const (
	// Checkpoint recomputes its decomposition in the reverse pass instead of saving residuals.
	Checkpoint = "nx.checkpoint"
	// CustomJVP has the attribute jvp: a function of the operands of the rule, the results, a
	// tangent for each differentiable operand and the other operands, which returns a tangent for
	// each differentiable result. It must be linear in the tangents.
	CustomJVP = "nx.custom_jvp"
	// CustomVJP has the attributes forward, a function of the operands that returns the results and
	// residuals, and backward, a function of the residuals, a cotangent for each differentiable
	// result and the other operands, which returns a cotangent for each differentiable operand of
	// the rule. It must be linear in the cotangents.
	CustomVJP = "nx.custom_vjp"

	// RuleOperands is the attribute with the number of operands of a custom rule. The operands
	// after them are captured tensors, which have no derivative.
	RuleOperands = "operands"
	// RuleJVP, RuleForward and RuleBackward are the attributes that name functions.
	RuleJVP      = "jvp"
	RuleForward  = "forward"
	RuleBackward = "backward"
)

var compositeJVPs lazy.Value[map[string]jvpRow]

func listCompositeJVPs() map[string]jvpRow {
	return map[string]jvpRow{
		Checkpoint: jvpCheckpoint,
		CustomJVP:  jvpCustomJVP,
		CustomVJP:  jvpCustomVJP,

		blocks.LU:    jvpLU,
		blocks.Solve: jvpSolve,
		blocks.QR:    jvpQR,

		blocks.Eigh:     jvpEigh,
		blocks.Eigvalsh: jvpEigvalsh,
		blocks.SVD:      jvpSVD,
		blocks.SVDVals:  jvpSVDVals,
		blocks.Eig:      jvpEig,
	}
}

// hasRule reports whether op is a composite with its own derivative.
func hasRule(op *stablehlo.Op) bool {
	return op.Code == stablehlo.OpComposite && compositeJVPs.Get(listCompositeJVPs)[op.Str("name")] != nil
}

// jvpComposite applies the row of the composite of that name; composites without a row are expanded
// before.
func jvpComposite(t *tracer, op *stablehlo.Op) {
	compositeJVPs.Get(listCompositeJVPs)[op.Str("name")](t, op)
}

// callees are the functions of composites, normalised for the rules.
type callees struct {
	module      *stablehlo.Module
	bodies      map[string]*stablehlo.Block
	active      map[string]bool // being differentiated
	effects     *stablehlo.Effects
	checkCancel simplify.CheckCancel

	repeated map[string]bool // the functions that are not inlined
	derived  map[string]*derivedCall
	// demanded has the renames of the arguments of reverse steps, which are applied at the end:
	// otherwise each level of nested loops would rename its contents once more.
	demanded simplify.DemandedArgs
}

func newCallees(m *stablehlo.Module, checkCancel simplify.CheckCancel) *callees {
	effects := m.Effects()
	return &callees{module: m, effects: effects, bodies: map[string]*stablehlo.Block{}, active: map[string]bool{},
		checkCancel: checkCancel, repeated: repeatedCalls(m), derived: map[string]*derivedCall{},
		demanded: simplify.DemandedArgs{Renames: simplify.Renames{}, Effects: effects, CheckCancel: checkCancel},
	}
}

// body returns a copy of the body of a function.
func (c *callees) body(name string) *stablehlo.Block {
	if c.bodies[name] == nil {
		f, ok := c.module.Func(name)
		if !ok || f.IsDeclaration() {
			emit.Fail("there is no function @%s with a body", name)
		}
		f = stablehlo.Func{Op: f.Clone(map[value]value{})}
		simplify.NameComposites(f)
		if err := simplify.InlineExcept(c.module, f, c.stays, c.checkCancel); err != nil {
			emit.FailWith(fmt.Errorf("@%s: %w", name, err))
		}
		if err := simplify.Blocks(c.module, f, c.stays, c.checkCancel); err != nil {
			emit.FailWith(fmt.Errorf("@%s: %w", name, err))
		}
		normalise(f.Body())
		c.bodies[name] = f.Body()
	}
	return copyBlock(c.bodies[name])
}

// enter records that a function is being differentiated until leave is called: recursion is an
// error.
func (c *callees) enter(name string) (leave func()) {
	if c.active[name] {
		emit.Fail("@%s calls itself: recursion is not supported", name)
	}
	c.active[name] = true
	return func() { delete(c.active, name) }
}

// rule returns the function that an attribute of a composite names. Its arguments must have the
// types args. Its results must have the types results, and may be followed by residuals if that is
// set.
func (t *tracer) rule(op *stablehlo.Op, attr string, args, results []stablehlo.Type, residuals bool) *stablehlo.Block {
	dict, _ := op.Attr("composite_attributes").(stablehlo.DictAttr)
	for _, a := range dict {
		s, ok := a.Value.(stablehlo.SymbolAttr)
		if !ok || a.Name != attr {
			continue
		}
		b := t.body(s.Name)
		ins, outs := typesOf(b.Args), typesOf(b.Terminator().Operands)
		if residuals && len(outs) > len(results) {
			outs = outs[:len(results)]
		}
		if !slices.EqualFunc(ins, args, stablehlo.SameType) || !slices.EqualFunc(outs, results, stablehlo.SameType) {
			emit.Fail("the type of the %s rule of %s, @%s, is %s, but must be %s", attr, op.Str("name"), s.Name,
				&stablehlo.FuncType{Ins: ins, Outs: outs}, &stablehlo.FuncType{Ins: args, Outs: results})
		}
		if attr != RuleForward {
			for _, op := range b.Ops {
				for x := range op.Walk() {
					x.Loc = emit.Derivative(x.Loc, t.pullbacks != nil)
				}
			}
		}
		return b
	}
	emit.Fail("%s must have an attribute %s that names a function", op.Str("name"), attr)
	return nil
}

// ruleOperands returns the number of operands of a custom rule, and rejects a derivative by the
// captured ones.
func (t *tracer) ruleOperands(op *stablehlo.Op) int {
	n := len(op.Operands)
	dict, _ := op.Attr("composite_attributes").(stablehlo.DictAttr)
	for _, a := range dict {
		if i, ok := a.Value.(stablehlo.IntAttr); ok && a.Name == RuleOperands && i.Value >= 0 && i.Value < int64(n) {
			n = int(i.Value)
		}
	}
	for _, v := range op.Operands[n:] {
		if t.tangent[v] != nil {
			emit.Fail("a function with a custom derivative must not capture a %s "+
				"that the derivative is taken by: make it a part of the argument", v.Type())
		}
	}
	return n
}

// jvpCheckpoint differentiates the decomposition. In reverse mode it is recomputed from the
// operands, after a barrier with the cotangents, so that it is not moved earlier, or merged with
// the original.
func jvpCheckpoint(t *tracer, op *stablehlo.Op) {
	name := op.Str("decomposition")
	defer t.enter(name)()
	b := t.body(name)
	if len(b.Args) != len(op.Operands) {
		emit.Fail("@%s must have %d arguments, got %d", name, len(b.Args), len(op.Operands))
	}
	var varied []int
	for i, v := range op.Operands {
		if t.tangent[v] != nil {
			varied = append(varied, i)
		}
	}
	active := t.active(op.Results)
	t.analyse(b, varied, active)
	if t.pullbacks == nil {
		m := map[value]value{}
		for i, a := range b.Args {
			m[a] = op.Operands[i]
		}
		ops := takeOps(b)
		for _, x := range ops {
			x.Replace(m)
		}
		t.run(ops[:len(ops)-1])
		results := make([]value, len(op.Results))
		for i, v := range ops[len(ops)-1].Operands {
			results[i] = t.now(v)
		}
		t.replace(op.Results, results)
		return
	}
	t.mustRepeatBlock(op, b)
	t.append(op)
	in := t.tangents(at(op.Operands, varied))
	results := t.standIn(in, typesOf(at(op.Results, active)), func(tr *transposer, _ *stablehlo.Op, cts []value) {
		defer t.enter(name)()
		var given []value
		for i, c := range cts {
			if cts[i] = tr.clean(c); c != nil {
				given = append(given, cts[i])
			}
		}
		later := tr.Op(stablehlo.OpOptimizationBarrier,
			append(op.Operands[:len(op.Operands):len(op.Operands)], given...)).Results
		args, given := later[:len(op.Operands)], later[len(op.Operands):]
		outs := make([]value, len(op.Results))
		for k, i := range active {
			if cts[k] != nil {
				outs[i], given = given[0], given[1:]
			}
		}
		grads, _ := t.pullBlock(tr.emitter, b, args, varied, outs, nil, nil)
		for k, g := range grads {
			tr.accumulate(in[k], g)
		}
	})
	for k, i := range active {
		t.set(op.Results[i], results[k])
	}
}

// analyse finds the values in a body that need no tangents.
func (t *tracer) analyse(b *stablehlo.Block, args, results []int) {
	for v := range idleValues(b, at(b.Args, args), at(b.Terminator().Operands, results)) {
		t.idle[v] = true
	}
}

// jvpCustomJVP applies the rule. In reverse mode its transpose is the derivative of the rule by the
// tangents, in which it is linear.
func jvpCustomJVP(t *tracer, op *stablehlo.Op) {
	n := t.ruleOperands(op)
	t.append(op)
	have := haveTangents(op.Operands[:n])
	outs := haveTangents(op.Results)
	rule := t.rule(op, RuleJVP,
		slices.Concat(typesOf(op.Operands[:n]), typesOf(op.Results), typesOf(at(op.Operands, have)),
			typesOf(op.Operands[n:])),
		typesOf(at(op.Results, outs)), false)
	operands := func(tangents []value) []value {
		return slices.Concat(op.Operands[:n], op.Results, tangents, op.Operands[n:])
	}
	given := t.tangents(at(op.Operands, have))
	if t.pullbacks == nil {
		dirs := make([]value, len(given))
		for k, d := range given {
			dirs[k] = t.OrZeros(d, op.Operands[have[k]])
		}
		for k, d := range t.adopt(rule, operands(dirs)) {
			t.set(op.Results[outs[k]], d)
		}
		return
	}
	var in []value
	var positions []int // of the tangents that are not zero, among the arguments of the rule
	for k, d := range given {
		if d != nil {
			in, positions = append(in, d), append(positions, n+len(op.Results)+k)
		}
	}
	var active []int // among the results of the rule
	for k, i := range outs {
		if !t.idle[op.Results[i]] {
			active = append(active, k)
		}
	}
	t.analyse(rule, positions, active)
	results := t.standIn(in, typesOf(at(at(op.Results, outs), active)),
		func(tr *transposer, _ *stablehlo.Op, cts []value) {
			for k := range cts {
				cts[k] = tr.clean(cts[k])
			}
			dirs := make([]value, len(have))
			for k, i := range have {
				dirs[k] = tr.Zeros(op.Operands[i].Type())
			}
			grads := t.pullRule(tr.emitter, rule, operands(dirs), positions,
				spread(make([]value, len(outs)), active, cts))
			for k, g := range grads {
				tr.accumulate(in[k], g)
			}
		})
	for k, i := range active {
		t.set(op.Results[outs[i]], results[k])
	}
}

// jvpCustomVJP computes the forward rule instead of the decomposition, and pulls cotangents back by
// the backward rule. In forward mode the tangents are those of the transposed backward rule.
func jvpCustomVJP(t *tracer, op *stablehlo.Op) {
	n := t.ruleOperands(op)
	have := haveTangents(op.Operands[:n])
	outs := haveTangents(op.Results)
	forward := t.rule(op, RuleForward, typesOf(op.Operands), typesOf(op.Results), true)
	values := t.adopt(forward, op.Operands)
	results, residuals := slices.Clone(values[:len(op.Results)]), values[len(op.Results):]
	for i, r := range results {
		// An operand that is also a result, or a duplicate result, has a separate tangent.
		if slices.Contains(op.Operands, r) || slices.Contains(results[:i], r) {
			results[i] = t.Value(stablehlo.OpOptimizationBarrier, []value{r})
		}
	}
	active := t.active(op.Results) // before the results are renamed
	t.replace(op.Results, results)
	backward := t.rule(op, RuleBackward,
		slices.Concat(typesOf(residuals), typesOf(at(op.Results, outs)), typesOf(op.Operands[n:])),
		typesOf(at(op.Operands, have)), false)
	operands := func(cts []value) []value { return slices.Concat(residuals, cts, op.Operands[n:]) }
	given := t.tangents(at(op.Operands, have))
	if t.pullbacks == nil {
		positions := make([]int, len(outs))
		cts := make([]value, len(outs))
		for k, i := range outs {
			positions[k], cts[k] = len(residuals)+k, t.Zeros(op.Results[i].Type())
		}
		var dirs []int
		for k, d := range given {
			if d != nil {
				dirs = append(dirs, k)
			}
		}
		t.analyse(backward, positions, dirs)
		tangents := t.pullRule(t.emitter, backward, operands(cts), positions, given)
		for k, i := range outs {
			t.set(results[i], tangents[k])
		}
		return
	}
	var in []value
	for _, d := range given {
		if d != nil {
			in = append(in, d)
		}
	}
	standIns := t.standIn(in, typesOf(at(results, active)), func(tr *transposer, _ *stablehlo.Op, cts []value) {
		all := make([]value, len(op.Results))
		for k, i := range active {
			all[i] = tr.clean(cts[k])
		}
		given := at(all, outs)
		for k, i := range outs {
			given[k] = tr.OrZeros(given[k], results[i])
		}
		grads := tr.adopt(copyBlock(backward), operands(given))
		for k, i := range have {
			if d := t.tangent[op.Operands[i]]; d != nil {
				tr.accumulate(d, grads[k])
			}
		}
	})
	for k, i := range active {
		t.set(results[i], standIns[k])
	}
}
