package library

import (
	"bytes"
	"fmt"
	"math"
	"slices"
	"unsafe"

	"github.com/go-nx/nx/dtype"
	"github.com/go-nx/nx/internal/cpu/codegen"
	"github.com/go-nx/nx/internal/cpu/functions"
	"github.com/go-nx/nx/internal/cpu/kernel"
	"github.com/go-nx/nx/internal/cpu/kernels/monoid"
	"github.com/go-nx/nx/internal/cpu/kernels/move"
	"github.com/go-nx/nx/internal/cpu/program"
	"github.com/go-nx/nx/internal/cpu/rt"
	"github.com/go-nx/nx/stablehlo"
)

// intsOr returns a list attribute, or n times def if it is absent.
func intsOr(op *stablehlo.Op, name string, n int, def int64) []int64 {
	if v := op.Ints(name); v != nil {
		return v
	}
	return slices.Repeat([]int64{def}, n)
}

// windowsOf returns the windows of reduce_window and select_and_scatter on an
// operand of the given rank.
func windowsOf(op *stablehlo.Op, rank int) []monoid.Window {
	size, stride := intsOr(op, "window_dimensions", rank, 1), intsOr(op, "window_strides", rank, 1)
	base, dilation := intsOr(op, "base_dilations", rank, 1), intsOr(op, "window_dilations", rank, 1)
	padding := intsOr(op, "padding", 2*rank, 0)
	w := make([]monoid.Window, rank)
	for d := range w {
		w[d] = monoid.Window{Size: int(size[d]), Stride: int(stride[d]), Dilation: int(dilation[d]),
			BaseDilation: int(base[d]), Low: int(padding[2*d]), High: int(padding[2*d+1])}
	}
	return w
}

func ints(v []int64) []int {
	out := make([]int, len(v))
	for i, x := range v {
		out[i] = int(x)
	}
	return out
}

// makeReduceWindow compiles reduce_window: by the scans of package monoid if they support the region's operation and
// padding changes nothing, else by a reduction element by element.
func makeReduceWindow(call *program.Call, bodies []*codegen.Body) (Func, error) {
	op := call.Op
	n := len(op.Operands) / 2
	in := op.Operands[0].Tensor()
	general, err := reduceWindows(op, n, bodies[0])
	if err != nil {
		return nil, err
	}
	if n > 1 {
		return general, nil
	}
	windows := windowsOf(op, in.Rank())
	kind := call.Bodies[0].Kind
	if kind == kernel.Invalid {
		return general, nil
	}
	fast := windowFuncOf(in.DType(), kind, ints(in.Dims), windows)
	if fast == nil {
		return general, nil
	}
	pads := slices.ContainsFunc(windows,
		func(w monoid.Window) bool { return w.Low > 0 || w.High > 0 || w.BaseDilation > 1 })
	neutral := identityOf(kind, in.DType())
	return func(env *rt.Env, ins, outs [][]byte) error {
		// Padding elements are initial values. They count, unless they are the identity (0 in a sum) or the operation
		// is idempotent (a maximum).
		if pads && !isIdempotent(kind) && !slices.Equal(ins[1], neutral) {
			return general(env, ins, outs)
		}
		return fast(env, outs[0], ins[0], ins[1])
	}, nil
}

// identityOf returns the identity of sums and products, nil for other operations.
func identityOf(k kernel.Op, t dtype.Type) []byte {
	e := make([]byte, t.Size())
	switch {
	case k == kernel.Add || k == kernel.Xor:
	case k == kernel.Mul && t.IsInteger():
		t.StoreInt(e, 0, 1)
	case k == kernel.Mul && t != dtype.Bool:
		t.Real().StoreFloat(e, 0, 1)
	default:
		return nil
	}
	return e
}

func isIdempotent(k kernel.Op) bool {
	return k == kernel.Max || k == kernel.Min || k == kernel.And || k == kernel.Or
}

// windowFunc reduces the windows of src and combines each with init.
type windowFunc func(env *rt.Env, dst, src, init []byte) error

// windowFuncOf returns the function of an operation on elements of type t, or nil.
func windowFuncOf(t dtype.Type, kind kernel.Op, sizes []int, w []monoid.Window) windowFunc {
	if t == dtype.Bool {
		switch kind {
		case kernel.Add, kernel.Max:
			kind = kernel.Or
		case kernel.Mul, kernel.Min:
			kind = kernel.And
		}
	}
	m := monoidOf(t, kind)
	if m == nil {
		return nil
	}
	if t == dtype.BF16 || t == dtype.F16 {
		return windowFuncHalf(t, windowFuncWith(sizes, w, m))
	}
	return windowFuncWith(sizes, w, m)
}

// monoidOf returns an operation on elements of type t, or nil. Operations that do not depend on signs use unsigned
// integers. float16 and bfloat16 are computed in float32, and rounded after each step.
func monoidOf(t dtype.Type, kind kernel.Op) monoid.Monoid {
	switch t {
	case dtype.F32:
		return floatMonoid[float32](kind)
	case dtype.F64:
		return floatMonoid[float64](kind)
	case dtype.C64:
		return sumOrProduct[complex64](kind)
	case dtype.C128:
		return sumOrProduct[complex128](kind)
	case dtype.S64, dtype.U64:
		return intMonoid[int64, uint64](t, kind)
	case dtype.S32, dtype.U32:
		return intMonoid[int32, uint32](t, kind)
	case dtype.S16, dtype.U16:
		return intMonoid[int16, uint16](t, kind)
	case dtype.S8, dtype.U8, dtype.Bool:
		return intMonoid[int8, uint8](t, kind)
	case dtype.BF16, dtype.F16:
		m := floatMonoid[float32](kind)
		if kind == kernel.Add || kind == kernel.Mul {
			m = rounded{m, functions.Rounding(t)}
		}
		return m
	}
	return nil
}

func sumOrProduct[T float32 | float64 | complex64 | complex128 | uint8 | uint16 | uint32 | uint64](
	kind kernel.Op) monoid.Monoid {
	switch kind {
	case kernel.Add:
		return &monoid.Sum[T]{}
	case kernel.Mul:
		return &monoid.Prod[T]{}
	}
	return nil
}

func floatMonoid[T float32 | float64](kind kernel.Op) monoid.Monoid {
	inf := T(math.Inf(1))
	switch kind {
	case kernel.Max:
		return &monoid.Max[T]{Lowest: -inf}
	case kernel.Min:
		return &monoid.Min[T]{Highest: inf}
	}
	return sumOrProduct[T](kind)
}

// intMonoid returns the operation for integers of one width, signed or unsigned.
func intMonoid[S int8 | int16 | int32 | int64, U uint8 | uint16 | uint32 | uint64](t dtype.Type,
	kind kernel.Op) monoid.Monoid {
	switch signed := t.IsSigned(); {
	case kind == kernel.Max && signed:
		return &monoid.Max[S]{Lowest: S(t.MinInt())}
	case kind == kernel.Max:
		return &monoid.Max[U]{}
	case kind == kernel.Min && signed:
		return &monoid.Min[S]{Highest: S(t.MaxInt())}
	case kind == kernel.Min:
		return &monoid.Min[U]{Highest: ^U(0)}
	case kind == kernel.And:
		return &monoid.And[U]{}
	case kind == kernel.Or:
		return &monoid.Or[U]{}
	case kind == kernel.Xor:
		return &monoid.Xor[U]{}
	}
	return sumOrProduct[U](kind)
}

func windowFuncWith(sizes []int, w []monoid.Window, m monoid.Monoid) windowFunc {
	scan, isScan := cumulative(sizes, w)
	taps, isSmall := newTaps(sizes, w, m)
	return func(env *rt.Env, dst, src, init []byte) error {
		switch {
		case len(dst) == 0:
			return nil
		case isScan:
			monoid.Scan(env, dst, src, scan.outer, scan.n, scan.inner, m, init, scan.reverse)
			return nil
		case isSmall && len(src) > 0:
			move.Fill(env, dst, init)
			taps.run(env, dst, src)
			return nil
		default:
			if err := monoid.ReduceWindow(env, dst, src, sizes, w, m); err != nil {
				return err
			}
		}
		inits := bytes.Repeat(init, min(len(dst)/len(init), 2048)) // applied piece by piece
		for len(dst) > 0 {
			k := min(len(dst), len(inits))
			m.Into(dst[:k], inits[:k])
			dst = dst[k:]
		}
		return nil
	}
}

// cumulation is the window of a cumulative sum along one dimension.
type cumulation struct {
	outer, n, inner int
	reverse         bool
}

// cumulative reports windows that reach from the beginning of a line to each element, or from each element to the end.
func cumulative(sizes []int, windows []monoid.Window) (c cumulation, ok bool) {
	c = cumulation{outer: 1, inner: 1}
	for d, w := range windows {
		n := sizes[d]
		switch {
		case w == monoid.Window{Size: 1, Stride: 1, Dilation: w.Dilation, BaseDilation: 1}:
			if ok {
				c.inner *= n
			} else {
				c.outer *= n
			}
		case !ok && w.Size == n && w.Stride == 1 && w.Dilation == 1 && w.BaseDilation == 1 &&
			(w.Low == n-1 && w.High == 0 || w.Low == 0 && w.High == n-1):
			ok, c.n, c.reverse = true, n, w.Low == 0
		default:
			return c, false
		}
	}
	return c, ok
}

// windowFuncHalf applies a function of float32 to float16 or bfloat16.
func windowFuncHalf(t dtype.Type, f windowFunc) windowFunc {
	return func(env *rt.Env, dst, src, init []byte) error {
		types := [3]dtype.Type{t, t, t}
		return withConverted(env, dtype.F32, types, [][]byte{src, init}, dst,
			func(x, i, y []byte) error { return f(env, y, x, i) })
	}
}

// rounded is an operation on float32s that have values of a narrower type.
type rounded struct {
	monoid.Monoid
	round func(dst, src []float32)
}

func (r rounded) Into(dst, src []byte) {
	r.Monoid.Into(dst, src)
	d := rt.View[float32](dst)
	r.round(d, d)
}

func (r rounded) Scan(dst, src, carry []byte, line int) {
	size := len(carry)
	sum := make([]byte, size)
	for i := 0; i < len(src); i += size {
		if i%(line*size) == 0 {
			copy(sum, carry)
		}
		r.Into(sum, src[i:i+size])
		copy(dst[i:], sum)
	}
}

// windowWalk finds the elements under windows: element k of the window of result i is an element of the operand or
// padding.
type windowWalk struct {
	in, out []int64
	steps   []int64 // of the operand
	windows []monoid.Window
}

func newWindowWalk(op *stablehlo.Op, in, out []int64) *windowWalk {
	return &windowWalk{in: in, out: out, steps: strides(in), windows: windowsOf(op, len(in))}
}

// volume is the number of elements of a window.
func (w *windowWalk) volume() int64 {
	n := int64(1)
	for _, x := range w.windows {
		n *= int64(x.Size)
	}
	return n
}

// sourceIndices sets at to the operand's elements for element k of the windows of results first, first+1, …, -1 for
// padding.
func (w *windowWalk) sourceIndices(at []int64, first, k int64) {
	rank := len(w.in)
	var position, tap [maxRank]int64
	for d := rank - 1; d >= 0; d-- {
		position[d], first = first%w.out[d], first/w.out[d]
		tap[d], k = k%int64(w.windows[d].Size), k/int64(w.windows[d].Size)
	}
	if rank == 0 {
		clear(at)
		return
	}
	last := rank - 1
	for len(at) > 0 { // one row of results, along the last dimension, after the other
		n := min(int64(len(at)), w.out[last]-position[last])
		base := int64(0)
		for d := range last {
			q := w.sourceIndex(d, position[d], tap[d])
			if q < 0 {
				base = -1
				break
			}
			base += q * w.steps[d]
		}
		w.sourceRow(at[:n], base, position[last], tap[last])
		at = at[n:]
		position[last] += n
		for d := last; d > 0 && position[d] == w.out[d]; d-- {
			position[d] = 0
			position[d-1]++
		}
	}
}

// sourceRow is sourceIndices for neighbours along the last dimension; base is the offset of their outer indices,
// negative for padding.
func (w *windowWalk) sourceRow(at []int64, base, position, tap int64) {
	last := len(w.windows) - 1
	x := w.windows[last]
	p, stride, size := position*int64(x.Stride)+tap*int64(x.Dilation)-int64(x.Low), int64(x.Stride), w.in[last]
	switch {
	case base < 0:
		for i := range at {
			at[i] = -1
		}
	case x.BaseDilation == 1:
		for i := range at {
			if at[i] = base + p; uint64(p) >= uint64(size) {
				at[i] = -1
			}
			p += stride
		}
	default:
		for i := range at {
			at[i] = -1
			if q := w.sourceIndex(last, position+int64(i), tap); q >= 0 {
				at[i] = base + q
			}
		}
	}
}

// sourceIndex returns the index of the operand along a dimension, -1 for padding.
func (w *windowWalk) sourceIndex(d int, position, tap int64) int64 {
	x := w.windows[d]
	p := position*int64(x.Stride) + tap*int64(x.Dilation) - int64(x.Low)
	q := p / int64(x.BaseDilation)
	if p < 0 || q >= w.in[d] || q*int64(x.BaseDilation) != p {
		return -1
	}
	return q
}

// maxRank bounds the dimensions of walks without allocations.
const maxRank = 32

// vectorElems is the number of results that a reduction computes at a time.
const vectorElems = 1024

// reduceWindows compiles reduce_window with any region: vectorised over results, with one element of all windows after
// the other.
func reduceWindows(op *stablehlo.Op, n int, body *codegen.Body) (Func, error) {
	in, out := op.Operands[0].Tensor(), op.Result().Tensor()
	if in.Rank() > maxRank {
		return nil, fmt.Errorf("the operand must have at most %[2]d dimensions, got %[1]d", in.Rank(), maxRank)
	}
	f := &windowReduction{body: body, walk: newWindowWalk(op, in.Dims, out.Dims), n: n}
	f.total, _ = out.NumElems()
	for i := range n {
		f.size = append(f.size, op.Operands[i].Tensor().DType().Size())
	}
	return func(env *rt.Env, ins, outs [][]byte) error {
		run := *f
		run.env, run.ins, run.outs = env, ins, outs
		env.Run(int((f.total+vectorElems-1)/vectorElems), &run)
		return nil
	}, nil
}

type windowReduction struct {
	env       *rt.Env
	body      *codegen.Body
	walk      *windowWalk
	n         int
	size      []int // of the elements of each operand
	total     int64
	ins, outs [][]byte
}

// Do reduces the windows of a chunk of results.
func (f *windowReduction) Do(_ rt.Worker, chunk int) {
	first := int64(chunk) * vectorElems
	count := int(min(f.total-first, vectorElems))
	c := f.body.Begin(f.ins)
	defer c.End()
	next := make([][]byte, f.n)
	for i := range f.n {
		next[i] = make([]byte, count*f.size[i])
		acc := f.outs[i][first*int64(f.size[i]):][:count*f.size[i]]
		move.Repeat(acc, f.ins[f.n+i])
		c.Arg(i, unsafe.Pointer(unsafe.SliceData(acc)))
		c.Arg(f.n+i, unsafe.Pointer(unsafe.SliceData(next[i])))
		c.Result(i, unsafe.Pointer(unsafe.SliceData(acc)))
	}
	at := make([]int64, count)
	for k := range f.walk.volume() {
		f.env.CheckCancel()
		f.walk.sourceIndices(at, first, k)
		for i := range f.n {
			gatherElems(next[i], f.ins[i], f.ins[f.n+i], at, f.size[i])
		}
		c.Apply(count)
	}
}

// gatherElems sets each element of dst to element at[i] of src, or to pad for negative offsets.
func gatherElems(dst, src, pad []byte, at []int64, size int) {
	rt.BySize(size, gatherElemsOf[uint8], gatherElemsOf[uint16], gatherElemsOf[uint32], gatherElemsOf[uint64],
		gatherElemsOf[rt.Block16])(dst, src, pad, at)
}

func gatherElemsOf[T any](dst, src, pad []byte, at []int64) {
	d, s, p := rt.View[T](dst), rt.View[T](src), rt.View[T](pad)[0]
	for i, a := range at {
		if a < 0 {
			d[i] = p
		} else {
			d[i] = s[a]
		}
	}
}
