package scalar

import (
	"encoding/binary"
	"slices"

	"github.com/go-nx/nx/dtype"
	asm "github.com/go-nx/nx/internal/cpu/asm/amd64"
	"github.com/go-nx/nx/internal/cpu/codegen/amd64/compiler"
	"github.com/go-nx/nx/internal/cpu/codegen/amd64/regalloc"
	"github.com/go-nx/nx/internal/cpu/kernel"
	"github.com/go-nx/nx/internal/cpu/plan"
)

// reduce inlines a reduction: rows accumulate into results in the file, which are combined with the initial values.
// This saves two calls.
func (s *assembler) reduce(n *tilesNode, c *Tiles, in *inlineCode) error {
	if err := s.flush(); err != nil {
		return err
	}
	code := &compiler.RowEmitter{Emitter: &compiler.Emitter{Reduces: slices.Clone(c.Reduces)}}
	for i := range code.Reduces {
		code.Reduces[i].Regs = nil
	}
	if c.isScalarResult() {
		return s.reduceToScalar(n, c, in, code)
	}
	count := c.NumResults()
	last := &c.Reduces[len(c.Reduces)-1]
	results := s.reserve(last.At + int(count)*8 + 4*reduceSlack)
	args := s.arguments(in)
	for i := range in.Addressing[:c.Results] {
		s.initAccess(args, n, in, i)
	}
	s.Asm.Emit(asm.LEA, asm.RAX, asm.Mem(asm.RDI, results))
	s.Asm.Emit(asm.MOV, asm.Mem(asm.RDI, args+compiler.ArgResults), asm.RAX)
	if c.Form == plan.Inner {
		s.setArgument(args+compiler.ArgRow, 0)
	} else {
		for i := range c.Reduces {
			s.storeIdentities(&c.Reduces[i], results, count)
		}
	}
	if err := s.inlineKernel(in, args, code); err != nil {
		return err
	}
	for i := range c.Reduces {
		if err := s.finalize(n, c, in, i, results+c.Reduces[i].At); err != nil {
			return err
		}
	}
	return nil
}

// isScalarResult reports whether the code reduces one row to one number by one operation that can also combine the
// initial value. Narrow types need a finalizer.
func (c *Tiles) isScalarResult() bool {
	fo := &c.Reduces[0]
	return c.Form == plan.Inner && len(c.Reduces) == 1 && c.NumResults() == 1 && fo.Type.Size() >= 4 &&
		(fo.Acc == fo.Type || fo.Ordered == fo.Type)
}

// reduceToScalar is reduce for one number, which stays in registers.
func (s *assembler) reduceToScalar(n *tilesNode, c *Tiles, in *inlineCode,
	code *compiler.RowEmitter) error {
	args := s.arguments(in)
	for i := range in.Addressing[:c.Results] {
		s.initAccess(args, n, in, i)
	}
	t, init := c.Reduces[0].Type, &c.Kernel.Reduces[0].Inits[0]
	s.argument(args+compiler.ArgLanes, n.bufs[init.Param], int(init.Offset)*t.Size())
	s.initAddress(n, in, c.Results, t.Size(), args+compiler.ArgResults)
	code.Finish = func(f *compiler.RowEmitter, resultsOf func(fo *compiler.Reduction) []regalloc.Operand) error {
		fo, move := &f.Reduces[0], compiler.ByLane(t.Size(), asm.VMOVD, asm.VMOVQ)
		x, first := resultsOf(fo)[0], f.Vector()
		f.Emit(asm.MOV, s.General(compiler.ScratchReg), s.ArgMem(compiler.ArgLanes))
		f.Emit(move, first.As(asm.XMM), s.Memory(asm.Mem(compiler.ScratchReg, 0)))
		if fo.Ordered != dtype.Invalid {
			x = f.MinMaxAny(fo.Kind, fo.Ordered, first, x)
		} else {
			x = f.Combine(fo, first, x)
		}
		f.Emit(asm.MOV, s.General(compiler.ScratchReg), s.ArgMem(compiler.ArgResults))
		f.Emit(move, s.Memory(asm.Mem(compiler.ScratchReg, 0)), x.As(asm.XMM))
		return f.EmitBlock()
	}
	return s.inlineKernel(in, args, code)
}

// reduceSlack is the padding of results: a step may write past them.
const reduceSlack = 128

// storeIdentities stores the identity element to the results of a reduction.
func (s *assembler) storeIdentities(fo *compiler.Reduction, results int, count int64) {
	const size = 32
	elem := make([]byte, 8)
	binary.LittleEndian.PutUint64(elem, fo.Identity())
	s.Asm.Emit(asm.VMOVUPS, asm.Y(0), s.Asm.Const(slices.Repeat(elem[:fo.Elem()], size/fo.Elem())).Sized(0))
	for at := 0; at < int(count)*fo.Elem(); at += size {
		s.Asm.Emit(asm.VMOVUPS, asm.Mem(asm.RDI, results+fo.At+at), asm.Y(0))
	}
}

// finalize emits the finalizer of reduction i, whose results are in the file.
func (s *assembler) finalize(n *tilesNode, c *Tiles, in *inlineCode, i, results int) error {
	end, _ := c.inlineFinalizer(i)
	args := s.arguments(end)
	red, first := &c.Kernel.Reduces[i], &c.Kernel.Reduces[i].Inits[0]
	at := func(access int) int { return args + compiler.ArgAddresses + 8*access }
	s.argument(at(0), n.bufs[first.Param], int(first.Offset)*red.Types[0].Size())
	s.Asm.Emit(asm.LEA, asm.RAX, asm.Mem(asm.RDI, results))
	s.Asm.Emit(asm.MOV, asm.Mem(asm.RDI, at(1)), asm.RAX)
	result := *in
	result.rows = 1
	s.initAddress(n, &result, c.Results+i, red.Types[0].Size(), at(2))
	return s.inlineKernel(end, args, &compiler.RowEmitter{Emitter: &compiler.Emitter{}})
}

// inlineFinalizer returns the finalizer of reduction i, if it can be inlined.
func (c *Tiles) inlineFinalizer(i int) (end *inlineCode, ok bool) {
	code, ok := c.Finalizers[i].(hasTiles)
	if !ok {
		return nil, false
	}
	if end, ok = inlineOf(code.Tiles()); !ok {
		return nil, false
	}
	end.n = c.NumResults()
	return end, end.canEndInline()
}

// fitsInline reports whether a reduction can be inlined: it has one group of rows, or short rows, and reduces by one
// operation to contiguous results.
func (c *Tiles) fitsInline(in *inlineCode, n *tilesNode) bool {
	count := c.NumResults()
	if c.NumBlocks() != 1 || c.Form == plan.Outer && (c.Seq.Size > plan.GroupRows || in.n > c.Tile) {
		return false
	}
	short := compiler.RowEmitter{Emitter: &compiler.Emitter{Reduces: c.Reduces,
		Selector: &compiler.Selector{Lowered: &compiler.Lowered{}, Plan: c.Plan, Addressing: c.Addressing}}}
	if c.Form == plan.Inner && (!short.IsShort() || in.rows > compiler.MaxRowsPerCall) {
		return false
	}
	for i := range c.Reduces {
		fo, red := &c.Reduces[i], &c.Kernel.Reduces[i]
		if fo.ArgReduce != nil || fo.Body.Results != nil || fo.Type.IsComplex() || fo.Type == dtype.Bool ||
			fo.Elem() != kernel.Register(fo.Type).Size() && !fo.Narrows() || int(count)*fo.Elem() > maxInlineResults {
			return false
		}
		if _, ok := n.windows[red.Inits[0].Param]; ok {
			return false
		}
		a := &c.Accesses[c.Results+i]
		strides := a.Vec
		if c.Form == plan.Inner {
			strides = a.Seq
		}
		if _, ok := c.inlineFinalizer(i); !ok || count > 1 && (len(strides) != 1 || strides[0] != 1) {
			return false
		}
	}
	return true
}
