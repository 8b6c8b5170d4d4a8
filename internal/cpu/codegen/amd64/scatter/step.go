// Package scatter has the steps of scatters, which combine rows with those at the offsets of indices.
package scatter

import (
	"fmt"
	"sync"
	"sync/atomic"
	"unsafe"

	asm "github.com/go-nx/nx/internal/cpu/asm/amd64"
	"github.com/go-nx/nx/internal/cpu/codegen/amd64/target"
	"github.com/go-nx/nx/internal/cpu/rt"
	"github.com/go-nx/nx/internal/lazy"
)

// combineSteps are the steps of scatters of one width, by operation and type. Their code is assembled at first use,
// shared by all executables and never freed.
type combineSteps struct {
	offsetSteps
	table lazy.Value[*combineTable]
}

type combineTable [rt.NumCombineOps]combinesOfOp

type combinesOfOp struct {
	f32, f64, s32, u32, s64, u64, f16, bf16 *combineStep
	c64                                     *combineStep // sums and products
	packs                                   [rt.NumCombinePacks]*combineStep
}

// combinesOf are the steps of both widths.
var combinesOf = [...]*combineSteps{
	target.V256: {offsetSteps: offsetSteps{w: target.V256}},
	target.V512: {offsetSteps: offsetSteps{w: target.V512}},
}

func (s *combineSteps) ops() *combineTable {
	return s.table.Get(func() *combineTable { return newCombineTable(s.w) })
}

func newCombineTable(w target.Width) *combineTable {
	s := &combineTable{}
	step := func(size int, op asm.Op) *combineStep {
		return &combineStep{Vectors: target.Vectors{Width: w, Size: size}, op: op}
	}
	minMax := func(size int, op, join asm.Op) *combineStep {
		return &combineStep{Vectors: target.Vectors{Width: w, Size: size}, op: op, tieOp: join}
	}
	half := func(of *combineStep, format combineHalf) *combineStep {
		return &combineStep{Vectors: of.Vectors, op: of.op, tieOp: of.tieOp, half: format}
	}
	set := &s[rt.CombineSet]
	set.u32, set.u64 = step(4, 0), step(8, 0)
	sum, prod, maxOps, minOps := &s[rt.CombineSum], &s[rt.CombineProd], &s[rt.CombineMax],
		&s[rt.CombineMin]
	sum.f32, sum.f64, sum.c64 = step(4, asm.VADDPS), step(8, asm.VADDPD), step(8, asm.VADDPS)
	prod.f32, prod.f64, prod.c64 = step(4, asm.VMULPS), step(8, asm.VMULPD), step(8, combineComplexMul)
	sum.s32, sum.u32, sum.s64, sum.u64 = step(4, asm.VPADDD), step(4, asm.VPADDD), step(8, asm.VPADDQ),
		step(8, asm.VPADDQ)
	prod.s32, prod.u32 = step(4, asm.VPMULLD), step(4, asm.VPMULLD)
	maxOps.f32, maxOps.f64 = minMax(4, asm.VMAXPS, asm.VANDPS), minMax(8, asm.VMAXPD, asm.VANDPD)
	minOps.f32, minOps.f64 = minMax(4, asm.VMINPS, asm.VORPS), minMax(8, asm.VMINPD, asm.VORPD)
	maxOps.s32, maxOps.u32, minOps.s32, minOps.u32 = step(4, asm.VPMAXSD), step(4, asm.VPMAXUD), step(4, asm.VPMINSD),
		step(4, asm.VPMINUD)
	for i, ops := range [rt.NumCombinePacks][rt.NumCombineOps]asm.Op{
		rt.CombineS8:  {0, asm.VPADDB, 0, asm.VPMAXSB, asm.VPMINSB},
		rt.CombineU8:  {0, asm.VPADDB, 0, asm.VPMAXUB, asm.VPMINUB},
		rt.CombineS16: {0, asm.VPADDW, asm.VPMULLW, asm.VPMAXSW, asm.VPMINSW},
		rt.CombineU16: {0, asm.VPADDW, asm.VPMULLW, asm.VPMAXUW, asm.VPMINUW},
	} {
		for op, by := range ops {
			if by != 0 {
				s[op].packs[i] = step(4, by)
			}
		}
	}
	if w == target.V512 {
		maxOps.s64, maxOps.u64, minOps.s64, minOps.u64 = step(8, asm.VPMAXSQ), step(8, asm.VPMAXUQ),
			step(8, asm.VPMINSQ), step(8, asm.VPMINUQ)
	}
	for i := rt.CombineSum; i <= rt.CombineMin; i++ {
		of := &s[i]
		of.f16, of.bf16 = half(of.f32, combineF16), half(of.f32, combineBF16)
	}
	return s
}

// Steps returns the steps of scatters.
func Steps(w target.Width) rt.CombineSteps { return combinesOf[w] }

// Instruction returns the instruction that combines elements of size bytes, of the type of like; 0 if there is no
// single one.
func Instruction(w target.Width, op rt.CombineOp, like any, size int) asm.Op {
	by, ok := combinesOf[w].Step(op, like).(*combineStep)
	if !ok || by.tieOp != 0 || by.half != 0 || by.Size != size {
		return 0
	}
	return by.op
}

// Step returns the step for elements of the type of like; AVX2 has no maximum and minimum of 64-bit integers.
func (s *combineSteps) Step(op rt.CombineOp, like any) rt.CombineStep {
	of, step := &s.ops()[op], (*combineStep)(nil)
	switch like := like.(type) {
	case rt.CombinePack:
		step = of.packs[like]
	case float32:
		step = of.f32
	case float64:
		step = of.f64
	case complex64:
		step = of.c64
	case int32:
		step = of.s32
	case uint32:
		step = of.u32
	case int64:
		step = of.s64
	case uint64:
		step = of.u64
	case rt.Float16:
		step = of.f16
	case rt.BFloat16:
		step = of.bf16
	}
	if step == nil {
		return nil
	}
	return step
}

// combineArgs are the arguments of the code of scatters.
type combineArgs struct {
	src, dst unsafe.Pointer
	count    int            // of rows, at least 1
	offsets  unsafe.Pointer // of offsets of rows in dst
	step     int            // bytes from a row of src to the next
	cols     int            // elements of the last vector of a row
	mask     [32]byte
}

// The byte offsets of the arguments; the first are those of the loop.
const (
	combineOffsets = 8 * (iota + target.LoopArgs)
	combineStepBytes
	combineCols
	combineMask
)

// combineStep updates elements of one type with one operation at one width. It implements [rt.CombineStep].
type combineStep struct {
	target.Vectors
	op asm.Op // 0: elements are replaced
	// tieOp combines, for the maximum and minimum of floats, the results of both operand orders. They differ if both
	// operands are zeros or one is NaN.
	tieOp asm.Op
	half  combineHalf // 0: elements have the same format in memory as in registers
	// emulate runs code in tests, instead of the processor.
	emulate func(c *target.Code, args *combineArgs)

	code [numCombineParts][target.MaxRowVectors + 1]atomic.Pointer[target.Code]
	lazy target.Lazy
	args sync.Pool // of *combineArgs
}

// The kinds of the last vector of a row.
const (
	combineFull = iota
	combinePartial
	combineElement  // one element, in the only vector
	combineElements // one element each of combineUnroll contiguous rows
	numCombineParts
)

// combineUnroll is the number of single-element rows per iteration.
const combineUnroll = 4

// bytes returns the size of an element in memory.
func (s *combineStep) bytes() int {
	if s.half != 0 {
		return 2
	}
	return s.Size
}

// Rows updates rows, a group of vectors of each at a time.
func (s *combineStep) Rows(dst, src unsafe.Pointer, at []int, step, n int) {
	if len(at) == 0 {
		return
	}
	a, ok := s.args.Get().(*combineArgs)
	if !ok {
		a = &combineArgs{}
	}
	a.count, a.offsets, a.step = len(at), unsafe.Pointer(&at[0]), step*s.bytes()
	if n == 1 && step == 1 && a.count >= combineUnroll {
		rest := a.count % combineUnroll
		a.count /= combineUnroll
		s.run(a, dst, src, combineElements, 1)
		if n = min(rest, 1); rest > 0 { // a pointer must not point past the end
			done := len(at) - rest
			a.count, a.offsets, src = rest, unsafe.Pointer(&at[done]), unsafe.Add(src, done*s.bytes())
		}
	}
	lanes := s.Lanes()
	for maxCols := s.RowVectors() * lanes; n > 0; {
		cols := min(maxCols, n)
		vecs, part := (cols+lanes-1)/lanes, combineFull
		if a.cols = cols - (vecs-1)*lanes; cols == 1 {
			part = combineElement
		} else if a.cols < lanes {
			part = combinePartial
			if s.Width == target.V256 {
				a.mask = target.TailMaskAVX2(a.cols, s.Size)
			}
		}
		s.run(a, dst, src, part, vecs)
		if n -= cols; n > 0 {
			src, dst = unsafe.Add(src, cols*s.bytes()), unsafe.Add(dst, cols*s.bytes())
		}
	}
	a.src, a.dst, a.offsets = nil, nil, nil
	s.args.Put(a)
}

// run runs code on rows.
func (s *combineStep) run(a *combineArgs, dst, src unsafe.Pointer, part, vecs int) {
	a.src, a.dst = src, dst
	c := s.get(part, vecs)
	if s.emulate != nil {
		s.emulate(c, a)
	} else {
		c.Function.Call(unsafe.Pointer(a))
	}
}

// get returns code, which it assembles at first use.
func (s *combineStep) get(part, vecs int) *target.Code {
	at := &s.code[part][vecs]
	if c := at.Load(); c != nil {
		return c
	}
	return s.lazy.Get(at, s.emulate == nil, s.name(part, vecs), func() (*target.Code, error) {
		return s.assemble(part, vecs)
	})
}

// name returns the name of code in profiles.
func (s *combineStep) name(part, vecs int) string {
	op := "set"
	if s.op != 0 {
		op = s.op.String() + s.half.suffix()
	}
	return fmt.Sprintf("scatter_%s_%s_%d", op, [...]string{"rows", "tail", "element", "elements"}[part], vecs)
}

// assemble assembles code.
func (s *combineStep) assemble(part, vecs int) (*target.Code, error) {
	c := &combineCode{Loop: target.Loop{Vectors: s.Vectors}, op: s.op, tieOp: s.tieOp, half: s.half, part: part}
	c.rows(vecs)
	out, err := target.Finish(&c.Assembler)
	if err != nil {
		return nil, fmt.Errorf("%s: %s: %w", s.Width, s.name(part, vecs), err)
	}
	return out, nil
}

// combineCode updates rows.
type combineCode struct {
	target.Loop
	op    asm.Op // 0: elements are replaced
	tieOp asm.Op
	half  combineHalf
	part  int // kind of the last vector
}

// The vectors of the temporaries, of the mask on AVX2 and of the constants that round to bfloat16.
const (
	combineX = iota
	combineY
	combineFirst
	combineSecond
	combineNaN
	combineMaskVector
	combineOne
	combineBelowHalf
	combineQuiet
	combineWidened
)

// isElement reports whether rows have one element.
func (c *combineCode) isElement() bool { return c.part == combineElement || c.part == combineElements }

// reg returns a vector register, for a single element its lowest 128 bits.
func (c *combineCode) reg(i int) asm.Reg {
	if c.isElement() {
		return c.Vector(i).As(asm.XMM)
	}
	return c.Vector(i)
}

// rows updates rows of the given number of vectors.
func (c *combineCode) rows(vecs int) {
	c.Begin()
	offsets, step, to := asm.GP(9), asm.GP(10), asm.RDX
	c.Emit(asm.MOV, offsets, asm.Mem(asm.RDI, combineOffsets))
	c.Emit(asm.MOV, step, asm.Mem(asm.RDI, combineStepBytes))
	switch {
	case c.part == combinePartial && c.Width == target.V512:
		target.LoadTailMask(&c.Assembler, combineCols)
	case c.part == combinePartial && c.half != 0:
		c.Emit(asm.MOV, combineTailCount, asm.Mem(asm.RDI, combineCols))
	case c.part == combinePartial:
		c.Emit(asm.VMOVUPS, c.Vector(combineMaskVector), asm.Mem(asm.RDI, combineMask))
	}
	bytes := c.Size
	if c.half != 0 {
		bytes = 2
		c.beginHalves()
	}
	if c.isElement() {
		c.Times(func() { c.elements(offsets, step, to, bytes) }, func() {})
		return
	}
	c.Times(func() {
		skip := c.NewLabel()
		c.Emit(asm.MOV, to, asm.Mem(offsets, 0))
		c.Emit(asm.TEST, to, to)
		c.Emit(asm.JS, skip)
		c.Emit(asm.LEA, to, asm.MemIndex(target.LoopTo, to, bytes, 0))
		x, y := c.reg(combineX), c.reg(combineY)
		for j := range vecs {
			isLast := j == vecs-1
			c.load(x, target.LoopFrom, j, isLast)
			if c.op != 0 {
				c.load(y, to, j, isLast)
				c.apply(y, x)
			}
			c.store(x, to, j, isLast)
		}
		c.Bind(skip)
		c.Emit(asm.ADD, target.LoopFrom, step)
		c.Emit(asm.ADD, offsets, asm.Imm(8))
	}, func() {})
}

// load loads vector j of a row.
func (c *combineCode) load(x, base asm.Reg, j int, isLast bool) {
	if c.half != 0 {
		c.loadHalves(x, base, j, isLast)
		return
	}
	c.move(true, isLast, x, asm.Mem(base, j*c.Width.VectorBytes()))
}

// store stores vector j of a row.
func (c *combineCode) store(x, base asm.Reg, j int, isLast bool) {
	if c.half != 0 {
		c.storeHalves(x, base, j, isLast)
		return
	}
	c.move(false, isLast, asm.Mem(base, j*c.Width.VectorBytes()), x)
}

// move loads or stores a vector, of the last one only the elements of the row.
func (c *combineCode) move(isLoad, isLast bool, to, from asm.Operand) {
	wide := c.Of(asm.VMOVUPS, asm.VMOVUPD)
	switch {
	case c.part == combineFull || !isLast:
		c.Emit(wide, to, from)
	case c.Width == target.V512:
		c.Masked(asm.K(target.TailMask), isLoad, wide, to, from)
	default:
		c.Emit(c.Of(asm.VMASKMOVPS, asm.VMASKMOVPD), to, c.Vector(combineMaskVector), from)
	}
}

// apply sets y to y combined with x. For the maximum and minimum of floats NaN propagates, and +0 is above -0.
func (c *combineCode) apply(x, y asm.Reg) {
	switch {
	case c.op == combineComplexMul:
		c.complexMultiply(x, y)
		return
	case c.tieOp == 0:
		c.Emit(c.op, y, x, y)
		return
	}
	const unordered = 3
	first, second := c.reg(combineFirst), c.reg(combineSecond)
	c.Emit(c.op, first, x, y)
	c.Emit(c.op, second, y, x)
	c.Emit(c.tieOp, first, first, second)
	compare, add := c.Of(asm.VCMPPS, asm.VCMPPD), c.Of(asm.VADDPS, asm.VADDPD)
	if c.Width == target.V512 {
		c.Emit(compare, asm.K(combineNaNK), x, y, asm.Imm(unordered))
		c.Masked(asm.K(combineNaNK), false, add, first, x, y)
		c.Emit(c.Of(asm.VMOVAPS, asm.VMOVAPD), y, first)
		return
	}
	nan := c.reg(combineNaN)
	c.Emit(compare, nan, x, y, asm.Imm(unordered))
	c.Emit(add, second, x, y)
	c.Emit(c.Of(asm.VBLENDVPS, asm.VBLENDVPD), y, first, second, nan)
}

// combineNaNK is the mask of NaN lanes.
const combineNaNK = target.TailMask + 1
