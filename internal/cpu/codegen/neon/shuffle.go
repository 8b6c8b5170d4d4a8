package neon

import (
	"slices"

	"github.com/go-nx/nx/internal/cpu/asm/amd64"
	"github.com/go-nx/nx/internal/cpu/asm/arm64"
)

// Instructions that move lanes.

func init() {
	define(map[amd64.Op]translate{
		amd64.VEXTRACTF128: extractHalf, amd64.VEXTRACTI128: extractHalf,
		amd64.VINSERTF128: insertHalf, amd64.VINSERTI128: insertHalf,
		amd64.VBROADCASTI128: broadcastHalf, amd64.VPERM2F128: permuteHalves,
		amd64.VPERMPS: permuteBy, amd64.VPERMD: permuteBy, amd64.VPSHUFB: shuffleBytes,
		amd64.VPERMQ: permuteDoubles, amd64.VPERMPD: permuteDoubles,
	})
	perHalf := func(op amd64.Op, bytes, operands int, from func(imm, h, l int) (operand, lane int)) {
		define(map[amd64.Op]translate{op: func(t *translator, in *inst) error {
			return t.shuffle(in, bytes, operands, from)
		}})
	}
	first := func(l int) (int, int) { return 0, l }
	perHalf(amd64.VPSHUFD, 4, 1, func(imm, _, l int) (int, int) { return first(imm >> (2 * l) & 3) })
	perHalf(amd64.VPERMILPS, 4, 1, func(imm, _, l int) (int, int) { return first(imm >> (2 * l) & 3) })
	perHalf(amd64.VPERMILPD, 8, 1, func(imm, h, l int) (int, int) { return first(imm >> (2*h + l) & 1) })
	perHalf(amd64.VSHUFPS, 4, 2, func(imm, _, l int) (int, int) { return l / 2, imm >> (2 * l) & 3 })
	perHalf(amd64.VSHUFPD, 8, 2, func(imm, h, l int) (int, int) { return l, imm >> (2*h + l) & 1 })
	perHalf(amd64.VBLENDPS, 4, 2, func(imm, h, l int) (int, int) { return imm >> (4*h + l) & 1, l })
	perHalf(amd64.VBLENDPD, 8, 2, func(imm, h, l int) (int, int) { return imm >> (2*h + l) & 1, l })
	perHalf(amd64.VMOVDDUP, 8, 1, func(_, _, _ int) (int, int) { return first(0) })
	perHalf(amd64.VMOVSLDUP, 4, 1, func(_, _, l int) (int, int) { return first(l &^ 1) })
	perHalf(amd64.VMOVSHDUP, 4, 1, func(_, _, l int) (int, int) { return first(l | 1) })
	perHalf(amd64.VPALIGNR, 1, 2, func(imm, _, l int) (int, int) {
		switch at := imm + l; {
		case at < 16:
			return 1, at
		case at < 32:
			return 0, at - 16
		}
		return -1, 0
	})
}

// shuffle translates an instruction that moves lanes within each half. From returns the operand, -1 for zeros, and its
// lane, for a lane of half h.
func (t *translator) shuffle(in *inst, bytes, operands int, from func(imm, h, l int) (operand, lane int)) error {
	d := in.Args[0].Reg
	if (in.Op == amd64.VPERMILPS || in.Op == amd64.VPERMILPD) && in.Args[2].Kind != amd64.ImmArg {
		return permuteInHalves(t, in, bytes)
	}
	var x [2][]value
	for i := range operands {
		n := width(d)
		if in.Op == amd64.VMOVDDUP && n == 16 {
			n = 8
		}
		var err error
		if x[i], err = t.vector(in, in.Args[1+i], n); err != nil {
			return err
		}
	}
	imm := int(in.Args[1+operands].Val)
	t.setEach(d, func(h int) value {
		list := make([]pick, 16/bytes)
		for l := range list {
			i, at := from(imm, h, l)
			if i < 0 {
				list[l] = pick{t.zero(), 0}
			} else {
				list[l] = pick{x[i][h], at}
			}
		}
		return t.pick(bytes, list)
	})
	return nil
}

// permuteInHalves translates VPERMILPS and VPERMILPD by a vector.
func permuteInHalves(t *translator, in *inst, bytes int) error {
	return t.binary(in, func(x, by value) value {
		if bytes == 8 { // the number is in bit 1
			by = t.shiftBy(arm64.USHR, 8, by, 1)
		}
		return t.tableLookup([]value{x}, t.byteIndices(by, bytes, uint64(16/bytes-1)))
	})
}

// pick is a lane of a value.
type pick struct {
	v value
	l int
}

// pick returns a value of some lanes of others, by the shortest sequence that is known.
func (t *builder) pick(bytes int, list []pick) value {
	if data, ok := t.pickKnown(bytes, list); ok {
		return t.known(data)
	}
	if wider, ok := widerPicks(bytes, list); ok {
		return t.pick(2*bytes, wider)
	}
	n := len(list)
	c := vectorClass(bytes)
	matches := func(f func(l int) pick) bool {
		for l := range list {
			if list[l] != f(l) {
				return false
			}
		}
		return true
	}
	x, y := list[0].v, list[n-1].v
	if matches(func(l int) pick { return pick{x, l} }) {
		return x
	}
	if matches(func(int) pick { return list[0] }) {
		v := t.do(arm64.DUP, c, lane(x, elementClass(bytes), list[0].l))
		if list[0].l == 0 {
			t.scalars[v] = low{x, bytes}
		}
		return v
	}
	either := func(second bool) value {
		if second {
			return y
		}
		return x
	}
	for _, p := range []struct {
		op arm64.Op
		f  func(l int) pick
	}{
		{arm64.ZIP1, func(l int) pick { return pick{either(l&1 != 0), l / 2} }},
		{arm64.ZIP2, func(l int) pick { return pick{either(l&1 != 0), (n + l) / 2} }},
		{arm64.UZP1, func(l int) pick { return pick{either(l >= n/2), 2 * l % n} }},
		{arm64.UZP2, func(l int) pick { return pick{either(l >= n/2), 2*l%n + 1} }},
		{arm64.TRN1, func(l int) pick { return pick{either(l&1 != 0), l &^ 1} }},
		{arm64.TRN2, func(l int) pick { return pick{either(l&1 != 0), l | 1} }},
	} {
		if matches(p.f) {
			return t.to(p.op, c, x, y)
		}
	}
	for from := 1; from < n; from++ {
		if matches(func(l int) pick { return pick{either(l+from >= n), (l + from) % n} }) {
			return t.do(arm64.EXT, arm64.Class16B, use(x, arm64.Class16B), use(y, arm64.Class16B),
				number(int64(from*bytes)))
		}
	}
	for _, within := range []struct {
		bytes int
		op    arm64.Op
	}{{8, arm64.REV64}, {4, arm64.REV32}, {2, arm64.REV16}} {
		if m := within.bytes / bytes; m > 1 && matches(func(l int) pick { return pick{x, l ^ (m - 1)} }) {
			return t.to(within.op, c, x)
		}
	}
	for l := range list { // all lanes but one are in place
		base := list[(l+1)%n].v
		rest := true
		for m := range list {
			rest = rest && (m == l || list[m] == pick{base, m})
		}
		if rest {
			return t.insert(base, elementClass(bytes), l, lane(list[l].v, elementClass(bytes), list[l].l))
		}
	}
	var sources []value
	var indices [16]byte
	for l, p := range list {
		i := slices.Index(sources, p.v)
		if i < 0 {
			i = len(sources)
			sources = append(sources, p.v)
		}
		for b := range bytes {
			indices[l*bytes+b] = byte(16*i + p.l*bytes + b)
		}
	}
	return t.tableLookup(sources, t.known(indices))
}

// pickKnown returns the lanes if they are known.
func (t *builder) pickKnown(bytes int, list []pick) (out [16]byte, ok bool) {
	for l, p := range list {
		data, ok := t.consts[p.v]
		if !ok {
			return out, false
		}
		copy(out[l*bytes:(l+1)*bytes], data[p.l*bytes:])
	}
	return out, true
}

// widerPicks returns the lanes as lanes of twice the width, if they come in such pairs.
func widerPicks(bytes int, list []pick) ([]pick, bool) {
	if bytes == 8 {
		return nil, false
	}
	var out []pick
	for i := 0; i < len(list); i += 2 {
		x, y := list[i], list[i+1]
		if x.v != y.v || x.l&1 != 0 || y.l != x.l+1 {
			return nil, false
		}
		out = append(out, pick{x.v, x.l / 2})
	}
	return out, true
}

// tableLookup returns the bytes of up to sixteen values at indices; those that are too large give 0.
func (t *builder) tableLookup(sources []value, indices value) value {
	list := func(v value) operand { return operand{v: v, class: arm64.Class16B, list: true} }
	out := t.do(arm64.TBL, arm64.Class16B, list(sources[0]), use(indices, arm64.Class16B))
	for _, v := range sources[1:] {
		if data, ok := t.consts[indices]; ok {
			for i := range data {
				data[i] -= 16
			}
			indices = t.known(data)
		} else {
			indices = t.to(arm64.SUB, arm64.Class16B, indices, t.splat(1, 16))
		}
		out = t.update(arm64.TBX, arm64.Class16B, out, list(v), use(indices, arm64.Class16B))
	}
	return out
}

// byteIndices returns the indices of the bytes of lanes whose numbers are in the lowest bits of the lanes of a value.
func (t *builder) byteIndices(by value, bytes int, mask uint64) value {
	var first, scale uint64
	for i := range bytes {
		first |= uint64(i) << (8 * i)
		scale |= uint64(bytes) << (8 * i)
	}
	by = t.to(arm64.AND, arm64.Class16B, by, t.splat(bytes, mask))
	if bytes == 8 {
		// There is no product of lanes of 8 bytes. The number is in the lowest byte: copy it to the others.
		by = t.tableLookup([]value{by}, t.known([16]byte{8: 8, 9: 8, 10: 8, 11: 8, 12: 8, 13: 8, 14: 8, 15: 8}))
		by = t.shiftBy(arm64.SHL, 1, by, 3)
	} else {
		by = t.to(arm64.MUL, vectorClass(bytes), by, t.splat(bytes, scale))
	}
	return t.to(arm64.ADD, arm64.Class16B, by, t.splat(bytes, first))
}

// extractHalf translates VEXTRACTF128.
func extractHalf(t *translator, in *inst) error {
	v := t.get(in.Args[1].Reg)[in.Args[2].Val&1]
	if d := in.Args[0]; d.Kind == amd64.MemArg {
		return t.store(d, v, 16)
	}
	t.set(in.Args[0].Reg, v)
	return nil
}

// insertHalf translates VINSERTF128.
func insertHalf(t *translator, in *inst) error {
	v, err := t.vector(in, in.Args[2], 16)
	if err != nil {
		return err
	}
	x := slices.Clone(t.get(in.Args[1].Reg))
	x[in.Args[3].Val&1] = v[0]
	t.set(in.Args[0].Reg, x...)
	return nil
}

// broadcastHalf translates VBROADCASTI128.
func broadcastHalf(t *translator, in *inst) error {
	v, err := t.vector(in, in.Args[1], 16)
	if err == nil {
		t.set(in.Args[0].Reg, v[0], v[0])
	}
	return err
}

// permuteHalves translates VPERM2F128: each half is one of the four, or 0.
func permuteHalves(t *translator, in *inst) error {
	d := in.Args[0].Reg
	x := slices.Clone(t.get(in.Args[1].Reg))
	y, err := t.vector(in, in.Args[2], 32)
	if err != nil {
		return err
	}
	x = append(x, y...)
	t.setEach(d, func(h int) value {
		by := in.Args[3].Val >> (4 * h)
		if by&8 != 0 {
			return t.zero()
		}
		return x[by&3]
	})
	return nil
}

// permuteDoubles translates VPERMQ: each lane of 8 bytes is one of the four.
func permuteDoubles(t *translator, in *inst) error {
	d := in.Args[0].Reg
	x, err := t.vector(in, in.Args[1], 32)
	if err != nil {
		return err
	}
	x = slices.Clone(x)
	t.setEach(d, func(h int) value {
		list := make([]pick, 2)
		for l := range list {
			from := int(in.Args[2].Val) >> (4*h + 2*l) & 3
			list[l] = pick{x[from/2], from % 2}
		}
		return t.pick(8, list)
	})
	return nil
}

// permuteBy translates VPERMPS: each lane of 4 bytes is the one of eight that a vector says.
func permuteBy(t *translator, in *inst) error {
	d := in.Args[0].Reg
	by := t.get(in.Args[1].Reg)
	x, err := t.vector(in, in.Args[2], 32)
	if err != nil {
		return err
	}
	x = slices.Clone(x)
	t.setEach(d, func(h int) value {
		data, isKnown := t.consts[by[h]]
		if !isKnown {
			return t.tableLookup(x, t.byteIndices(by[h], 4, 7))
		}
		list := make([]pick, 4)
		for l := range list {
			from := int(data[4*l] & 7)
			list[l] = pick{x[from/4], from % 4}
		}
		return t.pick(4, list)
	})
	return nil
}

// shuffleBytes translates VPSHUFB: each byte is one of its half, or 0.
func shuffleBytes(t *translator, in *inst) error {
	return t.binary(in, func(x, by value) value {
		data, isKnown := t.consts[by]
		if !isKnown {
			return t.tableLookup([]value{x}, t.to(arm64.AND, arm64.Class16B, by, t.splat(1, 0x8f)))
		}
		list := make([]pick, 16)
		for i, b := range data {
			list[i] = pick{x, int(b & 15)}
			if b&0x80 != 0 {
				list[i] = pick{t.zero(), 0}
			}
		}
		return t.pick(1, list)
	})
}
