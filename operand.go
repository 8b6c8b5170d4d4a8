package nx

// Number lists the Go types that are numbers to an op.
type Number interface {
	bool | int | int8 | int16 | int32 | int64 | uint | uint8 | uint16 | uint32 | uint64 |
		float32 | float64 | complex64 | complex128
}

// Operand is what a binary op takes: a tensor or a Go number. A number is
// weak: it takes the tensor's element type where that can hold its kind.
type Operand interface{ Tensor | Number }
