package simplify

import (
	"cmp"
	"fmt"

	"github.com/go-nx/nx/stablehlo"
)

// Inline replaces calls and composites in f by the bodies of their callees.
func Inline(m *stablehlo.Module, f stablehlo.Func, checkCancel ...CheckCancel) error {
	return InlineExcept(m, f, nil, checkCancel...)
}

// Keep reports whether a call or composite is not inlined. It may depend on whether the call ends
// up in a region of another op.
type Keep func(op *stablehlo.Op, inRegion bool) bool

// InlineExcept is Inline except for the calls and composites that keep accepts, if it is not nil.
func InlineExcept(m *stablehlo.Module, f stablehlo.Func, keep Keep, checkCancel ...CheckCancel) error {
	in := newInliner(m, f, keep, checkCancel)
	if err := in.check(f); err != nil {
		return err
	}
	return in.block(f.Body())
}

// CheckInline returns the error that InlineExcept would return, for functions that are missing,
// recursive or too large after inlining, and changes nothing.
func CheckInline(m *stablehlo.Module, f stablehlo.Func, keep Keep, checkCancel ...CheckCancel) error {
	return newInliner(m, f, keep, checkCancel).check(f)
}

func newInliner(m *stablehlo.Module, f stablehlo.Func, keep Keep, checkCancel []CheckCancel) *inliner {
	in := &inliner{keep: keep, funcs: map[string]stablehlo.Func{}, active: map[string]bool{f.Name(): true},
		values: Renames{}, checkCancel: checkCancelOf(checkCancel)}
	for g := range m.Funcs() {
		in.funcs[g.Name()] = g
	}
	return in
}

var errInlined = fmt.Errorf("more than %d ops after inlining calls", maxInlined)

type inliner struct {
	keep        Keep
	depth       int // of regions, including that of the function
	funcs       map[string]stablehlo.Func
	active      map[string]bool // the functions being expanded
	count       int             // the number of ops in expanded bodies
	values      Renames         // the replacements of arguments of functions and results of calls
	out         []*stablehlo.Op // of the block being written
	checkCancel CheckCancel
}

func (in *inliner) block(b *stablehlo.Block) error {
	out := in.out
	in.depth++
	defer func() { in.out = out; in.depth-- }()
	in.out = make([]*stablehlo.Op, 0, len(b.Ops))
	if err := in.write(b.Ops); err != nil {
		return err
	}
	b.SetOps(in.out)
	return nil
}

// write writes ops to the block, and for a call the body of the function.
func (in *inliner) write(ops []*stablehlo.Op) error {
	for _, op := range ops {
		in.checkCancel()
		in.values.Operands(op)
		callee := op.Callee()
		if callee != "" && (in.keep == nil || !in.keep(op, in.depth > 1)) {
			if err := in.expand(callee, op); err != nil {
				return err
			}
			continue
		}
		for _, r := range op.Regions {
			if err := in.block(r.Block()); err != nil {
				return err
			}
		}
		in.out = append(in.out, op)
	}
	return nil
}

// called returns the callee of a call, if it can be expanded.
func (in *inliner) called(callee string, call *stablehlo.Op) (f stablehlo.Func, err error) {
	f, ok := in.funcs[callee]
	switch {
	case !ok || f.IsDeclaration():
		return f, fmt.Errorf("%s: there is no function @%s with a body", call.Name(), callee)
	case in.active[callee]:
		return f, fmt.Errorf("%s: @%s calls itself: recursion is not supported", call.Name(), callee)
	}
	return f, nil
}

// expand writes a copy of the callee's body, with the call's operands in place of its arguments.
func (in *inliner) expand(callee string, call *stablehlo.Op) error {
	f, err := in.called(callee, call)
	if err != nil {
		return err
	}
	body := f.Op.Clone(map[*stablehlo.Value]*stablehlo.Value{}).Regions[0].Block()
	for i, a := range body.Args {
		in.values[a] = call.Operands[i]
	}
	if in.count += len(body.Ops); in.count > maxInlined {
		return errInlined // calls to be kept may be inlined when their operands became constants
	}
	in.active[callee] = true
	defer delete(in.active, callee)
	if err := in.write(body.Ops[:len(body.Ops)-1]); err != nil {
		return err
	}
	for i, v := range body.Terminator().Operands {
		in.values[call.Results[i]] = in.values.Of(v)
	}
	return nil
}

// check counts the ops that the calls of a function expand to.
func (in *inliner) check(f stablehlo.Func) error {
	c := counter{inliner: in, ops: map[callSite]int{}}
	if n, err := c.calls(f.Body(), false); err != nil || n > maxInlined {
		return cmp.Or(err, errInlined)
	}
	return nil
}

// counter counts the ops that an inliner will write. Each function is counted once for all its
// calls: functions that call each other twice grow exponentially.
type counter struct {
	*inliner
	ops map[callSite]int // of a function with its regions and callees, at most maxInlined+1
}

// callSite is a function and whether it is called inside a region, where other calls are kept than
// outside.
type callSite struct {
	name     string
	inRegion bool
}

// body counts the ops that a function expands to.
func (c *counter) body(f stablehlo.Func, inRegion bool) (int, error) {
	key := callSite{f.Name(), inRegion}
	if n, ok := c.ops[key]; ok {
		return n, nil
	}
	c.active[key.name] = true
	defer delete(c.active, key.name)
	n, err := c.calls(f.Body(), inRegion)
	for range f.Walk() {
		n++
	}
	c.ops[key] = min(n, maxInlined+1)
	return c.ops[key], err
}

// calls counts the ops that the calls in a block expand to.
func (c *counter) calls(b *stablehlo.Block, inRegion bool) (n int, err error) {
	for _, op := range b.Ops {
		c.checkCancel()
		more := 0
		if callee := op.Callee(); callee != "" && (c.keep == nil || !c.keep(op, inRegion)) {
			f, err := c.called(callee, op)
			if err != nil {
				return 0, err
			}
			if more, err = c.body(f, inRegion); err != nil {
				return 0, err
			}
		}
		n = min(n+more, maxInlined+1)
		for _, r := range op.Regions {
			more, err := c.calls(r.Block(), true)
			if err != nil {
				return 0, err
			}
			n = min(n+more, maxInlined+1)
		}
	}
	return n, nil
}
