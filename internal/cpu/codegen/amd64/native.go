package amd64

import (
	"fmt"

	asm "github.com/go-nx/nx/internal/cpu/asm/amd64"
	"github.com/go-nx/nx/internal/cpu/rt"
)

// addNative adds code to an arena, in the form that this process runs: on AArch64, code for AVX2 is translated. The
// error is ErrUnsupported if there is no translation.
func addNative(arena *rt.CodeArena, name string, text []byte, instructionBytes int) (*rt.Function, error) {
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
		return nil, 0, unsupported("%v", err)
	}
	return text, instructionBytes, nil
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

// nativeListing lists code in the form that this process runs.
func nativeListing(text []byte, instructionBytes int) string {
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
