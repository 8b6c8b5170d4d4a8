package target

import "github.com/go-nx/nx/internal/cpu/rt"

// translator returns the translator of code for AVX2, nil if this process runs that code. On amd64 there is one only in
// tests that emulate another processor, so that programs do not contain it.
func translator() *rt.Translator {
	if e := rt.Emulated(); e != nil {
		return e.Translator
	}
	return nil
}
