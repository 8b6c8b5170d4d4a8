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
func Inline(m *stablehlo.Module, f stablehlo.Func) error {
	in := &inliner{funcs: map[string]stablehlo.Func{}, active: map[string]bool{f.Name(): true}}
	for g := range m.Funcs() {
		in.funcs[g.Name()] = g
	}
	return in.block(f.Body())
}

type inliner struct {
	funcs  map[string]stablehlo.Func
	active map[string]bool // the functions being expanded
	ops    int
}

func (in *inliner) block(b *stablehlo.Block) error {
	values := map[*stablehlo.Value]*stablehlo.Value{}
	var out []*stablehlo.Op
	for _, op := range b.Ops {
		rename(op, values)
		callee := ""
		switch op.Code {
		case stablehlo.OpCall:
			callee = op.Str("callee")
		case stablehlo.OpComposite:
			callee = op.Str("decomposition")
		}
		if callee == "" {
			for _, r := range op.Regions {
				if err := in.block(r.Block()); err != nil {
					return err
				}
			}
			out = append(out, op)
			continue
		}
		body, err := in.expand(callee, op)
		if err != nil {
			return err
		}
		t := body.Terminator()
		for i, r := range op.Results {
			values[r] = t.Operands[i]
		}
		out = append(out, body.Ops[:len(body.Ops)-1]...)
	}
	b.SetOps(out)
	if len(values) > 0 { // uses inside regions
		for _, op := range out {
			op.Replace(values)
		}
	}
	return nil
}

// rename replaces the operands of op itself.
func rename(op *stablehlo.Op, values map[*stablehlo.Value]*stablehlo.Value) {
	for i, v := range op.Operands {
		if w, ok := values[v]; ok {
			op.Operands[i] = w
		}
	}
}

// expand returns a copy of the callee's body with the call's operands for its
// arguments, calls inside it expanded.
func (in *inliner) expand(callee string, call *stablehlo.Op) (*stablehlo.Block, error) {
	f, ok := in.funcs[callee]
	switch {
	case !ok || f.IsDeclaration():
		return nil, fmt.Errorf("%s: there is no function @%s with a body", call.Name(), callee)
	case in.active[callee]:
		return nil, fmt.Errorf("%s: @%s calls itself: recursion is not supported", call.Name(), callee)
	}
	m := map[*stablehlo.Value]*stablehlo.Value{}
	c := f.Op.Clone(m)
	body := c.Regions[0].Block()
	args := map[*stablehlo.Value]*stablehlo.Value{}
	for i, a := range body.Args {
		args[a] = call.Operands[i]
	}
	c.Replace(args)
	if in.ops += len(body.Ops); in.ops > maxInlined {
		return nil, fmt.Errorf("more than %d ops after inlining calls", maxInlined)
	}
	in.active[callee] = true
	defer delete(in.active, callee)
	return body, in.block(body)
}
