package viz_test

import (
	"bytes"
	"errors"
	"math"
	"os"
	"strings"
	"testing"

	"github.com/go-nx/nx"
	"github.com/go-nx/nx/viz"
)

func ExampleHeatMap() {
	bell := func(n int) nx.Tensor { return nx.Exp(nx.Neg(nx.Square(nx.Linspace(-2, 2, n, nx.F32)))) }
	viz.HeatMap(os.Stdout, nx.Outer(bell(7), bell(24)))
	// Output:
	// f32[7][24]
	// 000000000000000000000000
	// 000000111112211111000000
	// 000112234556655432211000
	// 001123456889988654321100
	// 000112234556655432211000
	// 000000111112211111000000
	// 000000000000000000000000
}

func show(t *testing.T, x nx.Tensor, opts ...viz.Option) string {
	t.Helper()
	var b bytes.Buffer
	if err := viz.HeatMap(&b, x, opts...); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestHeatMap(t *testing.T) {
	inf := math.Inf(1)
	for _, c := range []struct {
		x    nx.Tensor
		want string
	}{
		{nx.New([]float64{0, 0.5, 1, inf, -inf, math.NaN()}), "f64[6]\n059+-x\n"},
		{nx.New([]int{7, 7}), "s64[2]\n00\n"},
		{nx.New(true), "bool\n0\n"},
		{nx.New([][]bool{{true, false}}), "bool[1][2]\n90\n"},
		{nx.New([]float64{-1e308, 1e308, 0}), "f64[3]\n095\n"},
		{nx.New([]float64{inf, math.NaN()}), "f64[2]\n+x\n"},
		{nx.Reshape(nx.Iota(nx.Shape{8}, nx.U8), 2, 1, 2, 2), "u8[2][1][2][2]\n[0 0]\n03\n69\n[1 0]\n03\n69\n"},
		{nx.Vectorize(nx.New([][]int{{1, 2}, {3, 4}}, nx.Names("", "j")), "i"), "vectorized[i: 2] s64[j: 2]\n03\n69\n"},
		{nx.Zeros(nx.Shape{0, 3}, nx.F32), "f32[0][3]\n"},
		{nx.Zeros(nx.Shape{2, 0}, nx.F32), "f32[2][0]\n"},
		{nx.Iota(nx.Shape{9, 1, 1}, nx.F32), "f32[9][1][1]\n8 matrices of 9\n[0]\n0\n[1]\n0\n[2]\n0\n[3]\n0\n[4]\n0\n" +
			"[5]\n0\n[6]\n0\n[7]\n0\n"},
	} {
		if got := show(t, c.x); got != c.want {
			t.Errorf("%q, want %q", got, c.want)
		}
	}
	long := show(t, nx.Iota(nx.Shape{1000, 300}, nx.F32))
	if !strings.HasPrefix(long, "f32[1000][300]\none row of 8\none column of 3\n0000") ||
		strings.Count(long, "\n") != 3+125 {
		t.Error(long[:100], strings.Count(long, "\n"))
	}
	x := nx.New([]float64{0, 1, inf, -inf, math.NaN()})
	want := "f64[5]\n\x1b[48;5;232m  \x1b[48;5;255m  \x1b[30;48;5;255m∞ \x1b[97;48;5;232m∞ " +
		"\x1b[41m  \x1b[0m\n"
	if got := show(t, x, viz.Gray); got != want {
		t.Errorf("%q, want %q", got, want)
	}
	want = "f64[2]\n\x1b[48;2;68;1;84m  \x1b[48;2;253;231;37m  \x1b[0m\n"
	if got := show(t, x.At(nx.To(2)), viz.TrueColor); got != want {
		t.Errorf("%q, want %q", got, want)
	}
	if got := show(t, x, viz.Plain); strings.Contains(got, "\x1b") {
		t.Errorf("%q", got)
	}
}

type fullDisk struct{}

func (fullDisk) Write([]byte) (int, error) { return 0, errors.New("full") }

func TestHeatMapErrors(t *testing.T) {
	if err := viz.HeatMap(&bytes.Buffer{}, nx.New([]complex64{1i})); !errors.Is(err, nx.ErrDType) {
		t.Error(err)
	}
	if err := viz.HeatMap(&bytes.Buffer{}, nx.Tensor{}); !errors.Is(err, nx.ErrAbsent) {
		t.Error(err)
	}
	var err error
	nx.Jit(func(x nx.Tensor) nx.Tensor { err = viz.HeatMap(&bytes.Buffer{}, x); return x })(nx.New([]int{1}))
	if !errors.Is(err, nx.ErrTrace) {
		t.Error(err)
	}
	if err := viz.HeatMap(fullDisk{}, nx.New([]int{1})); err == nil || err.Error() != "full" {
		t.Error(err)
	}
}
