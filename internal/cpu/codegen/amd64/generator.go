// Package amd64 generates machine code for kernels, and the micro-kernels of matrix products, for processors with AVX2
// or AVX-512. Another tier compiles the kernels that it does not support.
package amd64

import (
	"errors"
	"fmt"
	"unsafe"

	"github.com/go-nx/nx/internal/cpu/asm/amd64"
	"github.com/go-nx/nx/internal/cpu/codegen"
	"github.com/go-nx/nx/internal/cpu/codegen/amd64/compiler"
	"github.com/go-nx/nx/internal/cpu/codegen/amd64/move"
	"github.com/go-nx/nx/internal/cpu/codegen/amd64/scalar"
	"github.com/go-nx/nx/internal/cpu/codegen/amd64/target"
	"github.com/go-nx/nx/internal/cpu/kernel"
	"github.com/go-nx/nx/internal/cpu/plan"
	"github.com/go-nx/nx/internal/cpu/rt"
)

// Generator is this tier on top of a fallback tier, which compiles scalar code and unsupported kernels.
type Generator struct {
	codegen.Generator
	Width target.Width
	BF16  bool          // use VDPBF16PS, see [target.Width.HasBF16Dot]
	VNNI  bool          // use VPDPBUSD, see [target.Width.HasInt8Dot]
	AMX   amd64.Feature // AMX features that matrix products may use, see [target.Width.AMXFeatures]
	// Cache has the code of kernels of earlier compilations, and receives new code; it may be nil.
	Cache *codegen.CodeCache

	arena      *rt.CodeArena // of the executable
	finalizers *finalizerCache
}

// NewSession returns the generator of an executable, whose code has its own arena.
func (g Generator) NewSession() (codegen.Session, error) {
	fallback, err := g.Generator.NewSession()
	if err != nil {
		return nil, err
	}
	arena, err := rt.NewCodeArena()
	if err != nil {
		return nil, err
	}
	g.Generator, g.arena, g.finalizers = fallback, arena, &finalizerCache{code: map[string]codegen.Code{}}
	return session{g, fallback}, nil
}

// session is the generator of an executable.
type session struct {
	Generator
	fallback codegen.Session
}

// Seal makes the code of both tiers executable.
func (s session) Seal() error {
	if err := s.arena.Seal(); err != nil {
		return err
	}
	return s.fallback.Seal()
}

// Compile compiles the kernel to machine code, or with the fallback tier.
func (g Generator) Compile(k *kernel.Kernel, p *plan.Plan) (codegen.Code, error) {
	c, err := codegen.Code(nil), target.ErrUnsupported
	if chosen := planOf(g.Width, k, p); chosen != p {
		c, err = g.compile(k, chosen)
	}
	if errors.Is(err, target.ErrUnsupported) {
		c, err = g.compile(k, p)
	}
	switch {
	case errors.Is(err, compiler.ErrTooManyReduces) && len(k.Reduces) > 1:
		return g.compileSplit(k, p)
	case !errors.Is(err, target.ErrUnsupported):
		return c, err
	}
	c, restErr := g.Generator.Compile(k, p)
	if restErr != nil {
		return nil, restErr
	}
	return &fallbackCode{c, err}, nil
}

// compile compiles the kernel with the tiles of a plan. The error is ErrUnsupported if there is no code.
func (g Generator) compile(k *kernel.Kernel, p *plan.Plan) (codegen.Code, error) {
	key := ""
	if g.Cache != nil {
		key = string(p.AppendKey(k.AppendKey(nil)))
	}
	f, p, err := compiler.AssembleTiles(g.Width, k, p, false, g.Cache.Get(key))
	if errors.Is(err, target.ErrUnsupported) {
		return nil, err
	}
	if err != nil {
		return nil, fmt.Errorf("%s: kernel %s: %w", g.Width, k.Name, err)
	}
	g.Cache.Add(key, f.Texts())
	c := newCode(g, k, p, f)
	if c.f, err = target.AddNative(g.arena, k.Name, f.Text, f.InstructionBytes); err != nil {
		return nil, err
	}
	if f.Streamed != nil {
		if c.streamed, err = target.AddNative(g.arena, k.Name, f.Streamed.Text,
			f.Streamed.InstructionBytes); err != nil {
			return nil, err
		}
	}
	if len(c.transposed) > 0 || c.transposesReduces || c.readsAnyColumns() {
		if c.transposeFn, err = move.SharedTransposers(g.Width); err != nil {
			return nil, err
		}
	}
	if len(f.Reduces) > 0 {
		return newReduceCode(g, c)
	}
	return c, nil
}

// NewScalarCompiler returns a compiler of loops without operations.
func (g Generator) NewScalarCompiler() codegen.ScalarCompiler {
	return scalar.NewCompiler(g.Width, g.arena, g.Generator)
}

// IsScalarContract reports whether scalar code can compute a contraction, and is faster than a call.
func (g Generator) IsScalarContract(c *codegen.Contract) bool {
	return g.arena != nil && scalar.CanContract(g.Width, c)
}

// Tiles returns the code in the form that scalar code inlines.
func (c *Code) Tiles() *scalar.Tiles {
	return &scalar.Tiles{Kernel: c.k, Plan: c.Plan, Function: c.Function}
}

// Tiles returns the code in the form that scalar code inlines.
func (c *reduceCode) Tiles() *scalar.Tiles {
	t := c.Code.Tiles()
	for _, f := range c.finalizers {
		t.Finalizers = append(t.Finalizers, f.finish)
	}
	return t
}

// fallbackCode is code of the fallback tier.
type fallbackCode struct {
	codegen.Code
	why error
}

// Describe adds the reason why the kernel is not machine code.
func (c *fallbackCode) Describe() codegen.Description {
	d := c.Code.Describe()
	d.Why = c.why.Error()
	return d
}

// RunChunk runs piece i.
func (c *fallbackCode) RunChunk(i int, params []unsafe.Pointer, first []int64, partial unsafe.Pointer,
	s codegen.Scratch) {
	c.Code.RunChunk(i, params, first, partial, s.(*Scratch).Scratch)
}

// Finish reduces some of the partial results.
func (c *fallbackCode) Finish(i int, params []unsafe.Pointer, partial unsafe.Pointer, s codegen.Scratch) {
	c.Code.Finish(i, params, partial, s.(*Scratch).Scratch)
}

// RunElems computes the first n points of a kernel over one dimension.
func (c *fallbackCode) RunElems(n int, params []unsafe.Pointer, s codegen.Scratch) {
	c.Code.RunElems(n, params, s.(*Scratch).Scratch)
}
