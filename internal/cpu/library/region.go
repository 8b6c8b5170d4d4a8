package library

import (
	"sync"
	"unsafe"

	"github.com/go-nx/nx/internal/cpu/codegen/portable"
	"github.com/go-nx/nx/internal/cpu/fuse"
	"github.com/go-nx/nx/stablehlo"
)

// region is a compiled region on scalars. It is safe for concurrent use.
type region struct {
	v        *portable.Vector
	args     int
	results  int
	captures int
	scratch  sync.Pool
}

// compileRegion compiles the first region of an op.
func compileRegion(op *stablehlo.Op) (*region, error) {
	b := op.Regions[0].Block()
	return compileValues(b, b.Terminator().Operands, fuse.Captures(op))
}

// compileValues compiles the computation of some values of a region.
func compileValues(b *stablehlo.Block, results, captures []*stablehlo.Value) (*region, error) {
	k, err := fuse.Region(b, results, captures)
	if err != nil {
		return nil, err
	}
	v, err := portable.CompileVector(k)
	if err != nil {
		return nil, err
	}
	return &region{v: v, args: len(b.Args), results: len(results), captures: len(captures),
		scratch: sync.Pool{New: func() any { return new(portable.Scratch) }}}, nil
}

// call is a region being applied by one worker. Params are the addresses of
// the arguments, the results and the captured scalars.
type call struct {
	r      *region
	s      *portable.Scratch
	params []unsafe.Pointer
}

// begin returns a call; ins are the operands of the step, the captured ones last.
func (r *region) begin(ins [][]byte) *call {
	c := &call{r: r, s: r.scratch.Get().(*portable.Scratch), params: make([]unsafe.Pointer, r.args+r.results+r.captures)}
	for i, b := range ins[len(ins)-r.captures:] {
		c.params[r.args+r.results+i] = unsafe.Pointer(unsafe.SliceData(b))
	}
	return c
}

// apply computes n elements; a result may be in the place of an argument.
func (c *call) apply(n int) { c.r.v.Run(c.s, c.params, n) }

func (c *call) arg(i int, p unsafe.Pointer)    { c.params[i] = p }
func (c *call) result(i int, p unsafe.Pointer) { c.params[c.r.args+i] = p }

func (c *call) end() { c.r.scratch.Put(c.s) }

// addr returns the address of element i.
func addr(b []byte, i int64, size int) unsafe.Pointer {
	return unsafe.Add(unsafe.Pointer(unsafe.SliceData(b)), int(i)*size)
}
