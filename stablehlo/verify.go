package stablehlo

import (
	"context"
	"fmt"
	"slices"
	"sort"
)

// maxDepth bounds how deep regions and types may nest, so that a module cannot
// exhaust the stack.
const maxDepth = 1000

// Verify checks the module against the specification: the form of every op (counts, types, attributes,
// regions), the scopes of values, symbols and calls, and the constraints of every op. It returns nil or an
// *Error with all violations in the order of their positions. Ops of unknown dialects pass; the values inside
// their regions are checked.
func (m *Module) Verify() error { return m.VerifyContext(context.Background()) }

// VerifyContext is [Module.Verify] until the context ends; then it returns the cause.
func (m *Module) VerifyContext(ctx context.Context) error {
	v := &verifier{
		ctx:     ctx,
		source:  m.Source,
		scopes:  make(map[*Value]int, m.Op.size(2)),
		types:   map[Type]bool{},
		symbols: map[*Op]map[string]*Op{},
	}
	v.op(m.Op, 0)
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	if len(v.diags) == 0 {
		return nil
	}
	sort.SliceStable(v.diags, func(i, j int) bool { return v.diags[i].Pos < v.diags[j].Pos })
	return &Error{Source: m.Source, Diagnostics: v.diags}
}

// verifier walks a module once.
type verifier struct {
	ctx   context.Context
	diags []Diagnostic
	// scopes holds the scope in which a value is visible: the number of
	// isolated ops around it, or closed after the end of its region.
	scopes   map[*Value]int
	isolated int      // the scope of the current op
	open     []*Value // the visible values, innermost last
	source   *Source
	tooDeep  bool // whether to stop: a module of that depth cannot even be printed
	next     Pos  // the op after the current one in its block; 0 for the last
	types    map[Type]bool
	// malformed is whether a type has been reported, so that operands may have it.
	malformed bool
	symbols   map[*Op]map[string]*Op // of each op with a symbol table
}

const closed = -1

// maxOpTexts bounds the diagnostics that carry the op as text.
const maxOpTexts = 100

func (v *verifier) report(op *Op, constraint, format string, args ...any) {
	v.add(op, Diagnostic{Pos: op.pos, Loc: op.Loc, Constraint: constraint,
		Message: op.Name() + ": " + fmt.Sprintf(format, args...)})
}

func (v *verifier) add(op *Op, d Diagnostic) {
	if len(v.diags) < maxOpTexts {
		d.Op = opText(op)
	}
	v.diags = append(v.diags, d)
}

// op checks an op and its regions, then makes its results visible.
func (v *verifier) op(op *Op, depth int) {
	if v.tooDeep || v.ctx.Err() != nil {
		return
	}
	if depth > maxDepth {
		v.stop(op, "regions")
		return
	}
	present, sound := v.operands(op)
	present, sound = v.results(op, present, sound)
	c := &check{Op: op, info: op.Code.Info(), verifier: v}
	known := op.Code != Unregistered && present
	formed := known && !v.tooDeep && c.form()
	formed = v.regions(op, depth) && formed
	if formed && sound && !v.tooDeep {
		c.constraints()
	}
	for _, r := range op.Results {
		v.define(op, r)
	}
}

// stop reports regions or a type that nest too deep, and ends the walk.
func (v *verifier) stop(op *Op, what string) {
	v.tooDeep = true
	v.add(nil, Diagnostic{Pos: op.pos, Loc: op.Loc,
		Message: fmt.Sprintf("%s: %s nested deeper than %d", op.Name(), what, maxDepth)})
}

// operands checks that the operands are not nil, well-typed, and visible at op.
func (v *verifier) operands(op *Op) (present, sound bool) {
	present, sound = true, true
	for i, x := range op.Operands {
		if x == nil || x.typ == nil {
			v.report(op, "", "%s is missing", op.operandName(i))
			present = false
			continue
		}
		scope, defined := v.scopes[x]
		switch {
		case !defined:
			v.report(op, "", "%s is used before its definition", op.operandName(i))
		case scope == closed:
			v.report(op, "", "%s is defined in a region that does not hold this op", op.operandName(i))
		case scope != v.isolated:
			v.report(op, "", "%s is defined outside of an op whose region sees no values from outside", op.operandName(i))
		}
		if !defined || v.malformed { // else the type was seen where the value is defined
			sound = v.wellFormed(op, x.typ) && sound
		}
	}
	return present, sound
}

// results checks that the results have types that make sense.
func (v *verifier) results(op *Op, present, sound bool) (bool, bool) {
	for i, r := range op.Results {
		if r == nil || r.typ == nil {
			v.report(op, "", "%s has no type", op.resultName(i))
			present = false
			continue
		}
		sound = v.wellFormed(op, r.typ) && sound
	}
	return present, sound
}

// define makes a value visible until the end of the innermost region.
func (v *verifier) define(op *Op, x *Value) {
	if x == nil {
		return
	}
	if _, twice := v.scopes[x]; twice {
		v.report(op, "", "defines a value that is defined already: an op must be in one place only")
		return
	}
	v.scopes[x] = v.isolated
	v.open = append(v.open, x)
}

// regions checks the regions of op; ok is false when the form of a region is wrong, so that the constraints
// cannot be checked.
func (v *verifier) regions(op *Op, depth int) (ok bool) {
	if op.Code.Info().Traits&Isolated != 0 {
		v.isolated++
		defer func() { v.isolated-- }()
	}
	ok = true
	for i, r := range op.Regions {
		mark := len(v.open)
		for _, b := range r.Blocks {
			ok = v.block(op, i, b, depth) && ok
		}
		for _, x := range v.open[mark:] {
			v.scopes[x] = closed
		}
		v.open = v.open[:mark]
	}
	return ok
}

func (v *verifier) block(op *Op, region int, b *Block, depth int) bool {
	ok := true
	for i, x := range b.Args {
		if x == nil || x.typ == nil {
			v.report(op, "", "argument %d of %s has no type", i, op.regionName(region))
			return false
		}
		ok = v.wellFormed(op, x.typ) && ok
		v.define(op, x)
	}
	for i, inner := range b.Ops {
		if inner.block != b {
			v.report(inner, "", "is in the list of a block that is not its block; use Block.Append or Block.SetOps")
		}
		v.next = 0
		if i+1 < len(b.Ops) {
			v.next = b.Ops[i+1].pos
		}
		v.op(inner, depth+1)
		if inner.Code.Info().Traits&Terminator != 0 && i < len(b.Ops)-1 {
			v.report(inner, "", "must be the last op of its block")
			ok = false
		}
	}
	return v.terminator(op, region, b) && ok
}

// terminator checks that the block ends as a region of op must. A function may
// end as a region does: JAX writes comparators so.
func (v *verifier) terminator(op *Op, region int, b *Block) bool {
	want := terminatorOf(op)
	if want == Unregistered {
		return true
	}
	last := b.Terminator()
	switch {
	case last == nil:
		v.report(op, "", "%s is empty; it must end with %s", op.regionName(region), want)
		return false
	case last.Code != want && last.Code != Unregistered && !(op.Code == OpFunc && last.Code == OpReturn):
		v.report(last, "", "%s of %s must end with %s", op.regionName(region), op.Name(), want)
		return false
	case slices.ContainsFunc(last.Operands, func(x *Value) bool { return x == nil || x.typ == nil }):
		v.report(op, "", "%s returns a value that is missing", op.regionName(region))
		return false
	}
	return true
}

// terminatorOf returns the op that ends the regions of op, or Unregistered when
// anything may.
func terminatorOf(op *Op) OpCode {
	switch op.Code {
	case OpModule, Unregistered:
		return Unregistered
	case OpFunc:
		return OpFuncReturn
	case OpSdyManualComputation:
		return OpSdyReturn
	}
	return OpReturn
}

// operandName names operand i as the specification does: operand 1 (rhs).
func (o *Op) operandName(i int) string {
	return valueName("operand", o.Code.Info().Operands, len(o.Operands), i)
}

// resultName names result i as the specification does.
func (o *Op) resultName(i int) string {
	return valueName("result", o.Code.Info().Results, len(o.Results), i)
}

func valueName(kind string, specs []ValueSpec, n, i int) string {
	sizes, ok := groupSizes(nil, specs, n, nil)
	for k, first := 0, 0; ok && k < len(specs); k++ {
		if i < first+sizes[k] {
			switch {
			case specs[k].Count != One:
				return fmt.Sprintf("%s %d (%s[%d])", kind, i, specs[k].Name, i-first)
			case specs[k].Name != kind:
				return fmt.Sprintf("%s %d (%s)", kind, i, specs[k].Name)
			}
			break
		}
		first += sizes[k]
	}
	return fmt.Sprintf("%s %d", kind, i)
}

func (o *Op) regionName(i int) string {
	specs := o.Code.Info().Regions
	switch {
	case i < len(specs) && specs[i].Count == One:
		return "region " + specs[i].Name
	case len(specs) > 0 && specs[len(specs)-1].Count == Variadic:
		return fmt.Sprintf("region %s[%d]", specs[len(specs)-1].Name, i-len(specs)+1)
	}
	return fmt.Sprintf("region %d", i)
}
