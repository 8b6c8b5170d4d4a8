package autodiff

import (
	"github.com/go-nx/nx/internal/simplify"
	"github.com/go-nx/nx/stablehlo"
)

// normalise rewrites a block for the rules: tuples that are built there are scalarised, state that
// a while carries unchanged is captured instead, and scans are loops.
func normalise(b *stablehlo.Block) {
	m := simplify.Renames{}
	normaliseBlock(b, m)
	m.Apply(b)
}

// normaliseBlock delays the renaming of values that a loop captures to the end, except for operands
// that it reads itself.
func normaliseBlock(b *stablehlo.Block, m simplify.Renames) {
	var out []*stablehlo.Op
	for _, op := range takeOps(b) {
		m.Operands(op)
		for _, r := range op.Regions {
			normaliseBlock(r.Block(), m)
		}
		switch op.Code {
		case stablehlo.OpGetTupleElement:
			if def := op.Operands[0].Op(); def != nil && def.Code == stablehlo.OpTuple {
				m[op.Result()] = def.Operands[op.Int("index", 0)]
				continue
			}
		case stablehlo.OpChloScan:
			scratch := newScratch()
			e := emitTo(scratch)
			for i, v := range expandLowered(e, op) {
				m[op.Results[i]] = v
			}
			out = append(out, takeOps(scratch)...)
			continue
		case stablehlo.OpWhile:
			op = simplify.HoistInvariants(op, m)
		}
		out = append(out, op)
	}
	b.SetOps(out)
}

// at returns the values at some positions.
//
//go:noinline
func at[T any](vs []T, positions []int) []T {
	out := make([]T, len(positions))
	for i, p := range positions {
		out[i] = vs[p]
	}
	return out
}

// spread returns vs with those at some positions replaced by new ones.
func spread(vs []value, positions []int, new []value) []value {
	out := append([]value(nil), vs...)
	for i, p := range positions {
		out[p] = new[i]
	}
	return out
}
