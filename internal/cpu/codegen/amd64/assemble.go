package amd64

import (
	"encoding/binary"
	"math"

	asm "github.com/go-nx/nx/internal/cpu/asm/amd64"

	"github.com/go-nx/nx/dtype"
	"github.com/go-nx/nx/internal/cpu/kernel"
	"github.com/go-nx/nx/internal/cpu/plan"
)

// Assemble returns the code of a kernel and how many bytes of it are instructions. The error
// is ErrLacks where this generator has no code for it.
func Assemble(w Width, k *kernel.Kernel, p *plan.Plan) (code []byte, instructionBytes int, err error) {
	c := &assembly{w: w, k: k, p: p, temps: 2}
	if c.usesTable() {
		c.temps = expTemps
	}
	if err := c.check(); err != nil {
		return nil, 0, err
	}
	if err := c.allocate(); err != nil {
		return nil, 0, err
	}
	c.write()
	if c.err != nil {
		return nil, 0, c.err
	}
	code, err = c.a.Finish()
	return code, c.a.Len(), err
}

// assembly is the state of Assemble.
type assembly struct {
	a      asm.Assembler
	w      Width
	k      *kernel.Kernel
	p      *plan.Plan
	elem   int   // bytes of an element, the same for all values
	access []int // of each load, -1 of others
	err    error

	uniform []bool // values that are computed once, before the loop
	last    []int  // the instruction that reads each value last, -1 if none does
	regs    []int  // of each value, of the first copy
	stride  int    // registers from one copy to the next, of values that vary
	first   int    // the first register of the copies
	unroll  int
	masked  bool // the copy being written has fewer elements than a vector
	temps   int  // registers that the code of an instruction may use for itself
}

// Registers with a purpose.
var (
	left     = asm.RAX // elements
	at       = asm.RCX // bytes that all addresses have moved
	scratchG = asm.RDX // general
	pointers = []asm.Reg{asm.RBX, asm.RBP, asm.GP(8), asm.GP(9), asm.GP(10), asm.GP(11), asm.GP(12), asm.GP(13),
		asm.GP(14), asm.GP(15), asm.RSI}
)

// vec returns vector register n.
func (c *assembly) vec(n int) asm.Reg {
	if c.w == V512 {
		return asm.Z(n)
	}
	return asm.Y(n)
}

// numRegs returns how many registers there are for values. The last one of AVX2 is the mask of
// the tail.
func (c *assembly) numRegs() int {
	if c.w == V512 {
		return 32 - c.temps
	}
	return 16 - c.temps - 1
}

func (c *assembly) temp(i int) asm.Reg { return c.vec(c.numRegs() + i) }

func (c *assembly) tailMask() asm.Reg {
	if c.w == V512 {
		return asm.K(7)
	}
	return c.vec(15)
}

// check looks whether the kernel is one that this generator makes.
func (c *assembly) check() error {
	k, p := c.k, c.p
	switch {
	case p.Form != plan.Map || p.Transpose != nil:
		return lacks("form %s", p.Form)
	case len(p.Accesses) > maxAccesses:
		return lacks("%d accesses", len(p.Accesses))
	}
	for i := range p.Accesses {
		if a := &p.Accesses[i]; !a.IsAffine() || a.Param < 0 || a.Kind == plan.Strided {
			return lacks("access %d is not of neighbours", i)
		}
	}
	sized := func(t dtype.Type) error {
		if t == dtype.Bool {
			return nil // a mask
		}
		if t.IsComplex() || kernel.NeedsRound(t) || t.Size() < 4 || c.elem != 0 && t.Size() != c.elem {
			return lacks("elements of %s", t)
		}
		c.elem = t.Size()
		return nil
	}
	acc := 0
	c.access = make([]int, len(k.Body.Instrs))
	for i := range k.Body.Instrs {
		in := &k.Body.Instrs[i]
		c.access[i] = -1
		if in.Op == kernel.Load || in.Op == kernel.Index {
			if in.Op == kernel.Index || in.Type == dtype.Bool {
				return lacks("%s of %s", in.Op, in.Type)
			}
			c.access[i] = acc
			acc++
		}
		if err := sized(in.Type); err != nil {
			return err
		}
		if !c.has(in) {
			return lacks("%s of %s", in.Op, in.Type)
		}
	}
	for i := range k.Stores {
		st := &k.Stores[i]
		if st.Type == dtype.Bool || p.Accesses[p.Stores+i].Kind != plan.Contiguous {
			return lacks("store of %s", st.Type)
		}
		if err := sized(st.Type); err != nil {
			return err
		}
	}
	if c.elem == 0 {
		return lacks("no elements")
	}
	return nil
}

// operandType returns the type of the operands.
func (c *assembly) operandType(in *kernel.Instr) dtype.Type {
	return c.k.Body.Instrs[in.Args[0]].Register()
}

// has reports whether there is code for an instruction.
func (c *assembly) has(in *kernel.Instr) bool {
	t := in.Register()
	isFloat, is512 := t.IsFloat(), c.w == V512
	switch in.Op {
	case kernel.Load:
		return true
	case kernel.Const:
		return t != dtype.Bool
	case kernel.Add, kernel.Sub:
		return t != dtype.Bool
	case kernel.Neg:
		return true
	case kernel.Abs:
		return isFloat || t.Size() == 4 || is512
	case kernel.Mul:
		return t != dtype.Bool && (isFloat || t.Size() == 4 || is512)
	case kernel.Div, kernel.Sqrt, kernel.Floor, kernel.Ceil, kernel.RoundEven:
		return isFloat
	case kernel.Max, kernel.Min:
		return isFloat || t != dtype.Bool && (t.Size() == 4 || is512)
	case kernel.And, kernel.Or, kernel.Xor, kernel.Not:
		return true
	case kernel.Shl, kernel.ShrL:
		return true
	case kernel.ShrA:
		return t.Size() == 4 || is512
	case kernel.FMA:
		return t == dtype.F64
	case kernel.Exp, kernel.Expm1, kernel.Tanh, kernel.Logistic:
		return t == dtype.F32
	case kernel.EQ, kernel.NE, kernel.LT, kernel.LE, kernel.GT, kernel.GE:
		o := c.operandType(in)
		return o != dtype.Bool && (o.IsFloat() || is512 || in.Op == kernel.EQ || in.Op == kernel.NE || o.IsSigned())
	case kernel.IsFinite:
		return true
	case kernel.Select:
		return t != dtype.Bool
	case kernel.Convert:
		return in.From == dtype.S32 && in.Type == dtype.F32
	case kernel.Bitcast:
		return in.From.Size() == in.Type.Size() && in.From != dtype.Bool && t != dtype.Bool
	}
	return false
}

// isMask reports whether a value is a truth in a mask register.
func (c *assembly) isMask(v int) bool {
	return c.w == V512 && c.k.Body.Instrs[v].Register() == dtype.Bool
}

// Values have k1 to k5; k6 is for the code of an instruction, k7 the mask of the tail.
const (
	maskRegs    = 5
	scratchMask = 6
)

// allocate gives each value a register: those that do not vary one of their own, the others
// one that is free, by a scan of the instructions. Copies of the body have registers of
// their own.
func (c *assembly) allocate() error {
	instrs := c.k.Body.Instrs
	n := len(instrs)
	c.last, c.regs, c.uniform = make([]int, n), make([]int, n), make([]bool, n)
	for i := range c.last {
		c.last[i] = -1
	}
	for i := range instrs {
		c.uniform[i] = c.access[i] < 0 || c.p.Accesses[c.access[i]].Kind == plan.Uniform
		for _, a := range instrs[i].Operands() {
			c.last[a] = i
			c.uniform[i] = c.uniform[i] && c.uniform[a]
		}
	}
	for i := range c.k.Stores {
		c.last[c.k.Stores[i].Value] = n
	}
	pinned, pinnedMasks := 0, 0
	for i := range instrs {
		if c.last[i] < 0 || !c.uniform[i] {
			continue
		}
		if c.isMask(i) {
			pinnedMasks++
			c.regs[i] = pinnedMasks
		} else {
			c.regs[i] = pinned
			pinned++
		}
	}
	most, mostMasks := 0, pinnedMasks
	var free, freeMasks []int
	take := func(list *[]int, most *int) int {
		if m := len(*list); m > 0 {
			r := (*list)[m-1]
			*list = (*list)[:m-1]
			return r
		}
		*most++
		return *most - 1
	}
	for i := range instrs {
		if c.last[i] < 0 || c.uniform[i] {
			continue
		}
		// The result never lies where an operand does: code may write it first.
		if c.isMask(i) {
			c.regs[i] = take(&freeMasks, &mostMasks) + 1
		} else {
			c.regs[i] = take(&free, &most)
		}
		seen := map[kernel.Value]bool{}
		for _, a := range instrs[i].Operands() {
			if c.last[a] != i || c.uniform[a] || seen[a] {
				continue
			}
			seen[a] = true
			if c.isMask(int(a)) {
				freeMasks = append(freeMasks, c.regs[a]-1)
			} else {
				free = append(free, c.regs[a])
			}
		}
	}
	if mostMasks > maskRegs || pinned+most > c.numRegs() {
		return lacks("%d values at a time", pinned+most)
	}
	c.first, c.stride = pinned, most
	c.unroll = 1
	if most > 0 {
		c.unroll = min(4, (c.numRegs()-pinned)/most)
	}
	if perCopy := mostMasks - pinnedMasks; perCopy > 0 {
		c.unroll = 1 // masks of the copies would meet
	}
	return nil
}

// reg returns the register of a value in a copy of the body.
func (c *assembly) reg(v kernel.Value, copyNum int) asm.Reg {
	switch {
	case c.isMask(int(v)):
		return asm.K(c.regs[v])
	case c.uniform[v]:
		return c.vec(c.regs[v])
	}
	return c.vec(c.first + copyNum*c.stride + c.regs[v])
}

// write writes the whole function.
func (c *assembly) write() {
	a := &c.a
	lanes := int64(c.w.vectorBytes() / c.elem)
	a.Emit(asm.MOV, left, asm.Mem(asm.RDI, 0))
	for i := range c.p.Accesses {
		a.Emit(asm.MOV, pointers[i], asm.Mem(asm.RDI, 8+8*i))
	}
	a.Emit(asm.XOR, asm.GP32(at.Num()), asm.GP32(at.Num()))
	if c.usesTable() {
		c.loadTable()
	}
	for i := range c.k.Body.Instrs {
		if c.uniform[i] && c.last[i] >= 0 {
			c.instr(i, 0)
		}
	}
	done := a.NewLabel()
	for _, unroll := range []int{c.unroll, 1} {
		step := lanes * int64(unroll)
		next, loop := a.NewLabel(), a.NewLabel()
		a.Emit(asm.SUB, left, asm.Imm(step))
		a.Emit(asm.JL, next)
		a.Align(16)
		a.Bind(loop)
		c.body(unroll)
		a.Emit(asm.ADD, at, asm.Imm(int64(unroll*c.w.vectorBytes())))
		a.Emit(asm.SUB, left, asm.Imm(step))
		a.Emit(asm.JGE, loop)
		a.Bind(next)
		a.Emit(asm.ADD, left, asm.Imm(step))
		if c.unroll == 1 {
			break
		}
	}
	a.Emit(asm.JE, done)
	c.loadTailMask(lanes)
	c.masked = true
	c.body(1)
	a.Bind(done)
	a.Emit(asm.VZEROUPPER)
	a.Emit(asm.RET)
}

// loadTailMask makes the mask of as many elements as are left, fewer than a vector has.
func (c *assembly) loadTailMask(lanes int64) {
	a := &c.a
	if c.w == V512 {
		a.Emit(asm.MOV, asm.GP32(scratchG.Num()), asm.Imm(-1))
		a.Emit(asm.BZHI, asm.GP32(scratchG.Num()), asm.GP32(scratchG.Num()), asm.GP32(left.Num()))
		a.Emit(asm.KMOVD, c.tailMask(), asm.GP32(scratchG.Num()))
		return
	}
	// A window over lanes of ones, then of zeros.
	table := make([]byte, 64)
	for i := range 32 {
		table[i] = 0xff
	}
	a.Emit(asm.LEA, scratchG, a.Const(table).Sized(0))
	a.Emit(asm.SHL, left, asm.Imm(int64(map[int]int{4: 2, 8: 3}[c.elem])))
	a.Emit(asm.SUB, scratchG, left)
	a.Emit(asm.VMOVDQU, c.tailMask(), asm.Mem(scratchG, 32))
}

// body writes copies of the instructions that vary, and the stores.
func (c *assembly) body(copies int) {
	for i := range c.k.Body.Instrs {
		if !c.uniform[i] && c.last[i] >= 0 {
			for n := range copies {
				c.instr(i, n)
			}
		}
	}
	for i := range c.k.Stores {
		for n := range copies {
			c.store(i, n)
		}
	}
}

// mem returns the memory of an access in a copy.
func (c *assembly) mem(access, copyNum int) asm.Arg {
	return asm.MemIndex(pointers[access], at, 1, copyNum*c.w.vectorBytes())
}

func (c *assembly) store(i, copyNum int) {
	a, v := &c.a, c.reg(c.k.Stores[i].Value, copyNum)
	m := c.mem(c.p.Stores+i, copyNum)
	switch {
	case !c.masked:
		a.Emit(asm.VMOVUPS, m, v)
	case c.w == V512:
		a.Masked(c.tailMask(), false, bySize(c.elem, asm.VMOVUPS, asm.VMOVUPD), m, v)
	default:
		a.Emit(bySize(c.elem, asm.VPMASKMOVD, asm.VPMASKMOVQ), m, c.tailMask(), v)
	}
}

func (c *assembly) load(d asm.Reg, access, copyNum int) {
	a := &c.a
	switch {
	case c.p.Accesses[access].Kind == plan.Uniform:
		a.Emit(bySize(c.elem, asm.VBROADCASTSS, asm.VBROADCASTSD), d, asm.Mem(pointers[access], 0))
	case !c.masked:
		a.Emit(asm.VMOVUPS, d, c.mem(access, copyNum))
	case c.w == V512:
		a.Masked(c.tailMask(), true, bySize(c.elem, asm.VMOVUPS, asm.VMOVUPD), d, c.mem(access, copyNum))
	default:
		a.Emit(bySize(c.elem, asm.VPMASKMOVD, asm.VPMASKMOVQ), d, c.tailMask(), c.mem(access, copyNum))
	}
}

// bySize returns the operation of 4 or of 8 bytes.
func bySize(elem int, op4, op8 asm.Op) asm.Op {
	if elem == 4 {
		return op4
	}
	return op8
}

// constant puts a number of the element's size into all of a register.
func (c *assembly) constant(d asm.Reg, bits uint64) {
	data := binary.LittleEndian.AppendUint64(nil, bits)[:c.elem]
	c.a.Emit(bySize(c.elem, asm.VBROADCASTSS, asm.VBROADCASTSD), d, c.a.Const(data))
}

// signBit returns the sign of a float of the element's size.
func (c *assembly) signBit() uint64 { return 1 << (8*c.elem - 1) }

// inf returns the bits of infinity.
func (c *assembly) inf() uint64 {
	if c.elem == 4 {
		return uint64(math.Float32bits(float32(math.Inf(1))))
	}
	return math.Float64bits(math.Inf(1))
}
