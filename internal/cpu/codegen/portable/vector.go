package portable

import (
	"unsafe"

	"github.com/go-nx/nx/internal/cpu/kernel"
	"github.com/go-nx/nx/internal/cpu/plan"
)

// Vector is a kernel over one dimension whose length the caller chooses: the
// scalar function of a region, applied to many elements at a time.
type Vector struct{ c *Code }

// CompileVector compiles a kernel without reductions whose accesses are all
// contiguous over its one dimension or uniform.
func CompileVector(k *kernel.Kernel) (*Vector, error) {
	c, err := Compile(k, plan.Of(k))
	if err != nil {
		return nil, err
	}
	return &Vector{c}, nil
}

// Run computes n elements. Params are the addresses of the kernel's
// parameters; an output may be an input.
func (v *Vector) Run(s *Scratch, params []unsafe.Pointer, n int) {
	c := v.c
	m := s.prepare(c, params)
	c.seekSeq(m, 0)
	c.seekVec(m, 0)
	c.runOnce(m, 0)
	for n > 0 {
		t := min(n, plan.TileElems)
		c.runTile(m, 0, int64(t))
		for i := range c.Accesses {
			m.base[i] += int64(t) * c.Accesses[i].Inner
		}
		n -= t
	}
}
