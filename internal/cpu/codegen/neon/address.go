package neon

import (
	"errors"

	"github.com/go-nx/nx/internal/cpu/asm/amd64"
	"github.com/go-nx/nx/internal/cpu/asm/arm64"
)

// access is a load, a store or a prefetch: its form with a scaled offset, that with any offset of 9 bits, and the bytes
// that it accesses.
type access struct {
	op, unscaled arm64.Op
	bytes        int
}

// address is a general register that holds the sum of two others, the second one scaled.
type address struct {
	reg, base, index, scale int // reg is 0 if there is none; index is -1 for constants
	offset                  int64
}

// access emits an access to memory.
func (t *translator) access(a access, x operand, m amd64.Arg) error {
	if m.Kind != amd64.MemArg {
		return errors.New("no memory")
	}
	if m.Reg == amd64.RIP {
		// A constant, which is only loaded.
		n := t.in.end + int(m.Val)
		if x.v != 0 && !x.def || m.Index != 0 || n < 0 || n+a.bytes > len(t.text) {
			return errors.New("the constant")
		}
		tmp := arm64.X(temps[2])
		t.emit(arm64.ADR, reg(tmp), operand{ref: ref{refText, int32(n)}})
		t.add(a.op, !x.def, x, other(arm64.Mem(tmp, 0)))
		return nil
	}
	op, at := t.operandOf(a, m)
	t.add(op, !x.def, x, other(at))
	return nil
}

// operandOf returns the operand and the instruction of an access.
func (t *translator) operandOf(a access, m amd64.Arg) (arm64.Op, arm64.Arg) {
	if m.Reg != 0 && m.Index != 0 && m.Val == 0 && (m.Scale == 1 || int(m.Scale) == a.bytes) {
		return a.op, arm64.MemIndex(gp(m.Reg), gp(m.Index), log2(int(m.Scale)))
	}
	base, offset := t.base(m)
	switch n := int64(a.bytes); {
	case offset >= 0 && offset%n == 0 && offset/n < 1<<12:
		return a.op, arm64.Mem(base, int(offset))
	case offset >= -256 && offset < 256:
		return a.unscaled, arm64.Mem(base, int(offset))
	}
	return a.op, arm64.Mem(t.plus(base, offset), 0)
}

// base returns a register with the address of memory without its displacement, and the displacement.
func (t *translator) base(m amd64.Arg) (arm64.Reg, int64) {
	switch {
	case m.Reg == 0 && m.Index == 0:
		tmp := arm64.X(temps[2])
		t.moveNumber(tmp, 0)
		return tmp, m.Val
	case m.Index == 0:
		return gp(m.Reg), m.Val
	}
	base := 31
	if m.Reg != 0 {
		base = gp(m.Reg).Num()
	}
	r, isNew := t.sumOf(address{base: base, index: gp(m.Index).Num(), scale: int(m.Scale)})
	if isNew {
		t.emit(arm64.ADD, reg(r), reg(arm64.X(base)), other(shifted(gp(m.Index), int(m.Scale))))
	}
	return r, m.Val
}

// plus returns a register with the sum of a register and a number.
func (t *translator) plus(base arm64.Reg, offset int64) arm64.Reg {
	if offset == 0 {
		return base
	}
	if base.Num() >= firstSum || base.Num() == temps[2] { // its own sum may be replaced
		tmp := arm64.X(temps[2])
		t.addNumber(tmp, base, offset)
		return tmp
	}
	r, isNew := t.sumOf(address{base: base.Num(), index: -1, offset: offset})
	if isNew {
		t.addNumber(r, base, offset)
	}
	return r
}

// sumOf returns the register of a sum, and whether the code must compute it.
func (t *translator) sumOf(want address) (r arm64.Reg, isNew bool) {
	if t.sums == nil {
		t.sums = make([]address, lastSum-firstSum+1)
	}
	for i := range t.sums {
		have := t.sums[i]
		if want.reg = have.reg; have == want && have.reg != 0 {
			return arm64.X(have.reg), false
		}
	}
	t.lastSum = (t.lastSum + 1) % len(t.sums)
	want.reg = firstSum + t.lastSum
	t.sums[t.lastSum] = want
	return arm64.X(want.reg), true
}

// pair returns the base and the offset of an access to two registers of 16 bytes.
func (t *translator) pair(m amd64.Arg) arm64.Arg {
	base, offset := t.base(m)
	if offset%16 != 0 || offset < -1024 || offset > 1008 {
		base, offset = t.plus(base, offset), 0
	}
	return arm64.Mem(base, int(offset))
}
