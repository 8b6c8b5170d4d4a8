package simplify

import (
	"cmp"
	"fmt"

	"github.com/go-nx/nx/stablehlo"
)

// maxInlined bounds the ops of a function after inlining: calls can multiply
// a short program without end.
const maxInlined = 4_000_000

// Inline replaces calls and composites in f by the bodies of the functions
// they name.
func Inline(m *stablehlo.Module, f stablehlo.Func, pause ...CheckCancel) error {
	return InlineExcept(m, f, nil, pause...)
}

// Keep says of a call or composite that it is left alone. It may depend on whether that
// comes to be inside a region of another op.
type Keep func(op *stablehlo.Op, inRegion bool) bool

// InlineExcept is Inline that leaves alone the calls and composites that keep, if
// not nil, holds for.
func InlineExcept(m *stablehlo.Module, f stablehlo.Func, keep Keep, pause ...CheckCancel) error {
	in := newInliner(m, f, keep, pause)
	if err := in.check(f); err != nil {
		return err
	}
	return in.block(f.Body())
}

// CheckInline returns the error that InlineBut would return, for functions that are missing, call
// themselves or become too many ops, and changes nothing.
func CheckInline(m *stablehlo.Module, f stablehlo.Func, keep Keep, pause ...CheckCancel) error {
	return newInliner(m, f, keep, pause).check(f)
}

func newInliner(m *stablehlo.Module, f stablehlo.Func, keep Keep, pause []CheckCancel) *inliner {
	in := &inliner{keep: keep, funcs: map[string]stablehlo.Func{}, active: map[string]bool{f.Name(): true},
		values: Renames{}, checkCancel: checkCancelOf(pause)}
	for g := range m.Funcs() {
		in.funcs[g.Name()] = g
	}
	return in
}

var errInlined = fmt.Errorf("more than %d ops after inlining calls", maxInlined)

type inliner struct {
	keep        Keep
	depth       int // of regions, that of the function included
	funcs       map[string]stablehlo.Func
	active      map[string]bool // the functions being expanded
	count       int             // the ops of the bodies that were expanded
	values      Renames         // what stands for arguments of functions and results of calls
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

// write writes ops to the block, and for a call what the function's body writes.
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

// called returns the function that a call names, if it can be expanded.
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

// expand writes a copy of the callee's body, the call's operands standing for its
// arguments.
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
		return errInlined // calls that were to stay do not where constants came to be their operands
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

// check counts the ops that the calls of a function become.
func (in *inliner) check(f stablehlo.Func) error {
	c := counter{inliner: in, ops: map[callSite]int{}}
	if n, err := c.calls(f.Body(), false); err != nil || n > maxInlined {
		return cmp.Or(err, errInlined)
	}
	return nil
}

// counter counts what an inliner will write, each function once however often it is called:
// functions that call each other twice multiply without end.
type counter struct {
	*inliner
	ops map[callSite]int // of a function, its regions and what it calls, at most maxInlined+1
}

// callSite is a function where it is called: inside a region other calls stay than outside.
type callSite struct {
	name     string
	inRegion bool
}

// body counts the ops that a function becomes.
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

// calls counts the ops that the calls in a block become.
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
