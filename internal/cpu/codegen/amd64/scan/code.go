package scan

import (
	"encoding/binary"
	"math/bits"
	"unsafe"

	asm "github.com/go-nx/nx/internal/cpu/asm/amd64"
	"github.com/go-nx/nx/internal/cpu/codegen/amd64/target"
)

// scanGroup is the number of elements that are scanned at a time; package monoid defines the order.
const scanGroup = 16

// scanArgs are the arguments of the code of scans.
type scanArgs struct {
	src, dst unsafe.Pointer
	count    int            // of groups, or of rows; at least 1
	carry    [8]byte        // an element
	chain    [8]byte        // an element: the scan of the groups so far
	step     int            // bytes from a row to the next
	before   unsafe.Pointer // the row before the first
	cols     int            // of the last vector of a row
	mask     [32]byte
	group    [scanGroup * 8]byte // buffer for the last group
}

// The byte offsets of the arguments after those of the loop.
const (
	scanCarry = 8 * (iota + target.LoopArgs)
	scanChain
	scanStepBytes
	scanBefore
	scanCols
	scanMask
)

// scanCode emits scans by an operation.
type scanCode struct {
	target.Loop
	op asm.Op
}

// groupVecs returns the number of vectors of a group.
func (c *scanCode) groupVecs() int { return scanGroup / c.Lanes() }

// addCarry combines groups of elements with the carry.
func (c *scanCode) addCarry() {
	c.Begin()
	by, x := c.Vector(0), c.Vector(1)
	c.Broadcast(by, asm.Mem(asm.RDI, scanCarry))
	c.Times(func() {
		for j := range c.groupVecs() {
			at := asm.Mem(target.LoopTo, j*c.Width.VectorBytes())
			c.Emit(c.op, x, by, at)
			c.Emit(asm.VMOVUPS, at, x)
		}
		c.EmitImm(asm.ADD, target.LoopTo, int64(scanGroup*c.Size))
	}, func() {})
}

// rows scans rows of vecs vectors; the last vector may be partial.
func (c *scanCode) rows(vecs int, part bool) {
	c.Begin()
	step, before, mask := asm.GP(9), asm.GP(10), c.Vector(vecs+1)
	c.EmitLoad(step, asm.RDI, scanStepBytes)
	c.EmitLoad(before, asm.RDI, scanBefore)
	if part && c.Width == target.V512 {
		target.LoadTailMask(&c.Assembler, scanCols)
	} else if part {
		c.Emit(asm.VMOVUPS, mask, asm.Mem(asm.RDI, scanMask))
	}
	isPart := func(j int) bool { return part && j == vecs-1 }
	wide, narrow := c.Of(asm.VMOVUPS, asm.VMOVUPD), c.Of(asm.VMASKMOVPS, asm.VMASKMOVPD)
	load := func(j int, to, base asm.Reg) {
		switch from := asm.Mem(base, j*c.Width.VectorBytes()); {
		case !isPart(j):
			c.Emit(wide, to, from)
		case c.Width == target.V512:
			c.Masked(asm.K(target.TailMask), true, wide, to, from)
		default:
			c.Emit(narrow, to, mask, from)
		}
	}
	store := func(j int, base asm.Reg) {
		switch to := asm.Mem(base, j*c.Width.VectorBytes()); {
		case !isPart(j):
			c.Emit(wide, to, c.Vector(j))
		case c.Width == target.V512:
			c.Masked(asm.K(target.TailMask), false, wide, to, c.Vector(j))
		default:
			c.Emit(narrow, to, mask, c.Vector(j))
		}
	}
	for j := range vecs {
		load(j, c.Vector(j), before)
	}
	c.Times(func() {
		for j := range vecs {
			x := c.Vector(vecs)
			load(j, x, target.LoopFrom)
			c.Emit(c.op, c.Vector(j), c.Vector(j), x)
			store(j, target.LoopTo)
		}
		c.Emit(asm.ADD, target.LoopFrom, step)
		c.Emit(asm.ADD, target.LoopTo, step)
	}, func() {})
}

// groupCode has the registers of the code of lines: the vectors of a group, temporaries and permutations.
type groupCode struct {
	x              [scanGroup / 4]asm.Reg
	t, u           asm.Reg
	chain, carry   asm.Reg
	last, reversal asm.Reg
	spread         [2]asm.Reg // over 4 and over 8 lanes
	reverse        bool
}

// line scans groups of contiguous elements, from the last to the first if reverse.
func (c *scanCode) line(reverse bool) {
	c.Begin()
	v := c.Vector
	g := &groupCode{x: [...]asm.Reg{v(0), v(1), v(2), v(3)}, t: v(4), u: v(5), chain: v(6), carry: v(7), last: v(8),
		reversal: v(9), spread: [...]asm.Reg{v(10), v(11)}, reverse: reverse}
	c.Broadcast(g.chain, asm.Mem(asm.RDI, scanChain))
	c.Broadcast(g.carry, asm.Mem(asm.RDI, scanCarry))
	lanes := c.Lanes()
	c.permutation(g.last, func(int) int { return lanes - 1 })
	c.permutation(g.reversal, func(i int) int { return lanes - 1 - i })
	for i, k := range []int{4, 8} {
		if k < lanes {
			c.permutation(g.spread[i], func(i int) int { return i&^(2*k-1) | k - 1 })
		}
	}
	if c.Width == target.V512 {
		for k := 1; k < lanes; k *= 2 {
			c.EmitImm(asm.MOV, asm.RDX.As(asm.R32), secondHalves(k, lanes))
			c.Emit(asm.KMOVW, c.mask(k), asm.RDX.As(asm.R32))
		}
	}
	c.Times(func() {
		c.group(g)
		by := int64(scanGroup * c.Size)
		if reverse {
			by = -by
		}
		c.EmitImm(asm.ADD, target.LoopFrom, by)
		c.EmitImm(asm.ADD, target.LoopTo, by)
	}, func() {
		x := g.chain.As(asm.XMM)
		c.Emit(c.Of(asm.VMOVSS, asm.VMOVSD), asm.Mem(asm.RDI, scanChain), x)
	})
}

// secondHalves returns the lanes that combine with others at distance k: the second half of each pair of k lanes.
func secondHalves(k, lanes int) int64 {
	set := int64(0)
	for i := range lanes {
		if i&k != 0 {
			set |= 1 << i
		}
	}
	return set
}

// mask returns the register of secondHalves.
func (c *scanCode) mask(k int) asm.Reg { return asm.K(1 + bits.TrailingZeros(uint(k))) }

// permutation loads the lane indices of a permutation.
func (c *scanCode) permutation(to asm.Reg, lane func(i int) int) {
	var data []byte
	for i := range c.Lanes() {
		if c.Size == 4 {
			data = binary.LittleEndian.AppendUint32(data, uint32(lane(i)))
		} else {
			data = binary.LittleEndian.AppendUint64(data, uint64(lane(i)))
		}
	}
	c.Emit(asm.VMOVUPS, to, c.Const(data).Sized(0))
}

// permute permutes lanes by indices in a register. AVX2 has no such permutation of 8-byte lanes; there the constant
// selects the lanes.
func (c *scanCode) permute(to, by, from asm.Reg, four int64) {
	switch {
	case c.Size == 4:
		c.Emit(asm.VPERMPS, to, by, from)
	case c.Width == target.V512:
		c.Emit(asm.VPERMPD, to, by, from)
	default:
		c.Emit(asm.VPERMPD, to, from, asm.Imm(four))
	}
}

// group scans a group and combines it with the carry.
func (c *scanCode) group(g *groupCode) {
	x := g.x[:c.groupVecs()]
	at := func(base asm.Reg, j int) asm.Arg {
		if g.reverse {
			j = len(x) - 1 - j
		}
		return asm.Mem(base, j*c.Width.VectorBytes())
	}
	for j := range x {
		c.Emit(asm.VMOVUPS, x[j], at(target.LoopFrom, j))
		if g.reverse {
			c.permute(x[j], g.reversal, x[j], 0x1b)
		}
	}
	for k := 1; k < scanGroup; k *= 2 {
		c.combineHalves(g, x, k)
	}
	c.permute(g.t, g.last, x[len(x)-1], 0xff)
	for j := range x {
		c.Emit(c.op, g.u, g.chain, x[j])
		c.Emit(c.op, g.u, g.carry, g.u)
		if g.reverse {
			c.permute(g.u, g.reversal, g.u, 0x1b)
		}
		c.Emit(asm.VMOVUPS, at(target.LoopTo, j), g.u)
	}
	c.Emit(c.op, g.chain, g.chain, g.t)
}

// combineHalves combines, in each pair of k elements, the second half with the last element of the first.
func (c *scanCode) combineHalves(g *groupCode, x []asm.Reg, k int) {
	lanes := c.Lanes()
	for j := range x {
		switch {
		case k < lanes:
			c.spreadHalves(g, x[j], k)
			c.combineMasked(g, x[j], k)
		case j*lanes&k != 0:
			c.permute(g.t, g.last, x[(j*lanes&^(2*k-1)+k)/lanes-1], 0xff)
			c.Emit(c.op, x[j], x[j], g.t)
		}
	}
}

// spreadHalves copies the last elements of first halves over the second halves of t.
func (c *scanCode) spreadHalves(g *groupCode, x asm.Reg, k int) {
	switch {
	case k == 1:
		c.Emit(c.Of(asm.VMOVSLDUP, asm.VMOVDDUP), g.t, x)
	case k == 2 && c.Size == 4:
		c.Emit(asm.VPERMILPS, g.t, x, asm.Imm(0x50))
	case k == 2:
		c.Emit(asm.VPERMPD, g.t, x, asm.Imm(0x50))
	default:
		c.permute(g.t, g.spread[k/8], x, 0)
	}
}

// combineMasked combines the second halves of x with t.
func (c *scanCode) combineMasked(g *groupCode, x asm.Reg, k int) {
	if c.Width == target.V512 {
		c.Masked(c.mask(k), false, c.op, x, x, g.t)
		return
	}
	c.Emit(c.op, g.u, x, g.t)
	c.Emit(c.Of(asm.VBLENDPS, asm.VBLENDPD), x, x, g.u, asm.Imm(secondHalves(k, c.Lanes())))
}
