package emulator

import "github.com/go-nx/nx/internal/cpu/asm/amd64"

func init() {
	for _, c := range []struct {
		low, high amd64.Op
		w         int
	}{
		{amd64.VUNPCKLPS, amd64.VUNPCKHPS, 4}, {amd64.VUNPCKLPD, amd64.VUNPCKHPD, 8},
		{amd64.VPUNPCKLBW, amd64.VPUNPCKHBW, 1}, {amd64.VPUNPCKLWD, amd64.VPUNPCKHWD, 2},
		{amd64.VPUNPCKLDQ, amd64.VPUNPCKHDQ, 4}, {amd64.VPUNPCKLQDQ, amd64.VPUNPCKHQDQ, 8},
	} {
		def(c.low, interleave(c.w, 0))
		def(c.high, interleave(c.w, 8/c.w))
	}
	def(amd64.VPACKUSWB, pack(2))
	def(amd64.VPACKUSDW, pack(4))
	def(amd64.VSHUFPS, shuffle(4, func(x *exec, r *vec, s [3]vec) {
		for i := range x.vl / 4 {
			r.put(i, 4, s[i%4/2].get(i/4*4+int(x.imm()>>(i%4*2)&3), 4))
		}
	}))
	def(amd64.VSHUFPD, shuffle(8, func(x *exec, r *vec, s [3]vec) {
		for i := range x.vl / 8 {
			r.put(i, 8, s[i%2].get(i/2*2+int(x.imm()>>i&1), 8))
		}
	}))
	def(amd64.VPSHUFB, shuffle(1, func(x *exec, r *vec, s [3]vec) {
		for i := range x.vl {
			if c := s[1][i]; c < 0x80 {
				r[i] = s[0][i/16*16+int(c&15)]
			}
		}
	}))
	def(amd64.VPSHUFD, permuteQuarters)
	for op, w := range map[amd64.Op]int{amd64.VPERMILPS: 4, amd64.VPERMILPD: 8} {
		def(op, permuteInLanes(w))
	}
	for op, w := range map[amd64.Op]int{
		amd64.VPERMD: 4, amd64.VPERMPS: 4, amd64.VPERMQ: 8, amd64.VPERMPD: 8,
	} {
		def(op, permute(w))
	}
	for op, w := range map[amd64.Op]int{amd64.VPERMT2D: 4, amd64.VPERMT2PS: 4, amd64.VPERMT2Q: 8, amd64.VPERMT2PD: 8} {
		def(op, permuteTwo(w))
	}
	def(amd64.VPERM2F128, shuffle(8, func(x *exec, r *vec, s [3]vec) {
		for i := range 2 {
			if c := x.imm() >> (4 * i); c&8 == 0 {
				copy(r[16*i:16*i+16], s[c>>1&1][16*(c&1):])
			}
		}
	}))
	def(amd64.VSHUFF32X4, shuffle(4, func(x *exec, r *vec, s [3]vec) {
		lanes := x.vl / 16
		imm := int(x.imm())
		for i := range lanes {
			copy(r[16*i:16*i+16], s[i*2/lanes][16*(imm%lanes):])
			imm /= lanes
		}
	}))
	for op, bytes := range map[amd64.Op]int{amd64.VINSERTF128: 16, amd64.VINSERTI128: 16, amd64.VINSERTF64X4: 32} {
		def(op, shuffle(8, func(x *exec, r *vec, s [3]vec) {
			*r = s[0]
			at := int(x.imm()) % (x.vl / bytes)
			copy(r[at*bytes:], s[1][:bytes])
		}))
	}
	for op, c := range map[amd64.Op][2]int{ // width of the masked elements, size of the part
		amd64.VEXTRACTF128: {8, 16}, amd64.VEXTRACTI128: {8, 16}, amd64.VEXTRACTF32X4: {4, 16},
		amd64.VEXTRACTF64X4: {8, 32},
	} {
		def(op, func(x *exec) error {
			v := vec(x.m.V[x.in.Args[1].Reg.Num()])
			at := int(x.imm()) % (x.vl / c[1])
			var r vec
			copy(r[:c[1]], v[at*c[1]:])
			return x.write(&r, c[0], c[1]/c[0])
		})
	}
	def(amd64.VPALIGNR, shuffle(1, func(x *exec, r *vec, s [3]vec) {
		for i := range x.vl {
			lane := i / 16 * 16
			switch j := i%16 + int(x.imm()); {
			case j < 16:
				r[i] = s[1][lane+j]
			case j < 32:
				r[i] = s[0][lane+j-16]
			}
		}
	}))
	for op, w := range map[amd64.Op]int{amd64.VBLENDPS: 4, amd64.VBLENDPD: 8} {
		def(op, shuffle(w, func(x *exec, r *vec, s [3]vec) {
			for i := range x.vl / w {
				r.put(i, w, s[x.imm()>>(i%8)&1].get(i, w))
			}
		}))
	}
	for op, w := range map[amd64.Op]int{amd64.VBLENDVPS: 4, amd64.VBLENDVPD: 8, amd64.VPBLENDVB: 1} {
		def(op, shuffle(w, func(x *exec, r *vec, s [3]vec) {
			for i := range x.vl / w {
				r.put(i, w, s[s[2].get(i, w)>>(8*w-1)].get(i, w))
			}
		}))
	}
	def(amd64.VPBLENDMD, blendByMask(4))
	def(amd64.VPBLENDMQ, blendByMask(8))
	for op, w := range map[amd64.Op]int{amd64.VPEXTRB: 1, amd64.VPEXTRW: 2, amd64.VPEXTRD: 4, amd64.VPEXTRQ: 8} {
		def(op, func(x *exec) error {
			v := vec(x.m.V[x.in.Args[1].Reg.Num()])
			return x.setReg(0, v.get(int(x.imm())%(16/w), w))
		})
	}
	for op, w := range map[amd64.Op]int{amd64.VPINSRB: 1, amd64.VPINSRW: 2, amd64.VPINSRD: 4, amd64.VPINSRQ: 8} {
		def(op, func(x *exec) error {
			v, err := x.vector(1)
			if err != nil {
				return err
			}
			b, _, err := x.general(2)
			if err != nil {
				return err
			}
			v.put(int(x.imm())%(16/w), w, b)
			return x.write(&v, w, 16/w)
		})
	}
}

func interleave(w, from int) execFunc {
	return shuffle(w, func(x *exec, r *vec, s [3]vec) {
		per := 16 / w
		for i := range x.vl / w {
			r.put(i, w, s[i&1].get(i/per*per+from+i%per/2, w))
		}
	})
}

// pack narrows signed integers to unsigned ones, with saturation.
func pack(from int) execFunc {
	to := from / 2
	return shuffle(to, func(x *exec, r *vec, s [3]vec) {
		per := 16 / to
		for i := range x.vl / to {
			j := i % per
			v := signExtend(s[j/(per/2)].get((i/per*per/2)+j%(per/2), from), from)
			r.put(i, to, uint64(min(max(v, 0), int64(ones(to)))))
		}
	})
}

// permuteQuarters selects the four elements of each lane by two bits of the immediate each.
var permuteQuarters = shuffle(4, func(x *exec, r *vec, s [3]vec) {
	for i := range x.vl / 4 {
		r.put(i, 4, s[0].get(i/4*4+int(x.imm()>>(i%4*2)&3), 4))
	}
})

func permuteInLanes(w int) execFunc {
	return shuffle(w, func(x *exec, r *vec, s [3]vec) {
		per := 16 / w
		for i := range x.vl / w {
			var j uint64
			switch {
			case x.in.Args[2].Kind != amd64.ImmArg && w == 4:
				j = s[1].get(i, w) & 3
			case x.in.Args[2].Kind != amd64.ImmArg:
				j = s[1].get(i, w) >> 1 & 1
			case w == 4:
				j = x.imm() >> (i % 4 * 2) & 3
			default:
				j = x.imm() >> i & 1
			}
			r.put(i, w, s[0].get(i/per*per+int(j), w))
		}
	})
}

// permute selects elements of a vector by indices in another, or of each four by an immediate.
func permute(w int) execFunc {
	return shuffle(w, func(x *exec, r *vec, s [3]vec) {
		n := x.vl / w
		for i := range n {
			if x.in.Args[2].Kind == amd64.ImmArg {
				r.put(i, w, s[0].get(i/4*4+int(x.imm()>>(i%4*2)&3), w))
			} else {
				r.put(i, w, s[1].get(int(s[0].get(i, w)%uint64(n)), w))
			}
		}
	})
}

// permuteTwo selects elements of two vectors, the destination and the last operand.
func permuteTwo(w int) execFunc {
	return func(x *exec) error {
		n := x.vl / w
		d, a := vec(x.m.V[x.in.Args[0].Reg.Num()]), vec(x.m.V[x.in.Args[1].Reg.Num()])
		b, err := x.vector(2)
		if err != nil {
			return err
		}
		var r vec
		for i := range n {
			if j := int(a.get(i, w) % uint64(2*n)); j < n {
				r.put(i, w, d.get(j, w))
			} else {
				r.put(i, w, b.get(j-n, w))
			}
		}
		return x.write(&r, w, n)
	}
}

// blendByMask selects the second operand where the mask is set, else the first, or 0.
func blendByMask(w int) execFunc {
	return func(x *exec) error {
		n := x.vl / w
		a := vec(x.m.V[x.in.Args[1].Reg.Num()])
		b, err := x.read(2, w, n)
		if err != nil {
			return err
		}
		d := (*vec)(&x.m.V[x.in.Args[0].Reg.Num()])
		var r vec
		for i := range n {
			switch {
			case x.isActive(i):
				r.put(i, w, b.get(i, w))
			case !x.in.Zero:
				r.put(i, w, a.get(i, w))
			}
		}
		*d = r
		return nil
	}
}
