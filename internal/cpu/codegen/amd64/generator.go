// Package amd64 makes machine code of kernels for processors with AVX2, or with AVX-512.
// What it lacks is left to another tier, kernel by kernel.
package amd64

import (
	"errors"
	"fmt"
	"unsafe"

	"github.com/go-nx/nx/internal/cpu/asm/amd64"
	"github.com/go-nx/nx/internal/cpu/codegen"
	"github.com/go-nx/nx/internal/cpu/kernel"
	"github.com/go-nx/nx/internal/cpu/plan"
	"github.com/go-nx/nx/internal/cpu/rt"
)

// Width is what code may use.
type Width uint8

// The widths.
const (
	V256 Width = iota // vectors of 256 bits: AVX2 and FMA
	V512              // of 512 bits: AVX-512 F, VL, DQ and BW
)

// Needs returns what a processor has to have for code of the width.
func (w Width) Needs() amd64.Feature {
	avx2 := amd64.AVX | amd64.AVX2 | amd64.FMA | amd64.F16C | amd64.BMI1 | amd64.BMI2
	if w == V256 {
		return avx2
	}
	return avx2 | amd64.AVX512F | amd64.AVX512VL | amd64.AVX512DQ | amd64.AVX512BW
}

// vectorBytes returns the length of a vector.
func (w Width) vectorBytes() int {
	if w == V512 {
		return 64
	}
	return 32
}

// Generator is this tier over another one, which has the scratch memory, the scalar code,
// and the kernels that this one lacks.
type Generator struct {
	codegen.Generator
	Width Width
}

// ErrLacks is why a kernel is left to the other tier.
var ErrLacks = errors.New("amd64: not made by this generator")

func lacks(format string, args ...any) error {
	return fmt.Errorf("%w: %s", ErrLacks, fmt.Sprintf(format, args...))
}

// Compile makes machine code of the kernel, or lets the other tier make code of it.
func (g Generator) Compile(k *kernel.Kernel, p *plan.Plan) (codegen.Code, error) {
	c, err := g.compile(k, p)
	if errors.Is(err, ErrLacks) {
		return g.Generator.Compile(k, p)
	}
	if err != nil {
		return nil, fmt.Errorf("amd64: kernel %s: %w", k.Name, err)
	}
	return c, nil
}

func (g Generator) compile(k *kernel.Kernel, p *plan.Plan) (*Code, error) {
	text, instructionBytes, err := Assemble(g.Width, k, p)
	if err != nil {
		return nil, err
	}
	arena, err := rt.NewCodeArena()
	if err != nil {
		return nil, err
	}
	f, err := arena.Add(k.Name, text, instructionBytes)
	if err != nil {
		return nil, err
	}
	if err := arena.Seal(); err != nil {
		return nil, err
	}
	return &Code{k, p, f}, nil
}

// Code is a kernel without reductions as machine code.
type Code struct {
	k *kernel.Kernel
	*plan.Plan
	f *rt.Function
}

// maxAccesses is how many addresses code has registers for.
const maxAccesses = 11

// arguments are what code is called with: the number of elements, and where the first of
// them is for each access.
type arguments struct {
	n  int64
	at [maxAccesses]unsafe.Pointer
}

// PartialBytes returns 0: there are no partial results.
func (c *Code) PartialBytes() int { return 0 }

// Finish does nothing.
func (c *Code) Finish([]unsafe.Pointer, unsafe.Pointer, codegen.Scratch) {}

// RunChunk runs piece i; first are the elements that params are the addresses of.
func (c *Code) RunChunk(i int, params []unsafe.Pointer, first []int64, _ unsafe.Pointer, _ codegen.Scratch) {
	lo, hi, _ := c.Piece(i)
	var off [maxAccesses]int64
	for v := lo; v < hi; {
		n := c.seek(v, hi, &off)
		for i := range c.Accesses {
			if p := c.Accesses[i].Param; first != nil && p >= 0 {
				off[i] -= first[p] * int64(c.k.Params[p].Type.Size())
			}
		}
		c.call(n, params, &off)
		v += n
	}
}

// seek returns how many points from v on lie beside each other, up to hi, and sets the offsets
// in bytes of the accesses there.
func (c *Code) seek(v, hi int64, off *[maxAccesses]int64) (n int64) {
	n = hi - v
	if c.Rows {
		row := c.Vec.Dims[len(c.Vec.Dims)-1]
		n = min(n, row-v%row)
	}
	for i := range c.Accesses {
		a := &c.Accesses[i]
		off[i] = (a.Offset + offset(a.Vec, c.Vec.Dims, v)) * int64(c.k.Params[a.Param].Type.Size())
	}
	return n
}

func (c *Code) call(n int64, params []unsafe.Pointer, off *[maxAccesses]int64) {
	args := arguments{n: n}
	for i := range c.Accesses {
		args.at[i] = unsafe.Add(params[c.Accesses[i].Param], off[i])
	}
	c.f.Call(unsafe.Pointer(&args))
}

// RunElems computes the first n points of a kernel over one dimension.
func (c *Code) RunElems(n int, params []unsafe.Pointer, _ codegen.Scratch) {
	var off [maxAccesses]int64
	c.seek(0, 0, &off)
	c.call(int64(n), params, &off)
}

// offset returns how far the strides lead to a point of a space, counted in row-major order.
func offset(strides, dims []int64, linear int64) int64 {
	off := int64(0)
	for d := len(dims) - 1; d >= 0 && linear != 0; d-- {
		off += strides[d] * (linear % dims[d])
		linear /= dims[d]
	}
	return off
}
