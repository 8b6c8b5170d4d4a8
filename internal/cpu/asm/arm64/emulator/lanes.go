package emulator

import (
	"github.com/go-nx/nx/internal/cpu/asm/arm64"
	"github.com/go-nx/nx/internal/cpu/asm/memory"
)

// lane is the same lane of the operands of a vector instruction: an element of each, and its bytes. D is the element of
// the destination before. Operands that are numbers, or an element of a register, are the same in all lanes.
type lane struct {
	x       *exec
	d, a, b uint64
	wd      int // bytes of an element of the result
	wa, wb  int
}

// lanes executes a vector instruction, or one on scalars of vector registers, lane by lane. Where an operand has more
// elements than another, which instructions for the upper half of a vector do, its upper half takes part.
func lanes(f func(l *lane) uint64) execFunc {
	return func(x *exec) error {
		n := 16
		for i := range x.in.NumArgs() {
			if a := x.arg(i); a.Kind == arm64.RegArg && isVector(a.Reg) && a.Reg.Class() < arm64.ElemB {
				n = min(n, a.Reg.Class().Bytes()/a.Reg.Class().ElemBytes())
			}
		}
		to := x.arg(0).Reg
		wd := to.Class().ElemBytes()
		first := to.Class().Bytes()/wd - n // of the result
		old := x.V[to.Num()]
		r := [16]byte{}
		copy(r[:first*wd], old[:])
		l := lane{x: x, wd: wd}
		var operands [2]func(i int) uint64
		for j := range operands {
			operands[j] = x.elements(j+1, n)
		}
		l.wa, l.wb = x.elemBytes(1), x.elemBytes(2)
		for i := range n {
			l.d = memory.Load(old[(first+i)*wd:], wd)
			l.a, l.b = operands[0](i), operands[1](i)
			memory.Store(r[(first+i)*wd:], wd, f(&l))
		}
		x.V[to.Num()] = r
		return nil
	}
}

// elements returns the elements of operand i of n lanes.
func (x *exec) elements(i, n int) func(lane int) uint64 {
	a := x.arg(i)
	switch {
	case a.Kind == arm64.ImmArg || a.Kind == arm64.FloatArg:
		return func(int) uint64 { return uint64(a.Val) << a.Amount }
	case a.Kind != arm64.RegArg:
		return func(int) uint64 { return 0 }
	case !isVector(a.Reg):
		v := x.reg(a.Reg)
		return func(int) uint64 { return v }
	}
	c, v := a.Reg.Class(), x.V[a.Reg.Num()]
	w := c.ElemBytes()
	if c >= arm64.ElemB {
		e := memory.Load(v[int(a.Lane)*w:], w)
		return func(int) uint64 { return e }
	}
	first := c.Bytes()/w - n
	return func(lane int) uint64 { return memory.Load(v[(first+lane)*w:], w) }
}

// elemBytes returns the bytes of an element of operand i, 8 for a number.
func (x *exec) elemBytes(i int) int {
	if a := x.arg(i); a.Kind == arm64.RegArg {
		return a.Reg.Class().ElemBytes()
	}
	return 8
}

// signedA and signedB are the operands with their sign extended.
func (l *lane) signedA() int64 { return signed(l.a, l.wa) }
func (l *lane) signedB() int64 { return signed(l.b, l.wb) }

// mask returns all ones where a condition holds.
func mask(holds bool) uint64 {
	if holds {
		return ^uint64(0)
	}
	return 0
}

// pairs executes an instruction on adjacent elements: those of the first operand, then those of the second; or of one
// operand with a scalar result.
func pairs(f func(x *exec, w int, a, b uint64) uint64) execFunc {
	return func(x *exec) error {
		to := x.arg(0).Reg
		w := x.arg(1).Reg.Class().ElemBytes()
		bytes := x.arg(1).Reg.Class().Bytes()
		a := x.V[x.arg(1).Reg.Num()]
		all := append([]byte(nil), a[:bytes]...)
		if x.in.NumArgs() == 3 {
			b := x.V[x.arg(2).Reg.Num()]
			all = append(all, b[:bytes]...)
		}
		var r [16]byte
		for i := 0; i < len(all)/2; i += w {
			memory.Store(r[i:], w, f(x, w, memory.Load(all[2*i:], w), memory.Load(all[2*i+w:], w)))
		}
		x.V[to.Num()] = r
		return nil
	}
}

// across reduces the elements of a vector, from halves to halves, to a scalar.
func across(widen int, f func(x *exec, w int, a, b uint64) uint64) execFunc {
	return func(x *exec) error {
		c := x.arg(1).Reg.Class()
		w := c.ElemBytes()
		v := x.V[x.arg(1).Reg.Num()]
		var list []uint64
		for i := 0; i < c.Bytes(); i += w {
			e := memory.Load(v[i:], w)
			if widen < 0 {
				e = uint64(signed(e, w))
			}
			list = append(list, e)
		}
		for len(list) > 1 {
			var next []uint64
			for i := 0; i < len(list); i += 2 {
				next = append(next, f(x, w, list[i], list[i+1]))
			}
			list = next
		}
		x.setReg(x.arg(0).Reg, list[0])
		return nil
	}
}

// either chooses by the class of the destination.
func either(general, vector execFunc) execFunc {
	return func(x *exec) error {
		if isVector(x.arg(0).Reg) {
			return vector(x)
		}
		return general(x)
	}
}
