package exec

import (
	"github.com/go-nx/nx/dtype"
	"github.com/go-nx/nx/internal/cpu/codegen"
	"github.com/go-nx/nx/internal/cpu/program"
)

// scalarContract returns a contraction as a small GEMM, with the roots of buffers; ok is false for other contractions.
func (x *Executable) scalarContract(n *program.Contraction) (c codegen.Contract, ok bool) {
	isBF16 := program.IsBF16Gemm(x.prog, n)
	if !isBF16 && !program.IsPlainGemm(x.prog, n) || program.Size(n.Out.Batch) != 1 {
		return c, false
	}
	t := n.Acc
	if isBF16 {
		t = dtype.BF16
	}
	c = codegen.Contract{Type: t, M: int(program.Size(n.Out.Rows)), N: int(program.Size(n.Out.Cols)),
		K: int(program.Size(n.Left.Cols))}
	ok = true
	matrix := func(buf int, m *program.Matrix) codegen.Matrix {
		size := int64(c.Type.Size())
		row, isRow := strideOf(m.Rows)
		col, isCol := strideOf(m.Cols)
		ok = ok && isRow && isCol
		return codegen.Matrix{Buf: x.layout.Root[buf], At: int(m.Offset * size), Row: int(row * size),
			Col: int(col * size)}
	}
	c.Left, c.Right, c.Out = matrix(n.Ins[0], &n.Left), matrix(n.Ins[1], &n.Right), matrix(n.Outs[0], &n.Out)
	return c, ok
}

// strideOf returns the stride along dimensions of which at most one has several elements; ok is false for others.
func strideOf(dims []program.Dim) (stride int64, ok bool) {
	several := 0
	for _, d := range dims {
		if d.Size != 1 {
			several++
			stride = d.Stride
		}
	}
	return stride, several <= 1
}
