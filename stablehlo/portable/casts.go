package portable

import (
	"cmp"
	"slices"

	"github.com/go-nx/nx/stablehlo"
)

// Values of ops outside of VHLO have the types of their own dialects, so that casts are inserted between them
// and VHLO. The positions and locations of the casts are those of LLVM's dialect conversion: one cast per
// value, directly after its definition, and of two casts the later one comes first. A cast to VHLO is created
// for the first user and has its location; a cast from VHLO is created at the end, for the remaining users,
// and has the location of the value.

// crossings are the uses of values by ops of the one and of the other kind.
type crossings struct {
	nonVHLO map[*stablehlo.Value]bool     // used by an op outside of VHLO
	vhlo    map[*stablehlo.Value]firstUse // used by an op of VHLO
	count   int
}

// firstUse is the first op that uses a value, and its position among such uses.
type firstUse struct {
	op *stablehlo.Op
	at int
}

func (c *crossings) find(op *stablehlo.Op) {
	for _, v := range op.Operands {
		if vhloName(op.Code) == "" {
			c.nonVHLO[v] = true
		} else if c.vhlo[v].op == nil {
			c.vhlo[v] = firstUse{op, c.count}
			c.count++
		}
	}
	for _, r := range op.Regions {
		for _, b := range r.Blocks {
			for _, inner := range b.Ops {
				c.find(inner)
			}
		}
	}
}

// castFromVHLO appends the casts of values of VHLO's types, which op defines, or, when it
// is nil, which are arguments.
func (w *writer) castFromVHLO(region *outRegion, values []*stablehlo.Value, op *stablehlo.Op) {
	for _, v := range slices.Backward(values) {
		if !w.crossings.nonVHLO[v] {
			continue
		}
		loc := v.Loc
		if op != nil {
			loc = op.Loc
		}
		w.nonVHLO[v] = w.cast(region, w.values[v], w.builtinType(v.Type()), w.location(loc))
	}
}

// castToVHLO appends the casts of values of other types.
func (w *writer) castToVHLO(region *outRegion, values []*stablehlo.Value) {
	first := w.crossings.vhlo
	list := slices.DeleteFunc(slices.Clone(values), func(v *stablehlo.Value) bool { return first[v].op == nil })
	slices.SortFunc(list, func(a, b *stablehlo.Value) int { return cmp.Compare(first[b].at, first[a].at) })
	for _, v := range list {
		to := w.cast(region, w.nonVHLO[v], w.vhloType(v.Type()), w.location(first[v].op.Loc))
		to.by.toVHLO = true
		w.values[v] = to
	}
}

// cast appends a cast of a value and returns the new one.
func (w *writer) cast(region *outRegion, from *value, to, loc *node) *value {
	o := &outOp{name: castName, loc: loc, operands: []*value{from}}
	v := &value{typ: to, owner: region, by: o}
	o.results = []*value{v}
	region.ops = append(region.ops, o)
	return v
}

var castName = opName{"builtin", "unrealized_conversion_cast", true}
