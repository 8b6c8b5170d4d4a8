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

// Code is a kernel compiled for this tier. It is immutable and may run on several goroutines, each with its own
// Scratch.
type Code struct {
	k *kernel.Kernel
	*plan.Plan
	oneTile   bool
	batchRows int64 // reduced rows per tile

	regOffset []int // of each register in Scratch.store; -1 for a pointer to a parameter
	regBytes  int

	constants []step // instructions with constant results, in their own registers
	once      []step // instructions with the same result for the entire chunk
	tile      []step // instructions of a tile, stores last
	reduces   []*reduction

	partials int // size of the partial results of all blocks
}

// compiler holds the state of Compile.
type compiler struct {
	g Generator
	*Code
	instrs []instr
	refs   []ref   // of each value
	level  []level // of each value
	// accessOf is the access of each value in the plan, -1 if it has none.
	accessOf []int
	order    []kernel.Value // the computed instructions, in execution order
	position []int          // of each value in order
	lastRead []int          // the position of the last use of each value
	free     map[regClass][]int
}

// level tells how often a value is computed.
type level struct {
	uniform bool // one element for the entire tile
	once    bool // once for all tiles of a chunk
}

// Generator is this tier.
type Generator struct {
	// Function returns the loop of an elementary function of one F32 or F64 that differs from package functions; nil
	// for others. With it, a tier on top of this one has the same bits.
	Function func(in *kernel.Instr) codegen.Loop
}

// sliced converts a loop to one over slices.
func sliced[T float32 | float64](f codegen.Loop) func(dst, x []T) {
	return func(dst, x []T) {
		f(unsafe.Pointer(unsafe.SliceData(dst)), unsafe.Pointer(unsafe.SliceData(x)), len(x))
	}
}

// NewSession returns a session without memory: closures need no arena.
func (g Generator) NewSession() (codegen.Session, error) { return session{g}, nil }

// session is the generator of an executable.
type session struct{ Generator }

// Seal returns nil: closures are executable.
func (session) Seal() error { return nil }

// Gemm returns no steps: the library uses plain Go.
func (g Generator) Gemm() rt.GemmSteps { return rt.GemmSteps{} }

// Scans returns nil: the library uses plain Go.
func (g Generator) Scans() rt.ScanSteps { return nil }

// Fourier returns nil: the library uses plain Go.
func (g Generator) Fourier() rt.FourierSteps { return nil }

// Sorts returns nil: the library uses plain Go.
func (g Generator) Sorts() rt.SortSteps { return nil }

// Combines returns nil: the library uses plain Go.
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

// compile returns the compiler of a kernel after it has generated the code.
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

// newPointer adds a register that points to a parameter.
func (c *compiler) newPointer() int {
	c.regOffset = append(c.regOffset, -1)
	return len(c.regOffset) - 1
}

// at returns the address of element i of size bytes.
func at(p unsafe.Pointer, i int64, size int) unsafe.Pointer {
	return unsafe.Add(p, int(i)*size)
}
