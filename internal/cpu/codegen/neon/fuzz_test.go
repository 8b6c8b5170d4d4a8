package neon_test

import (
	"errors"
	"math/rand/v2"
	"testing"

	"github.com/go-nx/nx/internal/cpu/asm/amd64"
	"github.com/go-nx/nx/internal/cpu/codegen/neon"
)

// FuzzTranslate translates any bytes: code of saved executables comes from files. What has no translation is an error.
func FuzzTranslate(f *testing.F) {
	r := rand.New(rand.NewPCG(1, 9))
	for _, s := range amd64.Samples(r, 1) {
		code, err := s.Append(nil)
		if err != nil {
			f.Fatal(err)
		}
		ret := amd64.Inst{Op: amd64.RET}
		if code, err = ret.Append(code); err != nil {
			f.Fatal(err)
		}
		f.Add(code, len(code))
	}
	f.Fuzz(func(t *testing.T, text []byte, instructionBytes int) {
		if instructionBytes < 0 || instructionBytes > len(text) {
			return
		}
		code, n, err := neon.Translate(text, instructionBytes)
		if err != nil {
			if !errors.Is(err, neon.ErrUnsupported) && instructionBytes < 1<<12 {
				t.Errorf("%v", err)
			}
			return
		}
		if n <= 0 || n > len(code) {
			t.Errorf("%d of %d bytes are instructions", n, len(code))
		}
	})
}
