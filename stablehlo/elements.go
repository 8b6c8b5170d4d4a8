package stablehlo

import (
	"encoding/binary"

	"github.com/go-nx/nx/dtype"
)

// Len returns the number of elements, those a splat stands for included.
func (a *ElementsAttr) Len() int { n, _ := a.Type.NumElems(); return int(n) }

// Int64s returns the elements of an integer, bool or index type, sign- or
// zero-extended, a splat expanded; nil for other types.
func (a *ElementsAttr) Int64s() []int64 {
	d := a.Type.DType()
	if !d.IsInteger() && d != dtype.Bool {
		return nil
	}
	out := make([]int64, a.Len())
	for i := range out {
		j := i
		if a.Splat {
			j = 0
		}
		switch b := a.Data[j*d.Size():]; d.Size() {
		case 1:
			out[i] = int64(int8(b[0]))
		case 2:
			out[i] = int64(int16(binary.LittleEndian.Uint16(b)))
		case 4:
			out[i] = int64(int32(binary.LittleEndian.Uint32(b)))
		case 8:
			out[i] = int64(binary.LittleEndian.Uint64(b))
		}
		if !d.IsSigned() && d.Size() < 8 {
			out[i] &= 1<<(8*d.Size()) - 1
		}
	}
	return out
}
