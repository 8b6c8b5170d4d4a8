package fuse

import (
	"slices"

	"github.com/go-nx/nx/stablehlo"
)

// blockUses is the uses of the results of the ops of a block.
type blockUses struct {
	consumers    map[*stablehlo.Op][]*stablehlo.Op // in the block
	escapes      map[*stablehlo.Op]bool            // read from memory, by consumers anywhere
	materialised map[*stablehlo.Value]bool         // in memory for results and algorithms
	parts        map[*stablehlo.Op]part            // whose result is a part of a concatenation
	updated      map[*stablehlo.Value]bool         // arrays of updates
	cheap        map[*stablehlo.Op]bool            // cached isRecomputable
	readers      map[*stablehlo.Op][]*stablehlo.Op // cached memoryReaders
	read         map[*stablehlo.Op]bool            // whether an op among the consumers reads memory
	splitConcats map[*stablehlo.Op]bool            // concatenations of which only the parts are read
}

// findUses finds the uses of a block that is to be planned.
func (p *planner) findUses(b *stablehlo.Block) {
	n := len(b.Ops)
	u := &blockUses{consumers: make(map[*stablehlo.Op][]*stablehlo.Op, n), escapes: map[*stablehlo.Op]bool{},
		materialised: map[*stablehlo.Value]bool{}, parts: map[*stablehlo.Op]part{},
		updated: map[*stablehlo.Value]bool{}, cheap: map[*stablehlo.Op]bool{}, read: map[*stablehlo.Op]bool{},
		readers: map[*stablehlo.Op][]*stablehlo.Op{}, splitConcats: p.splitConcats(b)}
	p.uses = u
	for _, op := range b.Ops {
		for _, i := range effectsOf(op).Updates {
			u.updated[op.Operands[i]] = true
		}
		if p.readsMemory(op) && !isContractionOp(op) && !u.splitConcats[op] {
			for _, v := range p.sources(op) {
				if d := v.Op(); d == nil || p.readsFrom(d, op) {
					u.materialised[v] = true
				}
			}
		}
	}
	for _, op := range b.Ops {
		if u.splitConcats[op] {
			continue
		}
		for i, v := range p.sources(op) {
			if d := v.Op(); d != nil && d.Block() == b {
				if list := u.consumers[d]; len(list) == 0 || list[len(list)-1] != op {
					u.consumers[d] = append(list, op)
				}
				if op.Code == stablehlo.OpReduce && i >= len(op.Operands)/2 {
					u.escapes[d] = true // an initial value
				}
			}
		}
		for _, v := range p.captures.of(op) {
			if d := v.Op(); d != nil && d.Block() == b {
				u.escapes[d] = true // used in a region
			}
		}
	}
	for _, op := range b.Ops {
		if op.Code == stablehlo.OpConcatenate && !u.splitConcats[op] {
			u.findParts(p, op)
		}
	}
}

// splitConcats returns the concatenations of a block that are only read in parts: as the components
// of indices.
func (p *planner) splitConcats(b *stablehlo.Block) map[*stablehlo.Op]bool {
	var out map[*stablehlo.Op]bool
	for _, op := range b.Ops {
		if parts := p.indexOf(op); len(parts) > 1 {
			if out == nil {
				out = map[*stablehlo.Op]bool{}
			}
			out[op.Operands[1].Op()] = true
		}
	}
	if out == nil {
		return nil
	}
	for _, op := range b.Ops {
		read := op.Operands // the views that a contraction reads through are ops of the block as well
		if !isContractionOp(op) {
			read = p.sources(op) // of a contraction only known after the materialised values
		}
		for _, v := range slices.Concat(read, p.captures.of(op)) {
			delete(out, v.Op())
		}
	}
	return out
}

// isRead reports whether anything outside the kernel of cluster g reads the result of op, one of
// its roots: merging clusters makes roots without readers.
func (p *planner) isRead(op *stablehlo.Op, g *cluster) bool {
	if p.isInMemory(op) {
		return true
	}
	for _, c := range p.uses.consumers[op] {
		for _, in := range p.clusters[c] {
			if in.find() != g {
				return true
			}
		}
	}
	return false
}
