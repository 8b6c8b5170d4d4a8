package pjrt

import (
	"github.com/go-nx/nx/dtype"
	"github.com/go-nx/nx/internal/pjrt/abi"
)

// types holds the element types that plugins have. The two of six bits are not among them.
var types = map[dtype.Type]abi.BufferType{
	dtype.Bool: abi.PRED,
	dtype.S2:   abi.S2, dtype.S4: abi.S4, dtype.S8: abi.S8, dtype.S16: abi.S16, dtype.S32: abi.S32, dtype.S64: abi.S64,
	dtype.U2: abi.U2, dtype.U4: abi.U4, dtype.U8: abi.U8, dtype.U16: abi.U16, dtype.U32: abi.U32, dtype.U64: abi.U64,
	dtype.F4E2M1FN: abi.F4E2M1FN, dtype.F8E3M4: abi.F8E3M4, dtype.F8E4M3: abi.F8E4M3, dtype.F8E4M3FN: abi.F8E4M3FN,
	dtype.F8E4M3FNUZ: abi.F8E4M3FNUZ, dtype.F8E4M3B11FNUZ: abi.F8E4M3B11FNUZ, dtype.F8E5M2: abi.F8E5M2,
	dtype.F8E5M2FNUZ: abi.F8E5M2FNUZ, dtype.F8E8M0FNU: abi.F8E8M0FNU,
	dtype.BF16: abi.BF16, dtype.F16: abi.F16, dtype.F32: abi.F32, dtype.F64: abi.F64,
	dtype.C64: abi.C64, dtype.C128: abi.C128,
}

// TypeOf returns the plugins' number of an element type, if they have it.
func TypeOf(t dtype.Type) (abi.BufferType, bool) {
	n, ok := types[t]
	return n, ok
}
