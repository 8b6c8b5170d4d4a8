package neon

import (
	"errors"
	"fmt"
	"math/bits"

	"github.com/go-nx/nx/internal/cpu/asm/amd64"
	"github.com/go-nx/nx/internal/cpu/asm/arm64"
)

// generalOf are the registers of AArch64 that hold the general registers of x86: RDI and RSI have the arguments of a
// function. There is no stack pointer.
var generalOf = [16]int{0: 2, 1: 3, 2: 4, 3: 5, 4: -1, 5: 6, 6: 1, 7: 0, 8: 7, 9: 8, 10: 9, 11: 10, 12: 11, 13: 12,
	14: 13, 15: 14}

// The other general registers.
var temps = [...]int{15, 16, 17} // of one instruction

const (
	firstSum, lastSum = 19, 26 // sums of addresses, see address
	spillReg          = 27     // the spill memory of this package
)

// sourceSpillBytes is the spill memory of the code for AVX2.
const sourceSpillBytes = 4096

// gp returns the register for a general register of x86, with its width; registers of one and two bytes have W.
func gp(r amd64.Reg) arm64.Reg {
	n := generalOf[r.Num()]
	if r.Class() == amd64.R64 {
		return arm64.X(n)
	}
	return arm64.W(n)
}

// general returns an operand in a register of a class of 4 or 8 bytes. Memory and numbers are loaded to a register for
// temporary values.
func (t *translator) general(a amd64.Arg, c amd64.Class) (arm64.Reg, error) {
	tmp := arm64.W(temps[0])
	if c == amd64.R64 {
		tmp = arm64.X(temps[0])
	}
	switch a.Kind {
	case amd64.RegArg:
		return gp(a.Reg.As(c)), nil
	case amd64.ImmArg:
		t.moveNumber(tmp, a.Val)
		return tmp, nil
	}
	op := access{arm64.LDR, arm64.LDUR, c.Bytes()}
	return tmp, t.access(op, reg(tmp), a)
}

// moveNumber sets a register to a number.
func (t *translator) moveNumber(to arm64.Reg, n int64) {
	size := to.Class().Bytes()
	v := uint64(n)
	if size == 4 {
		v = uint64(uint32(n))
	}
	op, inverted := arm64.MOVZ, v
	if full := uint64(1)<<(8*size-1)<<1 - 1; countHalves(v^full, size) < countHalves(v, size) {
		op, inverted = arm64.MOVN, v^full
	}
	first := true
	for shift := 0; shift < 8*size; shift += 16 {
		part := inverted >> shift & 0xffff
		if part == 0 {
			continue
		}
		if first {
			t.emit(op, reg(to), other(arm64.Lsl(int64(part), shift)))
			first = false
			continue
		}
		t.emit(arm64.MOVK, reg(to), other(arm64.Lsl(int64(v>>shift&0xffff), shift)))
	}
	if first {
		t.emit(op, reg(to), number(0))
	}
}

// countHalves returns how many 16-bit parts of a number are not 0.
func countHalves(v uint64, size int) int {
	n := 0
	for shift := 0; shift < 8*size; shift += 16 {
		if v>>shift&0xffff != 0 {
			n++
		}
	}
	return n
}

// changed records that a general register has changed.
func (t *translator) changed(r amd64.Reg) {
	for i := range t.sums {
		if s := &t.sums[i]; s.base == generalOf[r.Num()] || s.index == generalOf[r.Num()] {
			s.reg = 0
		}
	}
	if r.Num() == amd64.RDX.Num() {
		t.upperHalf = unknownUpper
	}
}

// upperHalf is what RDX is known to hold before a division.
type upperHalf uint8

const (
	unknownUpper upperHalf = iota
	zeroUpper
	signUpper // the sign of RAX
)

// arithmetic describes an instruction of two general operands.
type arithmetic struct {
	op, inverse arm64.Op // for numbers that are negated
	kind        flagKind
	bitwise     bool
	onlyFlags   bool
}

var arithmetics = map[amd64.Op]arithmetic{
	amd64.ADD:  {op: arm64.ADDS, inverse: arm64.SUBS, kind: sum},
	amd64.SUB:  {op: arm64.SUBS, inverse: arm64.ADDS, kind: difference},
	amd64.CMP:  {op: arm64.SUBS, inverse: arm64.ADDS, kind: difference, onlyFlags: true},
	amd64.AND:  {op: arm64.ANDS, kind: logical, bitwise: true},
	amd64.TEST: {op: arm64.ANDS, kind: logical, bitwise: true, onlyFlags: true},
	amd64.OR:   {op: arm64.ORR, kind: noFlags, bitwise: true},
	amd64.XOR:  {op: arm64.EOR, kind: noFlags, bitwise: true},
}

func init() {
	for op := range arithmetics {
		define(map[amd64.Op]translate{op: arithmeticOf})
	}
	define(map[amd64.Op]translate{
		amd64.MOV: moveGeneral, amd64.MOVZX: moveExtended, amd64.MOVSX: moveExtended, amd64.MOVSXD: moveExtended,
		amd64.LEA: loadAddress, amd64.IMUL: multiply, amd64.NEG: negate, amd64.INC: increment,
		amd64.DEC: increment, amd64.SHL: shiftGeneral, amd64.SHR: shiftGeneral, amd64.SAR: shiftGeneral,
		amd64.SHLX: shiftBy, amd64.SHRX: shiftBy, amd64.BZHI: zeroHighBits, amd64.CDQ: extendSign,
		amd64.CQO: extendSign, amd64.DIV: divide, amd64.IDIV: divide, amd64.NOP: nothing, amd64.VZEROUPPER: zeroUppers,
		amd64.SFENCE: nothing, amd64.PREFETCHT1: prefetch,
	})
}

func nothing(*translator, *inst) error { return nil }

// zeroUppers translates VZEROUPPER.
func zeroUppers(t *translator, _ *inst) error {
	for r := range 16 {
		t.halves[r+16] = t.zero()
	}
	return nil
}

// prefetch translates PREFETCHT1: the number of PRFM has the kind of access, a load, and the level of the cache.
func prefetch(t *translator, in *inst) error {
	const loadToL2 = 2
	return t.access(access{arm64.PRFM, arm64.PRFUM, 8}, number(loadToL2), in.Args[0])
}

// arithmeticOf translates additions, subtractions, comparisons and bitwise operations.
func arithmeticOf(t *translator, in *inst) error {
	m := arithmetics[in.Op]
	d, y := in.Args[0], in.Args[1]
	c, bytes := amd64.R64, 8
	switch {
	case d.Kind == amd64.RegArg:
		c, bytes = d.Reg.Class(), d.Reg.Class().Bytes()
	case y.Kind == amd64.RegArg:
		c, bytes = y.Reg.Class(), y.Reg.Class().Bytes()
	default:
		bytes = int(d.Bytes)
		c = map[int]amd64.Class{1: amd64.R8, 2: amd64.R16, 4: amd64.R32, 8: amd64.R64}[bytes]
	}
	if bytes < 4 {
		return t.compareNarrow(in, m, bytes)
	}
	r := func(n int) arm64.Reg {
		if c == amd64.R64 {
			return arm64.X(n)
		}
		return arm64.W(n)
	}
	if d == y && in.Op == amd64.XOR {
		t.emit(arm64.MOVZ, reg(gp(d.Reg)), number(0))
		t.changed(d.Reg)
		if d.Reg.Num() == amd64.RDX.Num() {
			t.upperHalf = zeroUpper
		}
		t.flags = noFlags
		if t.flagsAreRead() {
			return errors.New("flags of a constant")
		}
		return nil
	}
	load, store := access{arm64.LDR, arm64.LDUR, bytes}, access{arm64.STR, arm64.STUR, bytes}
	x := r(temps[1])
	if d.Kind == amd64.RegArg {
		x = gp(d.Reg)
	} else if err := t.access(load, reg(x), d); err != nil {
		return err
	}
	to := x
	if m.onlyFlags {
		to = r(31)
	}
	op, second := m.op, operand{}
	switch {
	case y.Kind != amd64.ImmArg:
		from, err := t.general(y, c)
		if err != nil {
			return err
		}
		second = reg(from)
	case m.bitwise:
		v := uint64(y.Val)
		if bytes == 4 {
			v = uint64(uint32(v))
		}
		second = number(int64(v))
		if !encodes(op, reg(r(1)), reg(r(1)), second) {
			t.moveNumber(r(temps[0]), y.Val)
			second = reg(r(temps[0]))
		}
	default:
		n := y.Val
		if bytes == 4 {
			n = int64(int32(n))
		}
		if n < 0 {
			op, n = m.inverse, -n
		}
		if second = number(n); n < 0 || n >= 1<<24 || n >= 1<<12 && n&0xfff != 0 {
			op = m.op
			t.moveNumber(r(temps[0]), y.Val)
			second = reg(r(temps[0]))
		}
	}
	t.emit(op, reg(to), reg(x), second)
	t.flags = m.kind
	if m.kind == noFlags && t.flagsAreRead() {
		t.emit(arm64.ANDS, reg(r(31)), reg(to), reg(to))
		t.flags = logical
	}
	switch {
	case m.onlyFlags:
		return nil
	case d.Kind == amd64.RegArg:
		t.changed(d.Reg)
		return nil
	}
	return t.access(store, reg(x), d)
}

// encodes reports whether an instruction has an encoding.
func encodes(op arm64.Op, args ...operand) bool {
	in := arm64.Inst{Op: op}
	for i, a := range args {
		in.Args[i] = a.arg
	}
	_, err := in.Append(nil)
	return err == nil
}

// compareNarrow translates comparisons of one or two bytes: they are shifted to the upper end of a register, so that
// all flags are those of their width.
func (t *translator) compareNarrow(in *inst, m arithmetic, bytes int) error {
	if !m.onlyFlags {
		return fmt.Errorf("an operation on %d bytes", bytes)
	}
	shift := int64(32 - 8*bytes)
	var parts [2]arm64.Reg
	for i, a := range in.Args[:2] {
		w := arm64.W(temps[1+i])
		parts[i] = w
		switch a.Kind {
		case amd64.ImmArg:
			t.moveNumber(w, a.Val<<shift)
			continue
		case amd64.RegArg:
			t.emit(arm64.UBFM, reg(w), reg(gp(a.Reg)), number((32-shift)%32), number(31-shift))
			continue
		}
		op := map[int]access{1: {arm64.LDRB, arm64.LDURB, 1}, 2: {arm64.LDRH, arm64.LDURH, 2}}[bytes]
		if err := t.access(op, reg(w), a); err != nil {
			return err
		}
		t.emit(arm64.UBFM, reg(w), reg(w), number((32-shift)%32), number(31-shift))
	}
	t.emit(m.op, reg(arm64.WZR), reg(parts[0]), reg(parts[1]))
	t.flags = m.kind
	return nil
}

// moveGeneral translates moves between general registers and memory.
func moveGeneral(t *translator, in *inst) error {
	d, x := in.Args[0], in.Args[1]
	if d.Kind == amd64.MemArg {
		bytes := int(d.Bytes)
		if x.Kind == amd64.RegArg {
			bytes = x.Reg.Class().Bytes()
		}
		from := arm64.XZR
		switch {
		case x.Kind == amd64.RegArg:
			from = gp(x.Reg)
		case x.Val != 0:
			from = arm64.X(temps[0])
			t.moveNumber(from, x.Val)
		}
		if bytes < 8 {
			from = from.As(arm64.ClassW)
		}
		return t.access(storeOf(bytes), reg(from), d)
	}
	defer t.changed(d.Reg)
	to := gp(d.Reg)
	bytes := d.Reg.Class().Bytes()
	if bytes < 4 {
		return fmt.Errorf("a move to a register of %d bytes", bytes)
	}
	switch x.Kind {
	case amd64.ImmArg:
		t.moveNumber(to, x.Val)
		return nil
	case amd64.RegArg:
		zero := arm64.XZR.As(to.Class())
		t.emit(arm64.ORR, reg(to), reg(zero), reg(gp(x.Reg)))
		return nil
	}
	return t.access(access{arm64.LDR, arm64.LDUR, bytes}, reg(to), x)
}

// storeOf returns the store of a general register.
func storeOf(bytes int) access {
	return map[int]access{1: {arm64.STRB, arm64.STURB, 1}, 2: {arm64.STRH, arm64.STURH, 2},
		4: {arm64.STR, arm64.STUR, 4}, 8: {arm64.STR, arm64.STUR, 8}}[bytes]
}

// moveExtended translates moves with zero or sign extension.
func moveExtended(t *translator, in *inst) error {
	d, x := in.Args[0], in.Args[1]
	defer t.changed(d.Reg)
	to := gp(d.Reg)
	bytes := int(x.Bytes)
	if x.Kind == amd64.RegArg {
		bytes = x.Reg.Class().Bytes()
	} else if in.Op == amd64.MOVSXD && bytes == 0 {
		bytes = 4
	}
	signed := in.Op != amd64.MOVZX
	if x.Kind == amd64.RegArg {
		op := arm64.UBFM
		if signed {
			op = arm64.SBFM
		}
		t.emit(op, reg(to), reg(gp(x.Reg).As(to.Class())), number(0), number(int64(8*bytes-1)))
		return nil
	}
	type key struct {
		bytes  int
		signed bool
	}
	op, ok := map[key]access{{1, false}: {arm64.LDRB, arm64.LDURB, 1}, {2, false}: {arm64.LDRH, arm64.LDURH, 2},
		{1, true}: {arm64.LDRSB, arm64.LDURSB, 1}, {2, true}: {arm64.LDRSH, arm64.LDURSH, 2},
		{4, true}: {arm64.LDRSW, arm64.LDURSW, 4}}[key{bytes, signed}]
	if !ok {
		return fmt.Errorf("an extension of %d bytes", bytes)
	}
	if !signed {
		to = to.As(arm64.ClassW)
	}
	return t.access(op, reg(to), x)
}

// loadAddress translates LEA.
func loadAddress(t *translator, in *inst) error {
	d, m := in.Args[0].Reg, in.Args[1]
	defer t.changed(d)
	if m.Reg == amd64.RIP {
		t.emit(arm64.ADR, reg(gp(d)), operand{ref: ref{refText, int32(in.end) + int32(m.Val)}})
		return nil
	}
	to := gp(d)
	r := func(a amd64.Reg) arm64.Reg { return gp(a).As(to.Class()) }
	from := arm64.XZR.As(to.Class())
	switch {
	case m.Reg != 0 && m.Index != 0:
		t.emit(arm64.ADD, reg(to), reg(r(m.Reg)), other(shifted(r(m.Index), int(m.Scale))))
		from = to
	case m.Index != 0:
		t.emit(arm64.UBFM, reg(to), reg(r(m.Index)), number(int64(-log2(int(m.Scale))&(8*to.Class().Bytes()-1))),
			number(int64(8*to.Class().Bytes()-1-log2(int(m.Scale)))))
		from = to
	case m.Reg != 0:
		from = r(m.Reg)
	}
	if from != to || m.Val != 0 {
		t.addNumber(to, from, m.Val)
	}
	return nil
}

// addNumber emits an addition that leaves the flags.
func (t *translator) addNumber(to, from arm64.Reg, n int64) {
	op := arm64.ADD
	if n < 0 {
		op = arm64.SUB
		n = -n
	}
	switch {
	case from.Num() == 31:
		if op == arm64.SUB {
			n = -n
		}
		t.moveNumber(to, n)
	case n < 1<<12 || n < 1<<24 && n&0xfff == 0:
		t.emit(op, reg(to), reg(from), number(n))
	case n < 1<<24:
		t.emit(op, reg(to), reg(from), number(n&^0xfff))
		t.emit(op, reg(to), reg(to), number(n&0xfff))
	default:
		tmp := arm64.X(temps[2]).As(to.Class())
		t.moveNumber(tmp, n)
		t.emit(op, reg(to), reg(from), reg(tmp))
	}
}

func shifted(r arm64.Reg, scale int) arm64.Arg {
	if scale <= 1 {
		return arm64.RegOperand(r)
	}
	return arm64.Shifted(r, arm64.LSL, log2(scale))
}

func log2(n int) int { return bits.Len(uint(max(n, 1))) - 1 }

// multiply translates IMUL with two or three operands.
func multiply(t *translator, in *inst) error {
	d := in.Args[0]
	x, y := in.Args[0], in.Args[1]
	switch in.NumArgs() {
	case 1:
		return errors.New("a product of 128 bits")
	case 3:
		x, y = in.Args[1], in.Args[2]
	}
	if t.flagsAreRead() {
		return errors.New("flags of a product")
	}
	factor, err := t.general(y, d.Reg.Class())
	if err != nil {
		return err
	}
	first := arm64.X(temps[1]).As(factor.Class())
	if x.Kind == amd64.RegArg {
		first = gp(x.Reg)
	} else if err := t.access(access{arm64.LDR, arm64.LDUR, first.Class().Bytes()}, reg(first), x); err != nil {
		return err
	}
	zero := arm64.XZR.As(factor.Class())
	t.emit(arm64.MADD, reg(gp(d.Reg)), reg(first), reg(factor), reg(zero))
	t.changed(d.Reg)
	t.flags = noFlags
	return nil
}

// unaryGeneral checks the operand of an instruction that changes a register of 4 or 8 bytes.
func (t *translator) unaryGeneral(in *inst) (arm64.Reg, error) {
	d := in.Args[0]
	if d.Kind != amd64.RegArg || d.Reg.Class().Bytes() < 4 {
		return 0, fmt.Errorf("the operand %s", d)
	}
	t.changed(d.Reg)
	return gp(d.Reg), nil
}

func negate(t *translator, in *inst) error {
	d, err := t.unaryGeneral(in)
	if err != nil {
		return err
	}
	t.emit(arm64.SUBS, reg(d), reg(arm64.XZR.As(d.Class())), reg(d))
	t.flags = difference
	return nil
}

// increment translates INC and DEC, which leave the carry.
func increment(t *translator, in *inst) error {
	d, err := t.unaryGeneral(in)
	if err != nil {
		return err
	}
	op := arm64.ADDS
	if in.Op == amd64.DEC {
		op = arm64.SUBS
	}
	t.emit(op, reg(d), reg(d), number(1))
	t.flags = carryless
	return nil
}

// shiftGeneral translates shifts by a number, or by CL.
func shiftGeneral(t *translator, in *inst) error {
	d, err := t.unaryGeneral(in)
	if err != nil {
		return err
	}
	width := int64(8 * d.Class().Bytes())
	n := in.Args[1]
	if n.Kind == amd64.RegArg {
		op := map[amd64.Op]arm64.Op{amd64.SHL: arm64.LSLV, amd64.SHR: arm64.LSRV, amd64.SAR: arm64.ASRV}[in.Op]
		t.emit(op, reg(d), reg(d), reg(gp(n.Reg).As(d.Class())))
	} else {
		by := n.Val & (width - 1)
		switch in.Op {
		case amd64.SHL:
			t.emit(arm64.UBFM, reg(d), reg(d), number(-by&(width-1)), number(width-1-by))
		case amd64.SHR:
			t.emit(arm64.UBFM, reg(d), reg(d), number(by), number(width-1))
		default:
			t.emit(arm64.SBFM, reg(d), reg(d), number(by), number(width-1))
		}
	}
	t.flags = noFlags
	if t.flagsAreRead() {
		if n.Kind == amd64.RegArg {
			return errors.New("flags of a shift by a register")
		}
		t.emit(arm64.ANDS, reg(arm64.XZR.As(d.Class())), reg(d), reg(d))
		t.flags = signAndZero
	}
	return nil
}

// shiftBy translates shifts of BMI2, by a register, without flags.
func shiftBy(t *translator, in *inst) error {
	c := in.Args[0].Reg.Class()
	x, err := t.general(in.Args[1], c)
	if err != nil {
		return err
	}
	op := arm64.LSLV
	if in.Op == amd64.SHRX {
		op = arm64.LSRV
	}
	t.emit(op, reg(gp(in.Args[0].Reg)), reg(x), reg(gp(in.Args[2].Reg)))
	t.changed(in.Args[0].Reg)
	return nil
}

// zeroHighBits translates BZHI: bits from a number on, in the lowest byte of a register, become 0.
func zeroHighBits(t *translator, in *inst) error {
	if t.flagsAreRead() {
		return errors.New("its flags")
	}
	c := in.Args[0].Reg.Class()
	x, err := t.general(in.Args[1], c)
	if err != nil {
		return err
	}
	// The shift is by a number modulo 64: that of W registers has the bits in X, where 32 to 63 shift all of them out.
	// Only an X register and a number above 63 keep all bits.
	n, ones, lowest := arm64.X(temps[1]), arm64.X(temps[2]), in.Args[2].Reg
	t.emit(arm64.UBFM, reg(n), reg(gp(lowest.As(amd64.R64))), number(0), number(7))
	t.emit(arm64.MOVN, reg(ones), number(0))
	t.emit(arm64.LSLV, reg(ones), reg(ones), reg(n))
	// Without flags: numbers from 64 on have bit 6 or 7; the mask is then 0.
	t.emit(arm64.UBFM, reg(n), reg(n), number(6), number(7))
	t.emit(arm64.SUB, reg(n), reg(n), number(1))
	t.emit(arm64.AND, reg(ones), reg(ones), other(arm64.Shifted(n, arm64.ASR, 63)))
	d := gp(in.Args[0].Reg)
	t.emit(arm64.BIC, reg(d), reg(x), reg(ones.As(d.Class())))
	t.changed(in.Args[0].Reg)
	t.flags = noFlags
	return nil
}

// extendSign translates CDQ and CQO.
func extendSign(t *translator, in *inst) error {
	a, d, width := gp(amd64.RAX), gp(amd64.RDX), int64(64)
	if in.Op == amd64.CDQ {
		a, d, width = a.As(arm64.ClassW), d.As(arm64.ClassW), 32
	}
	t.emit(arm64.SBFM, reg(d), reg(a), number(width-1), number(width-1))
	t.changed(amd64.RDX)
	t.upperHalf = signUpper
	return nil
}

// divide translates divisions of RDX:RAX, where RDX extends RAX.
func divide(t *translator, in *inst) error {
	op := arm64.UDIV
	known := t.upperHalf == zeroUpper
	if in.Op == amd64.IDIV {
		op, known = arm64.SDIV, t.upperHalf == signUpper
	}
	if !known {
		return errors.New("a dividend of two registers")
	}
	if t.flagsAreRead() {
		return errors.New("its flags")
	}
	y := in.Args[0]
	c := amd64.R64
	if y.Kind == amd64.RegArg {
		c = y.Reg.Class()
	} else if y.Bytes == 4 {
		c = amd64.R32
	}
	divisor, err := t.general(y, c)
	if err != nil {
		return err
	}
	a, d := gp(amd64.RAX.As(c)), gp(amd64.RDX.As(c))
	quotient := arm64.X(temps[1]).As(a.Class())
	t.emit(op, reg(quotient), reg(a), reg(divisor))
	t.emit(arm64.MSUB, reg(d), reg(quotient), reg(divisor), reg(a))
	t.emit(arm64.ORR, reg(a), reg(arm64.XZR.As(a.Class())), reg(quotient))
	t.changed(amd64.RAX)
	t.changed(amd64.RDX)
	t.flags = noFlags
	return nil
}
