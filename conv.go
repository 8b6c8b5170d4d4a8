package nx

import "github.com/go-nx/nx/internal/core"

// InputDilation spreads the elements of the input of a convolution: n-1 zeros lie between
// neighbours, for each spatial axis, or for all when it is one number. It is the stride of
// a transposed convolution.
func InputDilation(n ...int) ConvOption {
	return core.InputDilation(n...)
}

// FeatureGroups splits the channels of the input into n groups, each with kernels of its own: if n
// is the number of channels, the convolution is depthwise.
func FeatureGroups(n int) ConvOption {
	return core.FeatureGroups(n)
}

// BatchGroups splits the batch into n groups, each with its own kernels: the gradient of a grouped
// convolution uses it.
func BatchGroups(n int) ConvOption {
	return core.BatchGroups(n)
}

// Layout says where the axes of a convolution are: for the input the positions of the
// batch, the channels and the spatial axes, for the kernel those of the channels out, the
// channels in and the spatial axes, for the result as for the input. nil stands for the
// order [0, 1, 2, …].
func Layout(input, kernel, result []int) ConvOption {
	return core.Layout(input, kernel, result)
}

// ChannelsLast puts the channels last, as images in memory have them: input [batch,
// spatial…, in], kernel [spatial…, in, out], result [batch, spatial…, out].
func ChannelsLast() ConvOption {
	return core.ChannelsLast()
}

// Conv slides a kernel over the input, at each position summing the products of the elements over
// all channels: a cross-correlation, as in deep learning; the kernel is not flipped. Options:
// [Same], [Padding], [Strides], [Dilation] of the kernel, [InputDilation], [FeatureGroups],
// [BatchGroups], [Layout], [ChannelsLast].
//
// Shapes: input [batch, in, n…], kernel [out, in/groups, k…] → [batch, out, m…] with m =
// (n+lo+hi-(k-1)·dilation-1)/stride+1. Names are those of the input. DTypes: promoted, integers
// become f32; floats narrower than f32 are added in f32. Gradient: two convolutions. Accuracy: a
// sum of in/groups·k… products. Errors: [ErrShape] where channels or groups do not fit or no window
// fits, [ErrArgument]. Source: StableHLO convolution.
func Conv(input, kernel Tensor, opts ...ConvOption) Tensor {
	return Tensor(core.Conv(core.Tensor(input), core.Tensor(kernel), opts...))
}
