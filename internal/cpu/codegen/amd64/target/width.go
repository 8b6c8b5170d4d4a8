// Package target describes the processors that machine code is for, and holds what all packages that write such code
// share: the widths, code that is assembled at first use, code memory, and the vectors of the steps of library
// algorithms.
package target

import (
	"fmt"

	"github.com/go-nx/nx/internal/cpu/asm/amd64"
	"github.com/go-nx/nx/internal/cpu/rt"
)

// Width is the vector width and instruction set of code.
type Width uint8

// The widths.
const (
	V256 Width = iota // 256-bit vectors: AVX2 and FMA
	V512              // 512-bit vectors: AVX-512 F, VL, DQ and BW
)

// String returns the name of the tier.
func (w Width) String() string { return [...]string{"avx2", "avx512"}[w] }

// Needs returns the features that code of the width requires.
func (w Width) Needs() amd64.Feature {
	avx2 := amd64.AVX | amd64.AVX2 | amd64.FMA | amd64.F16C | amd64.BMI1 | amd64.BMI2
	if w == V256 {
		return avx2
	}
	return avx2 | amd64.AVX512F | amd64.AVX512VL | amd64.AVX512DQ | amd64.AVX512BW
}

// HasBF16Dot reports whether a processor with these features has bf16 dot products (VDPBF16PS) of this width.
func (w Width) HasBF16Dot(features amd64.Feature) bool {
	return w == V512 && features&amd64.AVX512BF16 != 0
}

// HasInt8Dot reports whether a processor with these features has int8 dot products (VPDPBUSD) of this width.
func (w Width) HasInt8Dot(features amd64.Feature) bool {
	return w == V512 && features&amd64.AVX512VNNI != 0
}

// AMXFeatures returns the AMX features of a processor that matrix products use in addition to code of this width:
// AMXBF16 and AMXINT8.
func (w Width) AMXFeatures(features amd64.Feature) amd64.Feature {
	if w != V512 || features&amd64.AMXTILE == 0 {
		return 0
	}
	return features & (amd64.AMXBF16 | amd64.AMXINT8)
}

// VectorBytes returns the length of a vector.
func (w Width) VectorBytes() int {
	if w == V512 {
		return 64
	}
	return 32
}

// CanRun returns nil if this process can run code of the width, perhaps translated, else the reason.
func (w Width) CanRun() error {
	if err := rt.CanRunCode(); err != nil {
		return err
	}
	if missing := w.Needs() &^ rt.HostFeatures(); missing != 0 && (translator() == nil || w != V256) {
		return fmt.Errorf("the processor or the system lacks %s", missing)
	}
	return nil
}

// Tier returns the name of the tier whose code this process runs.
func (w Width) Tier() string {
	if translator() != nil {
		return "neon"
	}
	return w.String()
}
