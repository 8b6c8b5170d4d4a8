package random_test

import (
	"bytes"
	"log/slog"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/go-nx/nx"
	"github.com/go-nx/nx/random"
)

// The expected numbers are those of Nx, which uses the same generator.
func TestAgainstNx(t *testing.T) {
	key := random.Key(42)
	if got, want := nx.Data[uint32](random.Split(key, 2)),
		[]uint32{2465931498, 3679230171, 255383827, 267815257}; !slices.Equal(got, want) {
		t.Errorf("Split: got %v, want %v", got, want)
	}
	if got, want := nx.Data[uint32](random.Split(key, 3)),
		[]uint32{3134548294, 3733159049, 3746501087, 894150801, 801545058, 2363201431}; !slices.Equal(got, want) {
		t.Errorf("Split: got %v, want %v", got, want)
	}
	if got, want := nx.Data[float32](random.Uniform(key, 0, 1, nx.Shape{4}, nx.F32)),
		[]float32{0.57414436, 0.8566375, 0.059461117, 0.06235552}; !slices.Equal(got, want) {
		t.Errorf("Uniform: got %v, want %v", got, want)
	}
}

// TestMistakes: a mistake is an error of the caller's line.
func TestMistakes(t *testing.T) {
	key := random.Key(1)
	for _, c := range []struct {
		name string
		f    func()
		want string
	}{
		{"no key", func() { random.Split(nx.Tensor{}, 2) },
			"Split: a key must be u32[2], got absent (the zero Tensor)"},
		{"many keys", func() { random.Bits(random.Split(key, 2), nx.Shape{2}) },
			"Bits: a key must be u32[2], got u32[2][2]"},
		{"floats for a key", func() { random.Uniform(nx.New([]float32{1, 2}), 0, 1, nx.Shape{2}, nx.F32) },
			"Uniform: a key must be u32[2], got f32[2]"},
		{"a negative number of keys", func() { random.Split(key, -1) }, "Split: axis 0 has the negative size -1"},
		{"a negative size", func() { random.Normal(key, 0, 1, nx.Shape{2, -3}, nx.F32) },
			"Normal: axis 1 has the negative size -3"},
		{"more than memory", func() { random.Bits(key, nx.Shape{1 << 40, 1 << 40}) },
			"Bits: the shape [1099511627776 1099511627776] does not fit in memory"},
		{"integers", func() { random.Uniform(key, 0, 9, nx.Shape{2}, nx.S32) },
			"Uniform: the type of random floats must be f32, f64, bf16, f16 or f8, got s32"},
		{"an empty range", func() { random.Uniform(key, 2, 1, nx.Shape{2}, nx.F32) },
			"Uniform: no number of the type is in [2, 1)"},
		{"a ball of no norm", func() { random.Ball(key, 2, 0, nx.Shape{}, nx.F32) },
			"Ball: the power of the norm must be positive, got 0"},
		{"no classes", func() { random.Multinomial(key, 3, nx.New(0.5), nx.Shape{}, nx.S32) },
			"Multinomial: the probabilities must not be a scalar"},
		{"counts that are floats", func() { random.Binomial(key, 3, 0.5, nx.Shape{}, nx.F32) },
			"Binomial: counts must be integers of at least 8 bits, got f32"},
		{"few numbers", func() { random.Maxwell(key, nx.Shape{}, nx.F8E5M2) },
			"Maxwell: the type f8e5m2 has too few numbers"},
		{"no range", func() { random.Uniform(key, 0, math.NaN(), nx.Shape{2}, nx.F32) },
			"Uniform: no number of the type is in [0, NaN)"},
	} {
		var err error
		func() {
			defer nx.Catch(&err)
			c.f()
		}()
		if err == nil || !strings.Contains(err.Error(), c.want) || !strings.HasPrefix(err.Error(), "random_test.go:") {
			t.Errorf("%s: got %v, want %s", c.name, err, c.want)
		}
	}
}

// TestQuiet: programs that draw numbers of many shapes are not warned about internal functions.
func TestQuiet(t *testing.T) {
	var said bytes.Buffer
	nx.SetLogger(slog.New(slog.NewTextHandler(&said, nil)))
	defer nx.SetLogger(nil)
	for n := range 12 {
		random.Normal(random.Key(1), 0, 1, nx.Shape{1000 + n}, nx.F32)
	}
	if said.Len() > 0 {
		t.Error(said.String())
	}
}

// TestRange: rounding does not reach the end of the range.
func TestRange(t *testing.T) {
	for _, d := range []nx.DType{nx.BF16, nx.F16, nx.F32, nx.F64} {
		u := random.Uniform(random.Key(7), 0.1, 0.3, nx.Shape{20000}, d)
		if nx.Item[bool](nx.Any(nx.GreaterEqual(u, 0.3))) || nx.Item[bool](nx.Any(nx.Less(u, 0.1))) {
			t.Errorf("%s: a number beyond [0.1, 0.3)", d)
		}
	}
}
