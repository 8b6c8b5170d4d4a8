package nx

import (
	"fmt"

	"github.com/go-nx/nx/internal/core"
)

// Format prints the type and the elements with %v, aligned by column and cut
// in the middle of long axes, a scalar on one line; with %+v all elements; with %s
// the type alone. The verbs of numbers, such as %.3f, %g, %d and %x, print the
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
