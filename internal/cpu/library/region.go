package library

import (
	"fmt"
	"sync"
	"unsafe"

	"github.com/go-nx/nx/internal/cpu/codegen"
	"github.com/go-nx/nx/internal/cpu/fuse"
	"github.com/go-nx/nx/internal/cpu/kernel"
	"github.com/go-nx/nx/internal/cpu/plan"
	"github.com/go-nx/nx/stablehlo"
)

// region is a compiled region on scalars. It is safe for concurrent use.
type region struct {
	code     codegen.Code
	one      codegen.ScalarCode // for one element; nil when that is no faster
	args     int
	results  int
	captures int
	calls    sync.Pool
}

// compileRegion compiles the first region of an op.
func compileRegion(op *stablehlo.Op, g codegen.Generator) (*region, error) {
	b := op.Regions[0].Block()
	return compileValues(g, b, b.Terminator().Operands, fuse.Captures(op))
}

// compileValues compiles the computation of some values of a region.
func compileValues(g codegen.Generator, b *stablehlo.Block, results, captures []*stablehlo.Value) (*region, error) {
	k, err := fuse.Region(b, results, captures)
	if err != nil {
		return nil, err
	}
	if err := k.Verify(); err != nil {
		return nil, fmt.Errorf("internal error: %w\n%s", err, k)
	}
	code, err := codegen.Compile(g, k, plan.Of(k))
	if err != nil {
		return nil, err
	}
	r := &region{code: code, args: len(b.Args), results: len(results), captures: len(captures)}
	if r.one, err = compileOne(g, k); err != nil {
		return nil, err
	}
	r.calls.New = func() any {
		c := &call{r: r, s: g.NewScratch(), params: make([]unsafe.Pointer, r.args+r.results+r.captures)}
		if r.one != nil {
			c.file = r.one.NewFile(c.params)
		}
		return c
	}
	return r, nil
}

// compileOne compiles the kernel of a region for one element.
func compileOne(g codegen.Generator, k *kernel.Kernel) (codegen.ScalarCode, error) {
	one := *k
	one.Dims = []int64{1}
	if _, better := g.IsScalar(&one); !better {
		return nil, nil
	}
	params := make([]int, k.NumParams())
	for i := range params {
		params[i] = i
	}
	c := g.NewScalarCompiler()
	if err := c.Kernel(&one, params); err != nil {
		return nil, err
	}
	return c.Done(), nil
}

// call is a region being applied by one worker. Params are the addresses of
// the arguments, the results and the captured scalars.
type call struct {
	r      *region
	s      codegen.Scratch
	file   codegen.File
	params []unsafe.Pointer
}

// begin returns a call; ins are the operands of the step, the captured ones last.
func (r *region) begin(ins [][]byte) *call {
	c := r.calls.Get().(*call)
	for i, b := range ins[len(ins)-r.captures:] {
		c.params[r.args+r.results+i] = unsafe.Pointer(unsafe.SliceData(b))
	}
	return c
}

// apply computes n elements; a result may be in the place of an argument.
func (c *call) apply(n int) {
	if n == 1 && c.file != nil {
		c.file.Run(nil)
		return
	}
	c.r.code.RunElems(n, c.params, c.s)
}

func (c *call) arg(i int, p unsafe.Pointer)    { c.params[i] = p }
func (c *call) result(i int, p unsafe.Pointer) { c.params[c.r.args+i] = p }

// end gives the call back; it keeps no memory of the program alive.
func (c *call) end() {
	clear(c.params)
	c.s.Forget()
	c.r.calls.Put(c)
}

// addr returns the address of element i.
func addr(b []byte, i int64, size int) unsafe.Pointer {
	return unsafe.Add(unsafe.Pointer(unsafe.SliceData(b)), int(i)*size)
}
