package amd64

import (
	"runtime"
	"sync"
	"unsafe"

	"github.com/go-nx/nx/dtype"
	"github.com/go-nx/nx/internal/cpu/codegen"
	"github.com/go-nx/nx/internal/cpu/codegen/amd64/compiler"
	"github.com/go-nx/nx/internal/cpu/codegen/amd64/move"
	"github.com/go-nx/nx/internal/cpu/codegen/amd64/target"
	"github.com/go-nx/nx/internal/cpu/kernel"
	"github.com/go-nx/nx/internal/cpu/plan"
	"github.com/go-nx/nx/internal/cpu/rt"
)

// Code is a kernel as machine code; reduceCode runs kernels with reductions.
type Code struct {
	k *kernel.Kernel
	*plan.Plan
	*compiler.Function
	f, streamed     *rt.Function                 // streamed is nil if there is no such code
	compileFallback func() (codegen.Code, error) // of the fallback tier, for the slow path
	width           target.Width
	// emulate runs the code in tests, instead of the processor.
	emulate     func(f *compiler.Function, args *arguments)
	transposeFn move.TransposeFunc
	strideFn    move.StrideFunc

	types       []dtype.Type // of each access in memory, Invalid for guards
	isIndex     []bool
	staged      []int // accesses
	transposed  []int // accesses
	tileOffsets []int // offset of the tile of each access
	tileBytes   int   // of all tiles
	copied      int   // the access that the kernel only copies, -1 if there is none
	guarded     []*compiler.Guarded
	copySteps   [2][]int64 // of that access and the results, see compiler.RowSteps
	// periods are those of accesses whose tiles the caller fills; tileElems is the number of points of a tile of a map.
	walks     []plan.Walk
	periods   []period
	tileElems int64
	// tileInvariant: all tiles of a chunk have the same elements of the access.
	tileInvariant []bool
	// transposesReduces: some tiles hold several points of the reduced dimensions.
	transposesReduces bool
}

// arguments are the arguments of code. Addresses are integers, since those of iotas are values.
type arguments struct {
	n, done int64
	at      [compiler.MaxAccesses]uintptr
	strides [compiler.MaxAccesses]int64

	// For reductions: see the argument offsets.
	rows, row, rowFlag   int64
	lanes, stack, result uintptr
	groups, tiles        int64
	first                int64
	starts               [compiler.MaxAccesses]uintptr
	steps                [compiler.MaxAccesses]int64

	rowsLeft [compiler.MaxRowDims]int64 // of short rows: remaining rows in each dimension
}

// Scratch is the memory of a worker.
type Scratch struct {
	codegen.Scratch
	args arguments
	tile []byte
	pad  [compiler.MaxAccesses][padBytes]byte // tails, for code that only computes full vectors
	// first is, for each parameter, the index of the element at its address; nil: 0 for all.
	first         []int64
	transposeArgs move.TransposeArguments
	strideArgs    move.StrideArguments
	row           int64 // current row of the block of transposed accesses
	// reduceMem is the memory of reductions, seq the current point of the loop around tiles.
	reduceMem       []byte
	seq             int64
	finalizerParams [6]unsafe.Pointer // parameters of finalizers
	params          []unsafe.Pointer
	offsets         []int64 // offsets of the elements of a tile
	// For transposed accesses of reductions: the contents of their tiles, and the current row.
	transposedTiles [compiler.MaxAccesses]transposedTile
	tileRows        [compiler.MaxAccesses]int64
	filled          [compiler.MaxAccesses]filled
	rows            []int64 // coordinates of a row
}

// NewScratch returns the memory of a worker.
func (g Generator) NewScratch() codegen.Scratch { return &Scratch{Scratch: g.Generator.NewScratch()} }

// Forget drops the pointers into the memory of the last run.
func (s *Scratch) Forget() {
	s.Scratch.Forget()
	s.first, s.params, s.finalizerParams = nil, nil, [6]unsafe.Pointer{}
}

// firstOf returns the index of the element at the address of a parameter; p is -1 for an index.
func (s *Scratch) firstOf(p int) int64 {
	if s.first == nil || p < 0 {
		return 0
	}
	return s.first[p]
}

// padBytes is the size of one iteration of AVX2: eight elements of 16 bytes.
const padBytes = 128

func newCode(g Generator, k *kernel.Kernel, p *plan.Plan, f *compiler.Function) *Code {
	c := &Code{k: k, Plan: p, Function: f, width: g.Width, strideFn: move.RunStride,
		copied: copiedAccess(g.Width, k, p), guarded: compiler.GuardedLoads(k, p),
		types:   make([]dtype.Type, len(p.Accesses)),
		isIndex: make([]bool, len(p.Accesses)), tileOffsets: make([]int, len(p.Accesses))}
	fallback := g.Generator
	c.compileFallback = sync.OnceValues(func() (codegen.Code, error) { return fallback.Compile(k, p) })
	acc := 0
	for i := range k.Body.Instrs {
		if in := &k.Body.Instrs[i]; in.At != nil {
			c.types[acc], c.isIndex[acc] = in.Type, in.Op == kernel.Index
			if c.isIndex[acc] && in.Type.IsComplex() {
				c.types[acc] = in.Type.Real() // see lowered.complexIndex
			}
			acc += 1 + len(in.At.Guards)
		}
	}
	for i := range k.Stores {
		c.types[p.Stores+i] = k.Stores[i].Type
	}
	for i := range f.Addressing {
		switch f.Addressing[i].Mode {
		case compiler.AccessStaged:
			c.staged = append(c.staged, i)
			c.tileOffsets[i] = c.tileBytes
			rows := 1
			if c.RowDims != nil {
				rows += c.paddedRow() * int(p.Seq.Size) / transposedTileRow
			} else if c.isTransposedReduce(i) {
				rows, c.transposesReduces = plan.TransposeDepth, true
			}
			c.tileBytes += rows*transposedTileRow*f.Addressing[i].Size + padBytes
		case compiler.AccessGathered:
			if f.Addressing[i].Spans != nil && c.width == target.V256 { // see runTail
				c.tileOffsets[i] = c.tileBytes
				c.tileBytes += f.Lanes * int(max(f.Addressing[i].Stride, -f.Addressing[i].Stride))
			}
		case compiler.AccessTransposed:
			c.transposed = append(c.transposed, i)
			c.tileOffsets[i] = c.tileBytes
			c.tileBytes += transposedBytes(f.Addressing[i].Size)
		}
	}
	for i := range p.Accesses {
		c.walks = append(c.walks, p.WalkOf(i))
		c.tileInvariant = append(c.tileInvariant, c.isTileInvariant(i))
	}
	c.setPeriods()
	if last := len(p.Vec.Dims) - 1; c.copied >= 0 {
		for i, access := range []int{c.copied, p.Stores} {
			c.copySteps[i] = compiler.RowSteps(p.Vec.Dims[:last], p.Accesses[access].Vec)
		}
	}
	return c
}

// Describe describes the code.
func (c *Code) Describe() codegen.Description {
	return codegen.Description{Tier: c.width.Tier(), Listing: target.NativeListing(c.Text, c.InstructionBytes)}
}

// PartialBytes returns 0: there are no partial results.
func (c *Code) PartialBytes() int { return 0 }

// Finish does nothing.
func (c *Code) Finish(int, []unsafe.Pointer, unsafe.Pointer, codegen.Scratch) {}

// RunChunk runs piece i; first has the indices of the elements at the addresses in params.
func (c *Code) RunChunk(i int, params []unsafe.Pointer, first []int64, _ unsafe.Pointer, s codegen.Scratch) {
	m := s.(*Scratch)
	m.first, m.params, m.seq = first, params, 0
	c.growTiles(m)
	if c.Transpose != nil {
		c.runTransposed(int64(i), params, m)
		return
	}
	lo, hi, _ := c.Piece(i)
	if c.copied >= 0 {
		c.copyPoints(lo, hi, params, m)
		return
	}
	if c.RowDims != nil {
		c.shortRows(lo, hi, params, m)
		return
	}
	for v := lo; v < hi; {
		if rows := c.rowsFrom(v, hi); rows > 1 {
			last := len(c.Vec.Dims) - 1
			c.runRows(v, c.Vec.Dims[last], rows, last-1, params, m)
			v += rows * c.Vec.Dims[last]
			continue
		}
		n := c.callLength(v, hi)
		c.runPoints(v, n, params, m, v == lo)
		v += n
	}
}

// rowsFrom returns the number of rows from point v on, up to hi, that a call may take; 0 if v is not the start of a
// row.
func (c *Code) rowsFrom(v, hi int64) int64 {
	last := len(c.Vec.Dims) - 1
	if !c.MultiRow || v%c.Vec.Dims[last] != 0 {
		return 0
	}
	row, outer := c.Vec.Dims[last], c.Vec.Dims[last-1]
	return min((hi-v)/row, outer-v/row%outer, compiler.MaxCall/row)
}

// runRows computes n points of each of some consecutive rows along a dimension of Vec, from point v on.
func (c *Code) runRows(v, n, rows int64, dim int, params []unsafe.Pointer, m *Scratch) {
	c.setAddresses(v, 0, params, m)
	for i := range c.Addressing {
		stride := c.Accesses[i].Vec[dim]
		if c.Addressing[i].Mode == compiler.AccessTransposed {
			stride = transposedRow
		}
		c.setRowStep(i, stride, m)
	}
	m.args.n, m.args.rows = n, rows
	c.call(&m.args)
	runtime.KeepAlive(params)
}

// setRowStep sets the step of an access from row to row.
func (c *Code) setRowStep(i int, stride int64, m *Scratch) {
	if m.args.steps[i] = stride; c.Addressing[i].Mode != compiler.AccessIota {
		m.args.steps[i] *= int64(c.Addressing[i].Size)
	}
}

// callLength returns the number of points from v on, up to hi, that a call may compute.
func (c *Code) callLength(v, hi int64) int64 {
	if len(c.staged) > 0 {
		return min(c.TileLen(v, hi), c.tileElems)
	}
	n := min(hi-v, compiler.MaxCall)
	if c.RowTiles {
		row := c.Vec.Dims[len(c.Vec.Dims)-1]
		n = min(n, row-v%row)
	}
	return n
}

// RunElems computes the first n points of a kernel over one dimension.
func (c *Code) RunElems(n int, params []unsafe.Pointer, s codegen.Scratch) {
	m := s.(*Scratch)
	m.first, m.params, m.seq = nil, params, 0
	if len(c.staged) > 0 || c.BailsOut {
		rest := c.fallback()
		rest.RunElems(n, params, m.Scratch)
		return
	}
	c.growTiles(m)
	for v := 0; v < n; v += compiler.MaxCall {
		c.runPoints(int64(v), int64(min(n-v, compiler.MaxCall)), params, m, true)
	}
}

// growTiles allocates the memory of the tiles, if there is less of it.
func (c *Code) growTiles(m *Scratch) {
	if len(m.tile) < c.tileBytes {
		m.tile = make([]byte, c.tileBytes)
	}
}

// fallback returns the code of the fallback tier, which accepts all verified kernels.
func (c *Code) fallback() codegen.Code {
	rest, err := c.compileFallback()
	if err != nil {
		panic(err)
	}
	return rest
}

// offsetOf returns the element offset of an access at point v from the address of its parameter.
func (c *Code) offsetOf(i int, v int64, m *Scratch) int64 {
	return c.affineOffset(i, v, m) + c.lookupOffset(i, v, m)
}

// affineOffset is offsetOf without the lookups of the caller.
func (c *Code) affineOffset(i int, v int64, m *Scratch) int64 {
	a := &c.Accesses[i]
	return a.Offset + c.Seq.Offset(a.Seq, m.seq) + c.Vec.Offset(a.Vec, v) - m.firstOf(a.Param)
}

// runPoints computes n points from v on, which are in one row. First is set for the first points of a chunk.
func (c *Code) runPoints(v, n int64, params []unsafe.Pointer, m *Scratch, first bool) {
	for _, i := range c.staged {
		if first {
			m.filled[i] = filled{}
		}
		if i < c.Stores && !c.isFilled(i, v, n, m) && (first || !c.tileInvariant[i]) {
			c.fillTile(i, v, n, params, m)
		}
	}
	count := int64(c.Lanes) // points that the fallback computes after a bail-out; doubled each time
	for pos := int64(0); pos < n; {
		batch := n - pos
		if c.FullVectors {
			batch &^= int64(c.Lanes - 1)
		}
		if batch > 0 {
			c.setAddresses(v, pos, params, m)
			m.args.n, m.args.done, m.args.rows = batch, batch, 1
			if isShort := batch < int64(c.Lanes) && c.overlapsTails(); isShort {
				c.stageShort(v, pos, batch, params, m)
				c.call(&m.args)
				c.unstageShort(v, pos, m.args.done, params, m)
			} else {
				c.call(&m.args)
			}
			if c.BailsOut { // the fallback writes to the final addresses
				c.storeTiles(v, pos, m.args.done, params, m)
			}
			pos += m.args.done
			if m.args.done < batch {
				count = min(count, n-pos)
				c.fallbackPoints(v+pos, count, params, m)
				pos += count
				count *= 2
			}
			continue
		}
		if c.BailsOut {
			c.fallbackPoints(v+pos, n-pos, params, m)
		} else {
			c.runTail(v, pos, n-pos, params, m)
		}
		break
	}
	if !c.BailsOut {
		c.storeTiles(v, 0, n, params, m)
	}
	runtime.KeepAlive(params)
}

// storeTiles copies n points of staged results from v+pos on to their final addresses; tiles start at v.
func (c *Code) storeTiles(v, pos, n int64, params []unsafe.Pointer, m *Scratch) {
	if n == 0 {
		return
	}
	for _, i := range c.staged {
		if i >= c.Stores {
			c.storeTile(i, v, pos, n, params, m)
		}
	}
}

// call runs the code. It keeps subnormal numbers even if the kernel allows flushing: functions are computed in F64,
// where these are normal, so that flushing would cost a rounding.
func (c *Code) call(args *arguments) {
	f, function := c.Function, c.f
	if f.Streamed != nil && c.isAligned(args) {
		f, function = f.Streamed, c.streamed
	}
	if c.emulate != nil {
		c.emulate(f, args)
		return
	}
	function.Call(unsafe.Pointer(args))
}

// isAligned reports whether all vectors of non-temporal stores are aligned.
func (c *Code) isAligned(args *arguments) bool {
	vector := uintptr(c.width.VectorBytes())
	for i := c.Stores; i < c.Results; i++ {
		if !c.Accesses[i].Streamed || c.Addressing[i].Mode != compiler.AccessContiguous {
			continue
		}
		if args.at[i]%vector != 0 || args.rows > 1 && uintptr(args.steps[i])%vector != 0 {
			return false
		}
	}
	return true
}

// setAddresses sets the addresses of the accesses for the points from v+pos on; tiles start at v.
func (c *Code) setAddresses(v, pos int64, params []unsafe.Pointer, m *Scratch) {
	for i := range c.Addressing {
		pl := &c.Addressing[i]
		switch pl.Mode {
		case compiler.AccessUnused:
			continue
		case compiler.AccessStaged:
			m.args.at[i] = uintptr(unsafe.Pointer(&m.tile[c.tileOffsets[i]])) +
				uintptr(int(c.tileRow(i, m)*transposedTileRow+pos)*pl.Size)
			continue
		case compiler.AccessTransposed:
			m.args.at[i] = uintptr(unsafe.Pointer(&m.tile[c.tileOffsets[i]])) +
				uintptr(int(m.row*transposedRow+pos)*pl.Size)
			continue
		case compiler.AccessIota:
			m.args.at[i] = uintptr(c.offsetOf(i, v+pos, m))
			m.args.starts[i] = m.args.at[i]
			continue
		case compiler.AccessGathered:
			m.args.strides[i] = pl.Stride
		}
		m.args.at[i] = uintptr(params[c.Accesses[i].Param]) + uintptr(c.offsetOf(i, v+pos, m)*int64(pl.Size))
		m.args.starts[i] = m.args.at[i]
	}
}

// runTail computes n points, fewer than a vector, from v+pos on, in padded memory.
func (c *Code) runTail(v, pos, n int64, params []unsafe.Pointer, m *Scratch) {
	c.setAddresses(v, pos, params, m)
	for i := range c.Addressing {
		pl := &c.Addressing[i]
		if pl.Mode != compiler.AccessContiguous && pl.Mode != compiler.AccessGathered {
			continue
		}
		size, stride, step := int64(pl.Size), int64(pl.Size), int64(pl.Size)
		to := unsafe.Pointer(&m.pad[i])
		switch {
		case pl.Spans != nil: // the stride is part of the code
			stride, step, to = pl.Stride, pl.Stride, unsafe.Pointer(&m.tile[c.tileOffsets[i]])
			if stride < 0 {
				to = unsafe.Add(to, -stride*int64(c.Lanes-1))
			}
		case pl.Mode == compiler.AccessGathered:
			stride, m.args.strides[i] = pl.Stride, size
		}
		if i < c.Stores {
			from := unsafe.Add(params[c.Accesses[i].Param], c.offsetOf(i, v+pos, m)*size)
			copyRun(to, from, size, step, stride, n)
		}
		m.args.at[i] = uintptr(to)
	}
	m.args.n, m.args.done = int64(c.Lanes), int64(c.Lanes)
	c.call(&m.args)
	for i := c.Stores; i < len(c.Addressing); i++ {
		if pl := &c.Addressing[i]; pl.Mode == compiler.AccessContiguous {
			to := unsafe.Add(params[c.Accesses[i].Param], c.offsetOf(i, v+pos, m)*int64(pl.Size))
			copy(unsafe.Slice((*byte)(to), int(n)*pl.Size), m.pad[i][:])
		}
	}
}

// pointRunner is code that computes any range of points of a kernel without reductions.
type pointRunner interface {
	RunPoints(lo, hi int64, params []unsafe.Pointer, first []int64, s codegen.Scratch)
}

// fallbackPoints computes n points from v on with the fallback tier.
func (c *Code) fallbackPoints(v, n int64, params []unsafe.Pointer, m *Scratch) {
	c.fallback().(pointRunner).RunPoints(v, v+n, params, m.first, m.Scratch)
}
