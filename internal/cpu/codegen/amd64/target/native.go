package target

import (
	asm "github.com/go-nx/nx/internal/cpu/asm/amd64"
	"github.com/go-nx/nx/internal/cpu/rt"
)

// AddNative adds code to an arena, in the form that this process runs: on AArch64, code for AVX2 is translated. The
// error is ErrUnsupported if there is no translation.
func AddNative(arena *rt.CodeArena, name string, text []byte, instructionBytes int) (*rt.Function, error) {
	text, instructionBytes, err := native(text, instructionBytes)
	if err != nil {
		return nil, err
	}
	return arena.Add(name, text, instructionBytes)
}

// native returns code in the form that this process runs.
func native(text []byte, instructionBytes int) ([]byte, int, error) {
	t := translator()
	if t == nil {
		return text, instructionBytes, nil
	}
	text, instructionBytes, err := t.Translate(text, instructionBytes)
	if err != nil {
		return nil, 0, Unsupported("%v", err)
	}
	return text, instructionBytes, nil
}

// NativeListing lists code in the form that this process runs.
func NativeListing(text []byte, instructionBytes int) string {
	t := translator()
	if t == nil {
		return asm.Listing(text, instructionBytes)
	}
	text, instructionBytes, err := t.Translate(text, instructionBytes)
	if err != nil {
		return err.Error()
	}
	return t.Listing(text, instructionBytes)
}
