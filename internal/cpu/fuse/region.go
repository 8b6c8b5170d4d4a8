package fuse

import (
	"fmt"

	"github.com/go-nx/nx/internal/cpu/kernel"
	"github.com/go-nx/nx/stablehlo"
)

// regionLength is the nominal length of the kernel of a region; the caller of
// the code chooses the real one.
const regionLength = 1 << 20

// Region returns the kernel that applies a region on scalars to vectors: its
// parameters are the region's arguments, then its results. The region must use
// element-wise ops alone and no value from outside.
func Region(b *stablehlo.Block) (*kernel.Kernel, error) {
	if !isScalarBody(b) {
		return nil, fmt.Errorf("the region does more than compute on scalars")
	}
	k := &kernel.Kernel{Name: "region", Dims: []int64{regionLength}}
	e := &exprs{body: &k.Body}
	e.dims = k.Dims
	args := make([]kernel.Value, len(b.Args))
	for i, a := range b.Args {
		t := a.Tensor().DType()
		args[i] = k.Body.Add(kernel.Instr{Op: kernel.Load, Type: kernel.Register(t), From: t,
			At: &kernel.Access{Param: i, Strides: []int64{1}}})
	}
	results, err := e.scalars(b, args)
	if err != nil {
		return nil, err
	}
	for i, v := range results {
		k.Stores = append(k.Stores, kernel.Store{Value: v, Type: b.Terminator().Operands[i].Tensor().DType(),
			At: kernel.Access{Param: len(args) + i, Strides: []int64{1}}})
	}
	return k, nil
}
