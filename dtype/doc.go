// Package dtype defines the element types of tensors: their names, widths,
// limits, conversions and promotion.
//
// An element in memory takes [Type.Size] bytes, little-endian, sub-byte types
// one byte each (the value sign- or zero-extended; narrow floats in the low
// bits). Files pack; memory does not.
package dtype
