package library

import (
	"github.com/go-nx/nx/internal/cpu/codegen"
	"github.com/go-nx/nx/internal/cpu/program"
	"github.com/go-nx/nx/stablehlo"
)

// ResultPart is the Part of a [Window] that is the op's result, not an operand.
const ResultPart = -1

// Window returns the window of a call that copies one run of elements, or runs with a constant stride, at an offset
// from its indices; buffers are operand numbers. For a store, the array is the operand and the result. ok is false for
// other ops and windows.
func Window(n *program.Call) (w codegen.Window, ok bool) {
	switch op := n.Op; op.Code {
	case stablehlo.OpDynamicSlice:
		in, out := op.Operands[0].Tensor(), op.Result().Tensor()
		w = codegen.Window{Part: ResultPart}
		return sliceWindow(w, in, out.Dims, newBox(out.Dims, strides(out.Dims), strides(in.Dims), in.DType().Size()),
			op.Operands, 1)
	case stablehlo.OpDynamicUpdateSlice:
		in, upd := op.Operands[0].Tensor(), op.Operands[1].Tensor()
		w = codegen.Window{Part: 1, Store: true}
		return sliceWindow(w, in, upd.Dims, newBox(upd.Dims, strides(in.Dims), strides(upd.Dims), in.DType().Size()),
			op.Operands, 2)
	case stablehlo.OpScatter:
		return scatterWindow(n)
	}
	return w, false
}

// sliceWindow returns the window of a slice of the array in; its indices are the operands from number first on.
func sliceWindow(w codegen.Window, in *stablehlo.TensorType, size []int64, b box, operands []*stablehlo.Value,
	first int) (codegen.Window, bool) {
	w.Elem, w.Bytes = b.elem, int(b.run)*b.elem
	ok := len(b.size) <= 1
	if len(b.size) == 1 {
		w.Runs, w.ArrayStep, w.PartStep = int(b.size[0]), int(b.src[0])*b.elem, int(b.dst[0])*b.elem
		if w.Store {
			w.ArrayStep, w.PartStep = w.PartStep, w.ArrayStep
		}
	}
	for d, stride := range strides(in.Dims) {
		t := operands[first+d].Tensor().DType()
		ok = ok && t.Bits() >= 8
		x := codegen.WindowIndex{Buf: first + d, Type: t, Limit: int(in.Dims[d] - size[d]),
			Stride: int(stride) * b.elem}
		if x.Limit > 0 { // else it starts at 0 for any index
			w.Indices = append(w.Indices, x)
		}
	}
	return w, ok
}

// scatterWindow returns the window of a scatter with one window, a body of one operation, and one element along each
// indexed dimension: it is completely inside or dropped.
func scatterWindow(call *program.Call) (codegen.Window, bool) {
	s := newScatter(call)
	w := codegen.Window{Part: 2, Store: true, Drop: true, Combine: s.combine, By: s.tier.op, Like: s.tier.like,
		Elem: s.box.elem, Bytes: int(s.box.run) * s.box.elem}
	if s.n != 1 || s.count != 1 || s.combine == nil || len(s.box.size) > 0 || s.t.Bits() < 8 {
		return w, false
	}
	for k, c := range s.clipped {
		if c.window != 1 || s.limit[k] < 0 {
			return w, false
		}
	}
	if call.Bodies[0].IsSecond() {
		w.Combine = nil
	}
	for k, stride := range s.operand {
		w.Indices = append(w.Indices,
			codegen.WindowIndex{Buf: 1, Type: s.t, Offset: k * int(s.stride) * s.t.Size(),
				Limit: int(s.limit[k]), Stride: int(stride) * s.box.elem})
	}
	return w, true
}
