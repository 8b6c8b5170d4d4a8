package nx

import "github.com/go-nx/nx/internal/core"

// VmapOption is an option of [Vmap].
type VmapOption = core.VmapOption

// InAxes says for each argument of f, without a leading context, along which axis of
// its tensors the batch lies: by position (an int, negative from the end) or by name (a
// string); nil for an argument that all elements share. A map from the paths of tensors
// ("Layers[0].W", see [tree.Leaves]) to such axes chooses among the tensors of a container;
// those it leaves out are shared.
func InAxes(axes ...any) VmapOption {
	return core.InAxes(axes...)
}

// OutAxes says for each result of f where the axis of the batch goes: a position among
// the axes of the result, negative from the end, or nil for a result that does not depend
// on the batch and is returned once.
func OutAxes(axes ...any) VmapOption {
	return core.OutAxes(axes...)
}

// Vmap returns f for a batch: a function that computes f for every element of a batch
// at once, written for one. The batch lies along the first axis of each tensor in the
// arguments and results, unless [InAxes] and [OutAxes] say otherwise. F is a function of
// containers. Tensors that f uses from outside are shared. Vmap, [Grad], [Jit] and
// control flow nest in any order: Vmap(Grad(f)) gives a gradient for each example.
//
// A condition that differs between the elements of a batch makes both branches of [Cond]
// run, and [While] go on until the last element is done; what is done keeps its state. Go functions
// ([debug.Hook], [RuntimeCall]) are called once for each element that gets there, or once for all where nothing that
// they
// are called with depends on the batch.
//
// Shapes: arguments [..., n, ...] → f on [...] each; results [..., n, ...]. A result
// whose name for the axis is free has the name that the axis has in the arguments.
// Gradient: that of f for each element; shared arguments get the sum.
// Errors: [ErrAxis] where there is no such axis, [ErrShape] where batches differ in
// size, naming both paths, [ErrBatch] where a result with a nil axis depends on the batch.
func Vmap[F any](f F, opts ...VmapOption) F {
	return core.Vmap[F](f, opts...)
}
