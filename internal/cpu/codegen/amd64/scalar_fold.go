package amd64

import (
	"encoding/binary"
	"slices"

	"github.com/go-nx/nx/dtype"
	asm "github.com/go-nx/nx/internal/cpu/asm/amd64"
	"github.com/go-nx/nx/internal/cpu/kernel"
	"github.com/go-nx/nx/internal/cpu/plan"
)

// mostResults bounds the bytes of the results of a fold that is written where it is called.
const mostResults = 1024

// fold writes a fold where it is called: rows are folded into results in the file, and these combined with the
// initial values, which takes less time than two calls do.
func (s *scalarAssembler) fold(n *scalarTiles, c *foldCode, in *inside) error {
	if err := s.flush(); err != nil {
		return err
	}
	code := &rowFunction{function: &function{folds: slices.Clone(c.folds)}}
	for i := range code.folds {
		code.folds[i].regs = nil
	}
	if c.isOneResult() {
		return s.foldToOne(n, c, in, code)
	}
	count := c.NumResults()
	last := &c.folds[len(c.folds)-1]
	results := s.reserve(last.at + int(count)*8 + 4*foldSlack)
	args := s.arguments(in)
	for i := range in.places[:c.Results] {
		s.place(args, n, in, i)
	}
	s.a.Emit(asm.LEA, asm.RAX, asm.Mem(asm.RDI, results))
	s.a.Emit(asm.MOV, asm.Mem(asm.RDI, args+argResults), asm.RAX)
	if c.Form == plan.Inner {
		s.setArgument(args+argRow, 0)
	} else {
		for i := range c.folds {
			s.identities(&c.folds[i], results, count)
		}
	}
	if err := s.inside(in, args, code); err != nil {
		return err
	}
	for i := range c.folds {
		if err := s.foldEnd(n, c, in, i, results+c.folds[i].at); err != nil {
			return err
		}
	}
	return nil
}

// isOneResult reports whether the code folds one row to one number by one operation, which has instructions that
// combine that with the initial value; narrow numbers have code of their own at the end.
func (c *foldCode) isOneResult() bool {
	fo := &c.folds[0]
	return c.Form == plan.Inner && len(c.folds) == 1 && c.NumResults() == 1 && fo.typ.Size() >= 4 &&
		(fo.acc == fo.typ || fo.ordered == fo.typ)
}

// foldToOne is fold of a row to one number, which is in registers up to the end.
func (s *scalarAssembler) foldToOne(n *scalarTiles, c *foldCode, in *inside, code *rowFunction) error {
	args := s.arguments(in)
	for i := range in.places[:c.Results] {
		s.place(args, n, in, i)
	}
	t, init := c.folds[0].typ, &c.k.Reduces[0].Inits[0]
	s.argument(args+argLanes, n.bufs[init.Param], int(init.Offset)*t.Size())
	s.placeAt(n, in, c.Results, t.Size(), args+argResults)
	code.end = func(f *rowFunction, resultsOf func(fo *fold) []operand) error {
		fo, move := &f.folds[0], bySize(t.Size(), asm.VMOVD, asm.VMOVQ)
		x, first := resultsOf(fo)[0], f.vector()
		f.emit(asm.MOV, s.general(scratchG), s.argMem(argLanes))
		f.emit(move, first.as(asm.XMM), s.memory(asm.Mem(scratchG, 0)))
		if fo.ordered != dtype.Invalid {
			x = f.extremeOfAny(fo.kind, fo.ordered, first, x)
		} else {
			x = f.combine(fo, first, x)
		}
		f.emit(asm.MOV, s.general(scratchG), s.argMem(argResults))
		f.emit(move, s.memory(asm.Mem(scratchG, 0)), x.as(asm.XMM))
		return f.emitBlock()
	}
	return s.inside(in, args, code)
}

// foldSlack is more than the code of a fold writes behind results: those of a step.
const foldSlack = 128

// identities writes what changes no element into the results of a fold.
func (s *scalarAssembler) identities(fo *fold, results int, count int64) {
	const size = 32
	elem := make([]byte, 8)
	binary.LittleEndian.PutUint64(elem, fo.identity())
	s.a.Emit(asm.VMOVUPS, asm.Y(0), s.a.Const(slices.Repeat(elem[:fo.elem()], size/fo.elem())).Sized(0))
	for at := 0; at < int(count)*fo.elem(); at += size {
		s.a.Emit(asm.VMOVUPS, asm.Mem(asm.RDI, results+fo.at+at), asm.Y(0))
	}
}

// foldEnd writes the end of fold i, whose results are in the file: they are combined with the initial value.
func (s *scalarAssembler) foldEnd(n *scalarTiles, c *foldCode, in *inside, i, results int) error {
	end, _ := c.endInside(i)
	args := s.arguments(end)
	red, first := &c.k.Reduces[i], &c.k.Reduces[i].Inits[0]
	at := func(access int) int { return args + argAt + 8*access }
	s.argument(at(0), n.bufs[first.Param], int(first.Offset)*red.Types[0].Size())
	s.a.Emit(asm.LEA, asm.RAX, asm.Mem(asm.RDI, results))
	s.a.Emit(asm.MOV, asm.Mem(asm.RDI, at(1)), asm.RAX)
	result := *in
	result.rows = 1
	s.placeAt(n, &result, c.Results+i, red.Types[0].Size(), at(2))
	return s.inside(end, args, &rowFunction{function: &function{}})
}

// endInside returns the code that ends fold i, which combines an initial value with the results of the fold and stores
// them.
func (c *foldCode) endInside(i int) (end *inside, ok bool) {
	code, ok := c.ends[i].finish.(*Code)
	if !ok {
		return nil, false
	}
	if end, ok = insideOf(code); !ok {
		return nil, false
	}
	end.n = c.NumResults()
	return end, end.endsInside()
}

// fitsInside reports whether the code can be written where it is called: one group of rows, or short ones, that are
// folded each by one operation to results that are neighbours.
func (c *foldCode) fitsInside(in *inside, n *scalarTiles) bool {
	count := c.NumResults()
	if c.NumBlocks() != 1 || c.Form == plan.Outer && (c.Seq.Size > plan.GroupRows || in.n > c.Tile) {
		return false
	}
	short := rowFunction{function: &function{folds: c.folds,
		selection: &selection{lowered: &lowered{}, p: c.Plan, places: c.places}}}
	if c.Form == plan.Inner && (!short.isShort() || in.rows > rowsACall) {
		return false
	}
	for i := range c.folds {
		fo, red := &c.folds[i], &c.k.Reduces[i]
		if fo.pick != nil || fo.body.results != nil || fo.typ.IsComplex() || fo.typ == dtype.Bool ||
			fo.elem() != kernel.Register(fo.typ).Size() && !fo.narrows() || int(count)*fo.elem() > mostResults {
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
		if _, ok := c.endInside(i); !ok || count > 1 && (len(strides) != 1 || strides[0] != 1) {
			return false
		}
	}
	return true
}
