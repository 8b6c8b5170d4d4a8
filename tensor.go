package nx

import (
	"fmt"

	"github.com/go-nx/nx/internal/core"
)

// MarshalBinary returns the tensor with its type, names and vectorised axes, in the format of
// Nx.serialize in Elixir; bools, which Nx does not have, stay bools. It is what package
// encoding/gob calls. The absent tensor has the empty encoding.
func (t Tensor) MarshalBinary() (out []byte, err error) {
	return core.Tensor(t).MarshalBinary()
}

// UnmarshalBinary reads what [Tensor.MarshalBinary] or Nx.serialize made of a tensor.
func (t *Tensor) UnmarshalBinary(data []byte) (err error) {
	return (*core.Tensor)(t).UnmarshalBinary(data)
}

// MarshalJSON returns the type and the elements as nested arrays:
//
//	{"dtype":"f32","shape":[2,2],"names":["a","b"],"data":[[1,2],[3,4]]}
//
// NaN and infinities are the strings "NaN", "Infinity" and "-Infinity", complex
// numbers pairs. The absent tensor is null; vectorised axes are the first ones. [Nested] returns only the arrays.
func (t Tensor) MarshalJSON() (out []byte, err error) {
	return core.Tensor(t).MarshalJSON()
}

// UnmarshalJSON reads what [Tensor.MarshalJSON] writes.
func (t *Tensor) UnmarshalJSON(text []byte) (err error) {
	return (*core.Tensor)(t).UnmarshalJSON(text)
}

// Tensor is an n-dimensional array: one pointer to an immutable header. It is
// safe to share between goroutines. The zero Tensor is absent: legal as a leaf
// of a container, an error as an operand. Compare contents with [Equal].
type Tensor core.Tensor

// Spec returns the type of the tensor; the zero Spec when it is absent.
func (t Tensor) Spec() Spec {
	return core.Tensor(t).Spec()
}

// DType returns the element type.
func (t Tensor) DType() DType {
	return core.Tensor(t).DType()
}

// Shape returns the sizes of the axes.
func (t Tensor) Shape() Shape {
	return core.Tensor(t).Shape()
}

// Rank returns the number of axes.
func (t Tensor) Rank() int {
	return core.Tensor(t).Rank()
}

// Size returns the number of elements.
func (t Tensor) Size() int {
	return core.Tensor(t).Size()
}

// Names returns the names of the axes, "" where one has none.
func (t Tensor) Names() []string {
	return core.Tensor(t).Names()
}

// IsZero reports whether the tensor is absent.
func (t Tensor) IsZero() bool {
	return core.Tensor(t).IsZero()
}

// AxisSize returns the size of an axis given by position, negative from the
// end, or by name.
func AxisSize[A AxisRef](t Tensor, axis A) int {
	return core.AxisSize[A](core.Tensor(t), axis)
}

// Format prints the type and the elements with %v, aligned by column and cut
// in the middle of long axes, a scalar on one line; with %+v all elements; with %s
// only the type. The verbs of numbers, such as %.3f, %g, %d and %x, print the
// elements without the type, each by the verb with its flags, width and precision;
// integers are floats to the verbs of floats. A traced tensor prints as its type.
//
// Floats have the fewest digits that no other number of their type has, or as many
// significant ones as a precision says: %.4v. The environment variable NX_PRINT sets the
// precision of %v, from how many elements on axes are cut, and to how many at either end:
// NX_PRINT=elements=50,edge=2,precision=4. Of a tensor that is cut, no more than is printed
// is copied from a device.
func (t Tensor) Format(s fmt.State, verb rune) {
	core.Tensor(t).Format(s, verb)
}

// String returns what [Tensor.Format] prints with %v, for what takes a fmt.Stringer. It never fails: an absent,
// released, donated or traced tensor says what it is.
func (t Tensor) String() string {
	return core.Tensor(t).String()
}
