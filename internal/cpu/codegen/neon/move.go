package neon

import (
	"errors"
	"fmt"

	"github.com/go-nx/nx/internal/cpu/asm/amd64"
	"github.com/go-nx/nx/internal/cpu/asm/arm64"
)

// Loads, stores and moves of vectors.

func init() {
	define(map[amd64.Op]translate{
		amd64.VMOVSS: moveScalar, amd64.VMOVSD: moveScalar, amd64.VMOVD: moveBits, amd64.VMOVQ: moveBits,
		amd64.VMOVLPS: moveLowest,
		amd64.VPINSRB: insertGeneral, amd64.VPINSRW: insertGeneral, amd64.VPINSRD: insertGeneral,
		amd64.VPINSRQ: insertGeneral, amd64.VPEXTRB: extractGeneral, amd64.VPEXTRW: extractGeneral,
		amd64.VPEXTRD: extractGeneral, amd64.VPEXTRQ: extractGeneral,
		amd64.VMASKMOVPS: moveMasked, amd64.VMASKMOVPD: moveMasked,
		amd64.VPGATHERDD: gather, amd64.VPGATHERDQ: gather, amd64.VPGATHERQQ: gather, amd64.VPGATHERQD: gather,
	})
	for _, op := range []amd64.Op{amd64.VMOVUPS, amd64.VMOVUPD, amd64.VMOVAPS, amd64.VMOVAPD, amd64.VMOVDQU,
		amd64.VMOVNTPS, amd64.VMOVNTPD} {
		define(map[amd64.Op]translate{op: moveVector})
	}
	for op, bytes := range map[amd64.Op]int{amd64.VBROADCASTSS: 4, amd64.VBROADCASTSD: 8, amd64.VPBROADCASTB: 1,
		amd64.VPBROADCASTW: 2, amd64.VPBROADCASTD: 4, amd64.VPBROADCASTQ: 8} {
		define(map[amd64.Op]translate{op: func(t *translator, in *inst) error { return broadcast(t, in, bytes) }})
	}
}

// scalarClass and vectorClass are the classes of the lowest bytes of a vector, and of vectors of lanes of such bytes.
func scalarClass(bytes int) arm64.Class {
	return map[int]arm64.Class{1: arm64.ClassB, 2: arm64.ClassH, 4: arm64.ClassS, 8: arm64.ClassD,
		16: arm64.ClassQ}[bytes]
}

func vectorClass(bytes int) arm64.Class {
	return map[int]arm64.Class{1: arm64.Class16B, 2: arm64.Class8H, 4: arm64.Class4S, 8: arm64.Class2D}[bytes]
}

func elementClass(bytes int) arm64.Class {
	return map[int]arm64.Class{1: arm64.ElemB, 2: arm64.ElemH, 4: arm64.ElemS, 8: arm64.ElemD}[bytes]
}

// constantAt returns the bytes of a constant that an instruction addresses.
func (t *translator) constantAt(in *inst, m amd64.Arg, bytes int) ([]byte, error) {
	at := in.end + int(m.Val)
	if m.Index != 0 || at < 0 || at+bytes > len(t.text) {
		return nil, fmt.Errorf("a constant at %#x", at)
	}
	return t.text[at : at+bytes], nil
}

// vector returns the halves of an operand of some bytes: a register or memory. Fewer than 16 bytes of memory are those
// of a lower half whose other bytes are 0.
func (t *translator) vector(in *inst, a amd64.Arg, bytes int) ([]value, error) {
	if a.Kind == amd64.RegArg {
		if a.Reg.Class() < amd64.XMM || a.Reg.Class() > amd64.YMM {
			return nil, fmt.Errorf("the operand %s", a)
		}
		return t.get(a.Reg), nil
	}
	if a.Kind != amd64.MemArg {
		return nil, fmt.Errorf("the operand %s", a)
	}
	if a.Reg == amd64.RIP {
		data, err := t.constantAt(in, a, bytes)
		if err != nil {
			return nil, err
		}
		var list []value
		for at := 0; at < bytes; at += 16 {
			var half [16]byte
			copy(half[:], data[at:])
			list = append(list, t.known(half))
		}
		return list, nil
	}
	if bytes == 32 {
		lo, hi := t.newValue(), t.newValue()
		t.add(arm64.LDP, false, operand{v: lo, class: arm64.ClassQ, def: true},
			operand{v: hi, class: arm64.ClassQ, def: true}, other(t.pair(a)))
		return []value{lo, hi}, nil
	}
	v := t.newValue()
	return []value{v}, t.access(access{arm64.LDR, arm64.LDUR, bytes},
		operand{v: v, class: scalarClass(bytes), def: true}, a)
}

// store stores the lowest bytes of a value.
func (t *translator) store(m amd64.Arg, v value, bytes int) error {
	return t.access(access{arm64.STR, arm64.STUR, bytes}, use(v, scalarClass(bytes)), m)
}

// moveVector translates moves of whole vectors.
func moveVector(t *translator, in *inst) error {
	d, x := in.Args[0], in.Args[1]
	if d.Kind == amd64.MemArg {
		v := t.get(x.Reg)
		if len(v) == 1 {
			return t.store(d, v[0], 16)
		}
		if d.Reg == amd64.RIP {
			return fmt.Errorf("the operand %s", d)
		}
		t.emit(arm64.STP, use(v[0], arm64.ClassQ), use(v[1], arm64.ClassQ), other(t.pair(d)))
		return nil
	}
	v, err := t.vector(in, x, width(d.Reg))
	if err == nil {
		t.set(d.Reg, v...)
	}
	return err
}

// moveScalar translates VMOVSS and VMOVSD: between registers, they replace the lowest lane of another register.
func moveScalar(t *translator, in *inst) error {
	bytes := 4
	if in.Op == amd64.VMOVSD {
		bytes = 8
	}
	d := in.Args[0]
	if d.Kind == amd64.MemArg {
		return t.store(d, t.lowOf(t.get(in.Args[1].Reg)[0], bytes), bytes)
	}
	if in.NumArgs() == 3 {
		t.merge(d.Reg, t.get(in.Args[1].Reg)[0], t.get(in.Args[2].Reg)[0], bytes)
		return nil
	}
	v, err := t.vector(in, in.Args[1], bytes)
	if err == nil {
		t.set(d.Reg, v...)
	}
	return err
}

// merge sets a register to a value whose lowest lane is that of another.
func (t *translator) merge(d amd64.Reg, upper, lowest value, bytes int) {
	c := elementClass(bytes)
	v := t.insert(upper, c, 0, lane(lowest, c, 0))
	t.lows[v] = low{t.lowOf(lowest, bytes), bytes}
	t.set(d, v)
}

// moveBits translates VMOVD and VMOVQ.
func moveBits(t *translator, in *inst) error {
	bytes := 4
	if in.Op == amd64.VMOVQ {
		bytes = 8
	}
	d, x := in.Args[0], in.Args[1]
	isVector := func(a amd64.Arg) bool { return a.Kind == amd64.RegArg && a.Reg.Class() == amd64.XMM }
	switch {
	case isVector(d) && isVector(x): // clears the upper half
		t.set(d.Reg, t.do(arm64.FMOV, arm64.ClassD, use(t.get(x.Reg)[0], arm64.ClassD)))
	case isVector(d) && x.Kind == amd64.RegArg:
		t.set(d.Reg, t.do(arm64.FMOV, scalarClass(bytes), reg(gp(x.Reg))))
	case isVector(d):
		v, err := t.vector(in, x, bytes)
		if err != nil {
			return err
		}
		t.set(d.Reg, v...)
	case d.Kind == amd64.RegArg:
		t.emit(arm64.FMOV, reg(gp(d.Reg)), use(t.lowOf(t.get(x.Reg)[0], bytes), scalarClass(bytes)))
		t.changed(d.Reg)
	default:
		return t.store(d, t.lowOf(t.get(x.Reg)[0], bytes), bytes)
	}
	return nil
}

// moveLowest translates VMOVLPS, between the lowest 8 bytes of a register and memory.
func moveLowest(t *translator, in *inst) error {
	if in.Args[0].Kind == amd64.MemArg {
		return t.store(in.Args[0], t.lowOf(t.get(in.Args[1].Reg)[0], 8), 8)
	}
	x, err := t.vector(in, in.Args[2], 8)
	if err == nil {
		t.merge(in.Args[0].Reg, t.get(in.Args[1].Reg)[0], x[0], 8)
	}
	return err
}

// lanesOf are the bytes of the lanes of insertions and extractions.
var lanesOf = map[amd64.Op]int{amd64.VPINSRB: 1, amd64.VPINSRW: 2, amd64.VPINSRD: 4, amd64.VPINSRQ: 8,
	amd64.VPEXTRB: 1, amd64.VPEXTRW: 2, amd64.VPEXTRD: 4, amd64.VPEXTRQ: 8}

// insertGeneral translates insertions of a general register, or of memory.
func insertGeneral(t *translator, in *inst) error {
	bytes := lanesOf[in.Op]
	n := int(in.Args[3].Val) & (16/bytes - 1)
	x := in.Args[2]
	old := t.get(in.Args[1].Reg)[0]
	if x.Kind == amd64.MemArg {
		v, err := t.vector(in, x, bytes)
		if err == nil {
			t.set(in.Args[0].Reg, t.insert(old, elementClass(bytes), n, lane(v[0], elementClass(bytes), 0)))
		}
		return err
	}
	t.set(in.Args[0].Reg, t.insert(old, elementClass(bytes), n, reg(gp(x.Reg))))
	return nil
}

// extractGeneral translates extractions to a general register, or to memory.
func extractGeneral(t *translator, in *inst) error {
	bytes := lanesOf[in.Op]
	n := int(in.Args[2].Val) & (16/bytes - 1)
	x := lane(t.get(in.Args[1].Reg)[0], elementClass(bytes), n)
	if d := in.Args[0]; d.Kind == amd64.MemArg {
		if n == 0 {
			return t.store(d, x.v, bytes)
		}
		return t.store(d, t.do(arm64.DUP, scalarClass(bytes), x), bytes)
	}
	d := gp(in.Args[0].Reg).As(arm64.ClassW)
	if bytes == 8 {
		d = d.As(arm64.ClassX)
	}
	t.emit(arm64.UMOV, reg(d), x)
	t.changed(in.Args[0].Reg)
	return nil
}

// broadcast translates copies of the lowest element of a register, or of memory, to all lanes. Both halves are one
// value. Products with it can take the element instead.
func broadcast(t *translator, in *inst, bytes int) error {
	d, x := in.Args[0], in.Args[1]
	if x.Kind == amd64.MemArg && x.Reg == amd64.RIP {
		data, err := t.constantAt(in, x, bytes)
		if err != nil {
			return err
		}
		var all [16]byte
		for i := range all {
			all[i] = data[i%bytes]
		}
		t.setBoth(d.Reg, t.known(all))
		return nil
	}
	v, err := t.vector(in, x, bytes)
	if err != nil {
		return err
	}
	lowest := t.lowOf(v[0], bytes)
	all := t.do(arm64.DUP, vectorClass(bytes), lane(lowest, elementClass(bytes), 0))
	t.scalars[all] = low{lowest, bytes}
	t.setBoth(d.Reg, all)
	return nil
}

// setBoth sets both halves of a register, if it has two, to a value.
func (t *translator) setBoth(r amd64.Reg, v value) {
	if width(r) == 16 {
		t.set(r, v)
	} else {
		t.set(r, v, v)
	}
}

// moveMasked translates loads and stores of the lanes whose mask has its uppermost bit set. Other lanes of a load
// become 0, and their memory is not accessed.
func moveMasked(t *translator, in *inst) error {
	bytes := 4
	if in.Op == amd64.VMASKMOVPD {
		bytes = 8
	}
	loads := in.Args[0].Kind == amd64.RegArg
	mask, m, vec := in.Args[1], in.Args[0], in.Args[2]
	if loads {
		m, vec = in.Args[2], in.Args[0]
	}
	if m.Reg == amd64.RIP {
		return fmt.Errorf("the operand %s", m)
	}
	masks := t.get(mask.Reg)
	var halves []value
	if loads {
		halves = []value{t.zero(), t.zero()}[:len(masks)]
	} else {
		halves = t.get(vec.Reg)
	}
	// The address of a lane is in a register for temporary values: that of the vector must not be.
	base := arm64.X(temps[1])
	b, offset := t.base(m)
	t.addNumber(base, b, offset)
	lanes := 16 / bytes
	for i := range lanes * len(masks) {
		h, l := i/lanes, i%lanes
		set, isKnown := t.knownLane(masks[h], bytes, l)
		if isKnown && !set {
			continue
		}
		at := base
		if i > 0 {
			at = arm64.X(temps[2])
			t.emit(arm64.ADD, reg(at), reg(base), number(int64(i*bytes)))
		}
		var skip uint8
		if !isKnown {
			skip = uint8(temps[0])
			t.moveLane(masks[h], bytes, l)
		}
		n := node{op: arm64.ST1, n: 2, effect: true, skip: skip, skipBit: uint8(8*bytes - 1)}
		n.args[0] = operand{v: halves[h], class: elementClass(bytes), lane: int8(l), list: true}
		n.args[1] = other(arm64.Mem(at, 0))
		if loads {
			v := t.newValue()
			n.op, n.args[0].def, n.args[0].tied, n.args[0].v = arm64.LD1, true, halves[h], v
			n.effect = false
			halves[h] = v
		}
		t.nodes = append(t.nodes, n)
	}
	if loads {
		t.set(vec.Reg, halves...)
	}
	return nil
}

// moveLane copies a lane to the first register for temporary values.
func (t *translator) moveLane(v value, bytes, l int) {
	r := arm64.W(temps[0])
	if bytes == 8 {
		r = arm64.X(temps[0])
	}
	t.emit(arm64.UMOV, reg(r), lane(v, elementClass(bytes), l))
}

// knownLane returns the uppermost bit of a lane, and whether it is known.
func (t *translator) knownLane(v value, bytes, l int) (set, isKnown bool) {
	data, ok := t.consts[v]
	return ok && data[(l+1)*bytes-1]&0x80 != 0, ok
}

// gather translates loads of the elements at base + index·scale + offset whose mask has its uppermost bit set. The mask
// becomes 0.
func gather(t *translator, in *inst) error {
	type shape struct{ index, elem int }
	s := map[amd64.Op]shape{amd64.VPGATHERDD: {4, 4}, amd64.VPGATHERDQ: {4, 8}, amd64.VPGATHERQQ: {8, 8},
		amd64.VPGATHERQD: {8, 4}}[in.Op]
	d, m, mask := in.Args[0].Reg, in.Args[1], in.Args[2].Reg
	indices := t.get(m.Index)
	out, masks := t.get(d), t.get(mask)
	n := len(out) * 16 / s.elem
	if available := len(indices) * 16 / s.index; available < n {
		n = available
	}
	base, offset := arm64.XZR, m.Val
	if m.Reg != 0 {
		base = gp(m.Reg)
	}
	base = t.plus(base, offset)
	if base.Num() == temps[2] {
		return errors.New("a base that is a sum")
	}
	for i := range n {
		h, l := i*s.elem/16, i%(16/s.elem)
		set, isKnown := t.knownLane(masks[h], s.elem, l)
		if isKnown && !set {
			continue
		}
		at := arm64.X(temps[1])
		index := lane(indices[i*s.index/16], elementClass(s.index), i%(16/s.index))
		op := arm64.UMOV
		if s.index == 4 {
			op = arm64.SMOV
		}
		t.emit(op, reg(at), index)
		if base.Num() == 31 {
			t.emit(arm64.UBFM, reg(at), reg(at), number(int64(-log2(int(m.Scale))&63)),
				number(int64(63-log2(int(m.Scale)))))
		} else {
			t.emit(arm64.ADD, reg(at), reg(base), other(shifted(at, int(m.Scale))))
		}
		var skip uint8
		if !isKnown {
			skip = uint8(temps[0])
			t.moveLane(masks[h], s.elem, l)
		}
		v := t.newValue()
		load := node{op: arm64.LD1, n: 2, skip: skip, skipBit: uint8(8*s.elem - 1)}
		load.args[0] = operand{v: v, class: elementClass(s.elem), lane: int8(l), list: true, def: true, tied: out[h]}
		load.args[1] = other(arm64.Mem(at, 0))
		t.nodes = append(t.nodes, load)
		out[h] = v
	}
	if n*s.elem < 16 {
		out[0] = t.do(arm64.FMOV, arm64.ClassD, use(out[0], arm64.ClassD))
	}
	t.set(d, out...)
	t.setBoth(mask, t.zero())
	return nil
}
