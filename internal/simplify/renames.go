package simplify

import "github.com/go-nx/nx/stablehlo"

// Renames maps removed values to their replacements, which may be removed too. Passes collect
// renames and apply them once, so that their time does not grow with the nesting depth of an op.
type Renames map[*stablehlo.Value]*stablehlo.Value

// Of returns the replacement of a value.
//
//go:noinline
func (r Renames) Of(v *stablehlo.Value) *stablehlo.Value {
	w, ok := r[v]
	if !ok {
		return v
	}
	for {
		next, ok := r[w]
		if !ok {
			break
		}
		w = next
	}
	for v != w { // path compression
		v, r[v] = r[v], w
	}
	return w
}

// Operands renames the operands of an op, but not in its regions.
func (r Renames) Operands(op *stablehlo.Op) {
	if len(r) == 0 {
		return
	}
	for i, v := range op.Operands {
		op.Operands[i] = r.Of(v)
	}
}

// Apply renames the operands of all ops of a block and its regions.
func (r Renames) Apply(b *stablehlo.Block) {
	if len(r) == 0 {
		return
	}
	for _, op := range b.Ops {
		for x := range op.Walk() {
			r.Operands(x)
		}
	}
}
