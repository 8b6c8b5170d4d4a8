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
	v       *portable.Vector
	args    int
	scratch sync.Pool
}

func compileRegion(b *stablehlo.Block) (*region, error) {
	k, err := fuse.Region(b)
	if err != nil {
		return nil, err
	}
	v, err := portable.CompileVector(k)
	if err != nil {
		return nil, err
	}
	return &region{v: v, args: len(b.Args), scratch: sync.Pool{New: func() any { return new(portable.Scratch) }}}, nil
}

// apply computes n elements from the addresses of the arguments and results.
func (r *region) apply(s *portable.Scratch, params []unsafe.Pointer, n int) { r.v.Run(s, params, n) }

func (r *region) getScratch() *portable.Scratch  { return r.scratch.Get().(*portable.Scratch) }
func (r *region) putScratch(s *portable.Scratch) { r.scratch.Put(s) }

// addr returns the address of element i.
func addr(b []byte, i int64, size int) unsafe.Pointer {
	return unsafe.Add(unsafe.Pointer(unsafe.SliceData(b)), int(i)*size)
}
