package plan

import (
	"math"
	"slices"

	"github.com/go-nx/nx/dtype"
	"github.com/go-nx/nx/internal/cpu/kernel"
)

// Plan is a walk over the points of a kernel.
type Plan struct {
	Form Form
	// Tiles run over Vec, inside a loop over Seq. Each is a run of the kernel's dimensions, without
	// those of size 1 and with neighbours merged that all accesses walk as one.
	Vec, Seq Space
	// RowTiles means that tiles end at the end of the innermost dimension of Vec.
	RowTiles bool
	// Tile is the maximum number of elements of a tile. If Period is not 0, it is the size of the
	// innermost dimension of Vec, and tiles start at its multiples: all tiles have the same
	// elements of the accesses that vary only along that dimension.
	Tile, Period int64
	// Accesses are those of the loads and indices, each followed by its guards, of the stores, and
	// of the results of reductions.
	Accesses []Access
	Stores   int // the first store
	Results  int // the first result

	Orders []Order // of each reduction
	// Block is the number of points of the reduced space in a partial result; Chunk is the number
	// of points of Vec, of Seq in form Inner, of a piece.
	Block, Chunk int64
	// Tail is the length of the last chunks, which are shorter so that workers end at about the
	// same time; 0 if all are alike.
	Tail      int64
	Transpose *Transpose // nil for tiles in order
}

// Form is the shape of a loop nest.
type Form uint8

const (
	Map   Form = iota // no reduction
	Inner             // tiles run over the reduced space, one result at a time
	Outer             // tiles run over the results
)

// String returns the name of the form.
func (f Form) String() string { return [...]string{"map", "inner", "outer"}[f] }

// Space is a list of dimensions walked in row-major order.
type Space struct {
	Dims []int64
	Size int64
}

// Offset returns the offset of a point, counted in row-major order, under strides over the space.
func (s *Space) Offset(strides []int64, point int64) int64 {
	if len(s.Dims) == 1 {
		return strides[0] * point
	}
	off := int64(0)
	for d := len(s.Dims) - 1; d >= 0 && point != 0; d-- {
		q := point / s.Dims[d]
		off += strides[d] * (point - q*s.Dims[d])
		point = q
	}
	return off
}

// Access is an access of the kernel over the two spaces.
type Access struct {
	*kernel.Access
	Seq, Vec []int64 // strides
	Inner    int64   // the last of Vec: the stride of the innermost dimension of tiles
	Kind     Kind
	// Streamed marks a store whose data will have left the caches before it is read: it may bypass
	// them.
	Streamed bool
}

// Kind is the memory layout of the elements of a tile.
type Kind uint8

const (
	Strided    Kind = iota
	Broadcast       // one element for the entire tile
	Contiguous      // neighbours in the tile are neighbours in memory
)

// String returns the name of the kind.
func (k Kind) String() string { return [...]string{"strided", "broadcast", "contiguous"}[k] }

// Order is how a reduction combines the elements of a block, see the package comment.
type Order uint8

const (
	AnyOrder    Order = iota // all orders give the same bits
	InLanes                  // sums of floats and complex numbers, and other reductions of those within a tile
	Pairwise                 // neighbours first
	AnyGrouping              // an argmax: left before right, all groupings give the same bits
)

// String returns the name of the order.
func (o Order) String() string {
	return [...]string{"any order", "lanes", "pairwise", "any grouping"}[o]
}

// Lanes returns the number of lanes of a sum in registers of type t.
func Lanes(t dtype.Type) int {
	if t.IsComplex() {
		t = t.Real()
	}
	return LaneBytes / t.Size()
}

// LanesUsed returns the maximum number of lanes that a tile of n elements uses.
func LanesUsed(lanes, n int) int {
	return ((n-1)/(TileElems/LaneParts) + 1) * (lanes / LaneParts)
}

// Of returns the plan of a kernel.
func Of(k *kernel.Kernel) *Plan {
	p := &Plan{}
	p.layout(k)
	for i := range k.Reduces {
		p.Orders = append(p.Orders, p.orderOf(&k.Reduces[i]))
	}
	p.split(k)
	return p
}

// IsShort reports whether tiles are rows of at most ShortRow elements, whose lanes are combined in
// their order.
func (p *Plan) IsShort() bool { return p.Form == Inner && p.Vec.Size <= ShortRow }

// orderOf returns the order of a reduction.
func (p *Plan) orderOf(r *kernel.Reduction) Order {
	switch {
	case r.ArgMinMax.Op != kernel.Invalid:
		return AnyGrouping
	case r.Kind == kernel.Invalid:
		return Pairwise
	}
	t := kernel.Register(r.Types[0])
	switch {
	case t == dtype.Bool || t.IsInteger():
		return AnyOrder
	case r.Kind == kernel.Add, p.Form == Inner && hasLanes(r):
		return InLanes
	case t.IsFloat() && r.Kind != kernel.Mul: // maximum and minimum
		return AnyOrder
	}
	return Pairwise
}

// hasLanes reports whether generated code has lane loops for a reduction by another operation than
// addition: products of floats and of complex numbers, and their maximum and minimum.
func hasLanes(r *kernel.Reduction) bool {
	switch t := r.Types[0]; t {
	case dtype.F32, dtype.F64, dtype.F16, dtype.BF16:
		return r.Kind == kernel.Mul
	case dtype.C64, dtype.C128:
		return r.Kind == kernel.Mul || r.Kind == kernel.Max || r.Kind == kernel.Min
	}
	return false
}

// LaneIdentity returns the start value of the lanes of a reduction, by real and imaginary part: an
// element of the register's type that is neutral as the first operand, except for -0 and, in
// products of complex numbers, signs of zeros.
func LaneIdentity(kind kernel.Op) complex128 {
	switch kind {
	case kernel.Mul:
		return 1
	case kernel.Max:
		return complex(math.Inf(-1), math.Inf(-1))
	case kernel.Min:
		return complex(math.Inf(1), math.Inf(1))
	}
	return 0
}

// accessesOf lists the accesses of a kernel in the order of Plan.Accesses.
func accessesOf(k *kernel.Kernel) (all []*kernel.Access, stores, results int) {
	for i := range k.Body.Instrs {
		a := k.Body.Instrs[i].At
		if a == nil {
			continue
		}
		all = append(all, a)
		for j := range a.Guards {
			g := &a.Guards[j]
			all = append(all, &kernel.Access{Param: -1, Offset: g.Offset, Strides: g.Strides})
		}
	}
	stores = len(all)
	for i := range k.Stores {
		all = append(all, &k.Stores[i].At)
	}
	results = len(all)
	for i := range k.Reduces {
		for j := range k.Reduces[i].At {
			all = append(all, &k.Reduces[i].At[j])
		}
	}
	return all, stores, results
}

// layout chooses which dimensions tiles run over and which are looped over around them, merges the
// dimensions of each that all accesses walk as one, and classifies the accesses.
func (p *Plan) layout(k *kernel.Kernel) {
	np := len(k.Dims) - k.NumReduced
	all, stores, results := accessesOf(k)
	p.Stores, p.Results = stores, results
	stride := func(a, d int) int64 { // those of results are only over the kept dimensions
		if d < len(all[a].Strides) {
			return all[a].Strides[d]
		}
		return 0
	}
	kept := mergeDims(k.Dims[:np], len(all), stride)
	reduced := mergeDims(k.Dims[np:], results, func(a, d int) int64 { return stride(a, np+d) })

	var vec, seq []mergedDim
	switch {
	case len(k.Reduces) == 0:
		p.Form, vec = Map, kept
	case reducesInner(k, kept, reduced, loadsOf(k)):
		p.Form, vec, seq = Inner, reduced, kept
	default:
		p.Form, vec, seq = Outer, kept, reduced
	}
	if len(vec) == 0 { // a scalar
		vec = []mergedDim{{size: 1, strides: make([]int64, len(all))}}
	}
	p.Vec, p.Seq = spaceOf(vec), spaceOf(seq)
	p.RowTiles = len(vec) == 1 || vec[len(vec)-1].size >= minRow || p.Form == Map && p.hasStridedRuns(vec)

	p.Accesses = make([]Access, len(all))
	for i, a := range all {
		p.Accesses[i] = p.access(a, column(vec, i), column(seq, i))
	}
	p.Tile = TileElems
	inner := p.Vec.Dims[len(p.Vec.Dims)-1]
	if !p.RowTiles && p.Vec.Size > 0 && slices.ContainsFunc(p.Accesses[:stores], p.IsPeriodic) {
		p.Period, p.Tile = inner, TileElems/inner*inner
	}
}

// loadsOf returns the positions of the loads among the accesses.
func loadsOf(k *kernel.Kernel) []int {
	var loads []int
	n := 0
	for i := range k.Body.Instrs {
		in := &k.Body.Instrs[i]
		if in.Op == kernel.Load {
			loads = append(loads, n)
		}
		if in.At != nil {
			n += 1 + len(in.At.Guards)
		}
	}
	return loads
}

// hasCombineBodies reports whether a kernel reduces pairs of real numbers by several operations:
// machine code has loops for those only over results.
func hasCombineBodies(k *kernel.Kernel) bool {
	return slices.ContainsFunc(k.Reduces, func(r kernel.Reduction) bool {
		return r.Kind == kernel.Invalid && r.ArgMinMax.Op == kernel.Invalid && len(r.Types) <= 2 &&
			!slices.ContainsFunc(r.Types, dtype.Type.IsComplex)
	})
}

// reducesInner reports whether tiles should run over the reduced dimensions: memory should be read
// along a tile; an index is as fast along any dimension. If it changes bits, the decision depends on
// neither the number of results nor the size of the outermost dimension that is kept: the result of a
// row is the same whatever number of rows is beside it.
func reducesInner(k *kernel.Kernel, kept, reduced []mergedDim, loads []int) bool {
	nk, nf := spaceOf(kept).Size, spaceOf(reduced).Size
	if len(reduced) == 0 || len(kept) == 0 {
		return len(kept) == 0
	}
	if hasCombineBodies(k) {
		return nf >= minReducedSize && nk < minReducedSize
	}
	if nf <= ShortRow {
		return nk < nf
	}
	last := kept[len(kept)-1]
	if last.size < minKeptRun {
		return true
	}
	keptContiguous, reducedContiguous := 0, 0
	for _, a := range loads { // one that varies along one of both is broadcast, or read in order
		switch r := reduced[len(reduced)-1].strides[a]; {
		case last.strides[a] == 0 || r == 0:
		case last.strides[a] == 1:
			keptContiguous++
		case r == 1:
			reducedContiguous++
		}
	}
	return reducedContiguous >= keptContiguous
}

// mergedDim is a run of kernel dimensions walked as one.
type mergedDim struct {
	size    int64
	strides []int64 // by access
}

// mergeDims drops dimensions of size 1 and merges neighbours that every access walks as one.
func mergeDims(dims []int64, numAccesses int, stride func(a, d int) int64) []mergedDim {
	var out []mergedDim
	for d, size := range dims {
		if size == 1 {
			continue
		}
		s := make([]int64, numAccesses)
		for a := range s {
			s[a] = stride(a, d)
		}
		if len(out) > 0 {
			prev := &out[len(out)-1]
			fits := true
			for a := range s {
				if prev.strides[a] != s[a]*size {
					fits = false
					break
				}
			}
			if fits {
				prev.size *= size
				prev.strides = s
				continue
			}
		}
		out = append(out, mergedDim{size, s})
	}
	return out
}

func spaceOf(dims []mergedDim) Space {
	s := Space{Size: 1}
	for _, d := range dims {
		s.Dims = append(s.Dims, d.size)
		s.Size *= d.size
	}
	return s
}

// column returns the strides of access a, zero for dimensions that it does not have.
func column(dims []mergedDim, a int) []int64 {
	out := make([]int64, len(dims))
	for d := range dims {
		if a < len(dims[d].strides) {
			out[d] = dims[d].strides[a]
		}
	}
	return out
}

func (p *Plan) access(at *kernel.Access, vec, seq []int64) Access {
	a := Access{Access: at, Vec: vec, Seq: seq, Inner: vec[len(vec)-1]}
	switch {
	case !varies(vec):
		a.Kind = Broadcast
	case p.RowTiles && a.Inner == 0:
		a.Kind = Broadcast
	case p.RowTiles && a.Inner == 1, isLinear(vec, p.Vec.Dims):
		a.Kind = Contiguous
	}
	return a
}

// hasStridedRuns reports whether some access is of runs of neighbours with gaps between them, long
// enough to be rows: tiles of several runs would have to be copied.
func (p *Plan) hasStridedRuns(vec []mergedDim) bool {
	last := len(vec) - 1
	if vec[last].size < minRun {
		return false
	}
	for i := range vec[last].strides {
		strides := column(vec, i)
		if strides[last] == 1 && varies(strides[:last]) && !isLinear(strides, p.Vec.Dims) {
			return true
		}
	}
	return false
}

// MergedRows returns the plan with tiles of several rows of a map if rows are short: for generators
// that gain more from long tiles than from contiguous ones. Pieces and results are the same.
func (p *Plan) MergedRows() *Plan {
	last := len(p.Vec.Dims) - 1
	if p.Form != Map || !p.RowTiles || p.Transpose != nil || last == 0 || p.Vec.Dims[last] >= minRow {
		return p
	}
	q := *p
	q.RowTiles = false
	q.reclassify()
	inner := p.Vec.Dims[last]
	if p.Chunk%inner == 0 && p.Tail%inner == 0 && slices.ContainsFunc(q.Accesses[:p.Stores], q.IsPeriodic) {
		q.Period, q.Tile = inner, TileElems/inner*inner
	}
	return &q
}

// WithRowTiles returns the plan with tiles that are rows, if rows of a map or of results are short
// and pieces have full ones: for generators whose code advances to the next row itself. Pieces and
// results are the same. It is nil if the kernel has no such plan.
func (p *Plan) WithRowTiles() *Plan {
	last := len(p.Vec.Dims) - 1
	if p.Form == Inner || p.NumBlocks() > 1 || p.Transpose != nil || last == 0 || p.Vec.Size == 0 ||
		p.Vec.Dims[last] >= minRow ||
		p.NumChunks() > 1 && (p.Chunk%p.Vec.Dims[last] != 0 || p.Tail%p.Vec.Dims[last] != 0) {
		return nil
	}
	if p.RowTiles {
		return p
	}
	q := *p
	q.RowTiles, q.Period, q.Tile = true, 0, TileElems
	q.reclassify()
	return &q
}

// reclassify gives a plan its own accesses, classified for its tiles.
func (p *Plan) reclassify() {
	p.Accesses = slices.Clone(p.Accesses)
	for i := range p.Accesses {
		a := &p.Accesses[i]
		a.Kind = p.access(a.Access, a.Vec, a.Seq).Kind
	}
}

// IsPeriodic reports whether an access varies only along the innermost dimension, and has to be
// gathered there.
func (p *Plan) IsPeriodic(a Access) bool {
	last := len(a.Vec) - 1
	return a.Kind == Strided && a.Vec[last] != 0 && !varies(a.Vec[:last])
}

// IsTileInvariant reports whether all tiles of a chunk have the same elements of an access.
func (p *Plan) IsTileInvariant(a *Access) bool {
	return !varies(a.Seq) && (!varies(a.Vec) || p.Period > 0 && p.IsPeriodic(*a) || p.Form != Map && p.Seq.Size > 1 &&
		p.Vec.Size > 0 && p.FitsTile())
}

// FitsTile reports whether one tile holds all points of Vec.
func (p *Plan) FitsTile() bool {
	return p.Vec.Size <= p.Tile && (!p.RowTiles || len(p.Vec.Dims) == 1)
}

func varies(strides []int64) bool {
	return slices.ContainsFunc(strides, func(s int64) bool { return s != 0 })
}

// Walk is Vec from the view of one access: neighbouring dimensions that are one for it are merged.
type Walk struct{ Dims, Strides []int64 }

// WalkOf returns the walk of an access.
func (p *Plan) WalkOf(access int) (w Walk) {
	for d, n := range p.Vec.Dims {
		stride := p.Accesses[access].Vec[d]
		if last := len(w.Dims) - 1; last >= 0 && w.Strides[last] == stride*n {
			w.Dims[last] *= n
			w.Strides[last] = stride
			continue
		}
		w.Dims, w.Strides = append(w.Dims, n), append(w.Strides, stride)
	}
	return w
}

// IsDense reports whether an access has the points of Vec as neighbours, in order.
func (p *Plan) IsDense(access int) bool { return isLinear(p.Accesses[access].Vec, p.Vec.Dims) }

// isLinear reports whether the strides are those of a dense row-major array.
func isLinear(strides, dims []int64) bool {
	n := int64(1)
	for d := len(dims) - 1; d >= 0; d-- {
		if strides[d] != n {
			return false
		}
		n *= dims[d]
	}
	return true
}
