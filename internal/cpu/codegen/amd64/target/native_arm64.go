package target

import (
	"github.com/go-nx/nx/internal/cpu/asm/arm64"
	"github.com/go-nx/nx/internal/cpu/codegen/neon"
	"github.com/go-nx/nx/internal/cpu/rt"
)

// translator returns the translator of code for AVX2, nil if this process runs that code: in tests that emulate it.
func translator() *rt.Translator {
	if e := rt.Emulated(); e != nil {
		return e.Translator
	}
	return &toAArch64
}

var toAArch64 = rt.Translator{Translate: neon.Translate, Listing: arm64.Listing}
