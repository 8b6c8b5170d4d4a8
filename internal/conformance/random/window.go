package random

import (
	"slices"

	"github.com/go-nx/nx/dtype"
	"github.com/go-nx/nx/stablehlo"
)

// slide is how a window moves over a shape.
type slide struct {
	size, stride, dilation, base []int64
	padding                      []int64 // low and high by dimension
}

func ones(n int) []int64 { return slices.Repeat([]int64{1}, n) }

// slide returns a random window that fits a shape.
func (m *maker) slide(dims []int64) slide {
	n := len(dims)
	s := slide{ones(n), ones(n), ones(n), ones(n), make([]int64, 2*n)}
	for d, size := range dims {
		switch m.r.IntN(5) {
		case 0: // small, with all there is
			s.size[d], s.stride[d] = int64(1+m.r.IntN(4)), int64(1+m.r.IntN(3))
			s.dilation[d], s.base[d] = int64(1+m.r.IntN(2)), int64(1+m.r.IntN(2))
			s.padding[2*d], s.padding[2*d+1] = int64(m.r.IntN(4)-1), int64(m.r.IntN(4)-1)
			// No dimension may end below zero.
			if (size-1)*s.base[d]+1+s.padding[2*d]+s.padding[2*d+1] < 0 {
				s.padding[2*d], s.padding[2*d+1] = 0, 0
			}
		case 1: // side by side
			s.size[d] = int64(1 + m.r.IntN(3))
			s.stride[d] = s.size[d]
		case 2: // cumulative
			if size > 0 {
				s.size[d], s.padding[2*d+m.r.IntN(2)] = size, size-1
			}
		}
	}
	return s
}

func pairs(name string, v []int64) stablehlo.NamedAttr {
	a, err := stablehlo.Elements(v, int64(len(v)/2), 2)
	if err != nil {
		panic("random: " + err.Error())
	}
	return stablehlo.Named(name, a)
}

// reduceWindow reduces the windows of one tensor or two.
func (m *maker) reduceWindow() {
	x, ok := m.find(func(v value) bool { return v.rank() > 0 && v.count() < 5000 })
	if !ok {
		return
	}
	s := m.slide(x.dims())
	if x.count()*count(s.size) > 1_000_000 {
		return
	}
	inputs := []value{x}
	if y, ok := m.find(func(v value) bool { return slices.Equal(v.dims(), x.dims()) }); ok && m.r.IntN(4) == 0 {
		inputs = append(inputs, y)
	}
	var inits []value
	var ops []stablehlo.OpCode
	for _, v := range inputs {
		c, init := m.reduction(v.dtype(), count(s.size))
		ops, inits = append(ops, c), append(inits, init)
	}
	m.emitAll(stablehlo.OpReduceWindow, slices.Concat(inputs, inits), ints("window_dimensions", s.size...),
		ints("window_strides", s.stride...),
		ints("window_dilations", s.dilation...), ints("base_dilations", s.base...), pairs("padding", s.padding),
		reductionBody(ops, inputs))
}

// selectAndScatter sends values back to the largest elements of windows.
func (m *maker) selectAndScatter() {
	x, ok := m.find(func(v value) bool {
		return v.exact && v.rank() > 0 && v.count() > 0 && v.count() < 3000 && !v.dtype().IsComplex() &&
			v.dtype() != dtype.Bool
	})
	if !ok {
		return
	}
	n := x.rank()
	size, stride, out := ones(n), ones(n), slices.Clone(x.dims())
	for d := range out {
		if m.r.IntN(2) == 0 {
			size[d] = 1 + m.r.Int64N(min(out[d], 3))
			stride[d] = 1 + m.r.Int64N(3)
			out[d] = (out[d]-size[d])/stride[d] + 1
		}
	}
	m.selectedAndScattered(x, m.of(x.Tensor().WithDims(out...), false), size, stride)
}

func (m *maker) selectedAndScattered(x, source value, size, stride []int64) value {
	c, init := m.reduction(x.dtype(), count(size))
	t := stablehlo.Tensor(x.dtype())
	choose := stablehlo.Body{Args: []stablehlo.Type{t, t},
		Build: func(b *stablehlo.Builder, a []*stablehlo.Value) ([]*stablehlo.Value, error) {
			v, err := b.Value(stablehlo.OpCompare, a, direction("GE"))
			return []*stablehlo.Value{v}, err
		}}
	return m.emit(stablehlo.OpSelectAndScatter, []value{x, source, init}, ints("window_dimensions", size...),
		ints("window_strides", stride...),
		choose, scalarBody(c, x.dtype()))
}

// convolution makes one of up to three spatial dimensions in any layout.
func (m *maker) convolution() {
	d := pick(m.r, []dtype.Type{dtype.F32, dtype.F32, dtype.F32, dtype.F64, dtype.S32, dtype.S8, dtype.C64})
	if m.smooth {
		d = m.smoothType()
	}
	n := m.r.IntN(4)
	size := func(limit int) int64 { return int64(1 + m.r.IntN(limit)) }
	features, groups, batches := size(4), int64(1), int64(1)
	switch m.r.IntN(5) {
	case 0:
		groups = size(4)
	case 1:
		batches = size(3)
	}
	outputs := size(5) * groups * batches
	if m.r.IntN(6) == 0 {
		features, outputs = features*8, outputs*8
	}
	image := []int64{size(3) * batches, features * groups}
	kernel := []int64{features, outputs}
	result := []int64{image[0] / batches, outputs}
	var attrs []stablehlo.OpPart
	stride, dilateX, dilateK, padding, reversal := ones(n), ones(n), ones(n), make([]int64, 2*n), make([]int64, n)
	for i := range n {
		k, x := size(3), size(9)
		if m.r.IntN(2) == 0 {
			stride[i], dilateX[i], dilateK[i], reversal[i] = size(2), size(2), size(2), int64(m.r.IntN(2))
			padding[2*i], padding[2*i+1] = int64(m.r.IntN(4)-1), int64(m.r.IntN(4)-1)
		}
		if (x-1)*dilateX[i]+1+padding[2*i]+padding[2*i+1] < 0 {
			padding[2*i], padding[2*i+1] = 0, 0
		}
		image, kernel = append(image, x), append(kernel, k)
		padded, window := (x-1)*dilateX[i]+1+padding[2*i]+padding[2*i+1], (k-1)*dilateK[i]+1
		result = append(result, max(padded-window+stride[i], 0)/stride[i])
	}
	attrs = append(attrs, ints("window_strides", stride...), ints("lhs_dilation", dilateX...),
		ints("rhs_dilation", dilateK...), pairs("padding", padding),
		stablehlo.Named("window_reversal", stablehlo.IntsAttr{Elem: dtype.Bool, Values: reversal}),
		stablehlo.Named("feature_group_count", stablehlo.I64(groups)),
		stablehlo.Named("batch_group_count", stablehlo.I64(batches)))
	// Each of the three tensors has its own order of dimensions.
	var at [3][]int64
	var types [3]*stablehlo.TensorType
	for i := range at {
		for _, p := range m.r.Perm(n + 2) {
			at[i] = append(at[i], int64(p))
		}
	}
	for i, dims := range [][]int64{image, kernel, result} {
		permuted := make([]int64, n+2)
		for j, p := range at[i] {
			permuted[p] = dims[j]
		}
		types[i] = stablehlo.Tensor(d, permuted...)
	}
	attrs = append(attrs, stablehlo.Results{types[2]}, stablehlo.Named("dimension_numbers", &stablehlo.ConvDims{
		InputBatch: at[0][0], InputFeature: at[0][1], InputSpatial: at[0][2:],
		KernelInputFeature: at[1][0], KernelOutputFeature: at[1][1], KernelSpatial: at[1][2:],
		OutputBatch: at[2][0], OutputFeature: at[2][1], OutputSpatial: at[2][2:]}))
	m.emit(stablehlo.OpConvolution, []value{m.of(types[0], false), m.of(types[1], false)}, attrs...)
}
