package amd64

import (
	"slices"
	"unsafe"

	"github.com/go-nx/nx/internal/cpu/codegen"
	"github.com/go-nx/nx/internal/cpu/kernel"
	"github.com/go-nx/nx/internal/cpu/plan"
)

// splitCode is the code of a kernel whose reductions need more registers than exist: each part has some of the
// reductions and walks the same chunks.
type splitCode struct {
	codegen.Code
	rest codegen.Code // it has the stores, which may overwrite inputs of all reductions
}

// compileSplit compiles a kernel whose reductions do not fit the registers.
func (g Generator) compileSplit(k *kernel.Kernel, p *plan.Plan) (codegen.Code, error) {
	half := len(k.Reduces) / 2
	first, err := g.Compile(withReduces(k, p, 0, half))
	if err != nil {
		return nil, err
	}
	rest, err := g.Compile(withReduces(k, p, half, len(k.Reduces)))
	if err != nil {
		return nil, err
	}
	return &splitCode{first, rest}, nil
}

// withReduces returns a kernel and its plan with a range of the reductions; the stores are in the last range.
func withReduces(k *kernel.Kernel, p *plan.Plan, from, to int) (*kernel.Kernel, *plan.Plan) {
	k2, p2 := *k, *p
	k2.Reduces, p2.Orders = k.Reduces[from:to], p.Orders[from:to]
	at := p.Results
	for i := range k.Reduces[:from] {
		at += len(k.Reduces[i].At)
	}
	end := at
	for i := range k2.Reduces {
		end += len(k2.Reduces[i].At)
	}
	if to < len(k.Reduces) {
		k2.Stores, p2.Results = nil, p.Stores
	}
	p2.Accesses = slices.Concat(p.Accesses[:p2.Results], p.Accesses[at:end])
	return &k2, &p2
}

// PartialBytes returns the size of the partial results: those of the first part, then of the rest.
func (c *splitCode) PartialBytes() int { return c.restOffset() + c.rest.PartialBytes() }

func (c *splitCode) restOffset() int { return (c.Code.PartialBytes() + 63) &^ 63 }

// RunChunk runs piece i.
func (c *splitCode) RunChunk(i int, params []unsafe.Pointer, first []int64, partial unsafe.Pointer, s codegen.Scratch) {
	c.Code.RunChunk(i, params, first, partial, s)
	c.rest.RunChunk(i, params, first, c.restPartial(partial), s)
}

// Finish reduces some of the partial results.
func (c *splitCode) Finish(i int, params []unsafe.Pointer, partial unsafe.Pointer, s codegen.Scratch) {
	c.Code.Finish(i, params, partial, s)
	c.rest.Finish(i, params, c.restPartial(partial), s)
}

// restPartial returns the address of the partial results of the rest.
func (c *splitCode) restPartial(partial unsafe.Pointer) unsafe.Pointer {
	if c.rest.PartialBytes() == 0 {
		return nil
	}
	return unsafe.Add(partial, c.restOffset())
}

// Describe describes both parts.
func (c *splitCode) Describe() codegen.Description {
	d, rest := c.Code.Describe(), c.rest.Describe()
	d.Listing += rest.Listing
	if d.Why == "" {
		d.Tier, d.Why = rest.Tier, rest.Why
	}
	return d
}
