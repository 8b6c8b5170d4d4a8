package refmath

import (
	"bufio"
	"os"
	"strconv"
	"strings"
	"testing"
)

// TestMpmath compares with results that mpmath computed with 400 bits and rounded once.
func TestMpmath(t *testing.T) {
	one := map[string]func(float64) float64{
		"exp": Exp, "expm1": Expm1, "log": Log, "log1p": Log1p, "log2": Log2, "log10": Log10, "logistic": Logistic,
		"sin": Sin, "cos": Cos, "tan": Tan, "asin": Asin, "acos": Acos, "atan": Atan, "sinh": Sinh, "cosh": Cosh,
		"tanh": Tanh, "asinh": Asinh, "acosh": Acosh, "atanh": Atanh, "rsqrt": Rsqrt, "cbrt": Cbrt, "erf": Erf,
		"erfc": Erfc, "erf_inv": ErfInv, "lgamma": Lgamma, "digamma": Digamma, "bessel_i0e": BesselI0e,
		"bessel_i1e": BesselI1e, "softplus": Softplus, "silu": Silu, "gelu": Gelu,
		"gelu_tanh": GeluTanh,
	}
	two := map[string]func(x, y float64) float64{"pow": Pow, "atan2": Atan2, "zeta": Zeta, "polygamma": Polygamma}
	file, err := os.Open("testdata/mpmath.txt")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	seen := map[string]int{}
	lines := bufio.NewScanner(file)
	for lines.Scan() {
		if strings.HasPrefix(lines.Text(), "#") {
			continue
		}
		words := strings.Fields(lines.Text())
		var v [3]float64
		for i, w := range words[1:] {
			if v[i], err = strconv.ParseFloat(w, 64); err != nil {
				t.Fatal(err)
			}
		}
		got, want := 0.0, v[1]
		if f := one[words[0]]; f != nil {
			got = f(v[0])
		} else {
			got, want = two[words[0]](v[0], v[1]), v[2]
		}
		seen[words[0]]++
		if !same(got, want) {
			t.Errorf("%s: got %x", lines.Text(), got)
		}
	}
	if n := len(one) + len(two) - len(seen); n != 0 {
		t.Errorf("%d functions have no results in the file", n)
	}
	for name, n := range seen {
		if n < 40 {
			t.Errorf("%s has %d results", name, n)
		}
	}
}
