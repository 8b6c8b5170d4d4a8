package scalar

import (
	"slices"

	"github.com/go-nx/nx/dtype"
	asm "github.com/go-nx/nx/internal/cpu/asm/amd64"
	"github.com/go-nx/nx/internal/cpu/codegen"
	"github.com/go-nx/nx/internal/cpu/codegen/amd64/compiler"
	"github.com/go-nx/nx/internal/cpu/kernel"
	"github.com/go-nx/nx/internal/cpu/plan"
)

// Tiles is code of a kernel in tiles.
type Tiles struct {
	Kernel *kernel.Kernel
	*plan.Plan
	*compiler.Function
	Finalizers []codegen.Code // of each reduction: what combines its results with the initial values
}

// hasTiles is code of a kernel in tiles, with or without reductions.
type hasTiles interface{ Tiles() *Tiles }

// inlineCode is code of a kernel in tiles that needs one call, and can be inlined.
type inlineCode struct {
	*Tiles
	n, rows int64   // elements of a row
	steps   []int64 // of each access from row to row, in elements
	byRows  bool    // the code is that of compiler.RowEmitter
}

// inlineOf returns code as a single call; ok is false if it needs several.
func inlineOf(c *Tiles) (in *inlineCode, ok bool) {
	in = &inlineCode{Tiles: c, n: c.Vec.Size, rows: 1, byRows: c.MultiRow}
	rows := c.Seq.Dims
	strides := func(a *plan.Access) []int64 { return a.Seq }
	if c.MultiRow && c.Form == plan.Map {
		last := len(c.Vec.Dims) - 1
		in.n, rows = c.Vec.Dims[last], c.Vec.Dims[:last]
		strides = func(a *plan.Access) []int64 { return a.Vec[:last] }
	} else if len(c.Vec.Dims) != 1 {
		return nil, false
	}
	switch {
	case len(rows) > 1 || c.Form == plan.Map && c.Seq.Size != 1 || c.Transpose != nil || c.BailsOut ||
		c.Streamed != nil:
		return nil, false
	case len(rows) == 1:
		in.rows = rows[0]
	}
	for i := range c.Accesses {
		in.steps = append(in.steps, append(slices.Clone(strides(&c.Accesses[i])), 0)[0])
	}
	for i := range c.Addressing {
		r := c.Addressing[i].Mode
		moves := r == compiler.AccessGathered || r == compiler.AccessIota
		if r == compiler.AccessStaged || r == compiler.AccessTransposed || moves && !in.byRows ||
			!compiler.AreInvariant(c.Plan, c.Lookups[i]) {
			return nil, false
		}
	}
	return in, in.n > 0 && in.rows > 0 && in.n*in.rows <= maxInlineElems && in.canEndInline()
}

// canEndInline selects code that computes the tail, if there is one; it reports whether there is such code.
func (in *inlineCode) canEndInline() bool {
	if in.byRows || !in.FullVectors || in.n%int64(in.Lanes) == 0 {
		return true
	}
	for i := range in.Addressing { // AVX2 has no partial loads of narrow elements
		if in.Addressing[i].Mode == compiler.AccessContiguous && in.Addressing[i].Size < 4 {
			return false
		}
	}
	in.byRows = true
	return true
}

// tiles inlines the loops of a kernel in tiles, or leaves it to the fallback tier.
func (s *assembler) tiles(n *tilesNode) error {
	for _, w := range n.windows {
		if w.Drop {
			return s.fallbackNode(n)
		}
	}
	code, ok := n.c.(hasTiles)
	if !ok {
		return s.fallbackNode(n)
	}
	c := code.Tiles()
	in, ok := inlineOf(c)
	if !ok || !s.hasFileLookups(n, c) || len(c.Reduces) > 0 && !c.fitsInline(in, n) {
		return s.fallbackNode(n)
	}
	if len(c.Reduces) > 0 {
		return s.reduce(n, c, in)
	}
	if err := s.flush(); err != nil {
		return err
	}
	args := s.arguments(in)
	for i := range in.Addressing {
		s.initAccess(args, n, in, i)
	}
	return s.inlineKernel(in, args, &compiler.RowEmitter{Emitter: &compiler.Emitter{}})
}

// arguments returns the offset of the arguments of code, with those that are constant.
func (s *assembler) arguments(in *inlineCode) (args int) {
	if !in.byRows {
		args = s.reserve(compiler.ArgAddresses + 8*len(in.Addressing))
		s.constant(args+compiler.ArgCount, in.n)
		return args
	}
	args = s.reserve(compiler.ArgSteps + 8*len(in.Addressing))
	s.constant(args+compiler.ArgCount, in.n)
	for i := range in.Addressing {
		pl := &in.Addressing[i]
		s.constant(args+compiler.ArgStrides+8*i, pl.Stride)
		step := in.steps[i]
		if pl.Mode != compiler.AccessIota {
			step *= int64(pl.Size)
		}
		s.constant(args+compiler.ArgSteps+8*i, step)
	}
	return args
}

func (s *assembler) constant(at int, x int64) {
	s.code.arguments = append(s.code.arguments, scalarArgument{at, -1, int(x)})
}

// setArgument emits code that sets an argument, which the code of a kernel modifies.
func (s *assembler) setArgument(at int, x int64) {
	s.Asm.Emit(asm.MOV, asm.RAX, asm.Imm(x))
	s.Asm.Emit(asm.MOV, asm.Mem(asm.RDI, at), asm.RAX)
}

// inlineKernel emits code inline; r has the reductions of the code.
func (s *assembler) inlineKernel(in *inlineCode, args int, r *compiler.RowEmitter) error {
	if in.byRows {
		s.setArgument(args+compiler.ArgRows, in.rows)
	}
	l := compiler.Lower(in.Kernel, in.Plan, false)
	r.Check, r.Inlined = s.check, true
	r.Selector = compiler.NewSelector(s.Buffer, l, in.Plan, in.Lanes, in.Addressing)
	write := r.Emitter.Write
	if in.byRows {
		write = r.Write
	}
	s.Asm.Emit(asm.ADD, asm.RDI, asm.Imm(int64(args)))
	begin, slots := s.Asm.Len(), s.Slots
	if err := write(); err != nil {
		return err
	}
	s.Slots = slots // the next code reuses the slots
	s.work += (s.Asm.Len() - begin) / bytesPerInstruction * int(in.rows) * int(in.n/int64(in.Lanes)+1)
	s.Asm.Emit(asm.SUB, asm.RDI, asm.Imm(int64(args)))
	s.ops += opsPerFallback
	return nil
}

// hasFileLookups reports whether all lookup indices of a kernel in tiles are in the file, as those of windows.
func (s *assembler) hasFileLookups(n *tilesNode, c *Tiles) bool {
	for i := range c.Lookups {
		for _, l := range c.Lookups[i] {
			param := c.Accesses[l.Access].Param
			_, reserved := s.code.slots[n.bufs[param]]
			if _, isPart := n.windows[param]; isPart || !reserved || l.Type != dtype.S32 && l.Type != dtype.S64 {
				return false
			}
		}
	}
	return true
}

// indicesOf returns the lookups of access i as indices of a window.
func (c *Tiles) indicesOf(i int, bufs []int) (out []codegen.WindowIndex) {
	for _, l := range c.Lookups[i] {
		a := &c.Accesses[l.Access]
		out = append(out, codegen.WindowIndex{Buf: bufs[a.Param], Type: l.Type, Limit: int(l.Limit),
			Offset: int(a.Offset) * l.Type.Size(), Stride: int(l.Stride) * c.Addressing[i].Size})
	}
	return out
}

// initAccess emits the initial argument of access i of a kernel in tiles: an address, or the first value of an iota.
func (s *assembler) initAccess(args int, n *tilesNode, in *inlineCode, i int) {
	at := []int{args + compiler.ArgAddresses + 8*i}
	if in.byRows {
		at = append(at, args+compiler.ArgStarts+8*i)
	}
	switch in.Addressing[i].Mode {
	case compiler.AccessUnused:
	case compiler.AccessIota:
		for _, at := range at {
			s.setArgument(at, in.Accesses[i].Offset)
		}
	default:
		s.initAddress(n, in, i, in.Addressing[i].Size, at...)
	}
}

// initAddress emits the initial address of an access with elements of size bytes to arguments.
func (s *assembler) initAddress(n *tilesNode, in *inlineCode, i, size int, at ...int) {
	acc := &in.Accesses[i]
	offset := int(acc.Offset) * size
	w, isPart := n.windows[acc.Param]
	if !isPart {
		w = codegen.Window{Array: n.bufs[acc.Param]}
	}
	w.Indices = slices.Concat(w.Indices, in.indicesOf(i, n.bufs))
	switch {
	case len(w.Indices) > 0:
		s.windowOffset(&w, 0)
		s.address(asm.RBX, w.Array)
		s.Asm.Emit(asm.LEA, asm.RAX, asm.MemIndex(asm.RBX, asm.RAX, 1, offset))
	case in.rows > 1: // the code advances it
		base := s.reserve(8)
		s.argument(base, n.bufs[acc.Param], offset)
		s.Asm.Emit(asm.MOV, asm.RAX, asm.Mem(asm.RDI, base))
	default:
		for _, at := range at {
			s.argument(at, n.bufs[acc.Param], offset)
		}
		return
	}
	for _, at := range at {
		s.Asm.Emit(asm.MOV, asm.Mem(asm.RDI, at), asm.RAX)
	}
}

// argument sets an argument of inlined code to the address of a buffer plus an offset.
func (s *assembler) argument(at, buf, offset int) {
	s.code.arguments = append(s.code.arguments, scalarArgument{at, buf, offset})
	if _, reserved := s.code.slots[buf]; !reserved {
		s.pointer(buf)
	}
}
