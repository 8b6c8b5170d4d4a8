// Package dtype defines the element types of tensors: their names, widths,
// limits, conversions and promotion.
//
// An element in memory takes [Type.Size] bytes, little-endian, sub-byte types
// one byte each (the value sign- or zero-extended; narrow floats in the low
// bits). Files pack; memory does not.
//
//	t, err := dtype.Parse("bf16")               // names: bool s2…s64 u2…u64 f4e2m1fn…f64 c64 c128
//	t.StoreFloat(data, i, v)                    // element i of packed data, rounded once
//	v := t.LoadFloat(data, i)                   // exactly; LoadInt, LoadComplex for other kinds
//	bits := t.FromFloat64(v)                    // one number to its bits, and back by Float64
//	err = dtype.Convert(dst, dtype.S8, src, t)  // whole arrays, the rules of StableHLO's convert
//	r := dtype.Promote(dtype.U8, dtype.S8)      // s16: the type of a mixed operation
//
// Every float type is a row of one table (format.go), from which its decoding,
// encoding and limits follow. A number always passes through float64, which
// holds all of them exactly, so that an element is rounded only when it is
// stored.
package dtype
