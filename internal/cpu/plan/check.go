package plan

import (
	"fmt"

	"github.com/go-nx/nx/dtype"
	"github.com/go-nx/nx/internal/cpu/kernel"
)

// Check reports a plan that does not compute the kernel: one that walks other points or other
// elements, leaves out pieces, or reduces in any order where the order matters. It shares no code
// with the planner.
func (p *Plan) Check(k *kernel.Kernel) error {
	if err := p.check(k); err != nil {
		return fmt.Errorf("the plan of kernel %s: %w", k.Name, err)
	}
	return nil
}

func (p *Plan) check(k *kernel.Kernel) error {
	np := len(k.Dims) - k.NumReduced
	kept, reduced := k.Dims[:np], k.Dims[np:]
	vec, seq := kept, reduced
	switch {
	case (p.Form == Map) != (len(k.Reduces) == 0):
		return fmt.Errorf("form %s is not valid for %d reductions", p.Form, len(k.Reduces))
	case p.Form == Inner:
		vec, seq = reduced, kept
	}
	if len(p.Vec.Dims) == 0 {
		return fmt.Errorf("tiles must run over a dimension")
	}
	for _, s := range []struct {
		Space
		dims []int64
	}{{p.Vec, vec}, {p.Seq, seq}} {
		if n := product(s.Dims); n != s.Size || n != product(s.dims) {
			return fmt.Errorf("%v, of size %d, must be %v", s.Dims, s.Size, s.dims)
		}
	}
	if len(p.Orders) != len(k.Reduces) {
		return fmt.Errorf("%d orders for %d reductions", len(p.Orders), len(k.Reduces))
	}
	for i, o := range p.Orders {
		if err := checkOrder(o, &k.Reduces[i]); err != nil {
			return fmt.Errorf("reduction %d: %w", i, err)
		}
	}
	if product(k.Dims) > 0 {
		if err := p.checkAccesses(k, vec, seq); err != nil {
			return err
		}
	}
	return p.checkPieces()
}

func product(dims []int64) int64 {
	n := int64(1)
	for _, d := range dims {
		n *= d
	}
	return n
}

// checkOrder rejects orders that change results.
func checkOrder(o Order, r *kernel.Reduction) error {
	t := kernel.Register(r.Types[0])
	exact := r.Kind != kernel.Invalid && (t == dtype.Bool || t.IsInteger() ||
		t.IsFloat() && (r.Kind == kernel.Max || r.Kind == kernel.Min))
	switch {
	case o == AnyOrder && !exact:
		return fmt.Errorf("its order matters")
	case o == InLanes && (r.Kind != kernel.Add && !hasLanes(r) || exact):
		return fmt.Errorf("lanes are only for sums and products of floats, and for complex numbers")
	case o == AnyGrouping && r.ArgMinMax.Op == kernel.Invalid:
		return fmt.Errorf("its grouping matters")
	case o > AnyGrouping:
		return fmt.Errorf("unknown order")
	}
	return nil
}

// checkAccesses proves that every access of the plan is, at every point, at the element of the
// kernel's.
func (p *Plan) checkAccesses(k *kernel.Kernel, vec, seq []int64) error {
	want := 0
	next := func(offset int64, strides []int64, result bool) error {
		i := want
		want++
		if i >= len(p.Accesses) {
			return fmt.Errorf("access %d is missing", i)
		}
		a := &p.Accesses[i]
		if len(a.Vec) == 0 || a.Inner != a.Vec[len(a.Vec)-1] {
			return fmt.Errorf("access %d: its innermost stride must be %d", i, a.Inner)
		}
		if a.Offset != offset {
			return fmt.Errorf("access %d must start at %d, not at %d", i, offset, a.Offset)
		}
		kept := len(k.Dims) - k.NumReduced
		over := func(dims []int64, first int) []int64 {
			if result && first >= kept {
				return make([]int64, len(dims))
			}
			return strides[first : first+len(dims)]
		}
		vecFirst, seqFirst := 0, kept
		if p.Form == Inner {
			vecFirst, seqFirst = kept, 0
		}
		if !visitsSame(a.Vec, p.Vec.Dims, over(vec, vecFirst), vec) ||
			!visitsSame(a.Seq, p.Seq.Dims, over(seq, seqFirst), seq) {
			return fmt.Errorf("access %d: strides %v and %v around it must visit the elements of %v", i, a.Vec, a.Seq, strides)
		}
		return p.checkKind(i)
	}
	for i := range k.Body.Instrs {
		a := k.Body.Instrs[i].At
		if a == nil {
			continue
		}
		if err := next(a.Offset, a.Strides, false); err != nil {
			return err
		}
		for _, g := range a.Guards {
			if err := next(g.Offset, g.Strides, false); err != nil {
				return err
			}
		}
	}
	if p.Stores != want {
		return fmt.Errorf("the first store must be access %d", want)
	}
	for i := range k.Stores {
		if err := next(k.Stores[i].At.Offset, k.Stores[i].At.Strides, false); err != nil {
			return err
		}
	}
	if p.Results != want {
		return fmt.Errorf("the first result must be access %d", want)
	}
	for i := range k.Reduces {
		for _, a := range k.Reduces[i].At {
			if err := next(a.Offset, a.Strides, true); err != nil {
				return err
			}
		}
	}
	if want != len(p.Accesses) {
		return fmt.Errorf("access %d is not one of the kernel's", want)
	}
	return nil
}

// visitsSame reports whether strides over merged dimensions visit, at every point, the elements of
// those over the kernel's dimensions: each merged dimension is a run of the kernel's whose strides
// are multiples of the innermost one.
func visitsSame(strides, merged, want, dims []int64) bool {
	if len(strides) != len(merged) {
		return false
	}
	m, inside := len(merged)-1, int64(1)
	for d := len(dims) - 1; d >= 0; d-- {
		if dims[d] == 1 {
			continue
		}
		for m >= 0 && inside == merged[m] {
			m, inside = m-1, 1
		}
		if m < 0 || want[d] != strides[m]*inside {
			return false
		}
		inside *= dims[d]
	}
	return m < 0 || m == 0 && inside == merged[0]
}

// checkKind proves the kind of an access: how the elements of a tile lie in memory.
func (p *Plan) checkKind(i int) error {
	a := &p.Accesses[i]
	step := int64(0) // of the innermost dimension: the required distance of neighbours in a tile
	switch a.Kind {
	case Strided:
		return nil
	case Contiguous:
		step = 1
	}
	below := step
	for d := len(p.Vec.Dims) - 1; d >= 0; d-- {
		if p.Vec.Dims[d] > 1 && a.Vec[d] != below {
			return fmt.Errorf("access %d is not %s", i, a.Kind)
		}
		if p.RowTiles { // tiles end where this dimension ends
			return nil
		}
		below *= p.Vec.Dims[d]
	}
	return nil
}

// checkPieces proves that the pieces cover all points, each once.
func (p *Plan) checkPieces() error {
	points := p.Vec.Size
	if p.Form == Inner {
		points = p.Seq.Size
	}
	if p.Chunk < 1 || p.Tail < 0 || p.Tail > p.Chunk || p.Form != Map && p.Block < 1 && p.ReducedSize() > 0 {
		return fmt.Errorf("chunks of %d in blocks of %d are not valid", p.Chunk, p.Block)
	}
	if p.Tile < 1 || p.Tile > TileElems {
		return fmt.Errorf("tiles must have 1 to %d elements, got %d", TileElems, p.Tile)
	}
	if n := p.Period; n != 0 {
		alignment := p.Chunk // pieces, blocks and tiles start at multiples of it
		if p.Form == Inner {
			alignment = p.Block
		}
		if p.RowTiles || p.Transpose != nil || n != p.Vec.Dims[len(p.Vec.Dims)-1] || p.Tile%n != 0 ||
			alignment%n != 0 && alignment < p.Vec.Size || p.Form != Inner && p.Tail%n != 0 {
			return fmt.Errorf("tiles of %d in pieces of %d must be multiples of the period %d", p.Tile, alignment, n)
		}
	}
	if t := p.Transpose; t != nil {
		last := len(p.Vec.Dims) - 1
		if p.Form != Map || t.Dim < 0 || t.Dim >= last || t.Blocks < 1 {
			return fmt.Errorf("transposed blocks along dimension %d, %d per chunk, are not valid", t.Dim, t.Blocks)
		}
		outer, across, down := p.Grid()
		rows, cols := p.Vec.Dims[t.Dim], p.Vec.Dims[last]
		if outer*rows*cols != points || down*TransposeDepth < rows || across*TransposeCols < cols ||
			(down-1)*TransposeDepth >= rows || (across-1)*TransposeCols >= cols {
			return fmt.Errorf("%d × %d × %d blocks must cover %v", outer, across, down, p.Vec.Dims)
		}
		if n, blocks := int64(p.NumChunks()), outer*across*down; n*t.Blocks < blocks || (n-1)*t.Blocks >= blocks {
			return fmt.Errorf("%d chunks of %d blocks must cover %d blocks", n, t.Blocks, blocks)
		}
		return nil
	}
	blocks := p.NumBlocks()
	if p.Form != Map &&
		(blocks < 1 || blocks > 1 && ((blocks-1)*p.Block >= p.ReducedSize() || blocks*p.Block < p.ReducedSize())) {
		return fmt.Errorf("%d blocks of %d must cover %d points", blocks, p.Block, p.ReducedSize())
	}
	n := p.NumChunks()
	const ends = 1024 // the pieces in between are alike, and there may be billions
	at := int64(0)
	for i := 0; i < n; i++ {
		if i == ends && n > 2*ends {
			i = n - ends
			at = int64(i) / blocks * p.Chunk
		}
		lo, hi, block := p.Piece(i)
		if lo != at || hi <= lo || hi > min(lo+p.Chunk, points) || block != int64(i)%blocks {
			return fmt.Errorf("piece %d, block %d of points %d to %d, must follow point %d of %d",
				i, block, lo, hi, at, points)
		}
		if block == blocks-1 {
			at = hi
		}
	}
	if at != points {
		return fmt.Errorf("%d pieces, %d blocks each, must end at point %d, got %d", n, blocks, points, at)
	}
	return p.checkFinish()
}

// checkFinish proves that the partial results of every result are combined once.
func (p *Plan) checkFinish() error {
	if p.Form == Map || p.NumBlocks() == 1 {
		if n := p.Finishes(); n > 0 {
			return fmt.Errorf("one block needs no pieces for partial results, got %d", n)
		}
		return nil
	}
	at := int64(0)
	for i := range p.Finishes() {
		lo, hi := p.FinishPiece(i)
		if lo != at || hi <= lo {
			return fmt.Errorf("piece %d combines the partial results from %d to %d, after %d", i, lo, hi, at)
		}
		at = hi
	}
	if at != p.NumResults() {
		return fmt.Errorf("the partial results of %d of %d results are combined", at, p.NumResults())
	}
	return nil
}
