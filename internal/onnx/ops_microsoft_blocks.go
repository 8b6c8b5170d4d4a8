package onnx

import (
	"math/bits"

	"github.com/go-nx/nx/dtype"
	"github.com/go-nx/nx/internal/core"
)

// unpacked returns numbers of 2, 4 or 8 bits, which are packed along the last axis, the lowest bits first. They stay
// packed in memory: the shifts are a part of the program.
func (n *node) unpacked(t core.Tensor, width int) core.Tensor {
	if t.DType() != dtype.U8 {
		n.fail("packed numbers are u8, not %v", t.DType())
	}
	switch width {
	case 8:
		return t
	case 2, 4:
	default:
		n.fail("numbers of %d bits are not supported, only those of 2, 4 and 8", width)
	}
	count := 8 / width
	shifts := make([]uint8, count)
	for i := range shifts {
		shifts[i] = uint8(i * width)
	}
	s := dims(t)
	t = core.RightShift(core.ExpandAxis(t, core.Axis(-1)), core.FromSlice(shifts, core.Shape{count}))
	t = core.BitwiseAnd(t, 1<<width-1)
	s[len(s)-1] *= count
	return core.Reshape(t, s...)
}

// matMulNBits is the product with the transpose of a matrix [N, K], whose rows are quantised in blocks.
func matMulNBits(n *node) core.Tensor {
	x, packed, scales := n.in(0), n.argument(n.in(1)), n.in(2)
	rows, depth := n.attrInt("N", 0), n.attrInt("K", 0)
	block, width := n.attrInt("block_size", 32), n.attrInt("bits", 4)
	if rows < 1 || depth < 1 || block < 1 || block&(block-1) != 0 || rows > 1<<31 || depth > 1<<31 {
		n.fail("N is %d, K %d and block_size %d", rows, depth, block)
	}
	if n.attrInt("weight_prepacked", 0) != 0 {
		n.fail("weights in the layout of a device are not supported")
	}
	blocks := (depth + block - 1) / block
	var y core.Tensor
	if packed.Size() == 0 { // there is no matrix
		shape := dims(x)
		shape[len(shape)-1] = rows
		y = core.Zeros(core.Shape(shape), dtype.F32)
	} else {
		q := n.unpacked(core.Reshape(packed, rows, blocks, -1), width)
		if dims(q)[2] != block {
			n.fail("a block has %d numbers, not %d", dims(q)[2], block)
		}
		y = n.blockedProduct(wide(x), q, core.Reshape(wide(scales), rows, blocks), n.blockZeros(rows, blocks, width),
			depth)
	}
	if b, ok := n.opt(5); ok {
		y = core.Add(y, wide(b))
	}
	return sameType(y, x.DType())
}

// blockZeros are the zero points of blocks in f32, [rows, blocks], or one number: they are packed, or floats.
func (n *node) blockZeros(rows, blocks, width int) core.Tensor {
	zero, ok := n.opt(3)
	switch {
	case !ok:
		return core.Full(core.Shape{}, 1<<(width-1), dtype.F32)
	case zero.DType() == dtype.U8:
		z := n.unpacked(core.Reshape(zero, rows, -1), width)
		if dims(z)[1] < blocks {
			n.fail("there are %d zero points for %d blocks", dims(z)[1], blocks)
		}
		return core.Cast(core.Slice(z, []int{0, 0}, []int{rows, blocks}), dtype.F32)
	}
	return core.Reshape(wide(zero), rows, blocks)
}

// blockedProduct is x·((q - zero)·scale)ᵀ for q [rows, blocks, block]. Blocks that are not in order have the numbers of
// the fifth operand.
func (n *node) blockedProduct(x, q, scales, zeros core.Tensor, depth int) core.Tensor {
	rows, blocks, block := dims(q)[0], dims(q)[1], dims(q)[2]
	if dims(x)[x.Rank()-1] != depth {
		n.fail("the operand has the shape %v, K is %d", dims(x), depth)
	}
	var w core.Tensor
	if groups, ok := n.opt(4); ok {
		at := core.Slice(core.Reshape(groups, -1), []int{0}, []int{depth})
		each := func(t core.Tensor) core.Tensor {
			if t.Rank() == 0 {
				return t
			}
			return core.Take(t, at, core.Axis(1))
		}
		w = core.Cast(core.Slice(core.Reshape(q, rows, blocks*block), []int{0, 0}, []int{rows, depth}), dtype.F32)
		w = core.Mul(core.Sub(w, each(zeros)), each(scales))
	} else {
		if zeros.Rank() > 0 {
			zeros = core.ExpandAxis(zeros, core.Axis(2))
		}
		w = core.Mul(core.Sub(core.Cast(q, dtype.F32), zeros), core.ExpandAxis(scales, core.Axis(2)))
		w = core.Reshape(w, rows, blocks*block)
		if blocks*block > depth {
			w = core.Slice(w, []int{0, 0}, []int{rows, depth})
		}
	}
	last := x.Rank() - 1
	return core.DotGeneral(x, w, core.DotDims{ContractA: []int{last}, ContractB: []int{1}})
}

// gatherBlockQuantized takes slices of a tensor that is quantised in blocks along an axis. Indices beyond give zeros.
func gatherBlockQuantized(n *node) core.Tensor {
	data, at, scales := n.in(0), n.in(1), n.in(2)
	zeros, hasZeros := n.opt(3)
	width := n.attrInt("bits", 4)
	isPacked := data.DType() == dtype.U8
	rank := data.Rank()
	gather := n.axis(n.attrInt("gather_axis", 0), rank)
	along := n.axis(n.attrInt("quantize_axis", 1), rank)
	block := n.attrInt("block_size", 128)
	if block < 0 || block > 0 && bits.OnesCount(uint(block)) != 1 {
		n.fail("block_size is %d", block)
	}
	if isPacked && gather == rank-1 && width < 8 {
		n.fail("numbers are packed along the axis from which slices are taken")
	}
	if at.DType() != dtype.S64 {
		at = core.Cast(at, dtype.S64)
	}
	size := dims(data)[gather]
	inside := core.LogicalAnd(core.Less(at, size), core.GreaterEqual(at, -size))
	at = core.Where(core.Less(at, 0), core.Add(at, size), at)
	pick := func(t core.Tensor) core.Tensor {
		if gather == along { // the block of an index
			return core.Take(t, core.Div(at, max(block, 1)), core.Axis(gather))
		}
		if dims(t)[gather] == 1 && size != 1 {
			return core.Take(t, core.Mul(at, 0), core.Axis(gather))
		}
		return core.Take(t, at, core.Axis(gather))
	}
	q := core.Take(n.argument(data), at, core.Axis(gather))
	scale := wide(pick(scales))
	var zero core.Tensor
	if isPacked {
		q = n.unpacked(q, width)
	}
	switch {
	case hasZeros && isPacked:
		zero = n.unpacked(pick(zeros), width)
	case hasZeros:
		zero = pick(zeros)
	case isPacked:
		zero = core.Full(core.Shape{}, 1<<(width-1), dtype.U8)
	}
	to := along // the axis of the blocks in what was taken
	if along > gather {
		to += at.Rank() - 1
	}
	spread := func(t core.Tensor) core.Tensor {
		if along == gather || t.Rank() == 0 {
			return t
		}
		want := dims(q)[to]
		if dims(t)[to] == 1 {
			return t
		}
		t = core.Repeat(t, max(block, 1), core.Axis(to))
		if have := dims(t); have[to] > want {
			have[to] = want
			t = core.Slice(t, make([]int, len(have)), have)
		}
		return t
	}
	if !zero.IsZero() {
		zero = spread(zero)
	}
	y := dequantized(q, spread(scale), zero)
	shape := append([]int{}, dims(at)...)
	for range gather {
		shape = append([]int{1}, shape...)
	}
	for len(shape) < y.Rank() {
		shape = append(shape, 1)
	}
	return sameType(core.Where(core.Reshape(inside, shape...), y, 0), scales.DType())
}
