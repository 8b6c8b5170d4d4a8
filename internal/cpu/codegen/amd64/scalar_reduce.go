package amd64

import (
	"encoding/binary"
	"slices"

	"github.com/go-nx/nx/dtype"
	asm "github.com/go-nx/nx/internal/cpu/asm/amd64"
	"github.com/go-nx/nx/internal/cpu/kernel"
	"github.com/go-nx/nx/internal/cpu/plan"
)

// reduce inlines a reduction: rows accumulate into results in the file, which are combined with the initial values.
// This saves two calls.
func (s *scalarAssembler) reduce(n *scalarTiles, c *reduceCode, in *inlineCode) error {
	if err := s.flush(); err != nil {
		return err
	}
	code := &rowFunction{function: &function{reduces: slices.Clone(c.reduces)}}
	for i := range code.reduces {
		code.reduces[i].regs = nil
	}
	if c.isScalarResult() {
		return s.reduceToScalar(n, c, in, code)
	}
	count := c.NumResults()
	last := &c.reduces[len(c.reduces)-1]
	results := s.reserve(last.at + int(count)*8 + 4*reduceSlack)
	args := s.arguments(in)
	for i := range in.addressing[:c.Results] {
		s.initAccess(args, n, in, i)
	}
	s.a.Emit(asm.LEA, asm.RAX, asm.Mem(asm.RDI, results))
	s.a.Emit(asm.MOV, asm.Mem(asm.RDI, args+argResults), asm.RAX)
	if c.Form == plan.Inner {
		s.setArgument(args+argRow, 0)
	} else {
		for i := range c.reduces {
			s.storeIdentities(&c.reduces[i], results, count)
		}
	}
	if err := s.inlineKernel(in, args, code); err != nil {
		return err
	}
	for i := range c.reduces {
		if err := s.finalize(n, c, in, i, results+c.reduces[i].at); err != nil {
			return err
		}
	}
	return nil
}

// isScalarResult reports whether the code reduces one row to one number by one operation that can also combine the
// initial value. Narrow types need a finalizer.
func (c *reduceCode) isScalarResult() bool {
	fo := &c.reduces[0]
	return c.Form == plan.Inner && len(c.reduces) == 1 && c.NumResults() == 1 && fo.typ.Size() >= 4 &&
		(fo.acc == fo.typ || fo.ordered == fo.typ)
}

// reduceToScalar is reduce for one number, which stays in registers.
func (s *scalarAssembler) reduceToScalar(n *scalarTiles, c *reduceCode, in *inlineCode, code *rowFunction) error {
	args := s.arguments(in)
	for i := range in.addressing[:c.Results] {
		s.initAccess(args, n, in, i)
	}
	t, init := c.reduces[0].typ, &c.k.Reduces[0].Inits[0]
	s.argument(args+argLanes, n.bufs[init.Param], int(init.Offset)*t.Size())
	s.initAddress(n, in, c.Results, t.Size(), args+argResults)
	code.finish = func(f *rowFunction, resultsOf func(fo *reduction) []operand) error {
		fo, move := &f.reduces[0], bySize(t.Size(), asm.VMOVD, asm.VMOVQ)
		x, first := resultsOf(fo)[0], f.vector()
		f.emit(asm.MOV, s.general(scratchReg), s.argMem(argLanes))
		f.emit(move, first.as(asm.XMM), s.memory(asm.Mem(scratchReg, 0)))
		if fo.ordered != dtype.Invalid {
			x = f.minMaxAny(fo.kind, fo.ordered, first, x)
		} else {
			x = f.combine(fo, first, x)
		}
		f.emit(asm.MOV, s.general(scratchReg), s.argMem(argResults))
		f.emit(move, s.memory(asm.Mem(scratchReg, 0)), x.as(asm.XMM))
		return f.emitBlock()
	}
	return s.inlineKernel(in, args, code)
}

// reduceSlack is the padding of results: a step may write past them.
const reduceSlack = 128

// storeIdentities stores the identity element to the results of a reduction.
func (s *scalarAssembler) storeIdentities(fo *reduction, results int, count int64) {
	const size = 32
	elem := make([]byte, 8)
	binary.LittleEndian.PutUint64(elem, fo.identity())
	s.a.Emit(asm.VMOVUPS, asm.Y(0), s.a.Const(slices.Repeat(elem[:fo.elem()], size/fo.elem())).Sized(0))
	for at := 0; at < int(count)*fo.elem(); at += size {
		s.a.Emit(asm.VMOVUPS, asm.Mem(asm.RDI, results+fo.at+at), asm.Y(0))
	}
}

// finalize emits the finalizer of reduction i, whose results are in the file.
func (s *scalarAssembler) finalize(n *scalarTiles, c *reduceCode, in *inlineCode, i, results int) error {
	end, _ := c.inlineFinalizer(i)
	args := s.arguments(end)
	red, first := &c.k.Reduces[i], &c.k.Reduces[i].Inits[0]
	at := func(access int) int { return args + argAddresses + 8*access }
	s.argument(at(0), n.bufs[first.Param], int(first.Offset)*red.Types[0].Size())
	s.a.Emit(asm.LEA, asm.RAX, asm.Mem(asm.RDI, results))
	s.a.Emit(asm.MOV, asm.Mem(asm.RDI, at(1)), asm.RAX)
	result := *in
	result.rows = 1
	s.initAddress(n, &result, c.Results+i, red.Types[0].Size(), at(2))
	return s.inlineKernel(end, args, &rowFunction{function: &function{}})
}

// inlineFinalizer returns the finalizer of reduction i, if it can be inlined.
func (c *reduceCode) inlineFinalizer(i int) (end *inlineCode, ok bool) {
	code, ok := c.finalizers[i].finish.(*Code)
	if !ok {
		return nil, false
	}
	if end, ok = inlineOf(code); !ok {
		return nil, false
	}
	end.n = c.NumResults()
	return end, end.canEndInline()
}

// fitsInline reports whether a reduction can be inlined: it has one group of rows, or short rows, and reduces by one
// operation to contiguous results.
func (c *reduceCode) fitsInline(in *inlineCode, n *scalarTiles) bool {
	count := c.NumResults()
	if c.NumBlocks() != 1 || c.Form == plan.Outer && (c.Seq.Size > plan.GroupRows || in.n > c.Tile) {
		return false
	}
	short := rowFunction{function: &function{reduces: c.reduces,
		selector: &selector{lowered: &lowered{}, p: c.Plan, addressing: c.addressing}}}
	if c.Form == plan.Inner && (!short.isShort() || in.rows > maxRowsPerCall) {
		return false
	}
	for i := range c.reduces {
		fo, red := &c.reduces[i], &c.k.Reduces[i]
		if fo.argReduce != nil || fo.body.results != nil || fo.typ.IsComplex() || fo.typ == dtype.Bool ||
			fo.elem() != kernel.Register(fo.typ).Size() && !fo.narrows() || int(count)*fo.elem() > maxInlineResults {
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
