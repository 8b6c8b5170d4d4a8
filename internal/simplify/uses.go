package simplify

import "github.com/go-nx/nx/stablehlo"

// uses counts the operands that a value is, while a function is being rewritten. What
// nobody uses any more does not count.
type uses map[*stablehlo.Value]int

func usesIn(b *stablehlo.Block) uses {
	u := make(uses, len(b.Ops))
	for _, op := range b.Ops {
		for x := range op.Walk() {
			u.add(x)
		}
	}
	return u
}

// add counts the operands of an op.
func (u uses) add(op *stablehlo.Op) {
	for _, v := range op.Operands {
		u[v]++
	}
}

// drop takes back what add counted, and the operands of ops that nobody uses then.
func (u uses) drop(op *stablehlo.Op) {
	for _, v := range op.Operands {
		if u[v]--; u[v] > 0 {
			continue
		}
		d := v.Op()
		if d == nil || len(d.Results) > 1 || len(d.Regions) > 0 || HasEffects(d) {
			continue
		}
		u.drop(d)
	}
}

// replace counts the uses of a value as those of what stands for it now.
func (u uses) replace(old, by *stablehlo.Value) {
	if old != by {
		u[by] += u[old]
		delete(u, old)
	}
}

// usedOnce reports whether v is one operand alone.
func (w *writer) usedOnce(v *stablehlo.Value) bool { return w.uses[v] == 1 }
