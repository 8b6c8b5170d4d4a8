package nn

import (
	"fmt"
	"reflect"

	"github.com/go-nx/nx"
	"github.com/go-nx/nx/diag"
	"github.com/go-nx/nx/tree"
)

// The numbers of integers with one scale.
const (
	// nibbles is the number of integers of 4 bits whose halves of bytes lie together, as in llama.cpp's Q4_0.
	nibbles = 32
	// group4 is the usual number for 4 bits, that of Q4_0.
	group4 = 32
)

// QuantizeOption is an option of [Quantize].
type QuantizeOption interface{ quantize(*quantizeOptions) }

type quantizeOptions struct{ group int }

type groupOption int

// Group is the number of weights of a row that have one scale; 0 is a whole row, which is one output channel. Without
// it a row of 8 bits has one scale, and of 4 bits each 32 weights have one.
func Group(n int) QuantizeOption { return groupOption(n) }

func (n groupOption) quantize(o *quantizeOptions) { o.group = int(n) }

// Quantize returns a model whose [Linear] and [Embedding] weights are integers of 8 or 4 bits with scales: it needs a
// quarter or an eighth of the memory of f32. Products are computed from the integers: the floats are never in memory.
// Norms, biases and all other layers stay as they are, and so do routers of [MoE], and layers whose rows are not a
// multiple of the group, or of 32 for 4 bits. A layer that is quantised already stays as it is.
//
// Of 8 bits a weight is the nearest of -127 to 127 times the scale max|w|/127, so that it differs by at most half a
// scale. Of 4 bits it is the nearest of -8 to 7 times the scale w/-8 of the weight w that is largest in magnitude, as
// Q4_0 of llama.cpp has it. The scales are f32.
//
//	small, err := nn.Quantize(model, 8)
//	small, err = nn.Quantize(model, 4, nn.Group(64))
//
// A quantised weight is s8 [out, in], or u8 [out, in/2]: byte i of the 16 of 32 weights has weight i in its low half
// and weight 16+i in its high half, both plus 8. It is not trained; [LoRA] trains beside it.
//
// Errors: another number of bits, a negative group, a weight that is infinite or NaN (by its path). Options: [Group].
//
// Source: T. Dettmers et al., "LLM.int8()", 2022, arXiv:2208.07339, for symmetric scales by row.
func Quantize[M any](model M, bits int, opts ...QuantizeOption) (out M, err error) {
	defer nx.Catch(&err)
	const op = "Quantize"
	var o quantizeOptions
	switch bits {
	case 8:
	case 4:
		o.group = group4
	default:
		panic(diag.New(nx.ErrArgument, op, "", "the number of bits must be 8 or 4, got %d", bits))
	}
	for _, opt := range opts {
		if opt != nil {
			opt.quantize(&o)
		}
	}
	if o.group < 0 {
		panic(diag.New(nx.ErrArgument, op, "", "the group must not be negative, got %d", o.group))
	}
	out = tree.Map(func(t nx.Tensor) nx.Tensor { return t }, model)
	q := quantizing{bits: bits, group: o.group}
	return out, q.visit(reflect.ValueOf(&out).Elem(), "")
}

// quantizing walks the layers of a model.
type quantizing struct{ bits, group int }

var (
	linearType    = reflect.TypeFor[Linear]()
	embeddingType = reflect.TypeFor[Embedding]()
	moeType       = reflect.TypeFor[MoE]()
)

// visit quantises the layers in v, which can be set.
func (q quantizing) visit(v reflect.Value, path string) error {
	if isTensor(v.Type()) {
		return nil
	}
	switch v.Kind() {
	case reflect.Pointer:
		if v.IsNil() {
			return nil
		}
		return q.visit(v.Elem(), path)
	case reflect.Interface:
		if v.IsNil() {
			return nil
		}
		if v.Elem().Kind() == reflect.Pointer {
			return q.visit(v.Elem().Elem(), path)
		}
		return q.copied(v.Elem(), path, v.Set)
	case reflect.Slice, reflect.Array:
		for i := range v.Len() {
			if err := q.visit(v.Index(i), fmt.Sprintf("%s[%d]", path, i)); err != nil {
				return err
			}
		}
	case reflect.Map:
		for _, key := range v.MapKeys() {
			set := func(x reflect.Value) { v.SetMapIndex(key, x) }
			if err := q.copied(v.MapIndex(key), fmt.Sprintf("%s[%v]", path, key), set); err != nil {
				return err
			}
		}
	case reflect.Struct:
		return q.layer(v, path)
	}
	return nil
}

// copied visits a copy of a value that cannot be set, and sets it.
func (q quantizing) copied(v reflect.Value, path string, set func(reflect.Value)) error {
	x := reflect.New(v.Type()).Elem()
	x.Set(v)
	err := q.visit(x, path)
	set(x)
	return err
}

// layer quantises a layer, or visits the fields of a struct.
func (q quantizing) layer(v reflect.Value, path string) error {
	switch v.Type() {
	case linearType:
		l := v.Addr().Interface().(*Linear)
		return q.weight(&l.Weight, &l.Scale, path)
	case embeddingType:
		l := v.Addr().Interface().(*Embedding)
		return q.weight(&l.Weight, &l.Scale, path)
	}
	for i := range v.NumField() {
		f := v.Type().Field(i)
		if !f.IsExported() || f.Tag.Get("nx") == "-" || v.Type() == moeType && f.Name == "Gate" {
			continue
		}
		name := f.Name
		if path != "" {
			name = path + "." + f.Name
		}
		if err := q.visit(v.Field(i), name); err != nil {
			return err
		}
	}
	return nil
}

var (
	quantize8 = nx.Jit(quantizedTo8)
	quantize4 = nx.Jit(quantizedTo4)
)

// quantizedWeight is a weight as integers.
type quantizedWeight struct {
	Weight, Scale nx.Tensor
	Finite        nx.Tensor // whether all weights are
}

// weight quantises a weight of floats, if its rows are multiples of the group.
func (q quantizing) weight(w, scale *nx.Tensor, path string) error {
	if w.IsZero() || !scale.IsZero() || !w.DType().IsFloat() || w.Rank() != 2 || w.Shape()[0] == 0 {
		return nil
	}
	in := w.Shape()[1]
	group := q.group
	if group == 0 {
		group = in
	}
	if in == 0 || in%group != 0 || q.bits == 4 && in%nibbles != 0 {
		return nil
	}
	f := quantize8
	if q.bits == 4 {
		f = quantize4
	}
	r := f(*w, group)
	if !nx.Item[bool](r.Finite) {
		return fmt.Errorf("nn: Quantize: the weight %s.Weight has infinite or NaN elements", path)
	}
	*w, *scale = r.Weight, r.Scale
	return nil
}

// groupsOf is a weight as f32, [out, groups, group].
func groupsOf(w nx.Tensor, group int) nx.Tensor {
	return nx.Reshape(nx.Cast(w, nx.F32), w.Shape()[0], -1, group)
}

// rounded divides groups by scales, of which 0 gives 0, and rounds to integers from lo to hi.
func rounded(v, scale nx.Tensor, lo, hi float64) nx.Tensor {
	inverse := nx.Where(nx.Equal(scale, 0), 0.0, nx.Div(1.0, scale))
	return nx.Clip(nx.RoundEven(nx.Mul(v, inverse)), lo, hi)
}

func quantizedTo8(w nx.Tensor, group int) quantizedWeight {
	v := groupsOf(w, group)
	scale := nx.Div(nx.Max(nx.Abs(v), nx.Axis(2), nx.KeepAxes), 127.0)
	return quantizedWeight{
		Weight: nx.Reshape(nx.Cast(rounded(v, scale, -127, 127), nx.S8), w.Shape()...),
		Scale:  nx.Squeeze(scale, nx.Axis(2)), Finite: nx.All(nx.IsFinite(v)),
	}
}

func quantizedTo4(w nx.Tensor, group int) quantizedWeight {
	v := groupsOf(w, group)
	low, high := nx.Min(v, nx.Axis(2), nx.KeepAxes), nx.Max(v, nx.Axis(2), nx.KeepAxes)
	largest := nx.Where(nx.Greater(nx.Neg(low), high), low, high)
	scale := nx.Div(largest, -8.0)
	q := nx.Cast(nx.Add(rounded(v, scale, -8, 7), 8.0), nx.U8)
	q = nx.Reshape(q, w.Shape()[0], -1, 2, nibbles/2)
	first, second := q.At(nx.Whole, nx.Whole, 0), q.At(nx.Whole, nx.Whole, 1)
	bytes := nx.BitwiseOr(first, nx.LeftShift(second, nx.Full(nx.Shape{}, 4, nx.U8)))
	return quantizedWeight{
		Weight: nx.Reshape(bytes, w.Shape()[0], -1),
		Scale:  nx.Squeeze(scale, nx.Axis(2)), Finite: nx.All(nx.IsFinite(v)),
	}
}

// inputs is the number of columns of a weight.
func inputs(w, scale nx.Tensor) int {
	n := w.Shape()[1]
	if !scale.IsZero() && w.DType() == nx.U8 {
		n *= 2
	}
	return n
}

// quantizedProduct is the product of x [m, in] with the transpose of a quantised weight.
var quantizedProduct = nx.Composite[func(x, w, scale nx.Tensor) nx.Tensor]("nx.quantized_dot", nil)

// quantizedDot is x·wᵀ, in the type of x.
func quantizedDot(op string, x, w, scale nx.Tensor) nx.Tensor {
	in, n := inputs(w, scale), x.Rank()
	if n == 0 || x.Shape()[n-1] != in {
		panic(diag.New(nx.ErrShape, op, "", "the last axis of the argument must be %d, got %v", in, x.Shape()))
	}
	shape := append(append([]int{}, x.Shape()[:n-1]...), w.Shape()[0])
	rows := nx.Reshape(nx.Cast(x, nx.F32), -1, in)
	var y nx.Tensor
	if scale.Shape()[1] == 1 { // of a row: the product is scaled
		y = nx.Mul(quantizedProduct(rows, w, nx.Zeros(nx.Shape{w.Shape()[0], 0}, nx.F32)), nx.Reshape(scale, -1))
	} else {
		y = quantizedProduct(rows, w, scale)
	}
	y = nx.Reshape(y, shape...)
	if x.DType().IsFloat() {
		y = nx.Cast(y, x.DType())
	}
	return y
}

// dequantized are quantised rows as f32: w […, in], or […, in/2] of 4 bits, scale […, groups] → […, in].
func dequantized(w, scale nx.Tensor) nx.Tensor {
	shape := append([]int{}, w.Shape()...)
	last := len(shape) - 1
	v := w
	if w.DType() == nx.U8 {
		shape[last] *= 2
		bytes := nx.Reshape(w, append(append([]int{}, shape[:last]...), -1, 1, nibbles/2)...)
		four := nx.Full(nx.Shape{}, 4, nx.U8)
		low := nx.BitwiseAnd(bytes, nx.Full(nx.Shape{}, 15, nx.U8))
		v = nx.Concatenate([]nx.Tensor{low, nx.RightShift(bytes, four)}, nx.Axis(-2))
	}
	v = nx.Cast(v, nx.F32)
	if w.DType() == nx.U8 {
		v = nx.Sub(v, 8.0)
	}
	groups := scale.Shape()[last]
	v = nx.Reshape(v, append(append([]int{}, shape[:last]...), groups, shape[last]/groups)...)
	return nx.Reshape(nx.Mul(v, nx.ExpandAxis(scale, nx.Axis(-1))), shape...)
}
