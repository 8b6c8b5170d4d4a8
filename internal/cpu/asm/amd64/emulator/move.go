package emulator

import (
	"github.com/go-nx/nx/internal/cpu/asm/amd64"
	"github.com/go-nx/nx/internal/cpu/asm/memory"
)

// copyOf is a move of elements; aligned requires aligned memory.
func copyOf(w int, aligned bool) execFunc {
	return func(x *exec) error {
		n := x.vl / w
		for i := range 2 {
			a := &x.in.Args[i]
			if aligned && a.Kind == amd64.MemArg && x.anyActive(n) && x.address(a)%uint64(a.Bytes) != 0 {
				return &memory.AccessError{At: x.address(a), Bytes: int(a.Bytes), What: "are not aligned"}
			}
		}
		v, err := x.read(1, w, n)
		if err != nil {
			return err
		}
		return x.write(&v, w, n)
	}
}

func init() {
	for op, w := range map[amd64.Op]int{
		amd64.VMOVUPS: 4, amd64.VMOVUPD: 8, amd64.VMOVDQU: 8, amd64.VMOVDQU8: 1, amd64.VMOVDQU16: 2,
		amd64.VMOVDQU32: 4, amd64.VMOVDQU64: 8,
	} {
		def(op, copyOf(w, false))
	}
	for op, w := range map[amd64.Op]int{
		amd64.VMOVAPS: 4, amd64.VMOVAPD: 8, amd64.VMOVDQA64: 8, amd64.VMOVNTPS: 4, amd64.VMOVNTPD: 8,
	} {
		def(op, copyOf(w, true))
	}
	def(amd64.VMOVSS, moveScalar(4))
	def(amd64.VMOVSD, moveScalar(8))
	def(amd64.VMOVD, moveGeneral)
	def(amd64.VMOVQ, moveGeneral)
	def(amd64.VMOVLPS, moveLower)
	def(amd64.VMOVDDUP, shuffle(8, func(x *exec, r *vec, s [3]vec) {
		for i := range x.vl / 8 {
			r.put(i, 8, s[0].get(i&^1, 8))
		}
	}))
	for op, odd := range map[amd64.Op]int{amd64.VMOVSHDUP: 1, amd64.VMOVSLDUP: 0} {
		def(op, shuffle(4, func(x *exec, r *vec, s [3]vec) {
			for i := range x.vl / 4 {
				r.put(i, 4, s[0].get(i&^1|odd, 4))
			}
		}))
	}
	def(amd64.VMASKMOVPS, maskedMove(4))
	def(amd64.VMASKMOVPD, maskedMove(8))
	for op, w := range map[amd64.Op][2]int{ // width of the masked elements, size of the repeated block
		amd64.VBROADCASTSS: {4, 4}, amd64.VBROADCASTSD: {8, 8}, amd64.VBROADCASTI128: {8, 16},
		amd64.VPBROADCASTB: {1, 1}, amd64.VPBROADCASTW: {2, 2}, amd64.VPBROADCASTD: {4, 4}, amd64.VPBROADCASTQ: {8, 8},
	} {
		def(op, repeat(w[0], w[1]))
	}
	for op, w := range map[amd64.Op][2]int{ // widths of elements and of indices
		amd64.VPGATHERDD: {4, 4}, amd64.VPGATHERDQ: {8, 4}, amd64.VPGATHERQD: {4, 8}, amd64.VPGATHERQQ: {8, 8},
	} {
		def(op, gather(w[0], w[1]))
	}
	def(amd64.VZEROUPPER, func(x *exec) error {
		for i := range 16 {
			clear(x.m.V[i][16:])
		}
		return nil
	})
}

// moveScalar loads, stores or replaces one element.
func moveScalar(w int) execFunc {
	return func(x *exec) error {
		switch {
		case x.in.Args[0].Kind == amd64.MemArg:
			v := vec(x.m.V[x.in.Args[1].Reg.Num()])
			return x.write(&v, w, 1)
		case x.in.NumArgs() == 2:
			v, err := x.read(1, w, 1)
			if err != nil {
				return err
			}
			return x.writeScalar(v.get(0, w), w, &vec{})
		}
		a, b := vec(x.m.V[x.in.Args[1].Reg.Num()]), vec(x.m.V[x.in.Args[2].Reg.Num()])
		return x.writeScalar(b.get(0, w), w, &a)
	}
}

// moveGeneral moves between a vector's first element and a general register or memory.
func moveGeneral(x *exec) error {
	w := map[amd64.Op]int{amd64.VMOVD: 4, amd64.VMOVQ: 8}[x.in.Op]
	var v uint64
	if a := &x.in.Args[1]; a.Kind == amd64.RegArg && isVector(a.Reg) {
		v = memory.Load(x.m.V[a.Reg.Num()][:], w)
	} else {
		var err error
		if v, _, err = x.general(1); err != nil {
			return err
		}
	}
	v &= ones(w)
	if a := &x.in.Args[0]; a.Kind == amd64.RegArg && isVector(a.Reg) {
		var r vec
		r.put(0, w, v)
		x.m.V[a.Reg.Num()] = r
		return nil
	}
	return x.setReg(0, v)
}

// moveLower loads or stores the lowest 8 bytes of a vector.
func moveLower(x *exec) error {
	if a := &x.in.Args[0]; a.Kind == amd64.MemArg {
		v := vec(x.m.V[x.in.Args[1].Reg.Num()])
		return x.m.Store(x.address(a), 8, v.get(0, 8))
	}
	v, b, err := x.vectors(1)
	if err != nil {
		return err
	}
	v.put(0, 8, b.get(0, 8))
	return x.write(&v, 8, 2)
}

// maskedMove loads or stores the elements whose sign bit is set in a mask vector.
func maskedMove(w int) execFunc {
	return func(x *exec) error {
		mask := vec(x.m.V[x.in.Args[1].Reg.Num()])
		n := x.vl / w
		mem := &x.in.Args[2]
		store := x.in.Args[0].Kind == amd64.MemArg
		var r vec
		if store {
			mem = &x.in.Args[0]
			r = vec(x.m.V[x.in.Args[2].Reg.Num()])
		}
		at := x.address(mem)
		for i := range n {
			if mask.get(i, w)>>(8*w-1) == 0 {
				continue
			}
			if store {
				if err := x.m.Store(at+uint64(i*w), w, r.get(i, w)); err != nil {
					return err
				}
				continue
			}
			v, err := x.m.Load(at+uint64(i*w), w)
			if err != nil {
				return err
			}
			r.put(i, w, v)
		}
		if store {
			return nil
		}
		return x.write(&r, w, n)
	}
}

// repeat fills a vector with the first bytes of an operand, or a general register.
func repeat(w, bytes int) execFunc {
	return func(x *exec) error {
		var v vec
		n := x.vl / w
		if a := &x.in.Args[1]; a.Kind == amd64.RegArg && !isVector(a.Reg) {
			v.put(0, 8, x.m.GP[a.Reg.Num()])
		} else if a.Kind == amd64.MemArg && !x.anyActive(n) {
			return x.write(&v, w, n)
		} else {
			var err error
			if v, err = x.vector(1); err != nil {
				return err
			}
		}
		for i := bytes; i < x.vl; i++ {
			v[i] = v[i-bytes]
		}
		return x.write(&v, w, n)
	}
}

// gather loads elements at the addresses of a vector index.
func gather(w, indexBytes int) execFunc {
	return func(x *exec) error {
		d := (*vec)(&x.m.V[x.in.Args[0].Reg.Num()])
		isActive := x.isActive
		if x.in.Mask == 0 {
			mask := (*vec)(&x.m.V[x.in.Args[2].Reg.Num()])
			signs := *mask
			isActive = func(i int) bool { return signs.get(i, w)>>(8*w-1) != 0 }
			defer clear(mask[:])
		}
		a := &x.in.Args[1]
		index, base := vec(x.m.V[a.Index.Num()]), x.address(a)
		n := min(a.Index.Class().Bytes()/indexBytes, x.in.Args[0].Reg.Class().Bytes()/w)
		r := *d
		for i := range n {
			if !isActive(i) {
				continue
			}
			v, err := x.m.Load(base+uint64(signExtend(index.get(i, indexBytes), indexBytes))*uint64(a.Scale), w)
			if err != nil {
				return err
			}
			r.put(i, w, v)
		}
		clear(r[n*w:])
		*d = r
		if x.in.Mask != 0 {
			x.m.K[x.in.Mask.Num()] = 0
		}
		return nil
	}
}
