package codetest

import (
	"strings"
	"testing"

	asm "github.com/go-nx/nx/internal/cpu/asm/amd64"
	"github.com/go-nx/nx/internal/cpu/codegen/amd64/target"
)

// CheckCodes assembles all code of some steps, and checks that the width supports each instruction. There are as many
// codes as count says for the width.
func CheckCodes(t *testing.T, codes func(w target.Width) (map[string][]byte, error), count map[target.Width]int) {
	t.Helper()
	for w, count := range count {
		t.Run(w.String(), func(t *testing.T) {
			codes, err := codes(w)
			if err != nil {
				t.Fatal(err)
			}
			if len(codes) != count {
				t.Errorf("%d codes, want %d", len(codes), count)
			}
			for name, code := range codes {
				checkFeatures(t, w, name, code)
			}
		})
	}
}

// checkFeatures checks that the width supports each instruction of code.
func checkFeatures(t *testing.T, w target.Width, name string, code []byte) {
	t.Helper()
	may := w.Needs()
	switch {
	case strings.Contains(name, "tdpbf16ps"):
		may |= asm.AMXTILE | asm.AMXBF16
	case strings.Contains(name, "tdpb"):
		may |= asm.AMXTILE | asm.AMXINT8
	case strings.Contains(name, "vpdpbusd"):
		may |= asm.AVX512VNNI
	case strings.Contains(name, "bf16"):
		may |= asm.AVX512BF16
	}
	for len(code) > 0 {
		in, n, err := asm.Decode(code)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if needs, _ := in.Needs(); needs&^may != 0 {
			t.Errorf("%s: %s needs %s", name, in, needs)
		}
		code = code[n:]
	}
}
