package core

type convOptions struct {
	windowOptions
	inputDilation                  []int
	groups, batchGroups            int
	integers                       bool
	inputAxes, kernelAxes, outAxes []int
}

// inputDilationOption is the option made by [InputDilation].
type inputDilationOption struct{ dilations []int }

// InputDilation implements nx.InputDilation.
func InputDilation(n ...int) ConvOption { return inputDilationOption{n} }

func (d inputDilationOption) convOption(o *convOptions) { o.inputDilation = d.dilations }

// groupsOption is the option made by [FeatureGroups] and [BatchGroups].
type groupsOption struct {
	n     int
	batch bool
}

// FeatureGroups implements nx.FeatureGroups.
func FeatureGroups(n int) ConvOption { return groupsOption{n: n} }

// BatchGroups implements nx.BatchGroups.
func BatchGroups(n int) ConvOption { return groupsOption{n: n, batch: true} }

func (g groupsOption) convOption(o *convOptions) {
	if g.batch {
		o.batchGroups = g.n
	} else {
		o.groups = g.n
	}
}

func (groupsOption) label() string { return "the number of groups" }

func (g groupsOption) contradicts(other any) bool {
	return g.batch == other.(groupsOption).batch && g != other
}

// layoutOption is the option made by [Layout] and [ChannelsLast].
type layoutOption struct {
	input, kernel, out []int
	last               bool
}

// Layout implements nx.Layout.
func Layout(input, kernel, result []int) ConvOption {
	return layoutOption{input: input, kernel: kernel, out: result}
}

// ChannelsLast implements nx.ChannelsLast.
func ChannelsLast() ConvOption { return layoutOption{last: true} }

func (l layoutOption) convOption(o *convOptions) {
	o.inputAxes, o.kernelAxes, o.outAxes = l.input, l.kernel, l.out
	if l.last {
		o.inputAxes, o.kernelAxes, o.outAxes = lastAxes, lastAxes, lastAxes
	}
}

// lastAxes stands for the layout of [ChannelsLast], whose axes depend on the rank.
var lastAxes = []int{}

// integersOption is the type of [Integers].
type integersOption bool

// Integers sums products of integers of one type in s32 instead of floats: [DotIntegers] of windows.
const Integers integersOption = true

func (i integersOption) convOption(o *convOptions) { o.integers = bool(i) }

// WindowOption is nx.WindowOption.
type WindowOption interface {
	windowOption(*windowOptions)
	ConvOption
}

// ConvOption is nx.ConvOption.
type ConvOption interface{ convOption(*convOptions) }

type windowOptions struct {
	padding   paddingOption
	strides   []int
	dilations []int
}

// paddingOption says how a tensor is padded before windows move over it.
type paddingOption struct {
	same bool
	lohi [][2]int
}

// Same implements nx.Same.
func Same() WindowOption { return paddingOption{same: true} }

// Padding implements nx.Padding.
func Padding(lohi ...[2]int) WindowOption { return paddingOption{lohi: lohi} }

func (p paddingOption) windowOption(o *windowOptions) { o.padding = p }

func (p paddingOption) convOption(o *convOptions) { o.padding = p }

// stridesOption is the option made by [Strides].
type stridesOption struct{ strides []int }

// Strides implements nx.Strides.
func Strides(n ...int) WindowOption { return stridesOption{n} }

func (s stridesOption) windowOption(o *windowOptions) { o.strides = s.strides }

func (s stridesOption) convOption(o *convOptions) { o.strides = s.strides }

// dilationOption is the option made by [Dilation].
type dilationOption struct{ dilations []int }

// Dilation implements nx.Dilation.
func Dilation(n ...int) WindowOption { return dilationOption{n} }

func (d dilationOption) windowOption(o *windowOptions) { o.dilations = d.dilations }

func (d dilationOption) convOption(o *convOptions) { o.dilations = d.dilations }
