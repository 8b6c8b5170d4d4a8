package simplify

import (
	"hash/maphash"

	"github.com/go-nx/nx/stablehlo"
)

// equalOps finds common subexpressions in a block: ops with the same code, operands, attributes and
// regions, and without effects. Only ops of one block are compared: a value from an outer block
// would have to be in memory in a region that can compute it at its use.
type equalOps struct {
	ops     map[uint64]*stablehlo.Op // by hash, or the next free number
	effects *stablehlo.Effects
}

var hashSeed = maphash.MakeSeed()

// find returns an earlier op equal to op, or records op and returns nil.
func (e equalOps) find(op *stablehlo.Op) *stablehlo.Op {
	if len(op.Results) == 0 || op.Code == stablehlo.OpOptimizationBarrier || e.effects.Has(op) {
		return nil // a barrier separates equal values
	}
	h := hashOf(op)
	for range maxCompared {
		other := e.ops[h]
		switch {
		case other == nil:
			e.ops[h] = op
			return nil
		case sameOp(op, other, nil):
			return other
		}
		h++
	}
	return nil
}

// ShareEqual eliminates common subexpressions in each block of a function: transforms write a
// constant, or an index, at each use.
func ShareEqual(b *stablehlo.Block, effects *stablehlo.Effects, checkCancel CheckCancel) {
	shareEqual(b, effects, Renames{}, checkCancel)
}

func shareEqual(b *stablehlo.Block, effects *stablehlo.Effects, renames Renames, checkCancel CheckCancel) {
	equal := equalOps{map[uint64]*stablehlo.Op{}, effects}
	kept := make([]*stablehlo.Op, 0, len(b.Ops))
	for _, op := range b.Ops {
		checkCancel()
		renames.Operands(op)
		for _, r := range op.Regions {
			for _, inner := range r.Blocks {
				shareEqual(inner, effects, renames, checkCancel)
			}
		}
		other := equal.find(op)
		if other == nil {
			kept = append(kept, op)
			continue
		}
		for i, r := range op.Results {
			renames[r] = other.Results[i]
		}
	}
	b.SetOps(kept)
}

func hashOf(op *stablehlo.Op) uint64 {
	var h maphash.Hash
	h.SetSeed(hashSeed)
	maphash.WriteComparable(&h, op.Code)
	for _, v := range op.Operands {
		maphash.WriteComparable(&h, v)
	}
	if t := op.Result().Tensor(); t != nil {
		for _, d := range t.Dims {
			maphash.WriteComparable(&h, d)
		}
	}
	for _, a := range op.Attrs {
		switch a := a.Value.(type) {
		case stablehlo.IntAttr:
			maphash.WriteComparable(&h, a.Value)
		case stablehlo.EnumAttr:
			h.WriteString(a.Value)
		case stablehlo.IntsAttr:
			for _, v := range a.Values {
				maphash.WriteComparable(&h, v)
			}
		case *stablehlo.ElementsAttr:
			if len(a.Data) <= maxHashed {
				h.Write(a.Data)
			} else {
				maphash.WriteComparable(&h, &a.Data[0])
			}
		}
	}
	return h.Sum64()
}

// sameOp reports whether two ops compute the same result. Inside maps values of the regions of a to
// those of b.
func sameOp(a, b *stablehlo.Op, inside map[*stablehlo.Value]*stablehlo.Value) bool {
	if a.Code != b.Code || a.Name() != b.Name() || len(a.Operands) != len(b.Operands) ||
		len(a.Results) != len(b.Results) ||
		len(a.Attrs) != len(b.Attrs) || len(a.Regions) != len(b.Regions) {
		return false
	}
	for i, v := range a.Operands {
		if u, ok := inside[v]; ok {
			v = u
		}
		if v != b.Operands[i] {
			return false
		}
	}
	for i, r := range a.Results {
		if !stablehlo.SameType(r.Type(), b.Results[i].Type()) {
			return false
		}
	}
	for i, at := range a.Attrs {
		if at.Name != b.Attrs[i].Name || !sameAttr(at.Value, b.Attrs[i].Value) {
			return false
		}
	}
	if len(a.Regions) > 0 && inside == nil {
		inside = map[*stablehlo.Value]*stablehlo.Value{}
	}
	for i, r := range a.Regions {
		if !sameBlock(r.Block(), b.Regions[i].Block(), inside) {
			return false
		}
	}
	return true
}

func sameBlock(a, b *stablehlo.Block, inside map[*stablehlo.Value]*stablehlo.Value) bool {
	if len(a.Args) != len(b.Args) || len(a.Ops) != len(b.Ops) {
		return false
	}
	for i, v := range a.Args {
		if !stablehlo.SameType(v.Type(), b.Args[i].Type()) {
			return false
		}
		inside[v] = b.Args[i]
	}
	for i, op := range a.Ops {
		if !sameOp(op, b.Ops[i], inside) {
			return false
		}
		for j, r := range op.Results {
			inside[r] = b.Ops[i].Results[j]
		}
	}
	return true
}

// sameAttr compares attributes, large constants by address.
func sameAttr(a, b stablehlo.Attr) bool {
	x, ok := a.(*stablehlo.ElementsAttr)
	y, ok2 := b.(*stablehlo.ElementsAttr)
	if ok && ok2 && x.Splat == y.Splat && len(x.Data) > maxHashed {
		return len(x.Data) == len(y.Data) && &x.Data[0] == &y.Data[0] && stablehlo.SameType(x.Type, y.Type)
	}
	return stablehlo.SameAttr(a, b)
}
