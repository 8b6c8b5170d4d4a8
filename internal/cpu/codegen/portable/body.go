package portable

import (
	"fmt"
	"slices"
	"unsafe"

	"github.com/go-nx/nx/dtype"
	"github.com/go-nx/nx/internal/cpu/kernel"
	"github.com/go-nx/nx/internal/cpu/plan"
)

// body compiles the instructions, the stores and the reductions.
func (c *compiler) body() error {
	k := c.k
	n := len(c.instrs)
	c.batchRows = c.batchRowCount()
	c.refs, c.level, c.lastRead = make([]ref, n), make([]level, n), slices.Repeat([]int{neverRead}, n)
	acc := 0
	c.accessOf = make([]int, n)
	for i := range c.instrs {
		in := &c.instrs[i]
		c.accessOf[i] = -1
		if in.At != nil {
			c.accessOf[i] = acc
			acc += 1 + len(in.At.Guards)
		}
		c.level[i] = c.levelOf(in, c.accessOf[i])
	}
	c.simplify()
	c.order = c.schedule()
	c.position = make([]int, n)
	for p, i := range c.order {
		in := &c.instrs[i]
		c.position[i] = p
		if in.inReduce {
			p = n
		}
		for _, a := range in.args {
			c.lastRead[c.source(a)] = max(c.lastRead[c.source(a)], p)
		}
	}
	// Stores and reductions read their values after the last instruction.
	for i := range k.Stores {
		c.lastRead[k.Stores[i].Value] = n
		for _, l := range k.Stores[i].At.Lookups {
			c.lastRead[c.source(l.Index)] = n
		}
	}
	for i := range k.Reduces {
		for _, v := range k.Reduces[i].Values {
			c.lastRead[v] = n
		}
	}
	direct := c.directStores()
	branches := c.branches()
	for p, i := range c.order {
		in := &c.instrs[i]
		switch {
		case in.aliasesArg:
			c.refs[i] = c.refs[in.args[0]]
			continue
		case in.inReduce:
			continue
		}
		acc := c.accessOf[i]
		var s step
		var err error
		if in.Op == kernel.Load {
			s = c.load(i, in.Instr, acc)
		} else {
			c.release(p, in)
			c.assignRef(i, direct)
			s, err = c.instr(in.Instr, c.refs[i], c.refs, acc)
		}
		if err != nil {
			return fmt.Errorf("instruction %d %s: %w", i, in.Op, err)
		}
		if in.Op == kernel.Const {
			c.constants = append(c.constants, s)
		} else if c.level[i].once {
			c.once = append(c.once, s)
		} else {
			if b := branches[i]; b.condition != kernel.None && !c.level[i].uniform && in.Op != kernel.Load &&
				c.position[b.condition] < p {
				s = c.skipUnlessTaken(s, b)
			}
			c.tile = append(c.tile, s)
		}
	}
	c.stores(direct)
	return c.reductions()
}

// assignRef assigns a register to a value, or a pointer to its output.
func (c *compiler) assignRef(v kernel.Value, direct map[kernel.Value]int) {
	if _, ok := direct[v]; ok {
		c.refs[v] = ref{reg: c.newPointer()}
	} else {
		c.refs[v] = ref{c.allocReg(c.instrs[v].Type, c.level[v]), c.level[v].uniform}
	}
}

// neverRead is the last use of a value without uses.
const neverRead = -1

// levelOf returns how often an instruction must run.
func (c *compiler) levelOf(in *instr, acc int) level {
	l := level{true, true}
	if acc >= 0 {
		for i := range c.Accesses[acc : acc+1+len(in.At.Guards)] {
			a := &c.Accesses[acc+i]
			l.uniform = l.uniform && a.Kind == plan.Broadcast
			l.once = l.once && c.IsTileInvariant(a)
		}
	}
	for _, a := range in.args {
		l.uniform = l.uniform && c.level[a].uniform
		l.once = l.once && c.level[a].once
	}
	return l
}

// load compiles a Load: registers that need no copy are pointers.
func (c *compiler) load(v kernel.Value, in *kernel.Instr, acc int) step {
	a := &c.Accesses[acc]
	if !in.At.IsAffine() {
		return c.loadWithLookups(v, in, acc)
	}
	var reg int
	if !kernel.NeedsRound(in.Type) && a.Kind != plan.Strided {
		reg = c.newPointer()
	} else {
		reg = c.allocReg(in.Type, c.level[v])
	}
	s := c.loadStep(acc, reg, in.Type, in.Register())
	if c.batchRows > 1 && c.isRepeated(a) {
		row := reg
		reg = c.newReg(in.Type, false)
		s = c.repeatRows(s, row, reg, in)
	}
	c.refs[v] = ref{reg, a.Kind == plan.Broadcast}
	return s
}

// regClass is a class of interchangeable registers. Registers of one element have their own class: a result that varies
// within the tile must not alias a uniform operand, which the loop may read again after it has written some elements.
// It may alias a varying operand: loops read element i before they write element i.
type regClass struct {
	size    int
	uniform bool
}

// allocReg returns a register with storage, reusing a free one of its class.
func (c *compiler) allocReg(t dtype.Type, l level) int {
	if l.once { // live for the entire chunk
		return c.newReg(t, l.uniform)
	}
	class := regClass{regSize(t), l.uniform}
	if f := c.free[class]; len(f) > 0 {
		c.free[class] = f[:len(f)-1]
		return f[len(f)-1]
	}
	return c.newReg(t, l.uniform)
}

// release frees the registers whose last use is at position p.
func (c *compiler) release(p int, in *instr) {
	for j, a := range in.args {
		a = c.source(a)
		if c.lastRead[a] != p || c.level[a].once || c.regOffset[c.refs[a].reg] < 0 {
			continue
		}
		if slices.ContainsFunc(in.args[:j], func(b kernel.Value) bool { return c.source(b) == a }) {
			continue // already freed
		}
		class := regClass{regSize(c.k.Body.Instrs[a].Type), c.refs[a].uniform}
		c.free[class] = append(c.free[class], c.refs[a].reg)
	}
}

// directStores returns the values that are computed directly in their output: it is contiguous and of the register
// type, and no later instruction reads memory, which may alias the output.
func (c *compiler) directStores() map[kernel.Value]int {
	k := c.k
	lastRead := -1
	for p, i := range c.order {
		in := &c.instrs[i]
		for _, a := range in.args {
			if k.Body.Instrs[c.source(a)].Op == kernel.Load {
				lastRead = p
			}
		}
		if in.Op == kernel.Load {
			lastRead = p
		}
	}
	for i := range k.Stores {
		if k.Body.Instrs[k.Stores[i].Value].Op == kernel.Load {
			lastRead = len(k.Body.Instrs)
		}
	}
	for i := range k.Reduces {
		for _, v := range k.Reduces[i].Values {
			if k.Body.Instrs[v].Op == kernel.Load {
				lastRead = len(k.Body.Instrs)
			}
		}
	}
	direct := map[kernel.Value]int{}
	for i := range k.Stores {
		st := &k.Stores[i]
		in := &k.Body.Instrs[st.Value]
		acc := c.Stores + i
		if _, taken := direct[st.Value]; taken || c.position[st.Value] < lastRead || in.Op == kernel.Load ||
			in.Register() != st.Type || !st.At.IsAffine() || c.Accesses[acc].Kind != plan.Contiguous ||
			c.level[st.Value].uniform || c.level[st.Value].once {
			continue
		}
		direct[st.Value] = acc
	}
	return direct
}

// stores adds the steps that write the elementwise outputs. A direct one sets its register to the address of the output
// before the instructions of the tile run.
func (c *compiler) stores(direct map[kernel.Value]int) {
	var point []step
	for i := range c.k.Stores {
		st := &c.k.Stores[i]
		acc := c.Stores + i
		if d, ok := direct[st.Value]; ok && d == acc {
			reg, p, size := c.refs[st.Value].reg, st.At.Param, st.Type.Size()
			point = append(point, func(m *machine, n int) { m.regs[reg] = at(m.params[p], m.base[acc], size) })
			continue
		}
		c.tile = append(c.tile, c.storeStep(acc, c.refs[st.Value], st.Type, c.k.Body.Instrs[st.Value].Register()))
	}
	c.tile = append(point, c.tile...)
}

// instr returns the step of an instruction other than Load.
func (c *compiler) instr(in *kernel.Instr, dst ref, refs []ref, acc int) (step, error) {
	switch in.Op {
	case kernel.Const:
		bits, size := in.Bits, regSize(in.Type)
		return func(m *machine, n int) {
			copy(unsafe.Slice((*byte)(m.regs[dst.reg]), size), unsafe.Slice((*byte)(unsafe.Pointer(&bits)), size))
		}, nil
	case kernel.Index:
		return c.indexFor(in.Type, acc, dst.reg)
	case kernel.Convert, kernel.Bitcast, kernel.Round, kernel.ReducePrecision:
		return convertInstr(in, dst, refs[in.Args[0]])
	case kernel.Select:
		return selectInstr(in.Type, dst, refs[in.Args[0]], refs[in.Args[1]], refs[in.Args[2]])
	case kernel.FMA:
		return fmaInstr(in.Type, dst, refs[in.Args[0]], refs[in.Args[1]], refs[in.Args[2]]), nil
	case kernel.Real, kernel.Imag, kernel.Complex:
		return complexParts(in, dst, refs)
	}
	var a, b ref
	argType := in.Register()
	if in.Op.NumArgs() > 0 {
		a = refs[in.Args[0]]
	}
	if in.Op.NumArgs() > 1 {
		b = refs[in.Args[1]]
	}
	if in.From != dtype.Invalid { // operands of another type: comparisons, |complex|
		argType = in.From
	}
	if c.g.Function != nil {
		switch f := c.g.Function(in); {
		case f == nil:
		case argType == dtype.F32:
			return unary(dst, a, sliced[float32](f)), nil
		default:
			return unary(dst, a, sliced[float64](f)), nil
		}
	}
	return typedInstr(in, argType, dst, a, b)
}

func (c *compiler) indexFor(t dtype.Type, acc, reg int) (step, error) {
	switch t {
	case dtype.S8:
		return indexStep(c.Code, acc, reg, func(v int64) int8 { return int8(v) }), nil
	case dtype.S16:
		return indexStep(c.Code, acc, reg, func(v int64) int16 { return int16(v) }), nil
	case dtype.S32:
		return indexStep(c.Code, acc, reg, func(v int64) int32 { return int32(v) }), nil
	case dtype.S64:
		return indexStep(c.Code, acc, reg, func(v int64) int64 { return v }), nil
	case dtype.U8:
		return indexStep(c.Code, acc, reg, func(v int64) uint8 { return uint8(v) }), nil
	case dtype.U16:
		return indexStep(c.Code, acc, reg, func(v int64) uint16 { return uint16(v) }), nil
	case dtype.U32:
		return indexStep(c.Code, acc, reg, func(v int64) uint32 { return uint32(v) }), nil
	case dtype.U64:
		return indexStep(c.Code, acc, reg, func(v int64) uint64 { return uint64(v) }), nil
	case dtype.F32:
		return indexStep(c.Code, acc, reg, func(v int64) float32 { return float32(v) }), nil
	case dtype.F64:
		return indexStep(c.Code, acc, reg, func(v int64) float64 { return float64(v) }), nil
	case dtype.C64:
		return indexStep(c.Code, acc, reg, func(v int64) complex64 { return complex(float32(v), 0) }), nil
	case dtype.C128:
		return indexStep(c.Code, acc, reg, func(v int64) complex128 { return complex(float64(v), 0) }), nil
	}
	return nil, fmt.Errorf("an index must not be %s", t)
}
