package simplify

import "github.com/go-nx/nx/stablehlo"

// uses counts the uses of values while a function is being rewritten. Dead ops do not count.
type uses struct {
	effects *stablehlo.Effects
	of      map[*stablehlo.Value]int
	// gone has the ops whose operands do not count. An op counts again if its result is used again:
	// a rule looks through an operand, or an equal op comes later.
	gone map[*stablehlo.Op]bool
}

func usesIn(b *stablehlo.Block, effects *stablehlo.Effects) uses {
	u := uses{effects: effects, of: make(map[*stablehlo.Value]int, len(b.Ops)), gone: map[*stablehlo.Op]bool{}}
	for _, op := range b.Ops {
		for x := range op.Walk() {
			u.add(x)
		}
	}
	return u
}

// add counts the operands of an op.
func (u uses) add(op *stablehlo.Op) {
	delete(u.gone, op)
	for _, v := range op.Operands {
		u.use(v, 1)
	}
}

// use counts n uses of a value.
func (u uses) use(v *stablehlo.Value, n int) {
	u.of[v] += n
	if d := v.Op(); n > 0 && d != nil && u.gone[d] {
		u.add(d)
	}
}

// drop reverts add, also for the operands of ops that become dead.
func (u uses) drop(op *stablehlo.Op) {
	if u.gone[op] {
		return
	}
	u.gone[op] = true
	for _, v := range op.Operands {
		if u.of[v]--; u.of[v] > 0 {
			continue
		}
		if d := v.Op(); d != nil && len(d.Results) == 1 && len(d.Regions) == 0 && !u.effects.Has(d) {
			u.drop(d)
		}
	}
}

// replace transfers the uses of a value to its replacement.
func (u uses) replace(old, by *stablehlo.Value) {
	if old != by {
		n := u.of[old]
		delete(u.of, old)
		u.use(by, n)
	}
}

// usedOnce reports whether v has exactly one use.
func (e Emitter) usedOnce(v *stablehlo.Value) bool { return e.uses.of[v] == 1 }
