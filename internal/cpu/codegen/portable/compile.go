package portable

import (
	"fmt"
	"unsafe"

	"github.com/go-nx/nx/dtype"
	"github.com/go-nx/nx/internal/cpu/codegen"
	"github.com/go-nx/nx/internal/cpu/kernel"
	"github.com/go-nx/nx/internal/cpu/plan"
	"github.com/go-nx/nx/internal/cpu/rt"
)

const maxRank = 32

// Code is a kernel compiled for this tier. It is immutable and may run on
// several goroutines at a time, each with its own Scratch.
type Code struct {
	k *kernel.Kernel
	*plan.Plan
	oneTile   bool
	batchRows int64 // rows of what is folded that a tile holds

	regOffset []int // of each register in Scratch.store; -1 for one that points into a parameter
	regBytes  int

	constants []step // instructions whose result is always the same, in registers of their own
	once      []step // those whose result is the same for the whole chunk
	tile      []step // those of a tile, stores last
	reduces   []*reduction

	partials int // bytes of the partial results of all blocks
}

// compiler holds the state of Compile.
type compiler struct {
	g Generator
	*Code
	instrs []instr
	refs   []ref   // of each value
	level  []level // of each value
	// accessOf is the access of each value in the plan, -1 of those without.
	accessOf []int
	order    []kernel.Value // the instructions that are computed
	position []int          // of each value in order
	lastRead []int          // the last place that reads each value
	free     map[regClass][]int
}

// level says for how many points a value is computed.
type level struct {
	uniform bool // one element stands for all of a tile
	once    bool // all tiles of a chunk have the same elements
}

// Generator is this tier.
type Generator struct {
	// Function returns the loop of an elementary function of one F32 or F64 where it is not that of
	// package functions; nil for none. A tier over this one has the same bits by it.
	Function func(in *kernel.Instr) codegen.Loop
}

// sliced is a loop of slices.
func sliced[T float32 | float64](f codegen.Loop) func(dst, x []T) {
	return func(dst, x []T) {
		f(unsafe.Pointer(unsafe.SliceData(dst)), unsafe.Pointer(unsafe.SliceData(x)), len(x))
	}
}

// NewSession returns the generator itself: closures need no memory of their own.
func (g Generator) NewSession() (codegen.Session, error) { return session{g}, nil }

// session is the generator of an executable.
type session struct{ Generator }

// Seal returns nil: closures are executable.
func (session) Seal() error { return nil }

// Gemm returns none: those of the library are plain Go.
func (g Generator) Gemm() rt.GemmSteps { return rt.GemmSteps{} }

// Scans returns none: those of the library are plain Go.
func (g Generator) Scans() rt.ScanSteps { return nil }

// Fourier returns none: those of the library are plain Go.
func (g Generator) Fourier() rt.FourierSteps { return nil }

// Sorts returns none: those of the library are plain Go.
func (g Generator) Sorts() rt.SortSteps { return nil }

// Combines returns none: those of the library are plain Go.
func (g Generator) Combines() rt.CombineSteps { return nil }

// Describe names the tier.
func (c *Code) Describe() codegen.Description { return codegen.Description{Tier: "portable"} }

// Compile compiles a kernel to run as the plan says.
func (g Generator) Compile(k *kernel.Kernel, p *plan.Plan) (codegen.Code, error) {
	c, err := g.compile(k, p)
	if err != nil {
		return nil, err
	}
	return c.Code, nil
}

// NewScratch returns the memory of a worker.
func (Generator) NewScratch() codegen.Scratch { return new(Scratch) }

// compile returns the compiler of a kernel when it has made the code.
func (g Generator) compile(k *kernel.Kernel, p *plan.Plan) (*compiler, error) {
	if len(k.Dims) > maxRank {
		return nil,
			fmt.Errorf("portable: kernel %s has %d dimensions, at most %d are supported", k.Name, len(k.Dims), maxRank)
	}
	p = p.MergedRows()
	c := &compiler{g: g, Code: &Code{k: k, Plan: p}, instrs: instrsOf(k), free: map[regClass][]int{}}
	if err := c.body(); err != nil {
		return nil, fmt.Errorf("portable: kernel %s: %w", k.Name, err)
	}
	c.oneTile = p.Form == plan.Map && p.Vec.Size <= p.Chunk && p.FitsTile()
	if len(c.reduces) > 0 && c.NumBlocks() > 1 {
		for _, f := range c.reduces {
			for _, t := range f.types {
				f.partial = append(f.partial, c.partials)
				c.partials += t.Size() * int(c.NumBlocks()*c.NumResults())
				c.partials = (c.partials + 63) &^ 63
			}
		}
	}
	return c, nil
}

// newReg adds a register with storage for a tile of type t, or for one element.
func (c *compiler) newReg(t dtype.Type, uniform bool) int {
	n := plan.TileElems
	if uniform {
		n = 1
	}
	c.regOffset = append(c.regOffset, c.regBytes)
	c.regBytes += (n*regSize(t) + 63) &^ 63
	return len(c.regOffset) - 1
}

// newPointer adds a register that points into a parameter.
func (c *compiler) newPointer() int {
	c.regOffset = append(c.regOffset, -1)
	return len(c.regOffset) - 1
}

// at returns a pointer to element i of size bytes each.
func at(p unsafe.Pointer, i int64, size int) unsafe.Pointer {
	return unsafe.Add(p, int(i)*size)
}
