package core

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/go-nx/nx/backend"
	"github.com/go-nx/nx/dtype"
	"github.com/go-nx/nx/internal/vmap"
	"github.com/go-nx/nx/stablehlo"
)

// DType is an element type: see package dtype.
type DType = dtype.Type

// The element types.
const (
	Bool     = dtype.Bool
	S2       = dtype.S2
	S4       = dtype.S4
	S8       = dtype.S8
	S16      = dtype.S16
	S32      = dtype.S32
	S64      = dtype.S64
	U2       = dtype.U2
	U4       = dtype.U4
	U8       = dtype.U8
	U16      = dtype.U16
	U32      = dtype.U32
	U64      = dtype.U64
	F8E5M2   = dtype.F8E5M2
	F8E4M3FN = dtype.F8E4M3FN
	BF16     = dtype.BF16
	F16      = dtype.F16
	F32      = dtype.F32
	F64      = dtype.F64
	C64      = dtype.C64
	C128     = dtype.C128
)

// Shape is nx.Shape.
type Shape []int

// Spec is nx.Spec.
type Spec struct {
	DType   DType
	Shape   Shape        // without the vectorised axes
	Names   []string     // "" for an axis without a name; nil if no axis has one
	Vectors []VectorAxis // the vectorised axes, the outermost first: see [Vectorize]

	weak  bool  // of a tensor computed only from Go numbers: it gives way like a number
	plain *Spec // of an interned spec: the spec without the vectorised axes
}

// VectorAxis is nx.VectorAxis.
type VectorAxis struct {
	Name string
	Size int
}

// Size returns the number of elements.
func (s Shape) Size() int {
	n := 1
	for _, d := range s {
		n *= d
	}
	return n
}

// String returns the shape as [2][3].
func (s Shape) String() string {
	var b strings.Builder
	for _, d := range s {
		b.WriteByte('[')
		b.WriteString(strconv.Itoa(d))
		b.WriteByte(']')
	}
	return b.String()
}

// String returns the spec as f32[batch: 2][3], after its vectorised axes, if any:
// vectorized[x: 4] f32[3].
func (s Spec) String() string {
	var b strings.Builder
	if len(s.Vectors) > 0 {
		b.WriteString("vectorized")
		for _, v := range s.Vectors {
			fmt.Fprintf(&b, "[%s: %d]", v.Name, v.Size)
		}
		b.WriteByte(' ')
	}
	b.WriteString(s.DType.String())
	for i, d := range s.Shape {
		b.WriteByte('[')
		if i < len(s.Names) && s.Names[i] != "" {
			b.WriteString(s.Names[i])
			b.WriteString(": ")
		}
		b.WriteString(strconv.Itoa(d))
		b.WriteByte(']')
	}
	return b.String()
}

// Equal reports whether two specs are equal in element type, shape, names and
// vectorised axes.
func (s Spec) Equal(t Spec) bool {
	if s.DType != t.DType || !slices.Equal(s.Shape, t.Shape) || !slices.Equal(s.Vectors, t.Vectors) {
		return false
	}
	for i := range s.Shape {
		if s.name(i) != t.name(i) {
			return false
		}
	}
	return true
}

// name returns the name of axis i, "" when it has none.
func (s *Spec) name(i int) string {
	if i < len(s.Names) {
		return s.Names[i]
	}
	return ""
}

// with returns the spec of another element type.
func (s *Spec) with(d DType) *Spec {
	if d == s.DType {
		return s
	}
	c := *s
	c.DType = d
	return intern(c)
}

// strong returns the spec of a tensor that does not give way.
func (s *Spec) strong() *Spec {
	if !s.weak {
		return s
	}
	c := *s
	c.weak = false
	return intern(c)
}

// whole returns the sizes of all axes, the vectorised ones first: those of the elements
// in memory.
//
//go:noinline
func (s *Spec) whole() Shape {
	if s.Vectors == nil {
		return s.Shape
	}
	out := make(Shape, 0, len(s.Vectors)+len(s.Shape))
	for _, v := range s.Vectors {
		out = append(out, v.Size)
	}
	return append(out, s.Shape...)
}

// withoutVectors returns the spec of an element of the vectorised axes.
func (s *Spec) withoutVectors() *Spec {
	if s.Vectors == nil {
		return s
	}
	return s.plain
}

// withVectors returns the spec with other vectorised axes.
func (s *Spec) withVectors(v []VectorAxis) *Spec {
	if slices.Equal(s.Vectors, v) {
		return s
	}
	c := *s
	c.Vectors = v
	return intern(c)
}

// tensorType returns the spec as a type of the graph language.
func (s *Spec) tensorType() *stablehlo.TensorType {
	return stablehlo.Tensor(s.DType, dims64(s.whole())...)
}

// bufferType returns the spec as a backend knows it.
func (s *Spec) bufferType() backend.Type {
	return backend.Type{DType: s.DType, Dims: dims64(s.whole())}
}

// count returns the number of elements, those of vectorised axes included.
func (s *Spec) count() int { return s.whole().Size() }

func (s *Spec) sizeBytes() int { return s.count() * s.DType.Size() }

// interned holds one *Spec for each spec in use, so that signatures of calls
// compare by pointer.
var interned struct {
	sync.RWMutex
	m map[string]*Spec
}

// appendKey appends bytes that identify the spec.
func (s *Spec) appendKey(key []byte) []byte {
	weak := byte('-')
	if s.weak {
		weak = 'w'
	}
	key = append(key, byte(s.DType), weak)
	for i, d := range s.Shape {
		name := s.name(i)
		key = strconv.AppendInt(key, int64(d), 36)
		key = append(key, '|')
		key = strconv.AppendInt(key, int64(len(name)), 36)
		key = append(key, '|')
		key = append(key, name...)
	}
	for _, v := range s.Vectors {
		key = append(key, '/')
		key = strconv.AppendInt(key, int64(v.Size), 36)
		key = append(key, '|')
		key = strconv.AppendInt(key, int64(len(v.Name)), 36)
		key = append(key, '|')
		key = append(key, v.Name...)
	}
	return key
}

// key identifies the spec.
func (s *Spec) key() string { return string(s.appendKey(nil)) }

// maxInterned bounds the specs that are kept for ever.
const maxInterned = 1 << 16

// intern returns the one pointer that stands for a spec.
func intern(s Spec) *Spec {
	if len(s.Vectors) > 0 {
		return internVectors(s)
	}
	return internPlain(s)
}

// internVectors returns the pointer for a spec with vectorised axes.
func internVectors(s Spec) *Spec {
	plain := s
	plain.Vectors = nil
	p := intern(plain)
	s.plain = p
	return internPlain(s)
}

func internPlain(s Spec) *Spec {
	var buf [96]byte
	key := s.appendKey(buf[:0])
	interned.RLock()
	p := interned.m[string(key)]
	interned.RUnlock()
	if p != nil {
		return p
	}
	interned.Lock()
	defer interned.Unlock()
	if p := interned.m[string(key)]; p != nil {
		return p
	}
	if interned.m == nil || len(interned.m) >= maxInterned {
		// equal specs from before and after are two: what was compiled for one is compiled again
		interned.m = map[string]*Spec{}
	}
	c := &Spec{DType: s.DType, Shape: slices.Clone(s.Shape), weak: s.weak}
	if c.Shape == nil {
		c.Shape = Shape{}
	}
	if slices.ContainsFunc(s.Names, func(n string) bool { return n != "" }) {
		c.Names = slices.Clone(s.Names)
	}
	if len(s.Vectors) > 0 {
		c.Vectors, c.plain = slices.Clone(s.Vectors), s.plain
	}
	interned.m[string(key)] = c
	return c
}

func typesOf(specs []*Spec) []stablehlo.Type {
	types := make([]stablehlo.Type, len(specs))
	for i, s := range specs {
		types[i] = s.tensorType()
	}
	return types
}

func dims64[S ~[]int](v S) []int64 {
	out := make([]int64, len(v))
	for i, d := range v {
		out[i] = int64(d)
	}
	return out
}

func sameDims(dims []int64, shape Shape) bool {
	if len(dims) != len(shape) {
		return false
	}
	for i, d := range dims {
		if int(d) != shape[i] {
			return false
		}
	}
	return true
}

// complexOf returns the complex type of numbers with a float type.
func complexOf(d DType) DType {
	if d.IsComplex() {
		return d
	}
	return d.Complex()
}

// sameType reports whether two specs are equal but for names.
func sameType(a, b *Spec) bool {
	return a.DType == b.DType && slices.Equal(a.Shape, b.Shape) && slices.Equal(a.Vectors, b.Vectors)
}

// hasDerivative reports whether the elements are floats or complex.
func (s *Spec) hasDerivative() bool { return s.DType.IsFloat() || s.DType.IsComplex() }

// specOf returns the type of a tensor of the graph.
func specOf(t *stablehlo.TensorType) *Spec {
	s := Spec{DType: t.DType(), Shape: make(Shape, len(t.Dims))}
	for i, d := range t.Dims {
		s.Shape[i] = int(d)
	}
	return intern(s)
}

func shapeFromDims(dims []int64) Shape {
	s := make(Shape, len(dims))
	for i, d := range dims {
		s[i] = int(d)
	}
	return s
}

func mayBeNaN(d DType) bool { return d.IsFloat() || d.IsComplex() }

// wide is the type in which elements of type d are added up: floats narrower
// than 32 bits would lose all but the first few hundred.
func wide(d DType) DType {
	if d.IsFloat() && d.Bits() < 32 {
		return F32
	}
	return d
}

// names returns the names of the axes to change, "" where one has none.
func (s *Spec) names() []string {
	names := make([]string, len(s.Shape))
	copy(names, s.Names)
	return names
}

func vectorIndex(s *Spec, name string) int {
	return slices.IndexFunc(s.Vectors, func(v VectorAxis) bool { return v.Name == name })
}

// withoutAxis returns the spec of an element of a batch along an axis.
func (s *Spec) withoutAxis(axis int) *Spec {
	c := *s
	c.Shape = slices.Delete(slices.Clone(s.Shape), axis, axis+1)
	if s.Names != nil {
		c.Names = slices.Delete(slices.Clone(s.Names), axis, axis+1)
	}
	return intern(c)
}

// withAxis returns the spec of a batch along an axis, which gets an unused name.
func (s *Spec) withAxis(axis, size int, name string) *Spec {
	if axis == vmap.Shared {
		return s
	}
	c := *s
	c.weak = false
	c.Shape = slices.Insert(slices.Clone(s.Shape), axis, size)
	if slices.Contains(s.Names, name) {
		name = ""
	}
	if s.Names != nil || name != "" {
		names := s.Names
		if names == nil {
			names = make([]string, len(s.Shape))
		}
		c.Names = slices.Insert(slices.Clone(names), axis, name)
	}
	return intern(c)
}
