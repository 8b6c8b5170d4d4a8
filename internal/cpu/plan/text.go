package plan

import (
	"fmt"
	"strings"
)

// String returns the plan as text: its form and spaces, its chunks and blocks, the strides and kind
// of each access (Seq, then Vec), and the order of each reduction.
func (p *Plan) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s: tiles over %v", p.Form, p.Vec.Dims)
	if p.RowTiles && len(p.Vec.Dims) > 1 {
		b.WriteString(" by rows")
	}
	if p.Period > 0 {
		fmt.Fprintf(&b, " in %d at a time", p.Tile)
	}
	if len(p.Seq.Dims) > 0 {
		fmt.Fprintf(&b, ", around them %v", p.Seq.Dims)
	}
	b.WriteByte('\n')
	fmt.Fprintf(&b, "  %d chunks", p.NumChunks())
	if t := p.Transpose; t != nil {
		outer, across, down := p.Grid()
		fmt.Fprintf(&b, " of %d blocks of %d × %d × %d, transposed by dimension %d",
			t.Blocks, outer, across, down, t.Dim)
	} else {
		fmt.Fprintf(&b, " of %d", p.Chunk)
		if _, short := p.pieces(); short > 0 {
			fmt.Fprintf(&b, " and at the end %d", p.Tail)
		}
	}
	if p.Form != Map {
		fmt.Fprintf(&b, ", %d blocks of %d", p.NumBlocks(), p.Block)
	}
	b.WriteByte('\n')
	for i := range p.Accesses {
		a := &p.Accesses[i]
		what := "load"
		switch {
		case i >= p.Results:
			what = "result"
		case i >= p.Stores:
			what = "store"
		case a.Param < 0:
			what = "index"
		}
		fmt.Fprintf(&b, "  %s", what)
		if a.Param >= 0 {
			fmt.Fprintf(&b, " p%d", a.Param)
		}
		fmt.Fprintf(&b, " %v %s", append(append([]int64{}, a.Seq...), a.Vec...), a.Kind)
		if a.Access != nil && len(a.Lookups) > 0 {
			b.WriteString(" looked up")
		}
		if a.Streamed {
			b.WriteString(" streamed")
		}
		b.WriteByte('\n')
	}
	for i, o := range p.Orders {
		fmt.Fprintf(&b, "  reduction %d: %s\n", i, o)
	}
	return b.String()
}
