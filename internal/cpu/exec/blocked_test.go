package exec

import (
	"bytes"
	"context"
	"encoding/binary"
	"fmt"
	"testing"

	"github.com/go-nx/nx/dtype"
	"github.com/go-nx/nx/internal/cpu/codegen/portable"
	"github.com/go-nx/nx/internal/cpu/fuse"
	"github.com/go-nx/nx/internal/cpu/rt"
	"github.com/go-nx/nx/stablehlo"
)

// A transposed operand is read in blocks: the same elements for all sizes.
func TestBlockedTranspose(t *testing.T) {
	for _, c := range []struct{ dims, perm []int64 }{
		{[]int64{300, 257}, []int64{1, 0}},
		{[]int64{129, 2048}, []int64{1, 0}},
		{[]int64{17, 5, 400}, []int64{2, 1, 0}},
		{[]int64{150, 33, 4}, []int64{2, 1, 0}},
		{[]int64{3, 200, 130}, []int64{0, 2, 1}},
		{[]int64{140, 6, 50}, []int64{1, 2, 0}},
	} {
		t.Run(fmt.Sprint(c.dims, c.perm), func(t *testing.T) {
			m := stablehlo.NewModule("")
			outDims := make([]int64, len(c.dims))
			for i, p := range c.perm {
				outDims[i] = c.dims[p]
			}
			it, ot := stablehlo.Tensor(dtype.S32, c.dims...), stablehlo.Tensor(dtype.S32, outDims...)
			f := m.AddFunc("main", &stablehlo.FuncType{Ins: []stablehlo.Type{it, ot}, Outs: []stablehlo.Type{ot}})
			b := appender{f.Body()}
			v := b.op(stablehlo.OpTranspose, ot, f.Args()[:1],
				stablehlo.Named("permutation", stablehlo.I64s(c.perm...)))
			v = b.op(stablehlo.OpAdd, ot, []*stablehlo.Value{v, f.Args()[1]})
			b.block.Append(stablehlo.NewOp(stablehlo.OpFuncReturn, []*stablehlo.Value{v}, nil))
			p, err := fuse.Build(f)
			if err != nil {
				t.Fatal(err)
			}
			n, _ := it.NumElems()
			in, plus, want := make([]byte, 4*n), make([]byte, 4*n), make([]byte, 4*n)
			place := make([]int64, len(c.dims))
			for i := range n {
				binary.LittleEndian.PutUint32(plus[4*i:], uint32(1000*i))
				rest, at := i, int64(0)
				for d := len(outDims) - 1; d >= 0; d-- {
					place[c.perm[d]] = rest % outDims[d]
					rest /= outDims[d]
				}
				for d, k := range place {
					at = at*c.dims[d] + k
				}
				binary.LittleEndian.PutUint32(in[4*at:], uint32(at))
				binary.LittleEndian.PutUint32(want[4*i:], uint32(at+1000*i))
			}
			for _, workers := range []int{1, 3} {
				x, err := Compile(p, &rt.Env{Pool: rt.NewPool(workers)}, portable.Generator{})
				if err != nil {
					t.Fatal(err)
				}
				out, err := x.Run(context.Background(), [][]byte{in, plus})
				if err != nil || !bytes.Equal(out[0], want) {
					t.Fatalf("%d workers: wrong elements (%v)", workers, err)
				}
			}
		})
	}
}
