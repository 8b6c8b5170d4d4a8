package amd64

import (
	"errors"
	"fmt"
	"slices"

	"github.com/go-nx/nx/internal/cpu/codegen"
	"github.com/go-nx/nx/internal/cpu/kernel"
)

// ScalarCompiler makes one function of a loop over kernels of a few points each, and of what is
// inside. It notes what it is told, and lets the compiler of the other tier make code of it as
// well: that runs where there is no loop, whose trips would earn a call of machine code back,
// and where too much of a loop is what this generator lacks.
type ScalarCompiler struct {
	g     Generator
	under codegen.ScalarCompiler
	list  *[]scalarNode // of the block at hand
	all   []scalarNode
	sizes map[int]int64 // bytes of each reserved buffer
	loops int
}

// scalarNode is something that scalar code does.
type scalarNode any

type (
	scalarKernel struct {
		k    *kernel.Kernel
		bufs []int
	}
	scalarTiles struct {
		c       codegen.Code
		scratch func() codegen.Scratch
		bufs    []int
		windows map[int]codegen.Window
	}
	// scalarMoves are copies at the same time; fill and spill say which side is in memory.
	scalarMoves struct {
		moves       []codegen.Move
		fill, spill bool
	}
	scalarLoop struct {
		test       int
		cond, body []scalarNode
	}
	scalarBranch struct {
		index  int
		isBool bool
		blocks [][]scalarNode
	}
)

// NewScalarCompiler returns a compiler without operations.
func (g Generator) NewScalarCompiler() codegen.ScalarCompiler {
	c := &ScalarCompiler{g: g, under: g.Generator.NewScalarCompiler(), sizes: map[int]int64{}}
	c.list = &c.all
	return c
}

func (c *ScalarCompiler) add(n scalarNode) { *c.list = append(*c.list, n) }

// Reserve keeps a buffer in the file.
func (c *ScalarCompiler) Reserve(buf int, sizeBytes int64) {
	c.sizes[buf] = sizeBytes
	c.under.Reserve(buf, sizeBytes)
}

// IsReserved reports whether a buffer is kept in the file.
func (c *ScalarCompiler) IsReserved(buf int) bool { _, ok := c.sizes[buf]; return ok }

// Fill copies buffers in memory to reserved ones.
func (c *ScalarCompiler) Fill(moves ...codegen.Move) {
	c.add(&scalarMoves{moves: slices.Clone(moves), fill: true})
	c.under.Fill(moves...)
}

// Spill copies reserved buffers to memory.
func (c *ScalarCompiler) Spill(moves ...codegen.Move) {
	c.add(&scalarMoves{moves: slices.Clone(moves), spill: true})
	c.under.Spill(moves...)
}

// Copy copies reserved buffers to others, all at the same time.
func (c *ScalarCompiler) Copy(moves ...codegen.Move) {
	c.add(&scalarMoves{moves: slices.Clone(moves)})
	c.under.Copy(moves...)
}

// Kernel adds a kernel.
func (c *ScalarCompiler) Kernel(k *kernel.Kernel, bufs []int) error {
	c.add(&scalarKernel{k, slices.Clone(bufs)})
	return c.under.Kernel(k, bufs)
}

// Window adds a copy between an array and a part of it.
func (c *ScalarCompiler) Window(w codegen.Window) {
	c.add(&w)
	c.under.Window(w)
}

// Tiles adds a kernel of one chunk that is code of its own.
func (c *ScalarCompiler) Tiles(code codegen.Code, scratch func() codegen.Scratch, bufs []int,
	windows map[int]codegen.Window) {
	c.add(&scalarTiles{code, scratch, slices.Clone(bufs), windows})
	c.under.Tiles(code, scratch, bufs, windows)
}

// block returns what build adds.
func (c *ScalarCompiler) block(build func() error) (nodes []scalarNode, err error) {
	outer := c.list
	c.list = &nodes
	err = build()
	c.list = outer
	return nodes, err
}

// Loop runs the body as long as cond leaves true in the reserved buffer test.
func (c *ScalarCompiler) Loop(test int, cond, body func() error) error {
	c.loops++
	l := &scalarLoop{test: test}
	err := c.under.Loop(test, func() (err error) {
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
func (c *ScalarCompiler) Branch(index int, isBool bool, blocks []func() error) error {
	b := &scalarBranch{index: index, isBool: isBool, blocks: make([][]scalarNode, len(blocks))}
	var under []func() error
	for i, build := range blocks {
		under = append(under, func() (err error) {
			b.blocks[i], err = c.block(build)
			return err
		})
	}
	c.add(b)
	return c.under.Branch(index, isBool, under)
}

// Done returns the code.
func (c *ScalarCompiler) Done() (codegen.ScalarCode, error) {
	rest, err := c.under.Done()
	if err != nil || c.loops == 0 || c.g.arena == nil {
		return rest, err
	}
	code, err := assembleScalar(c, false)
	if errors.Is(err, ErrUnsupported) {
		return rest, nil
	}
	if err != nil {
		return nil, err
	}
	if code.f, err = c.g.arena.Add("loop", code.text, code.instructionBytes); err != nil {
		return nil, err
	}
	return code, nil
}

// fallbackFor returns the other tier's code of one node. All buffers are in memory for it, but for a
// moment those of indices.
func (c *ScalarCompiler) fallbackFor(n scalarNode) (codegen.ScalarCode, error) {
	under := c.g.Generator.NewScalarCompiler()
	reserve := func(w *codegen.Window) {
		for _, i := range w.Indices {
			if !under.IsReserved(i.Buf) {
				under.Reserve(i.Buf, c.sizes[i.Buf])
				under.Fill(codegen.Move{From: i.Buf, To: i.Buf, Bytes: c.sizes[i.Buf]})
			}
		}
	}
	switch n := n.(type) {
	case *scalarKernel:
		if err := under.Kernel(n.k, n.bufs); err != nil {
			return nil, err
		}
	case *codegen.Window:
		reserve(n)
		under.Window(*n)
	case *scalarTiles:
		for _, w := range n.windows {
			reserve(&w)
		}
		under.Tiles(n.c, n.scratch, n.bufs, n.windows)
	default:
		return nil, fmt.Errorf("internal error: a piece of scalar code of a %T", n)
	}
	return under.Done()
}

// buffersOf returns the buffers of a node that has no others inside.
func buffersOf(n scalarNode) []int {
	switch n := n.(type) {
	case *scalarKernel:
		return n.bufs
	case *codegen.Window:
		return []int{n.Array, n.Part}
	case *scalarTiles:
		bufs := slices.Clone(n.bufs)
		for p, w := range n.windows {
			bufs[p] = w.Array
		}
		return bufs
	}
	return nil
}
