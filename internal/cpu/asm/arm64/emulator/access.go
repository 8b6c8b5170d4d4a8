package emulator

import (
	"github.com/go-nx/nx/internal/cpu/asm/arm64"
	"github.com/go-nx/nx/internal/cpu/asm/memory"
)

// address returns the address of an operand in memory, and updates its base.
func (x *exec) address(a *arm64.Arg) uint64 {
	base, offset := x.reg(a.Reg), uint64(a.Val)
	if a.Index != 0 {
		e := a.Ext
		if e == arm64.NoExtend {
			e = arm64.LSL
		}
		offset = shift(x.reg(a.Index), width(a.Index), e, uint(a.Amount))
	}
	if a.Mode == arm64.Offset {
		return base + offset
	}
	x.updated, x.base = a.Reg, base
	x.setReg(a.Reg, base+offset)
	if a.Mode == arm64.PreIndex {
		return base + offset
	}
	return base
}

// loadReg fills a register from memory.
func (x *exec) loadReg(r arm64.Reg, at uint64) error {
	n := r.Class().Bytes()
	b, err := x.Bytes(at, n, false)
	if err != nil {
		return err
	}
	if isVector(r) {
		v := &x.V[r.Num()]
		*v = [16]byte{}
		copy(v[:], b)
		return nil
	}
	x.setReg(r, memory.Load(b, n))
	return nil
}

// storeReg writes a register to memory.
func (x *exec) storeReg(r arm64.Reg, at uint64) error {
	n := r.Class().Bytes()
	b, err := x.Bytes(at, n, true)
	if err != nil {
		return err
	}
	if isVector(r) {
		copy(b, x.V[r.Num()][:n])
		return nil
	}
	memory.Store(b, n, x.reg(r))
	return nil
}

// load is a load of whole registers, from the last operand; a literal is at an offset of the code.
func load(x *exec) error {
	last := x.in.NumArgs() - 1
	at := x.at + uint64(x.arg(last).Val)
	if a := x.arg(last); a.Kind == arm64.MemArg {
		at = x.address(a)
	}
	for i := range last {
		r := x.arg(i).Reg
		if err := x.loadReg(r, at); err != nil {
			return err
		}
		at += uint64(r.Class().Bytes())
	}
	return nil
}

// store is a store of whole registers, to the last operand.
func store(x *exec) error {
	last := x.in.NumArgs() - 1
	at := x.address(x.arg(last))
	for i := range last {
		r := x.arg(i).Reg
		if err := x.storeReg(r, at); err != nil {
			return err
		}
		at += uint64(r.Class().Bytes())
	}
	return nil
}

// loadNarrow is a load of some bytes, which are extended.
func loadNarrow(bytes int, signExtend bool) execFunc {
	return func(x *exec) error {
		v, err := x.Load(x.address(x.arg(1)), bytes)
		if err != nil {
			return err
		}
		if signExtend {
			v = uint64(signed(v, bytes))
		}
		x.setReg(x.arg(0).Reg, v)
		return nil
	}
}

// storeNarrow is a store of the lowest bytes.
func storeNarrow(bytes int) execFunc {
	return func(x *exec) error {
		v := x.value(0)
		return x.Store(x.address(x.arg(1)), bytes, v)
	}
}

// structures is a load or store of a list whose elements are interleaved in groups of the registers' number; LD1 and
// ST1 have groups of one, register after register.
func structures(isLoad bool, group int) execFunc {
	return func(x *exec) error {
		list, mem := x.arg(0), x.arg(1)
		c := list.Reg.Class()
		if c >= arm64.ElemB {
			return x.singleStructure(isLoad)
		}
		w, n := c.ElemBytes(), c.Bytes()/c.ElemBytes()
		b, err := x.Bytes(x.reg(mem.Reg), int(list.Count)*c.Bytes(), !isLoad)
		if err != nil {
			return err
		}
		x.address(mem)
		for i := range int(list.Count) {
			v := &x.V[(list.Reg.Num()+i)%32]
			if isLoad {
				*v = [16]byte{}
			}
			for j := range n {
				at := (i*n + j) * w
				if group > 1 {
					at = (j*group + i) * w
				}
				if isLoad {
					copy(v[j*w:(j+1)*w], b[at:])
				} else {
					copy(b[at:at+w], v[j*w:])
				}
			}
		}
		return nil
	}
}

// singleStructure is a load or store of an element.
func (x *exec) singleStructure(isLoad bool) error {
	list, mem := x.arg(0), x.arg(1)
	w := list.Reg.Class().Bytes()
	b, err := x.Bytes(x.reg(mem.Reg), w, !isLoad)
	if err != nil {
		return err
	}
	x.address(mem)
	v := x.V[list.Reg.Num()][int(list.Lane)*w:][:w]
	if isLoad {
		copy(v, b)
	} else {
		copy(b, v)
	}
	return nil
}

func init() {
	define(map[arm64.Op]execFunc{
		arm64.LDR: load, arm64.LDUR: load, arm64.LDP: load, arm64.STR: store, arm64.STUR: store, arm64.STP: store,
		arm64.LDRB: loadNarrow(1, false), arm64.LDURB: loadNarrow(1, false),
		arm64.LDRH: loadNarrow(2, false), arm64.LDURH: loadNarrow(2, false),
		arm64.LDRSB: loadNarrow(1, true), arm64.LDURSB: loadNarrow(1, true),
		arm64.LDRSH: loadNarrow(2, true), arm64.LDURSH: loadNarrow(2, true),
		arm64.LDRSW: loadNarrow(4, true), arm64.LDURSW: loadNarrow(4, true),
		arm64.STRB: storeNarrow(1), arm64.STURB: storeNarrow(1),
		arm64.STRH: storeNarrow(2), arm64.STURH: storeNarrow(2),
		arm64.PRFM: func(*exec) error { return nil }, arm64.PRFUM: func(*exec) error { return nil },
		arm64.LD1: structures(true, 1), arm64.ST1: structures(false, 1), arm64.LD2: structures(true, 2),
		arm64.ST2: structures(false, 2), arm64.LD3: structures(true, 3), arm64.ST3: structures(false, 3),
		arm64.LD4: structures(true, 4), arm64.ST4: structures(false, 4),
		arm64.LD1R: func(x *exec) error {
			list, mem := x.arg(0), x.arg(1)
			c := list.Reg.Class()
			w := c.ElemBytes()
			b, err := x.Bytes(x.reg(mem.Reg), w, false)
			if err != nil {
				return err
			}
			x.address(mem)
			v := &x.V[list.Reg.Num()]
			*v = [16]byte{}
			for i := 0; i < c.Bytes(); i += w {
				copy(v[i:i+w], b)
			}
			return nil
		},
	})
}
