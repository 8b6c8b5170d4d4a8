package neon

import "github.com/go-nx/nx/internal/cpu/asm/arm64"

// findLive finds the halves that are live after each block, and the nodes whose values are needed. A half is live if a
// node that is needed reads it before it is set; which nodes are needed depends on the halves that are live after their
// block. The sets only grow, so that the iteration ends.
func findLive(blocks []block) {
	before := make([]uint32, len(blocks))
	for changed := true; changed; {
		changed = false
		for i := len(blocks) - 1; i >= 0; i-- {
			b := &blocks[i]
			b.live = 0
			for _, n := range b.next {
				if n >= 0 {
					b.live |= before[n]
				}
			}
			if live := b.findNeeded(); live != before[i] {
				before[i], changed = live, true
			}
		}
	}
}

// findNeeded marks the nodes that are needed, and returns the halves that are live before the block.
func (b *block) findNeeded() uint32 {
	isNeeded := make([]bool, b.values)
	for h, v := range b.out {
		if b.live>>h&1 != 0 {
			isNeeded[v] = true
		}
	}
	b.needed = make([]bool, len(b.nodes))
	for i := len(b.nodes) - 1; i >= 0; i-- {
		n := &b.nodes[i]
		needed := n.effect
		for _, o := range n.args[:n.n] {
			needed = needed || o.def && isNeeded[o.v]
		}
		if b.needed[i] = needed; !needed {
			continue
		}
		for _, o := range n.args[:n.n] {
			switch {
			case !o.def:
				isNeeded[o.v] = true
			case o.tied != 0:
				isNeeded[o.tied] = true
			}
		}
	}
	var live uint32
	for h := range halves {
		if isNeeded[h+1] {
			live |= 1 << h
		}
	}
	return live
}

// nodeList returns the nodes that are needed. A load of two values, one of which is never read, becomes a load of one.
func (b *block) nodeList() []node {
	read := make([]bool, b.values)
	for h, v := range b.out {
		if b.live>>h&1 != 0 {
			read[v] = true
		}
	}
	list := make([]node, 0, len(b.nodes))
	for i := range b.nodes {
		if !b.needed[i] {
			continue
		}
		list = append(list, b.nodes[i])
		for _, o := range b.nodes[i].args[:b.nodes[i].n] {
			if !o.def {
				read[o.v] = true
			} else if o.tied != 0 {
				read[o.tied] = true
			}
		}
	}
	for i := range list {
		n := &list[i]
		if n.op != arm64.LDP || read[n.args[0].v] && read[n.args[1].v] {
			continue
		}
		at := n.args[2].arg
		keep := n.args[0]
		if !read[keep.v] {
			keep = n.args[1]
			at.Val += 16
		}
		op := arm64.LDR
		if at.Val < 0 || at.Val%16 != 0 {
			op = arm64.LDUR
			if at.Val < -256 || at.Val > 255 {
				continue
			}
		}
		*n = node{op: op, n: 2, args: [4]operand{keep, other(at)}}
	}
	return list
}
