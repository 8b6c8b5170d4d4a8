package tensors_test

import (
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/go-nx/nx"
	"github.com/go-nx/nx/internal/nxtests/kit"
)

// TestPrintOptions runs itself with an environment.
func TestPrintOptions(t *testing.T) {
	if os.Getenv("NX_PRINT") != "" {
		fmt.Printf("<%v|%v|%.2v>\n", nx.Iota(nx.Shape{7}, nx.S32), nx.New([]float32{1. / 3, 20}),
			nx.New([]float64{1. / 3}))
		return
	}
	for options, want := range map[string]string{
		"elements=6,edge=2,precision=4": "<s32[7]\n[0, 1, …, 5, 6]|f32[2]\n[0.3333,     20]|f64[1]\n[0.33]>",
		"elements=0,edge=3":             "<s32[7]\n[0, 1, 2, …, 4, 5, 6]|f32[2]\n[0.33333334,       20.0]|f64[1]\n[0.33]>",
		"edge=0":                        `edge must be a number, at least 1, got \"0\"`,
		"color=1":                       `the setting must be elements, edge or precision, got \"color\"`,
	} {
		cmd := exec.Command(os.Args[0], "-test.run=^TestPrintOptions$")
		cmd.Env = append(os.Environ(), "NX_PRINT="+options)
		out, err := cmd.CombinedOutput()
		if err != nil || !strings.Contains(string(out), want) {
			t.Errorf("NX_PRINT=%s: %v\n%s, want\n%s", options, err, out, want)
		}
	}
}

// TestPrintNarrow: floats of few bits have few digits, which read back the same.
func TestPrintNarrow(t *testing.T) {
	for d, want := range map[nx.DType]string{
		nx.F16: "[ 0.1, 65500.0, -0.001, 3.14]", nx.BF16: "[ 0.1, 65500.0, -0.001, 3.14]",
		nx.F8E5M2: "[ 0.09, 60000.0, -0.001, 3.0]", nx.F8E4M3FN: "[ 0.1, 450.0, -0.002, 3.2]",
	} {
		values := []float64{0.1, min(65504, d.MaxFinite()), -0.001, 3.14159}
		_, got, _ := strings.Cut(fmt.Sprint(nx.New(values, nx.As(d))), "\n")
		if got = strings.Join(strings.Fields(got), " "); got != want {
			t.Errorf("%s: %s, want %s", d, got, want)
		}
	}
	for bits := range 1 << 16 {
		d := nx.BF16
		x := nx.FromBytes([]byte{byte(bits), byte(bits >> 8)}, nx.Shape{}, d)
		if bits%257 != 0 {
			continue
		}
		var v float64
		if _, err := fmt.Sscan(strings.Fields(fmt.Sprint(x))[1], &v); err != nil {
			t.Fatal(x, err)
		}
		if got := d.FromFloat64(v); got != uint64(bits) && v == v {
			t.Errorf("%v of the bits %x reads back as %x", x, bits, got)
		}
	}
}

func TestPrintUnusual(t *testing.T) {
	for _, c := range []struct {
		t    nx.Tensor
		want string
	}{
		{nx.Zeros(nx.Shape{0, 3}, nx.F32), "f32[0][3]\n[]"},
		{nx.Zeros(nx.Shape{2, 0}, nx.F32), "f32[2][0]\n[\n  [],\n  []\n]"},
		{kit.Freed(), "f32[2] (released)"},
		{kit.Kept(), "f32[2] (traced by Jit)"},
		{nx.Tensor{}, "absent"},
	} {
		if got := fmt.Sprint(c.t); got != c.want {
			t.Errorf("got %s, want %s", got, c.want)
		}
		if got := c.t.String(); got != c.want {
			t.Errorf("String returns %s, want %s", got, c.want)
		}
	}
	given := nx.Add(nx.Ones(nx.Shape{2}, nx.F32), 0)
	nx.Jit(nx.Neg, nx.Donate(0))(given)
	nx.Jit(func(x nx.Tensor) nx.Tensor { // while it is traced
		if got := x.String(); got != "f32 (traced by Jit)" {
			t.Errorf("String returns %s", got)
		}
		return x
	})(nx.New(float32(1)))
	var s fmt.Stringer = given
	if got := s.String(); got != "f32[2] (donated)" || got != fmt.Sprintf("%v", given) {
		t.Errorf("String returns %s", got)
	}
	if got := nx.New([]float32{1, 2}).String(); got != "f32[2]\n[1.0, 2.0]" {
		t.Errorf("String returns %s", got)
	}
	huge := fmt.Sprint(nx.Zeros(nx.Shape{1 << 45}, nx.F32))
	if want := "f32[35184372088832] (out of memory"; len(huge) < len(want) || huge[:len(want)] != want {
		t.Errorf("got %s", huge)
	}
}

// TestPrintEmpty: a tensor without elements prints at once, however long its other axes
// are.
func TestPrintEmpty(t *testing.T) {
	for _, shape := range []nx.Shape{{0, 1 << 40, 8}, {1 << 40, 0, 8}, {1 << 40, 8, 0}, {2000, 2000, 0}} {
		x := nx.Zeros(shape, nx.F32)
		for _, format := range []string{"%v", "%+v"} {
			if s := fmt.Sprintf(format, x); !strings.Contains(s, "[]") || len(s) > 1000 {
				t.Errorf("%v prints with %s as %.1000s", shape, format, s)
			}
		}
	}
}
