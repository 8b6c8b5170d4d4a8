package library

import (
	"github.com/go-nx/nx/dtype"
	"github.com/go-nx/nx/internal/cpu/kernel"
	"github.com/go-nx/nx/internal/cpu/kernels/half"
	"github.com/go-nx/nx/internal/cpu/program"
	"github.com/go-nx/nx/internal/cpu/rt"
)

// elementCombiner combines elements of src into dst: element (from+i)·step into element at[i], one after another;
// negative offsets are skipped.
type elementCombiner func(dst, src []byte, at []int, from, step int)

// newElementCombiner returns the loop of common bodies of single-element updates, nil for others.
func newElementCombiner(body *program.Body, t dtype.Type) elementCombiner {
	if body.Args != 2 {
		return nil
	}
	if body.IsSecond() {
		return rt.BySize(t.Size(), setElements[uint8], setElements[uint16], setElements[uint32], setElements[uint64],
			setElements[rt.Block16])
	}
	op := body.Kind
	if op == kernel.Add {
		t = unsigned(t)
	}
	switch t {
	case dtype.S32:
		return combineElements[int32](op)
	case dtype.U8:
		return addElementsBy[uint8](op)
	case dtype.U16:
		return addElementsBy[uint16](op)
	case dtype.U32:
		return addElementsBy[uint32](op)
	case dtype.U64:
		return addElementsBy[uint64](op)
	case dtype.F32:
		return combineElements[float32](op)
	case dtype.F64:
		return combineElements[float64](op)
	case dtype.F16, dtype.BF16:
		if op == kernel.Add {
			return addHalves(t)
		}
	case dtype.C64:
		return addElementsBy[complex64](op)
	case dtype.C128:
		return addElementsBy[complex128](op)
	}
	return nil
}

func setElements[T any](dst, src []byte, at []int, from, step int) {
	d, s := rt.View[T](dst), rt.View[T](src)
	if step == 1 {
		for i, v := range s[from:][:len(at)] {
			if to := uint(at[i]); to < uint(len(d)) {
				d[to] = v
			}
		}
		return
	}
	for i, to := range at {
		if to >= 0 {
			d[to] = s[(from+i)*step]
		}
	}
}

func addElementsBy[T ordered | complex64 | complex128](op kernel.Op) elementCombiner {
	if op != kernel.Add {
		return nil
	}
	return func(dst, src []byte, at []int, from, step int) {
		d, s := rt.View[T](dst), rt.View[T](src)
		for i, to := range at {
			if to >= 0 {
				d[to] += s[(from+i)*step]
			}
		}
	}
}

// addHalves rounds each sum to the narrow type.
func addHalves(t dtype.Type) elementCombiner {
	return func(dst, src []byte, at []int, from, step int) {
		d, s := rt.View[uint16](dst), rt.View[uint16](src)
		var x, y [1]float32
		for i, to := range at {
			if to < 0 {
				continue
			}
			sum, v := d[to:to+1], s[(from+i)*step:][:1]
			if t == dtype.F16 {
				half.WidenF16(x[:], sum)
				half.WidenF16(y[:], v)
				x[0] += y[0]
				half.NarrowF16(sum, x[:])
				continue
			}
			half.WidenBF16(x[:], sum)
			half.WidenBF16(y[:], v)
			x[0] += y[0]
			half.NarrowBF16(sum, x[:])
		}
	}
}

func combineElements[T ordered](op kernel.Op) elementCombiner {
	switch op {
	case kernel.Max:
		return func(dst, src []byte, at []int, from, step int) {
			d, s := rt.View[T](dst), rt.View[T](src)
			for i, to := range at {
				if to >= 0 {
					d[to] = max(d[to], s[(from+i)*step])
				}
			}
		}
	case kernel.Min:
		return func(dst, src []byte, at []int, from, step int) {
			d, s := rt.View[T](dst), rt.View[T](src)
			for i, to := range at {
				if to >= 0 {
					d[to] = min(d[to], s[(from+i)*step])
				}
			}
		}
	}
	return addElementsBy[T](op)
}

// firstOffsets sets at to the offsets of the first component of each index, -1 if it is outside.
func firstOffsets[I int32 | int64](at []int, indices []I, step, stride, limit int) {
	size := uint(limit + 1) // 0 for a dimension of size 0
	if step == 1 {
		for i, x := range indices[:len(at)] {
			to := int(x) * stride
			if uint(x) >= size { // negative ones are large, too
				to = -1
			}
			at[i] = to
		}
		return
	}
	for i := range at {
		x := int(indices[i*step])
		to := x * stride
		if uint(x) >= size {
			to = -1
		}
		at[i] = to
	}
}

// addOffsets adds the offset of a further component of each index.
func addOffsets[I int32 | int64](at []int, indices []I, step, stride, limit int) {
	size := uint(limit + 1) // 0 for a dimension of size 0
	for i, from := range at {
		x := int(indices[i*step])
		to := from + x*stride
		if uint(x) >= size || from < 0 {
			to = -1
		}
		at[i] = to
	}
}
