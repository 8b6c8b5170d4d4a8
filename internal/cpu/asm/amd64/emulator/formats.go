package emulator

import "github.com/go-nx/nx/internal/cpu/asm/softfloat"

type format = softfloat.Format

// The formats of elements.
var (
	f16, bf16, f32, f64 = softfloat.F16, softfloat.BF16, softfloat.F32, softfloat.F64

	floats = softfloat.Formats // by their width in bytes
)
