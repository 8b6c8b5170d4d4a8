// Package scalar compiles loops over kernels of a few points to one function, whose values are in the first lanes of
// vectors.
package scalar

import (
	"errors"
	"fmt"
	"slices"

	"github.com/go-nx/nx/internal/cpu/codegen"
	"github.com/go-nx/nx/internal/cpu/codegen/amd64/target"
	"github.com/go-nx/nx/internal/cpu/kernel"
	"github.com/go-nx/nx/internal/cpu/rt"
)

// Compiler compiles a loop over kernels of a few points each to one function. It records its calls, and forwards
// them to the compiler of the fallback tier, whose code is used if there is no loop to amortise a call of machine code,
// or if too much of the loop is not supported.
type Compiler struct {
	width    target.Width
	arena    *rt.CodeArena     // nil: the fallback code runs
	tier     codegen.Generator // the fallback tier
	fallback codegen.ScalarCompiler
	list     *[]scalarNode // of the current block
	all      []scalarNode
	sizes    map[int]int64 // bytes of each reserved buffer
	loops    int
}

// scalarNode is an operation of scalar code.
type scalarNode any

type (
	kernelNode struct {
		k    *kernel.Kernel
		bufs []int
	}
	tilesNode struct {
		c       codegen.Code
		scratch func() codegen.Scratch
		bufs    []int
		windows map[int]codegen.Window
	}
	// movesNode are simultaneous copies; fill and spill tell which side is in memory.
	movesNode struct {
		moves       []codegen.Move
		fill, spill bool
	}
	loopNode struct {
		test       int
		cond, body []scalarNode
	}
	branchNode struct {
		index  int
		isBool bool
		blocks [][]scalarNode
	}
)

// NewCompiler returns a compiler without operations on top of a fallback tier. Without an arena, the code of that
// tier runs.
func NewCompiler(w target.Width, arena *rt.CodeArena, fallback codegen.Generator) *Compiler {
	c := &Compiler{width: w, arena: arena, tier: fallback, fallback: fallback.NewScalarCompiler(),
		sizes: map[int]int64{}}
	c.list = &c.all
	return c
}

func (c *Compiler) add(n scalarNode) { *c.list = append(*c.list, n) }

// Reserve keeps a buffer in the file.
func (c *Compiler) Reserve(buf int, sizeBytes int64) {
	c.sizes[buf] = sizeBytes
	c.fallback.Reserve(buf, sizeBytes)
}

// IsReserved reports whether a buffer is kept in the file.
func (c *Compiler) IsReserved(buf int) bool { _, ok := c.sizes[buf]; return ok }

// Fill copies buffers in memory to reserved ones.
func (c *Compiler) Fill(moves ...codegen.Move) {
	c.add(&movesNode{moves: slices.Clone(moves), fill: true})
	c.fallback.Fill(moves...)
}

// Spill copies reserved buffers to memory.
func (c *Compiler) Spill(moves ...codegen.Move) {
	c.add(&movesNode{moves: slices.Clone(moves), spill: true})
	c.fallback.Spill(moves...)
}

// Copy copies reserved buffers to others; the moves of a call happen at the same time.
func (c *Compiler) Copy(moves ...codegen.Move) {
	c.add(&movesNode{moves: slices.Clone(moves)})
	c.fallback.Copy(moves...)
}

// Kernel adds a kernel.
func (c *Compiler) Kernel(k *kernel.Kernel, bufs []int) error {
	c.add(&kernelNode{k, slices.Clone(bufs)})
	return c.fallback.Kernel(k, bufs)
}

// Window adds a copy between an array and a part of it.
func (c *Compiler) Window(w codegen.Window) {
	c.add(&w)
	c.fallback.Window(w)
}

// Tiles adds a kernel of one chunk that has its own code.
func (c *Compiler) Tiles(code codegen.Code, scratch func() codegen.Scratch, bufs []int,
	windows map[int]codegen.Window) {
	c.add(&tilesNode{code, scratch, slices.Clone(bufs), windows})
	c.fallback.Tiles(code, scratch, bufs, windows)
}

// block returns the nodes that build adds.
func (c *Compiler) block(build func() error) (nodes []scalarNode, err error) {
	outer := c.list
	c.list = &nodes
	err = build()
	c.list = outer
	return nodes, err
}

// Loop runs the body while cond leaves true in the reserved buffer test.
func (c *Compiler) Loop(test int, cond, body func() error) error {
	c.loops++
	l := &loopNode{test: test}
	err := c.fallback.Loop(test, func() (err error) {
		l.cond, err = c.block(cond)
		return err
	}, func() (err error) {
		l.body, err = c.block(body)
		return err
	})
	c.add(l)
	return err
}

// Branch runs one of the blocks.
func (c *Compiler) Branch(index int, isBool bool, blocks []func() error) error {
	b := &branchNode{index: index, isBool: isBool, blocks: make([][]scalarNode, len(blocks))}
	var fallback []func() error
	for i, build := range blocks {
		fallback = append(fallback, func() (err error) {
			b.blocks[i], err = c.block(build)
			return err
		})
	}
	c.add(b)
	return c.fallback.Branch(index, isBool, fallback)
}

// Done returns the code.
func (c *Compiler) Done() (codegen.ScalarCode, error) {
	rest, err := c.fallback.Done()
	if err != nil || c.loops == 0 || c.arena == nil {
		return rest, err
	}
	code, err := Assemble(c, false)
	if errors.Is(err, target.ErrUnsupported) {
		return rest, nil
	}
	if err != nil {
		return nil, err
	}
	if code.f, err = target.AddNative(c.arena, "loop", code.Text, code.InstructionBytes); errors.Is(err,
		target.ErrUnsupported) {
		return rest, nil
	} else if err != nil {
		return nil, err
	}
	return code, nil
}

// fallbackFor returns the fallback code of one node. Its buffers are in memory, except those of indices.
func (c *Compiler) fallbackFor(n scalarNode) (codegen.ScalarCode, error) {
	fallback := c.tier.NewScalarCompiler()
	reserve := func(w *codegen.Window) {
		for _, i := range w.Indices {
			if !fallback.IsReserved(i.Buf) {
				fallback.Reserve(i.Buf, c.sizes[i.Buf])
				fallback.Fill(codegen.Move{From: i.Buf, To: i.Buf, Bytes: c.sizes[i.Buf]})
			}
		}
	}
	switch n := n.(type) {
	case *kernelNode:
		if err := fallback.Kernel(n.k, n.bufs); err != nil {
			return nil, err
		}
	case *codegen.Window:
		reserve(n)
		fallback.Window(*n)
	case *tilesNode:
		for _, w := range n.windows {
			reserve(&w)
		}
		fallback.Tiles(n.c, n.scratch, n.bufs, n.windows)
	default:
		return nil, fmt.Errorf("internal error: fallback scalar code for a %T", n)
	}
	return fallback.Done()
}

// buffersOf returns the buffers of a node without nested nodes.
func buffersOf(n scalarNode) []int {
	switch n := n.(type) {
	case *kernelNode:
		return n.bufs
	case *codegen.Window:
		return []int{n.Array, n.Part}
	case *tilesNode:
		bufs := slices.Clone(n.bufs)
		for p, w := range n.windows {
			bufs[p] = w.Array
		}
		return bufs
	}
	return nil
}
