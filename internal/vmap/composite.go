package vmap

import (
	"fmt"
	"slices"
	"strings"

	"github.com/go-nx/nx/internal/autodiff"
	"github.com/go-nx/nx/internal/blocks"
	"github.com/go-nx/nx/internal/emit"
	"github.com/go-nx/nx/internal/lazy"
	"github.com/go-nx/nx/stablehlo"
)

// composites holds the composites that are not expanded, since they have their own derivatives:
// their functions are batched. All others are expanded.
var composites lazy.Value[map[string]row]

func listComposites() map[string]row {
	composites := map[string]row{
		autodiff.Checkpoint: batchCheckpoint,
		autodiff.CustomJVP:  batchCustomJVP,
		autodiff.CustomVJP:  batchCustomVJP,
	}
	for _, name := range blocks.Names() {
		composites[name] = batchBlock
	}
	composites[blocks.QuantizedDot] = batchQuantizedDot
	return composites
}

func stays(op *stablehlo.Op, _ bool) bool {
	return op.Code == stablehlo.OpComposite && composites.Get(listComposites)[op.Str("name")] != nil
}

// batchComposite applies the row of the composite of that name; composites without a row are
// expanded before.
func batchComposite(t *batcher, op *stablehlo.Op) {
	composites.Get(listComposites)[op.Str("name")](t, op)
}

// batchBlock adds the batch to the dimensions before those of the matrices.
func batchBlock(t *batcher, op *stablehlo.Op) {
	t.set(op, blocks.Append(t.Emitter, t.module, op.Str("name"), blocks.Attrs(op), t.lifted(op.Operands)...)...)
}

// batchQuantizedDot makes the batch more rows if the matrix is shared.
func batchQuantizedDot(t *batcher, op *stablehlo.Op) {
	if t.marked[op.Operands[1]] || t.marked[op.Operands[2]] || op.Operands[0].Tensor().Rank() > 2 {
		batchBlock(t, op)
		return
	}
	x := t.lifted(op.Operands[:1])[0]
	d := emit.Sizes(x)
	rows := t.Reshape(x, d[0]*d[1], d[2])
	ins := append([]value{rows}, t.all(op.Operands[1:])...)
	y := blocks.Append(t.Emitter, t.module, op.Str("name"), nil, ins...)[0]
	t.set(op, t.Reshape(y, d[0], d[1], emit.Sizes(y)[1]))
}

// batchCheckpoint batches the decomposition, which stays a checkpoint.
func batchCheckpoint(t *batcher, op *stablehlo.Op) { t.composite(op, op.Attr("composite_attributes")) }

// batchCustomJVP batches the rule, whose results are batches like those of the function; a tangent
// is a batch if its operand is.
func batchCustomJVP(t *batcher, op *stablehlo.Op) {
	n := operandsOfRule(op)
	marks := slices.Concat(t.marks(op.Operands[:n]), repeat(len(op.Results), true),
		t.marks(floats(op.Operands[:n])), t.marks(op.Operands[n:]))
	t.composite(op, t.renameRules(op, map[string]function{autodiff.RuleJVP: {marks: marks}}))
}

// batchCustomVJP batches both rules. A shared operand belongs to all elements: its cotangent is the
// sum of theirs.
func batchCustomVJP(t *batcher, op *stablehlo.Op) {
	n := operandsOfRule(op)
	forward := t.named(ruleName(op, autodiff.RuleForward))
	residuals := len(forward.Type().Outs) - len(op.Results)
	if residuals < 0 {
		emit.Fail("@%s must return at least the %[3]d results, got %[2]d values", forward.Name(),
			len(forward.Type().Outs),
			len(op.Results))
	}
	var sums []int
	for i, v := range floats(op.Operands[:n]) {
		if !t.marked[v] {
			sums = append(sums, i)
		}
	}
	marks := slices.Concat(repeat(residuals+len(floats(op.Results)), true), t.marks(op.Operands[n:]))
	t.composite(op, t.renameRules(op, map[string]function{
		autodiff.RuleForward:  {marks: t.marks(op.Operands)},
		autodiff.RuleBackward: {marks: marks, sums: sums},
	}))
}

// composite appends the composite of batched functions. In a loop or a branch that only some
// elements run, the mask of these elements is another operand, which is not differentiable: loops
// in the functions run only for them.
func (t *batcher) composite(op *stablehlo.Op, attrs stablehlo.Attr) {
	decomposition := t.function(op.Str("decomposition"), function{marks: t.marks(op.Operands)})
	operands := t.all(op.Operands)
	if t.active != nil {
		operands = append(operands, t.active)
	}
	c := stablehlo.NewOp(op.Code, operands, t.batchesOf(op.Results), op.Attrs...)
	c.Loc = op.Loc
	c.SetAttr("decomposition", stablehlo.SymbolAttr{Name: decomposition})
	c.SetAttr("composite_attributes", attrs)
	t.set(op, t.B.Block().Append(c).Results...)
}

// function describes how to batch a function of the module.
type function struct {
	marks []bool // which arguments are batches; all results are
	sums  []int  // the results that are summed over the batch instead
}

// renameRules returns the attributes of a composite with batched functions, and the number of its
// differentiable operands.
func (t *batcher) renameRules(op *stablehlo.Op, rules map[string]function) stablehlo.Attr {
	dict, _ := op.Attr("composite_attributes").(stablehlo.DictAttr)
	dict = slices.Clone(dict)
	for i, a := range dict {
		if f, ok := rules[a.Name]; ok {
			dict[i].Value = stablehlo.SymbolAttr{Name: t.function(ruleName(op, a.Name), f)}
		}
	}
	if t.active != nil && dict.Get(autodiff.RuleOperands) == nil {
		dict = append(dict, stablehlo.Named(autodiff.RuleOperands, stablehlo.I64(int64(operandsOfRule(op)))))
	}
	return dict
}

// function batches a function of the module and returns the name of the new one. If only some
// elements run, its last argument is their mask.
func (t *batcher) function(name string, how function) string {
	var pattern strings.Builder
	fmt.Fprintf(&pattern, "%s.batch%d_", name, t.size)
	for _, m := range how.marks {
		pattern.WriteByte("01"[b2i(m)])
	}
	for _, i := range how.sums {
		fmt.Fprintf(&pattern, "_%d", i)
	}
	if t.active != nil {
		pattern.WriteString("_active")
	}
	batched := pattern.String()
	if _, done := t.module.Func(batched); done {
		return batched
	}
	f := stablehlo.Func{Op: t.named(name).Clone(map[value]value{})}
	f.SetAttr("sym_name", stablehlo.StringAttr(batched))
	t.module.Body().Append(f.Op) // now, so that recursion ends
	if len(how.marks) != len(f.Args()) {
		emit.Fail("@%s must have %[3]d arguments, got %[2]d", name, len(f.Args()), len(how.marks))
	}
	prepare(t.module, f)
	in := make([]int, len(how.marks))
	for i, m := range how.marks {
		in[i] = Shared * b2i(!m)
	}
	b := newBatcher(t.module, t.effects, f, t.size)
	b.masked = t.active != nil
	b.rewrite(f, in, func(t *batcher, i int, r value) value {
		if slices.Contains(how.sums, i) {
			return t.SumOver(t.lift(r), 0)
		}
		return t.lift(r)
	})
	return batched
}

// named returns the function of a name, which must have a body.
func (t *batcher) named(name string) stablehlo.Func {
	f, ok := t.module.Func(name)
	if !ok || f.IsDeclaration() {
		emit.Fail("there is no function @%s with a body", name)
	}
	return f
}

// marks reports which values are batches.
func (t *batcher) marks(vs []value) []bool {
	out := make([]bool, len(vs))
	for i, v := range vs {
		out[i] = t.marked[v]
	}
	return out
}

// ruleName returns the name of the function that an attribute of a composite names.
func ruleName(op *stablehlo.Op, attr string) string {
	dict, _ := op.Attr("composite_attributes").(stablehlo.DictAttr)
	s, ok := dict.Get(attr).(stablehlo.SymbolAttr)
	if !ok {
		emit.Fail("%s must have an attribute %s that names a function", op.Str("name"), attr)
	}
	return s.Name
}

// operandsOfRule returns the number of differentiable operands of a rule.
func operandsOfRule(op *stablehlo.Op) int {
	dict, _ := op.Attr("composite_attributes").(stablehlo.DictAttr)
	if i, ok := dict.Get(autodiff.RuleOperands).(stablehlo.IntAttr); ok && i.Value >= 0 &&
		i.Value <= int64(len(op.Operands)) {
		return int(i.Value)
	}
	return len(op.Operands)
}

// floats returns the differentiable values.
func floats(vs []value) []value {
	return slices.DeleteFunc(slices.Clone(vs), func(v value) bool {
		d := stablehlo.DType(v.Type())
		return !d.IsFloat() && !d.IsComplex()
	})
}

func repeat(n int, v bool) []bool { return slices.Repeat([]bool{v}, n) }

func b2i(b bool) int {
	if b {
		return 1
	}
	return 0
}
