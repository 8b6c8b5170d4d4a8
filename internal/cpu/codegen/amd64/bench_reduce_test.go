package amd64_test

import (
	"fmt"
	"testing"
	"unsafe"

	"github.com/go-nx/nx/dtype"
	"github.com/go-nx/nx/internal/cpu/codegen"
	"github.com/go-nx/nx/internal/cpu/codegen/amd64"
	"github.com/go-nx/nx/internal/cpu/codegen/amd64/target"
	"github.com/go-nx/nx/internal/cpu/codegen/portable"
	"github.com/go-nx/nx/internal/cpu/kernel"
	"github.com/go-nx/nx/internal/cpu/plan"
)

// BenchmarkReductions reduces rows and columns in the second-level cache, and a long vector.
func BenchmarkReductions(b *testing.B) {
	for _, c := range []struct {
		name          string
		dims, strides []int64
	}{
		{"rows", []int64{64, 1000}, []int64{1000, 1}}, {"columns", []int64{1000, 64}, []int64{1, 1000}},
		{"all", []int64{1 << 22}, []int64{1}},
	} {
		for _, kind := range []kernel.Op{kernel.Add, kernel.Max} {
			k := reducing(kind, kernel.Invalid, dtype.F32, c.dims, c.strides, 1, false)
			p := plan.Of(k)
			mem := make([]unsafe.Pointer, len(k.Params))
			for i, q := range k.Params {
				x := make([]float32, q.Elems)
				for j := range x {
					x[j] = float32(j%1000)/250 - 2
				}
				mem[i] = unsafe.Pointer(unsafe.SliceData(x))
			}
			fallback := portable.Generator{}
			for _, g := range []codegen.Generator{fallback, amd64.Generator{Generator: fallback},
				amd64.Generator{Generator: fallback, Width: target.V512}} {
				of, err := g.NewSession()
				if err != nil {
					b.Fatal(err)
				}
				code, err := of.Compile(k, p)
				if err == nil {
					err = of.Seal()
				}
				if err != nil {
					b.Fatal(err)
				}
				b.Run(fmt.Sprintf("%s/%s/%s", c.name, kind, code.Describe().Tier), func(b *testing.B) {
					s := g.NewScratch()
					partial := make([]uint64, code.PartialBytes()/8+1)
					b.SetBytes(4 * k.Params[0].Elems)
					for b.Loop() {
						for i := range p.NumChunks() {
							code.RunChunk(i, mem, nil, unsafe.Pointer(&partial[0]), s)
						}
						for i := range code.Finishes() {
							code.Finish(i, mem, unsafe.Pointer(&partial[0]), s)
						}
					}
				})
			}
		}
	}
}
