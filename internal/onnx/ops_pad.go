package onnx

import (
	"slices"

	"github.com/go-nx/nx/internal/core"
)

// padRows are ops that add, cut and rearrange elements at the edges of axes and in blocks.
func padRows() []row {
	return []row{
		single("Pad", pad),
		single("DepthToSpace", depthToSpace),
		single("SpaceToDepth", spaceToDepth),
		single("CenterCropPad", centerCropPad),
		single("Crop", crop),
	}
}

// padModes are the modes that take elements of the tensor.
var padModes = map[string]core.PadMode{"reflect": core.PadReflect, "edge": core.PadEdge, "wrap": core.PadWrap}

// pad is Pad: negative numbers cut, before elements are added. Numbers and value are attributes before version 11.
func pad(n *node) core.Tensor {
	x := n.in(0)
	lohi := n.pads(x.Rank())
	mode := n.attrString("mode", "constant")
	if mode != "constant" {
		m, ok := padModes[mode]
		if !ok {
			n.fail("the mode %q is not known", mode)
		}
		for axis, p := range lohi {
			before, after, size := max(-p[0], 0), max(-p[1], 0), dims(x)[axis]
			if before+after > size {
				n.fail("axis %d of size %d cannot lose %d elements", axis, size, before+after)
			}
			if before+after > 0 {
				x = part(x, axis, before, size-before-after)
			}
			lohi[axis] = [2]int{max(p[0], 0), max(p[1], 0)}
		}
		return core.PadWith(n.expanded(x, padded(dims(x), lohi)), m, lohi...)
	}
	value := zeroOf(x)
	switch {
	case n.version < 11 && n.attr("value") != nil:
		value = core.Full(core.Shape{}, n.attrFloat("value", 0), x.DType())
	case n.version >= 11:
		if v, ok := n.opt(2); ok {
			value = core.Reshape(v)
		}
	}
	return core.Pad(n.expanded(x, padded(dims(x), lohi)), sameType(value, x.DType()), lohi...)
}

// padded is a shape with its pads.
func padded(shape []int, lohi [][2]int) []int {
	out := slices.Clone(shape)
	for i, p := range lohi {
		out[i] += p[0] + p[1]
	}
	return out
}

// pads are the numbers of Pad, a pair an axis.
func (n *node) pads(rank int) [][2]int {
	var list, axes []int
	switch {
	case n.version < 2:
		list = n.attrInts("paddings")
	case n.version < 11:
		list = n.attrInts("pads")
	default:
		list = n.ints(1)
	}
	given := false
	if n.version >= 18 {
		axes, given = n.axes(3, "", rank)
	}
	if !given {
		for i := range rank {
			axes = append(axes, i)
		}
	}
	if len(list) != 2*len(axes) {
		n.fail("there are %d pads for %d axes", len(list), len(axes))
	}
	const most = 1 << 40
	out := make([][2]int, rank)
	for i, a := range axes {
		out[a] = [2]int{list[i], list[len(axes)+i]}
		if p := out[a]; max(p[0], p[1]) > most || min(p[0], p[1]) < -most {
			n.fail("the pads %v of axis %d are too large", p, a)
		}
	}
	return out
}

// blocks returns the operand of DepthToSpace and SpaceToDepth, and the size of a block.
func (n *node) blocks() (x core.Tensor, size int) {
	x = n.in(0)
	size = n.attrInt("blocksize", 0)
	if x.Rank() != 4 || size < 1 || size > 1<<20 {
		n.fail("the tensor has the shape %v, and blocks have the size %d", dims(x), size)
	}
	return x, size
}

// depthToSpace is DepthToSpace: channels become blocks; depth, column, row is the order of the mode DCR.
func depthToSpace(n *node) core.Tensor {
	x, b := n.blocks()
	s := dims(x)
	if s[1]%(b*b) != 0 {
		n.fail("%d channels are not blocks of %d × %d", s[1], b, b)
	}
	c := s[1] / (b * b)
	switch mode := n.attrString("mode", "DCR"); mode {
	case "DCR":
		x = core.Transpose(core.Reshape(x, s[0], b, b, c, s[2], s[3]), core.Axis(0, 3, 4, 1, 5, 2))
	case "CRD":
		x = core.Transpose(core.Reshape(x, s[0], c, b, b, s[2], s[3]), core.Axis(0, 1, 4, 2, 5, 3))
	default:
		n.fail("the mode %q is not known", mode)
	}
	return core.Reshape(x, s[0], c, s[2]*b, s[3]*b)
}

// spaceToDepth is SpaceToDepth: blocks become channels, before the channels of the tensor in their order, or after them
// in the mode CRD, which version 28 has.
func spaceToDepth(n *node) core.Tensor {
	x, b := n.blocks()
	s := dims(x)
	if s[2]%b != 0 || s[3]%b != 0 {
		n.fail("%d × %d elements are not blocks of %d × %d", s[2], s[3], b, b)
	}
	x = core.Reshape(x, s[0], s[1], s[2]/b, b, s[3]/b, b)
	switch mode := n.attrString("mode", "DCR"); mode {
	case "DCR":
		x = core.Transpose(x, core.Axis(0, 3, 5, 1, 2, 4))
	case "CRD":
		x = core.Transpose(x, core.Axis(0, 1, 3, 5, 2, 4))
	default:
		n.fail("the mode %q is not known", mode)
	}
	return core.Reshape(x, s[0], s[1]*b*b, s[2]/b, s[3]/b)
}

// centerCropPad is CenterCropPad: the middle of axes, or zeros around; an odd number has one more at the end.
func centerCropPad(n *node) core.Tensor {
	x, sizes := n.in(0), n.ints(1)
	axes, ok := n.axes(-1, "axes", x.Rank())
	if !ok {
		for i := range x.Rank() {
			axes = append(axes, i)
		}
	}
	if len(axes) != len(sizes) {
		n.fail("there are %d sizes for %d axes", len(sizes), len(axes))
	}
	lohi := make([][2]int, x.Rank())
	for i, axis := range axes {
		if sizes[i] < 0 || sizes[i] > 1<<40 {
			n.fail("the size %d", sizes[i])
		}
		d := sizes[i] - dims(x)[axis]
		lohi[axis] = [2]int{d / 2, d - d/2}
	}
	return core.Pad(n.expanded(x, padded(dims(x), lohi)), zeroOf(x), lohi...)
}

// crop is Crop, an experimental op of version 1: it cuts left, top, right and bottom borders off images, or takes
// scale[0] × scale[1] elements.
func crop(n *node) core.Tensor {
	x, border, scale := n.in(0), n.attrInts("border"), n.attrInts("scale")
	if x.Rank() != 4 || len(border) != 4 || scale != nil && len(scale) != 2 {
		n.fail("the tensor has the shape %v, the border is %v, the scale is %v", dims(x), border, scale)
	}
	h, w := dims(x)[2]-border[1]-border[3], dims(x)[3]-border[0]-border[2]
	if scale != nil {
		h, w = scale[0], scale[1]
	}
	if slices.Min(border) < 0 || h < 0 || w < 0 || border[1]+h > dims(x)[2] || border[0]+w > dims(x)[3] {
		n.fail("the border %v of %d × %d elements", border, dims(x)[2], dims(x)[3])
	}
	return part(part(x, 2, border[1], h), 3, border[0], w)
}

// zeroOf is a zero of the type of a tensor.
func zeroOf(x core.Tensor) core.Tensor { return core.Zeros(core.Shape{}, x.DType()) }
