package amd64

import (
	"runtime"
	"sync"
	"unsafe"

	"github.com/go-nx/nx/dtype"
	asm "github.com/go-nx/nx/internal/cpu/asm/amd64"
	"github.com/go-nx/nx/internal/cpu/codegen"
	"github.com/go-nx/nx/internal/cpu/kernel"
	"github.com/go-nx/nx/internal/cpu/plan"
	"github.com/go-nx/nx/internal/cpu/rt"
)

// Code is a kernel as machine code; foldCode runs those with reductions.
type Code struct {
	k *kernel.Kernel
	*plan.Plan
	*Function
	f, streamed *rt.Function                 // streamed is nil where there is no such code
	rest        func() (codegen.Code, error) // that of the other tier, for what is rare
	width       Width
	// emulate runs the code instead of the processor, in tests.
	emulate func(f *Function, args *arguments)
	turner  turner
	strider strider

	types   []dtype.Type // of each access in memory, Invalid of those of guards
	isIndex []bool
	tiled   []int // accesses
	turned  []int // accesses
	tiles   []int // where the tile of each begins
	room    int   // bytes of all tiles
	copied  int   // the access that the kernel does no more than copy, -1 if there is none
	guarded []*guarded
	apart   [2][]int64 // of that access and the results, see rowSteps
	// periods are those of accesses whose tiles the caller fills, tileElems the points of a tile of a map.
	spaces    []plan.Walk
	periods   []period
	tileElems int64
	// sameInTiles says of which accesses all tiles of a chunk have the same elements.
	sameInTiles []bool
	// turnsFolds says that some of the tiles are of several points of what is folded.
	turnsFolds bool
}

// arguments are what code is called with. Addresses are numbers: those of counters are none.
type arguments struct {
	n, done int64
	at      [maxAccesses]uintptr
	strides [maxAccesses]int64

	// Of folds: see the offsets of arguments.
	rows, row, collect   int64
	lanes, stack, result uintptr
	groups, tiles        int64
	first                int64
	starts               [maxAccesses]uintptr
	steps                [maxAccesses]int64

	turns [maxTurns]int64 // of short rows: those that are left in each dimension
}

// Scratch is the memory of a worker.
type Scratch struct {
	codegen.Scratch
	args arguments
	tile []byte
	pad  [maxAccesses][padBytes]byte // the last elements, where code works on whole vectors
	// first are, of each parameter, the element at its address; nil for the first of all.
	first  []int64
	turn   turnArguments
	stride strideArguments
	row    int64 // of the block, whose elements of turned accesses are read
	// folds is the memory of folds; seq the point of what is looped over around tiles.
	folds  []byte
	seq    int64
	ends   [6]unsafe.Pointer // the parameters of code of the end of a fold
	params []unsafe.Pointer
	places []int64 // of the elements of a tile
	// Of accesses of folds whose tiles are transposed: what they hold, and the row at hand.
	turnedFolds [maxAccesses]turnedFold
	tileRows    [maxAccesses]int64
	filled      [maxAccesses]filled
	rows        []int64 // coordinates of a row
}

// NewScratch returns the memory of a worker.
func (g Generator) NewScratch() codegen.Scratch { return &Scratch{Scratch: g.Generator.NewScratch()} }

// Forget drops the pointers into the memory of the last run.
func (s *Scratch) Forget() {
	s.Scratch.Forget()
	s.first, s.params, s.ends = nil, nil, [6]unsafe.Pointer{}
}

// firstOf returns the number of the element that the address of a parameter is that of; p is
// -1 for an index.
func (s *Scratch) firstOf(p int) int64 {
	if s.first == nil || p < 0 {
		return 0
	}
	return s.first[p]
}

// padBytes has room for the elements of an iteration of AVX2: eight of 16 bytes.
const padBytes = 128

// maxCall bounds the elements of a call, which nothing can interrupt.
const maxCall = 1 << 15

func newCode(g Generator, k *kernel.Kernel, p *plan.Plan, f *Function) *Code {
	c := &Code{k: k, Plan: p, Function: f, width: g.Width, strider: runStride,
		copied: copyOf(g.Width, k, p), guarded: guardedLoads(k, p), types: make([]dtype.Type, len(p.Accesses)),
		isIndex: make([]bool, len(p.Accesses)), tiles: make([]int, len(p.Accesses))}
	under := g.Generator
	c.rest = sync.OnceValues(func() (codegen.Code, error) { return under.Compile(k, p) })
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
	for i := range f.places {
		switch f.places[i].route {
		case tiled:
			c.tiled = append(c.tiled, i)
			c.tiles[i] = c.room
			rows := 1
			if c.turns != nil {
				rows += c.packedRow() * int(p.Seq.Size) / turnedTileRow
			} else if c.isTurnedFold(i) {
				rows, c.turnsFolds = plan.TransposeDepth, true
			}
			c.room += rows*turnedTileRow*f.places[i].size + padBytes
		case gathered:
			if f.places[i].spans != nil && c.width == V256 { // see last
				c.tiles[i] = c.room
				c.room += f.lanes * int(max(f.places[i].stride, -f.places[i].stride))
			}
		case turned:
			c.turned = append(c.turned, i)
			c.tiles[i] = c.room
			c.room += turnedBytes(f.places[i].size)
		}
	}
	for i := range p.Accesses {
		c.spaces = append(c.spaces, p.WalkOf(i))
		c.sameInTiles = append(c.sameInTiles, c.hasSameInTiles(i))
	}
	c.setPeriods()
	if last := len(p.Vec.Dims) - 1; c.copied >= 0 {
		for i, access := range []int{c.copied, p.Stores} {
			c.apart[i] = rowSteps(p.Vec.Dims[:last], p.Accesses[access].Vec)
		}
	}
	return c
}

// Describe returns the code for people.
func (c *Code) Describe() codegen.Description {
	return codegen.Description{Tier: c.width.String(), Listing: asm.Listing(c.Text, c.InstructionBytes)}
}

// PartialBytes returns 0: there are no partial results.
func (c *Code) PartialBytes() int { return 0 }

// Finish does nothing.
func (c *Code) Finish(int, []unsafe.Pointer, unsafe.Pointer, codegen.Scratch) {}

// RunChunk runs piece i; first are the elements that params are the addresses of.
func (c *Code) RunChunk(i int, params []unsafe.Pointer, first []int64, _ unsafe.Pointer, s codegen.Scratch) {
	m := s.(*Scratch)
	m.first, m.params, m.seq = first, params, 0
	c.makeTiles(m)
	if c.Transpose != nil {
		c.runTransposed(int64(i), params, m)
		return
	}
	lo, hi, _ := c.Piece(i)
	if c.copied >= 0 {
		c.copyPoints(lo, hi, params, m)
		return
	}
	if c.turns != nil {
		c.shortRows(lo, hi, params, m)
		return
	}
	for v := lo; v < hi; {
		if rows := c.rowsFrom(v, hi); rows > 1 {
			last := len(c.Vec.Dims) - 1
			c.wholeRows(v, c.Vec.Dims[last], rows, last-1, params, m)
			v += rows * c.Vec.Dims[last]
			continue
		}
		n := c.run(v, hi)
		c.points(v, n, params, m, v == lo)
		v += n
	}
}

// rowsFrom returns how many rows from point v on, up to hi, a call may take, 0 if v is not the
// first point of one.
func (c *Code) rowsFrom(v, hi int64) int64 {
	last := len(c.Vec.Dims) - 1
	if !c.rows || v%c.Vec.Dims[last] != 0 {
		return 0
	}
	row, above := c.Vec.Dims[last], c.Vec.Dims[last-1]
	return min((hi-v)/row, above-v/row%above, maxCall/row)
}

// wholeRows computes n points of each of some rows, which follow each other along a dimension of Vec,
// from point v on.
func (c *Code) wholeRows(v, n, rows int64, dim int, params []unsafe.Pointer, m *Scratch) {
	c.place(v, 0, params, m)
	for i := range c.places {
		stride := c.Accesses[i].Vec[dim]
		if c.places[i].route == turned {
			stride = turnedRow
		}
		c.step(i, stride, m)
	}
	m.args.n, m.args.rows = n, rows
	c.call(&m.args)
	runtime.KeepAlive(params)
}

// step sets how far an access moves from row to row.
func (c *Code) step(i int, stride int64, m *Scratch) {
	if m.args.steps[i] = stride; c.places[i].route != counted {
		m.args.steps[i] *= int64(c.places[i].size)
	}
}

// run returns how many points from v on a call may compute, up to hi.
func (c *Code) run(v, hi int64) int64 {
	if len(c.tiled) > 0 {
		return min(c.TileLen(v, hi), c.tileElems)
	}
	n := min(hi-v, maxCall)
	if c.Rows {
		row := c.Vec.Dims[len(c.Vec.Dims)-1]
		n = min(n, row-v%row)
	}
	return n
}

// RunElems computes the first n points of a kernel over one dimension.
func (c *Code) RunElems(n int, params []unsafe.Pointer, s codegen.Scratch) {
	m := s.(*Scratch)
	m.first, m.params, m.seq = nil, params, 0
	if len(c.tiled) > 0 || c.stops {
		rest := c.other()
		rest.RunElems(n, params, m.Scratch)
		return
	}
	c.makeTiles(m)
	for v := 0; v < n; v += maxCall {
		c.points(int64(v), int64(min(n-v, maxCall)), params, m, true)
	}
}

// makeTiles makes the memory of the tiles, where there is less of it.
func (c *Code) makeTiles(m *Scratch) {
	if len(m.tile) < c.room {
		m.tile = make([]byte, c.room)
	}
}

// other returns the code of the other tier. That it can be made was known before: it takes all
// kernels that the checks of the compiler let pass.
func (c *Code) other() codegen.Code {
	rest, err := c.rest()
	if err != nil {
		panic(err)
	}
	return rest
}

// offsetOf returns the offset in elements of an access at point v from the address of its
// parameter.
func (c *Code) offsetOf(i int, v int64, m *Scratch) int64 {
	return c.affineOffset(i, v, m) + c.lookUp(i, v, m)
}

// affineOffset is offsetOf without what the caller looks up.
func (c *Code) affineOffset(i int, v int64, m *Scratch) int64 {
	a := &c.Accesses[i]
	return a.Offset + c.Seq.Offset(a.Seq, m.seq) + c.Vec.Offset(a.Vec, v) - m.firstOf(a.Param)
}

// points computes n points from v on, which lie in a row. First is set for the first ones of a
// chunk.
func (c *Code) points(v, n int64, params []unsafe.Pointer, m *Scratch, first bool) {
	for _, i := range c.tiled {
		if first {
			m.filled[i] = filled{}
		}
		if i < c.Stores && !c.isFilled(i, v, n, m) && (first || !c.sameInTiles[i]) {
			c.fill(i, v, n, params, m)
		}
	}
	some := int64(c.lanes) // points in Go code after one that is rare: more each time
	for pos := int64(0); pos < n; {
		whole := n - pos
		if c.exact {
			whole &^= int64(c.lanes - 1)
		}
		if whole > 0 {
			c.place(v, pos, params, m)
			m.args.n, m.args.done, m.args.rows = whole, whole, 1
			if isShort := whole < int64(c.lanes) && c.goesBack(); isShort {
				c.placeShort(v, pos, whole, params, m)
				c.call(&m.args)
				c.endShort(v, pos, m.args.done, params, m)
			} else {
				c.call(&m.args)
			}
			if c.stops { // the other tier writes where results belong
				c.emptyTiles(v, pos, m.args.done, params, m)
			}
			pos += m.args.done
			if m.args.done < whole {
				some = min(some, n-pos)
				c.otherPoints(v+pos, some, params, m)
				pos += some
				some *= 2
			}
			continue
		}
		if c.stops {
			c.otherPoints(v+pos, n-pos, params, m)
		} else {
			c.last(v, pos, n-pos, params, m)
		}
		break
	}
	if !c.stops {
		c.emptyTiles(v, 0, n, params, m)
	}
	runtime.KeepAlive(params)
}

// emptyTiles copies n points of the results in tiles, from v+pos on, to where they belong; tiles begin at v.
func (c *Code) emptyTiles(v, pos, n int64, params []unsafe.Pointer, m *Scratch) {
	if n == 0 {
		return
	}
	for _, i := range c.tiled {
		if i >= c.Stores {
			c.empty(i, v, pos, n, params, m)
		}
	}
}

// call runs the code. It keeps subnormal numbers even where the kernel need not: functions are
// computed in f64, where they are none, so that keeping them costs a rounding.
func (c *Code) call(args *arguments) {
	f, function := c.Function, c.f
	if f.streamed != nil && c.isAligned(args) {
		f, function = f.streamed, c.streamed
	}
	if c.emulate != nil {
		c.emulate(f, args)
		return
	}
	function.Call(unsafe.Pointer(args))
}

// isAligned reports whether all vectors of streamed stores begin at multiples of their length.
func (c *Code) isAligned(args *arguments) bool {
	vector := uintptr(c.width.vectorBytes())
	for i := c.Stores; i < c.Results; i++ {
		if !c.Accesses[i].Streamed || c.places[i].route != direct {
			continue
		}
		if args.at[i]%vector != 0 || args.rows > 1 && uintptr(args.steps[i])%vector != 0 {
			return false
		}
	}
	return true
}

// place sets the addresses of the accesses for the points from v+pos on; tiles begin at v.
func (c *Code) place(v, pos int64, params []unsafe.Pointer, m *Scratch) {
	for i := range c.places {
		pl := &c.places[i]
		switch pl.route {
		case unread:
			continue
		case tiled:
			m.args.at[i] = uintptr(unsafe.Pointer(&m.tile[c.tiles[i]])) +
				uintptr(int(c.tileRow(i, m)*turnedTileRow+pos)*pl.size)
			continue
		case turned:
			m.args.at[i] = uintptr(unsafe.Pointer(&m.tile[c.tiles[i]])) + uintptr(int(m.row*turnedRow+pos)*pl.size)
			continue
		case counted:
			m.args.at[i] = uintptr(c.offsetOf(i, v+pos, m))
			m.args.starts[i] = m.args.at[i]
			continue
		case gathered:
			m.args.strides[i] = pl.stride
		}
		m.args.at[i] = uintptr(params[c.Accesses[i].Param]) + uintptr(c.offsetOf(i, v+pos, m)*int64(pl.size))
		m.args.starts[i] = m.args.at[i]
	}
}

// last computes n points, fewer than a vector has, from v+pos on: in memory that has room for
// all of a vector.
func (c *Code) last(v, pos, n int64, params []unsafe.Pointer, m *Scratch) {
	c.place(v, pos, params, m)
	for i := range c.places {
		pl := &c.places[i]
		if pl.route != direct && pl.route != gathered {
			continue
		}
		size, stride, step := int64(pl.size), int64(pl.size), int64(pl.size)
		to := unsafe.Pointer(&m.pad[i])
		switch {
		case pl.spans != nil: // the code has the stride
			stride, step, to = pl.stride, pl.stride, unsafe.Pointer(&m.tile[c.tiles[i]])
			if stride < 0 {
				to = unsafe.Add(to, -stride*int64(c.lanes-1))
			}
		case pl.route == gathered:
			stride, m.args.strides[i] = pl.stride, size
		}
		if i < c.Stores {
			from := unsafe.Add(params[c.Accesses[i].Param], c.offsetOf(i, v+pos, m)*size)
			copyRun(to, from, size, step, stride, n)
		}
		m.args.at[i] = uintptr(to)
	}
	m.args.n, m.args.done = int64(c.lanes), int64(c.lanes)
	c.call(&m.args)
	for i := c.Stores; i < len(c.places); i++ {
		if pl := &c.places[i]; pl.route == direct {
			to := unsafe.Add(params[c.Accesses[i].Param], c.offsetOf(i, v+pos, m)*int64(pl.size))
			copy(unsafe.Slice((*byte)(to), int(n)*pl.size), m.pad[i][:])
		}
	}
}

// pointRunner is code that computes any points of a kernel without reductions.
type pointRunner interface {
	RunPoints(lo, hi int64, params []unsafe.Pointer, first []int64, s codegen.Scratch)
}

// otherPoints lets the other tier compute n points from v on.
func (c *Code) otherPoints(v, n int64, params []unsafe.Pointer, m *Scratch) {
	c.other().(pointRunner).RunPoints(v, v+n, params, m.first, m.Scratch)
}
