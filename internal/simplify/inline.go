package simplify

import (
	"fmt"

	"github.com/go-nx/nx/stablehlo"
)

// maxInlined bounds the ops of a function after inlining: calls can multiply
// a short program without end.
const maxInlined = 4_000_000

// Inline replaces calls and composites in f by the bodies of the functions
// they name.
func Inline(m *stablehlo.Module, f stablehlo.Func, pause ...Pause) error {
	return InlineBut(m, f, nil, pause...)
}

// Keep says of a call or composite that it is left alone. It may depend on whether that
// comes to be inside a region of another op.
type Keep func(op *stablehlo.Op, inRegion bool) bool

// InlineBut is Inline that leaves alone the calls and composites that keep, if
// not nil, holds for.
func InlineBut(m *stablehlo.Module, f stablehlo.Func, keep Keep, pause ...Pause) error {
	in := &inliner{keep: keep, funcs: map[string]stablehlo.Func{}, active: map[string]bool{f.Name(): true},
		values: Renames{}, pause: pauseOf(pause)}
	for g := range m.Funcs() {
		in.funcs[g.Name()] = g
	}
	return in.block(f.Body())
}

type inliner struct {
	keep   Keep
	depth  int // of regions, that of the function included
	funcs  map[string]stablehlo.Func
	active map[string]bool // the functions being expanded
	count  int             // the ops of the bodies that were expanded
	values Renames         // what stands for arguments of functions and results of calls
	out    []*stablehlo.Op // of the block being written
	pause  Pause
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
		in.pause()
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

// expand writes a copy of the callee's body, the call's operands standing for its
// arguments.
func (in *inliner) expand(callee string, call *stablehlo.Op) error {
	f, ok := in.funcs[callee]
	switch {
	case !ok || f.IsDeclaration():
		return fmt.Errorf("%s: there is no function @%s with a body", call.Name(), callee)
	case in.active[callee]:
		return fmt.Errorf("%s: @%s calls itself: recursion is not supported", call.Name(), callee)
	}
	body := f.Op.Clone(map[*stablehlo.Value]*stablehlo.Value{}).Regions[0].Block()
	for i, a := range body.Args {
		in.values[a] = call.Operands[i]
	}
	if in.count += len(body.Ops); in.count > maxInlined {
		return fmt.Errorf("more than %d ops after inlining calls", maxInlined)
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
