package errors_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"runtime"
	"strings"
	"testing"

	"github.com/go-nx/nx/debug"
	"github.com/go-nx/nx/fft"
	"github.com/go-nx/nx/shard"
	"github.com/go-nx/nx/tree"

	"github.com/go-nx/nx"
	"github.com/go-nx/nx/cpu"
	"github.com/go-nx/nx/diag"
	"github.com/go-nx/nx/internal/nxtests/kit"
	"github.com/go-nx/nx/internal/testkit"
)

var (
	x23   = nx.New([][]float32{{1, 2, 3}, {4, 5, 6}}, nx.Names("batch", "features"))
	x45   = nx.Ones(nx.Shape{4, 5}, nx.F32)
	v4    = nx.Ones(nx.Shape{4}, nx.F32)
	u8    = nx.New([]uint8{1, 2})
	ints  = nx.New([]int32{1, 2, 3})
	cplx  = nx.New([]complex64{1, 2i})
	bools = nx.New([]bool{true, false})
	none  nx.Tensor
	rows  = nx.Zeros(nx.Shape{0, 3}, nx.F32)
)

// The names of these in docs/errors.md.
var (
	freed = kit.Freed
	kept  = kit.Kept
	held  = kit.Held
	raise = kit.Raise
)

// halves is a mesh of two devices.
var halves = shard.Mesh{{Name: "x", Size: 2}}

// onHalves computes on two devices, which have the whole argument.
func onHalves(f func(x nx.Tensor) nx.Tensor) func(x nx.Tensor) nx.Tensor {
	return shard.Map(f, halves, []shard.Sharding{{}}, []shard.Sharding{{}})
}

type node struct {
	W    nx.Tensor
	Next *node
}

func cycle() *node {
	n := &node{W: held(1)}
	n.Next = n
	return n
}

type boundModel struct{ W nx.Tensor }

func (m boundModel) Forward(x nx.Tensor) nx.Tensor { return nx.Mul(m.W, x) }

type layer struct{ W nx.Tensor }

type model struct {
	Layers []layer
	Head   nx.Tensor
}

type counted struct {
	T     nx.Tensor
	Steps int
}

// errorCases are mistakes, one per line, which the message names.
var errorCases = []struct {
	name string
	code diag.Code
	f    func()
}{
	{"add the zero tensor", nx.ErrAbsent, func() { nx.Add(x23, none) }},
	{"shape of the zero tensor", nx.ErrAbsent, func() { none.Shape() }},
	{"exp of the zero tensor", nx.ErrAbsent, func() { nx.Exp(none) }},
	{"sum of the zero tensor", nx.ErrAbsent, func() { nx.Sum(none) }},
	{"join a zero tensor", nx.ErrAbsent, func() { nx.Concatenate([]nx.Tensor{v4, none}) }},
	{"stack a zero tensor", nx.ErrAbsent, func() { nx.Stack([]nx.Tensor{none, v4}, nx.Axis(0)) }},
	{"clip by a zero tensor", nx.ErrAbsent, func() { nx.Clip(v4, 0, none) }},

	{"use a released tensor", nx.ErrReleased, func() { nx.Add(freed(), 1) }},
	{"read a released tensor", nx.ErrReleased, func() { nx.Data[float32](freed()) }},
	{"pass a released tensor to a compiled function", nx.ErrReleased, func() { nx.Jit(nx.Tanh)(freed()) }},
	{"use a released tensor in a traced function", nx.ErrReleased,
		func() { t := freed(); nx.Jit(func(x nx.Tensor) nx.Tensor { return nx.Add(x, t) })(held(2)) }},
	{"use a donated tensor", nx.ErrReleased, func() { t := held(2); nx.Jit(nx.Exp, nx.Donate(0))(t); nx.Exp(t) }},
	{"use a released constant", nx.ErrReleased, func() {
		t := nx.Ones(nx.Shape{2}, nx.F32)
		nx.Release(t)
		nx.Add(t, 1)
	}},
	{"cast a released tensor to its own type", nx.ErrReleased, func() { nx.Cast(freed(), nx.F32) }},
	{"donate a tensor that is used twice", nx.ErrReleased, func() {
		t := held(2)
		nx.Jit(func(a, b nx.Tensor) nx.Tensor { return nx.Add(a, b) }, nx.Donate(0))(t, t)
	}},

	{"add shapes that do not broadcast", nx.ErrShape, func() { nx.Add(x23, x45) }},
	{"compare shapes that do not broadcast", nx.ErrShape, func() { nx.Less(x23, v4) }},
	{"choose by a mask of another shape", nx.ErrShape, func() { nx.Where(bools, x23, 0) }},
	{"multiply matrices that do not fit", nx.ErrShape, func() { nx.Dot(x23, x45) }},
	{"multiply a matrix by its like", nx.ErrShape, func() { nx.Dot(x23, x23) }},
	{"multiply stacks of different heights", nx.ErrShape,
		func() { nx.Dot(nx.Ones(nx.Shape{2, 3, 4}, nx.F32), nx.Ones(nx.Shape{5, 4, 3}, nx.F32)) }},
	{"a parameter of another shape", nx.ErrShape, func() {
		nx.Grad(func(m model) nx.Tensor { return nx.Sum(nx.Dot(x23, m.Layers[1].W)) })(
			model{Layers: []layer{{x23}, {x45}}})
	}},
	{"a parameter of one of the arguments", nx.ErrShape, func() {
		nx.Jit(func(m model, x nx.Tensor) nx.Tensor { return nx.Add(nx.Transpose(m.Head), x) })(model{Head: x45}, x23)
	}},
	{"elements of a batch that do not fit", nx.ErrShape, func() {
		nx.Vmap(func(m model, x nx.Tensor) nx.Tensor { return nx.Add(m.Head, x) }, nx.InAxes(nil, 0))(
			model{Head: x23}, x45)
	}},
	{"elements of a batch of batches", nx.ErrShape, func() {
		nx.Vmap(nx.Vmap(func(x nx.Tensor) nx.Tensor {
			return nx.Grad(func(p []nx.Tensor) nx.Tensor { return nx.Reshape(p[0], 2) })([]nx.Tensor{x})[0]
		}))(nx.Ones(nx.Shape{8, 4, 3}, nx.F32))
	}},
	{"a state and a row that do not fit", nx.ErrShape, func() {
		nx.Scan(model{Head: v4}, []nx.Tensor{x23}, func(m model, x []nx.Tensor) (model, nx.Tensor) {
			return m, nx.Add(m.Head, x[0])
		})
	}},
	{"reshape to another number of elements", nx.ErrShape, func() { nx.Reshape(x23, 4, 2) }},
	{"reshape to a size that is not found", nx.ErrShape, func() { nx.Reshape(x23, 4, -1) }},
	{"reshape to a negative size", nx.ErrShape, func() { nx.Reshape(x23, -2, 3) }},
	{"squeeze an axis that is not 1", nx.ErrShape, func() { nx.Squeeze(x23, nx.Axis("batch")) }},
	{"broadcast to a smaller shape", nx.ErrShape, func() { nx.BroadcastTo(x23, 3) }},
	{"join different sizes", nx.ErrShape, func() { nx.Concatenate([]nx.Tensor{x45, nx.Ones(nx.Shape{4, 6}, nx.F32)}) }},
	{"join different ranks", nx.ErrShape, func() { nx.Concatenate([]nx.Tensor{x45, v4}) }},
	{"stack different shapes", nx.ErrShape, func() { nx.Stack([]nx.Tensor{x45, v4}, nx.Axis(0)) }},
	{"split into too much", nx.ErrShape, func() { nx.Split(x23, []int{2, 2}, nx.Axis("features")) }},
	{"maximum of nothing", nx.ErrShape, func() { nx.Max(rows) }},
	{"index of the maximum of nothing", nx.ErrShape, func() { nx.ArgMax(rows, nx.Axis(0)) }},
	{"item of a matrix", nx.ErrShape, func() { nx.Item[float64](x23) }},
	{"a flat slice of another length", nx.ErrShape, func() { nx.FromSlice([]float32{1, 2, 3}, nx.Shape{2, 2}) }},
	{"a negative size", nx.ErrShape, func() { nx.Zeros(nx.Shape{2, -3}, nx.F32) }},
	{"a size beyond any memory", nx.ErrShape, func() { nx.Ones(nx.Shape{1 << 40, 1 << 40}, nx.F32) }},
	{"too many axes", nx.ErrShape, func() { nx.Zeros(make(nx.Shape, 40), nx.F32) }},
	{"set a part to more than it is", nx.ErrShape, func() { nx.SetAt(x23, v4, 0) }},
	{"put a slice that is too large", nx.ErrShape, func() { nx.SetSlice(v4, nx.Ones(nx.Shape{5}, nx.F32), 0) }},
	{"cut more than there is", nx.ErrShape, func() { nx.Pad(v4, 0, [2]int{-3, -2}) }},
	{"pad without end", nx.ErrShape, func() { nx.Pad(v4, 0, [2]int{math.MaxInt, math.MaxInt}) }},
	{"split without end", nx.ErrShape, func() { nx.Split(v4, []int{math.MaxInt, math.MaxInt, 6}) }},
	{"two sizes to be found", nx.ErrShape, func() { nx.Reshape(x23, -1, -1) }},
	{"too many new axes", nx.ErrShape, func() { nx.Zeros(make(nx.Shape, 32), nx.F32).At(nx.NewAxis) }},
	{"more classes than memory", nx.ErrShape, func() { nx.OneHot(ints, math.MaxInt, nx.F32) }},
	{"the triangle of a vector", nx.ErrShape, func() { nx.Tril(v4, 0) }},
	{"bytes of another length", nx.ErrShape, func() { nx.FromBytes(make([]byte, 7), nx.Shape{2}, nx.F32) }},
	{"einsum of sizes that differ", nx.ErrShape, func() { nx.Einsum("ij,jk->ik", x23, x45) }},

	{"order complex numbers", nx.ErrDType, func() { nx.Less(cplx, 1) }},
	{"the larger of complex numbers", nx.ErrDType, func() { nx.Maximum(cplx, 1) }},
	{"bits of floats", nx.ErrDType, func() { nx.BitwiseAnd(v4, 1) }},
	{"shift floats", nx.ErrDType, func() { nx.LeftShift(v4, 1) }},
	{"integer quotient of floats", nx.ErrDType, func() { nx.Quotient(v4, 2) }},
	{"round complex numbers", nx.ErrDType, func() { nx.Floor(cplx) }},
	{"invert the bits of floats", nx.ErrDType, func() { nx.BitwiseNot(v4) }},
	{"erf of complex numbers", nx.ErrDType, func() { nx.Erf(cplx) }},
	{"maximum of complex numbers", nx.ErrDType, func() { nx.Max(cplx) }},
	{"softmax of complex numbers", nx.ErrDType, func() { nx.Softmax(cplx) }},
	{"real sum of complex numbers", nx.ErrDType, func() { nx.Sum(cplx, nx.As(nx.F32)) }},
	{"mean as integers", nx.ErrDType, func() { nx.Mean(v4, nx.As(nx.S32)) }},
	{"float indices of a maximum", nx.ErrDType, func() { nx.ArgMax(v4, nx.As(nx.F32)) }},
	{"take by floats", nx.ErrDType, func() { nx.Take(x23, v4) }},
	{"classes that are floats", nx.ErrDType, func() { nx.OneHot(v4, 3, nx.F32) }},
	{"read as another Go type", nx.ErrDType, func() { nx.View(x23, func([]float64) {}) }},
	{"read bf16 as a Go type", nx.ErrDType, func() { nx.View(nx.Cast(v4, nx.BF16), func([]float32) {}) }},
	{"bits of another width", nx.ErrDType, func() { nx.Bitcast(v4, nx.F64) }},
	{"bits of bools", nx.ErrDType, func() { nx.Bitcast(bools, nx.U8) }},
	{"no element type", nx.ErrDType, func() { nx.Zeros(nx.Shape{2}, 0) }},
	{"classes of no element type", nx.ErrDType, func() { nx.OneHot(ints, 3, 200) }},
	{"cast to no element type", nx.ErrDType, func() { nx.Cast(v4, 200) }},
	{"counting bools", nx.ErrDType, func() { nx.Iota(nx.Shape{2}, nx.Bool) }},
	{"truth values evenly spaced", nx.ErrDType, func() { nx.Linspace(0, 1, 3, nx.Bool) }},
	{"put floats into integers", nx.ErrDType, func() { nx.SetAt(ints, 1.5, 0) }},
	{"complex parts", nx.ErrDType, func() { nx.Complex(cplx, 1) }},

	{"an axis that is not there", nx.ErrAxis, func() { nx.Sum(x23, nx.Axis(2)) }},
	{"a name that is not there", nx.ErrAxis, func() { nx.Sum(x23, nx.Axis("feature")) }},
	{"a name where none is", nx.ErrAxis, func() { nx.Max(v4, nx.Axis("batch")) }},
	{"an axis of a scalar", nx.ErrAxis, func() { nx.Sum(nx.New(1.0), nx.Axis(0)) }},
	{"an axis twice", nx.ErrAxis, func() { nx.Sum(x23, nx.Axis(1, -1)) }},
	{"an axis twice in a transpose", nx.ErrAxis, func() { nx.Transpose(x23, nx.Axis(0, 0)) }},
	{"too few axes to transpose", nx.ErrAxis, func() { nx.Transpose(x23, nx.Axis(0)) }},
	{"two axes for a softmax", nx.ErrAxis, func() { nx.Softmax(x23, nx.Axis(0, 1)) }},
	{"two axes for an index", nx.ErrAxis, func() { nx.ArgMax(x23, nx.Axis(0, 1)) }},
	{"a new axis too far", nx.ErrAxis, func() { nx.ExpandAxis(x23, nx.Axis(4)) }},
	{"the size of no axis", nx.ErrAxis, func() { nx.AxisSize(x23, "time") }},
	{"an index out of range", nx.ErrAxis, func() { x23.At(2) }},
	{"an index out of range from the end", nx.ErrAxis, func() { x23.At(0, -4) }},
	{"too many indices", nx.ErrAxis, func() { x23.At(0, 0, 0) }},
	{"indices that rename the axis", nx.ErrNames, func() {
		nx.Take(nx.New([]float32{1, 2}, nx.Names("x")), nx.New([]int{0}, nx.Names("y")))
	}},
	{"a checked index out of range", nx.ErrAxis, func() { nx.Take(x23, nx.New([]int{0, 2}), nx.Checked) }},
	{"rows of nothing", nx.ErrAxis, func() { nx.Take(rows, ints) }},

	{"names that clash", nx.ErrNames, func() { nx.Add(x23, nx.Rename(x23, "batch", "classes")) }},
	{"names that meet twice", nx.ErrNames, func() { nx.Add(x23, nx.Rename(nx.New([]float32{1, 2, 3}), "batch")) }},
	{"a name twice", nx.ErrNames, func() { nx.New([][]int{{1}}, nx.Names("a", "a")) }},
	{"too few names", nx.ErrNames, func() { nx.New([][]int{{1}}, nx.Names("a")) }},
	{"too many names", nx.ErrNames, func() { nx.Rename(v4, "a", "b") }},
	{"a product with a name twice", nx.ErrNames, func() { nx.Dot(x23, nx.Transpose(x23)) }},

	{"a number that does not fit", nx.ErrValue, func() { nx.Add(u8, 300) }},
	{"a result of numbers that does not fit", nx.ErrValue, func() { nx.Add(u8, nx.Mul(100, 3)) }},
	{"a negative number beside unsigned ones", nx.ErrValue, func() { nx.Greater(u8, -1) }},
	{"a number too large for 64 bits with a sign", nx.ErrValue, func() { nx.Add(uint64(math.MaxUint64), 1) }},
	{"a value that does not fit", nx.ErrValue, func() { nx.New([]int{1, -1}, nx.As(nx.U8)) }},
	{"a float as an integer", nx.ErrValue, func() { nx.New([][]float64{{1, 2}, {3, 4.5}}, nx.As(nx.S32)) }},
	{"NaN as an integer", nx.ErrValue, func() { nx.Full(nx.Shape{2}, math.NaN(), nx.S8) }},
	{"complex limits", nx.ErrValue, func() { nx.Linspace(1i, 2, 3, nx.F32) }},
	{"a complex number as a float", nx.ErrValue, func() { nx.New(1i, nx.As(nx.F32)) }},
	{"a number that becomes infinite", nx.ErrValue, func() { nx.Mul(v4, 1e300) }},
	{"a value that becomes infinite", nx.ErrValue, func() { nx.New([]float64{1, 1e300}, nx.As(nx.F32)) }},
	{"an index type that is too narrow", nx.ErrValue,
		func() { nx.ArgMax(nx.Zeros(nx.Shape{300}, nx.F32), nx.As(nx.U8)) }},

	{"rows of unequal lengths", nx.ErrRagged, func() { nx.New([][]float32{{1, 2}, {3}}) }},
	{"rows of unequal lengths inside", nx.ErrRagged, func() { nx.New([][][]int8{{{1}, {2}}, {{3}, {4, 5}}}) }},
	{"an empty row first", nx.ErrRagged, func() { nx.New([][]float32{{}, {1}}) }},

	{"a tensor of strings", nx.ErrArgument, func() { nx.New([]string{"a"}) }},
	{"a tensor of nil", nx.ErrArgument, func() { nx.New(nil) }},
	{"a tensor of tensors", nx.ErrArgument, func() { nx.New([]nx.Tensor{v4}) }},
	{"a tensor of any", nx.ErrArgument, func() { nx.New([]any{1, 2}) }},
	{"nothing to join", nx.ErrArgument, func() { nx.Concatenate(nil) }},
	{"nothing to stack", nx.ErrArgument, func() { nx.Stack(nil, nx.Axis(0)) }},
	{"an index that is a name", nx.ErrArgument, func() { x23.At("batch") }},
	{"an index that is another integer", nx.ErrArgument, func() { x23.At(int64(1)) }},
	{"an index that is not a scalar", nx.ErrArgument, func() { x23.At(ints) }},
	{"an index that is nothing", nx.ErrArgument, func() { x23.At(nx.Index{}) }},
	{"two ellipses", nx.ErrArgument, func() { x23.At(nx.Ellipsis, nx.Ellipsis) }},
	{"a step backwards", nx.ErrArgument, func() { x23.At(nx.From(0).Step(-1)) }},
	{"a part of negative size", nx.ErrArgument, func() { nx.Split(v4, []int{5, -1}) }},
	{"repeat a negative number of times", nx.ErrArgument, func() { nx.Tile(v4, -1) }},
	{"pad too few axes", nx.ErrArgument, func() { nx.Pad(x23, 0, [2]int{1, 1}) }},
	{"a negative number of classes", nx.ErrArgument, func() { nx.OneHot(ints, -1, nx.F32) }},
	{"a formula without sense", nx.ErrArgument, func() { nx.Einsum("ij,j", x23) }},
	{"a formula that repeats a letter", nx.ErrShape, func() { nx.Einsum("ij, jj -> i", x23, x45) }},
	{"a formula with a sign", nx.ErrArgument, func() { nx.Einsum("ij,j?->i", x23, x45) }},
	{"a formula with too many letters", nx.ErrArgument, func() { nx.Einsum("ijk->i", x23) }},
	{"a formula with a result from nowhere", nx.ErrArgument, func() { nx.Einsum("ij->k", x23) }},
	{"a maximum of another type", nx.ErrArgument, func() { nx.Max(v4, nx.As(nx.F64)) }},
	{"axes given twice", nx.ErrArgument, func() { nx.Sum(x23, nx.Axis(0), nx.Axis(1)) }},
	{"names given twice", nx.ErrArgument, func() { nx.New([]int{1}, nx.Names("a"), nx.Names("b")) }},
	{"both ways of an index beyond", nx.ErrArgument, func() { nx.Take(v4, ints, nx.Fill, nx.Checked) }},
	{"strides given twice", nx.ErrArgument, func() {
		nx.WindowSum(x23, []int{1, 1}, nx.Strides(1), nx.Strides(2))
	}},
	{"both paddings", nx.ErrArgument, func() { nx.WindowSum(x23, []int{1, 1}, nx.Same(), nx.Padding([2]int{1, 1})) }},
	{"the degrees of freedom twice", nx.ErrArgument, func() { nx.Var(v4, nx.DDOF(1), nx.DDOF(0)) }},
	{"the lengths twice", nx.ErrArgument, func() { fft.FFT(v4, fft.Length(2), fft.Length(3)) }},
	{"the axis of a sort twice", nx.ErrArgument, func() { nx.Sort(x23, nx.Axis(0), nx.Axis(1)) }},
	{"two numbers of signatures", nx.ErrArgument, func() { nx.Jit(nx.Exp, nx.Signatures(1), nx.Signatures(2)) }},
	{"another type than the argument's", nx.ErrArgument, func() { nx.Zeros(nx.Shape{1}, nx.F32, nx.As(nx.S8)) }},
	{"another type of a matrix", nx.ErrArgument, func() { nx.Eye(nx.Shape{1, 1}, nx.F32, nx.As(nx.S8)) }},
	{"another type of bytes", nx.ErrArgument, func() { nx.FromBytes([]byte{1}, nx.Shape{1}, nx.U8, nx.As(nx.S8)) }},
	{"a sort of another type", nx.ErrArgument, func() { nx.Sort(v4, nx.As(nx.S64)) }},
	{"bins that are a matrix", nx.ErrShape, func() { nx.Digitize(1, x23) }},
	{"a maximum of complex segments", nx.ErrDType, func() {
		nx.SegmentMax(nx.New([]complex64{1}), ints.At(nx.To(1)), 2)
	}},
	{"a mean of too few numbers", nx.ErrShape, func() { nx.SegmentMean(v4, ints.At(nx.To(1)), 2) }},
	{"a negative number of segments", nx.ErrArgument, func() {
		nx.SegmentProd(v4.At(nx.To(1)), ints.At(nx.To(1)), -2)
	}},
	{"a count of floats", nx.ErrDType, func() { nx.Bincount(v4, 2) }},
	{"a count to a negative number", nx.ErrArgument, func() { nx.Bincount(ints, -2) }},
	{"weights of other numbers", nx.ErrShape, func() { nx.WeightedBincount(ints.At(nx.To(1)), x23, 2) }},
	{"a saturating cast to complex numbers", nx.ErrArgument, func() { nx.Cast(v4, nx.C64, nx.Saturate) }},
	{"a logarithm of complex sums", nx.ErrDType, func() { nx.LogAddExp(v4, nx.New(1i)) }},
	{"an incomplete gamma function of complex numbers", nx.ErrDType, func() { nx.GammaInc(v4, nx.New(1i)) }},
	{"an incomplete beta function of other shapes", nx.ErrShape, func() { nx.BetaInc(1, v4, x45.At(0)) }},
	{"a search in a matrix", nx.ErrShape, func() { nx.SearchSorted(x23, 1) }},
	{"a search of places that are floats", nx.ErrDType, func() { nx.SearchSorted(v4, 1, nx.As(nx.F32)) }},
	{"a search of complex numbers", nx.ErrDType, func() { nx.SearchSorted(v4, nx.New(1i)) }},
	{"a search of places beyond their type", nx.ErrValue, func() {
		nx.SearchSorted(nx.Zeros(nx.Shape{128}, nx.F32), 1, nx.As(nx.S8))
	}},
	{"a search of two types", nx.ErrArgument, func() { nx.SearchSorted(v4, 1, nx.As(nx.S8), nx.As(nx.S16)) }},
	{"places of no type", nx.ErrDType, func() { nx.ArgSort(v4, nx.As(nx.DType(99))) }},
	{"a weighted mean of another type", nx.ErrArgument, func() { nx.WeightedMean(v4, v4, nx.As(nx.F64)) }},
	{"no way of an index beyond", nx.ErrArgument, func() { nx.TakeAlong(v4, ints, nx.Clamp+9) }},
	{"an axis with the name of none", nx.ErrAxis, func() { nx.Sum(x23, nx.Axis("")) }},
	{"the size of an axis with the name of none", nx.ErrAxis, func() { nx.AxisSize(x23, "") }},
	{"degrees of freedom", nx.ErrArgument, func() { nx.Var(v4, nx.DDOF(-1)) }},
	{"compile a bound method", nx.ErrArgument, func() { nx.Jit(boundModel{v4}.Forward) }},
	{"compile nothing", nx.ErrArgument, func() { nx.Jit[func(nx.Tensor) nx.Tensor](nil) }},
	{"the gradient of nothing", nx.ErrArgument, func() { nx.Grad[nx.Tensor](nil) }},
	{"view without a function", nx.ErrArgument, func() { nx.View[float32](v4, nil) }},
	{"compile a number", nx.ErrArgument, func() { nx.Jit(3) }},
	{"compile a variadic function", nx.ErrArgument,
		func() { nx.Jit(func(ts ...nx.Tensor) nx.Tensor { return ts[0] }) }},
	{"donate an argument that is not there", nx.ErrArgument, func() { nx.Jit(nx.Tanh, nx.Donate(1)) }},
	{"call for other types", nx.ErrArgument, func() { e, _ := nx.Compile(nx.Tanh, nx.Args(v4)); e.Call(x23) }},

	{"a default client of nothing", nx.ErrDevice, func() { raise(nx.SetDefault(nil)) }},
	{"a default client after the first tensor", nx.ErrDevice,
		func() { nx.Exp(v4); raise(nx.SetDefault(cpu.Default())) }},
	{"transfer to no device", nx.ErrDevice, func() { _, err := nx.Transfer(v4, nil); raise(err) }},

	{"read while tracing", nx.ErrTrace, func() {
		nx.Jit(func(x nx.Tensor) nx.Tensor { return nx.Mul(x, nx.Item[float32](nx.Sum(x))) })(v4)
	}},
	{"keep a traced tensor", nx.ErrTrace, func() { nx.Add(kept(), 1) }},
	{"read a traced tensor later", nx.ErrTrace, func() { nx.Data[float32](kept()) }},

	{"a compiled function that calls itself", nx.ErrTrace, func() {
		var f func(nx.Tensor) nx.Tensor
		f = nx.Jit(func(x nx.Tensor) nx.Tensor { return f(v4) })
		f(v4)
	}},

	{"a container that points to itself", nx.ErrContainer, func() { tree.Map(nx.Exp, cycle()) }},
	{"containers of different lengths", nx.ErrContainer, func() {
		tree.Map2(func(a, b nx.Tensor) nx.Tensor { return a }, []nx.Tensor{v4, v4}, []nx.Tensor{v4})
	}},
	{"containers of different keys", nx.ErrContainer, func() {
		tree.Map2(func(a, b nx.Tensor) nx.Tensor { return a }, map[string]nx.Tensor{"a": v4},
			map[string]nx.Tensor{"b": v4})
	}},
	{"a direction of another shape", nx.ErrContainer, func() { nx.JVP(nx.Tanh, v4, x45) }},
	{"a cotangent of another shape", nx.ErrContainer,
		func() { _, pull := nx.VJP(nx.Tanh, v4); pull(nx.New(float32(1))) }},

	{"a state that changes its element type", nx.ErrState, func() {
		nx.Fori(3, model{Layers: []layer{{v4}, {v4}}}, func(i nx.Tensor, m model) model {
			return model{Layers: []layer{m.Layers[0], {nx.Cast(m.Layers[1].W, nx.F64)}}}
		})
	}},
	{"a state that changes its shape", nx.ErrState, func() {
		nx.While(v4, func(s nx.Tensor) nx.Tensor { return nx.Less(nx.Sum(s), 9) },
			func(s nx.Tensor) nx.Tensor { return nx.Stack([]nx.Tensor{s, s}, nx.Axis(0)) })
	}},
	{"branches of different types", nx.ErrState, func() {
		nx.Cond(bools.At(0), func() nx.Tensor { return v4 }, func() nx.Tensor { return nx.Sum(v4) })
	}},
	{"a state that changes its length", nx.ErrState, func() {
		nx.Fori(3, []nx.Tensor{v4}, func(i nx.Tensor, s []nx.Tensor) []nx.Tensor { return append(s, v4) })
	}},
	{"a state whose number changes", nx.ErrState, func() {
		nx.Fori(3, counted{v4, 0}, func(i nx.Tensor, s counted) counted { return counted{s.T, s.Steps + 1} })
	}},
	{"a state whose tensor appears", nx.ErrState, func() {
		nx.Scan(model{}, ints, func(m model, x nx.Tensor) (model, nx.Tensor) { return model{Head: v4}, x })
	}},
	{"a state of numbers that become floats", nx.ErrState, func() {
		nx.Fori(3, nx.New(int64(0)), func(i, s nx.Tensor) nx.Tensor { return nx.Add(s, 0.5) })
	}},
	{"a condition that is not a scalar", nx.ErrShape,
		func() { nx.Cond(bools, func() nx.Tensor { return v4 }, func() nx.Tensor { return v4 }) }},
	{"a loop's test that is not a scalar", nx.ErrShape, func() {
		nx.While(v4, func(s nx.Tensor) nx.Tensor { return nx.Less(s, 9) }, nx.Exp)
	}},
	{"a case by a float", nx.ErrDType, func() { nx.Case(nx.Sum(v4), func() nx.Tensor { return v4 }) }},
	{"a case without branches", nx.ErrArgument, func() { nx.Case[nx.Tensor](nx.New(0)) }},
	{"a float number of steps", nx.ErrDType,
		func() { nx.Fori(nx.Sum(v4), v4, func(i, s nx.Tensor) nx.Tensor { return s }) }},
	{"rows of a scalar", nx.ErrShape,
		func() { nx.Map([]nx.Tensor{v4, nx.New(1)}, func(x []nx.Tensor) nx.Tensor { return x[0] }) }},
	{"different numbers of rows", nx.ErrShape, func() {
		nx.Scan(v4, []nx.Tensor{v4, ints}, func(c nx.Tensor, x []nx.Tensor) (nx.Tensor, nx.Tensor) { return c, x[0] })
	}},
	{"a scan over nothing", nx.ErrArgument, func() {
		nx.Scan(v4, struct{}{}, func(c nx.Tensor, _ struct{}) (nx.Tensor, nx.Tensor) { return c, c })
	}},
	{"keep a tensor of a loop", nx.ErrTrace, func() {
		var kept nx.Tensor
		nx.Fori(3, v4, func(i, s nx.Tensor) nx.Tensor { kept = nx.Exp(s); return kept })
		nx.Add(kept, 1)
	}},
	{"read in a branch", nx.ErrTrace, func() {
		nx.Cond(bools.At(0), func() nx.Tensor { return nx.New(nx.Item[float32](nx.Sum(v4))) },
			func() nx.Tensor { return nx.Sum(v4) })
	}},

	{"the gradient by integers", nx.ErrGradient, func() {
		nx.Grad(func(c counted) nx.Tensor { return nx.Sum(nx.Cast(c.T, nx.F32)) })(counted{T: ints})
	}},
	{"the gradient by nothing", nx.ErrGradient, func() { nx.Grad(func(m []nx.Tensor) nx.Tensor { return v4 })(nil) }},
	{"the gradient by absent tensors", nx.ErrAbsent,
		func() { nx.Grad(func(m model) nx.Tensor { return v4 })(model{Layers: make([]layer, 5)}) }},
	{"map absent tensors", nx.ErrAbsent, func() {
		tree.MapLeaves(func(_ string, t nx.Tensor) nx.Tensor { return t }, model{Layers: make([]layer, 1)})
	}},
	{"map pairs with absent tensors", nx.ErrAbsent, func() { tree.Map2(nx.Add, model{Head: v4}, model{}) }},
	{"zeros like absent tensors", nx.ErrAbsent, func() { tree.ZerosLike(model{}) }},
	{"save absent tensors", nx.ErrAbsent, func() { raise(nx.SaveTensors("x.safetensors", model{})) }},
	{"the Jacobian of integers", nx.ErrGradient,
		func() { nx.Jacobian(func(x nx.Tensor) nx.Tensor { return nx.Cast(x, nx.S32) })(v4) }},
	{"a Jacobian of devectorised rows", nx.ErrShape, func() {
		nx.Jacobian(nx.Devectorize)(nx.Vectorize(nx.Ones(nx.Shape{2, 3}, nx.F32), "row"))
	}},
	{"the reverse Jacobian of a complex result", nx.ErrGradient, func() {
		nx.Jacobian(func(x nx.Tensor) nx.Tensor { return nx.Mul(x, 1i) }, nx.ReverseMode)(v4)
	}},
	{"a rule that returns another type", nx.ErrContainer, func() {
		nx.Grad(nx.CustomJVP(nx.Sin, func(x, y, dx nx.Tensor) nx.Tensor { return nx.Sum(dx) }))(v4)
	}},
	{"a rule that leaves out a tensor it depends on", nx.ErrGradient, func() {
		nx.Grad(func(x nx.Tensor) nx.Tensor {
			return nx.CustomJVP(func(y nx.Tensor) nx.Tensor { return nx.Mul(x, y) },
				func(_, _, d nx.Tensor) nx.Tensor { return d })(v4)
		})(v4)
	}},
	{"a vector of another length", nx.ErrShape, func() { _, unravel := tree.Ravel([]nx.Tensor{v4, v4}); unravel(v4) }},
	{"rows that fit no size", nx.ErrShape, func() { nx.PadBatch(x45, 3, 2) }},
	{"the text of nothing", nx.ErrArgument, func() { var l *nx.Lowered; l.Text() }},
	{"a vector of nothing", nx.ErrArgument, func() { tree.Ravel([]nx.Tensor{}) }},
	{"a block without a namespace", nx.ErrArgument, func() { nx.Composite("attention", nx.Sin) }},
	{"a block that is not known", nx.ErrArgument, func() {
		nx.Composite[func(nx.Tensor) nx.Tensor]("nx.cholesk", nil)
	}},
	{"another meaning of a block", nx.ErrArgument, func() { nx.Composite("nx.cholesky", nx.Sin) }},
	{"factors of integers", nx.ErrDType, func() {
		nx.Composite[func(nx.Tensor) nx.Tensor]("nx.cholesky", nil)(ints)
	}},
	{"vectorise a scalar", nx.ErrShape, func() { nx.Vectorize(nx.New(1), "x") }},
	{"vectorise by a name that is taken", nx.ErrNames,
		func() { nx.Vectorize(nx.Ones(nx.Shape{2, 2}, nx.F32, nx.Names("a", "x")), "x") }},
	{"vectorised axes that differ", nx.ErrShape, func() {
		nx.Add(nx.Vectorize(nx.New([]float32{1, 2}), "x"), nx.Vectorize(nx.New([]float32{1, 2, 3}), "x"))
	}},
	{"a vectorised axis meets an axis", nx.ErrNames, func() {
		nx.Add(nx.Vectorize(nx.New([]float32{1, 2}), "x"), nx.New([]float32{1, 2}, nx.Names("x")))
	}},
	{"branch on vectorised vectors", nx.ErrShape, func() {
		nx.Cond(nx.Vectorize(nx.New([][]bool{{true, false}}), "x"), func() nx.Tensor { return nx.New(1) },
			func() nx.Tensor { return nx.New(2) })
	}},
	{"sort complex numbers", nx.ErrDType, func() { nx.Sort(nx.New([]complex64{1, 2})) }},
	{"more elements than there are", nx.ErrArgument, func() { nx.TopK(nx.New([]float32{1, 2}), 3) }},
	{"a window larger than the tensor", nx.ErrShape, func() { nx.WindowSum(nx.New([]float32{1, 2}), []int{3}) }},
	{"a window of another rank", nx.ErrShape, func() { nx.WindowMax(nx.New([]float32{1, 2}), []int{2, 2}) }},
	{"a window that stands still", nx.ErrArgument,
		func() { nx.WindowMax(nx.New([]float32{1, 2}), []int{2}, nx.Strides(0)) }},
	{"a source of another shape", nx.ErrShape, func() {
		nx.WindowScatterMax(nx.New([]float32{1, 2}), nx.New([]float32{1, 2}), 0, []int{2})
	}},
	{"fold with a tensor from outside", nx.ErrTrace, func() {
		k := nx.New([]float32{2}).At(0)
		nx.Reduce(nx.New([]float32{1, 2}), 0, func(acc, x nx.Tensor) nx.Tensor { return nx.Add(nx.Mul(x, k), acc) })
	}},
	{"convolve other channels", nx.ErrShape,
		func() { nx.Conv(nx.Ones(nx.Shape{1, 3, 8, 8}, nx.F32), nx.Ones(nx.Shape{4, 2, 3, 3}, nx.F32)) }},
	{"convolve without spatial axes", nx.ErrShape,
		func() { nx.Conv(nx.Ones(nx.Shape{1, 3}, nx.F32), nx.Ones(nx.Shape{4, 3}, nx.F32)) }},
	{"convolve in two kinds of groups", nx.ErrArgument, func() {
		nx.Conv(nx.Ones(nx.Shape{2, 2, 3}, nx.F32), nx.Ones(nx.Shape{2, 1, 2}, nx.F32),
			nx.FeatureGroups(2), nx.BatchGroups(2))
	}},
	{"transform a scalar", nx.ErrAxis, func() { fft.FFT(nx.New(1)) }},
	{"transform complex numbers as real ones", nx.ErrDType, func() { fft.RFFT(nx.New([]complex64{1, 2})) }},
	{"transform to no length", nx.ErrArgument, func() { fft.FFT(nx.New([]float32{1, 2}), fft.Length(0)) }},
	{"take along other shapes", nx.ErrShape,
		func() { nx.TakeAlong(nx.Ones(nx.Shape{2, 3}, nx.F32), nx.Zeros(nx.Shape{3, 3}, nx.S32), nx.Axis(1)) }},
	{"positions with too many indices", nx.ErrShape,
		func() { nx.Gather(nx.Ones(nx.Shape{2}, nx.F32), nx.Zeros(nx.Shape{1, 2}, nx.S32)) }},
	{"updates of another shape", nx.ErrShape, func() {
		nx.AddGather(nx.Ones(nx.Shape{2, 3}, nx.F32), nx.Zeros(nx.Shape{1, 1}, nx.S32),
			nx.Ones(nx.Shape{1, 4}, nx.F32))
	}},
	{"more elements than positions count", nx.ErrShape, func() {
		_, err := nx.Compile(func(x nx.Tensor) nx.Tensor { p, _ := nx.NonZero(x, 3); return p },
			nx.Args(nx.Spec{DType: nx.U8, Shape: nx.Shape{2, 1 << 30}}))
		raise(err)
	}},
	{"JSON of a number that does not fit", nx.ErrArgument, func() {
		raise(new(nx.Tensor).UnmarshalJSON([]byte(`{"dtype":"u8","shape":[1],"data":[300]}`)))
	}},
	{"a diagonal beyond the matrix", nx.ErrArgument, func() { nx.Diagonal(nx.Ones(nx.Shape{2, 2}, nx.F32), 2) }},
	{"pad by an unknown mode", nx.ErrArgument, func() { nx.PadWith(nx.New([]float32{1}), 9, [2]int{1, 1}) }},
	{"a share beyond all", nx.ErrValue, func() { nx.Quantile(nx.New([]float32{1}), 1.5) }},
	{"the median of nothing", nx.ErrShape, func() { nx.Median(nx.Zeros(nx.Shape{0}, nx.F32)) }},
	{"flatten axes that are not adjacent", nx.ErrAxis,
		func() { nx.Flatten(nx.Ones(nx.Shape{2, 3, 4}, nx.F32), nx.Axis(0, 2)) }},
	{"contract axes of other sizes", nx.ErrShape, func() {
		nx.DotGeneral(nx.Ones(nx.Shape{2, 3}, nx.F32), nx.Ones(nx.Shape{2, 3}, nx.F32),
			nx.DotDims{ContractA: []int{1}, ContractB: []int{0}})
	}},
	{"classes of another shape", nx.ErrShape,
		func() { nx.CrossEntropy(nx.Ones(nx.Shape{2, 3}, nx.F32), nx.Zeros(nx.Shape{2, 3}, nx.S32)) }},
	{"classes of floats", nx.ErrDType,
		func() { nx.CrossEntropy(nx.Ones(nx.Shape{2, 3}, nx.F32), nx.Zeros(nx.Shape{2, 3}, nx.F32)) }},
	{"a class beyond all", nx.ErrValue,
		func() { nx.CrossEntropy(nx.Ones(nx.Shape{2, 3}, nx.F32), nx.New([]int32{0, 3})) }},
	{"a negative class", nx.ErrValue,
		func() { nx.CrossEntropy(nx.Ones(nx.Shape{2, 3}, nx.F32), nx.New([]int32{-1, 0})) }},
	{"probabilities of another shape", nx.ErrShape,
		func() { nx.SoftCrossEntropy(nx.Ones(nx.Shape{2, 3}, nx.F32), nx.Ones(nx.Shape{3}, nx.F32)) }},
	{"an unsigned index of nothing but NaN", nx.ErrDType,
		func() { nx.ArgMax(nx.New([]float32{1}), nx.SkipNaN, nx.As(nx.U32)) }},
	{"an extreme as another type", nx.ErrArgument, func() { nx.CumMax(nx.New([]float32{1}), nx.As(nx.F64)) }},
	{"real sums of complex numbers", nx.ErrDType, func() { nx.CumSum(nx.New([]complex64{1}), nx.As(nx.F32)) }},
	{"weights of another shape", nx.ErrShape,
		func() { nx.WeightedMean(nx.Ones(nx.Shape{2, 3}, nx.F32), nx.Ones(nx.Shape{2}, nx.F32)) }},
	{"writing at a list of places", nx.ErrArgument, func() {
		nx.AddAt(nx.New([]float32{1, 2, 3}), 1, nx.New([]int32{0, 2}))
	}},
	{"bins without numbers", nx.ErrValue, func() { nx.Histogram(nx.New([]float32{1}), 3, 1, 1) }},
	{"keep no code", nx.ErrArgument, func() { nx.Jit(nx.Exp, nx.Signatures(0)) }},
	{"compute nothing again", nx.ErrArgument, func() { nx.Checkpoint[func(nx.Tensor) nx.Tensor](nil) }},

	{"the gradient of integers", nx.ErrGradient,
		func() { nx.Grad(func(x nx.Tensor) nx.Tensor { return nx.Sum(x) })(ints) }},

	{"the sum of integers deep in a container", nx.ErrGradient, func() {
		nx.Grad(func(p []map[string]nx.Tensor) nx.Tensor { return nx.Sum(p[1]["w"]) })([]map[string]nx.Tensor{
			nil, {"w": ints}})
	}},
	{"the Jacobian by integers", nx.ErrGradient,
		func() { nx.Jacobian(func(x nx.Tensor) nx.Tensor { return x })(ints) }},

	{"the gradient of bits", nx.ErrGradient, func() {
		nx.Grad(func(x nx.Tensor) nx.Tensor { return nx.Sum(nx.Bitcast(nx.Bitcast(x, nx.S32), nx.F32)) })(v4)
	}},

	{"the gradient of the bits of a tensor in a container", nx.ErrGradient, func() {
		nx.Grad(func(m model) nx.Tensor {
			bits := func(_, x nx.Tensor) nx.Tensor { return nx.Bitcast(nx.Bitcast(x, nx.S32), nx.F32) }
			return nx.Sum(nx.Add(m.Layers[0].W, nx.Fori(2, m.Layers[1].W, bits)))
		})(model{Layers: []layer{{W: v4}, {W: v4}}})
	}},
	{"a direction without some tensors", nx.ErrContainer, func() {
		one, two := model{Layers: []layer{{W: v4}}}, model{Layers: []layer{{W: v4}, {W: v4}}}
		nx.HVP(func(m model) nx.Tensor { return nx.Sum(nx.Square(m.Layers[0].W)) }, two, one)
	}},
	{"a direction of another shape", nx.ErrContainer, func() {
		one, other := model{Layers: []layer{{W: v4}}}, model{Layers: []layer{{W: nx.New(1.)}}}
		nx.JVP(func(m model) nx.Tensor { return nx.Sum(nx.Square(m.Layers[0].W)) }, one, other)
	}},
	{"a hook that panics", nx.ErrRun, func() { debug.Hook("loss", v4, func(nx.Tensor) { panic("no disk") }) }},

	{"a batch of a scalar", nx.ErrAxis, func() { nx.Vmap(nx.Exp)(nx.New(1.)) }},
	{"a batch along a name that is not there", nx.ErrAxis, func() {
		nx.Vmap(nx.Exp, nx.InAxes("bach"))(nx.New([]float32{1}, nx.Names("batch")))
	}},
	{"a batch along an axis that a tensor in a container lacks", nx.ErrAxis, func() {
		nx.Vmap(func(m model) nx.Tensor { return m.Layers[1].W }, nx.InAxes(1))(
			model{Layers: []layer{{W: x23}, {W: v4}}})
	}},
	{"a batch of nothing", nx.ErrAxis, func() { nx.Vmap(nx.Exp, nx.InAxes(nil))(v4) }},
	{"batches of two sizes", nx.ErrShape, func() {
		nx.Vmap(func(m model, x nx.Tensor) nx.Tensor { return nx.Add(m.Layers[0].W, x) })(
			model{Layers: []layer{{W: v4}}}, nx.New([]float32{1, 2}))
	}},
	{"axes for other arguments", nx.ErrArgument, func() { nx.Vmap(nx.Exp, nx.InAxes(0, 0)) }},
	{"an axis that is a float", nx.ErrArgument, func() { nx.Vmap(nx.Exp, nx.InAxes(1.5)) }},
	{"an axis of a result that is a name", nx.ErrArgument, func() { nx.Vmap(nx.Exp, nx.OutAxes("batch")) }},
	{"an axis of a path that is not there", nx.ErrArgument, func() {
		nx.Vmap(func(m model) nx.Tensor { return m.Layers[0].W }, nx.InAxes(map[string]any{"Layer[0].W": 0}))(
			model{Layers: []layer{{W: v4}}})
	}},
	{"a result without an axis that depends on the batch", nx.ErrBatch,
		func() { nx.Vmap(nx.Exp, nx.OutAxes(nil))(v4) }},
	{"a result with an axis too far", nx.ErrAxis, func() { nx.Vmap(nx.Exp, nx.OutAxes(2))(v4) }},
	{"a mesh without axes", nx.ErrArgument, func() { shard.Map(nx.Exp, nil, []shard.Sharding{}, nil) }},
	{"an axis of a mesh without a name", nx.ErrArgument,
		func() { shard.Map(nx.Exp, shard.Mesh{{Name: "a,b", Size: 2}}, []shard.Sharding{}, nil) }},
	{"an axis of a mesh twice", nx.ErrArgument,
		func() {
			shard.Map(nx.Exp, shard.Mesh{{Name: "x", Size: 2}, {Name: "x", Size: 2}}, []shard.Sharding{}, nil)
		}},
	{"a mesh of too many devices", nx.ErrArgument,
		func() {
			shard.Map(nx.Exp, shard.Mesh{{Name: "x", Size: 1000}, {Name: "y", Size: 1000}}, []shard.Sharding{}, nil)
		}},
	{"a sharding too few", nx.ErrArgument, func() { shard.Map(nx.Exp, halves, nil, []shard.Sharding{{}}) }},
	{"a sharding with an axis too many", nx.ErrShape, func() {
		shard.Map(nx.Exp, halves, []shard.Sharding{{"", "x"}}, []shard.Sharding{{}})(v4)
	}},
	{"a sharding along an axis that the mesh lacks", nx.ErrNames, func() {
		shard.Map(nx.Exp, halves, []shard.Sharding{{"y"}}, []shard.Sharding{{}})(v4)
	}},
	{"a sharding along an axis twice", nx.ErrNames, func() {
		shard.Map(nx.Exp, halves, []shard.Sharding{{"x,x"}}, []shard.Sharding{{}})(v4)
	}},
	{"an axis that cannot be cut", nx.ErrShape, func() {
		shard.Map(nx.Exp, halves, []shard.Sharding{{"x"}}, []shard.Sharding{{"x"}})(ints)
	}},
	{"a mesh in a mesh", nx.ErrTrace, func() {
		onHalves(func(x nx.Tensor) nx.Tensor { return onHalves(nx.Exp)(x) })(v4)
	}},
	{"a collective outside of a mesh", nx.ErrTrace, func() { shard.AllReduce(v4) }},
	{"a place outside of a mesh", nx.ErrTrace, func() { shard.Index("x") }},
	{"a collective along an axis that the mesh lacks", nx.ErrNames, func() {
		onHalves(func(x nx.Tensor) nx.Tensor { return shard.AllReduce(x, "y") })(v4)
	}},
	{"a sum of bools over devices", nx.ErrDType, func() {
		onHalves(func(x nx.Tensor) nx.Tensor { return shard.AllReduce(nx.Greater(x, 0)) })(v4)
	}},
	{"a maximum of complex numbers over devices", nx.ErrDType, func() {
		onHalves(func(x nx.Tensor) nx.Tensor { return shard.AllReduceMax(nx.Cast(x, nx.C64)) })(v4)
	}},
	{"shardings for other leaves", nx.ErrArgument, func() {
		shard.Map(nx.Exp, halves, []shard.LeafShardings{{{"x"}, {"x"}}}, []shard.LeafShardings{{{"x"}}})(v4)
	}},
	{"a constraint that cannot be cut", nx.ErrShape, func() { shard.Constrain(ints, halves, shard.Sharding{"x"}) }},
	{"a constraint inside of a mesh", nx.ErrTrace, func() {
		onHalves(func(x nx.Tensor) nx.Tensor { return shard.Constrain(x, halves, shard.Sharding{"x"}) })(v4)
	}},
	{"an annotation along an axis that the mesh lacks", nx.ErrNames, func() {
		shard.Jit(nx.Exp, halves, []shard.Sharding{{"y"}}, []shard.Sharding{{}})(v4)
	}},
	{"parts for devices that do not fit", nx.ErrShape, func() {
		onHalves(
			func(x nx.Tensor) nx.Tensor {
				return shard.ReduceScatter(nx.Concatenate([]nx.Tensor{x, nx.New([]float32{1})}), 0, "x")
			})(v4)
	}},
	{"gathering along an axis that is not there", nx.ErrAxis, func() {
		onHalves(func(x nx.Tensor) nx.Tensor { return shard.AllGather(x, 1, "x") })(v4)
	}},
	{"sending to a device that is not there", nx.ErrArgument, func() {
		onHalves(func(x nx.Tensor) nx.Tensor { return shard.Permute(x, "x", [2]int{0, 2}) })(v4)
	}},
	{"sending to a device twice", nx.ErrArgument, func() {
		onHalves(func(x nx.Tensor) nx.Tensor { return shard.Permute(x, "x", [2]int{0, 1}, [2]int{1, 1}) })(v4)
	}},
	{"batch nothing", nx.ErrArgument, func() { nx.Vmap[func(nx.Tensor) nx.Tensor](nil) }},

	{"the logarithm of a negative number", nx.ErrNaN, func() {
		nx.Jit(func(x nx.Tensor) nx.Tensor { return nx.Mean(nx.Log(x)) }, nx.CheckNaN)(nx.Sub(v4, 2))
	}},
	{"the derivative of a root at zero", nx.ErrNaN, func() {
		distance := func(x nx.Tensor) nx.Tensor { return nx.Sqrt(nx.Sum(nx.Square(x))) }
		nx.Jit(nx.Grad(distance), nx.CheckNaN)(nx.Zeros(nx.Shape{2}, nx.F32))
	}},
	{"a cancelled call", nx.ErrRun, func() {
		ctx, cancel := context.WithCancel(context.Background())
		cancel()
		nx.Jit(func(_ context.Context, x nx.Tensor) nx.Tensor { return nx.Exp(x) })(ctx, v4)
	}},
}

// TestErrors compares every message with testdata/errors.txt, and its place
// with the line of the mistake.
func TestErrors(t *testing.T) {
	var got bytes.Buffer
	for _, c := range errorCases {
		err := kit.Caught(c.f)
		e := diag.As(err)
		if e == nil {
			t.Errorf("%s: no error", c.name)
			continue
		}
		if e.Code != c.code || !errors.Is(err, c.code) {
			t.Errorf("%s: the code is %s, want %s", c.name, e.Code, c.code)
		}
		first, last := linesOf(c.f)
		if filepath.Base(e.File) != "errors_test.go" || e.Line < first || e.Line > last {
			t.Errorf("%s: the place is %s:%d, want errors_test.go:%d", c.name, e.File, e.Line, first)
		}
		e.Callers = nil // those of this test
		fmt.Fprintf(&got, "== %s\n%s\n\n", c.name, withoutLines(err.Error()))
	}
	testkit.GoldenFile(t, filepath.Join("testdata", "errors.txt"), got.Bytes())
}

var lineNumber = regexp.MustCompile(`(_test\.go:)\d+`)

func withoutLines(text string) string { return lineNumber.ReplaceAllString(text, "${1}N") }

// linesOf returns the lines of a function literal in errorCases.
func linesOf(f func()) (first, last int) {
	file, first := runtime.FuncForPC(reflect.ValueOf(f).Pointer()).FileLine(reflect.ValueOf(f).Pointer())
	src, err := os.ReadFile(file)
	if err != nil {
		return first, first
	}
	last = first
	for _, line := range strings.Split(string(src), "\n")[first-1:] {
		if strings.HasSuffix(line, "}},") {
			break
		}
		last++
	}
	return first, last
}
