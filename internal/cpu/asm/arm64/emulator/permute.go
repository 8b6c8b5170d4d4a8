package emulator

import (
	"github.com/go-nx/nx/internal/cpu/asm/arm64"
	"github.com/go-nx/nx/internal/cpu/asm/memory"
)

// permute moves elements of two registers: from returns, for element i of n, the number of an element of the first, or
// of the second from n on.
func permute(from func(i, n int) int) execFunc {
	return func(x *exec) error {
		c := x.arg(0).Reg.Class()
		w, bytes := c.ElemBytes(), c.Bytes()
		a, b := x.V[x.arg(1).Reg.Num()], x.V[x.arg(2).Reg.Num()]
		both := append(append([]byte(nil), a[:bytes]...), b[:bytes]...)
		var r [16]byte
		for i := range bytes / w {
			copy(r[i*w:(i+1)*w], both[from(i, bytes/w)*w:])
		}
		x.V[x.arg(0).Reg.Num()] = r
		return nil
	}
}

// lookup is TBL or TBX: bytes of a list of registers at the indices in another; TBX keeps bytes with other indices.
func lookup(keep bool) execFunc {
	return func(x *exec) error {
		to, list := x.arg(0).Reg, x.arg(1)
		var all []byte
		for i := range int(list.Count) {
			v := x.V[(list.Reg.Num()+i)%32]
			all = append(all, v[:]...)
		}
		indices, old := x.V[x.arg(2).Reg.Num()], x.V[to.Num()]
		var r [16]byte
		for i := range to.Class().Bytes() {
			switch at := int(indices[i]); {
			case at < len(all):
				r[i] = all[at]
			case keep:
				r[i] = old[i]
			}
		}
		x.V[to.Num()] = r
		return nil
	}
}

// reverse reverses the elements in groups of some bytes.
func reverse(group int) execFunc {
	return func(x *exec) error {
		c := x.arg(0).Reg.Class()
		w, v := c.ElemBytes(), x.V[x.arg(1).Reg.Num()]
		var r [16]byte
		for i := 0; i < c.Bytes(); i += w {
			from := i/group*group + group - w - i%group
			copy(r[i:i+w], v[from:])
		}
		x.V[x.arg(0).Reg.Num()] = r
		return nil
	}
}

// reverseGeneral reverses the bytes of a general register in groups.
func reverseGeneral(group int) execFunc {
	return unary(func(a uint64, bytes int) uint64 {
		var b, r [8]byte
		memory.Store(b[:], 8, a)
		for i := range bytes {
			r[i] = b[i/group*group+group-1-i%group]
		}
		return memory.Load(r[:], 8)
	})
}

func init() {
	define(map[arm64.Op]execFunc{
		arm64.ZIP1: permute(func(i, n int) int { return i/2 + i%2*n }),
		arm64.ZIP2: permute(func(i, n int) int { return n/2 + i/2 + i%2*n }),
		arm64.UZP1: permute(func(i, _ int) int { return 2 * i }),
		arm64.UZP2: permute(func(i, _ int) int { return 2*i + 1 }),
		arm64.TRN1: permute(func(i, n int) int { return i&^1 + i%2*n }),
		arm64.TRN2: permute(func(i, n int) int { return (i | 1) + i%2*n }),
		arm64.EXT: func(x *exec) error {
			by := int(x.arg(3).Val)
			return permute(func(i, _ int) int { return i + by })(x)
		},
		arm64.TBL: lookup(false), arm64.TBX: lookup(true),
		arm64.REV64: reverse(8),
		arm64.REV32: either(reverseGeneral(4), reverse(4)), arm64.REV16: either(reverseGeneral(2), reverse(2)),
		arm64.DUP: lanes(func(l *lane) uint64 { return l.a }),
		arm64.INS: func(x *exec) error {
			to, from := x.arg(0), x.arg(1)
			w := to.Reg.Class().Bytes()
			v := x.reg(from.Reg)
			if isVector(from.Reg) {
				v = memory.Load(x.V[from.Reg.Num()][int(from.Lane)*w:], w)
			}
			memory.Store(x.V[to.Reg.Num()][int(to.Lane)*w:], w, v)
			return nil
		},
		arm64.UMOV: elementToGeneral(false), arm64.SMOV: elementToGeneral(true),
		arm64.MOVI: lanes(func(l *lane) uint64 { return l.a }),
		arm64.MVNI: lanes(func(l *lane) uint64 { return ^l.a }),
	})
}

// elementToGeneral moves an element to a general register.
func elementToGeneral(signExtend bool) execFunc {
	return func(x *exec) error {
		a := x.arg(1)
		w := a.Reg.Class().Bytes()
		v := memory.Load(x.V[a.Reg.Num()][int(a.Lane)*w:], w)
		if signExtend {
			v = uint64(signed(v, w))
		}
		x.setReg(x.arg(0).Reg, v)
		return nil
	}
}
