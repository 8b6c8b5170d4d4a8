package kernel_test

import (
	"testing"

	"github.com/go-nx/nx/internal/cpu/kernel"
	"github.com/go-nx/nx/internal/testkit"
)

// Texts that the parser or the verifier rejects, with the errors.
func TestRefused(t *testing.T) {
	testkit.Golden(t, "testdata/refused.txt", func(t *testing.T, _, in string) string {
		k, err := kernel.Parse(in)
		if err == nil {
			err = k.Verify()
		}
		if err == nil {
			t.Fatalf("accepted:\n%s", k)
		}
		return err.Error() + "\n"
	})
}

// A constant is read back bitwise, including NaNs with a payload and signed zeros.
func TestConstantsKeepTheirBits(t *testing.T) {
	for _, in := range []string{
		"const -0 : f32", "const NaN : f32", "const bits 0x7fc00001 0x0 : f32", "const 1e-45 : f32", "const -Inf : f64",
		"const 0.1 : f64", "const bits 0xfff8000000000001 0x0 : f64", "const (1-2i) : c64", "const (0.1+Infi) : c128",
		"const bits 0x8000000000000000 0x7ff8000000000003 : c128", "const -128 : s8",
		"const 18446744073709551615 : u64",
		"const 1 : bool",
	} {
		k, err := kernel.Parse("kernel k []\n%0 = " + in)
		if err != nil {
			t.Errorf("%s: %v", in, err)
			continue
		}
		if out := k.Body.Instrs[0].String(); out != in {
			t.Errorf("%s becomes %s", in, out)
		}
	}
}

func FuzzParse(f *testing.F) {
	f.Add(
		"kernel k [4 3] reduces [3] flushes\n over f32[12], f32[1], f32[4]\n %0 = load p0[3, 1] : f32\n reduce add %0 from p1[]\n store p2[1] = %2 : f32")
	f.Add(
		"kernel k [6]\n over s8[4], f16[6]\n %0 = const -1 : s8\n %1 = load p0[-1; 1] + 0 * clamp(%0, 3) where [-1; 1] < 4 else %0 : s8\n %2 = convert %1 : s8 → f16\n store p1[1] = %2 : f16")
	f.Fuzz(func(t *testing.T, text string) {
		k, err := kernel.Parse(text)
		if err != nil {
			return
		}
		reparsed, err := kernel.Parse(k.String())
		if err != nil {
			t.Fatalf("%v\n%s", err, k)
		}
		if reparsed.String() != k.String() {
			t.Errorf("%s becomes\n%s", k, reparsed)
		}
		_ = k.Verify()
	})
}
